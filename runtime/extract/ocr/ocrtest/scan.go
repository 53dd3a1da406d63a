// Package ocrtest makes scans of files: their pages drawn, roughened as a scanner
// does, and wrapped as the pictures that a PDF of a scan consists of.
package ocrtest

import (
	"context"
	"image"
	"math"
	"math/rand/v2"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// Scanner says how a page comes out.
type Scanner struct {
	DPI     float64
	Skew    float64 // degrees by which lines sink to the right
	Noise   float64 // standard deviation of the gray of a pixel, of 255
	Quality int     // of the JPEG; 0 = 75
	Turned  int     // quarter turns clockwise of the sheet in the scanner
}

// Scan draws a file's pages and returns a PDF of their pictures, in gray.
func (s Scanner) Scan(ctx context.Context, engine *pdfium.Engine, data []byte) ([]byte, error) {
	doc, err := engine.Open(ctx, data, "")
	if err != nil {
		return nil, err
	}
	defer doc.Close()
	out := &pdftest.File{}
	random := rand.New(rand.NewPCG(7, 11))
	for i := range doc.Pages() {
		const all = 100 << 20
		p, err := doc.Render(ctx, i, s.DPI, all)
		if err != nil {
			return nil, err
		}
		g := s.roughen(p.Image, random)
		page := out.A4()
		page.Width, page.Height = float64(g.Rect.Dx())*72/s.DPI, float64(g.Rect.Dy())*72/s.DPI
		quality := s.Quality
		if quality == 0 {
			quality = 75
		}
		if err := page.Scan(g, quality); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// roughen turns a picture gray, turns, skews and roughens it.
func (s Scanner) roughen(img *image.RGBA, random *rand.Rand) *image.Gray {
	size := img.Rect.Size()
	width, height := size.X, size.Y
	if s.Turned%2 == 1 {
		width, height = height, width
	}
	out := image.NewGray(image.Rect(0, 0, width, height))
	sin, cos := math.Sincos(s.Skew * math.Pi / 180)
	for y := range height {
		for x := range width {
			u, v := unturn(x, y, s.Turned, size)
			dx, dy := float64(u)-float64(size.X)/2, float64(v)-float64(size.Y)/2
			u, v = int(float64(size.X)/2+dx*cos+dy*sin+0.5), int(float64(size.Y)/2-dx*sin+dy*cos+0.5)
			gray := 250.0
			if u >= 0 && v >= 0 && u < size.X && v < size.Y {
				p := img.Pix[img.PixOffset(u, v):]
				gray = 20 + 0.9*(0.299*float64(p[0])+0.587*float64(p[1])+0.114*float64(p[2])) // ink is never black, paper never white
			}
			out.Pix[y*out.Stride+x] = uint8(min(max(gray+s.Noise*random.NormFloat64(), 0), 255))
		}
	}
	return out
}

func unturn(x, y, quarters int, size image.Point) (int, int) {
	switch quarters % 4 {
	case 1:
		return y, size.Y - 1 - x
	case 2:
		return size.X - 1 - x, size.Y - 1 - y
	case 3:
		return size.X - 1 - y, x
	}
	return x, y
}
