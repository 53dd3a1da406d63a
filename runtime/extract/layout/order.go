package layout

import (
	"math"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Reading order comes from cutting the page recursively at its gutters.
const (
	gutterRows     = 3    // rows of text needed on either side
	gutterBalance  = 0.25 // … and the shorter side has at least this part of the longer
	gutterWords    = 2.2  // words a row on either side: fewer is a table or a list, not columns
	gutterWidth    = 0.7  // ems between the columns
	gutterMargin   = 0.12 // of the width; no gutter is that near the edge
	gutterSlack    = 0.3  // points by which text may reach into the gutter
	columnsWidth   = 80   // points; narrower areas hold one column
	cutFragments   = 6    // fewer fragments are read line by line
	cutDepth       = 8
	sameRowEm      = 0.3 // fragments whose baselines differ by less stand in one row
	centreTieBreak = 0.001
	tableWords     = 3 // a table counts as so many words when gutters are sought
)

// Piece is one item in reading order: exactly one field is set.
type Piece struct {
	Line  *Line
	Table *Table
}

// Box returns where the piece stands, in the frame.
func (p Piece) Box() rag.Box {
	if p.Table != nil {
		return p.Table.Box
	}
	return p.Line.Box
}

func (p Piece) base() float64 {
	if p.Table != nil { // as if its first line stood there
		return p.Table.Box.Y0 + p.Table.em*0.8
	}
	return p.Line.Base
}

func (p Piece) size() float64 {
	if p.Table != nil {
		return p.Table.em
	}
	return p.Line.Size
}

func (p Piece) words() int {
	if p.Table != nil {
		return tableWords
	}
	return len(p.Line.Words)
}

// order returns lines (whole rows of the page) and tables in reading order.
func order(lines []Line, tables []*Table) []Piece {
	var ps []Piece
	for i := range lines {
		for _, f := range lines[i].fragments() {
			ps = append(ps, Piece{Line: &f})
		}
	}
	for _, t := range tables {
		ps = append(ps, Piece{Table: t})
	}
	return cut(ps, 0)
}

// rows groups pieces by baseline, each row from left to right.
func rows(ps []Piece) [][]Piece {
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].base() < ps[j].base() })
	var out [][]Piece
	for _, p := range ps {
		if n := len(out); n > 0 {
			if q := out[n-1][0]; p.base()-q.base() <= sameRowEm*math.Min(p.size(), q.size()) {
				out[n-1] = append(out[n-1], p)
				continue
			}
		}
		out = append(out, []Piece{p})
	}
	for _, r := range out {
		sort.SliceStable(r, func(i, j int) bool { return r[i].Box().X0 < r[j].Box().X0 })
	}
	return out
}

// join puts the fragments of each row back together.
func join(ps []Piece) []Piece {
	var out []Piece
	for _, r := range rows(ps) {
		var l *Line
		for _, p := range r {
			switch {
			case p.Table != nil:
				out = append(out, p)
				l = nil
			case l == nil:
				c := *p.Line
				c.Words = append([]Word(nil), c.Words...)
				l = &c
				out = append(out, Piece{Line: l})
			default:
				base := l.Base
				l.Words = append(l.Words, p.Line.Words...)
				l.finish()
				l.Base = base
			}
		}
	}
	return out
}

// gutter is an x that no text crosses in the rows from first to before last.
type gutter struct {
	x           float64
	first, last int
	score       float64
}

func cut(ps []Piece, depth int) []Piece {
	if len(ps) < cutFragments || depth > cutDepth {
		return join(ps)
	}
	rs := rows(ps)
	box := ps[0].Box()
	for _, p := range ps {
		box = box.Union(p.Box())
	}
	if len(rs) < gutterRows || box.X1-box.X0 < columnsWidth {
		return join(ps)
	}
	g, ok := bestGutter(rs, box)
	if !ok {
		return join(ps)
	}
	var above, left, right, below []Piece
	for i, r := range rs {
		for _, p := range r {
			switch {
			case i < g.first:
				above = append(above, p)
			case i >= g.last:
				below = append(below, p)
			case p.Box().X1 <= g.x+gutterSlack:
				left = append(left, p)
			default:
				right = append(right, p)
			}
		}
	}
	out := cut(above, depth+1)
	out = append(out, cut(left, depth+1)...)
	out = append(out, cut(right, depth+1)...)
	return append(out, cut(below, depth+1)...)
}

// bestGutter finds the x that stays clear for the most rows with text on both sides.
func bestGutter(rs [][]Piece, box rag.Box) (best gutter, ok bool) {
	margin := gutterMargin * (box.X1 - box.X0)
	centre := (box.X0 + box.X1) / 2
	for _, x := range gaps(rs) {
		if x < box.X0+margin || x > box.X1-margin {
			continue
		}
		for i := 0; i < len(rs); {
			g, next := clear(rs, x, i)
			if g.score > 0 {
				g.score -= centreTieBreak * math.Abs(x-centre)
				if !ok || g.score > best.score {
					best, ok = g, true
				}
			}
			i = next
		}
	}
	return best, ok
}

// gaps returns the x positions, to two points, at which a gutter may lie.
func gaps(rs [][]Piece) []float64 {
	var sizes []float64
	for _, r := range rs {
		for _, p := range r {
			sizes = append(sizes, p.size())
		}
	}
	em := median(sizes)
	seen := map[int]bool{}
	for _, r := range rs {
		for i := 1; i < len(r); i++ {
			a, b := r[i-1].Box(), r[i].Box()
			if b.X0-a.X1 > gutterWidth*em {
				seen[int((b.X0-2)/2)] = true
				seen[int((b.X0+a.X1)/4)] = true
			}
		}
	}
	out := make([]float64, 0, len(seen))
	for k := range seen {
		out = append(out, float64(k)*2+1)
	}
	sort.Float64s(out)
	return out
}

// clear follows x down from a row for as long as nothing crosses it, and
// returns the gutter (score 0 if it separates no columns) and the row to go on from.
func clear(rs [][]Piece, x float64, from int) (gutter, int) {
	var left, right, leftWords, rightWords int
	i := from
rows:
	for ; i < len(rs); i++ {
		l, r := 0, 0
		for _, p := range rs[i] {
			b := p.Box()
			switch {
			case b.X1 <= x+gutterSlack:
				l += p.words()
			case b.X0 >= x-gutterSlack:
				r += p.words()
			default:
				break rows
			}
		}
		leftWords, rightWords = leftWords+l, rightWords+r
		if l > 0 {
			left++
		}
		if r > 0 {
			right++
		}
	}
	g := gutter{x: x, first: from, last: i}
	few, many := min(left, right), max(left, right)
	if few >= gutterRows && float64(few) >= gutterBalance*float64(many) &&
		float64(leftWords) >= gutterWords*float64(left) && float64(rightWords) >= gutterWords*float64(right) {
		g.score = float64(few)
	}
	return g, max(i, from+1)
}
