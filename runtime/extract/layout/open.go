package layout

import (
	"math"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Borders that are not drawn all round: rows ruled in one column alone, and
// shading that is no cell's.
const (
	openRows   = 4    // rows that only another column rules …
	openFilled = 0.9  // … hold a line each, so many of them
	markSlack  = 1.5  // points between a text marked with colour and the colour's edge
	markShare  = 0.6  // of the shaded areas with text end where it does: they mark words
	maxMarks   = 2000 // shaded areas looked at
)

// splitRows gives the lines of a cell to the rows that it spans, when each of
// them has one: programs that print data rule the names and the index alone.
func (f *finder) splitRows(g *grid, c gridCell) []gridCell {
	if c.rows < openRows || c.columns != 1 {
		return nil
	}
	parts := make([]gridCell, c.rows)
	for k := range parts {
		parts[k] = c
		parts[k].row, parts[k].rows, parts[k].glyphs, parts[k].text = c.row+k, 1, nil, ""
		parts[k].box.Y0, parts[k].box.Y1 = g.ys[c.row+k], g.ys[c.row+k+1]
	}
	filled := 0
	for _, l := range f.gs.allLines(c.glyphs) {
		k := slot(g.ys, l.Base-coreEm*l.Size/2) - c.row
		if l.Turn != Rightward || k < 0 || k >= len(parts) || parts[k].text != "" {
			return nil
		}
		filled++
		parts[k].text = l.Text()
		for _, w := range l.Words {
			parts[k].glyphs = append(parts[k].glyphs, w.glyphs...)
		}
	}
	if float64(filled) < openFilled*float64(c.rows) {
		return nil
	}
	return parts
}

// shaded reports whether nothing but the edges of shaded areas parts the mesh's
// columns. Rulings across may be lines under words.
func (m *mesh) shaded() bool {
	return !slices.ContainsFunc(m.down, func(r Ruling) bool { return !r.Weak })
}

// marked reports whether the grid is the edges of colour laid over words: a
// marker's, which begins and ends with them, where a cell leaves room around.
func (f *finder) marked(g *grid) bool {
	var idx []int
	for k := range g.cells {
		idx = append(idx, g.cells[k].glyphs...)
	}
	box, marks, areas := g.box(), 0, 0
	for i, fill := range f.fills {
		if i == maxMarks {
			break
		}
		if !inside(fill, rag.Box{X0: box.X0 - openSide, Y0: box.Y0 - openSide, X1: box.X1 + openSide, Y1: box.Y1 + openSide}) {
			continue
		}
		x0, x1 := math.Inf(1), math.Inf(-1)
		for _, k := range idx {
			if x, y := core(&f.gs[k]); x > fill.X0 && x < fill.X1 && y > fill.Y0 && y < fill.Y1 {
				x0, x1 = math.Min(x0, f.gs[k].Box.X0), math.Max(x1, f.gs[k].Box.X1)
			}
		}
		if x0 > x1 {
			continue
		}
		areas++
		if x0-fill.X0 < markSlack && fill.X1-x1 < markSlack {
			marks++
		}
	}
	return areas > 0 && float64(marks) >= markShare*float64(areas)
}
