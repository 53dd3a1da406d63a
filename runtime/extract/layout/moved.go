package layout

import "math"

// A table may go on on paper of another size, or beside another margin: its
// columns then stand in the same proportions.
const (
	scaleMost     = 2.0 // times wider or narrower: A4 turned is 1.5 times as wide
	movedDrift    = 0.6 // ems by which a column may miss its place: margins in cells do not grow with them
	kindCells     = 3   // cells that tell what a column holds …
	kindShare     = 0.8 // … where so many of them are alike
	surelyAligned = 2   // columns that tell how much wider the table is
	movedColumns  = 4   // of a table without names: fewer stand in proportion by chance
)

// moved reports whether the columns of next are those of t, in another place
// and width, and hold the same kinds of text.
func (t *Table) moved(next *Table) bool {
	n := t.Columns()
	if n != next.Columns() || t.drawn() != next.drawn() || (n < movedColumns || t.even()) && !t.sameNames(next) {
		return false
	}
	drift := movedDrift * t.em
	if t.drawn() {
		return proportion(t.Edges, next.Edges).holds(t.Edges, next.Edges, drift) && t.sameKinds(next)
	}
	var sure [2][]float64     // where columns stand in both tables
	var either [2][][]float64 // of those that may be aligned on either side
	for k := range n {
		from, side := t.aligned(k)
		to, _ := next.aligned(k)
		switch {
		case from[0] > from[1] || to[0] > to[1]:
			return false
		case side == alignedNowhere:
			either[0], either[1] = append(either[0], from[:]), append(either[1], to[:])
		default:
			sure[0], sure[1] = append(sure[0], from[side-alignedLeft]), append(sure[1], to[side-alignedLeft])
		}
	}
	if len(sure[0]) < surelyAligned {
		return false
	}
	p := proportion(sure[0], sure[1])
	for k := range either[0] {
		a, b := either[0][k], either[1][k]
		if !p.holds(a[:1], b[:1], drift) && !p.holds(a[1:], b[1:], drift) {
			return false
		}
	}
	return p.holds(sure[0], sure[1], drift) && t.sameKinds(next)
}

// How a column's text is aligned, as far as that can be told: texts of one
// width are on both sides.
const (
	alignedNowhere = iota
	alignedLeft
	alignedRight
)

// even reports whether all columns are equally wide: those of any other table are
// in proportion to them.
func (t *Table) even() bool {
	widths := extents(1)[0]
	for k := range t.Columns() {
		w := t.Edges[k+1] - t.Edges[k]
		widths.cover(w, w)
	}
	return t.drawn() && widths.to-widths.from < 2*edgeDrift
}

// drawn reports whether all columns are told by rulings.
func (t *Table) drawn() bool { return t.Ruled && !t.sought && t.Tag == "" }

// aligned is where column k's text begins and ends, and on which side it is aligned.
func (t *Table) aligned(k int) (span [2]float64, side int) {
	left, right := extents(1)[0], extents(1)[0]
	for i := t.Header; i < len(t.Rows); i++ {
		if c := &t.Rows[i].Cells[k]; c.Text != "" && c.Spans <= 1 {
			left.cover(c.Box.X0, c.Box.X0)
			right.cover(c.Box.X1, c.Box.X1)
		}
	}
	switch ragged := left.to - left.from - (right.to - right.from); {
	case ragged < -edgeDrift:
		side = alignedLeft
	case ragged > edgeDrift:
		side = alignedRight
	}
	return [2]float64{left.from, right.to}, side
}

// line maps places of one table to those of another.
type line struct{ scale, shift float64 }

// proportion is the line that leads from a to b, by least squares.
func proportion(a, b []float64) line {
	n := float64(len(a))
	var ma, mb, cross, square float64
	for k := range a {
		ma, mb = ma+a[k]/n, mb+b[k]/n
	}
	for k := range a {
		cross += (a[k] - ma) * (b[k] - mb)
		square += (a[k] - ma) * (a[k] - ma)
	}
	scale := cross / square
	return line{scale, mb - scale*ma}
}

// holds reports whether the line leads from a to b, but for a drift.
func (l line) holds(a, b []float64, drift float64) bool {
	if !(l.scale > 1/scaleMost && l.scale < scaleMost) { // false for no number
		return false
	}
	for k := range a {
		if math.Abs(l.scale*a[k]+l.shift-b[k]) > drift*math.Max(l.scale, 1) {
			return false
		}
	}
	return true
}

// sameKinds reports whether the columns that hold numbers do so in both tables.
func (t *Table) sameKinds(next *Table) bool {
	for k := range t.Columns() {
		if t.kind(k)*next.kind(k) < 0 {
			return false
		}
	}
	return true
}

// kind is positive for a column of amounts, negative for one of words, and 0 where
// its cells are too few or too mixed to tell.
func (t *Table) kind(k int) int {
	n, all := 0, 0
	for i := t.Header; i < len(t.Rows); i++ {
		if s := t.Rows[i].Cells[k].Text; s != "" {
			all++
			if numeric(s) {
				n++
			}
		}
	}
	switch share := float64(n); {
	case all < kindCells:
	case share > kindShare*float64(all):
		return 1
	case share < (1-kindShare)*float64(all):
		return -1
	}
	return 0
}

// Latest is what the page after next is compared with: t, or next where that
// stands in another place, with t's names above these rows of its own.
func (t *Table) Latest(next *Table, rows []Row) *Table {
	if !next.shifted || len(rows) == 0 {
		return t
	}
	next.Rows = append(append([]Row(nil), t.Rows[:t.Header]...), rows...)
	next.Header, next.named, next.RightToLeft, next.Tag = t.Header, t.named, t.RightToLeft, t.Tag
	return next
}
