package scroll_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract/scroll"
)

func TestGridFilledOutIsBounded(t *testing.T) {
	rows := make([][]scroll.Cell, 2000)
	for i := range rows {
		rows[i] = []scroll.Cell{{Text: "a"}}
	}
	rows[0] = []scroll.Cell{{Text: "a", Columns: 250}, {Text: "b", Columns: 250}, {Text: "c", Columns: 250}}
	if _, err := scroll.Grid(rows); !errors.Is(err, scroll.ErrTooManyCells) {
		t.Errorf("2,749 cells of which each row is made as wide as 750: error %v", err)
	}
	if _, err := scroll.Grid(rows[:1000]); err != nil {
		t.Errorf("750,000 cells: %v", err)
	}
}

func TestGrid(t *testing.T) {
	cases := map[string]struct {
		reason string
		rows   [][]scroll.Cell
		want   [][]string
	}{
		"Plain":   {"cell by cell", [][]scroll.Cell{{{Text: "a"}, {Text: "b"}}}, [][]string{{"a", "b"}}},
		"Columns": {"the further columns of a span are empty", [][]scroll.Cell{{{Text: "a", Columns: 2}, {Text: "b"}}}, [][]string{{"a", "", "b"}}},
		"Rows": {"a label stands in every row that it covers",
			[][]scroll.Cell{{{Text: "Mill", Rows: 2}, {Text: "1"}}, {{Text: "2"}}}, [][]string{{"Mill", "1"}, {"Mill", "2"}}},
		"Amount": {"an amount stands once, or a sum would count it twice",
			[][]scroll.Cell{{{Text: "₹ 1,200.00", Rows: 2}, {Text: "1"}}, {{Text: "2"}}}, [][]string{{"₹ 1,200.00", "1"}, {"", "2"}}},
		"Both": {"cells go around what spans in from above",
			[][]scroll.Cell{{{Text: "a"}, {Text: "b", Columns: 2, Rows: 2}}, {{Text: "c"}, {Text: "d"}}}, [][]string{{"a", "b", ""}, {"c", "b", "", "d"}}},
		"Overhang": {"a span past the last row ends with it", [][]scroll.Cell{{{Text: "a", Rows: 9}}}, [][]string{{"a"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := scroll.Grid(c.rows)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestGridIsBounded(t *testing.T) {
	rows := make([][]scroll.Cell, 4000)
	for i := range rows {
		rows[i] = []scroll.Cell{{Text: "x", Columns: 100_000, Rows: 100_000}}
	}
	if _, err := scroll.Grid(rows); !errors.Is(err, scroll.ErrTooManyCells) {
		t.Errorf("error %v: a few bytes of spans may not claim memory without bound", err)
	}
}

func TestHeader(t *testing.T) {
	cases := map[string]struct {
		reason string
		rows   [][]string
		header int
		want   int
	}{
		"Marked":   {"as the markup says", [][]string{{"1", "2"}, {"3", "4"}}, 1, 1},
		"Names":    {"words over numbers name them", [][]string{{"Name", "Gross"}, {"A", "12"}}, -1, 1},
		"Numbers":  {"numbers don't", [][]string{{"2024", "2025"}, {"1", "2"}}, -1, 0},
		"Words":    {"words over words may be a row like any other", [][]string{{"Name", "Place"}, {"A", "B"}}, -1, 0},
		"Gap":      {"a name is missing", [][]string{{"Name", ""}, {"A", "12"}}, -1, 0},
		"OneRow":   {"there is nothing to name", [][]string{{"Name", "Gross"}}, -1, 0},
		"TooLarge": {"a header is no larger than its table", [][]string{{"Name", "Gross"}}, 7, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := &scroll.Scroll{}
			s.Table(c.rows, c.header)
			doc, _ := s.Document("")
			if got := doc.Pages[0].Blocks[0].Table.Header; got != c.want {
				t.Errorf("%s: %d header rows, want %d", c.reason, got, c.want)
			}
		})
	}
}
