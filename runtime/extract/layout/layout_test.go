package layout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// typed sets a text from x at a baseline, half an em a letter; spaces are gaps.
func typed(gs glyphs, x, y, size float64, text string) glyphs {
	object := uint64(len(gs) + 1)
	for _, r := range text {
		if r != ' ' {
			gs = append(gs, Glyph{
				Text: string(r), Rune: r, X: x, Y: y, Size: size, Object: object, Order: len(gs),
				Box: rag.Box{X0: x, Y0: y - 0.8*size, X1: x + size/2, Y1: y + 0.2*size}, Font: &Font{},
			})
		}
		x += size / 2
	}
	return gs
}

func lineTexts(gs glyphs) []string {
	var out []string
	for _, l := range gs.allLines(all(gs)) {
		out = append(out, l.Text())
	}
	return out
}

func all(gs glyphs) []int {
	out := make([]int, len(gs))
	for i := range out {
		out[i] = i
	}
	return out
}

func TestLines(t *testing.T) {
	cases := map[string]struct {
		reason string
		ink    func() glyphs
		want   []string
	}{
		"Words":     {"a gap of half an em ends a word", func() glyphs { return typed(nil, 10, 50, 10, "ST001 Mill") }, []string{"ST001 Mill"}},
		"Order":     {"content order does not matter", func() glyphs { return typed(typed(nil, 60, 50, 10, "Mill"), 10, 50, 10, "ST001") }, []string{"ST001 Mill"}},
		"Jitter":    {"baselines half a point apart are one line", func() glyphs { return typed(typed(nil, 10, 50, 10, "Gross"), 60, 50.5, 10, "12,000") }, []string{"Gross 12,000"}},
		"Pitch":     {"lines a third of an em apart stay apart when they overlap", func() glyphs { return typed(typed(nil, 10, 50, 10, "upper"), 10, 53, 10, "lower") }, []string{"upper", "lower"}},
		"Footnote":  {"a raised digit is no part of the number's word", func() glyphs { return typed(typed(nil, 10, 50, 10, "Total"), 35, 46, 6, "1") }, []string{"Total 1"}},
		"Browser":   {"a raised note of five sixths of the size, as browsers set it", func() glyphs { return typed(typed(nil, 10, 50, 12, "Opened"), 46, 45.2, 10, "[4]") }, []string{"Opened[4]"}},
		"Subscript": {"a lowered digit is", func() glyphs { return typed(typed(nil, 10, 50, 10, "H"), 15, 52, 6, "2") }, []string{"H2"}},
		"Kerning": {"a space that moves the pen back parts nothing", func() glyphs {
			return append(typed(nil, 10, 50, 10, "ab"), Glyph{Text: " ", Rune: ' ', X: 19, Y: 50, Size: 10, Order: 2, Box: rag.Box{X0: 16, Y0: 42, X1: 19, Y1: 52}},
				typed(nil, 18, 50, 10, "c")[0])
		}, []string{"abc"}},
		"Colon":       {"a tenth of an em is a space", func() glyphs { return typed(typed(nil, 10, 50, 10, ":"), 16.05, 50, 10, "Lok") }, []string{": Lok"}},
		"RightToLeft": {"visual order is turned into reading order", func() glyphs { return typed(nil, 10, 50, 10, "לכה ךס") }, []string{"סך הכל"}},
		"Vertical": {"stacked glyphs of one object are a column", func() glyphs {
			gs := glyphs{}
			for i, r := range []rune("縦書き") {
				y := 50 + float64(i)*12
				gs = append(gs, Glyph{Text: string(r), Rune: r, X: 10, Y: y, Size: 12, Object: 1, Order: i, Box: rag.Box{X0: 10, Y0: y - 10, X1: 22, Y1: y + 2}})
			}
			stacked(gs)
			return gs
		}, []string{"縦書き"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, lineTexts(c.ink())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestClean(t *testing.T) {
	twice := typed(nil, 10, 50, 10, "11")
	for _, g := range typed(nil, 10.5, 50, 10, "11") {
		g.Order += 10
		twice = append(twice, g)
	}
	ligature := glyphs{}
	for i := range 2 { // both letters share the ligature's box
		ligature = append(ligature, Glyph{Text: "f", Rune: 'f', X: 10, Y: 50, Size: 10, Object: 1, Order: i, Box: rag.Box{X0: 10, Y0: 42, X1: 16, Y1: 52}})
	}
	parted := append(glyphs(nil), ligature...) // browsers' fonts: each has a part of it
	parted[0].Box.X1, parted[1].Box.X0 = 13, 13
	cases := map[string]struct {
		reason string
		ink    glyphs
		want   Counts
		kept   int
	}{
		"FakeBold": {"printed twice half a point apart; the two digits stay two", twice, Counts{Duplicates: 2}, 2},
		"Ligature": {"the two f of an ffi share a box and are no duplicate", ligature, Counts{}, 2},
		"Parted":   {"the two f of an ff begin at one point, each in a box of its own", parted, Counts{}, 2},
		"Specks":   {"half a point cannot be read", typed(nil, 10, 50, 0.5, "tiny"), Counts{Specks: 4}, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			kept, counts := clean(c.ink)
			if counts != c.want || len(kept) != c.kept {
				t.Errorf("%s: %+v with %d kept, want %+v with %d", c.reason, counts, len(kept), c.want, c.kept)
			}
		})
	}
}

func TestFlow(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"Space":  {"lines of a cell are joined by a space", "Emp\nID", "Emp ID"},
		"Code":   {"a code broken after a hyphen or slash stays one code", "STL/2025-\n26/\n003", "STL/2025-26/003"},
		"Dash":   {"a dash with a space before it is none", "Gross -\nNet", "Gross - Net"},
		"Single": {"one line stays as it is", "12,000 -", "12,000 -"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := flow(c.in); got != c.want {
				t.Errorf("%s: %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

func TestNumeric(t *testing.T) {
	for in, want := range map[string]bool{
		"75,000": true, "(1,234)": true, "12 %": true, "₹1,23,456": true, "-": true, "n/a": true, "1.234,56": true,
		"Gross": false, "Sr Accountant": false, "ST001": true, "": false, "April 25": false,
	} {
		if got := numeric(in); got != want {
			t.Errorf("numeric(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestFrameIsUndone(t *testing.T) {
	b := rag.Box{X0: 10, Y0: 20, X1: 110, Y1: 32}
	for turn := Rightward; turn <= Downward; turn++ {
		f := Frame{Turn: turn, Width: 600, Height: 800}
		if got := f.Display(f.Read(b)); got != b {
			t.Errorf("turn %d: %v came back as %v", turn, b, got)
		}
	}
}

func cells(texts ...string) Row {
	r := Row{}
	for i, s := range texts {
		x := float64(i) * 100
		r.Cells = append(r.Cells, Cell{Text: s, Spans: 1, Box: rag.Box{X0: x + 5, Y0: 10, X1: x + 80, Y1: 20}})
	}
	r.Box = rag.Box{X0: 0, Y0: 10, X1: float64(len(texts)) * 100, Y1: 20}
	return r
}

func TestContinues(t *testing.T) {
	names := cells("Emp ID", "Name", "Gross")
	table := func(ruled bool, header int, edges []float64, rows ...Row) *Table {
		return &Table{Ruled: ruled, Edges: edges, Header: header, Rows: rows}
	}
	edges := []float64{0, 100, 200, 300}
	first := func() *Table {
		return table(true, 1, edges, names, cells("ST001", "Rajesh Kumar", "12,000"))
	}
	cases := map[string]struct {
		reason  string
		next    *Table
		between bool
		rows    int
		cut, ok bool
	}{
		"Plain":         {"same edges, no names", table(true, 0, edges, cells("ST002", "Priya", "9,000")), false, 1, false, true},
		"Drift":         {"edges may be three points off", table(true, 0, []float64{2, 103, 199, 301}, cells("ST002", "Priya", "9,000")), false, 1, false, true},
		"Repeated":      {"repeated names are left out", table(true, 1, edges, names, cells("ST002", "Priya", "9,000")), false, 1, false, true},
		"OtherNames":    {"other names make another table", table(true, 1, edges, cells("Item", "Text", "Rate"), cells("1", "Yarn", "310")), false, 0, false, false},
		"OtherEdges":    {"so do other columns", table(true, 0, []float64{0, 60, 200, 300}, cells("1", "Yarn", "310")), false, 0, false, false},
		"CutRow":        {"a row without key or numbers is the rest of the last one", table(true, 0, edges, cells("", "Sundaram", ""), cells("ST002", "Priya", "9,000")), false, 2, true, true},
		"KeylessTotals": {"a row without key but with numbers is a row", table(true, 0, edges, cells("", "", "21,000")), false, 1, false, true},
		"LinesBetween":  {"with lines between, only repeated names prove one table", table(true, 0, edges, cells("ST002", "Priya", "9,000")), true, 0, false, false},
		"EmptyColumn":   {"an unruled column that is empty on the second page is found again", table(false, 0, []float64{105, 150, 280}, Row{Cells: cells("x", "Priya", "9,000").Cells[1:]}), false, 1, false, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			head := first()
			head.Ruled = c.next.Ruled
			rows, cut, ok := head.Continues(c.next, c.between)
			if len(rows) != c.rows || cut != c.cut || ok != c.ok {
				t.Errorf("%s: %d rows, cut %v, %v; want %d, %v, %v", c.reason, len(rows), cut, ok, c.rows, c.cut, c.ok)
			}
			for _, r := range rows {
				if len(r.Cells) != head.Columns() {
					t.Errorf("%s: a row of %d cells", c.reason, len(r.Cells))
				}
			}
		})
	}
}

// A row of data taken for a second one of names does not come again with them.
func TestContinuesPastDoubtfulNames(t *testing.T) {
	names := cells("Emp ID", "Name", "Gross")
	edges := []float64{0, 100, 200, 300}
	head := &Table{Ruled: true, Edges: edges, Header: 2, Rows: []Row{names, cells("ST001", "Rajesh", "n/a"), cells("ST002", "Priya", "9,000")}}
	next := &Table{Ruled: true, Edges: edges, Header: 1, Rows: []Row{names, cells("ST003", "Murugan", "9,100")}}
	if rows, _, ok := head.Continues(next, true); !ok || len(rows) != 1 {
		t.Errorf("%d rows, %v; want 1", len(rows), ok)
	}
}

// A line in the style of the names is no row: other columns begin with it.
func TestAdoptLeavesNames(t *testing.T) {
	gs := typed(typed(nil, 5, 100, 9, "City"), 105, 100, 9, "Notes")
	gs = typed(gs, 205, 100, 9, "Since")
	line := gs.lines(gs.pick(Rightward, nil))[0]
	head := &Table{Edges: []float64{0, 100, 200, 300}, Header: 1, Rows: []Row{cells("Company", "Contact", "Phone"), cells("Mill", "Anitha", "98400")}}
	for k := range head.Rows[0].Cells {
		head.Rows[0].Cells[k].Bold = true
	}
	for _, bold := range []bool{false, true} {
		line.Bold = bold
		if _, ok := head.Adopt(&line); ok == bold {
			t.Errorf("bold %v: adopted %v", bold, ok)
		}
	}
}

// page sets lines, given by their baseline.
func page(number int, lines map[float64]string) *Page {
	var gs glyphs
	for _, y := range []float64{20, 400, 412, 424, 436, 780} {
		if s, ok := lines[y]; ok {
			gs = typed(gs, 50, y, 10, s)
		}
	}
	return Prepare(number, Sheet{Width: 600, Height: 800, Glyphs: gs})
}

func TestFindRunning(t *testing.T) {
	body := func(top, bottom string) map[float64]string {
		return map[float64]string{20: top, 400: "one body line", 412: "another", 424: "a third", 436: "the last", 780: bottom}
	}
	cases := map[string]struct {
		reason string
		pages  [][2]string // top and bottom line
		want   []string    // running lines of the last page
	}{
		"Counted":   {"a page number grows", [][2]string{{"A", "Page 1 of 3"}, {"B", "Page 2 of 3"}, {"C", "Page 3 of 3"}}, []string{"Page 3 of 3"}},
		"Constant":  {"the same words on every page", [][2]string{{"Sri Textiles", "x"}, {"Sri Textiles", "y"}}, []string{"Sri Textiles"}},
		"Payslips":  {"a number that grows but numbers no page is content", [][2]string{{"Payslip No 17", "a"}, {"Payslip No 18", "b"}}, nil},
		"Amounts":   {"rows that differ in their amounts are content", [][2]string{{"A", "Net pay 5,000"}, {"B", "Net pay 6,000"}}, nil},
		"Only":      {"a single page can't repeat anything, but says that it is the only one", [][2]string{{"Sri Textiles", "Page 1 of 1"}}, []string{"Page 1 of 1"}},
		"Total":     {"a number alone could be a total", [][2]string{{"Sri Textiles", "1"}}, nil},
		"First":     {"the first of several pages that stand elsewhere", [][2]string{{"Sri Textiles", "Page 1 of 3"}}, nil},
		"Different": {"other words are other lines", [][2]string{{"North", "x"}, {"South", "y"}}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var pages []*Page
			for i, p := range c.pages {
				pages = append(pages, page(i+1, body(p[0], p[1])))
			}
			FindRunning(pages)
			var got []string
			a := pages[len(pages)-1].Analyse()
			for i := range a.Running {
				got = append(got, a.Running[i].Text())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestHeadingAt(t *testing.T) {
	line := func(text string, y, size float64, bold bool) Piece {
		gs := typed(nil, 50, y, size, text)
		l := gs.lines(all(gs))[0]
		l.Bold = bold
		return Piece{Line: &l}
	}
	body := line("The text before it ends here", 100, 10, false)
	cases := map[string]struct {
		reason string
		line   Piece
		want   bool
	}{
		"Large":    {"larger than the body", line("Annual leave", 130, 13, false), true},
		"Bold":     {"bold with whitespace above", line("Annual leave", 125, 10, true), true},
		"BoldRun":  {"bold within the text", line("Annual leave", 112, 10, true), false},
		"Numbered": {"bold and numbered, even within the text", line("2.1 Annual leave", 112, 10, true), true},
		"Sentence": {"a sentence, however large", line("Leave is granted.", 130, 13, false), false},
		"Pair":     {"a name with its value", line("Invoice No: STL/003", 130, 10, true), false},
		"Amount":   {"no letters", line("75,000", 130, 13, true), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, _, ok := HeadingAt([]Piece{body, c.line}, 1, Style{Body: 10}); ok != c.want {
				t.Errorf("%s: %v, want %v", c.reason, ok, c.want)
			}
		})
	}
}

func TestUnwrap(t *testing.T) {
	line := func(y float64, texts ...string) record {
		r := record{cells: make([]Cell, len(texts)), base: y, top: y - 7, bottom: y + 2}
		for k, s := range texts {
			if s != "" {
				r.put(k, s, rag.Box{X0: float64(k) * 100, Y0: y - 7, X1: float64(k)*100 + 50, Y1: y + 2}, nil)
			}
		}
		return r
	}
	none := func(a, b *record) bool { return false }
	cases := map[string]struct {
		reason string
		lines  []record
		want   []string // text of the second column of each row
	}{
		"Wrapped":  {"a close line without a key belongs to the row above", []record{line(100, "ST001", "Senior", "10"), line(111, "", "Accountant", ""), line(125, "ST002", "Clerk", "20"), line(150, "ST003", "Clerk", "30")}, []string{"Senior\nAccountant", "Clerk", "Clerk"}},
		"Centred":  {"a key centred beside a wrapped cell: both lines belong to its row", []record{line(94, "", "Senior", ""), line(100, "ST001", "", "10"), line(106, "", "Accountant", ""), line(130, "ST002", "Clerk", "20"), line(154, "ST003", "Clerk", "30"), line(178, "ST004", "Clerk", "40")}, []string{"Senior\nAccountant", "Clerk", "Clerk", "Clerk"}},
		"Separate": {"full lines are rows however close", []record{line(100, "ST001", "Clerk", "10"), line(110, "ST002", "Clerk", "20"), line(120, "ST003", "Clerk", "30")}, []string{"Clerk", "Clerk", "Clerk"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range unwrap(c.lines, 3, 9, none) {
				got = append(got, r.cells[1].Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestMeshesRefuseDrawings(t *testing.T) {
	many := make([]Ruling, 10_000)
	if _, ok := meshes(many, many); ok {
		t.Error("a hundred million crossings were compared")
	}
}
