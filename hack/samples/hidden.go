package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// hidden is no corpus of its own but one file to put in place of payroll's: the
// April register with every second row as a picture, as a scanner leaves a page
// that was patched. People read twelve employees; its text has six.
func hidden() Sample {
	doc := payrollRegisters()[0]
	doc.Fields = nil // the sample's own metadata goes with it
	for i, b := range doc.Contents {
		t, ok := b.(Table)
		if !ok {
			continue
		}
		rows := make([]Row, len(t.Rows))
		for n, r := range t.Rows {
			r.Picture = n%2 == 1 && !r.Summary
			rows[n] = r
		}
		t.Rows = rows
		doc.Contents[i] = t
	}
	return Sample{Dir: "test/faults/testdata/hidden-rows", Documents: []Document{doc}}
}

// scale is the resolution of a picture, dots a point: 13 dots of basicfont's
// height are then about 9 points of text.
const scale = 13.0 / 9

// picture draws a row as one image: black on white without greys, stored without
// compression, and a dot wider than the one before, because images are written in
// the order of their widths and equals in no order. So its bytes depend on nothing
// but the row.
func (t Table) picture(p *press, cells []string) {
	h := t.height(p, cells, false)
	p.pictures++
	ink := image.NewPaletted(image.Rect(0, 0, int(t.width()*scale)+p.pictures, int(h*scale)), color.Palette{color.White, color.Black})
	x := 0.0
	for i, c := range t.Columns {
		pen := font.Drawer{Dst: ink, Src: image.Black, Face: basicfont.Face7x13}
		left := x + cellPad
		if c.Align == "R" {
			left = x + c.Width - cellPad - float64(pen.MeasureString(cells[i]).Ceil())/scale
		}
		pen.Dot = fixed.P(int(left*scale), int((cellPad+t.Size*0.95)*scale))
		pen.DrawString(cells[i])
		if t.Rules == Grid {
			draw.Draw(ink, image.Rect(int(x*scale), 0, int(x*scale)+1, ink.Rect.Max.Y), image.Black, image.Point{}, draw.Src)
		}
		x += c.Width
	}
	var data bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&data, ink); err != nil {
		p.pdf.SetError(fmt.Errorf("encode the picture of row %q: %w", cells[0], err))
	}
	options := fpdf.ImageOptions{ImageType: "PNG"}
	p.pdf.RegisterImageOptionsReader(cells[0], options, &data)
	p.pdf.ImageOptions(cells[0], marginX, p.y, t.width(), h, false, options, 0, "")
	p.y += h
}
