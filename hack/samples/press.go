package main

import (
	"bytes"
	"fmt"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// Margins, in points.
const (
	marginX   = 40.0
	marginTop = 54.0
	marginEnd = 54.0
)

// press draws blocks downwards over as many pages as they need.
type press struct {
	pdf    *fpdf.Fpdf
	look   Look
	encode func(string) string // UTF-8 to the core fonts' code page
	width  float64             // between the margins
	bottom float64             // lowest y that may be drawn on
	y      float64

	pictures int // drawn so far
}

// PDF draws the document. Dates, producer and object order are fixed, and the
// streams are left uncompressed: the bytes then depend neither on the clock nor
// on the deflate of a Go release.
func (d Document) PDF() ([]byte, error) {
	orientation := "P"
	if d.Look.Landscape {
		orientation = "L"
	}
	pdf := fpdf.New(orientation, "pt", "A4", "")
	made := time.Date(2025, time.May, 2, 9, 0, 0, 0, time.UTC)
	pdf.SetCreationDate(made)
	pdf.SetModificationDate(made)
	pdf.SetProducer("Hardgate samples", false)
	pdf.SetCatalogSort(true)
	pdf.SetCompression(false)
	pdf.SetAutoPageBreak(false, 0)
	if d.Title != "" {
		pdf.SetTitle(d.Title, false)
	}
	p := newPress(pdf, d.Look)
	p.furniture()
	p.page()
	for _, b := range d.Contents {
		b.draw(p)
	}
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("write the PDF: %w", err)
	}
	return out.Bytes(), nil
}

func newPress(pdf *fpdf.Fpdf, look Look) *press {
	if look.Font == "" {
		look.Font = "Helvetica"
	}
	if look.Size == 0 {
		look.Size = 10
	}
	w, h := pdf.GetPageSize()
	return &press{
		pdf: pdf, look: look, encode: pdf.UnicodeTranslatorFromDescriptor(""),
		width: w - 2*marginX, bottom: h - marginEnd,
	}
}

// furniture sets what every page repeats.
func (p *press) furniture() {
	p.pdf.AliasNbPages("{pages}")
	p.pdf.SetHeaderFunc(func() {
		if p.look.Head != "" {
			p.font("I", 8)
			p.pdf.Text(marginX, 34, p.encode(p.look.Head))
		}
	})
	p.pdf.SetFooterFunc(func() {
		if p.look.Numbered {
			p.font("", 8)
			p.pdf.Text(marginX, p.bottom+26, fmt.Sprintf("Page %d of {pages}", p.pdf.PageNo()))
		}
	})
}

func (p *press) page() {
	p.pdf.AddPage()
	p.y = marginTop
}

// need breaks the page unless h more points fit, and says whether it did.
func (p *press) need(h float64) bool {
	if p.y+h <= p.bottom {
		return false
	}
	p.page()
	return true
}

// font selects a style of the document's family: "", "B" or "I".
func (p *press) font(style string, size float64) { p.pdf.SetFont(p.look.Font, style, size) }

// wrap cuts a text into lines of at most w points in the current font, already
// in the font's code page.
func (p *press) wrap(text string, w float64) []string {
	var out []string
	for _, l := range p.pdf.SplitLines([]byte(p.encode(text)), w) {
		out = append(out, string(l))
	}
	return out
}

// put draws one line of encoded text in a column of width w that starts at x;
// align is L, R or C, y is the baseline.
func (p *press) put(x, y, w float64, align, text string) {
	switch free := w - p.pdf.GetStringWidth(text); align {
	case "R":
		x += free
	case "C":
		x += free / 2
	}
	p.pdf.Text(x, y, text)
}
