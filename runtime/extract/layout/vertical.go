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

// columns orders runs of vertical writing: right to left, then downward.
func (gs glyphs) columns(runs [][]int) [][]int {
	sort.SliceStable(runs, func(a, b int) bool {
		p, q := &gs[runs[a][0]], &gs[runs[b][0]]
		em := columnDrift * math.Max(p.Size, q.Size)
		if math.Abs(p.X-q.X) > em {
			return p.X > q.X
		}
		return p.Y < q.Y
	})
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
