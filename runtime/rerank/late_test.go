package rerank_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/rerank"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// shared is opened once: a model can't be closed.
var shared = sync.OnceValues(func() (*embed.Model, error) { return embed.Open(embed.Options{Dir: settings.ModelDir(os.Getenv)}) })

func model(tb testing.TB) *embed.Model {
	tb.Helper()
	m, err := shared()
	if err != nil {
		tb.Fatalf("%v: run make setup", err)
	}
	return m
}

// counting counts the texts that the real encoder is given.
type counting struct {
	*embed.Model
	mu    sync.Mutex
	texts int
}

func (c *counting) TokenVectors(ctx context.Context, texts []string) ([][]int32, [][]float32, error) {
	c.mu.Lock()
	c.texts += len(texts)
	c.mu.Unlock()
	return c.Model.TokenVectors(ctx, texts)
}

func late(tb testing.TB, e rerank.Encoder, remember int) *rerank.LateInteraction {
	tb.Helper()
	l, err := rerank.NewLateInteraction(e, remember)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

const asked = "How long may a driver wait before detention is charged?"

var passages = []string{
	"The truck stays free of charge at the dock for two hours; afterwards the time is billed.",
	"A driver must be charged with a long reflective vest before detention of the key.",
	"Gratuity is payable after five years of continuous service.",
	"ST005 | Selvam R | Production Mgr | 38,000",
}

func TestParaphraseAboveDecoy(t *testing.T) {
	cases := map[string][3]string{ // what answers in other words, what shares words alone, neither
		"How many days of annual leave do employees get?": {
			"Staff are entitled to 24 days of paid holiday each year.",
			"Do not leave the annual report lying about for days.",
			"Fuel is invoiced at cost.",
		},
		"What is the notice period when an employee resigns?": {
			"Staff who quit must tell the company one month beforehand.",
			"The first period of each school day begins with a notice on the board.",
			"Fuel is invoiced at cost.",
		},
	}
	l := late(t, model(t), 1<<20)
	for question, texts := range cases {
		scores, err := l.Score(t.Context(), question, texts[:])
		if err != nil {
			t.Fatal(err)
		}
		if scores[0] <= scores[1] || scores[1] <= scores[2] {
			t.Errorf("%s: paraphrase %.3f, decoy %.3f, neither %.3f: want falling", question, scores[0], scores[1], scores[2])
		}
		words := func(text string) (n int) { // of the question, in a text
			for _, w := range strings.Fields(strings.ToLower(strings.TrimSuffix(question, "?"))) {
				if strings.Contains(" "+strings.ToLower(strings.TrimSuffix(text, "."))+" ", " "+w+" ") {
					n++
				}
			}
			return n
		}
		if words(texts[0]) >= words(texts[1]) {
			t.Errorf("%s: the decoy is none: it shares %d words, the paraphrase %d", question, words(texts[1]), words(texts[0]))
		}
	}
}

// Alone, in another order, remembered or in company: a passage's relevance is
// its own, so that a threshold means the same for every question and the same
// question is answered alike five minutes later.
func TestRelevanceIsThePassagesOwn(t *testing.T) {
	all, err := late(t, model(t), 0).Score(t.Context(), asked, passages)
	if err != nil {
		t.Fatal(err)
	}
	remembering := late(t, model(t), 1<<20)
	for range 2 {
		for i, p := range passages {
			alone, err := remembering.Score(t.Context(), asked, []string{p})
			if err != nil {
				t.Fatal(err)
			}
			if alone[0] != all[i] {
				t.Errorf("%q: %v alone, %v in company", p, alone[0], all[i])
			}
		}
	}
	self, err := remembering.Score(t.Context(), asked, []string{asked, ""})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(self[0]-1) > .01 || self[0] > 1 || self[1] != 0 {
		t.Errorf("the question itself scores %v and nothing %v, want 1 and 0", self[0], self[1])
	}
}

// MaxSim in 8 bits is MaxSim by its formula in floats, to within what the bits cost.
func TestMaxSimByFormula(t *testing.T) {
	m := model(t)
	got, err := late(t, m, 0).Score(t.Context(), asked, passages)
	if err != nil {
		t.Fatal(err)
	}
	ids, vectors, err := m.TokenVectors(t.Context(), append([]string{asked}, passages...))
	if err != nil {
		t.Fatal(err)
	}
	d := m.Dimensions()
	for k := range passages {
		var sum, total float64
		for i, id := range ids[0] {
			best := -1.0
			for j := range ids[k+1] {
				cosine := 0.0
				for x := range d {
					cosine += float64(vectors[0][i*d+x]) * float64(vectors[k+1][j*d+x])
				}
				best = max(best, cosine)
			}
			w := math.Log(max(1.2, float64(id)-1994))
			sum, total = sum+w*best, total+w
		}
		if want := min(max(sum/total, 0), 1); math.Abs(got[k]-want) > 5e-3 {
			t.Errorf("%q: %.4f, by the formula %.4f", passages[k], got[k], want)
		}
	}
}

func TestRemembersWithinItsBytes(t *testing.T) {
	cases := map[string]struct {
		reason   string
		remember int
		want     int // texts encoded in two rounds over three passages
	}{
		"all":     {"passages are encoded once, the question each time", 1 << 20, 3 + 2},
		"nothing": {"0 bytes hold nothing", 0, 2 * (3 + 1)},
		"some":    {"what was asked for longest ago makes room, and is encoded again", 12000, 3 + 1 + 1 + 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e := &counting{Model: model(t)}
			l := late(t, e, c.remember)
			var rounds [2][]float64
			for i := range rounds {
				var err error
				if rounds[i], err = l.Score(t.Context(), asked, passages[:3]); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(rounds[0], rounds[1]); diff != "" {
				t.Error(diff)
			}
			if e.texts != c.want {
				t.Errorf("%s: %d texts were encoded, want %d", c.reason, e.texts, c.want)
			}
		})
	}
	if _, err := rerank.NewLateInteraction(model(t), -1); err == nil {
		t.Error("-1 bytes were accepted")
	}
}

// faltering is an encoder that stops, like one whose time is up, when it was given
// that many texts.
type faltering struct {
	*counting
	after int
}

func (f *faltering) TokenVectors(ctx context.Context, texts []string) ([][]int32, [][]float32, error) {
	if f.texts+len(texts) > f.after {
		return nil, nil, context.DeadlineExceeded
	}
	return f.counting.TokenVectors(ctx, texts)
}

func TestRemembersWhatItGotTo(t *testing.T) {
	e := &counting{Model: model(t)}
	f := &faltering{e, 20}
	l := late(t, f, 1<<20)
	var table []string // windows of a large one
	for i := range 24 {
		table = append(table, fmt.Sprintf("row %d", i))
	}
	if _, err := l.Score(t.Context(), asked, table); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error %v", err)
	}
	if e.texts != 1+16 {
		t.Errorf("%d texts were encoded before it stopped, want the question and the first 16", e.texts)
	}
	f.after = 1000
	if _, err := l.Score(t.Context(), asked, table); err != nil {
		t.Fatal(err)
	}
	if e.texts != 17+1+8 {
		t.Errorf("%d texts were encoded in all, want 26: the first 16 were remembered", e.texts)
	}
}

func TestLateInteractionErrors(t *testing.T) {
	l := late(t, model(t), 1<<20)
	if _, err := l.Score(t.Context(), " ", passages); err == nil {
		t.Error("a question without words scored")
	}
	long := strings.Repeat("word ", 300)
	if l.Fits(asked, long) || !l.Fits(long, passages[0]) {
		t.Error("the passage alone must fit: the question is encoded by itself")
	}
	for name, f := range map[string]func() error{
		"question": func() error { _, err := l.Score(t.Context(), long, passages); return err },
		"passage":  func() error { _, err := l.Score(t.Context(), asked, []string{long}); return err },
	} {
		var tooLong *embed.TooLongError
		if err := f(); !errors.As(err, &tooLong) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s over the window: %v, want a TooLongError and never a score of what was cut", name, err)
		}
	}
}

// The whole stage on the real encoder.
func TestStageWithEncoder(t *testing.T) {
	var hits []rag.Hit
	for i, p := range passages {
		hits = append(hits, rag.Hit{Rank: i + 1, Scores: rag.Scores{Fused: .5}, Chunk: rag.Chunk{Passage: string(rune('a' + i)), Units: []rag.Unit{{Text: p}}}})
	}
	hits[0], hits[3] = hits[3], hits[0] // the best last
	in := rag.Retrieved{Question: rag.Question{Text: asked}, Hits: ranked(hits...)}
	o := options()
	o.FirstStage, o.Timeout = rerank.FirstStageShare, time.Minute
	st := stage(t, o, late(t, model(t), 1<<20))
	out, err := st.Apply(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Hits[0].Units[0].Text; got != passages[0] && got != passages[1] {
		t.Errorf("%q comes first", got)
	}
	again, err := st.Apply(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(out, again); diff != "" {
		t.Errorf("the second time differs\n%s", diff)
	}
	same := rag.Retrieved{Question: in.Question, Hits: ranked(hits[1], hits[1], hits[1])}
	out, err = st.Apply(t.Context(), same)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range out.Hits {
		if h.Rank != i+1 || *h.Scores.Relevance != *out.Hits[0].Scores.Relevance {
			t.Errorf("of three like hits one fares otherwise: %v", show(out.Hits))
		}
	}
	o.Threshold = at(.99)
	out, err = stage(t, o, late(t, model(t), 0)).Apply(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Hits) != 0 || len(out.Flags) != 1 || out.Flags[0].Reason != rerank.BelowThreshold {
		t.Errorf("at .99: %v, %+v", show(out.Hits), out.Flags)
	}
	o.Threshold, o.Timeout, o.OnFailure = nil, time.Nanosecond, rerank.Degrade
	out, err = stage(t, o, late(t, model(t), 0)).Apply(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Flags) != 1 || out.Flags[0].Reason != rerank.RerankTimeout || out.Hits[0].Passage != in.Hits[0].Passage {
		t.Errorf("in no time: %v, %+v", show(out.Hits), out.Flags)
	}
}
