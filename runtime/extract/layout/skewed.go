package layout

import (
	"math"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Text at any other angle than along the page's edges is read in a frame of its
// own: watermarks, labels of charts, stamps.
const (
	skewGap  = 1.0 // degrees; the next angle of one direction …
	skewSpan = 3.0 // … and all its angles; text on a curve falls apart
)

// skewed returns glyphs that run at other angles as lines; boxes stay in the frame.
func (gs glyphs) skewed(idx []int) []Line {
	if len(idx) == 0 {
		return nil
	}
	angle := func(i int) float64 { return math.Remainder(float64(gs[i].Angle), 2*math.Pi) * 180 / math.Pi }
	sorted := append([]int(nil), idx...)
	sort.SliceStable(sorted, func(a, b int) bool { return angle(sorted[a]) < angle(sorted[b]) })
	var out []Line
	for start, k := 0, 1; k <= len(sorted); k++ {
		if k < len(sorted) && angle(sorted[k])-angle(sorted[k-1]) <= skewGap && angle(sorted[k])-angle(sorted[start]) <= skewSpan {
			continue
		}
		out = append(out, gs.slanted(sorted[start:k])...)
		start = k
	}
	return out
}

// slanted returns glyphs of about one angle as lines.
func (gs glyphs) slanted(idx []int) []Line {
	idx = append([]int(nil), idx...)
	sort.Ints(idx) // in the file's order again
	sum := 0.0
	for _, i := range idx {
		sum += math.Remainder(float64(gs[i].Angle), 2*math.Pi)
	}
	dy, dx := math.Sincos(sum / float64(len(idx)))
	sub, local := make(glyphs, len(idx)), make([]int, len(idx))
	for k, i := range idx {
		sub[k], local[k] = gs[i].along(dx, dy), k
	}
	out := sub.lines(local)
	for i := range out {
		l := &out[i]
		l.Turn, l.Box = Skewed, rag.Box{}
		for k := range l.Words {
			w := &l.Words[k]
			w.Box = rag.Box{}
			for m, j := range w.glyphs {
				w.glyphs[m] = idx[j]
				w.Box = w.Box.Union(gs[idx[j]].Box)
			}
			l.Box = l.Box.Union(w.Box)
		}
	}
	return out
}

// along returns the glyph in a frame in which (dx, dy), a direction of length 1
// that follows no edge of the page, runs rightward. The glyph's box holds the
// corners of its turned one. With the corner over the origin at o and the one
// under it at u, both up the normal (dy, -dx), one side of the box in x and one
// in y go through these two alone, and the rest of the width is the advance.
func (g Glyph) along(dx, dy float64) Glyph {
	sideX, sideY := g.Box.X0, g.Box.Y0
	if dx < 0 {
		sideX = g.Box.X1
	}
	if dy < 0 {
		sideY = g.Box.Y1
	}
	p, q := (sideX-g.X)/dy, -(sideY-g.Y)/dx
	over, under := math.Max(p, q), math.Min(p, q)
	advance := (g.Box.X1 - g.Box.X0 - (over-under)*math.Abs(dy)) / math.Abs(dx)
	if math.Abs(dy) > math.Abs(dx) {
		advance = (g.Box.Y1 - g.Box.Y0 - (over-under)*math.Abs(dx)) / math.Abs(dy)
	}
	g.X, g.Y = g.X*dx+g.Y*dy, g.Y*dx-g.X*dy
	g.Box = rag.Box{X0: g.X, Y0: g.Y - over, X1: g.X + math.Max(advance, 0), Y1: g.Y - under}
	g.Turn = Rightward
	return g
}
