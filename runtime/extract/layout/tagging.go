package layout

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Tags name the cells of a table, and nobody checks them: they are believed
// where the page bears them out, and else the table is found by its geometry.
const (
	taggedSlack   = 0.5  // ems by which neighbouring rows or columns may overlap
	taggedForeign = 0.02 // of the table's glyphs: as many may stand in it untagged
	taggedGap     = 2    // ems: a line of a cell with a wider gap is a row in one cell …
	taggedWide    = 0.25 // … and with as many of those, the tags miss columns
	taggedLines   = 0.2  // of the rows have text alone and no key: they are the lines that rows wrap over
)

// named returns the tables that the tags name and the page bears out.
func (f *finder) named() (out []*Table) {
	if len(f.tagged) == 0 {
		return nil
	}
	by := map[int][]int{}
	for i := range f.gs {
		if c := f.gs[i].Cell; c > 0 && !f.taken[i] {
			by[c] = append(by[c], i)
		}
	}
	for i := range f.tagged {
		if t := f.namedTable(&f.tagged[i], by); t != nil {
			out = append(out, t)
		}
	}
	return out
}

// namedTable turns a tagged table into a table, nil when the page speaks against it.
func (f *finder) namedTable(tagged *Tagged, by map[int][]int) *Table {
	if tagged.Nests {
		return nil
	}
	g := tagged.layOut(f.inks(tagged, by))
	if g == nil {
		return nil
	}
	g.measure(by)
	if !f.bornOut(g, tagged.Parts) {
		return nil
	}
	t := &Table{Ruled: true, Tag: tagged.Path, over: g.over}
	xs := boundaries(g.across, f.positions(g.box(), true))
	ys := boundaries(g.down, f.positions(g.box(), false))
	cells := make([]gridCell, len(g.cells))
	for i := range g.cells {
		c := g.cells[i].at
		c.box = rag.Box{X0: xs[c.col], Y0: ys[c.row], X1: xs[c.col+c.columns], Y1: ys[c.row+c.rows]}
		c.text = f.gs.cellText(c.glyphs)
		cells[i] = c
	}
	t.Edges = xs
	t.place(cells, g.rows, g.columns)
	for _, c := range cells {
		f.take(t, c.glyphs)
	}
	for i := range t.Rows {
		t.Box = t.Box.Union(t.Rows[i].Box)
	}
	t.names(tagged, g)
	f.joinTagged(t)
	return t
}

// joinTagged joins the rows of a table whose tags call each line a row.
func (f *finder) joinTagged(t *Table) {
	lines := make([]record, len(t.Rows))
	keyless := 0
	for i := range t.Rows {
		row := &t.Rows[i]
		r := record{cells: append([]Cell(nil), row.Cells...), top: row.Box.Y0, bottom: row.Box.Y1, filled: row.filled()}
		for _, c := range row.Cells {
			if c.Spans != 1 || strings.Contains(c.Text, "\n") {
				return
			}
			for _, k := range c.glyphs {
				r.base = max(r.base, f.gs[k].Y)
			}
		}
		if i > t.Header && row.Cells[0].Text == "" && r.textual() { // the first one may be the rest of a row
			keyless++
		}
		lines[i] = r
	}
	if float64(keyless) <= taggedLines*float64(len(lines)) {
		return
	}
	var rows []Row
	for _, r := range unwrap(lines, t.Columns(), f.em, func(a, b *record) bool { return f.ruleBetween(a, b, t.Box, f.em, nil) }) {
		row := Row{Cells: r.cells}
		for _, c := range r.cells {
			row.Box = row.Box.Union(c.Box)
		}
		rows = append(rows, row)
	}
	t.Rows, t.Header, t.named = rows, 0, false
}

// inks are the boxes of the cells' text, by the cells' numbers.
func (f *finder) inks(tagged *Tagged, by map[int][]int) map[int]rag.Box {
	out := map[int]rag.Box{}
	for _, row := range tagged.Rows {
		for _, c := range row.Cells {
			var box rag.Box
			for _, k := range by[c.Number] {
				if !f.gs[k].blank() {
					box = box.Union(band(&f.gs[k]))
				}
			}
			if !box.IsZero() {
				out[c.Number] = box
			}
		}
	}
	return out
}

// names counts the leading rows of header cells, and notes the rows' tags.
func (t *Table) names(tagged *Tagged, g *taggedGrid) {
	inked, header := make([]bool, g.rows), make([]bool, g.rows)
	for i := range header {
		header[i] = true
	}
	for i := range g.cells {
		if c := &g.cells[i]; !c.ink.IsZero() {
			inked[c.at.row] = true
			header[c.at.row] = header[c.at.row] && c.Header
			t.named = t.named || c.Header
		}
	}
	leading, k := true, 0
	for r := range inked {
		if !inked[r] || k == len(t.Rows) {
			continue
		}
		t.Rows[k].tag = tagged.Rows[r].Path
		leading = leading && header[r]
		if leading && t.Header < min(maxHeader, len(t.Rows)-1) {
			t.Header++
		}
		k++
	}
}

// bornOut reports whether rows lie below each other and columns side by side,
// nothing else stands among the cells or goes on with their rows, and no cell is
// a row or the page.
func (f *finder) bornOut(g *taggedGrid, parts bool) bool {
	slack := taggedSlack * f.em
	rows, below := ordered(g.down, slack)
	columns, beside := ordered(g.across, slack)
	if !below || !beside || columns < 2 || rows < 1 || rows < 2 && !parts {
		return false
	}
	return !f.strewn(g) && !f.gapped(g) && !f.fillsPage(g) && !f.torn(g)
}

func (g *taggedGrid) box() (b rag.Box) {
	for i := range g.cells {
		b = b.Union(g.cells[i].ink)
	}
	return b
}

// strewn reports whether text that is in no cell stands among the cells.
func (f *finder) strewn(g *taggedGrid) bool {
	own, all := 0, 0
	box := g.box()
	for i := range g.cells {
		own += f.inked(g.cells[i].at.glyphs)
	}
	for i := range f.gs {
		if !f.taken[i] && !f.gs[i].blank() && inside(band(&f.gs[i]), box) {
			all++
		}
	}
	return float64(all-own) > taggedForeign*float64(own)
}

// gapped reports whether many cells hold lines that are rows of a table themselves.
func (f *finder) gapped(g *taggedGrid) bool {
	wide, cells := 0, 0
	for i := range g.cells {
		c := &g.cells[i]
		if c.ink.IsZero() {
			continue
		}
		cells++
		for _, l := range f.gs.allLines(c.at.glyphs) {
			if l.gap() > taggedGap {
				wide++
				break
			}
		}
	}
	return float64(wide) > taggedWide*float64(cells)
}

// gap is the widest gap between the line's words, in ems.
func (l *Line) gap() float64 {
	most := 0.0
	for i := 1; i < len(l.Words) && l.Turn == Rightward && l.Size > 0; i++ {
		most = max(most, (l.Words[i].Box.X0-l.Words[i-1].Box.X1)/l.Size)
	}
	return most
}

// fillsPage reports whether the table lays the page out: nearly all its text is in one cell.
func (f *finder) fillsPage(g *taggedGrid) bool {
	most, all := 0, 0
	for i := range g.cells {
		n := f.inked(g.cells[i].at.glyphs)
		most, all = max(most, n), all+n
	}
	b := g.box()
	return (b.X1-b.X0)*(b.Y1-b.Y0) > pageFrame*f.width*f.height && float64(most) > pageFrameAll*float64(all)
}

// positions are where rulings cross the table.
func (f *finder) positions(box rag.Box, vertical bool) (out []float64) {
	for _, r := range f.rulings {
		from, to := box.X0, box.X1
		if vertical {
			from, to = box.Y0, box.Y1
		}
		if r.Vertical == vertical && r.To > from && r.From < to {
			out = append(out, r.At)
		}
	}
	return out
}
