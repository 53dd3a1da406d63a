package layout

import (
	"math"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// What makes a grid of rulings a table.
const (
	strictEdges  = 3 // a table of strong rulings alone has two columns and two rows …
	strictCells  = 6 // … and at least six cells; less may be completed by shading
	tableCells   = 3 // cells with text
	frameHeight  = 3 // ems; a box this high may frame a table whose columns are not ruled
	pageFrame    = 0.5
	pageFrameAll = 0.75 // a grid over half the page with this much of its text in one cell is the page's frame
	cutWords     = 0.2  // of the words cut by borders: a drawing, or boxes over a line of text
	nearTable    = 3    // points around a ruled table in which shading borders are its own
)

// frame is a ruled box whose columns are not ruled; ys are its horizontal rulings.
type frame struct {
	box rag.Box
	ys  []float64
}

// lattice finds ruled tables, and the frames that ruled boxes give. Strong
// rulings come first; borders of shaded areas count only outside what those found.
func (f *finder) lattice() (out []*Table, frames []frame) {
	var strong, rest []Ruling
	for _, r := range f.rulings {
		if !r.Weak {
			strong = append(strong, r)
		}
	}
	if len(strong) != len(f.rulings) {
		out, _ = f.grids(strong, true)
	}
	for _, r := range f.rulings {
		x, y := r.mid()
		own := false
		for _, t := range out {
			own = own || x > t.Box.X0-nearTable && x < t.Box.X1+nearTable && y > t.Box.Y0-nearTable && y < t.Box.Y1+nearTable
		}
		if !own {
			rest = append(rest, r)
		}
	}
	more, frames := f.grids(append(rest, f.bandSides()...), false)
	return append(out, more...), frames
}

func (f *finder) grids(rulings []Ruling, strict bool) (out []*Table, frames []frame) {
	ms, ok := meshes(mergeRulings(rulings, false), mergeRulings(rulings, true))
	if !ok {
		f.crowded = true
		return nil, nil
	}
	for _, m := range ms {
		g := newGrid(m)
		if g == nil || strict && (len(g.xs) < strictEdges || len(g.ys) < strictEdges || len(g.cells) < strictCells) {
			continue
		}
		if extra := f.unruledColumns(g); len(extra) > 0 {
			m.down = append(m.down, extra...)
			if finer := newGrid(m); finer != nil {
				finer.sought = true
				g = finer
			}
		}
		switch total := g.fill(f.gs, f.taken); {
		case total == 0:
		case !f.tabular(g):
			if g.ys[len(g.ys)-1]-g.ys[0] > frameHeight*f.em {
				frames = append(frames, frame{box: g.box(), ys: g.ys})
			}
		case f.framesPage(g, total):
		case float64(g.cut) > cutWords*float64(g.words):
			f.bar(g)
		case m.shaded() && f.marked(g):
		default:
			out = append(out, f.ruledTable(g))
		}
	}
	return out, frames
}

// tabular reports whether enough cells hold text for the grid to be a table.
func (f *finder) tabular(g *grid) bool {
	rows, cols := map[int]bool{}, map[int]bool{}
	cells := 0
	for k := range g.cells {
		if f.inked(g.cells[k].glyphs) > 0 {
			cells++
			rows[g.cells[k].row] = true
			cols[g.cells[k].col] = true
		}
	}
	return g.columns() >= 2 && len(cols) >= 2 && cells >= tableCells
}

// framesPage reports whether the grid is a border around the page's text.
func (f *finder) framesPage(g *grid, total int) bool {
	b := g.box()
	if (b.X1-b.X0)*(b.Y1-b.Y0) <= pageFrame*f.width*f.height {
		return false
	}
	most := 0
	for k := range g.cells {
		most = max(most, f.inked(g.cells[k].glyphs))
	}
	return float64(most) > pageFrameAll*float64(total)
}

// bar keeps the words of a drawing from being looked at as columns.
func (f *finder) bar(g *grid) {
	for k := range g.cells {
		for _, i := range g.cells[k].glyphs {
			f.taken[i] = true
			f.barred = append(f.barred, i)
		}
	}
	f.stale = true
}

func (f *finder) inked(idx []int) int {
	n := 0
	for _, i := range idx {
		if !f.gs[i].blank() {
			n++
		}
	}
	return n
}

// ruledTable turns a filled grid into a table.
func (f *finder) ruledTable(g *grid) *Table {
	var cells []gridCell
	for _, c := range g.cells {
		parts := f.splitSpan(g, c)
		if parts == nil {
			c.text = f.gs.cellText(c.glyphs)
			parts = []gridCell{c}
		}
		for _, part := range parts {
			if rows := f.splitRows(g, part); rows != nil {
				cells = append(cells, rows...)
				continue
			}
			cells = append(cells, part)
		}
	}
	cells, nr := f.splitTall(g, cells)
	t := &Table{Ruled: true, Edges: g.xs, sought: g.sought}
	t.place(cells, nr, g.columns())
	for k := range g.cells {
		f.take(t, g.cells[k].glyphs)
	}
	t.Box = g.box()
	f.extend(t)
	t.compact()
	return t
}

// place lays cells out as rows, leaving out rows without any text.
func (t *Table) place(cells []gridCell, nr, nc int) {
	all := make([]Row, nr)
	for r := range all {
		all[r].Cells = make([]Cell, nc)
	}
	for i := range cells {
		c := &cells[i]
		for k := c.col; k < c.col+c.columns; k++ {
			all[c.row].Cells[k].Box = c.box
			for r := c.row + 1; r < min(c.row+c.rows, nr); r++ {
				all[r].Cells[k].above = true
			}
		}
		d := &all[c.row].Cells[c.col]
		d.Spans = c.columns
		if c.text != "" {
			d.append(&Cell{Text: c.text, glyphs: c.glyphs})
			d.Box = c.box
		}
	}
	whole := make([]bool, nc)
	for k := range whole {
		whole[k] = true
	}
	for _, row := range all {
		if row.filled() > 0 {
			t.Rows = append(t.Rows, row.only(whole))
		}
	}
}

// compact leaves out the columns without any text.
func (t *Table) compact() {
	keep := make([]bool, t.Columns())
	empty := len(keep)
	for i := range t.Rows {
		for k := range t.Rows[i].Cells {
			if t.Rows[i].Cells[k].Text != "" && !keep[k] {
				keep[k] = true
				empty--
			}
		}
	}
	if empty == 0 {
		return
	}
	for k := range keep {
		if !keep[k] && len(t.Rows) > 0 && reach(t.Rows, k) == len(t.Rows) {
			t.bare = append(t.bare, extent{t.Edges[k], t.Edges[k+1]})
		}
	}
	for i := range t.Rows {
		bottom := t.Rows[i].Box.Y1
		t.Rows[i] = t.Rows[i].only(keep)
		t.Rows[i].Box.Y1 = bottom
	}
	var edges []float64
	last := 0
	for k, kept := range keep {
		if kept {
			edges = append(edges, t.Edges[k])
			last = k
		}
	}
	t.Edges = append(edges, t.Edges[last+1])
}

// only returns the row with the columns to keep. It is as high as its lowest
// cell: a cell may reach into the rows below.
func (r *Row) only(keep []bool) Row {
	var out Row
	bottom := math.Inf(1)
	for k := range r.Cells {
		c := r.Cells[k]
		if !c.Box.IsZero() {
			out.Box = out.Box.Union(c.Box)
			bottom = math.Min(bottom, c.Box.Y1)
		}
		if !keep[k] {
			continue
		}
		for j, n := k, c.Spans; j < k+n; j++ {
			if !keep[j] {
				c.Spans--
			}
		}
		out.Cells = append(out.Cells, c)
	}
	out.Box.Y1 = bottom
	return out
}
