package faults

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// signal is what the scorecard has to say of a fault.
type signal struct {
	question      string // "" = of the set as a whole
	stage, reason string
	detail        []string // words that the failure's detail holds
	cliff         string   // first stage of the survival plot that lost entities
	lost          []string
	status        rag.Status
	degraded      string // reason of a flag on the answer
}

// TestGate lets the golden set find what is wrong with a corpus. Afterwards,
// with every fault taken back, the same corpus passes.
func TestGate(t *testing.T) {
	b := newBed(t)
	for name, tc := range gateFaults() {
		t.Run(name, func(t *testing.T) {
			s := newSample(t)
			tc.fault(s)
			card := b.judge(t, s)
			if card.Passed || card.Sets[0].Passed || len(card.Sets[0].Failures) == 0 {
				t.Errorf("%s: the gate is open", tc.reason)
			}
			expect(t, tc.reason, card, tc.want)
		})
	}
	t.Run("taken back", func(t *testing.T) {
		if card := b.judge(t, newSample(t)); !card.Passed {
			t.Errorf("without a fault the gate stays shut: %s", card.Message(4000))
		}
	})
}

type gateFault struct {
	reason string
	fault  func(s *sample)
	want   signal
}

func gateFaults() map[string]gateFault {
	return map[string]gateFault{
		"few sentences": {
			reason: "the best six lines of all are not the twelve rows of a table",
			fault: func(s *sample) {
				s.pipeline(map[string]any{"mode": "TopSentences", "maxSentences": int64(6)}, "compression")
			},
			want: signal{question: "april-headcount", stage: evaluate.StageCompression, reason: evaluate.EntitiesLost, detail: []string{"of 12"}, cliff: "compressed"},
		},
		"score order": {
			reason: "rows that are all kept, but in the order of their scores, are no table any more",
			fault: func(s *sample) {
				s.pipeline(map[string]any{"mode": "TopSentences", "maxSentences": int64(1000)}, "compression")
			},
			want: signal{question: "april-headcount", stage: evaluate.StagePrompt, reason: evaluate.RowsReordered, detail: []string{"stands before row"}},
		},
		"other weights": {
			reason: "the key asserts the running weights: what was verified under others is not verified",
			fault: func(s *sample) {
				s.pipeline(map[string]any{"method": "Weighted", "dense": "0.95", "lexical": "0.05"}, "retrieval", "fusion")
			},
			want: signal{stage: evaluate.StageConfiguration, reason: evaluate.RequirementNotMet, detail: []string{"requires.dense", `"0.65"`, `"0.95"`}},
		},
		"one hit": {
			reason: "an answer that needs two documents cannot come from one",
			fault:  func(s *sample) { s.pipeline(int64(1), "retrieval", "topK") },
			want:   signal{question: "karthik-march-and-april", stage: evaluate.StageRetrieval, reason: evaluate.NotRanked, detail: []string{"below k = 1"}},
		},
		"one hit kept": {
			reason: "nor from the one that reranking keeps",
			fault: func(s *sample) {
				s.pipeline(map[string]any{"model": "late-interaction", "topK": int64(1), "timeout": "1m"}, "reranking")
			},
			want: signal{question: "karthik-march-and-april", stage: evaluate.StageRerank, reason: evaluate.LostInRerank},
		},
		"table over budget": {
			reason: "of a table that does not fit nothing is counted, not even what fits",
			fault:  func(s *sample) { s.pipeline(int64(partly), "compression", "maxTableChars") },
			want:   signal{question: "april-headcount", stage: evaluate.StageCompression, reason: evaluate.EntitiesLost, cliff: "compressed", status: rag.NeedsHuman},
		},
		"unreachable relevance": {
			reason: "a threshold that no passage reaches hands every question to people, and says so",
			fault: func(s *sample) {
				s.pipeline(map[string]any{"model": "late-interaction", "threshold": "0.99", "timeout": "1m"}, "reranking")
			},
			want: signal{question: "working-from-home", stage: evaluate.StageRerank, reason: evaluate.LostInRerank, status: rag.NeedsHuman, degraded: "BelowThreshold"},
		},
		"slow reranker": {
			reason: "a reranker that is late leaves the order before, and no degraded answer passes",
			fault: func(s *sample) {
				s.pipeline(map[string]any{"model": "late-interaction", "topK": int64(8), "timeout": "10ms"}, "reranking")
			},
			want: signal{stage: evaluate.StageGate, reason: evaluate.ThresholdMissed, detail: []string{"degraded", "RerankTimeout ("}},
		},
		"hidden rows": {
			reason: "rows that are pictures are not extracted, and the count is short by them",
			fault:  func(s *sample) { s.replace(april, rowsAsInk) },
			want: signal{question: "april-headcount", stage: evaluate.StageExtraction, reason: evaluate.EntitiesLost, detail: []string{"lost 6 of 12"},
				cliff: "extracted", lost: []string{"ST002", "ST004", "ST006", "ST008", "ST010", "ST012"}},
		},
		"document missing": {
			reason: "a document that is not in the source cannot be found by any setting",
			fault:  func(s *sample) { s.remove("registers/Salary_Register_March_2025.pdf") },
			want:   signal{question: "karthik-march-and-april", stage: evaluate.StageSource, reason: evaluate.NotInSource, detail: []string{"none of the source's"}},
		},
	}
}

// TestFailingReranker: told to fail rather than to degrade, it leaves the
// evaluation without a verdict.
func TestFailingReranker(t *testing.T) {
	b := newBed(t)
	s := newSample(t, "working-from-home")
	s.pipeline(map[string]any{"model": "late-interaction", "timeout": "10ms", "onFailure": "Fail"}, "reranking")
	_, err := b.evaluate(t, s)
	var incomplete *evaluate.IncompleteError
	if !errors.As(err, &incomplete) || !strings.Contains(err.Error(), "rerank") || !strings.Contains(err.Error(), "10ms") {
		t.Errorf("ended with %v, want an evaluation that is incomplete since the reranker was late", err)
	}
}

// partly is a table budget, in characters, into which some rows of the April
// register fit.
const partly = 1000

// TestTableOverBudget asks everything that counts or sums: of a table of which
// some rows fit there is never a partial count, only a hand-off that says so.
func TestTableOverBudget(t *testing.T) {
	b := newBed(t)
	s := newSample(t, "april-headcount", "april-production-headcount", "april-finance-gross", "april-net-payout")
	s.pipeline(int64(partly), "compression", "maxTableChars")
	tempting := 0
	for _, q := range b.judge(t, s).Sets[0].Questions {
		i := slices.IndexFunc(q.Degraded, func(f rag.Flag) bool {
			return f.Reason == "TableIncomplete" && strings.HasPrefix(f.Detail, "Salary_Register_April_2025")
		})
		if q.Status != rag.NeedsHuman || i < 0 {
			t.Errorf("%s: %s %q, flags %+v; want NEEDS_HUMAN and TableIncomplete", q.Name, q.Status, q.Answer, q.Degraded)
		} else if !strings.Contains(q.Degraded[i].Detail, " 0 of ") {
			tempting++
		}
	}
	if tempting == 0 {
		t.Error("no row fits: the budget is not one that tempts to count")
	}
}

// expect finds the signal on a scorecard.
func expect(t *testing.T, reason string, card evaluate.Scorecard, want signal) {
	t.Helper()
	all := card.Failures()
	i := slices.IndexFunc(all, func(f evaluate.Failure) bool { return f.Question == want.question }) // the earliest of that question
	if i < 0 {
		t.Fatalf("%s: nothing failed of question %q: %+v", reason, want.question, all)
	}
	if f := all[i]; f.Stage != want.stage || f.Reason != want.reason {
		t.Errorf("%s: the first failure is %+v, want %s at %s", reason, f, want.reason, want.stage)
	}
	for _, words := range want.detail {
		if !strings.Contains(all[i].Detail, words) {
			t.Errorf("%s: %q does not say %q", reason, all[i].Detail, words)
		}
	}
	if want.question != "" {
		expectCard(t, reason, card, want, all[i])
	}
}

// expectCard holds a question's own card to the signal.
func expectCard(t *testing.T, reason string, card evaluate.Scorecard, want signal, f evaluate.Failure) {
	t.Helper()
	qs := card.Sets[0].Questions
	q := qs[slices.IndexFunc(qs, func(q evaluate.QuestionCard) bool { return q.Name == want.question })]
	if q.Passed {
		t.Errorf("%s: the question passed", reason)
	}
	if want.status != "" && q.Status != want.status {
		t.Errorf("%s: %s, %q; want %s", reason, q.Status, q.Answer, want.status)
	}
	if want.degraded != "" && !slices.ContainsFunc(q.Degraded, func(f rag.Flag) bool { return f.Reason == want.degraded }) {
		t.Errorf("%s: flags %+v, want %s", reason, q.Degraded, want.degraded)
	}
	if want.cliff == "" {
		return
	}
	if q.Survival == nil || q.Survival.FirstCliff == nil || *q.Survival.FirstCliff != want.cliff || len(q.Survival.Lost) == 0 {
		t.Fatalf("%s: the survival plot is %+v, want its first cliff at %s with what was lost", reason, q.Survival, want.cliff)
	}
	if diff := cmp.Diff(want.lost, q.Survival.Lost); want.lost != nil && diff != "" {
		t.Errorf("%s: lost, -want +got:\n%s", reason, diff)
	}
	for _, id := range q.Survival.Lost {
		if !strings.Contains(f.Detail, id) {
			t.Errorf("%s: %q does not name %s", reason, f.Detail, id)
		}
	}
}
