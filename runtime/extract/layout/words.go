package layout

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Where a word ends, in ems of the larger neighbour.
const (
	wordGap       = 0.10  // .10–.12 found nearly the same words on 1,000 public files; .09 cuts words, .15 loses .002 of token F1, .25 .010
	tightFrom     = -0.02 // a median gap under this brings words closer, too …
	wordGapLeast  = 0.05  // … to this at most
	spacedFrom    = 0.05  // a median gap over this is letter-spacing …
	spacedFactor  = 1.6   // … and the word gap then grows with it
	spacedAdd     = 0.06
	spacedGlyphs  = 8   // gaps needed to speak of a median
	spacedLargest = 0.8 // gaps over this are columns, not letter-spacing
	backStep      = 0.5 // a step back this far starts another word
	noteSize      = 0.8 // a raised digit under this size after a letter is a footnote mark …
	noteRise      = 0.2 // … when raised by this
	blankUnder    = 0.3 // a space that ends this part before its neighbour is drawn under it
)

// Word is a run of glyphs without a gap.
type Word struct {
	Text    string
	Box     rag.Box
	Base    float64 // y of the baseline
	Size    float64
	Bold    bool
	Level   int // of the heading it is part of by the file's tags, 0 for none
	way     way
	enters  bool // begins an entry of a column
	pitched bool // of a listing
	glyphs  []int
}

// words splits the glyphs of one line.
func (gs glyphs) words(idx []int) []Word {
	idx = append([]int(nil), idx...)
	gs.arrange(idx)
	gap, cell := gs.wordGap(idx), gs.cell(idx)
	rtl := gs.rtl(idx)
	const letters = 6 // a word on average, its space included
	out := make([]Word, 0, len(idx)/letters+1)
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, gs.word(idx[start:end:end], rtl))
		}
		start = end
	}
	var prev *Glyph
	for k := 0; k < len(idx); k++ {
		g := &gs[idx[k]]
		if g.blank() || unicode.IsSpace(g.Rune) {
			if prev != nil && (g.backward() || g.Box.X1 <= prev.Box.X1-blankUnder*(prev.Box.X1-prev.Box.X0)) {
				idx = append(idx[:k], idx[k+1:]...)
				k--
				continue
			}
			flush(k)
			start, prev = k+1, nil
			continue
		}
		if prev != nil && breaks(prev, g, gap, cell) {
			flush(k)
		}
		prev = g
	}
	flush(len(idx))
	return out
}

// cell is the width of a line's Chinese or Japanese characters, 0 without any.
func (gs glyphs) cell(idx []int) float64 {
	var widths []float64
	for _, i := range idx {
		if g := &gs[i]; isCJK(g.Rune) && unicode.IsLetter(g.Rune) {
			widths = append(widths, g.Box.X1-g.Box.X0)
		}
	}
	if len(widths) == 0 {
		return 0
	}
	return median(widths)
}

// backward reports whether a glyph moves the pen back: a space that does is kerning.
func (g *Glyph) backward() bool {
	return g.Turn == Rightward && g.Box.X1 <= g.X && g.Box.X0 < g.X-wordGap*g.Size
}

// inked reports whether a glyph's box follows its ink, since the file does not
// tell how wide it is.
func (g *Glyph) inked() bool { return g.Box.X0 != g.X }

// breaks reports whether a word ends between two neighbouring glyphs. Where boxes
// follow the ink, Chinese and Japanese glyphs fill cells of one width, commas and
// stops too.
func breaks(prev, g *Glyph, gap, cell float64) bool {
	em := math.Max(prev.Size, g.Size)
	if isCJK(prev.Rune) && isCJK(g.Rune) && (prev.inked() || g.inked()) {
		end := prev.Box.X1
		if prev.inked() {
			end = math.Max(end, prev.X+cell)
		}
		if math.Min(g.Box.X0, g.X)-end <= gap*em {
			return g.cuts && g.run != prev.run
		}
	}
	switch {
	case g.cuts && g.run != prev.run:
		return true
	case g.Box.X0-prev.Box.X1 > gap*em:
		return !unicode.Is(unicode.Mn, g.Rune)
	case g.Box.X0 < prev.Box.X0-backStep*em:
		return true
	}
	return g.Size <= noteSize*prev.Size && prev.Y-g.Y > noteRise*prev.Size &&
		unicode.IsDigit(g.Rune) && unicode.IsLetter(prev.Rune)
}

// wordGap is the gap, in ems, over which a word ends on this line.
func (gs glyphs) wordGap(idx []int) float64 {
	gaps := make([]float64, 0, len(idx))
	for k := 1; k < len(idx); k++ {
		a, b := &gs[idx[k-1]], &gs[idx[k]]
		if a.blank() || b.blank() || a.Rune == b.Rune && !unicode.IsLetter(a.Rune) && !unicode.IsDigit(a.Rune) {
			continue // dots that lead to a page's number are spaced in their own way
		}
		if g := (b.Box.X0 - a.Box.X1) / math.Max(a.Size, 1); g < spacedLargest {
			gaps = append(gaps, g)
		}
	}
	if len(gaps) < spacedGlyphs {
		return wordGap
	}
	switch m := median(gaps); {
	case m > spacedFrom:
		return math.Max(wordGap, m*spacedFactor+spacedAdd)
	case m < tightFrom:
		return math.Max(wordGap+m, wordGapLeast)
	}
	return wordGap
}

func (gs glyphs) word(idx []int, rtl bool) Word {
	w := Word{Box: gs[idx[0]].Box, Base: gs[idx[0]].Y, enters: gs[idx[0]].enters, pitched: gs[idx[0]].pitched, glyphs: idx}
	bold := 0
	w.Level = gs[idx[0]].Level
	for _, i := range idx {
		g := &gs[i]
		w.Box = w.Box.Union(g.Box)
		if g.Font != nil && g.Font.Bold {
			bold++
		}
		if g.Size > w.Size {
			w.Size, w.Base = g.Size, g.Y
		}
	}
	w.Bold = bold*2 > len(idx)
	w.way = gs.wayOf(idx)
	if rtl || w.way == leftward {
		w.Text = gs.spell(idx, rtl)
		return w
	}
	var b strings.Builder
	b.Grow(len(idx))
	for _, i := range idx {
		b.WriteString(gs[i].Text)
	}
	w.Text = b.String()
	return w
}

// Overprinting: runs printed over each other are kept whole, in content order.
const (
	overprintPart  = 0.35 // of the narrower glyph
	overprintCount = 2    // single overlaps are kerning
	runBack        = -0.3 // em; a run goes on within these gaps
	runAhead       = 0.35
	sameX          = 0.01  // points
	combining      = 0x300 // the first mark of Unicode
)

// mark reports whether a glyph is drawn over or under the one before it. Marks of
// scripts that run leftward are put in order with their letters (see spell).
func (g *Glyph) mark() bool {
	return g.Rune >= combining && unicode.Is(unicode.Mn, g.Rune) && !isRTL(g.Rune)
}

// place is where a glyph stands in its line: a mark may begin before its letter.
func (g *Glyph) place() float64 {
	if g.mark() {
		return (g.Box.X0 + g.Box.X1) / 2
	}
	return g.Box.X0
}

// arrange sorts a line's glyphs left to right, or by runs where it is overprinted.
func (gs glyphs) arrange(idx []int) {
	slices.SortStableFunc(idx, func(a, b int) int {
		x, y := &gs[a], &gs[b]
		p, q := x.place(), y.place()
		if math.Abs(p-q) < sameX {
			return cmp.Compare(x.Order, y.Order)
		}
		return cmp.Compare(p, q)
	})
	over := 0
	for k := 1; k < len(idx); k++ {
		a, b := &gs[idx[k-1]], &gs[idx[k]]
		narrow := math.Min(a.Box.X1-a.Box.X0, b.Box.X1-b.Box.X0)
		if !a.blank() && !b.blank() && !b.mark() && b.Box.X0 < a.Box.X1-overprintPart*narrow && a.Box.X0 != b.Box.X0 {
			over++
		}
	}
	if over >= overprintCount {
		gs.arrangeRuns(idx)
	}
}

func (gs glyphs) arrangeRuns(idx []int) {
	byOrder := append([]int(nil), idx...)
	sort.SliceStable(byOrder, func(a, b int) bool { return gs[byOrder[a]].Order < gs[byOrder[b]].Order })
	var runs [][]int
	for k, i := range byOrder {
		if k > 0 {
			p, g := &gs[byOrder[k-1]], &gs[i]
			gap := (g.Box.X0 - p.Box.X1) / math.Max(g.Size, 0.1)
			if gap > runBack && gap < runAhead && g.Box.X0 >= p.Box.X0 {
				runs[len(runs)-1] = append(runs[len(runs)-1], i)
				continue
			}
		}
		runs = append(runs, []int{i})
	}
	sort.SliceStable(runs, func(a, b int) bool { return gs[runs[a][0]].Box.X0 < gs[runs[b][0]].Box.X0 })
	n := 0
	for _, r := range runs {
		n += copy(idx[n:], r)
	}
}

// median returns the middle value; it sorts its argument.
func median(v []float64) float64 {
	sort.Float64s(v)
	return v[len(v)/2]
}
