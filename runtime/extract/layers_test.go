package extract_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// TestLayers: text on a layer that is off is told as hidden, even where other text
// stands over it; text on one that is on is not.
func TestLayers(t *testing.T) {
	cases := map[string]struct {
		reason, off string
		want        []rag.Problem
	}{
		"Off":  {"the German text is not shown", "[{german}]", []rag.Problem{{Page: 1, Reason: extract.HiddenText, Detail: "7 glyphs are painted so that nobody sees them"}}},
		"Both": {"none of them is shown, nor what is on the same layer by way of a membership", "[{german} {english}]", []rag.Problem{{Page: 1, Reason: extract.HiddenText, Detail: "18 glyphs are painted so that nobody sees them"}}},
		"On":   {"all of them are shown", "[]", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{Catalog: "/OCProperties << /OCGs [{english} {german}] /D << /OFF " + c.off + " >> >>"}
			f.Add("english", "<< /Type /OCG /Name (English) >>", nil)
			f.Add("german", "<< /Type /OCG /Name (German) >>", nil)
			f.Add("member", "<< /Type /OCMD /OCGs [{english}] /P /AnyOn >>", nil)
			p := f.A4()
			p.Layer("E", "english")
			p.Layer("G", "german")
			p.Layer("M", "member")
			p.Text(60, 80, 12, pdftest.Regular, "Plain words")
			p.Raw("/OC /E BDC BT /F1 12 Tf 60 700 Td (Notice) Tj ET EMC")
			p.Raw("/OC /G BDC BT /F1 12 Tf 61 702 Td (Hinweis) Tj ET EMC")
			p.Raw("/OC /M BDC BT /F1 12 Tf 60 600 Td (Terms) Tj ET EMC")
			if diff := cmp.Diff(c.want, apply(t, f).Problems); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
