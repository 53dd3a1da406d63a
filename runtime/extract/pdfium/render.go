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
	p.DPI, err = d.render(ctx, index, dpi, maxPixels, func(pixels []byte, stride, w, h int) {
		p.Image = image.NewRGBA(image.Rect(0, 0, w, h))
		for y := range h {
			row := p.Image.Pix[y*p.Image.Stride : y*p.Image.Stride+4*w]
			copy(row, pixels[y*stride:])
			for x := 3; x < len(row); x += 4 {
				row[x] = 0xFF // the fourth byte means nothing
			}
		}
	})
	return p, err
}

// RenderGray is Render in shades of gray, a quarter of the memory.
func (d *Document) RenderGray(ctx context.Context, index int, dpi float64, maxPixels int) (img *image.Gray, at float64, err error) {
	at, err = d.render(ctx, index, dpi, maxPixels, func(pixels []byte, stride, w, h int) {
		img = image.NewGray(image.Rect(0, 0, w, h))
		for y := range h {
			row := pixels[y*stride:]
			for x := range w {
				p := row[4*x : 4*x+3 : 4*x+3]
				img.Pix[y*img.Stride+x] = uint8((299*uint32(p[0]) + 587*uint32(p[1]) + 114*uint32(p[2])) / 1000) // luma of ITU-R BT.601
			}
		}
	})
	return img, at, err
}

// render draws a page and has its pixels taken, four bytes each: red, green, blue, nothing.
func (d *Document) render(ctx context.Context, index int, dpi float64, maxPixels int, take func(pixels []byte, stride, w, h int)) (float64, error) {
	in := d.in
	page := in.call("FPDF_LoadPage", d.handle, uint64(index))
	if in.err != nil {
		return 0, in.err
	}
	if page == 0 {
		return 0, fmt.Errorf("load page %d: pdfium code %d", index+1, in.call("FPDF_GetLastError"))
	}
	width, height := fromFloat32(in.call("FPDF_GetPageWidthF", page)), fromFloat32(in.call("FPDF_GetPageHeightF", page))
	dpi = fitting(width, height, dpi, maxPixels)
	err := d.draw(page, width, height, dpi, take)
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

func (d *Document) draw(page uint64, width, height, dpi float64, take func(pixels []byte, stride, w, h int)) error {
	in := d.in
	w, h := uint64(math.Max(1, math.Floor(width*dpi/pointsPerInch))), uint64(math.Max(1, math.Floor(height*dpi/pointsPerInch)))
	bitmap := in.call("FPDFBitmap_CreateEx", w, h, formatBGRx, 0, 0)
	if in.err != nil {
		return in.err
	}
	if bitmap == 0 {
		in.err = &Trap{Call: "FPDFBitmap_CreateEx", Err: fmt.Errorf("no memory for %d×%d pixels", w, h)}
		return in.err
	}
	in.call("FPDFBitmap_FillRect", bitmap, 0, 0, w, h, white)
	in.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, w, h, 0, drawNotes|redFirst)
	buffer, stride := in.call("FPDFBitmap_GetBuffer", bitmap), in.call("FPDFBitmap_GetStride", bitmap)
	if in.err != nil {
		return in.err
	}
	pixels, ok := in.memory.Read(uint32(buffer), uint32(stride*h))
	if !ok {
		return fmt.Errorf("bitmap of %d×%d pixels lies outside memory", w, h)
	}
	take(pixels, int(stride), int(w), int(h))
	in.call("FPDFBitmap_Destroy", bitmap)
	return in.err
}
