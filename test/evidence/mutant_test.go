package evidence

import (
	"slices"
	"testing"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// TestMutants takes one rule at a time out of the filters under way to the store.
// The gate has to notice by what came back, since what was sent reads as it should.
func TestMutants(t *testing.T) {
	cases := map[string]struct {
		reason string
		wire   *wire
		want   string // a failure's reason; "" = the gate opens
	}{
		"Untouched":              {"the wire itself harms nothing", &wire{}, ""},
		"WithoutStatus":          {"a draft is no source", &wire{drop: "status"}, evaluate.IneligibleCandidate},
		"WithoutGroups":          {"sales would read what is for operations", &wire{drop: "groups"}, evaluate.IneligibleCandidate},
		"WithoutProduct":         {"the other machine's papers are as similar", &wire{drop: "product"}, evaluate.IneligibleCandidate},
		"WithoutBeginning":       {"a policy would hold before its first day", &wire{drop: "valid_from"}, evaluate.IneligibleCandidate},
		"WithoutEnd":             {"a policy would hold after its last day", &wire{drop: "valid_to"}, evaluate.IneligibleCandidate},
		"WithoutGroupsInLexical": {"one channel is enough to leak", &wire{drop: "groups", only: store.SparseVector}, evaluate.IneligibleCandidate},
		"WithoutProductInDense":  {"one channel is enough to leak", &wire{drop: "product", only: store.DenseVector}, evaluate.IneligibleCandidate},
		"OutsideThePrefetch":     {"what is filtered after ranking leaves too little, though all of it eligible", &wire{late: true}, evaluate.FilteredLate},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l := theLab(t)
			card := l.full.judge(t, l.full.config(t), l.through(t, c.wire))
			reasons := map[string]int{}
			for _, f := range card.Failures() {
				reasons[f.Reason]++
			}
			if card.Passed != (c.want == "") || (c.want != "" && reasons[c.want] == 0) {
				t.Errorf("%s: passed %v, failures %v", c.reason, card.Passed, reasons)
			}
			if reasons[evaluate.FilterMissing] > 0 {
				t.Error("the trace says that a filter lacked a field: the mutant is not below it")
			}
			if c.wire.late && reasons[evaluate.IneligibleCandidate] > 0 {
				t.Error("a late filter lets nothing ineligible through, by its definition")
			}
		})
	}
}

// TestEveryPrefetchIsFiltered reads the requests themselves: each query, and each
// prefetch inside one, names every field of the rules.
func TestEveryPrefetchIsFiltered(t *testing.T) {
	l := theLab(t)
	var w wire
	q := l.full.golden(t, "Q07-north")
	cfg := l.full.config(t)
	cfg.Sets = only(q)
	l.full.judge(t, cfg, l.through(t, &w))
	if len(w.sent) == 0 {
		t.Fatal("nothing was sent")
	}
	prefetches := 0
	for _, q := range w.sent {
		filters := []*qdrant.Filter{q.Filter}
		for _, p := range q.Prefetch {
			prefetches++
			filters = append(filters, p.Filter)
		}
		for _, f := range filters {
			for _, want := range ruled {
				if !slices.ContainsFunc(f.GetMust(), func(c *qdrant.Condition) bool { return field(c) == want }) {
					t.Errorf("a filter of %q has no condition on %s: %v", q.GetUsing(), want, f)
				}
			}
		}
	}
	if prefetches == 0 {
		t.Error("no query had a prefetch: nothing was fused by the store")
	}
}
