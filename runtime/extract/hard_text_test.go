package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// dots adds a Type 3 font whose unit is a dot of a 600 dpi printer: squares for
// the codes of a, b and c, for 2 another of unknown meaning, and for 3 a space.
func dots(f *pdftest.File, p *pdftest.Page) {
	for _, n := range []string{"a", "b", "c", "x"} {
		f.Add("dots-"+n, "", []byte("90 0 0 0 80 100 d1 0 0 80 100 re f"))
	}
	f.Add("dots-blank", "", []byte("40 0 0 0 0 0 d1"))
	widths := "90 40" + strings.Repeat(" 0", 'a'-4) + " 90 90 90"
	f.Add("dots", "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [1 0 0 1 0 0] /Resources << >> /FirstChar 2 /LastChar 99 /Widths ["+widths+"] "+
		"/Encoding << /Type /Encoding /Differences [2 /g2 /g3 97 /a /b /c] >> /CharProcs << /a {dots-a} /b {dots-b} /c {dots-c} /g2 {dots-x} /g3 {dots-blank} >> >>", nil)
	p.Font("F3", "dots")
}

// Further ways in which the text of a page goes wrong.
func TestHardGlyphs(t *testing.T) {
	cases := map[string]hardText{
		"Watermark": {"two lines at 50 degrees, each letter written by itself", func(f *pdftest.File) {
			p := f.A4()
			for i, line := range []string{"test of a", "watermark"} {
				along := 0.0
				for _, r := range line {
					p.Raw(fmt.Sprintf("BT /F1 48 Tf 0.6428 0.766 -0.766 0.6428 %.2f %.2f Tm (%c) Tj ET", 150+40*float64(i)+0.6428*along, 300-40*float64(i)+0.766*along, r))
					along += pdftest.Width(string(r), 48)
				}
			}
		}, "test of a\nwatermark"},
		"TurnedBySize": {"a font of negative size in a matrix that turns it back", func(f *pdftest.File) {
			f.A4().Raw("BT /F1 -12 Tf -1 0 0 -1 60 700 Tm (The right way up) Tj ET")
		}, "The right way up"},
		"Dots": {"a font of size 1 in a scale of .12, with glyphs 100 high", func(f *pdftest.File) {
			p := f.A4()
			dots(f, p)
			p.Raw("BT /F3 1 Tf 0.12 0 0 0.12 60 700 Tm (abc) Tj ET")
		}, "abc"},
		"ControlCodes": {"codes under 32: one is a blank, another nobody knows", func(f *pdftest.File) {
			p := f.A4()
			dots(f, p)
			p.Raw("BT /F3 1 Tf 0.12 0 0 0.12 60 700 Tm (ab\\003c\\002) Tj ET")
		}, "ab c"},
		"Astral": {"italic letters of mathematics, each of two units in UTF-16", func(f *pdftest.File) {
			f.Unicode("math", map[int]string{1: "𝑝", 2: "𝑞"}, nil)
			p := f.A4()
			p.Font("F3", "math")
			p.Text(60, 100, 12, pdftest.Regular, "Let")
			p.Coded(82, 100, 12, "F3", 1, 2)
		}, "Let 𝑝𝑞"},
		"Poster": {"figures 400 points high, whose ink stands far apart", func(f *pdftest.File) {
			f.A4().Text(60, 500, 400, pdftest.Regular, "10")
		}, "10"},
		"InheritedSize": {"a page that has its size from the list of pages, with an annotation; the text stands over the top of US Letter", func(f *pdftest.File) {
			f.Add("look", "/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 3 0 R >> >>", []byte("BT /F1 12 Tf 2 5 Td (a note) Tj ET"))
			f.Add("note", "<< /Type /Annot /Subtype /FreeText /Rect [60 700 260 720] /Contents (a note) /DA (/F1 12 Tf) /F 4 /AP << /N {look} >> >>", nil)
			p := f.A4()
			p.Inherits = true
			p.Text(60, 30, 12, pdftest.Regular, "Head of the letter")
			p.Note("note")
		}, "Head of the letter\na note"},
		"Leaders": {"dots far apart lead to a number, and the words before them have no blanks", func(f *pdftest.File) {
			p := f.A4()
			p.Text(60, 100, 10, pdftest.Regular, "Font")
			p.Text(60+pdftest.Width("Font", 10)+2, 100, 10, pdftest.Regular, "scaling")
			for i := range 12 {
				p.Text(120+6*float64(i), 100, 10, pdftest.Regular, ".")
			}
			p.Text(200, 100, 10, pdftest.Regular, "7")
		}, "Font scaling" + strings.Repeat(" .", 12) + " 7"},
		"Tight": {"letters and words are set closer by .05 em", func(f *pdftest.File) {
			p, x := f.A4(), 60.0
			for _, w := range strings.Fields("ECONOMIA NOSSA DE CADA DIA") {
				p.Raw(fmt.Sprintf("BT /F1 10 Tf -0.5 Tc %.2f 700 Td (%s) Tj ET", x, w))
				x += pdftest.Width(w, 10) - 0.5*float64(len(w)-1) + 0.9
			}
		}, "ECONOMIA NOSSA DE CADA DIA"},
	}
	readsLines(t, cases)
}

// hardText is a file that shows one way in which readers fail.
type hardText struct {
	reason string
	draw   func(*pdftest.File)
	want   string // lines, top to bottom
}

func readsLines(t *testing.T, cases map[string]hardText) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f)
			if diff := cmp.Diff(c.want, allLines(apply(t, f))); diff != "" {
				t.Errorf("%s: lines (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
