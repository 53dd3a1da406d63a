package pdfium

import (
	"context"
	"fmt"
	"image"
	"math"
)

const (
	pointsPerInch = 72
	formatBGRx    = 3
	drawNotes     = 0x01 // annotations and the looks of form fields
	redFirst      = 0x10 // RGBx instead of BGRx
	white         = 0xFFFFFFFF
)

// Picture is a page as displayed: rotation and crop box applied, on white. A
// point of display space is DPI/72 pixels.
type Picture struct {
	Image *image.RGBA
	DPI   float64 // lower than asked for where the page would have more pixels than admitted
}

// Render draws a page, counted from 0, in at most maxPixels pixels.
func (d *Document) Render(ctx context.Context, index int, dpi float64, maxPixels int) (Picture, error) {
	var p Picture
	var err error
	p.DPI, err = d.render(ctx, index, dpi, maxPixels, func(w, h int) {
		p.Image = image.NewRGBA(image.Rect(0, 0, w, h))
	}, func(y int, pixels []byte) {
		row := p.Image.Pix[y*p.Image.Stride:]
		copy(row, pixels)
		for x := 3; x < len(pixels); x += 4 {
			row[x] = 0xFF // the fourth byte means nothing
		}
	})
	return p, err
}

// RenderGray is Render in shades of gray, a quarter of the memory.
func (d *Document) RenderGray(ctx context.Context, index int, dpi float64, maxPixels int) (img *image.Gray, at float64, err error) {
	at, err = d.render(ctx, index, dpi, maxPixels, func(w, h int) {
		img = image.NewGray(image.Rect(0, 0, w, h))
	}, func(y int, pixels []byte) {
		row := img.Pix[y*img.Stride : y*img.Stride+img.Rect.Dx()]
		for x := range row {
			p := pixels[4*x : 4*x+3 : 4*x+3]
			row[x] = uint8((299*uint32(p[0]) + 587*uint32(p[1]) + 114*uint32(p[2])) / 1000) // luma of ITU-R BT.601
		}
	})
	return img, at, err
}

// render draws a page and has its pixels taken row by row, after their size, four
// bytes each: red, green, blue, nothing.
func (d *Document) render(ctx context.Context, index int, dpi float64, maxPixels int, size func(w, h int), take func(y int, pixels []byte)) (float64, error) {
	in := d.in
	d.engine.memory.admit(d.engine.most)
	defer d.engine.memory.admit(d.engine.reading)
	page := in.call("FPDF_LoadPage", d.handle, uint64(index))
	if in.err != nil {
		return 0, in.err
	}
	if page == 0 {
		return 0, fmt.Errorf("load page %d: pdfium code %d", index+1, in.call("FPDF_GetLastError"))
	}
	width, height := fromFloat32(in.call("FPDF_GetPageWidthF", page)), fromFloat32(in.call("FPDF_GetPageHeightF", page))
	dpi = fitting(width, height, dpi, maxPixels)
	w, h := int(math.Max(1, math.Floor(width*dpi/pointsPerInch))), int(math.Max(1, math.Floor(height*dpi/pointsPerInch)))
	size(w, h)
	err := d.draw(ctx, page, w, h, take)
	in.call("FPDF_ClosePage", page)
	if in.err != nil {
		return 0, in.err
	}
	if err != nil {
		return 0, fmt.Errorf("draw page %d: %w", index+1, err)
	}
	return dpi, ctx.Err()
}

// fitting lowers the resolution to what the bound on pixels admits.
func fitting(width, height, dpi float64, maxPixels int) float64 {
	if pixels := width * height * dpi * dpi / (pointsPerInch * pointsPerInch); pixels > float64(maxPixels) {
		return dpi * math.Sqrt(float64(maxPixels)/pixels)
	}
	return dpi
}

// bandPixels is how many pixels are drawn at a time. The engine takes four bytes for
// one, 35 MB for a page of A4 at 300 dpi, which its memory would keep for good.
const bandPixels = 2 << 20

// draw draws a page of w×h pixels in bands from top to bottom.
func (d *Document) draw(ctx context.Context, page uint64, w, h int, take func(y int, pixels []byte)) error {
	in := d.in
	rows := min(h, max(1, bandPixels/w))
	bitmap := in.call("FPDFBitmap_CreateEx", uint64(w), uint64(rows), formatBGRx, 0, 0)
	if in.err != nil {
		return in.err
	}
	if bitmap == 0 {
		in.trap("FPDFBitmap_CreateEx", fmt.Errorf("no memory for %d×%d pixels", w, rows))
		return in.err
	}
	buffer, stride := in.call("FPDFBitmap_GetBuffer", bitmap), in.call("FPDFBitmap_GetStride", bitmap)
	for top := 0; top < h && in.err == nil && ctx.Err() == nil; top += rows {
		in.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(w), uint64(rows), white)
		in.call("FPDF_RenderPageBitmap", bitmap, page, 0, uint64(uint32(-int32(top))), uint64(w), uint64(h), 0, drawNotes|redFirst)
		if in.err != nil {
			return in.err
		}
		pixels, ok := in.memory.Read(uint32(buffer), uint32(stride)*uint32(rows))
		if !ok {
			return fmt.Errorf("bitmap of %d×%d pixels lies outside memory", w, rows)
		}
		for y := range min(rows, h-top) {
			take(top+y, pixels[y*int(stride):y*int(stride)+4*w])
		}
	}
	in.call("FPDFBitmap_Destroy", bitmap)
	return in.err
}
