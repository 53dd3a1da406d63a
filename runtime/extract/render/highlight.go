package render

import (
	"image"
	"math"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// marker is a highlighter's yellow. It multiplies, as ink does, so that text
// under it stays as dark as it is.
var marker = [...]uint32{255, 228, 92}

// edge is the colour of the line around a highlighted box, pixels wide.
var edge = [...]uint8{214, 138, 0}

const (
	edgePixels = 2
	margin     = 1.5 // points around a box: glyph boxes are tight
)

// highlight marks boxes on a picture.
func highlight(img *image.RGBA, boxes []rag.Box, dpi float64) {
	for _, b := range boxes {
		r := pixels(b, margin, dpi)
		paint(img, r.Intersect(img.Rect))
		outline(img, r, edge, edgePixels)
	}
}

// pixels is where a box stands on a picture, grown by points on each side.
func pixels(b rag.Box, by, dpi float64) image.Rectangle {
	const far = 1 << 24 // pixels, over any picture's size: what lies beyond is cut anyway
	at := func(v float64) int { return int(math.Max(-far, math.Min(far, v*dpi/72))) }
	return image.Rect(at(math.Floor(b.X0-by)), at(math.Floor(b.Y0-by)), at(math.Ceil(b.X1+by)), at(math.Ceil(b.Y1+by)))
}

func paint(img *image.RGBA, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p := img.Pix[img.PixOffset(x, y):]
			for k, m := range marker {
				p[k] = uint8(uint32(p[k]) * m / 255)
			}
		}
	}
}

// outline draws the border of a rectangle, inside it.
func outline(img *image.RGBA, r image.Rectangle, colour [3]uint8, width int) {
	for k := range width {
		in := r.Inset(k)
		if in.Empty() {
			return
		}
		for _, side := range []image.Rectangle{
			{in.Min, image.Pt(in.Max.X, in.Min.Y+1)}, {image.Pt(in.Min.X, in.Max.Y-1), in.Max},
			{in.Min, image.Pt(in.Min.X+1, in.Max.Y)}, {image.Pt(in.Max.X-1, in.Min.Y), in.Max},
		} {
			fill(img, side.Intersect(img.Rect), colour)
		}
	}
}

func fill(img *image.RGBA, r image.Rectangle, colour [3]uint8) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			copy(img.Pix[img.PixOffset(x, y):], colour[:])
		}
	}
}
