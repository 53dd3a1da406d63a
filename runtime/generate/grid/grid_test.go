package grid_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

func prompt(hits ...rag.Hit) rag.PromptContext {
	p := rag.PromptContext{Hits: hits}
	for h := range hits {
		for u := range hits[h].Units {
			p.Handles = append(p.Handles, rag.Handle{Hit: h, Unit: u})
		}
	}
	return p
}

func piece(passage string, page int, header []string, rows ...[]string) rag.Hit {
	h := rag.Hit{Chunk: rag.Chunk{Document: "reg", Passage: passage, Table: true, Header: header}}
	for i, r := range rows {
		h.Units = append(h.Units, rag.Unit{Name: passage + string(rune('a'+i)), Kind: rag.RowUnit, Cells: r, Order: i, Place: rag.Place{Page: page}})
	}
	return h
}

func TestRowsToldApart(t *testing.T) {
	header := []string{"ID", "Name", "Dept", "Gross"}
	cases := map[string]struct {
		reason    string
		hits      []rag.Hit
		keys      []string
		summaries []string
		lost      int
	}{
		"TotalsAndRepeatedHeader": {
			reason: "neither a total nor a header repeated after a page break is a row",
			hits:   []rag.Hit{piece("p1.t1", 1, header, []string{"E1", "A", "Mill", "10"}, header, []string{"E2", "B", "Mill", "20"}, []string{"", "Grand Total", "", "30"})},
			keys:   []string{"E1", "E2"}, summaries: []string{"Grand Total"},
		},
		"KeyedTotalIsData": {
			reason: "a row with an identifier is data, whatever it is called",
			hits:   []rag.Hit{piece("p1.t1", 1, header, []string{"E1", "A", "Mill", "10"}, []string{"E2", "Total Station", "Survey", "20"}, []string{"E3", "C", "Mill", "5"})},
			keys:   []string{"E1", "E2", "E3"},
		},
		"Continuation": {
			reason: "a line with text alone under a keyless cell goes on with the row above",
			hits:   []rag.Hit{piece("p1.t1", 1, header, []string{"E1", "A very", "Mill", "10"}, []string{"", "long name", "", ""}, []string{"E2", "B", "Mill", "20"})},
			keys:   []string{"E1", "E2"},
		},
		"OverPages": {
			reason: "pieces under one header are one table, in printed order whatever their rank",
			hits:   []rag.Hit{piece("p2.t1", 2, header, []string{"E3", "C", "Mill", "30"}), piece("p1.t1", 1, header, []string{"E1", "A", "Mill", "10"}, []string{"E2", "B", "Mill", "20"})},
			keys:   []string{"E1", "E2", "E3"},
		},
		"HeaderAmongRows": {
			reason: "a first line of words over lines of figures is the header",
			hits:   []rag.Hit{piece("p1.t1", 1, nil, header, []string{"E1", "A", "Mill", "10"}, []string{"E2", "B", "Mill", "20"})},
			keys:   []string{"E1", "E2"},
		},
		"LostRows": {
			reason: "what the hit says it lost is known here",
			hits: func() []rag.Hit {
				h := piece("p1.t1", 1, header, []string{"E1", "A", "Mill", "10"})
				h.Lost = 11
				return []rag.Hit{h}
			}(),
			keys: []string{"E1"}, lost: 11,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tables := grid.Tables(prompt(c.hits...))
			if len(tables) != 1 {
				t.Fatalf("%d tables, want 1: %s", len(tables), c.reason)
			}
			tab := tables[0]
			var keys, summaries []string
			for _, r := range tab.Rows {
				keys = append(keys, r.Cell(0))
			}
			for _, s := range tab.Summaries {
				summaries = append(summaries, s.Label)
			}
			if diff := cmp.Diff(c.keys, keys); diff != "" {
				t.Errorf("%s: rows (-want +got):\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.summaries, summaries); diff != "" {
				t.Errorf("%s: totals (-want +got):\n%s", c.reason, diff)
			}
			if tab.Lost != c.lost {
				t.Errorf("%s: lost %d, want %d", c.reason, tab.Lost, c.lost)
			}
		})
	}
}

func TestColumnKinds(t *testing.T) {
	h := piece("p1.t1", 1, []string{"Sl No", "Code", "Name", "Joined", "Share", "Days", "HSN"},
		[]string{"1", "K-1", "A B", "01-04-2020", "50%", "26", "6302"}, []string{"2", "K-2", "C D", "15-04-2021", "25%", "24.5", "6302"})
	want := []grid.Kind{grid.Serial, grid.Codes, grid.Text, grid.Dates, grid.Percent, grid.Amounts, grid.Codes}
	tab := grid.Tables(prompt(h))[0]
	var got []grid.Kind
	for _, c := range tab.Columns {
		got = append(got, c.Kind)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if tab.Key != 1 || tab.Name != 2 {
		t.Errorf("key %d, name %d; want 1 and 2", tab.Key, tab.Name)
	}
}

func TestPartsOfARow(t *testing.T) {
	h := rag.Hit{Chunk: rag.Chunk{Document: "reg", Passage: "p1.t1", Table: true, Header: []string{"ID", "Name", "Gross"}, Units: []rag.Unit{
		{Name: "r1", Kind: rag.RowUnit, Cells: []string{"E1", "A", ""}, Part: 1, Parts: 2},
		{Name: "r1", Kind: rag.RowUnit, Cells: []string{"", "", "10"}, Part: 2, Parts: 2},
		{Name: "r2", Kind: rag.RowUnit, Cells: []string{"E2", "B", ""}, Part: 1, Parts: 2, Order: 1},
	}}}
	tab := grid.Tables(prompt(h))[0]
	if diff := cmp.Diff([]string{"E1", "A", "10"}, tab.Rows[0].Cells); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if len(tab.Rows) != 1 || tab.Lost != 1 {
		t.Errorf("%d rows, lost %d: a row without all of its parts is lost", len(tab.Rows), tab.Lost)
	}
}
