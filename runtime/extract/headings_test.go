package extract_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// headings are the levels and texts of a document's headings.
func headings(d rag.Document) []string {
	var out []string
	for _, p := range d.Pages {
		for _, b := range p.Blocks {
			if b.Heading != nil {
				out = append(out, fmt.Sprintf("%d %s", b.Heading.Level, b.Heading.Text))
			}
		}
	}
	return out
}

// What the outline and the tags name goes before what looks like a heading.
func TestNamedHeadings(t *testing.T) {
	cases := map[string]struct {
		reason string
		draw   func(*pdftest.File)
		want   []string
	}{
		"Outline": {"lines that look like any other are named by the outline, without their numbers", func(f *pdftest.File) {
			f.Catalog = "/Outlines {outline}"
			f.Add("outline", "<< /Type /Outlines /First {one} /Last {one} /Count 2 >>", nil)
			f.Add("one", "<< /Title (Leave) /Parent {outline} /Dest [{page 0} /Fit] /First {two} /Last {two} /Count 1 >>", nil)
			f.Add("two", "<< /Title (Casual leave) /Parent {one} /A << /S /GoTo /D [{page 0} /Fit] >> >>", nil)
			p := f.A4()
			p.Text(60, 100, 10, pdftest.Regular, "1. Leave")
			p.Text(60, 114, 10, pdftest.Regular, "Staff of the mill may take leave as this page says.")
			p.Text(60, 128, 10, pdftest.Regular, "1.1 Casual leave")
			p.Text(60, 142, 10, pdftest.Regular, "Twelve days a year, none of them carried over.")
		}, []string{"1 1. Leave", "2 1.1 Casual leave"}},
		"Tags": {"headings are marked as such and look like text", func(f *pdftest.File) {
			f.Catalog = "/MarkInfo << /Marked true >> /StructTreeRoot {tree}"
			f.Add("tree", "<< /Type /StructTreeRoot /K [{h} {h2} {p}] /ParentTree << /Nums [0 [{h} {h2} {p}]] >> >>", nil)
			f.Add("h", "<< /Type /StructElem /S /H1 /P {tree} /Pg {page 0} /K 0 >>", nil)
			f.Add("h2", "<< /Type /StructElem /S /H3 /P {tree} /Pg {page 0} /K [1] >>", nil)
			f.Add("p", "<< /Type /StructElem /S /P /P {tree} /Pg {page 0} /K 2 >>", nil)
			p := f.A4()
			p.Entries = "/StructParents 0"
			for i, text := range []string{"Leave.", "Casual leave", "Twelve days a year, none of them carried over."} {
				p.Raw(fmt.Sprintf("/P << /MCID %d >> BDC", i))
				p.Text(60, 100+20*float64(i), 10, pdftest.Regular, text)
				p.Raw("EMC")
			}
		}, []string{"1 Leave.", "3 Casual leave"}},
		"TagsAlone": {"where the tags name headings, bold lines are none, but a larger title that is only painted", func(f *pdftest.File) {
			h, p := &pdftest.Tag{Kind: "H2"}, &pdftest.Tag{Kind: "P"}
			f.A4().Text(60, 60, 20, pdftest.Bold, "Staff handbook")
			f.Marked(h, 0, func(page *pdftest.Page) { page.Text(60, 100, 13, pdftest.Bold, "Leave") })
			f.Marked(p, 0, func(page *pdftest.Page) {
				prose(page, 60, 120, "Every employee has a right to eighteen days of leave a year,", "and in addition to the public holidays of the state.")
				page.Text(60, 170, 10, pdftest.Bold, "For example:")
				prose(page, 60, 186, "Two weeks in May and the days between the holidays in December.")
			})
			f.Tags(h, p)
		}, []string{"1 Staff handbook", "2 Leave"}},
		"Untagged": {"the same page without tags", func(f *pdftest.File) {
			page := f.A4()
			page.Text(60, 60, 20, pdftest.Bold, "Staff handbook")
			page.Text(60, 100, 13, pdftest.Bold, "Leave")
			prose(page, 60, 120, "Every employee has a right to eighteen days of leave a year,", "and in addition to the public holidays of the state.")
			page.Text(60, 170, 10, pdftest.Bold, "For example:")
			prose(page, 60, 186, "Two weeks in May and the days between the holidays in December.")
		}, []string{"1 Staff handbook", "2 Leave", "3 For example:"}},
		"Code": {"most of the text is small code: prose, larger than it, is no heading", func(f *pdftest.File) {
			page := f.A4()
			page.Text(60, 60, 14, pdftest.Bold, "Opening a file")
			prose(page, 60, 80, "The handle that is returned has to be closed by whoever asked for", "it, in the same goroutine, as soon as nothing reads from it any more:", "otherwise it stays open until the process ends.")
			for i := range 30 {
				page.Text(60, 130+10*float64(i), 8, pdftest.Regular, "handle, err := store.Open(ctx, name, options); check(err)")
			}
			prose(page, 60, 450, "What it says is then to be found here")
			page.Text(60, 480, 14, pdftest.Bold, "Closing it")
			prose(page, 60, 500, "Closing twice does no harm, and the second call returns nothing.", "A handle that was closed can't be opened again.")
		}, []string{"1 Opening a file", "1 Closing it"}},
		"Paragraph": {"a paragraph in large type is no heading, neither as a whole nor line by line", func(f *pdftest.File) {
			page := f.A4()
			for i, s := range []string{"The board has looked at the figures of the year", "and thanks all who work in the mill for what they", "did in a spring in which nothing came on time"} {
				page.Text(60, 80+17*float64(i), 14, pdftest.Regular, s)
			}
			for i := range 12 {
				prose(page, 60, 160+14*float64(i), "Orders of the second quarter came in as they had been planned for,")
			}
		}, nil},
		"Items": {"the entries of a list are none, though the outline's titles say the same", func(f *pdftest.File) {
			f.Catalog = "/Outlines {outline}"
			f.Add("outline", "<< /Type /Outlines /First {one} /Last {one} /Count 1 >>", nil)
			f.Add("one", "<< /Title (Casual leave) /Parent {outline} /Dest [{page 0} /Fit] >>", nil)
			page := f.A4()
			page.Text(60, 80, 12, pdftest.Regular, "- Casual leave")
			page.Text(60, 110, 12, pdftest.Regular, "- Sick leave")
			page.Text(60, 150, 10, pdftest.Regular, "Casual leave")
			prose(page, 60, 170, "Twelve days a year, none of them carried over into the next one.", "Whoever falls ill during it says so on the first day of it.")
		}, []string{"1 Casual leave"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f)
			d := apply(t, f)
			if diff := cmp.Diff(c.want, headings(d)); diff != "" {
				t.Errorf("%s: headings (-want +got):\n%s\n%s", c.reason, diff, extract.Text(d))
			}
		})
	}
}
