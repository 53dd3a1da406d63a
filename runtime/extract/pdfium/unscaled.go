package pdfium

import (
	"math"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
)

// A Type 3 font draws its glyphs in units of its own, dots of a printer for one,
// and its size may say nothing of how large they come out.
const (
	unscaledEm   = 3.0 // ems; of a font without a name, as Type 3 fonts are, no glyph is higher …
	unscaledTiny = 0.8 // … nor of any font of a size, in points, that nobody could read
)

// drawn is how far the glyphs of a font reach over and under their baseline, points.
type drawn struct{ over, under float64 }

// unscaled gives glyphs that are far larger than their size the height of the
// tallest ones of their font.
func (r *reader) unscaled() {
	type key struct {
		font *layout.Font
		size float64
	}
	found := map[key]drawn{}
	for i := range r.page.Glyphs {
		g := &r.page.Glyphs[i]
		if g.Font.Name != "" && g.Size >= unscaledTiny || g.Turn == layout.Skewed {
			continue
		}
		k := key{g.Font, g.Size}
		d := found[k]
		over, under := g.Y-g.Box.Y0, g.Box.Y1-g.Y
		switch g.Turn {
		case layout.Upward:
			over, under = g.X-g.Box.X0, g.Box.X1-g.X
		case layout.Leftward:
			over, under = under, over
		case layout.Downward:
			over, under = g.Box.X1-g.X, g.X-g.Box.X0
		}
		found[k] = drawn{math.Max(d.over, over), math.Max(d.under, under)}
	}
	for i := range r.page.Glyphs {
		g := &r.page.Glyphs[i]
		d := found[key{g.Font, g.Size}]
		h := d.over + d.under
		if (g.Font.Name == "" || g.Size < unscaledTiny) && h > unscaledEm*g.Size {
			g.Size = h
		}
	}
}
