package extract_test

import (
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

var staffEdges = []float64{60, 110, 180, 400, 450, 490, 545}

// bands shades every second row of a register, from the first or the second on.
func bands(p *pdftest.Page, top float64, rows, first int) {
	for i := first; i < rows; i += 2 {
		p.Shade(60, top+16*float64(i)-11, 545, top+16*float64(i)+5, 0.9)
	}
}

// One table over several pages: what stands between its parts, and how the
// page's end cuts them.
func TestTablesOverPages(t *testing.T) {
	all := staff()
	wrapped := staff()
	wrapped[6][2] = "Driver of the lorry and of the bus to the station"
	forward := append(append(append([][]string{}, all[:7]...), []string{"", "Carried", "", "", "", "1,410.00"}, []string{"", "Brought", "", "", "", "1,410.00"}), all[7:]...)
	cases := map[string]struct {
		reason string
		draw   func(*pdftest.File)
		want   [][]string
	}{
		"Footnotes": {"each page ends with notes of its own, in smaller print; names stand on the first", func(f *pdftest.File) {
			from := 0
			for i, to := range []int{5, 9, 13} {
				p := f.A4()
				grid(p, staffEdges, 700-16*float64(to-from), 16, all[from:to])
				p.Text(60, 740, 7, pdftest.Regular, []string{"1", "2", "3"}[i]+" Days include leave under section 79 of the Act")
				p.Text(60, 749, 7, pdftest.Regular, "and under the rules of the company.")
				from = to
			}
		}, all},
		"Forward": {"the total so far is carried over, above rows without names", func(f *pdftest.File) {
			p := f.A4()
			grid(p, staffEdges, 500, 16, forward[:8])
			for y := 489.0; y < 620; y += 16 {
				p.Rule(60, y, 545, y)
			}
			p = f.A4()
			grid(p, staffEdges, 80, 16, forward[8:])
			for y := 69.0; y < 190; y += 16 {
				p.Rule(60, y, 545, y)
			}
		}, forward},
		"CutRowUnruled": {"the rest of a row has text in one column alone", func(f *pdftest.File) {
			first := append(append([][]string{}, wrapped[:6]...), append([]string{}, wrapped[6]...))
			first[6][2] = "Driver of the lorry and"
			grid(f.A4(), staffEdges, 650, 16, first)
			p := f.A4()
			grid(p, staffEdges, 80, 11, [][]string{{"", "", "of the bus to", "", "", ""}, {"", "", "the station", "", "", ""}})
			grid(p, staffEdges, 107, 16, wrapped[7:])
		}, wrapped},
		"CutRowShaded": {"where rows are shaded in turn the rest of one looks like names", func(f *pdftest.File) {
			first := append(append([][]string{}, wrapped[:6]...), append([]string{}, wrapped[6]...))
			first[6][2] = "Driver of the lorry and of the bus"
			p := f.A4()
			bands(p, 650, 7, 0)
			grid(p, staffEdges, 650, 16, first)
			p = f.A4()
			bands(p, 80, 7, 0)
			grid(p, staffEdges, 80, 16, append([][]string{{"", "", "to the station", "", "", ""}}, wrapped[7:]...))
		}, wrapped},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f)
			sole(t, c.reason, f, c.want)
		})
	}
}

// Tables with the same columns are two where the second has a title of its own.
func TestTitleParts(t *testing.T) {
	for name, title := range map[string]string{"Caption": "Table 2. Wages of the month of May", "Prose": "It was examined by the auditors, who found no reason to doubt it."} {
		t.Run(name, func(t *testing.T) {
			f, all := &pdftest.File{}, staff()
			grid(f.A4(), staffEdges, 600, 16, all[:8])
			p := f.A4()
			p.Text(60, 60, 9, pdftest.Regular, title)
			grid(p, staffEdges, 90, 16, append([][]string{all[0]}, all[8:]...))
			if n := len(tables(apply(t, f))); n != 2 {
				t.Errorf("%d tables, want 2", n)
			}
		})
	}
}
