package layout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// banded is a page of a title, the given lines of names, and rows of which every
// second is shaded.
func banded(names [][]string, rows int) Sheet {
	s := Sheet{Width: 400, Height: 600}
	gs := typed(nil, 40, 40, 14, "Pay Sheet")
	xs := []float64{40, 110, 200, 280}
	set := func(y float64, cells []string) {
		for i, c := range cells {
			if c != "" {
				gs = typed(gs, xs[i], y, 8, c)
			}
		}
	}
	y := 80.0
	for _, n := range names {
		set(y, n)
		y += 10
	}
	y += 8
	for i := range rows {
		set(y, []string{"K-" + string(rune('1'+i)), "Name" + string(rune('a'+i)), "2,100", "1,900"})
		if i%2 == 1 {
			b := rag.Box{X0: 36, Y0: y - 12, X1: 320, Y1: y + 6}
			s.Fills = append(s.Fills, b)
			for _, at := range []float64{b.Y0, b.Y1} {
				s.Rulings = append(s.Rulings, Ruling{At: at, From: b.X0, To: b.X1, Weak: true})
			}
			for _, at := range []float64{b.X0, b.X1} {
				s.Rulings = append(s.Rulings, Ruling{Vertical: true, At: at, From: b.Y0, To: b.Y1, Weak: true})
			}
		}
		y += 18
	}
	s.Glyphs = gs
	return s
}

// TestUnshadedNamesAboveBands keeps the names of a table whose every second row is
// shaded: they stand an unshaded row above the first band.
func TestUnshadedNamesAboveBands(t *testing.T) {
	for name, c := range map[string]struct {
		names [][]string
		want  string
	}{
		"OneLine":  {[][]string{{"Code", "Name", "Basic", "Net"}}, "Code|Name|Basic|Net"},
		"TwoLines": {[][]string{{"Emp", "Full", "Basic", "Net"}, {"Code", "Name", "Pay", "Pay"}}, "Emp Code|Full Name|Basic Pay|Net Pay"},
	} {
		t.Run(name, func(t *testing.T) {
			var tables []*Table
			for _, p := range Prepare(1, banded(c.names, 7)).Analyse().Pieces {
				if p.Table != nil {
					tables = append(tables, p.Table)
				}
			}
			if len(tables) != 1 || tables[0].Header != 1 || len(tables[0].Rows) != 8 {
				t.Fatalf("want one table of a header and seven rows, got %+v", tables)
			}
			var got []string
			for _, cell := range tables[0].Rows[0].Cells {
				got = append(got, cell.Text)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}
