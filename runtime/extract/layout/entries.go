package layout

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// A program that prints a table shows each cell's text by itself, beginning
// (or, for amounts, ending) where its column does. Where such strings stand
// clear of their neighbours in most rows they are entries, even in the row
// whose long name runs into the next column without a space.
const (
	entryRows   = 4   // lines on which strings begin or end at one x
	entryClear  = 0.6 // of them stand off from the string before by more than a word space …
	entryTouch  = 0.7 // … and so many where one that touches it is to be cut off,
	entryGlyphs = 4   // itself an entry of this many glyphs: shorter ones are kerned pieces of words
	entryGrain  = 2.0 // bins per point in which two edges are the same
	entryText   = 32  // glyphs by which two texts are told apart
	sameBase    = 0.5 // points between the baselines of one line

	spaceMost   = 0.4 // ems; no font's space is wider
	spaceGrain  = 50  // bins per em in which two spaces are the same
	spacePlaces = 8   // at which a space stands …
	spaceShare  = 0.6 // … of those of all small gaps

	entryMargin = separatorEm + 0.2 // ems left clear before the next column's beginning
)

// run is one string as the file shows it.
type run struct {
	x0, x1      float64
	base, size  float64
	left, right bool // its left (right) edge is one that several lines share
	first       int  // glyph
	glyphs      int  // visible ones
	text        string
	all         []int
	before      *run // on the same line, nil for its first
}

// gap is the distance, in ems, to the run before, infinite for a line's first.
func (r *run) gap() float64 {
	if r.before == nil {
		return math.Inf(1)
	}
	return (r.x0 - r.before.x1) / math.Max(r.size, 1)
}

// seam is where the run before ends and this one begins. A column of amounts
// beside one of names meets it at the same seam on every line, however narrow.
func (r *run) seam() [2]int {
	return [2]int{int(math.Round(r.before.x1 * entryGrain)), int(math.Round(r.x0 * entryGrain))}
}

// seam counts the lines on which two runs meet at one place.
type seam struct {
	lines  int
	text   string // before it, on the first line
	varied bool   // other texts stand there too
}

// seams are counted by where they are.
type seams map[[2]int]*seam

func (s seams) count(r *run) {
	at := s[r.seam()]
	if at == nil {
		at = &seam{text: r.before.text}
		s[r.seam()] = at
	}
	at.lines++
	at.varied = at.varied || r.before.text != at.text
}

// shared reports whether enough lines have a seam, give or take what a letter's
// foot stands out. The same words over and over meet there too: what stands
// before must vary.
func (s seams) shared(at [2]int) bool {
	var sum seam
	for a := at[0] - 1; a <= at[0]+1; a++ {
		for b := at[1] - 1; b <= at[1]+1; b++ {
			if one := s[[2]int{a, b}]; one != nil {
				sum.varied = sum.varied || one.varied || sum.lines > 0 && sum.text != one.text
				sum.lines, sum.text = sum.lines+one.lines, one.text
			}
		}
	}
	return sum.varied && sum.lines >= entryRows
}

// runsOf are the runs of rightward text, line by line from the left. Each glyph
// learns its run.
func runsOf(gs glyphs) []*run {
	var runs []*run
	for _, idx := range gs.objects(gs.pick(Rightward, nil)) {
		r := &run{x0: math.Inf(1), x1: math.Inf(-1), first: -1, all: idx}
		var text strings.Builder
		text.Grow(min(len(idx), entryText))
		for _, i := range idx {
			g := &gs[i]
			g.run = r
			if g.blank() {
				continue
			}
			if r.first < 0 {
				r.first, r.base, r.size = i, g.Y, g.Size
			}
			r.glyphs++
			if r.glyphs <= entryText {
				text.WriteString(g.Text)
			}
			r.x0, r.x1 = math.Min(r.x0, g.Box.X0), math.Max(r.x1, g.Box.X1)
		}
		r.text = text.String()
		if r.first >= 0 {
			runs = append(runs, r)
		}
	}
	sort.SliceStable(runs, func(i, j int) bool {
		if math.Abs(runs[i].base-runs[j].base) > sameBase {
			return runs[i].base < runs[j].base
		}
		return runs[i].x0 < runs[j].x0
	})
	return joinWords(gs, runs)
}

// wordSpace is the gap, in ems, by which a program that shows each word by
// itself sets them apart: the same gap at many places, 0 where there is none. The
// gap between two columns is at one place, however many lines there are.
func wordSpace(runs []*run) float64 {
	places, total := map[int]map[int]bool{}, 0
	for k := 1; k < len(runs); k++ {
		p, r := runs[k-1], runs[k]
		gap := (r.x0 - p.x1) / math.Max(r.size, 1)
		if math.Abs(p.base-r.base) > sameBase || gap < wordGap || gap > spaceMost {
			continue
		}
		bin, place := int(math.Round(gap*spaceGrain)), int(math.Round(p.x1*entryGrain))
		if places[bin] == nil {
			places[bin] = map[int]bool{}
		}
		if !places[bin][place] {
			places[bin][place] = true
			total++
		}
	}
	best, n := 0, 0
	for bin := range places {
		if sum := len(places[bin-1]) + len(places[bin]) + len(places[bin+1]); sum > n || sum == n && bin < best {
			best, n = bin, sum
		}
	}
	if n < spacePlaces || float64(n) < spaceShare*float64(total) {
		return 0
	}
	return float64(best) / spaceGrain
}

// joinWords makes one run of the words that a program shows one by one.
func joinWords(gs glyphs, runs []*run) []*run {
	space := wordSpace(runs)
	if space == 0 {
		return runs
	}
	var out []*run
	for _, r := range runs {
		if n := len(out); n > 0 {
			p := out[n-1]
			gap := (r.x0 - p.x1) / math.Max(r.size, 1)
			if math.Abs(p.base-r.base) <= sameBase && p.size == r.size && math.Abs(gap-space) <= 1.5/spaceGrain {
				p.x1, p.glyphs, p.all = math.Max(p.x1, r.x1), p.glyphs+r.glyphs, append(p.all[:len(p.all):len(p.all)], r.all...)
				p.text += " " + r.text
				for _, i := range r.all {
					gs[i].run = p
				}
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// enter finds the runs of rightward text, marks the glyphs that begin an entry,
// and returns the x, sorted, at which entries begin on several lines.
func enter(gs glyphs) (stops []float64) {
	runs := runsOf(gs)
	lefts, rights, found := edges{}, edges{}, seams{}
	for k, r := range runs {
		if k > 0 && math.Abs(runs[k-1].base-r.base) <= sameBase {
			r.before = runs[k-1]
		}
		gap := r.gap()
		lefts.count(r.x0, r, gap)
		rights.count(r.x1, r, gap)
		if gap >= wordGap && gap <= fragmentGap {
			found.count(r)
		}
	}
	for _, r := range runs {
		var l, rt float64
		r.left, l = lefts.shared(r.x0)
		r.right, rt = rights.shared(r.x1)
		apart := r.gap() >= wordGap && r.gap() <= fragmentGap
		switch g := &gs[r.first]; {
		case apart:
			g.enters = l >= entryClear || rt >= entryClear || found.shared(r.seam())
		case r.gap() > fragmentGap:
			g.enters = l >= entryClear
		default: // it touches what stands before it
			g.enters = l >= entryTouch && r.before.left && r.before.glyphs >= entryGlyphs
			g.cuts = g.enters
		}
		switch {
		case l >= entryClear, gs[r.first].enters && rt < entryClear:
			stops = append(stops, r.x0)
		case r.right && rt >= entryClear:
			stops = append(stops, rights.furthest(r.x1))
		}
	}
	sort.Float64s(stops)
	return slices.CompactFunc(stops, func(a, b float64) bool { return math.Abs(a-b) <= 1/entryGrain })
}

// edge counts the runs with an edge at one x. The same text over and over may
// be centred: it says nothing about alignment.
type edge struct {
	all, following, clear int
	text                  string  // of the first
	varied                bool    // others differ
	left                  float64 // the least left edge
}

// edges are counted by x.
type edges map[int]*edge

// count notes a run with an edge at x; gap is the distance, in ems, to the one before it on its
// line, infinite for a line's first.
func (e edges) count(x float64, r *run, gap float64) {
	k := int(math.Round(x * entryGrain))
	if e[k] == nil {
		e[k] = &edge{text: r.text, left: r.x0}
	}
	e[k].all++
	e[k].left = min(e[k].left, r.x0)
	e[k].varied = e[k].varied || r.text != e[k].text
	if math.IsInf(gap, 1) {
		return
	}
	e[k].following++
	if gap > fragmentGap {
		e[k].clear++
	}
}

// furthest is the least left edge of the runs that end at x: where their column begins.
func (e edges) furthest(x float64) float64 {
	k, out := int(math.Round(x*entryGrain)), x
	for d := -1; d <= 1; d++ {
		if c := e[k+d]; c != nil {
			out = math.Min(out, c.left)
		}
	}
	return out
}

// shared reports whether enough runs have an edge at x, and which part of those
// behind another run stands clear of it, 0 for too few.
func (e edges) shared(x float64) (shared bool, clear float64) {
	var sum edge
	k := int(math.Round(x * entryGrain))
	for d := -1; d <= 1; d++ {
		if c := e[k+d]; c != nil {
			sum.all, sum.following, sum.clear = sum.all+c.all, sum.following+c.following, sum.clear+c.clear
			sum.varied = sum.varied || c.varied || sum.all > c.all && sum.text != c.text
			sum.text = c.text
		}
	}
	if !sum.varied {
		return false, 0
	}
	if sum.following < entryRows {
		return sum.all >= entryRows, 0
	}
	return true, float64(sum.clear) / float64(sum.following)
}

// sole returns the run that the fragment shows, whole and alone; nil for none.
func (l *Line) sole(gs glyphs) *run {
	r := gs[l.Words[0].glyphs[0]].run
	if r == nil || math.Abs(r.x0-l.Box.X0) > 1/entryGrain || math.Abs(r.x1-l.Box.X1) > 1/entryGrain {
		return nil
	}
	for i := range l.Words {
		for _, g := range l.Words[i].glyphs {
			if gs[g].run != r {
				return nil
			}
		}
	}
	return r
}

// short returns a fragment's box without the part by which an entry reaches
// into the next column: it says nothing about where that column begins. What ends
// where others end reaches over no beginning: it is an amount, wider than some
// that stand above it.
func (f *finder) short(l *Line, em float64) rag.Box {
	b := l.Box
	r := l.sole(f.gs)
	if r == nil || !r.left {
		return b
	}
	from := b.X0 + em
	if r.right {
		from = math.Max(from, b.X1-1/entryGrain)
	}
	k := sort.SearchFloat64s(f.stops, from)
	if k < len(f.stops) && b.X1 > f.stops[k]-entryMargin*em {
		b.X1 = f.stops[k] - entryMargin*em
	}
	return b
}
