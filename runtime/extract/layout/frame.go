package layout

import (
	"math"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Frame maps between display space and the reading frame, in which the page's
// prevailing text runs left to right. Width and Height are the display's.
type Frame struct {
	Turn          Turn
	Width, Height float64
}

// Size returns the frame's width and height.
func (f Frame) Size() (w, h float64) {
	if f.Turn == Upward || f.Turn == Downward {
		return f.Height, f.Width
	}
	return f.Width, f.Height
}

// Read maps a display box into the reading frame.
func (f Frame) Read(b rag.Box) rag.Box {
	switch f.Turn {
	case Upward:
		return rag.Box{X0: f.Height - b.Y1, Y0: b.X0, X1: f.Height - b.Y0, Y1: b.X1}
	case Leftward:
		return rag.Box{X0: f.Width - b.X1, Y0: f.Height - b.Y1, X1: f.Width - b.X0, Y1: f.Height - b.Y0}
	case Downward:
		return rag.Box{X0: b.Y0, Y0: f.Width - b.X1, X1: b.Y1, Y1: f.Width - b.X0}
	}
	return b
}

// Display maps a box of the reading frame back to display space.
func (f Frame) Display(b rag.Box) rag.Box {
	switch f.Turn {
	case Upward:
		return rag.Box{X0: b.Y0, Y0: f.Height - b.X1, X1: b.Y1, Y1: f.Height - b.X0}
	case Leftward:
		return rag.Box{X0: f.Width - b.X1, Y0: f.Height - b.Y1, X1: f.Width - b.X0, Y1: f.Height - b.Y0}
	case Downward:
		return rag.Box{X0: f.Width - b.Y1, Y0: b.X0, X1: f.Width - b.Y0, Y1: b.X1}
	}
	return b
}

// glyphs returns the glyphs in the frame, with boxes and origins mapped. Turns
// are left as they are: the caller knows what they mean.
func (f Frame) glyphs(in glyphs) glyphs {
	if f.Turn == Rightward {
		return in
	}
	out := make(glyphs, len(in))
	for i, g := range in {
		o := f.Read(rag.Box{X0: g.X, Y0: g.Y, X1: g.X, Y1: g.Y})
		g.Box, g.X, g.Y = f.Read(g.Box), o.X0, o.Y0
		g.Angle += float32(f.Turn) * math.Pi / 2
		out[i] = g
	}
	return out
}

func (f Frame) rulings(in []Ruling) []Ruling {
	if f.Turn == Rightward {
		return in
	}
	out := make([]Ruling, len(in))
	for i, r := range in {
		b := rag.Box{X0: r.From, Y0: r.At, X1: r.To, Y1: r.At}
		if r.Vertical {
			b = rag.Box{X0: r.At, Y0: r.From, X1: r.At, Y1: r.To}
		}
		b = f.Read(b)
		r.Vertical = b.X1-b.X0 < b.Y1-b.Y0
		if r.Vertical {
			r.At, r.From, r.To = b.X0, b.Y0, b.Y1
		} else {
			r.At, r.From, r.To = b.Y0, b.X0, b.X1
		}
		out[i] = r
	}
	return out
}

// prevailing is the upright direction in which most glyphs run.
func (gs glyphs) prevailing() Turn {
	var count [4]int
	for i := range gs {
		if t := gs[i].Turn; !gs[i].blank() && t >= Rightward && t <= Downward {
			count[t]++
		}
	}
	best := Rightward
	for t := Upward; t <= Downward; t++ {
		if count[t] > count[best] {
			best = t
		}
	}
	return best
}
