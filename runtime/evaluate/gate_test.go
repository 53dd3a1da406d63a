package evaluate

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func share(f float64) *settings.Decimal { d := settings.Decimal(f); return &d }

func most(n int) *int { return &n }

func TestGate(t *testing.T) {
	decline := func(b *bench) {
		b.desk.reply = func(a *rag.Answer) {
			if strings.Contains(a.Text, "60 days") {
				a.Status, a.Text = rag.NeedsHuman, ""
			}
		}
	}
	cases := map[string]struct {
		reason string
		harm   func(*bench)
		want   []string // stage reason: beginning of the detail; nil = passes
	}{
		"one left out is strictest": {
			reason: "6 of 7 is no pass without a threshold that says so",
			harm:   decline,
			want:   []string{"gate ThresholdMissed 6 of 7 passed: accuracy 0.8571, at least 1.00"},
		},
		"within the threshold": {
			reason: "13 of 15 at 0.86 opens, and so does 6 of 7 at 0.85",
			harm: func(b *bench) {
				decline(b)
				b.cfg.Sets[0].Key.Thresholds.Accuracy = share(0.85)
			},
		},
		"within the threshold, not in its class": {
			reason: "a class has a threshold of its own",
			harm: func(b *bench) {
				decline(b)
				b.cfg.Sets[0].Key.Thresholds.Accuracy = share(0.85)
				b.cfg.Sets[0].Key.PerClass = map[string]settings.Thresholds{"Access": {Accuracy: share(1)}, "TableCount": {Accuracy: share(1)}}
			},
			want: []string{"gate ThresholdMissed 0 of 1 passed: accuracy 0.00, at least 1.00 required in class Access"},
		},
		"confidently wrong": {
			reason: "one is too many even where accuracy allows it",
			harm: func(b *bench) {
				b.desk.reply = func(a *rag.Answer) { a.Text = strings.Replace(a.Text, "60 days", "90 days", 1) }
				b.cfg.Sets[0].Key.Thresholds.Accuracy = share(0.5)
			},
			want: []string{"gate ThresholdMissed 1 confidently wrong, at most 0 allowed"},
		},
		"a failed hand-off": {
			reason: "hand-offs have a threshold of their own",
			harm: func(b *bench) {
				b.question("night-shift").Question = "How much annual leave is there in a year?"
				b.cfg.Sets[0].Key.Thresholds = settings.Thresholds{Accuracy: share(0), ConfidentlyWrong: most(1)}
			},
			want: []string{"gate ThresholdMissed correct hand-offs 0.00, at least 1.00 required"},
		},
		"ineligible under any thresholds": {
			reason: "no key may allow an ineligible candidate",
			harm: func(b *bench) {
				b.desk.unfiltered = "dense"
				b.cfg.Sets[0].Key.Thresholds = settings.Thresholds{Accuracy: share(0), ConfidentlyWrong: most(99), Forbidden: most(99)}
			},
			want: []string{"gate ThresholdMissed "},
		},
		"a requirement": {
			reason: "the running configuration is what counts, and is quoted",
			harm: func(b *bench) {
				b.cfg.Sets[0].Key.Requires = map[string]string{"fusion": "Weighted", "dense": "0.650", "compression": "TableAware"}
				b.cfg.Settings.Pipeline.Retrieval.Fusion.Dense = 0.95
			},
			want: []string{`configuration RequirementNotMet requires.dense is "0.650", the running configuration has "0.95"`},
		},
		"requirements that hold": {
			reason: "0.650 is 0.65",
			harm: func(b *bench) {
				b.cfg.Sets[0].Key.Requires = map[string]string{"fusion": "Weighted", "dense": "0.650", "compression": "TableAware", "topK": "3"}
			},
		},
		"a requirement on what is not in force": {
			reason: "a weight under RRF weighs nothing",
			harm: func(b *bench) {
				b.cfg.Sets[0].Key.Requires = map[string]string{"dense": "0.65"}
				b.cfg.Settings.Pipeline.Retrieval.Fusion.Method = "RRF"
			},
			want: []string{`configuration RequirementNotMet requires.dense is "0.65", the running configuration has it not in force`},
		},
		"degraded": {
			reason: "a flag on an answered question counts",
			harm:   func(b *bench) { b.desk.flags = []rag.Flag{{Reason: "ContextTrimmed"}} },
			want:   []string{"gate ThresholdMissed 7 degraded, at most 0 allowed"},
		},
		"asked again": {
			reason: "an answer to the second asking is as good as one to the first",
			harm:   func(b *bench) { b.desk.flags = []rag.Flag{{Reason: "AskedAgain"}} },
		},
		"a hand-off's own reason": {
			reason: "BelowThreshold explains the six wrong hand-offs' rank, not the expected one's: only the expected one is no degradation",
			harm:   func(b *bench) { b.desk.flags = []rag.Flag{{Reason: "BelowThreshold"}} },
			want:   []string{"gate ThresholdMissed 6 degraded, at most 0 allowed"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			c.harm(b)
			s := b.run(t)
			var got []string
			for _, f := range s.Sets[0].Failures {
				got = append(got, f.Stage+" "+f.Reason+" "+f.Detail)
			}
			same := len(got) == len(c.want)
			for i := range c.want {
				same = same && strings.HasPrefix(got[i], c.want[i])
			}
			if !same || s.Passed != (len(c.want) == 0) {
				t.Errorf("%s: passed %v\n got %q\nwant %q", c.reason, s.Passed, got, c.want)
			}
		})
	}
}

func TestIneligibleIsNamed(t *testing.T) {
	b := newBench()
	b.desk.unfiltered = "dense"
	b.cfg.Sets[0].Key.Thresholds = settings.Thresholds{Accuracy: share(0), ConfidentlyWrong: most(99), Forbidden: most(99)}
	if s := b.run(t); !strings.Contains(s.Sets[0].Failures[0].Detail, "ineligible candidates, at most 0 allowed") {
		t.Errorf("failures %+v", s.Sets[0].Failures)
	}
}

func TestRegression(t *testing.T) {
	before := newBench().run(t).Receipt()
	cases := map[string]struct {
		reason string
		harm   func(*bench)
		want   bool
	}{
		"broken": {
			reason: "passed before and fails now, though the thresholds allow it",
			want:   true,
		},
		"edited": {
			reason: "another question under the same name is no regression",
			harm:   func(b *bench) { b.question("pump-coverage").Expect.Facts[0].AnyOf = []string{"61 days"} },
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			b.desk.reply = func(a *rag.Answer) {
				if strings.Contains(a.Text, "60 days") {
					a.Status = rag.NeedsHuman
				}
			}
			b.cfg.Sets[0].Key.Thresholds.Accuracy = share(0.5)
			b.cfg.Baseline = before
			if c.harm != nil {
				c.harm(b)
			}
			s := b.run(t)
			fs := s.Sets[0].Failures
			got := slices.ContainsFunc(fs, func(f Failure) bool { return f.Reason == Regression && f.Question == "pump-coverage" })
			if got != c.want || s.Passed == c.want {
				t.Errorf("%s: regression %v, passed %v, failures %+v", c.reason, got, s.Passed, fs)
			}
		})
	}
}

func TestRefusesToRun(t *testing.T) {
	cases := map[string]struct {
		reason string
		harm   func(*bench)
		want   string
	}{
		"no sets":         {"nothing would be judged", func(b *bench) { b.cfg.Sets = nil }, "no golden set"},
		"no questions":    {"an empty set is no pass", func(b *bench) { b.cfg.Sets[0].Key.Questions = nil }, "spec.questions"},
		"required class":  {"a class without a question", func(b *bench) { b.cfg.Sets[0].Key.RequireClasses = []string{"MultiDocument"} }, "requireClasses"},
		"class threshold": {"a threshold on nothing", func(b *bench) { b.cfg.Sets[0].Key.PerClass = map[string]settings.Thresholds{"MultiDocument": {}} }, "perClass"},
		"unknown setting": {"a requirement that can't be read", func(b *bench) { b.cfg.Sets[0].Key.Requires = map[string]string{"denes": "0.65"} }, "spec.requires.denes"},
		"no amount":       {"a sum that is no number", func(b *bench) { b.question("mill-gross").Expect.Aggregate.Value = "4 or 5" }, "is not one number"},
		"freeze changed":  {"not what was published", func(b *bench) { b.cfg.Freeze = "sha256:0" }, "freeze changed: published sha256:0"},
		"over budget":     {"7 calls at $1 against $5", func(b *bench) { b.cfg.Budget = Budget{PerCallUSD: 1, LeftUSD: 5, PerDayUSD: 8} }, "cost $7.0000, and of the budget of $8.0000 a day (UTC) $5.0000 are left"},
		"nothing left":    {"nought is no want of a budget", func(b *bench) { b.cfg.Budget = Budget{PerCallUSD: 1, PerDayUSD: 8} }, "$0.0000 are left"},
		"broken rule":     {"a rule that can't be read", func(b *bench) { b.cfg.Settings.Eligibility.Question[0].Pattern = "(" }, "eligibility.question[0].pattern"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			c.harm(b)
			s, err := Run(context.Background(), b.cfg, b.desk, b.lib)
			if s != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: scorecard %v, error %v, want …%s…", c.reason, s, err, c.want)
			}
			var incomplete *IncompleteError
			if errors.As(err, &incomplete) || len(b.desk.asked) > 0 {
				t.Errorf("%s: it is no infrastructure error and nothing may be asked: %v, asked %d", c.reason, err, len(b.desk.asked))
			}
		})
	}
}

func TestFreezeCoversEveryInput(t *testing.T) {
	base := newBench().run(t).Freeze
	cases := map[string]func(*bench){
		"code":   func(b *bench) { b.cfg.Inputs.Code = "other" },
		"source": func(b *bench) { b.cfg.Inputs.Source = "other" },
		"config": func(b *bench) { b.cfg.Settings.Pipeline.Retrieval.Candidates = 19 },
		"questions": func(b *bench) {
			b.question("leave-today").Expect.Facts[0].AnyOf = []string{"24 days", "24 working days"}
		},
	}
	for name, change := range cases {
		b := newBench()
		change(b)
		if got := b.run(t).Freeze; got == base {
			t.Errorf("%s changed, the freeze did not", name)
		}
	}
	b := newBench()
	b.cfg.Freeze = base
	if got := b.run(t).Freeze; got != base {
		t.Errorf("published freeze %s, borne %s", base, got)
	}
}

func TestMissingEvidencePassesAtOneOfTwo(t *testing.T) {
	b := newBench()
	x := &b.question("pump-coverage").Expect
	*x = settings.Expect{Status: "NeedsHuman", Evidence: []string{"Hr_Contract-v1#coverage", "North_Contract-v1#coverage"}, Missing: []string{"North_Contract-v1#coverage"}}
	b.desk.reply = func(a *rag.Answer) {
		if strings.Contains(a.Text, "60 days") {
			a.Status = rag.NeedsHuman
		}
	}
	s := b.run(t)
	q := of(s, "pump-coverage")
	if !q.Passed || !s.Passed || q.Recall["3"] != 0.5 || q.Completeness["3"] || !slices.Equal(q.Missing, x.Missing) {
		t.Errorf("passed %v, recall %v, complete %v, missing %v, failures %+v", q.Passed, q.Recall, q.Completeness, q.Missing, q.Failures)
	}
	if d := q.Evidence[1].Diagnosis; d == nil || d.Reason != NotInSource {
		t.Errorf("diagnosis %+v, want %s", d, NotInSource)
	}
}

func TestSummaryIsNotItsSource(t *testing.T) {
	c := rag.Chunk{Document: "Leave_Policy-v2", Passage: "annual-leave", Fields: map[string]any{"derivedFrom": "Leave_Policy-v2"}}
	if satisfies(c, "Leave_Policy-v2#annual-leave") {
		t.Error("a summary satisfied its source's evidence")
	}
	c.Fields = nil
	if !satisfies(c, "Leave_Policy-v2#annual-leave") {
		t.Error("the source does not satisfy its own evidence")
	}
}

func TestRepeats(t *testing.T) {
	b := newBench()
	b.cfg.Sets[0].Key.Repeat = 3
	b.cfg.Concurrency = 1
	n := 0
	b.desk.reply = func(a *rag.Answer) {
		if strings.Contains(a.Text, "60 days") {
			if n++; n == 2 {
				a.Text = "Perhaps 90 days."
			}
		}
	}
	var last, total int
	b.cfg.Progress = func(d, of int) { last, total = d, of }
	s := b.run(t)
	if q := of(s, "pump-coverage"); q.Passed || *q.Runs != (Runs{Of: 3, Passed: 2}) || q.Answer != "Perhaps 90 days." {
		t.Errorf("passed %v, runs %+v, answer %q: one failed run fails the question and is shown", q.Passed, q.Runs, q.Answer)
	}
	if last != 21 || total != 21 {
		t.Errorf("progress %d of %d, want 21 of 21", last, total)
	}
}

func TestUpper95(t *testing.T) {
	cases := []struct {
		wrong, n int
		want     float64 // solved in exact arithmetic
	}{{0, 15, 0.1810}, {0, 22, 0.1273}, {1, 15, 0.2794}, {2, 22, 0.2595}, {15, 15, 1}, {0, 0, 1}, {0, 1, 0.95}, {5, 10, 0.7776}}
	for _, c := range cases {
		if got := upper95(c.wrong, c.n); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("upper95(%d, %d) = %.4f, want %.4f", c.wrong, c.n, got, c.want)
		}
	}
}
