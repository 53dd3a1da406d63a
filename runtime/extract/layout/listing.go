package layout

import (
	"slices"
	"unicode"
)

// Where the columns of a listing part.
const (
	seamLines  = 5    // so many lines are blank there: five words in six letters end there by chance once in 7,000 …
	seamSpill  = 0.15 // … and this share of them may not be, titles and totals,
	seamKept   = 0.03 // of those that keep to the other seams, this share
	seamOdd    = 0.34 // of the seams in a line's extent that a title runs across
	seamTight  = 0.9  // of the lines have text at both sides of a blank that may be a date's
	seamTyped  = 0.8  // of the lines say that two words are two values
	seamGlyphs = 4    // which have so many letters each
	seamLeast  = 2    // of them: one alone may be that behind the words that begin the lines of a program
	seamDigits = 0.3  // of the rows, wrapped lines among them, have a digit
	seamNames  = 3    // lines of names at most
)

// block is lines that may be a listing.
type block struct {
	gs    glyphs
	lines []gridLine
	clear []strip
	names []int // lines
}

// strip is a run of cells [from, to) that are blank on all lines; the column at
// its right begins behind cell at.
type strip struct {
	from, to, at int
	barred       bool // a ruling is typed there
	rigid        bool // one blank on every line, as within a date
}

// seams finds the strips that part the block's columns; false when there are none
// or they part too few of its lines.
func (b *block) seams() bool {
	if len(b.lines) < seamLines {
		return false
	}
	spill := seamSpill
	for range 3 {
		b.clear = b.strips(spill)
		if len(b.clear) == 0 {
			return false
		}
		b.vote()
		b.header()
		for i := range b.lines[:b.top()] { // what stands above the names is no row
			b.lines[i].odd = !b.lines[i].rule
		}
		spill = seamKept
	}
	rows, kept := 0, 0
	for i := range b.lines {
		if l := &b.lines[i]; !l.rule {
			rows++
			if !l.odd {
				kept++
			}
		}
	}
	if kept < seamLines || float64(kept) < pitchedTable*float64(rows) {
		return false
	}
	b.choose()
	b.drop()
	return len(b.clear) >= seamLeast && b.counted()
}

// counted reports whether enough lines have a digit: a register's rows do, while
// the key words of a program line up without.
func (b *block) counted() bool {
	rows, digits := 0, 0
	for i := range b.lines {
		if !b.row(i) {
			continue
		}
		rows++
		if b.gs.hasDigits(&b.lines[i]) {
			digits++
		}
	}
	return float64(digits) >= seamDigits*float64(rows)
}

// strips returns the runs of cells that are blank on the lines that have text at
// both sides, but for a share of them.
func (b *block) strips(spill float64) (out []strip) {
	width := 0
	for i := range b.lines {
		width = max(width, len(b.lines[i].marks))
	}
	blank, inked, barred := make([]int, width), make([]int, width), make([]int, width)
	for i := range b.lines {
		l := &b.lines[i]
		if l.rule || l.odd {
			continue
		}
		first, last := l.first(), l.last()
		for x, m := range l.marks {
			switch {
			case m == inkCell:
				inked[x]++
			case x <= first || x >= last:
			case m == barCell:
				barred[x]++
				blank[x]++
			default:
				blank[x]++
			}
		}
	}
	for x := 0; x < width; x++ {
		open := blank[x] >= seamLines && float64(inked[x]) <= spill*float64(blank[x]+inked[x])
		if !open {
			continue
		}
		if n := len(out); n > 0 && out[n-1].to == x {
			out[n-1].to++
		} else {
			out = append(out, strip{from: x, to: x + 1})
		}
		s := &out[len(out)-1]
		s.barred = s.barred || barred[x]*2 > blank[x]
	}
	return out
}

// vote finds the lines that run across the strips: titles, names of groups and totals.
func (b *block) vote() {
	for i := range b.lines {
		l := &b.lines[i]
		first, last := l.first(), l.last()
		crossed, all := 0, 0
		for _, s := range b.clear {
			if s.to <= first || s.from > last {
				continue
			}
			all++
			if !l.blankIn(s) {
				crossed++
			}
		}
		l.odd = !l.rule && float64(crossed) > seamOdd*float64(all)
	}
}

// blankIn reports whether some cell of a strip is blank.
func (l *gridLine) blankIn(s strip) bool {
	for x := s.from; x < s.to; x++ {
		if l.at(x) != inkCell {
			return true
		}
	}
	return false
}

// named reports whether a name stands in the cells [from, to).
func (b *block) named(from, to int) bool {
	for _, i := range b.names {
		for x := from; x < to; x++ {
			if b.lines[i].at(x) == inkCell {
				return true
			}
		}
	}
	return false
}

// choose decides, for each strip, where names beside each other part, and whether
// it is one blank wide on every line. Strips that a name runs across go.
func (b *block) choose() {
	kept := b.clear[:0]
	for _, s := range b.clear {
		var free []int
		for x := s.from; x < s.to; x++ {
			if !b.named(x, x+1) {
				free = append(free, x)
			}
		}
		if len(free) == 0 {
			continue
		}
		left, right := b.aligned(s)
		switch {
		case right && free[len(free)-1] == s.to-1: // the column's left edge
			s.at = s.to - 1
		case left && free[0] == s.from:
			s.at = s.from
		default:
			s.at = b.parting(free, s)
		}
		both, tight := b.tight(s)
		s.rigid = s.to-s.from == 1 && !s.barred && float64(tight) >= seamTight*float64(both)
		kept = append(kept, s)
	}
	b.clear = kept
}

// aligned reports whether most lines have text right before the strip, the right
// edge of a column of amounts, and right behind it, the left edge of one of words.
func (b *block) aligned(s strip) (before, after bool) {
	l, r, n := 0, 0, 0
	for i := range b.lines {
		if line := &b.lines[i]; b.row(i) && line.first() < s.from && line.last() >= s.to {
			n++
			if line.at(s.from-1) == inkCell {
				l++
			}
			if line.at(s.to) == inkCell {
				r++
			}
		}
	}
	return float64(l) >= seamTight*float64(n), float64(r) >= seamTight*float64(n)
}

// parting is the cell of a strip at which two names part: amid their widest gap,
// before a capital letter where there are several, the first of these.
func (b *block) parting(free []int, s strip) int {
	best, most := free[0], -1
	for i := 0; i < len(free); {
		j := i + 1
		for j < len(free) && free[j] == free[j-1]+1 {
			j++
		}
		weight := 2 * (j - i)
		if g := b.nameAt(free[j-1] + 1); g != nil && !unicode.IsLower(g.Rune) {
			weight++
		}
		if weight > most {
			best, most = free[j-1], weight
		}
		i = j
	}
	return best
}

// nameAt returns the glyph of a name in a cell, nil for none.
func (b *block) nameAt(x int) *Glyph {
	for _, i := range b.names {
		l := &b.lines[i]
		if k := slices.Index(l.cells, x); k >= 0 && !l.rule {
			return &b.gs[l.glyphs[k]]
		}
	}
	return nil
}

// row reports whether a line is one of values.
func (b *block) row(i int) bool {
	return !b.lines[i].rule && !b.lines[i].odd && !slices.Contains(b.names, i)
}

// tight counts the rows with text at both sides of a strip, and those where it
// stands right beside it.
func (b *block) tight(s strip) (both, tight int) {
	for i := range b.lines {
		l := &b.lines[i]
		if !b.row(i) || l.first() >= s.from || l.last() < s.to {
			continue
		}
		both++
		if l.at(s.from-1) == inkCell && l.at(s.to) == inkCell {
			tight++
		}
	}
	return both, tight
}

// enter marks the glyphs that begin an entry of a column. On lines of the listing
// nothing else does: how the program showed its words says nothing.
func (b *block) enter() {
	for i := range b.lines {
		l := &b.lines[i]
		if l.odd || l.rule {
			continue
		}
		k := 0
		for j, g := range l.glyphs {
			b.gs[g].run, b.gs[g].enters, b.gs[g].cuts, b.gs[g].pitched = nil, false, false, true
			passed := false
			for k < len(b.clear) && l.cells[j] > b.clear[k].at {
				passed = passed || l.at(b.clear[k].at) != inkCell
				k++
			}
			b.gs[g].enters = passed && j > 0
		}
	}
}
