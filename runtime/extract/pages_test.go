package extract_test

import (
	"slices"
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

// boxed rules a table; rows go on with the first column of the ones before.
func boxed(p *pdftest.Page, edges []float64, top float64, rows [][]string, on ...int) {
	right, bottom := edges[len(edges)-1], top+16*float64(len(rows))
	for i := range len(rows) + 1 {
		from := edges[0]
		if slices.Contains(on, i) {
			from = edges[1]
		}
		p.Rule(from, top+16*float64(i), right, top+16*float64(i))
	}
	for _, x := range edges {
		p.Rule(x, top, x, bottom)
	}
	printed := slices.Clone(rows)
	for _, i := range on {
		printed[i] = append([]string{""}, rows[i][1:]...)
	}
	grid(p, edges, top+11, 16, printed)
}

// One table over several pages: what stands between its parts, and how the
// page's end cuts them.
func TestTablesOverPages(t *testing.T) {
	all := staff()
	wrapped := staff()
	wrapped[6][2] = "Driver of the lorry and of the bus to the station"
	siteEdges := []float64{60, 160, 260, 360}
	sites := [][]string{{"Site", "Name", "Post"}, {"Mill", "Anitha", "Clerk"}, {"Mill", "Selvam", "Driver"}, {"Store", "Priya", "Guard"}, {"Store", "Bo", "Driver"},
		{"Store", "Karthik", "Guard"}, {"Store", "Murugan", "Clerk"}, {"Yard", "Devi", "Driver"}, {"Yard", "Mani", "Guard"}}
	remarks := [][]string{{"Note", "Name", "Pay"}, {"New", "Anitha", "9,100"}, {"", "Selvam", "9,200"}, {"Left", "Priya", "9,300"}, {"", "Bo", "9,400"}, {"", "Karthik", "9,500"}, {"New", "Devi", "9,600"}}
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
		"OtherPaper": {"two of four pages are turned: the columns are wider there, in the same proportions", func(f *pdftest.File) {
			broad := make([]float64, len(staffEdges))
			for k, x := range staffEdges {
				broad[k] = 40 + (x-60)*1.5
			}
			grid(f.A4(), staffEdges, 700, 16, all[:5])
			grid(f.A4Landscape(), broad, 80, 16, all[5:8])
			grid(f.A4Landscape(), broad, 80, 16, all[8:11])
			grid(f.A4(), staffEdges, 80, 16, all[11:])
		}, all},
		"OtherMargin": {"a ruled table nearer to the other side, its names again", func(f *pdftest.File) {
			boxed(f.A4(), staffEdges, 600, all[:7])
			aside := make([]float64, len(staffEdges))
			for k, x := range staffEdges {
				aside[k] = x - 35
			}
			boxed(f.A4(), aside, 80, append([][]string{all[0]}, all[7:]...))
		}, all},
		"Label": {"a label beside rows on both pages is printed on the first", func(f *pdftest.File) {
			boxed(f.A4(), siteEdges, 600, sites[:5], 2, 4)
			boxed(f.A4(), siteEdges, 80, [][]string{{"", "Karthik", "Guard"}, {"", "Murugan", "Clerk"}, {"Yard", "Devi", "Driver"}, {"", "Mani", "Guard"}}, 1, 3)
		}, sites},
		"NoLabel": {"an empty cell is no rest of a label where others of its column are empty too", func(f *pdftest.File) {
			boxed(f.A4(), siteEdges, 600, remarks[:4])
			boxed(f.A4(), siteEdges, 80, remarks[4:], 1)
		}, remarks},
		"LabelOnly": {"… and nothing else stands in its column on the second", func(f *pdftest.File) {
			boxed(f.A4(), siteEdges, 600, sites[:5], 2, 4)
			boxed(f.A4(), siteEdges, 80, [][]string{{"", "Karthik", "Guard"}, {"", "Murugan", "Clerk"}}, 1)
		}, sites[:7]},
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
