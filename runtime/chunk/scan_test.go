package chunk

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// What markup parts stays parted, though nothing was laid out: lines without
// boxes, each a whole paragraph, some of them without a full stop.
func TestMarkupParts(t *testing.T) {
	line := func(text string, begins bool) rag.Block {
		return rag.Block{Line: &rag.Line{Text: text, Begins: begins}}
	}
	doc := rag.Document{ID: "policy", Pages: []rag.Page{{Number: 1, Blocks: []rag.Block{
		{Heading: &rag.Heading{Text: "Annual leave", Level: 1}},
		line("Every employee has a right to leave", true),
		line("Days that are not taken are lost", true),
		line("unless the manager agrees", false),
		{Table: &rag.Table{Place: rag.Place{Page: 1}, Number: 1, Header: 1, Rows: []rag.Row{
			{Place: rag.Place{Page: 1}, Cells: []rag.Cell{{Text: "Grade"}, {Text: "Days"}}},
			{Place: rag.Place{Page: 1}, Cells: []rag.Cell{{Text: "A"}, {Text: "18"}}},
		}}},
	}}}}
	want := []string{
		"annual-leave[0/1][] .s1 Every employee has a right to leave ¦ .s2 Days that are not taken are lost unless the manager agrees",
		"p1.t1[0/1][annual-leave] .r1 A | 18",
	}
	if d := cmp.Diff(want, outline(apply(t, Options{}, doc), false)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// The confidence of recognised text is that of the least certain line of a unit,
// and stays nil where nothing was recognised.
func TestConfidence(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	p := page(1, "Leave is granted by\nthe manager. It ends in March.\n|Grade|Days\n|A|18")
	p.Blocks[0].Line.Confidence, p.Blocks[1].Line.Confidence = at(0.9), at(0.5)
	p.Blocks[2].Table.Rows[1].Confidence = at(0.4)
	q := page(2, "Stored as text.")
	got := map[string]float64{}
	for _, c := range apply(t, Options{}, rag.Document{ID: "scan", Pages: []rag.Page{p, q}}) {
		for _, u := range c.Units {
			got[u.Text] = -1
			if u.Confidence != nil {
				got[u.Text] = *u.Confidence
			}
		}
	}
	want := map[string]float64{"Leave is granted by the manager.": 0.5, "It ends in March.": 0.5, "A | 18": 0.4, "Stored as text.": -1}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
