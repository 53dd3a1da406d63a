package layout

import (
	"math"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// finder looks for the tables of one page. Glyphs that a table takes are
// marked, and what is not taken stays prose.
type finder struct {
	gs            glyphs
	gathered      *gathered
	stops         []float64 // x at which entries begin on several lines, sorted
	taken         []bool
	tagged        []Tagged
	barred        []int // glyphs of drawings, taken while tables are sought
	rulings       []Ruling
	across        []Ruling // horizontal rulings, merged
	fills         []rag.Box
	width, height float64
	em            float64 // body size
	crowded       bool    // there were too many rulings to look for grids
	rows          []textRow
	stale         bool // rows must be gathered again
}

// find returns the page's tables from top to bottom.
func (f *finder) find() []*Table {
	f.stale = true
	f.across = mergeRulings(f.rulings, false)
	out := f.named()
	f.barCounts()
	ruled, frames := f.lattice()
	out = append(out, ruled...)
	for i := range frames {
		out = append(out, f.stream(&frames[i])...)
	}
	out = append(out, f.stream(nil)...)
	for i := 0; i < len(out); i++ { // a table may fall in two
		t := out[i]
		t.em = f.em
		t.finish(f.gs)
		f.recogniseHeader(t)
		if second := f.splitAtHeader(t); second != nil {
			out = append(out, second)
		}
	}
	for _, t := range out {
		t.label()
	}
	for _, i := range f.barred {
		f.taken[i] = false
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Box.Y0 < out[j].Box.Y0 })
	return out
}

// take marks glyphs as the table's.
func (f *finder) take(t *Table, idx []int) {
	for _, i := range idx {
		if !f.taken[i] {
			f.taken[i] = true
			t.glyphs = append(t.glyphs, i)
		}
	}
	f.stale = true
}

// textRow is one line of the page with its fragments.
type textRow struct {
	fragments   []Line
	top, bottom float64
	base, size  float64
}

// Extent of a line of text around its baseline, in ems.
const (
	ascent  = 0.75
	descent = 0.22
)

func newTextRow(l *Line) textRow {
	return textRow{
		fragments: l.fragments(), base: l.Base, size: l.Size,
		top: l.Base - ascent*l.Size, bottom: l.Base + descent*l.Size,
	}
}

// glyphs returns the indexes of the row's glyphs.
func (r *textRow) glyphs() []int {
	var out []int
	for i := range r.fragments {
		for k := range r.fragments[i].Words {
			out = append(out, r.fragments[i].Words[k].glyphs...)
		}
	}
	return out
}

// spread reports whether the row is a line of prose whose spaces were stretched
// to its whole width, behind a number and a tab perhaps: words by themselves,
// all equally far apart, which the cells of a row are not.
func (r *textRow) spread() bool {
	return r.equallySpaced(0) || r.equallySpaced(1)
}

func (r *textRow) equallySpaced(first int) bool {
	if len(r.fragments) <= first+justifiedGaps || r.fragments[0].Words[0].pitched {
		return false
	}
	var words []Word
	least, most := math.Inf(1), 0.0
	for i := first; i < len(r.fragments); i++ {
		if words = append(words, r.fragments[i].Words...); i == first {
			continue
		}
		gap := (r.fragments[i].Box.X0 - r.fragments[i-1].Box.X1) / math.Max(r.size, 1)
		least, most = math.Min(least, gap), math.Max(most, gap)
		if len(r.fragments[i].Words) > 1 || most-least > justifiedEm {
			return false
		}
	}
	return wordy(words)
}

func (r *textRow) left() float64  { return r.fragments[0].Box.X0 }
func (r *textRow) right() float64 { return r.fragments[len(r.fragments)-1].Box.X1 }

// free returns the lines of text that no table has taken.
func (f *finder) free() []textRow {
	if f.stale {
		f.rows = rowsOf(f.gathered.lines(f.gs.pick(Rightward, f.taken)))
		f.stale = false
	}
	return f.rows
}

// within returns the free lines of text inside a box.
func (f *finder) within(box rag.Box) []textRow {
	var idx []int
	for _, i := range f.gs.pick(Rightward, f.taken) {
		g := &f.gs[i]
		if inside(rag.Box{X0: g.Box.X0, Y0: g.Y - coreEm*g.Size, X1: g.Box.X1, Y1: g.Y}, box) {
			idx = append(idx, i)
		}
	}
	return rowsOf(f.gs.lines(idx))
}

func rowsOf(lines []Line) []textRow {
	out := make([]textRow, len(lines))
	for i := range lines {
		out[i] = newTextRow(&lines[i])
	}
	return out
}
