package layout

import (
	"math"
	"sort"
)

// extend adds unruled rows that go on in the columns of a ruled table, below
// and above: bands shaded alternately, all rows below shaded names, a header
// without borders.
func (f *finder) extend(t *Table) {
	if t.Columns() < 2 || len(t.Rows) == 0 {
		return
	}
	height := (t.Box.Y1 - t.Box.Y0) / float64(len(t.Rows))
	f.extendDown(t, height)
	rows := f.free()
	for i := len(rows) - 1; i >= 0; i-- {
		r := &rows[i]
		if r.bottom > t.Box.Y0+wordSlack {
			continue
		}
		row, ok := t.fit(r)
		if !ok || t.Box.Y0-r.bottom > math.Max(extendAbove*height, r.size) {
			break
		}
		t.Rows = append([]Row{row}, t.Rows...)
		t.Box.Y0 = r.top
		f.take(t, r.glyphs())
	}
}

// extendDown adds the lines below a table that keep to its columns, wrapped ones
// joined to the rows they belong to.
func (f *finder) extendDown(t *Table, height float64) {
	rows := t.below(f.free(), height)
	if len(rows) == 0 {
		return
	}
	seps := t.Edges[1:t.Columns()]
	lines := f.distribute(rows, seps)
	records := unwrap(lines, t.Columns(), f.em, func(a, b *record) bool { return f.ruleBetween(a, b, t.Box, f.em, nil) })
	used := 0
	for i := range records {
		if r := &records[i]; r.filled >= min(extendCells, t.Columns()) && r.filled*2 >= t.Columns() {
			used = i + 1
		}
	}
	for i := range records[:used] {
		r := &records[i]
		row := Row{Cells: r.cells}
		for k := range row.Cells {
			c := &row.Cells[k]
			c.Spans = max(c.Spans, 1)
			c.Box.X0, c.Box.Y0, c.Box.X1, c.Box.Y1 = t.Edges[k], r.top, t.Edges[k+1], r.bottom
			row.Box = row.Box.Union(c.Box)
			f.take(t, c.glyphs)
		}
		t.Rows = append(t.Rows, row)
		t.Box.Y1 = r.bottom
	}
}

// below returns the lines under a table that stand in its columns, from the
// first to where they stand off or reach over an edge: rows, and wrapped lines
// that leave the first column free.
func (t *Table) below(free []textRow, height float64) []textRow {
	from := sort.Search(len(free), func(i int) bool { return free[i].top >= t.Box.Y1-wordSlack })
	bottom := t.Box.Y1
	to := from
	for ; to < len(free); to++ {
		r := &free[to]
		if r.top-bottom > math.Max(extendBelow*height, r.size) || !t.holds(r) {
			break
		}
		if _, ok := t.fit(r); !ok && (to == from || r.left() < t.Edges[1]-wordSlack) {
			break
		}
		bottom = r.bottom
	}
	return free[from:to]
}

// holds reports whether each word of a line lies in one of the table's columns.
func (t *Table) holds(r *textRow) bool {
	nc := t.Columns()
	if r.left() < t.Edges[0]-outerSlack || r.right() > t.Edges[nc]+outerSlack {
		return false
	}
	for _, fr := range r.fragments {
		k := sort.SearchFloat64s(t.Edges, (fr.Box.X0+fr.Box.X1)/2) - 1
		whole := k >= 0 && k < nc && fr.Box.X0 >= t.Edges[k]-wordSlack && fr.Box.X1 <= t.Edges[k+1]+wordSlack
		if whole {
			continue
		}
		for _, w := range fr.Words {
			k := sort.SearchFloat64s(t.Edges, (w.Box.X0+w.Box.X1)/2) - 1
			if len(r.fragments) == 1 || k < 0 || k >= nc || w.Box.X0 < t.Edges[k]-wordSlack || w.Box.X1 > t.Edges[k+1]+wordSlack {
				return false
			}
		}
	}
	return true
}
