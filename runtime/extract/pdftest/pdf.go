// Package pdftest writes small PDF files for tests: the same bytes every time,
// with text, rules, shading and images exactly where a test wants them.
//
// Coordinates are in points with the origin at the page's top left, y down.
package pdftest

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"strconv"
	"strings"
)

// Fonts of the pages; readers know them without embedding.
const (
	Regular = "F1" // Helvetica
	Bold    = "F2" // Helvetica-Bold
)

// File is a PDF in the making.
type File struct {
	Title    string // in the file's information
	Password string // needed to open it; "" = not encrypted
	Catalog  string // further entries of the catalog: an outline, tags, a form
	Pages    []*Page

	objects []Object
}

// Page is a page in the making.
type Page struct {
	Width, Height float64
	Rotate        int    // degrees clockwise
	Inherits      bool   // its size stands where the pages are listed
	Entries       string // further entries of the page: /StructParents 0
	ops           bytes.Buffer
	fonts, notes  string
	layers        string
	scan          *scan
	marked        int // pieces of content that tags name
}

// scan is a picture that fills a page.
type scan struct {
	jpeg          []byte
	width, height int // pixels
	gray          bool
}

// Scan fills the page with a picture, as a scanner does.
func (p *Page) Scan(img image.Image, quality int) error {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: quality}); err != nil {
		return fmt.Errorf("encode scan: %w", err)
	}
	_, gray := img.(*image.Gray)
	p.scan = &scan{out.Bytes(), img.Bounds().Dx(), img.Bounds().Dy(), gray}
	fmt.Fprintf(&p.ops, "q %.2f 0 0 %.2f 0 0 cm /Scan Do Q\n", p.Width, p.Height)
	return nil
}

// A4 adds a page.
func (f *File) A4() *Page { return f.add(595, 842) }

// A4Landscape adds a page.
func (f *File) A4Landscape() *Page { return f.add(842, 595) }

func (f *File) add(w, h float64) *Page {
	p := &Page{Width: w, Height: h}
	f.Pages = append(f.Pages, p)
	return p
}

// Text writes a line with its baseline at y, beginning at x.
func (p *Page) Text(x, y, size float64, font, text string) {
	fmt.Fprintf(&p.ops, "BT /%s %.2f Tf %.2f %.2f Td (%s) Tj ET\n", font, size, x, p.Height-y, escape(text))
}

// Right writes a line that ends at x.
func (p *Page) Right(x, y, size float64, font, text string) {
	p.Text(x-Width(text, size), y, size, font, text)
}

// Turned writes a line that reads upward from (x, y).
func (p *Page) Turned(x, y, size float64, text string) {
	fmt.Fprintf(&p.ops, "BT /%s %.2f Tf 0 1 -1 0 %.2f %.2f Tm (%s) Tj ET\n", Regular, size, x, p.Height-y, escape(text))
}

// Invisible writes a line that no reader paints.
func (p *Page) Invisible(x, y, size float64, text string) {
	fmt.Fprintf(&p.ops, "BT 3 Tr /%s %.2f Tf %.2f %.2f Td (%s) Tj 0 Tr ET\n", Regular, size, x, p.Height-y, escape(text))
}

// Rule draws a line half a point thick.
func (p *Page) Rule(x0, y0, x1, y1 float64) {
	fmt.Fprintf(&p.ops, "0.5 w %.2f %.2f m %.2f %.2f l S\n", x0, p.Height-y0, x1, p.Height-y1)
}

// Shade fills a rectangle; gray is from 0, black, to 1, white.
func (p *Page) Shade(x0, y0, x1, y1, gray float64) {
	fmt.Fprintf(&p.ops, "%.2f g %.2f %.2f %.2f %.2f re f 0 g\n", gray, x0, p.Height-y1, x1-x0, y1-y0)
}

// Image paints a gray image over a rectangle.
func (p *Page) Image(x0, y0, x1, y1 float64) {
	fmt.Fprintf(&p.ops, "q %.2f 0 0 %.2f %.2f %.2f cm /Im Do Q\n", x1-x0, y1-y0, x0, p.Height-y1)
}

// Raw adds operators to the page as they are, in PDF's own coordinates.
func (p *Page) Raw(ops string) { p.ops.WriteString(ops + "\n") }

func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(r))
		case r < 0x80:
			b.WriteByte(byte(r))
		default: // WinAnsi, which is Latin-1 there
			fmt.Fprintf(&b, "\\%03o", r&0xFF)
		}
	}
	return b.String()
}

// helvetica holds the widths of the printable ASCII characters, in thousandths of an em.
const helvetica = "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 " +
	"556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 " +
	"1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 " +
	"333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"

// Width is the width of a text in Helvetica, points. What is no printable
// ASCII counts as a digit's width.
func Width(text string, size float64) float64 {
	widths := strings.Fields(helvetica)
	digit := widths['0'-' ']
	total := 0
	for _, r := range text {
		w := digit
		if k := int(r - ' '); k >= 0 && k < len(widths) {
			w = widths[k]
		}
		n, err := strconv.Atoi(w)
		if err != nil {
			panic(err) // a slip in the table above
		}
		total += n
	}
	return float64(total) * size / 1000
}
