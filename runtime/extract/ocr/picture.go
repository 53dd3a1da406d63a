package ocr

import (
	"image"
	"math"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// dark is the gray under which a pixel counts as ink.
const dark = 150

// turn turns a picture clockwise by quarters.
func turn(g *image.Gray, quarters int) *image.Gray {
	for range quarters % 4 {
		size := g.Rect.Size()
		out := image.NewGray(image.Rect(0, 0, size.Y, size.X))
		for y := range size.Y {
			for x := range size.X {
				out.Pix[x*out.Stride+size.Y-1-y] = g.Pix[y*g.Stride+x]
			}
		}
		g = out
	}
	return g
}

// lying reports whether lines of text seem to stand upright: then ink is spread
// over columns of pixels less evenly than over rows.
func lying(g *image.Gray) bool {
	const clear = 1.3 // rulings stand both ways, so a small difference says nothing
	size := g.Rect.Size()
	rows, columns := make([]float64, size.Y), make([]float64, size.X)
	for y := 0; y < size.Y; y++ {
		for x := 0; x < size.X; x += coarse {
			if g.Pix[y*g.Stride+x] < dark {
				rows[y]++
			}
		}
	}
	for y := 0; y < size.Y; y += coarse {
		for x := 0; x < size.X; x++ {
			if g.Pix[y*g.Stride+x] < dark {
				columns[x]++
			}
		}
	}
	return unevenness(columns) > clear*unevenness(rows)
}

// unevenness is the mean square over the square mean: 1 where all is even.
func unevenness(v []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, n := range v {
		sum += n
		squares += n * n
	}
	if sum == 0 {
		return 0
	}
	return squares * float64(len(v)) / (sum * sum)
}

const (
	maxSkew   = 3.0  // degrees; worse scans are rare, and Tesseract copes with some
	skewStep  = 0.1  // degrees
	leastSkew = 0.15 // degrees; less moves the end of a line by under 2 points
	coarse    = 4    // pixels of the picture to one of the sample, along the lines
	fine      = 2    // … and across them
)

// skew is how far the lines of a picture sink to the right, in degrees. Where
// lines are level, rows of pixels differ most in how much ink they hold.
func skew(g *image.Gray) float64 {
	var points []point
	size := g.Rect.Size()
	for y := 0; y < size.Y; y += fine {
		for x := 0; x < size.X; x += coarse {
			if g.Pix[y*g.Stride+x] < dark {
				points = append(points, point{int32(x / fine), int32(y / fine)})
			}
		}
	}
	best, most := 0.0, sharpness(points, size.Y/fine, 0)*1.02 // a page without lines stays as it is
	for a := -maxSkew; a <= maxSkew; a += skewStep {
		if s := sharpness(points, size.Y/fine, a); s > most {
			best, most = a, s
		}
	}
	if math.Abs(best) < leastSkew {
		return 0
	}
	return best
}

// point is ink in the sample: there may be a million.
type point struct{ x, y int32 }

// sharpness is the sum of the squared ink of rows that sink by an angle.
func sharpness(points []point, height int, degrees float64) float64 {
	slope := math.Tan(degrees * math.Pi / 180)
	rows := make([]float64, 3*height+2)
	for _, p := range points {
		if y := int(float64(p.y)-slope*float64(p.x)) + height; y >= 0 && y < len(rows) {
			rows[y]++
		}
	}
	sum := 0.0
	for _, n := range rows {
		sum += n * n
	}
	return sum
}

// rotate turns a picture about its middle so that lines which sink by an angle are level.
func rotate(g *image.Gray, degrees float64) *image.Gray {
	if degrees == 0 {
		return g
	}
	size := g.Rect.Size()
	out := image.NewGray(g.Rect)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	cx, cy := float64(size.X)/2, float64(size.Y)/2
	for y := range size.Y {
		for x := range size.X {
			dx, dy := float64(x)-cx, float64(y)-cy
			out.Pix[y*out.Stride+x] = sample(g, cx+dx*cos-dy*sin, cy+dx*sin+dy*cos)
		}
	}
	return out
}

// sample reads between pixels; outside is paper.
func sample(g *image.Gray, x, y float64) uint8 {
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	if x0 < 0 || y0 < 0 || x0+1 >= g.Rect.Dx() || y0+1 >= g.Rect.Dy() {
		return 255
	}
	fx, fy := x-float64(x0), y-float64(y0)
	i := y0*g.Stride + x0
	a, b := float64(g.Pix[i]), float64(g.Pix[i+1])
	c, d := float64(g.Pix[i+g.Stride]), float64(g.Pix[i+g.Stride+1])
	return uint8((a*(1-fx)+b*fx)*(1-fy) + (c*(1-fx)+d*fx)*fy + 0.5)
}

// Frame leads from the turned, straightened picture back to the page.
type Frame struct {
	Quarters      int     // clockwise, by which the picture was turned
	Angle         float64 // degrees, by which it was straightened after that
	Width, Height float64 // of the turned picture, points
}

// Display returns the box around what a box of the frame covers on the page.
func (f Frame) Display(b rag.Box) rag.Box {
	if b.IsZero() {
		return b
	}
	sin, cos := math.Sincos(f.Angle * math.Pi / 180)
	out := rag.Box{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, p := range [...][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X0, b.Y1}, {b.X1, b.Y1}} {
		dx, dy := p[0]-f.Width/2, p[1]-f.Height/2
		x, y := f.unturn(f.Width/2+dx*cos-dy*sin, f.Height/2+dx*sin+dy*cos)
		out.X0, out.X1 = math.Min(out.X0, x), math.Max(out.X1, x)
		out.Y0, out.Y1 = math.Min(out.Y0, y), math.Max(out.Y1, y)
	}
	return out
}

func (f Frame) unturn(x, y float64) (float64, float64) {
	switch f.Quarters {
	case 1:
		return y, f.Width - x
	case 2:
		return f.Width - x, f.Height - y
	case 3:
		return f.Height - y, x
	}
	return x, y
}
