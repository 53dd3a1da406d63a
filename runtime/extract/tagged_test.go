package extract_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// tagging draws a tagged table.
type tagging struct {
	file  *pdftest.File
	table *pdftest.Tag
}

func newTagging(f *pdftest.File) *tagging {
	return &tagging{file: f, table: &pdftest.Tag{Kind: "Table"}}
}

func (g *tagging) row() *pdftest.Tag {
	r := &pdftest.Tag{Kind: "TR"}
	g.table.Kids = append(g.table.Kids, r)
	return r
}

// cell draws lines of a cell below each other, and tags them.
func (g *tagging) cell(row *pdftest.Tag, kind, attributes string, page int, x, y float64, lines ...string) *pdftest.Tag {
	c := &pdftest.Tag{Kind: kind, Attributes: attributes}
	row.Kids = append(row.Kids, c)
	g.more(c, page, x, y, lines...)
	return c
}

func (g *tagging) more(c *pdftest.Tag, page int, x, y float64, lines ...string) {
	for i, l := range lines {
		g.file.Marked(c, page, func(p *pdftest.Page) { p.Text(x, y+11*float64(i), 9, pdftest.Regular, l) })
	}
}

// What the file's tags say of a table goes before what its looks let guess,
// where the page bears it out.
func TestTaggedTables(t *testing.T) {
	const number, note, amount = 60, 130, 400
	cases := map[string]struct {
		reason string
		draw   func(*tagging)
		header int
		want   [][]string
	}{
		"EmptyCells": {"browsers leave cells without content out of the tree", func(g *tagging) {
			g.file.A4()
			r := g.row()
			for k, x := range []float64{number, note + 100, amount} {
				g.cell(r, "TH", "", 0, x, 100, []string{"No", "Note", "Amount"}[k])
			}
			r = g.row()
			g.cell(r, "TD", "", 0, number, 114, "A-1")
			g.cell(r, "TD", "", 0, note, 114, "Paid late, since the goods of the second", "delivery were counted again at the gate")
			g.cell(r, "TD", "", 0, amount, 114, "12.50")
			r = g.row()
			g.cell(r, "TD", "", 0, number, 139, "A-2")
			g.cell(r, "TD", "", 0, amount, 139, "7.00")
			r = g.row()
			g.cell(r, "TD", "", 0, note, 153, "Carried over")
			g.cell(r, "TD", "", 0, amount, 153, "19.50")
		}, 1, [][]string{{"No", "Note", "Amount"}, {"A-1", "Paid late, since the goods of the second delivery were counted again at the gate", "12.50"}, {"A-2", "", "7.00"}, {"", "Carried over", "19.50"}}},
		"Spans": {"a name over two columns, a group beside two rows", func(g *tagging) {
			g.file.A4()
			r := g.row()
			g.cell(r, "TH", "/O /Table /RowSpan 2", 0, 60, 107, "Site")
			g.cell(r, "TH", "/O /Table /ColSpan 2", 0, 190, 100, "Hours")
			r = g.row()
			g.cell(r, "TH", "", 0, 150, 114, "Day")
			g.cell(r, "TH", "", 0, 250, 114, "Night")
			for i, n := range []string{"8", "6"} {
				y := 128 + 14*float64(i)
				r = g.row()
				if i == 0 {
					g.cell(r, "TD", "/O /Table /RowSpan 2", 0, 60, 135, "Mill")
				}
				g.cell(r, "TD", "", 0, 150, y, n)
				g.cell(r, "TD", "", 0, 250, y, "1"+n)
			}
		}, 2, [][]string{{"Site", "Hours", ""}, {"", "Day", "Night"}, {"Mill", "8", "18"}, {"Mill", "6", "16"}}},
		"Pages": {"one table over two pages: its names come again, a row is cut", func(g *tagging) {
			g.file.A4()
			g.file.A4()
			r := g.row()
			for k, x := range []float64{number, note, amount} {
				c := g.cell(r, "TH", "", 0, x, 760, []string{"No", "Note", "Amount"}[k])
				g.more(c, 1, x, 60, []string{"No", "Note", "Amount"}[k])
			}
			r = g.row()
			g.cell(r, "TD", "", 0, number, 774, "A-1")
			g.cell(r, "TD", "", 0, note, 774, "Paid")
			g.cell(r, "TD", "", 0, amount, 774, "12.50")
			r = g.row()
			g.cell(r, "TD", "", 0, number, 788, "A-2")
			c := g.cell(r, "TD", "", 0, note, 788, "Goods of the third")
			g.more(c, 1, note, 74, "delivery, 14 boxes")
			g.cell(r, "TD", "", 0, amount, 788, "7.00")
			r = g.row()
			g.cell(r, "TD", "", 1, number, 88, "A-3")
			g.cell(r, "TD", "", 1, note, 88, "Paid")
			g.cell(r, "TD", "", 1, amount, 88, "1.25")
		}, 1, [][]string{{"No", "Note", "Amount"}, {"A-1", "Paid", "12.50"}, {"A-2", "Goods of the third delivery, 14 boxes", "7.00"}, {"A-3", "Paid", "1.25"}}},
		"LinesAsRows": {"a tag for each line that a row wraps over", func(g *tagging) {
			g.file.A4()
			y := 100.0
			for _, row := range [][]string{
				{"Date", "Target", "Value"}, {"19-Sep-13", "Vysokogorsky Ore", "20"}, {"", "Mining and Processing", ""}, {"", "Plant", ""},
				{"30-Aug-13", "Minera MMX de Chile", "40"}, {"", "S.A.", ""}, {"23-Jul-13", "Black Iron Ltd.", "20"}, {"22-Jul-13", "Prosperity Minerals", "108"},
			} {
				if row[0] != "" {
					y += 6
				}
				r := g.row()
				for k, x := range []float64{number, note, amount} {
					if row[k] != "" {
						g.cell(r, "TD", "", 0, x, y, row[k])
					}
				}
				y += 11
			}
		}, 1, [][]string{{"Date", "Target", "Value"}, {"19-Sep-13", "Vysokogorsky Ore Mining and Processing Plant", "20"}, {"30-Aug-13", "Minera MMX de Chile S.A.", "40"}, {"23-Jul-13", "Black Iron Ltd.", "20"}, {"22-Jul-13", "Prosperity Minerals", "108"}}},
		"Untrue": {"tags that put two columns into one cell are not believed", func(g *tagging) {
			g.file.A4()
			for i, row := range [][]string{{"Kerala", "5738", "6633"}, {"Goa", "245", "216"}, {"Sikkim", "164", "239"}, {"Assam", "812", "733"}} {
				y := 100 + 14*float64(i)
				r := g.row()
				g.cell(r, "TD", "", 0, 60, y, row[0])
				c := g.cell(r, "TD", "", 0, 160, y, row[1])
				g.more(c, 0, 260, y, row[2])
			}
		}, 0, [][]string{{"Kerala", "5738", "6633"}, {"Goa", "245", "216"}, {"Sikkim", "164", "239"}, {"Assam", "812", "733"}}},
		"Half": {"tags on the first two of four columns do not tear the rows", func(g *tagging) {
			p := g.file.A4()
			for i, row := range [][]string{{"Kerala", "5738", "6633", "8864"}, {"Goa", "245", "216", "319"}, {"Sikkim", "164", "239", "103"}, {"Assam", "812", "733", "912"}} {
				y := 100 + 14*float64(i)
				r := g.row()
				g.cell(r, "TD", "", 0, 60, y, row[0])
				g.cell(r, "TD", "", 0, 160, y, row[1])
				p.Text(260, y, 9, pdftest.Regular, row[2])
				p.Text(360, y, 9, pdftest.Regular, row[3])
			}
		}, 0, [][]string{{"Kerala", "5738", "6633", "8864"}, {"Goa", "245", "216", "319"}, {"Sikkim", "164", "239", "103"}, {"Assam", "812", "733", "912"}}},
		"Label": {"a label beside five rows on three pages is printed on the first", func(g *tagging) {
			for i, row := range [][]string{{"Mill", "Anitha", "24"}, {"Store", "Selvam", "16"}, {"", "Priya", "12"}, {"", "Bo", "8"}, {"", "Karthik", "6"}, {"", "Murugan", "4"}, {"Yard", "Devi", "2"}} {
				page, y := i/3, 740+14*float64(i%3)
				if page > 0 {
					y -= 680
				}
				if i%3 == 0 {
					g.file.A4()
				}
				r := g.row()
				if row[0] != "" {
					span := ""
					if i == 1 {
						span = "/O /Table /RowSpan 5"
					}
					g.cell(r, "TD", span, page, 60, y, row[0])
				}
				g.cell(r, "TD", "", page, 160, y, row[1])
				g.cell(r, "TD", "", page, 260, y, row[2])
			}
		}, 0, [][]string{{"Mill", "Anitha", "24"}, {"Store", "Selvam", "16"}, {"Store", "Priya", "12"}, {"Store", "Bo", "8"}, {"Store", "Karthik", "6"}, {"Store", "Murugan", "4"}, {"Yard", "Devi", "2"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			g := newTagging(f)
			c.draw(g)
			f.Tags(g.table)
			d := apply(t, f)
			ts := tables(d)
			if len(ts) != 1 {
				t.Fatalf("%s: %d tables, want 1:\n%s", c.reason, len(ts), extract.Text(d))
			}
			if diff := cmp.Diff(c.want, texts(ts[0].Rows)); diff != "" {
				t.Errorf("%s: rows (-want +got):\n%s", c.reason, diff)
			}
			if ts[0].Header != c.header {
				t.Errorf("%s: %d rows of names, want %d", c.reason, ts[0].Header, c.header)
			}
		})
	}
}
