package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// staff are twelve rows of a register under their names.
func staff() [][]string {
	rows := [][]string{{"Emp ID", "Name", "Designation", "Dept", "Days", "Net Pay"}}
	names := []string{"Anitha", "Selvam", "Priya", "Bo", "Karthik", "Murugan"}
	posts := []string{"Clerk", "Senior Accountant of the Mill and its Stores", "Driver", "Guard"}
	for i := range 12 {
		rows = append(rows, []string{fmt.Sprintf("E%d", 101+i), names[i%6], posts[i%4], "Mill", fmt.Sprint(20 + i%11), fmt.Sprintf("%d,810.50", 9+i)})
	}
	return rows
}

// columns are the columns [from, to) of rows.
func columns(rows [][]string, from, to int) [][]string {
	out := make([][]string, len(rows))
	for i := range rows {
		out[i] = slices.Clone(rows[i][from:to])
	}
	return out
}

// keyed are the columns [from, to) of rows behind the first one.
func keyed(rows [][]string, from, to int) [][]string {
	out := columns(rows, from, to)
	for i := range out {
		out[i] = append([]string{rows[i][0]}, out[i]...)
	}
	return out
}

// Sheets wider than their paper, as spreadsheets print them.
func TestStrips(t *testing.T) {
	wide := []float64{60, 130, 350, 430}
	bold := func(p *pdftest.Page, row []string) {
		for k, text := range row {
			p.Text(wide[k]+3, 100, 9, pdftest.Bold, text)
		}
	}
	strip := func(f *pdftest.File, rows [][]string) {
		p := f.A4()
		bold(p, rows[0])
		grid(p, wide, 114, 14, rows[1:])
	}
	all := staff()
	short := staff()
	for _, row := range short[11:] {
		copy(row[3:], []string{"", "", ""})
	}
	lone := staff()
	copy(lone[7][4:], []string{"", ""})
	top, rest := all[:8], append([][]string{all[0]}, all[8:]...)
	cases := map[string]struct {
		reason string
		draw   func(*pdftest.File)
		want   [][]string
	}{
		"OverThenDown": {"the further columns of a page's rows come before its further rows", func(f *pdftest.File) {
			for _, rows := range [][][]string{top, rest} {
				strip(f, columns(rows, 0, 3))
				strip(f, columns(rows, 3, 6))
			}
		}, all},
		"NamedOnce": {"names stand on the first sheet alone: what follows is dealt out like it", func(f *pdftest.File) {
			strip(f, columns(all[:8], 0, 3))
			strip(f, keyed(all[:8], 3, 6))
			for _, rows := range [][][]string{all[8:11], all[11:]} {
				grid(f.A4(), wide, 114, 14, columns(rows, 0, 3))
				grid(f.A4(), wide, 114, 14, keyed(rows, 3, 6))
			}
		}, all},
		"KeyAlone": {"the last rows have nothing but their names on the second sheet", func(f *pdftest.File) {
			strip(f, columns(short, 0, 3))
			strip(f, keyed(short, 3, 6))
		}, short},
		"ShortRow": {"one cell alone at a page's end looks like no row", func(f *pdftest.File) {
			for _, from := range []int{0, 3} {
				strip(f, columns(lone[:8], from, from+3))
				strip(f, columns(append([][]string{lone[0]}, lone[8:]...), from, from+3))
			}
		}, lone},
		"OneColumn": {"a strip of one column is no table on its page", func(f *pdftest.File) {
			strip(f, columns(all, 0, 2))
			strip(f, columns(all, 2, 3))
			strip(f, columns(all, 3, 6))
		}, all},
		"NamesAgain": {"each strip begins with the columns that name the rows", func(f *pdftest.File) {
			strip(f, columns(all, 0, 3))
			strip(f, keyed(all, 3, 5))
			strip(f, columns(all, 5, 6))
		}, all},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f)
			sole(t, c.reason, f, c.want)
		})
	}
}

// TestBandedStrips reads names that are shaded as every other row is: their strips
// join, and neither a shaded row below them nor a plain one is names.
func TestBandedStrips(t *testing.T) {
	f, all := &pdftest.File{}, append(staff(), staff()[1:]...)
	towns := []string{"Leeds", "Salem", "Erode", "York", "Karur"}
	for i := range all {
		all[i] = append(columns(all[i:i+1], 0, 3)[0], towns[i%5], []string{"yes", "no", "not yet"}[i%3], towns[i%4])
	}
	all[0] = []string{"Emp ID", "Name", "Designation", "Town", "Insured", "Born in"}
	for part := range 2 {
		for i, rows := range [][][]string{all[:13], append([][]string{all[0]}, all[13:]...)} {
			p := f.A4()
			for k := range rows {
				if k == 0 || k%2 != i {
					p.Shade(60, 90+14*float64(k), 580, 104+14*float64(k), 0.9)
				}
			}
			grid(p, []float64{60, 130, 250, 500}, 100, 14, columns(rows, 3*part, 3*part+3))
		}
	}
	sole(t, "bands under shaded names", f, all)
}

// sole reports an error unless a file's only table has these rows.
func sole(t *testing.T, reason string, f *pdftest.File, want [][]string) {
	t.Helper()
	d := apply(t, f)
	ts := tables(d)
	if len(ts) != 1 {
		t.Fatalf("%s: %d tables, want 1:\n%s", reason, len(ts), extract.Text(d))
	}
	if diff := cmp.Diff(want, texts(ts[0].Rows)); diff != "" {
		t.Errorf("%s: rows (-want +got):\n%s", reason, diff)
	}
}

// Small tables of other sheets stand where rows of the first one do, and are no strips.
func TestSheetsAreNoStrips(t *testing.T) {
	f, all := &pdftest.File{}, staff()
	p := f.A4()
	for k, x := range staffEdges[:6] {
		p.Text(x+3, 100, 9, pdftest.Bold, all[0][k])
	}
	grid(p, staffEdges, 114, 14, all[1:])
	p = f.A4()
	for i, row := range [][]string{{"Supplier", "Company", "Contact"}, {"Number", "Name", "Address"}} {
		for k, x := range []float64{60, 180, 350} {
			p.Text(x+3, 100+14*float64(i), 9, pdftest.Bold, row[k])
		}
	}
	grid(p, []float64{60, 180, 350}, 128, 14, [][]string{{"1", "Exotic Liquids", "Charlotte Cooper"}, {"2", "Cajun Delights", "Shelley Burke"}, {"3", "Tokyo Traders", "Yoshi Nagase"}})
	for _, table := range tables(apply(t, f)) {
		if n := len(table.Rows[0].Cells); n != 6 && n != 3 {
			t.Errorf("a table of %d columns, want 6 and 3", n)
		}
	}
}

// A page of rows without their names is the table's next page, not its next columns.
func TestFurtherRowsAreNoStrip(t *testing.T) {
	f, all := &pdftest.File{}, staff()
	grid(f.A4(), []float64{20, 70, 140, 380, 440, 520}, 100, 14, all[:8])
	grid(f.A4(), []float64{20, 80, 160, 390, 450, 520}, 100, 14, all[8:])
	for _, table := range tables(apply(t, f)) {
		if n := len(table.Rows[0].Cells); n != 6 {
			t.Errorf("a table of %d columns, want 6", n)
		}
	}
}

// Registers of programs that print lines of characters, and of others whose
// rows wrap in their own ways.
func TestPrintedRows(t *testing.T) {
	listing := func(f *pdftest.File, lines ...string) {
		p := f.A4Landscape()
		f.Add("courier", "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>", nil)
		p.Font("F9", "courier")
		for i, l := range lines {
			p.Raw(fmt.Sprintf("BT /F9 8 Tf 40 %d Td (%s) Tj ET", 500-10*i, strings.NewReplacer("(", "\\(", ")", "\\)").Replace(l)))
		}
	}
	edges := []float64{60, 120, 260, 340, 420}
	cases := map[string]struct {
		reason string
		draw   func(*pdftest.File)
		want   [][]string
	}{
		"Bars": {"rulings set of dashes and bars are no text of the cells", func(f *pdftest.File) {
			listing(f, "+------+--------------------+----------+", "| Code | Item               |   Amount |", "+------+--------------------+----------+",
				"| A1   | Yarn               |   120.00 |", "| A2   | Dye for the north  |    95.50 |", "|      | mill and yard ref. |          |", "|      | 610/17             |          |",
				"| A3   | Boots              | 1,000.00 |", "| A4   | Freight            |    12.00 |", "+------+--------------------+----------+")
		}, [][]string{{"Code", "Item", "Amount"}, {"A1", "Yarn", "120.00"}, {"A2", "Dye for the north mill and yard ref. 610/17", "95.50"}, {"A3", "Boots", "1,000.00"}, {"A4", "Freight", "12.00"}}},
		"LongCells": {"most lines of a register are the rest of its descriptions", func(f *pdftest.File) {
			p := f.A4()
			y := 100.0
			for _, row := range [][]string{{"Code", "Item", "Qty", "Amount"}, {"A1", "Yarn of dyed cotton\nfor the north mill by\nquarterly contract in\nparts and with labour\nand freight charges", "12", "120.00"},
				{"A2", "Disposal of waste by\nmaintenance contract", "3", "95.50"}, {"A3", "Replacement bearings\nfor all of the looms and\nspare parts and boots\nand forklift rental and\ncanteen printing", "7", "1,000.00"}} {
				for k, text := range row {
					for n, l := range strings.Split(text, "\n") {
						p.Text(edges[k]+3, y+11*float64(n), 9, pdftest.Regular, l)
					}
				}
				y += 11 * float64(1+strings.Count(row[1], "\n"))
			}
		}, [][]string{{"Code", "Item", "Qty", "Amount"}, {"A1", "Yarn of dyed cotton for the north mill by quarterly contract in parts and with labour and freight charges", "12", "120.00"},
			{"A2", "Disposal of waste by maintenance contract", "3", "95.50"}, {"A3", "Replacement bearings for all of the looms and spare parts and boots and forklift rental and canteen printing", "7", "1,000.00"}}},
		"Bottom": {"cells stand at the bottom of their rows, and all lines are as far apart", func(f *pdftest.File) {
			p := f.A4()
			y := 100.0
			for _, row := range [][]string{{"Code", "Item", "Qty", "Amount"}, {"A1", "Yarn of dyed cotton for\nthe north mill", "12", "120.00"}, {"A2", "Boots", "3", "95.50"},
				{"A3", "Replacement bearings\nfor looms and for other\nmachines", "7", "80.00"}, {"A4", "Disposal of waste from\nthe dye house", "8", "81.00"}} {
				lines := strings.Split(row[1], "\n")
				for k, l := range lines {
					p.Text(edges[1]+3, y+12*float64(k), 9, pdftest.Regular, l)
				}
				y += 12 * float64(len(lines)-1)
				for _, k := range []int{0, 2, 3} {
					p.Text(edges[k]+3, y, 9, pdftest.Regular, row[k])
				}
				y += 12
			}
		}, [][]string{{"Code", "Item", "Qty", "Amount"}, {"A1", "Yarn of dyed cotton for the north mill", "12", "120.00"}, {"A2", "Boots", "3", "95.50"},
			{"A3", "Replacement bearings for looms and for other machines", "7", "80.00"}, {"A4", "Disposal of waste from the dye house", "8", "81.00"}}},
		"ShadedNames": {"the names are shaded cell by cell, the rows below neither shaded nor ruled, and wrapped", func(f *pdftest.File) {
			p := f.A4()
			for k := range edges[1:] {
				p.Shade(edges[k], 88, edges[k+1], 104, 0.8)
			}
			grid(p, edges, 100, 16, [][]string{{"Code", "Item", "Qty", "Amount"}, {"A1", "Yarn of dyed cotton for", "12", "120.00"}})
			p.Text(edges[1]+3, 126, 9, pdftest.Regular, "the north mill")
			grid(p, edges, 142, 16, [][]string{{"A2", "Boots", "3", "95.50"}, {"A3", "Freight", "7", "80.00"}, {"A4", "Dye", "8", "81.00"}})
		}, [][]string{{"Code", "Item", "Qty", "Amount"}, {"A1", "Yarn of dyed cotton for the north mill", "12", "120.00"}, {"A2", "Boots", "3", "95.50"}, {"A3", "Freight", "7", "80.00"}, {"A4", "Dye", "8", "81.00"}}},
		"GroupsInBold": {"the bold name of a group stands as close below a row as its own lines do", func(f *pdftest.File) {
			p, y := f.A4(), 100.0
			for _, row := range [][]string{{"Code", "Item", "Qty", "Amount"}, {"North"}, {"A1", "Yarn of dyed cotton for\nthe north mill", "12", "120.00"}, {"A2", "Boots", "3", "95.50"},
				{"South"}, {"A3", "Replacement bearings\nfor looms", "7", "80.00"}, {"East"}, {"A4", "Freight", "1", "9.00"}, {"A5", "Disposal of waste from\nthe dye house", "8", "81.00"}} {
				font, lines := pdftest.Regular, 1
				if len(row) == 1 || row[0] == "Code" {
					font = pdftest.Bold
				}
				for k, text := range row {
					for n, l := range strings.Split(text, "\n") {
						p.Text(edges[k]+3, y+10*float64(n), 9, font, l)
						lines = max(lines, n+1)
					}
				}
				y += 10 * float64(lines)
				if len(row) > 1 && row[0] != "Code" {
					y += 6
				}
			}
		}, [][]string{{"Code", "Item", "Qty", "Amount"}, {"North", "", "", ""}, {"A1", "Yarn of dyed cotton for the north mill", "12", "120.00"}, {"A2", "Boots", "3", "95.50"},
			{"South", "", "", ""}, {"A3", "Replacement bearings for looms", "7", "80.00"}, {"East", "", "", ""}, {"A4", "Freight", "1", "9.00"}, {"A5", "Disposal of waste from the dye house", "8", "81.00"}}},
		"Seam": {"amounts end a fifth of an em before the states beside them", func(f *pdftest.File) {
			p := f.A4()
			for i, row := range [][]string{{"Code", "Amount", "State"}, {"A1", "120.00", "Open"}, {"A2", "1,095.50", "Paid"}, {"A3", "80.00", "Cancelled"}, {"A4", "7.25", "Open"}, {"A5", "12,400.00", "Part paid"}} {
				y := 100 + 14*float64(i)
				p.Text(60, y, 9, pdftest.Regular, row[0])
				p.Right(180, y, 9, pdftest.Regular, row[1])
				p.Text(182, y, 9, pdftest.Regular, row[2])
			}
		}, [][]string{{"Code", "Amount", "State"}, {"A1", "120.00", "Open"}, {"A2", "1,095.50", "Paid"}, {"A3", "80.00", "Cancelled"}, {"A4", "7.25", "Open"}, {"A5", "12,400.00", "Part paid"}}},
		"CutUnderNames": {"the page's end cuts a row in two, and the names stand again above its rest", func(f *pdftest.File) {
			names := []string{"Code", "Item", "Qty", "Amount"}
			first, second := f.A4(), f.A4()
			for _, p := range []*pdftest.Page{first, second} {
				for _, y := range []float64{88, 104, 120, 136, 152} {
					p.Rule(60, y, 420, y)
				}
				for _, x := range edges {
					p.Rule(x, 88, x, 152)
				}
			}
			grid(first, edges, 100, 16, [][]string{names, {"A1", "Yarn", "12", "120.00"}, {"A2", "Boots", "3", "95.50"}, {"A3", "Freight of the north", "7", "80.00"}})
			grid(second, edges, 100, 16, [][]string{names, {"", "mill", "", ""}, {"A4", "Dye", "8", "81.00"}, {"A5", "Cloth", "9", "82.00"}})
		}, [][]string{{"Code", "Item", "Qty", "Amount"}, {"A1", "Yarn", "12", "120.00"}, {"A2", "Boots", "3", "95.50"}, {"A3", "Freight of the north mill", "7", "80.00"},
			{"A4", "Dye", "8", "81.00"}, {"A5", "Cloth", "9", "82.00"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f)
			sole(t, c.reason, f, c.want)
		})
	}
}

// TestWrappedPhones keeps ruled rows whole whose names and numbers are wrapped: a cell
// of one line beside them says that they are rows.
func TestWrappedPhones(t *testing.T) {
	f := &pdftest.File{}
	p := f.A4()
	ys, left := []float64{88, 106, 134, 162, 180, 208}, []float64{64, 164, 264}
	for _, y := range ys {
		p.Rule(60, y, 360, y)
	}
	for _, x := range []float64{60, 160, 260, 360} {
		p.Rule(x, ys[0], x, ys[len(ys)-1])
	}
	for i, rows := range [][][]string{
		{{"Company", "Phone", "Town"}}, {{"Blue Ocean", "+65 330 8768", "Leeds"}, {"Trading", "874", ""}}, {{"Brown and", "+46 718 2911", "Paris"}, {"Partners", "403", ""}},
		{{"Acme", "+27 993 336", "York"}}, {{"Kowalski i", "+75 475 5014", "Lyon"}, {"Syn", "532", ""}},
	} {
		grid(p, left, ys[i]+12, 11, rows)
	}
	sole(t, "two lines of a number and of a name, beside one of a town, are one ruled row", f, [][]string{
		{"Company", "Phone", "Town"}, {"Blue Ocean Trading", "+65 330 8768 874", "Leeds"}, {"Brown and Partners", "+46 718 2911 403", "Paris"},
		{"Acme", "+27 993 336", "York"}, {"Kowalski i Syn", "+75 475 5014 532", "Lyon"}})
}
