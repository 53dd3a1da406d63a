package layout

import (
	"math"
	"sort"
)

// Vertical CJK writing is upright glyphs of one text object, each below the last.
const (
	stackDrift  = 0.6 // em; sideways step between stacked glyphs at most
	stackNear   = 0.4 // em; downward step at least …
	stackFar    = 2.0 // … and at most
	stackShare  = 0.8 // of the steps in an object
	columnDrift = 0.5 // em; runs of one column start within this x
	alignDrift  = 0.1 // em; as stackDrift, for glyphs that are objects of their own …
	alignFar    = 1.4 // … and as stackFar: nearer than lines of one glyph each …
	alignLeast  = 3   // … of which so many make a column
)

// stacked marks the glyphs of vertically written CJK objects.
func stacked(gs glyphs) {
	for _, run := range gs.objects(gs.pick(Rightward, nil)) {
		steps, cjk := 0, false
		for k := 1; k < len(run); k++ {
			a, b := &gs[run[k-1]], &gs[run[k]]
			down := b.Y - a.Y
			if math.Abs(b.X-a.X) < stackDrift*b.Size && down > stackNear*b.Size && down < stackFar*b.Size {
				steps++
			}
			cjk = cjk || isCJK(b.Rune)
		}
		if len(run) < 2 || !cjk || float64(steps) < stackShare*float64(len(run)-1) {
			continue
		}
		for _, i := range run {
			gs[i].Turn = Stacked
		}
	}
	idx := gs.pick(Rightward, nil)
	for start, k := 0, 1; k <= len(idx); k++ {
		if k < len(idx) && gs[idx[k]].under(&gs[idx[k-1]]) {
			continue
		}
		if k-start >= alignLeast {
			for _, i := range idx[start:k] {
				gs[i].Turn = Stacked
			}
		}
		start = k
	}
}

// under reports whether two Chinese or Japanese glyphs stand one right under the other.
func (g *Glyph) under(a *Glyph) bool {
	down := g.Y - a.Y
	return isCJK(g.Rune) && isCJK(a.Rune) && math.Abs(g.X-a.X) < alignDrift*g.Size && down > stackNear*g.Size && down < alignFar*g.Size
}

// stacks splits vertical writing, in the file's order, into runs of which each
// glyph stands below the last.
func (gs glyphs) stacks(idx []int) [][]int {
	var out [][]int
	for k, i := range idx {
		if k > 0 {
			a, b := &gs[idx[k-1]], &gs[i]
			if down := b.Y - a.Y; math.Abs(b.X-a.X) < stackDrift*b.Size && down > 0 && down < stackFar*b.Size {
				out[len(out)-1] = append(out[len(out)-1], i)
				continue
			}
		}
		out = append(out, []int{i})
	}
	return out
}

// objects splits indexes into runs of the same text object.
func (gs glyphs) objects(idx []int) [][]int {
	var out [][]int
	for i := 0; i < len(idx); {
		j := i + 1
		for j < len(idx) && gs[idx[j]].Object == gs[idx[i]].Object {
			j++
		}
		out = append(out, idx[i:j])
		i = j
	}
	return out
}

// columns orders runs of vertical writing: tiers from top to bottom, each from
// right to left, then downward.
func (gs glyphs) columns(runs [][]int) [][]int {
	sort.SliceStable(runs, func(a, b int) bool { return gs[runs[a][0]].Y < gs[runs[b][0]].Y })
	bottom := math.Inf(-1)
	start := 0
	for k := 0; k <= len(runs); k++ {
		if k < len(runs) {
			first, last := &gs[runs[k][0]], &gs[runs[k][len(runs[k])-1]]
			over := first.Y-first.Size < bottom
			bottom = math.Max(bottom, last.Y)
			if over || k == 0 {
				continue
			}
		}
		tier := runs[start:k]
		sort.SliceStable(tier, func(a, b int) bool {
			p, q := &gs[tier[a][0]], &gs[tier[b][0]]
			if math.Abs(p.X-q.X) > columnDrift*math.Max(p.Size, q.Size) {
				return p.X > q.X
			}
			return p.Y < q.Y
		})
		start = k
	}
	return runs
}

// column is a run of vertical writing as a line of one word.
func (gs glyphs) column(run []int) Line {
	w := Word{Box: gs[run[0]].Box, Base: gs[run[0]].Y, Size: gs[run[0]].Size, glyphs: run}
	for _, i := range run {
		w.Text += gs[i].Text
		w.Box = w.Box.Union(gs[i].Box)
	}
	l := Line{Words: []Word{w}, Turn: Stacked}
	l.finish()
	return l
}
