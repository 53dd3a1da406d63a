package layout

import (
	"math"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// A damaged file may name any coordinate; what memory the page takes must not
// depend on it.
func TestCoordinatesOutOfThisWorld(t *testing.T) {
	for name, far := range map[string]float64{"Far": 1e12, "Infinite": math.Inf(1), "NoNumber": math.NaN()} {
		t.Run(name, func(t *testing.T) {
			s := Sheet{Width: 600, Height: 800}
			for row := range 6 {
				y := 100 + 20*float64(row)
				s.Rulings = append(s.Rulings, Ruling{At: y - 15, From: 50, To: far}, Ruling{Vertical: true, At: 50 + 100*float64(row), From: 85, To: 205}, Ruling{Vertical: true, At: far, From: 85, To: far})
				for k, x := range []float64{60, 160, 260, 360} {
					text := string(rune('a' + row + k))
					s.Glyphs = append(s.Glyphs, Glyph{Text: text, Rune: rune(text[0]), X: x, Y: y, Size: 10, Box: rag.Box{X0: x, Y0: y - 8, X1: x + 6, Y1: y + 2}, Object: uint64(row*10 + k), Order: row*10 + k})
				}
			}
			s.Glyphs = append(s.Glyphs, Glyph{Text: "z", Rune: 'z', X: 60, Y: 300, Size: 10, Box: rag.Box{X0: -far, Y0: 290, X1: far, Y1: 302}, Order: 100})
			for _, piece := range Prepare(1, s).Analyse().Pieces {
				if b := piece.Box(); piece.Table != nil && b.X1-b.X0 > 2*s.Width {
					t.Errorf("a table %g points wide on a page of %g", b.X1-b.X0, s.Width)
				}
			}
		})
	}
}

// 5,000 cells that say they cover 1,000 columns each, and a row for each further piece:
// laid out as they say they would need 25 billion units.
func TestSpansOutOfThisWorld(t *testing.T) {
	const rows, cells, span = 5000, 5000, 1000
	table := &Tagged{}
	for r := range rows {
		table.Rows = append(table.Rows, TaggedRow{})
		for range map[bool]int{true: cells, false: 1}[r == 0] {
			table.Put(TaggedCell{Number: 1, Rows: span, Columns: span})
		}
	}
	if g := table.layOut(nil); g != nil {
		t.Errorf("a grid of %d rows and %d columns, want none", g.rows, g.columns)
	}
}
