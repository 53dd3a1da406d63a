package extract_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// drawn adds a Type 3 font whose glyphs are squares from code first on, of which nothing
// says what they mean; the last one is blank.
func drawn(f *pdftest.File, first, glyphs int) {
	f.Add("square", "", []byte("500 0 0 0 450 700 d1 0 0 450 700 re f"))
	f.Add("blank", "", []byte("500 0 0 0 0 0 d1"))
	names, procs := "", ""
	for i := range glyphs {
		proc := "square"
		if i == glyphs-1 {
			proc = "blank"
		}
		names += fmt.Sprintf("/g%d ", i)
		procs += fmt.Sprintf("/g%d {%s} ", i, proc)
	}
	f.Add("drawn", fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [.001 0 0 .001 0 0] /Resources << >> /CharProcs << %s >> "+
		"/Encoding << /Type /Encoding /Differences [%d %s] >> /FirstChar %d /LastChar %d /Widths [%s] >>", procs, first, names, first, first+glyphs-1, strings.Repeat("500 ", glyphs)), nil)
}

// TestUnmapped: glyphs that mean nothing to anybody but the eye are counted.
func TestUnmapped(t *testing.T) {
	cases := map[string]struct {
		reason, codes string
		want          []rag.Problem
	}{
		"Numbered":  {"a font numbered from 1 on", "<010203>", []rag.Problem{{Page: 1, Reason: extract.TextUnmapped, Detail: "glyphs of which the file does not say what they mean: 3 left out"}}},
		"LineEnds":  {"codes that are line ends elsewhere", "<0A0D>", []rag.Problem{{Page: 1, Reason: extract.TextUnmapped, Detail: "glyphs of which the file does not say what they mean: 2 left out"}}},
		"Nought":    {"and the first of all", "<00>", []rag.Problem{{Page: 1, Reason: extract.TextUnmapped, Detail: "glyphs of which the file does not say what they mean: 1 left out"}}},
		"BlankOnes": {"a space means a space", "<0E>", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			drawn(f, 0, 15)
			p := f.A4()
			p.Font("F3", "drawn")
			p.Text(60, 100, 10, pdftest.Regular, "Pay of April, in words that everybody can read")
			p.Raw("BT /F3 10 Tf 60 600 Td " + c.codes + " Tj ET")
			if diff := cmp.Diff(c.want, apply(t, f).Problems); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// TestAllUnmapped: a page of nothing else is not empty.
func TestAllUnmapped(t *testing.T) {
	f := &pdftest.File{}
	drawn(f, 1, 15)
	p := f.A4()
	p.Font("F3", "drawn")
	p.Raw("BT /F3 10 Tf 60 600 Td <0102030405> Tj ET")
	_, err := extractor(t, extract.Limits{}).Apply(t.Context(), extract.File{Data: f.Bytes()})
	var e *extract.Error
	if !errors.As(err, &e) || e.Reason != extract.NeedsOCR {
		t.Errorf("error %v, want %s", err, extract.NeedsOCR)
	}
}
