package layout

import (
	"math"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const (
	edgeDrift     = 3.0 // points by which column edges may differ between the pages of one table
	keyedRows     = 3   // rows that tell that each has a key
	columnOverlap = 0.5 // of the narrower of two unruled columns for them to be one
)

// Continues reports whether next, the first table of a page, goes on with t,
// the last of the page before, and returns its rows in t's columns: a repeated
// header is left out, cut is true when the first row belongs to t's last one.
// between is true when lines stand between the two; then only a repeated
// header proves that they are one table.
func (t *Table) Continues(next *Table, between bool) (rows []Row, cut, ok bool) {
	rows, repeated, ok := t.further(next, between)
	if !ok || len(rows) == 0 {
		return rows, false, ok
	}
	if t.Tag != "" && t.Tag == next.Tag {
		last := t.Rows[len(t.Rows)-1]
		cut = last.tag != "" && last.tag == rows[0].tag
		t.carryTagged(next, rows, cut)
		return rows, cut, true
	}
	t.carry(rows)
	return rows, (repeated == 0 || t.keyed()) && t.cutOff(&rows[0]), true
}

// further returns the rows of next in t's columns but for the names that it
// repeats, and how many of those it does.
func (t *Table) further(next *Table, between bool) (rows []Row, repeated int, ok bool) {
	rows, fits := t.align(next)
	if !fits {
		return nil, 0, false
	}
	for repeated < t.Header && repeated < len(rows) && sameText(&t.Rows[repeated], &rows[repeated]) {
		repeated++
	}
	switch {
	case repeated > 0 && (repeated == t.Header || rows[0].filled() == t.Columns()):
		t.repeats = true
		return rows[repeated:], repeated, true
	case t.Tag != "" && t.Tag == next.Tag:
		return rows[repeated:], repeated, true
	case between || next.Header > 0 && !t.restNamed(next, rows):
		return nil, 0, false // another table with its own names
	case t.repeats && next.Columns() < t.Columns():
		return nil, 0, false // the names of its columns would stand here too
	}
	return rows, repeated, true
}

// restNamed reports whether what looks like the names of next's columns is the
// rest of the last row: where rows are shaded in turn it looks like them.
func (t *Table) restNamed(next *Table, rows []Row) bool {
	return next.Header == 1 && !next.named && !rows[0].bold() && t.keyed() && t.cutOff(&rows[0])
}

// align lays the rows of next out in t's columns, if they fit.
func (t *Table) align(next *Table) ([]Row, bool) {
	if sameEdges(t.Edges, next.Edges) || t.sameHeader(next) || t.Tag != "" && t.Tag == next.Tag && t.Columns() == next.Columns() {
		return next.Rows, true
	}
	if next.shifted = t.moved(next); next.shifted {
		return next.Rows, true
	}
	if t.Ruled && next.Ruled && !t.sought && !next.sought && t.Columns() == next.Columns() {
		return nil, false
	}
	to, ok := match(t.extents(), next.extents())
	if !ok {
		return nil, false
	}
	for j, k := range to {
		if t.kind(k)*next.kind(j) < 0 {
			return nil, false
		}
	}
	rows := make([]Row, len(next.Rows))
	for i := range next.Rows {
		row := Row{Box: next.Rows[i].Box, Cells: make([]Cell, t.Columns()), tag: next.Rows[i].tag}
		for k := range row.Cells {
			row.Cells[k].Spans = 1
			row.Cells[k].Box = rag.Box{X0: t.Edges[k], Y0: row.Box.Y0, X1: t.Edges[k+1], Y1: row.Box.Y1}
			row.Cells[k].above = i > 0 && t.bareColumn(next, k)
		}
		for k := range next.Rows[i].Cells {
			row.Cells[to[k]] = next.Rows[i].Cells[k]
		}
		rows[i] = row
	}
	return rows, true
}

// sameHeader reports whether next has the same column names at the same places.
// Columns that only text separates have other edges on each page.
func (t *Table) sameHeader(next *Table) bool {
	if !t.sameNames(next) {
		return false
	}
	for i := range t.Header {
		for k := range t.Rows[i].Cells {
			a, b := t.Rows[i].Cells[k], next.Rows[i].Cells[k]
			if a.Text != "" && math.Abs(a.Box.X0-b.Box.X0) > edgeDrift {
				return false
			}
		}
	}
	return true
}

// sameNames reports whether next's columns have the same names, wherever they stand.
func (t *Table) sameNames(next *Table) bool {
	if t.Header == 0 || t.Columns() != next.Columns() || len(next.Rows) < t.Header {
		return false
	}
	for i := range t.Header {
		if !sameText(&t.Rows[i], &next.Rows[i]) {
			return false
		}
	}
	return true
}

// extents are the columns' extents: between rulings, or of their text.
func (t *Table) extents() [][2]float64 {
	out := make([][2]float64, t.Columns())
	for k := range out {
		out[k] = [2]float64{t.Edges[k], t.Edges[k+1]}
		if t.Ruled && !t.sought {
			continue
		}
		var b rag.Box
		for i := range t.Rows {
			if c := &t.Rows[i].Cells[k]; c.Text != "" && c.Spans <= 1 {
				b = b.Union(c.Box)
			}
		}
		if !b.IsZero() {
			out[k] = [2]float64{b.X0, b.X1}
		}
	}
	return out
}

// match maps each column of b to the column of a that it lies over, in order.
func match(a, b [][2]float64) ([]int, bool) {
	if len(b) > len(a) || len(b) < 2 {
		return nil, false
	}
	to := make([]int, len(b))
	next := 0
	for j, q := range b {
		best, most := -1, 0.0
		for k, p := range a {
			over := math.Min(p[1], q[1]) - math.Max(p[0], q[0])
			if over > most {
				best, most = k, over
			}
		}
		if best < next {
			return nil, false
		}
		if narrow := math.Min(a[best][1]-a[best][0], q[1]-q[0]); most < columnOverlap*narrow {
			return nil, false
		}
		to[j], next = best, best+1
	}
	return to, true
}

// Adopt lays a line of the next page out as a row of the table, if it fits: a
// single row on a page does not look like a table there.
func (t *Table) Adopt(l *Line) (Row, bool) {
	if l.Turn != Rightward {
		return Row{}, false
	}
	r := newTextRow(l)
	if len(r.fragments) < 2 {
		return Row{}, false
	}
	row, ok := t.fit(&r)
	if ok && l.Bold && t.Header > 0 && t.Rows[0].bold() && !t.Rows[len(t.Rows)-1].bold() && row.textual() && !t.Repeats(&row) {
		return Row{}, false // names of other columns
	}
	return row, ok
}

// trimmedRows are enough of a long table to say where its columns stand.
const trimmedRows = 100

// Trim forgets rows of a table that goes on over many pages: its names and its
// latest rows are what the next page is compared with.
func (t *Table) Trim() {
	if len(t.Rows) <= t.Header+2*trimmedRows {
		return
	}
	kept := append([]Row(nil), t.Rows[:t.Header]...)
	t.Rows = append(kept, t.Rows[len(t.Rows)-trimmedRows:]...)
}

// Repeats reports whether a row says the same as one of the table's header rows.
func (t *Table) Repeats(row *Row) bool {
	for i := range t.Header {
		if sameText(&t.Rows[i], row) {
			return true
		}
	}
	return false
}

func sameEdges(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > edgeDrift {
			return false
		}
	}
	return true
}

func sameText(a, b *Row) bool {
	for k := range a.Cells {
		if !strings.EqualFold(a.Cells[k].Text, b.Cells[k].Text) {
			return false
		}
	}
	return true
}

// cutOff reports whether a page's first row is the rest of the last row of the
// page before: no key, no numbers, and text only where that row has text.
func (t *Table) cutOff(row *Row) bool {
	if len(t.Rows) <= t.Header || row.Cells[0].Text != "" {
		return false
	}
	last := &t.Rows[len(t.Rows)-1]
	for k := range row.Cells {
		if s := row.Cells[k].Text; s != "" && (numeric(s) || last.Cells[k].Text == "") {
			return false
		}
	}
	return row.filled() < last.filled()
}

// keyed reports whether every row has text in the first column: a further one
// without is no row.
func (t *Table) keyed() bool {
	for i := t.Header; i < len(t.Rows); i++ {
		if t.Rows[i].Cells[0].Text == "" {
			return false
		}
	}
	return len(t.Rows)-t.Header >= keyedRows
}

// Rest appends a row that the page's end cut off to the row it belongs to.
func (r *Row) Rest(rest *Row) {
	for k := range rest.Cells {
		if rest.Cells[k].Text == "" {
			continue
		}
		r.Cells[k].Text = flow(r.Cells[k].Text + "\n" + rest.Cells[k].Text)
	}
}
