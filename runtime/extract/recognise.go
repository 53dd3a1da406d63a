package extract

import (
	"context"
	"errors"
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/extract/ocr"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const (
	// maxScanPixels bounds the picture of a page that is recognised: A4 at 300 dpi has
	// 8.7 million pixels, A3 twice that. Larger pages are drawn at a lower resolution.
	maxScanPixels = 20 << 20
	// stampGlyphs is how many glyphs a scan may bear (a stamp, a page number) and still be one.
	stampGlyphs = 100
)

// unreadable says why a page's text can't be had from its glyphs, "" when it can.
func unreadable(p *pdfium.Page) string {
	n := len(p.Glyphs)
	switch {
	case n == 0 && p.Scanned():
		return "the page is an image without text"
	case n+p.Dropped > 0 && float64(p.Unmapped) > unmappedShare*float64(n+p.Dropped):
		return fmt.Sprintf("%d of %d glyphs have no Unicode value", p.Unmapped, n+p.Dropped)
	case n > 0 && n < stampGlyphs && p.Scanned() && p.Unpainted == 0:
		return fmt.Sprintf("the page is an image with no more text than %d glyphs", n)
	}
	return ""
}

// Recognition is what recognition said of a page.
type Recognition struct {
	Words         []Spot
	Frame         ocr.Frame
	Width, Height float64 // of the page as displayed
}

// Spot is where a word was recognised, in the frame, and how certainly.
type Spot struct {
	Box        rag.Box
	Confidence float64
}

// recognise reads a page's picture in place of its glyphs. Its time is bounded by
// itself and not counted against the file's.
func (r *reading) recognise(ctx context.Context, b *builder, i int, page *pdfium.Page, why string) (*pdfium.Page, error) {
	r.clock.pause()
	defer r.clock.resume()
	if r.file.Waits != nil {
		r.file.Waits(r.ocr.Timeout())
	}
	if err := r.ocr.Check(ctx); err != nil {
		return nil, r.unrecognised(ctx, b, i, err)
	}
	picture, dpi, err := r.doc.RenderGray(ctx, i, r.ocr.DPI(), maxScanPixels)
	if err != nil {
		return r.lost(ctx, b, i, err)
	}
	if r.doc.Worn() { // by the scan, which it holds decoded; recognition takes memory of its own
		r.close()
	}
	res, err := r.ocr.Read(ctx, picture, dpi)
	if err != nil {
		return nil, r.unrecognised(ctx, b, i, err)
	}
	if len(res.Words) == 0 {
		b.needs(i+1, why+", and recognition found none on its picture")
		return page, nil
	}
	rec := &Recognition{Words: make([]Spot, len(res.Words)), Frame: res.Frame, Width: page.Width, Height: page.Height}
	sum := 0.0
	for k, w := range res.Words {
		sum += w.Confidence
		rec.Words[k] = Spot{w.Box, w.Confidence}
	}
	b.problem(i+1, Recognised, fmt.Sprintf("%s; %d words were recognised by Tesseract (%s) with a mean confidence of %.2f", why, len(res.Words), r.ocr.Languages(), sum/float64(len(res.Words))))
	b.recognised[i+1] = rec
	return &pdfium.Page{Sheet: res.Sheet}, nil
}

// unrecognised turns an error of recognition into one of the file, or into the loss of the page.
func (r *reading) unrecognised(ctx context.Context, b *builder, i int, err error) error {
	var missing *ocr.Missing
	switch {
	case ctx.Err() != nil:
		return r.ended(i + 1)
	case errors.As(err, &missing):
		return &Error{Reason: OCRUnavailable, Page: i + 1, Detail: err.Error(), cause: err}
	case errors.Is(err, context.DeadlineExceeded):
		b.lose(i+1, OCRFailed, fmt.Sprintf("recognition took longer than %v", r.ocr.Timeout()))
		return nil
	}
	b.lose(i+1, OCRFailed, err.Error())
	return nil
}

// place gives what was recognised its confidence, and its boxes their place on
// the page as displayed.
func (a *Assembly) place() {
	if len(a.recognised) == 0 {
		return
	}
	for i := range a.pages {
		p := &a.pages[i]
		rec := a.recognised[p.Number]
		for k := range p.Lines {
			rec.line(&p.Lines[k])
		}
		for _, block := range p.Blocks {
			switch {
			case block.Line != nil:
				rec.line(block.Line)
			case block.Heading != nil && rec != nil:
				block.Heading.Box = rec.Frame.Display(block.Heading.Box)
			case block.Table != nil:
				a.placeTable(block.Table)
			}
		}
		if rec != nil {
			p.Width, p.Height = rec.Width, rec.Height
		}
	}
}

// placeTable places each row by the page on which it is printed.
func (a *Assembly) placeTable(t *rag.Table) {
	if rec := a.recognised[t.Page]; rec != nil {
		t.Box = rec.Frame.Display(t.Box)
	}
	for i := range t.Rows {
		row := &t.Rows[i]
		rec := a.recognised[row.Page]
		if rec == nil {
			continue
		}
		row.Confidence = rec.confidence(row.Box)
		row.Box = rec.Frame.Display(row.Box)
		for k := range row.Cells {
			row.Cells[k].Box = rec.Frame.Display(row.Cells[k].Box)
		}
	}
}

func (r *Recognition) line(l *rag.Line) {
	if r == nil {
		return
	}
	l.Confidence = r.confidence(l.Box)
	l.Box = r.Frame.Display(l.Box)
}

// confidence is that of the least certain word whose middle lies in a box of the
// sheet: one wrong digit makes a row wrong, however good the rest is.
func (r *Recognition) confidence(box rag.Box) *float64 {
	least := 1.0
	for i := range r.Words {
		w := &r.Words[i]
		x, y := (w.Box.X0+w.Box.X1)/2, (w.Box.Y0+w.Box.Y1)/2
		if x >= box.X0 && x <= box.X1 && y >= box.Y0 && y <= box.Y1 {
			least = min(least, w.Confidence)
		}
	}
	return &least
}
