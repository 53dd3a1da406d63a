package layout

import (
	"cmp"
	"math"
	"slices"
	"unicode"
)

// A typewriter's page is a grid of cells, one character each. There a column ends
// at cells that stay blank on all lines, though its gap be one blank and thus no
// wider than that between two words.
const (
	pitchedShare = 0.5  // of a page's glyphs are as wide as each other where it has listings
	pitchedLine  = 0.9  // of a line's glyphs keep to the grid
	pitchedDrift = 0.2  // cells by which one may miss it
	pitchedCells = 1000 // of a line: more is a drawing
	pitchedStep  = 3.2  // ems between two lines of one block
	pitchedPart  = 1.6  // of the usual step parts paragraphs
	pitchedTable = 0.5  // of the lines keep to the seams
)

// gridLine is one line of a block: what stands in its cells.
type gridLine struct {
	glyphs []int // from the left
	cells  []int // of the glyphs
	marks  []mark
	base   float64
	rule   bool // of nothing but dashes
	odd    bool // runs across the seams: a title
}

// mark says what a cell holds.
type mark byte

const (
	blankCell mark = iota
	inkCell
	barCell // a ruling typed between two columns
)

// at returns what stands in a cell.
func (l *gridLine) at(x int) mark {
	if x < 0 || x >= len(l.marks) {
		return blankCell
	}
	return l.marks[x]
}

// first and last are the line's outermost cells with ink.
func (l *gridLine) first() int { return slices.Index(l.marks, inkCell) }

func (l *gridLine) last() int {
	for x := len(l.marks) - 1; x >= 0; x-- {
		if l.marks[x] == inkCell {
			return x
		}
	}
	return -1
}

// typewritten finds the columns of listings in a font of fixed pitch, and marks
// the glyphs that begin an entry of one.
func typewritten(gs glyphs) {
	idx, width := gs.pitched()
	if len(idx) == 0 {
		return
	}
	lines := gs.gridLines(idx, width)
	for i := 0; i < len(lines); {
		j := i + 1
		for j < len(lines) && lines[j].base-lines[j-1].base <= pitchedStep*gs[lines[j].glyphs[0]].Size {
			j++
		}
		gs.listing(lines[i:j])
		i = j
	}
}

// listing marks the columns of a block of lines, or of its paragraphs where the
// block as a whole has none.
func (gs glyphs) listing(lines []gridLine) {
	b := block{gs: gs, lines: lines}
	if b.seams() {
		b.enter()
		return
	}
	var steps []float64
	for i := 1; i < len(lines); i++ {
		steps = append(steps, lines[i].base-lines[i-1].base)
	}
	if len(steps) == 0 {
		return
	}
	usual, from := median(slices.Clone(steps)), 0
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && steps[i-1] <= pitchedPart*usual {
			continue
		}
		if i-from < len(lines) {
			gs.listing(lines[from:i])
		}
		from = i
	}
}

// pitched returns the glyphs as wide as most of the page, and how wide a cell is;
// none where a page's letters are not all as wide.
func (gs glyphs) pitched() (idx []int, width float64) {
	const (
		grain = 20            // bins per point
		most  = 100*grain + 1 // wider glyphs are no text of a listing
	)
	bin := func(g *Glyph) int { return int((g.Box.X1-g.Box.X0)*grain + 0.5) }
	var counts [most + 1]int
	visible, best := 0, 0
	for i := range gs {
		if g := &gs[i]; !g.blank() && g.Turn == Rightward {
			visible++
			if b := bin(g); b > 0 && b < most {
				counts[b]++
			}
		}
	}
	for b, n := range counts {
		if n > counts[best] {
			best = b
		}
	}
	near := func(g *Glyph) bool {
		d := bin(g) - best
		return d >= -1 && d <= 1
	}
	if best == 0 || float64(counts[best-1]+counts[best]+counts[best+1]) < pitchedShare*float64(visible) {
		return nil, 0
	}
	for i := range gs {
		if g := &gs[i]; !g.blank() && g.Turn == Rightward && near(g) {
			idx = append(idx, i)
		}
	}
	return idx, float64(best) / grain
}

// gridLines lays glyphs out on the grid, line by line; lines that do not keep to it are left out.
func (gs glyphs) gridLines(idx []int, width float64) []gridLine {
	slices.SortStableFunc(idx, func(a, b int) int {
		if math.Abs(gs[a].Y-gs[b].Y) > sameBase {
			return cmp.Compare(gs[a].Y, gs[b].Y)
		}
		return cmp.Compare(gs[a].X, gs[b].X)
	})
	x0, x1 := math.Inf(1), math.Inf(-1)
	step, n := 0.0, 0
	for k, i := range idx {
		x0, x1 = math.Min(x0, gs[i].X), math.Max(x1, gs[i].X)
		if k == 0 {
			continue
		}
		if d := gs[i].X - gs[idx[k-1]].X; math.Abs(d-width) < 0.1*width && math.Abs(gs[i].Y-gs[idx[k-1]].Y) <= sameBase {
			step, n = step+d, n+1
		}
	}
	if n == 0 || (x1-x0)/width > pitchedCells {
		return nil
	}
	width = step / float64(n)
	var out []gridLine
	for i := 0; i < len(idx); {
		j := i + 1
		for j < len(idx) && math.Abs(gs[idx[j]].Y-gs[idx[j-1]].Y) <= sameBase {
			j++
		}
		if l, ok := gs.gridLine(idx[i:j], x0, width); ok {
			out = append(out, l)
		}
		i = j
	}
	return out
}

// gridLine lays one line out; ok is false when its glyphs miss the grid.
func (gs glyphs) gridLine(idx []int, x0, width float64) (l gridLine, ok bool) {
	l.base = gs[idx[0]].Y
	on, longest, run := 0, 0, 0
	l.rule = true
	for _, i := range idx {
		at := (gs[i].X - x0) / width
		k := int(math.Round(at))
		if math.Abs(at-float64(k)) <= pitchedDrift {
			on++
		}
		for len(l.marks) <= k {
			l.marks = append(l.marks, blankCell)
		}
		l.glyphs, l.cells = append(l.glyphs, i), append(l.cells, k)
		switch s := gs[i].Text; {
		case isBar(s):
			l.marks[k], run = barCell, 0
		case ruleRune(gs[i].Rune):
			l.marks[k] = inkCell
			run++
			longest = max(longest, run)
		case s == "+" && l.rule:
			l.marks[k], run = barCell, 0
		default:
			l.marks[k], l.rule = inkCell, false
		}
	}
	if !l.rule {
		for k, i := range l.glyphs {
			if gs[i].Text == "+" {
				l.marks[l.cells[k]] = inkCell
			}
		}
	}
	l.rule = l.rule && longest >= typedDashes
	return l, float64(on) >= pitchedLine*float64(len(idx))
}

// hasDigits reports whether a line has a digit: a row, not names.
func (gs glyphs) hasDigits(l *gridLine) bool {
	return slices.ContainsFunc(l.glyphs, func(i int) bool { return unicode.IsDigit(gs[i].Rune) })
}
