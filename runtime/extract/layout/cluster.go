package layout

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Glyphs are clustered into lines by their baselines.
const (
	baselineGapEm  = 0.1  // next baseline of a cluster: jitter of fonts mixed in a line
	baselineGapMin = 0.4  // points; jitter of rounding
	baselineSpanEm = 0.3  // a cluster's baselines in all
	offsetEm       = 0.3  // two clusters this close are one line unless they overlap in x
	scriptSize     = 0.84 // super- and subscripts are smaller than this part of their base; browsers make them 5/6 of it …
	scriptTouchEm  = 0.35 // … touch it within this …
	scriptCover    = 0.5  // … and stand beside it by at least half their height
	scriptReachEm  = 0.75 // no script's baseline is further away
	overlapPart    = 0.3  // glyphs that overlap more than this of the narrower are not side by side
	lookAhead      = 3    // clusters after the next that may still belong to the line
)

// cluster is a set of glyphs that share a baseline.
type cluster struct {
	glyphs    []int
	base      float64
	size      float64 // of its largest visible glyph
	low, high float64 // baselines
	inked     int     // glyphs that are no spaces
}

// clusters groups glyphs by baseline, top to bottom.
func (gs glyphs) clusters(idx []int) []*cluster {
	sorted := append([]int(nil), idx...)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(gs[a].Y, gs[b].Y) })
	var all, joined []*cluster
	var c *cluster
	first := 0 // of c
	for k, i := range sorted {
		g := &gs[i]
		if c == nil || g.Y-c.high > math.Max(baselineGapMin, baselineGapEm*math.Min(g.Size, c.size)) ||
			g.Y-c.low > baselineSpanEm*math.Max(g.Size, c.size) {
			c, first = &cluster{low: g.Y, size: g.Size}, k
			all = append(all, c)
		}
		c.glyphs = sorted[first : k+1 : k+1] // its glyphs stand together: what is joined later is copied
		c.high = g.Y
		if !g.blank() {
			if c.inked == 0 || g.Size > c.size {
				c.size = g.Size
			}
			c.inked++
		}
	}
	for _, c := range all {
		c.base = gs[c.glyphs[len(c.glyphs)/2]].Y
	}
	for _, c := range all {
		joined = append(joined, c)
		for gs.settle(&joined) {
		}
	}
	return joined
}

// settle joins one pair among the last few clusters, if any belong together.
func (gs glyphs) settle(list *[]*cluster) bool {
	cs := *list
	for a := max(0, len(cs)-1-lookAhead); a < len(cs)-1; a++ {
		for b := a + 1; b < len(cs); b++ {
			big, small := cs[a], cs[b]
			if small.size > big.size {
				big, small = small, big
			}
			if math.Abs(big.base-small.base) > scriptReachEm*big.size {
				break
			}
			if !gs.belongs(big, small) {
				continue
			}
			big.glyphs = append(big.glyphs, small.glyphs...)
			big.inked += small.inked
			cs[a] = big
			*list = append(cs[:b], cs[b+1:]...)
			return true
		}
	}
	return false
}

// belongs reports whether two clusters are one line: slightly offset
// baselines, or a super- or subscript at its base.
func (gs glyphs) belongs(big, small *cluster) bool {
	offset := math.Abs(big.base - small.base)
	if offset <= offsetEm*small.size {
		return !gs.spans(big).overlaps(gs, small.glyphs)
	}
	if small.size > scriptSize*big.size || len(small.glyphs) > len(big.glyphs) {
		return false
	}
	// the core of letters: from .7 (.8 for the base's ascenders) em above the baseline
	top, bottom := small.base-0.7*small.size, small.base
	cover := math.Min(bottom, big.base+0.15*big.size) - math.Max(top, big.base-0.8*big.size)
	if cover <= scriptCover*(bottom-top) {
		return false
	}
	s := gs.spans(big)
	return s.touches(gs, small.glyphs, scriptTouchEm*big.size) && !s.overlaps(gs, small.glyphs)
}

// spans are the x extents of a cluster's visible glyphs, sorted by their left
// edge; reach is the furthest right edge so far.
type spans struct{ left, right, reach []float64 }

func (gs glyphs) spans(c *cluster) spans {
	idx := make([]int, 0, len(c.glyphs))
	for _, i := range c.glyphs {
		if !gs[i].blank() {
			idx = append(idx, i)
		}
	}
	slices.SortStableFunc(idx, func(a, b int) int { return cmp.Compare(gs[a].Box.X0, gs[b].Box.X0) })
	s := spans{make([]float64, len(idx)), make([]float64, len(idx)), make([]float64, len(idx))}
	far := math.Inf(-1)
	for k, i := range idx {
		far = math.Max(far, gs[i].Box.X1)
		s.left[k], s.right[k], s.reach[k] = gs[i].Box.X0, gs[i].Box.X1, far
	}
	return s
}

// overlaps reports whether any glyph lies over one of the spans.
func (s spans) overlaps(gs glyphs, idx []int) bool {
	const look = 64 // spans compared per glyph: enough for real text, linear for a hostile page
	for _, i := range idx {
		if gs[i].blank() {
			continue
		}
		x0, x1 := gs[i].Box.X0, gs[i].Box.X1
		k := sort.Search(len(s.reach), func(j int) bool { return s.reach[j] > x0 })
		for end := min(len(s.left), k+look); k < end && s.left[k] < x1; k++ {
			over := math.Min(s.right[k], x1) - math.Max(s.left[k], x0)
			if over > overlapPart*math.Min(s.right[k]-s.left[k], x1-x0) {
				return true
			}
		}
	}
	return false
}

// touches reports whether any glyph comes within reach of one of the spans.
func (s spans) touches(gs glyphs, idx []int, reach float64) bool {
	for _, i := range idx {
		b := gs[i].Box
		k := sort.Search(len(s.reach), func(j int) bool { return s.reach[j] > b.X0-reach })
		if k < len(s.left) && s.left[k]-b.X1 < reach {
			return true
		}
	}
	return false
}
