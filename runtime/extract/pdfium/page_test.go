package pdfium

import (
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// The page that was flattened for links would be read three times for nothing;
// the one that was not flattened for a stamp would lose its text.
func TestOnlyDrawnNotesAreFlattened(t *testing.T) {
	cases := map[string]struct {
		reason string
		note   string
		drawn  bool // its text is the page's
		left   int  // annotations of the page after it was opened
	}{
		"Link":  {"a link draws nothing, and stays an annotation", "<< /Type /Annot /Subtype /Link /Rect [60 700 160 720] /A << /S /URI /URI (https://example.com) >> >>", false, 1},
		"Stamp": {"an appearance becomes part of the page", "<< /Type /Annot /Subtype /Stamp /Rect [60 700 160 720] /F 4 /AP << /N {look} >> >>", true, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			f.Add("look", "/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 3 0 R >> >>", []byte("BT /F1 12 Tf 2 5 Td (Paid) Tj ET"))
			f.Add("note", c.note, nil)
			f.A4().Note("note")
			d := opened(t, f.Bytes())
			handle, _, annotations := d.openPage(0)
			if handle == 0 || annotations != 1 {
				t.Fatalf("%s: page %d with %d annotations, error %v", c.reason, handle, annotations, d.in.err)
			}
			if left := signed(d.in.call("FPDFPage_GetAnnotCount", handle)); left != c.left {
				t.Errorf("%s: %d annotations are left, want %d", c.reason, left, c.left)
			}
			p, err := d.Page(t.Context(), 0)
			if err != nil || (len(p.Glyphs) > 0) != c.drawn {
				t.Errorf("%s: glyphs %v, error %v", c.reason, p.Glyphs, err)
			}
		})
	}
}

// Fonts that the next page shows too are loaded once only if the page before is
// still open; that one page is open at a time and no more bounds the memory.
func TestOnePageStaysOpen(t *testing.T) {
	f := &pdftest.File{}
	for range 2 {
		f.A4().Text(60, 60, 10, pdftest.Regular, "Terms")
	}
	d := opened(t, f.Bytes())
	for i := range 2 {
		if _, err := d.Page(t.Context(), i); err != nil {
			t.Fatal(err)
		}
		if d.page == 0 {
			t.Errorf("page %d was closed before the next one was open", i+1)
		}
	}
	if len(d.fonts) != 1 {
		t.Errorf("%d fonts, want the one that both pages show", len(d.fonts))
	}
}
