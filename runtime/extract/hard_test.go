package extract_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// Files as they really come: each is the least that shows one way in which
// readers fail, with what a person reads there.
func TestHardText(t *testing.T) {
	cases := map[string]hardText{
		"NarrowSpaces": {"words stand a sixth of an em apart, without blanks", func(f *pdftest.File) {
			p, x := f.A4(), 60.0
			for _, w := range strings.Fields("SMITH, ALVARO R LEGISLATIVE CORRESPONDENT") {
				p.Text(x, 100, 10, pdftest.Regular, w)
				x += pdftest.Width(w, 10) + 1.6
			}
		}, "SMITH, ALVARO R LEGISLATIVE CORRESPONDENT"},
		"FakeBold": {"the same line four times, a hair apart", func(f *pdftest.File) {
			p := f.A4()
			for _, d := range []float64{0, 0.2, 0.4, 0.6} {
				p.Text(60+d, 100, 12, pdftest.Regular, "Millstone Synthetic Leather Ltd")
			}
		}, "Millstone Synthetic Leather Ltd"},
		"Ligature": {"two letters in one glyph, and a doubled one before it", func(f *pdftest.File) {
			f.Add("mac", "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /MacRomanEncoding >>", nil)
			p := f.A4()
			p.Font("F3", "mac")
			p.Text(60, 100, 12, "F3", "of\u00DEcers and \u00DFoors")
		}, "officers and floors"},
		"MappedLigature": {"one glyph that stands for the same letter twice", func(f *pdftest.File) {
			f.Unicode("ligatures", map[int]string{1: "o", 2: "ff", 3: "i", 4: "c", 5: "e", 6: "ffi"}, map[int]int{2: 700, 6: 900})
			p := f.A4()
			p.Font("F3", "ligatures")
			p.Coded(60, 100, 12, "F3", 1, 2, 3, 4, 5)
			p.Coded(60, 120, 12, "F3", 1, 6, 4, 5)
		}, "office\noffice"},
		"Turned": {"a page of text set upward, without saying so", func(f *pdftest.File) {
			p := f.A4()
			p.Turned(100, 500, 12, "The movie opens")
			p.Turned(120, 500, 12, "the next day")
		}, "The movie opens\nthe next day"},
		"Accents": {"letters of Western Europe", func(f *pdftest.File) {
			f.A4().Text(60, 100, 12, pdftest.Regular, "\u00e0 \u00c0 \u00e2 \u00c2 \u00e4 \u00c4 \u00e7 \u00c7 \u00e9 \u00df")
		}, "à À â Â ä Ä ç Ç é ß"},
		"DrawnAccent": {"the accent and its letter are drawn one over the other", func(f *pdftest.File) {
			p := f.A4()
			p.Text(60, 100, 12, pdftest.Regular, "J")
			p.Text(66, 100, 12, pdftest.Regular, "o")
			p.Text(67.3, 100, 12, pdftest.Regular, "\u00a8")
			p.Text(72.7, 100, 12, pdftest.Regular, "rg")
		}, "Jörg"},
		"Hebrew": {"glyphs stand right to left, an English word among them left to right", func(f *pdftest.File) {
			f.Unicode("hebrew", map[int]string{1: "ס", 2: "ך", 3: "ה", 4: "כ", 5: "ל"}, nil)
			p := f.A4()
			p.Font("F3", "hebrew")
			p.Coded(60, 100, 12, "F3", 5, 4, 3) // הכל, its last letter at the left
			p.Text(82, 100, 12, pdftest.Regular, "VAT")
			p.Coded(110, 100, 12, "F3", 2, 1)
		}, "סך VAT הכל"},
		"Vertical": {"Chinese columns from right to left, in a font that is not embedded", func(f *pdftest.File) {
			f.Add("song-about", "<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [-25 -254 1000 880] /Ascent 880 /Descent -120 /CapHeight 880 /ItalicAngle 0 /StemV 93 >>", nil)
			f.Add("song-glyphs", "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor {song-about} >>", nil)
			f.Add("song", "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light-UniGB-UCS2-V /Encoding /UniGB-UCS2-V /DescendantFonts [{song-glyphs}] >>", nil)
			p := f.A4()
			p.Font("F3", "song")
			p.Coded(200, 100, 14, "F3", '安', '徽', '公', '司')
			p.Coded(180, 100, 14, "F3", '成', '立', '日', '期')
		}, "安徽公司\n成立日期"},
		"Overprint": {"a form's X over the figures", func(f *pdftest.File) {
			p := f.A4()
			p.Text(60, 100, 12, pdftest.Regular, "11 111111111")
			p.Text(63, 100.4, 12, pdftest.Regular, "XXXXXXXXX")
		}, "11 111111111 XXXXXXXXX"},
		"NoteOnly": {"the text is an annotation with its own appearance", func(f *pdftest.File) {
			f.Add("look", "/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 3 0 R >> >>", []byte("BT /F1 12 Tf 2 5 Td (Hello World from a note) Tj ET"))
			f.Add("note", "<< /Type /Annot /Subtype /FreeText /Rect [60 700 260 720] /Contents (Hello World from a note) /DA (/F1 12 Tf) /F 4 /AP << /N {look} >> >>", nil)
			f.A4().Note("note")
		}, "Hello World from a note"},
		"FieldWithoutLook": {"a filled form whose values nobody has drawn; a password is not shown", func(f *pdftest.File) {
			f.Add("name", "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Alice Murugan) /Rect [150 735 350 755] /F 4 >>", nil)
			f.Add("secret", "<< /Type /Annot /Subtype /Widget /FT /Tx /Ff 8192 /T (secret) /V (hunter2) /Rect [150 705 350 725] /F 4 >>", nil)
			f.Catalog = "/AcroForm << /NeedAppearances true /Fields [{name} {secret}] >>"
			p := f.A4()
			p.Text(60, 100, 12, pdftest.Regular, "Name")
			p.Note("name")
			p.Note("secret")
		}, "Name Alice Murugan"},
	}
	readsLines(t, cases)
}

// grid draws rows of cells at column edges with a baseline every step points.
func grid(p *pdftest.Page, edges []float64, top, step float64, rows [][]string) {
	for i, row := range rows {
		for k, text := range row {
			p.Text(edges[k]+3, top+float64(i)*step, 9, pdftest.Regular, text)
		}
	}
}

func TestHardTables(t *testing.T) {
	states := [][]string{{"State", "2001", "2002", "2003"}, {"Kerala", "5738", "6633", "8864"}, {"Goa", "245", "216", "319"}, {"Sikkim", "164", "239", "103"}}
	edges := []float64{60, 160, 240, 320, 400}
	cases := map[string]struct {
		reason string
		draw   func(*pdftest.File)
		want   [][]string
	}{
		"Sideways": {"a ruled table turned anticlockwise", func(f *pdftest.File) {
			p := f.A4()
			for i, row := range states {
				x := 100 + 20*float64(i)
				for k, text := range row {
					p.Turned(x, 700-100*float64(k), 9, text)
				}
				p.Rule(x-13, 710, x-13, 310)
			}
			p.Rule(167, 710, 167, 310)
			for k := range 5 {
				p.Rule(87, 710-100*float64(k), 167, 710-100*float64(k))
			}
		}, states},
		"ShadedCells": {"shading behind the text of each cell, smaller than the cell", func(f *pdftest.File) {
			p := f.A4()
			for i := range states {
				for k := range 4 {
					p.Shade(edges[k]+2, 92+float64(i)*20, edges[k+1]-2, 104+float64(i)*20, 0.9)
				}
				p.Rule(60, 88+float64(i)*20, 400, 88+float64(i)*20)
			}
			p.Rule(60, 168, 400, 168)
			for _, x := range edges {
				p.Rule(x, 88, x, 168)
			}
			grid(p, edges, 101, 20, states)
		}, states},
		"WhiteRules": {"the grid is drawn in white over a shaded ground", func(f *pdftest.File) {
			p := f.A4()
			p.Shade(60, 88, 400, 168, 0.8)
			p.Raw("1 G")
			for i := range 5 {
				p.Rule(60, 88+float64(i)*20, 400, 88+float64(i)*20)
			}
			for _, x := range edges {
				p.Rule(x, 88, x, 168)
			}
			grid(p, edges, 101, 20, states)
		}, states},
		"TitledCell": {"a row's name stands above its figures in a cell without borders of its own", func(f *pdftest.File) {
			p := f.A4()
			rows := [][]string{{"Size", "Holdings", "Area", "Total"}, {"I", "39053", "0", "12142"}, {"UI", "7429", "0", "2088"}}
			tops := []float64{88, 108, 140, 160}
			for _, y := range tops {
				p.Rule(60, y, 400, y)
			}
			for k, x := range edges {
				p.Rule(x, 88, x, 108)
				p.Rule(x, 140, x, 160)
				if k == 0 || k == 4 {
					p.Rule(x, 108, x, 140)
				}
			}
			p.Text(63, 119, 9, pdftest.Regular, "MARGINAL (BELOW 1.0 HECTARE)")
			for i, y := range []float64{101, 134, 153} {
				grid(p, edges, y, 0, rows[i:i+1])
			}
		}, [][]string{{"Size", "Holdings", "Area", "Total"}, {"MARGINAL (BELOW 1.0 HECTARE) I", "39053", "0", "12142"}, {"UI", "7429", "0", "2088"}}},
		"CentredLabels": {"a label centred beside two rows, on a line of its own", func(f *pdftest.File) {
			p := f.A4()
			grid(p, edges, 100, 0, [][]string{{"Layers", "Language", "Score", "Time"}})
			for i, n := range []string{"6", "4", "2"} {
				y := 130 + 40*float64(i)
				grid(p, edges, y-9, 18, [][]string{{"", "OTSL", "0.96" + n, "2.7" + n}, {"", "HTML", "0.95" + n, "5.3" + n}})
				p.Text(63, y, 9, pdftest.Regular, n)
			}
		}, [][]string{{"Layers", "Language", "Score", "Time"}, {"6", "OTSL", "0.966", "2.76"}, {"", "HTML", "0.956", "5.36"},
			{"4", "OTSL", "0.964", "2.74"}, {"", "HTML", "0.954", "5.34"}, {"2", "OTSL", "0.962", "2.72"}, {"", "HTML", "0.952", "5.32"}}},
		"NamesAtTheLeft": {"names at the left of columns whose amounts stand at the right", func(f *pdftest.File) {
			p := f.A4()
			grid(p, []float64{60, 160, 260, 360}, 100, 0, [][]string{{"Code", "Debit", "Credit", "Note"}})
			for i, v := range []string{"12.50", "8.10", "99.00", "41.75", "3.20", "7.77"} {
				y := 120 + 16*float64(i)
				p.Text(60, y, 9, pdftest.Regular, "A"+string(rune('1'+i)))
				p.Text(250-pdftest.Width(v, 9), y, 9, pdftest.Regular, v)
				p.Text(350-pdftest.Width(v, 9), y, 9, pdftest.Regular, v)
				p.Text(360, y, 9, pdftest.Regular, "paid")
			}
		}, [][]string{{"Code", "Debit", "Credit", "Note"}, {"A1", "12.50", "12.50", "paid"}, {"A2", "8.10", "8.10", "paid"}, {"A3", "99.00", "99.00", "paid"},
			{"A4", "41.75", "41.75", "paid"}, {"A5", "3.20", "3.20", "paid"}, {"A6", "7.77", "7.77", "paid"}}},
		"EmptyColumn": {"a column between others, and the last one, bear a name and nothing else", func(f *pdftest.File) {
			p := f.A4()
			rows := [][]string{{"Code", "Signature", "Pay", "Remarks"}}
			for _, n := range []string{"1", "2", "3", "4", "5", "6"} {
				rows = append(rows, []string{"A" + n, "", "9,00" + n, ""})
			}
			grid(p, []float64{60, 160, 260, 360}, 100, 16, rows)
		}, [][]string{{"Code", "Signature", "Pay", "Remarks"}, {"A1", "", "9,001", ""}, {"A2", "", "9,002", ""}, {"A3", "", "9,003", ""},
			{"A4", "", "9,004", ""}, {"A5", "", "9,005", ""}, {"A6", "", "9,006", ""}}},
		"Overflow": {"a long name runs over the next column, empty there, and up to the one after it", func(f *pdftest.File) {
			p := f.A4()
			grid(p, []float64{60, 150, 190, 290}, 100, 14, [][]string{{"Name", "Days", "Company", "Pay"}, {"Anitha", "20", "Mill", "9,000"},
				{"Selvam", "21", "Applied", "9,100"}, {"Applied Materials Chennai", "", "Stores", "9,200"}, {"Priya", "22", "Mill", "9,300"}, {"Bo", "24", "Admin", "9,400"}})
		}, [][]string{{"Name", "Days", "Company", "Pay"}, {"Anitha", "20", "Mill", "9,000"}, {"Selvam", "21", "Applied", "9,100"},
			{"Applied Materials Chennai", "", "Stores", "9,200"}, {"Priya", "22", "Mill", "9,300"}, {"Bo", "24", "Admin", "9,400"}}},
		"Touching": {"names as long as their column touch the next one", func(f *pdftest.File) {
			p := f.A4()
			rows := [][]string{{"Name", "Post", "Pay"}, {"Anitha", "Clerk", "9,000"}, {"Selvam", "Driver", "9,100"}, {"Lakshmi Narayanan", "Fitter", "9,200"},
				{"Priya", "Clerk", "9,300"}, {"Bo", "Guard", "9,400"}, {"Karthik", "Driver", "9,500"}, {"Murugan", "Guard", "9,600"}}
			grid(p, []float64{60, 60 + pdftest.Width("Lakshmi Narayanan", 9), 240}, 100, 14, rows)
		}, [][]string{{"Name", "Post", "Pay"}, {"Anitha", "Clerk", "9,000"}, {"Selvam", "Driver", "9,100"}, {"Lakshmi Narayanan", "Fitter", "9,200"},
			{"Priya", "Clerk", "9,300"}, {"Bo", "Guard", "9,400"}, {"Karthik", "Driver", "9,500"}, {"Murugan", "Guard", "9,600"}}},
		"CutRow": {"the page's end cuts a row in two", func(f *pdftest.File) {
			first, second := f.A4(), f.A4()
			ruled := func(p *pdftest.Page, ys ...float64) {
				for _, y := range ys {
					p.Rule(60, y, 400, y)
				}
				for _, x := range edges {
					p.Rule(x, ys[0], x, ys[len(ys)-1])
				}
			}
			ruled(first, 700, 720, 740, 772)
			grid(first, edges, 713, 20, [][]string{{"Post", "Name", "Dept", "Pay"}, {"Clerk", "Anitha", "Mill", "9,000"}, {"Quality Control", "Selvam", "Stores", "9,100"}})
			ruled(second, 60, 80, 100, 120)
			grid(second, edges, 73, 20, [][]string{{"", "Kumar", "and Yard", ""}, {"Driver", "Priya", "Mill", "9,200"}, {"Guard", "Bo", "Mill", "9,300"}})
		}, [][]string{{"Post", "Name", "Dept", "Pay"}, {"Clerk", "Anitha", "Mill", "9,000"}, {"Quality Control", "Selvam Kumar", "Stores and Yard", "9,100"},
			{"Driver", "Priya", "Mill", "9,200"}, {"Guard", "Bo", "Mill", "9,300"}}},
		"Strips": {"a sheet wider than its paper: further columns on further pages", func(f *pdftest.File) {
			wide := []float64{60, 160, 330}
			left := [][]string{{"Emp ID", "Name", "Designation"}, {"E1", "Anitha", "Senior Accountant of the Mill and its Stores"}, {"E2", "Selvam", "Driver"}, {"E3", "Priya", "Clerk"}, {"E4", "Bo", "Guard"}}
			right := [][]string{{"Department", "Days", "Net Pay"}, {"Mill", "20", "9,810.50"}, {"Stores", "21", "14,909.50"}, {"Mill", "22", "28,076.50"}, {"Admin", "23", "49,311.50"}}
			grid(f.A4(), wide, 100, 14, left)
			grid(f.A4(), wide, 100, 14, right)
		}, [][]string{{"Emp ID", "Name", "Designation", "Department", "Days", "Net Pay"}, {"E1", "Anitha", "Senior Accountant of the Mill and its Stores", "Mill", "20", "9,810.50"},
			{"E2", "Selvam", "Driver", "Stores", "21", "14,909.50"}, {"E3", "Priya", "Clerk", "Mill", "22", "28,076.50"}, {"E4", "Bo", "Guard", "Admin", "23", "49,311.50"}}},
		"Groups": {"a name beside the rows it is for stands in each of them, an amount once", func(f *pdftest.File) {
			p := f.A4()
			for _, x := range []float64{60, 140, 220, 300} {
				p.Rule(x, 90, x, 174)
			}
			for i := range 7 {
				y, from, to := 90+14*float64(i), 60.0, 300.0
				if i == 2 || i == 3 || i == 5 { // within a group
					from, to = 140, 220
				}
				p.Rule(from, y, to, y)
			}
			for i, row := range [][]string{{"Site", "Day", "Hours"}, {"", "Monday", ""}, {"Mill", "Tuesday", "24.00"}, {"", "Wednesday", ""}, {"", "Monday", ""}, {"Store", "Friday", "16.00"}} {
				for k, text := range row {
					p.Text(66+80*float64(k), 100+14*float64(i), 9, pdftest.Regular, text)
				}
			}
		}, [][]string{{"Site", "Day", "Hours"}, {"Mill", "Monday", "24.00"}, {"Mill", "Tuesday", ""}, {"Mill", "Wednesday", ""}, {"Store", "Monday", "16.00"}, {"Store", "Friday", ""}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f)
			d := apply(t, f)
			ts := tables(d)
			if len(ts) != 1 {
				t.Fatalf("%s: %d tables, want 1:\n%s", c.reason, len(ts), extract.Text(d))
			}
			if diff := cmp.Diff(c.want, texts(ts[0].Rows)); diff != "" {
				t.Errorf("%s: rows (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// A form of each month on its own page looks like strips of one sheet, and is none.
func TestFormsAreNoStrips(t *testing.T) {
	f := &pdftest.File{}
	for _, month := range []string{"April", "May"} {
		grid(f.A4(), []float64{60, 200, 330}, 100, 14, [][]string{{"Emp ID", "Month", "Designation of the employee, with grade"}, {"E1", month, "9,000"}, {"E2", month, "9,100"}, {"E3", month, "9,200"}})
	}
	for _, table := range tables(apply(t, f)) {
		if n := len(table.Rows[0].Cells); n != 3 {
			t.Errorf("a table of %d columns, want 3", n)
		}
	}
}

// 1.9 KB of nested forms draw 10⁶ of the innermost one.
func TestBomb(t *testing.T) {
	f := &pdftest.File{}
	const levels, fan = 6, 10
	for i := range levels {
		inner := fmt.Sprintf("/X {level%d}", i+1)
		body := strings.Repeat("/X Do ", fan)
		if i == levels-1 {
			inner, body = "", "0 0 m 1 1 l S"
		}
		f.Add(fmt.Sprintf("level%d", i), "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << "+inner+" >> >>", []byte(body))
	}
	f.Add("look", "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /X {level0} >> >>", []byte(strings.Repeat("/X Do ", fan)))
	f.Add("note", "<< /Type /Annot /Subtype /Stamp /Rect [60 700 160 800] /F 4 /AP << /N {look} >> >>", nil)
	p := f.A4()
	p.Text(60, 100, 10, pdftest.Regular, "Terms of the lease")
	p.Note("note")
	d, err := extractor(t, extract.Limits{}).Apply(t.Context(), extract.File{Data: f.Bytes()})
	var e *extract.Error
	switch {
	case err == nil && !strings.Contains(allLines(d), "Terms of the lease") && len(d.Problems) == 0:
		t.Error("the text is lost, and nothing says so")
	case err != nil && !errors.As(err, &e):
		t.Errorf("error %v, want a typed one", err)
	}
}

func TestValues(t *testing.T) {
	f := &pdftest.File{}
	p := f.A4()
	edges := []float64{60, 160, 260, 360, 460}
	grid(p, edges, 100, 14, [][]string{{"Item", "Betrag", "Menge", "Share", "Code"}, {"Yarn", "1.234,56", "1.500", "12 %", "007"}, {"Dye", "(2.000,00)", "2.250", "8 %", "010"}, {"Cloth", "-5,00", "900", "80 %", "011"}})
	var got []string
	for _, r := range tables(apply(t, f))[0].Rows {
		line := ""
		for _, c := range r.Cells[1:] {
			if c.Value == nil {
				line += " ."
				continue
			}
			line += fmt.Sprintf(" %g", *c.Value)
		}
		got = append(got, line)
	}
	want := []string{" . . . .", " 1234.56 1500 12 .", " -2000 2250 8 .", " -5 900 80 ."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}
