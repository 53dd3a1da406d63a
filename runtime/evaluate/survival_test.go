package evaluate

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestGrid(t *testing.T) {
	b := newBench()
	b.desk.rerank = func(hits []rag.Hit) []rag.Hit {
		for i := range hits {
			if hits[i].Table {
				hits[i].Units = slices.DeleteFunc(slices.Clone(hits[i].Units), func(u rag.Unit) bool { return u.Cells[0] == "ST011" })
			}
		}
		return hits
	}
	b.desk.layout = func(units []rag.Unit) []rag.Unit {
		return slices.DeleteFunc(units, func(u rag.Unit) bool { return len(u.Cells) > 0 && u.Cells[0] == "ST002" })
	}
	b.question("april-headcount").Expect.Entities = &settings.Entities{Values: []string{"ST001", "ST002", "ST011"}}
	q := of(b.run(t), "april-headcount")
	want := Grid{Stages: SurvivalStages(), Of: 3, Totals: []int{3, 3, 3, 2, 2, 1}, Rows: []GridRow{
		{"ST001", []bool{true, true, true, true, true, true}},
		{"ST002", []bool{true, true, true, true, true, false}},
		{"ST011", []bool{true, true, true, false, false, false}},
	}}
	if d := cmp.Diff(want, q.Grid()); d != "" {
		t.Errorf("grid (-want +got):\n%s", d)
	}
	if *q.Survival.FirstCliff != "reranked" || !slices.Equal(q.Survival.Lost, []string{"ST011"}) {
		t.Errorf("the first cliff is the earliest: %s, lost %v", *q.Survival.FirstCliff, q.Survival.Lost)
	}
	if g := (&QuestionCard{}).Grid(); len(g.Rows) != 0 || len(g.Totals) != 0 {
		t.Errorf("a question without entities has a plot: %+v", g)
	}
}

// TestEntitiesInOtherDocuments: ids that another document holds too must not
// hide that the required one lost them.
func TestEntitiesInOtherDocuments(t *testing.T) {
	b := newBench()
	b.lib.prose("Bank_List", "bank", published(), "Employees of the salary register ST003 ST004 ST005 ST006 ST007 ST008 ST009 ST010 ST011 ST012 are paid by bank in April.")
	b.desk.compress = func(hits []rag.Hit) []rag.Hit {
		for i := range hits {
			if hits[i].Table {
				hits[i].Units = hits[i].Units[:2]
			}
		}
		return hits
	}
	q := of(b.run(t), "april-headcount")
	if !slices.ContainsFunc(q.Retrieved, func(r Retrieved) bool { return r.Document == "Bank_List" }) {
		t.Fatal("the other document is not among the hits, so this proves nothing")
	}
	if q.Survival.Compressed != 2 || q.Survival.Prompt != 2 {
		t.Errorf("survival %+v, want 2 of 12 after compression", q.Survival)
	}
}

func TestPatternEntities(t *testing.T) {
	cases := map[string]struct {
		reason    string
		rows      int
		count     int
		want      string
		extracted int
	}{
		"as counted":    {"twelve of twelve", 12, 12, "", 12},
		"fewer in text": {"six were never extracted, so they have no names", 6, 12, EntitiesLost, 6},
		"more in text":  {"the key and the document disagree", 12, 11, EntityCountMismatch, 12},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			b.lib.remove("Salary_Register_April_2025")
			b.lib.table("Salary_Register_April_2025", "salary-register-april-2025", published(), employees()[:c.rows], 5)
			x := &b.question("mill-gross").Expect
			x.Entities.Count, x.Aggregate, x.Facts = c.count, nil, nil
			q := of(b.run(t), "mill-gross")
			got := ""
			if len(q.Failures) > 0 {
				got = q.Failures[0].Reason
			}
			if got != c.want || q.Survival.Extracted != c.extracted || q.Survival.Of != c.count {
				t.Errorf("%s: reason %q, survival %+v", c.reason, got, q.Survival)
			}
			if c.want == EntitiesLost && (*q.Survival.FirstCliff != "extracted" || q.Failures[0].Detail != "extraction lost 6 of 12 entities") {
				t.Errorf("%s: %+v", c.reason, q.Failures[0])
			}
		})
	}
}

// TestStagesThatDidNotRun: a bypassed stage loses nothing, one that the flow
// never reached lost everything.
func TestStagesThatDidNotRun(t *testing.T) {
	hits := []rag.Hit{{Chunk: rag.Chunk{Document: "d", Units: []rag.Unit{{Name: "u", Text: "text"}}}}}
	cases := map[string]struct {
		steps []string
		want  [stages]int
	}{
		"no reranker":  {[]string{"retrieve", "gather", "compress", "prompt"}, [stages]int{1, 1, 1, 1, 1}},
		"cut short":    {[]string{"retrieve", "gather"}, [stages]int{1, 1, 0, 0, 0}},
		"nothing ran":  {nil, [stages]int{}},
		"prompt alone": {[]string{"retrieve", "prompt"}, [stages]int{1, 1, 1, 1, 1}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ob := read(rag.Question{}, rag.Answer{}, traced(t, c.steps, hits), 0)
			var got [stages]int
			for i := range got {
				got[i] = len(ob.hits[i])
			}
			if got != c.want {
				t.Errorf("hits %v, want %v", got, c.want)
			}
		})
	}
}
