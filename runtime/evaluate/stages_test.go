package evaluate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// without is a desk with one change: what a variant asks.
func without(change func(*desk)) *desk {
	d := newDesk(newLibrary())
	change(d)
	return d
}

// TestStages holds each verdict on a stage to what its variant does to the same
// questions.
func TestStages(t *testing.T) {
	worst := func(hits []rag.Hit) []rag.Hit { return hits[max(0, len(hits)-1):] }
	halfTables := func(hits []rag.Hit) []rag.Hit {
		for i := range hits {
			if hits[i].Table {
				hits[i].Units = hits[i].Units[:len(hits[i].Units)/2]
			}
		}
		return hits
	}
	cases := map[string]struct {
		reason  string
		own     func(*desk)
		variant Variant
		better  bool // some questions pass with the stage alone
		worse   bool
		earns   bool
		says    string
	}{
		"no difference": {
			reason:  "a stage that changes nothing is not worth its time",
			variant: Variant{Stage: "reranking", Instead: "off", Asker: without(func(*desk) {})},
			says:    "reranking against off: +0 of 7",
		},
		"a stage that keeps rows": {
			reason:  "without it a table loses rows and its counts fail",
			variant: Variant{Stage: "compression", Instead: "TopSentences", Asker: without(func(d *desk) { d.compress = halfTables })},
			better:  true, earns: true, says: "earning its place",
		},
		"a stage that loses": {
			reason:  "reranking that keeps the worst hit loses the others",
			own:     func(d *desk) { d.rerank = worst },
			variant: Variant{Stage: "reranking", Instead: "off", Asker: without(func(*desk) {})},
			worse:   true, says: "not earning its place",
		},
		"a compared mode": {
			reason:  "a channel alone is what a compared mode already asked",
			variant: Variant{Stage: "fusion", Instead: "Lexical alone", Mode: rag.Lexical},
			better:  false, says: "fusion against Lexical alone",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			if c.own != nil {
				c.own(b.desk)
			}
			b.cfg.Modes, b.cfg.Variants = []rag.Mode{rag.Lexical}, []Variant{c.variant}
			total := 0
			b.cfg.Progress = func(done, of int) { total = of - done }
			s := b.run(t)
			if total != 0 {
				t.Errorf("%d questions were announced and never asked", total)
			}
			got := s.Sets[0].Stages
			if len(got) != 1 {
				t.Fatalf("%d stages, omitted %+v", len(got), s.Sets[0].Omitted)
			}
			st := got[0]
			if len(st.Better) > 0 != c.better || len(st.Worse) > 0 != c.worse || st.Earns != c.earns || !strings.Contains(st.Summary, c.says) {
				t.Errorf("%s: %+v", c.reason, st)
			}
			if st.Questions != 7 {
				t.Errorf("%d questions are paired, of 7", st.Questions)
			}
		})
	}
}

// TestPairClasses counts by class, in both directions.
func TestPairClasses(t *testing.T) {
	card := func(name, class string, passed bool, ms float64, chars int) QuestionCard {
		return QuestionCard{Asked: Asked{Name: name, Class: class, LatencyMillis: ms}, Passed: passed, prompt: chars, ConfidentlyWrong: !passed}
	}
	with := []QuestionCard{card("a", "TableCount", true, 10, 50), card("b", "TableCount", false, 12, 50), card("c", "Semantic", true, 50, 50)}
	bare := []QuestionCard{card("a", "TableCount", false, 5, 100), card("b", "TableCount", true, 4, 100), card("c", "Semantic", true, 2, 100)}
	got := pair(Variant{Stage: "compression", Instead: "off"}, with, bare)
	half := 0.5
	want := StageCard{
		Stage: "compression", Instead: "off", Questions: 3, Better: []string{"a"}, Worse: []string{"b"},
		PerClass:      map[string]PairedCard{"TableCount": {2, 1, 1}, "Semantic": {1, 0, 0}},
		LatencyMillis: 8, PromptShare: &half, Earns: true,
		Summary: "compression against off: +0 of 3 (1 better, 1 worse), +8 ms, -50 % of the prompt: earning its place",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestVariantThatCannotFinish leaves it out with its error, and the verdict alone.
func TestVariantThatCannotFinish(t *testing.T) {
	b := newBench()
	broken := without(func(d *desk) { d.broken = errors.New("the store is gone") })
	b.cfg.Variants = []Variant{{Stage: "reranking", Instead: "off", Asker: broken}}
	s := b.run(t)
	if !s.Passed || len(s.Sets[0].Stages) != 0 {
		t.Errorf("passed %v with %+v", s.Passed, s.Sets[0].Stages)
	}
	o := s.Sets[0].Omitted
	if len(o) != 1 || o[0].Variant != "reranking against off" || !strings.Contains(o[0].Error, "the store is gone") {
		t.Errorf("omitted %+v", o)
	}
	if r := s.Receipt(); len(r.Sets[0].Omitted) != 0 {
		t.Errorf("the receipt says that mode %v was left out", r.Sets[0].Omitted)
	}
}

// TestControlKeepsItsStatus: without documents nothing can be cited, so the
// caller hands the answer off; what the control is judged by is what the model said.
func TestControlKeepsItsStatus(t *testing.T) {
	b := newBench()
	b.cfg.Modes = []rag.Mode{rag.None}
	asker := &confident{b.desk}
	s, err := Run(context.Background(), b.cfg, asker, b.lib)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(s.Sets[0].Modes, func(m ModeCard) bool { return m.Mode == rag.None })
	if got := s.Sets[0].Modes[i].ConfidentlyWrong; got != 7 {
		t.Errorf("%d confidently wrong answers without documents, want all 7", got)
	}
	if !s.Passed {
		t.Errorf("the control decides nothing: %+v", s.Failures())
	}
}

// confident answers from general knowledge where there are no documents, and is
// handed off by its caller, as the assembly does.
type confident struct{ *desk }

func (c *confident) Ask(ctx context.Context, q rag.Question) (rag.Answer, *flow.Trace, error) {
	if q.Mode != rag.None {
		return c.desk.Ask(ctx, q)
	}
	ctx, trace := flow.WithTrace(ctx)
	said := flow.Func[rag.Question, rag.Answer](func(context.Context, rag.Question) (rag.Answer, error) {
		return rag.Answer{Text: "Usually forty.", Status: rag.Answered}, nil
	})
	a, err := flow.Step(flow.Generate, flow.Stage[rag.Question, rag.Answer](said)).Apply(ctx, q)
	a.Status = rag.NeedsHuman
	return a, trace, err
}
