package chunk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// pieces counts as a wordpiece tokenizer does, roughly: punctuation one each,
// words one for every four characters begun, two for the ends.
type pieces struct{}

func (pieces) Count(text string) int {
	n, word := 2, 0
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			word = 0
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			n++
			word = 0
		default:
			if word%4 == 0 {
				n++
			}
			word++
		}
	}
	return n
}

func chunker(tb testing.TB, o Options) *Chunker {
	tb.Helper()
	if o.Strategy == "" {
		o.Strategy = Recursive
	}
	if o.Size == 0 {
		o.Size, o.Overlap = 1200, 200
	}
	if o.Window == 0 {
		o.Window = 256
	}
	c, err := New(o, pieces{})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func apply(tb testing.TB, o Options, doc rag.Document) []rag.Chunk {
	tb.Helper()
	out, err := chunker(tb, o).Apply(context.Background(), doc)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// page lays out blocks: "# text" is a heading, "## text" one below it, "|a|b" lines in a row are a table
// with one header row, an empty line is a gap, everything else a line.
func page(number int, text string) rag.Page {
	p := rag.Page{Number: number, Width: 600, Height: 800}
	var table *rag.Table
	tables := 0
	y := 50.0
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		box := rag.Box{X0: 50, Y0: y, X1: 50 + 5*float64(len(line)), Y1: y + 10}
		y += 12
		if cells, ok := strings.CutPrefix(line, "|"); ok {
			if table == nil {
				tables++
				table = &rag.Table{Place: rag.Place{Page: number, Box: box}, Number: tables, Kind: rag.Ruled, Header: 1}
				p.Blocks = append(p.Blocks, rag.Block{Table: table})
			}
			row := rag.Row{Place: rag.Place{Page: number, Box: box}}
			for cell := range strings.SplitSeq(cells, "|") {
				row.Cells = append(row.Cells, rag.Cell{Text: cell, Box: box})
			}
			table.Rows = append(table.Rows, row)
			continue
		}
		table = nil
		if rank, heading, ok := strings.Cut(line, "# "); ok && strings.Trim(rank, "#") == "" {
			p.Blocks = append(p.Blocks, rag.Block{Heading: &rag.Heading{Text: heading, Level: 1 + len(rank), Box: box}})
		} else if line != "" {
			p.Blocks = append(p.Blocks, rag.Block{Line: &rag.Line{Text: line, Box: box}})
		}
	}
	return p
}

func document(pages ...string) rag.Document {
	d := rag.Document{ID: "handbook", Revision: "v2", Title: "Handbook"}
	for i, text := range pages {
		d.Pages = append(d.Pages, page(i+1, text))
	}
	return d
}

// outline writes a chunk a line: passage[piece/pieces][aliases], its heading where asked for, and its units.
func outline(chunks []rag.Chunk, headings bool) []string {
	var out []string
	for _, c := range chunks {
		var units []string
		for _, u := range c.Units {
			name := strings.TrimPrefix(u.Name, c.Passage)
			if u.Parts > 0 {
				name += fmt.Sprintf("(%d/%d)", u.Part, u.Parts)
			}
			units = append(units, name+" "+u.Text)
		}
		heading := ""
		if headings {
			heading = "(" + c.Heading + ") "
		}
		out = append(out, fmt.Sprintf("%s[%d/%d]%v %s%s", c.Passage, c.Piece, c.Pieces, c.Aliases, heading, strings.Join(units, " ¦ ")))
	}
	return out
}

func TestPassages(t *testing.T) {
	cases := map[string]struct {
		reason string
		doc    rag.Document
		want   []string
	}{
		"slugs": {
			"a heading names what stands under it, to the next one, over pages; a repeat is counted",
			document("# Rack Guide – Airflow & Cooling\nCold air enters at the front.\n# Notes\nOne.", "Still under notes, on page two.\n# Notes\nTwo."),
			[]string{
				"rack-guide-airflow-cooling[0/1][] .s1 Cold air enters at the front.",
				"notes[0/1][] .s1 One. ¦ .s2 Still under notes, on page two.",
				"notes-2[0/1][] .s1 Two.",
			},
		},
		"pages": {
			"text under no heading is its page's",
			document("Loose text.", "More of it."),
			[]string{"p1[0/1][] .s1 Loose text.", "p2[0/1][] .s1 More of it."},
		},
		"tables": {
			"a table has a passage of its own, answers to its heading too, and parts the prose around it",
			document("Before.\n|ID|Gross\n|ST001|75,000\nAfter.\n# Rates\n|Grade|Rate\n|A|65"),
			[]string{
				"p1[0/2][] .s1 Before.",
				"p1.t1[0/1][] .r1 ST001 | 75,000",
				"p1[1/2][] .s2 After.",
				"p1.t2[0/1][rates] .r1 A | 65",
			},
		},
		"bare heading": {
			"a heading without text is text; the title's own heading is in every chunk already",
			document("# Handbook\n# Annex\n# Leave\nTen days."),
			[]string{"annex[0/1][] .s1 Annex", "leave[0/1][] .s1 Ten days."},
		},
		"headings above": {
			"a heading without text is the context of those below it, and names them too",
			document("# Detention\n## Rates\n$65 an hour.\n|Size|Rate\n|40|65\n## Claims\n### How\nBy letter.\n## Cap\n# Annex\nNone.\n## A\nOne."),
			[]string{
				"rates[0/1][detention] (Detention: Rates) .s1 $65 an hour.",
				"p1.t1[0/1][rates detention] (Detention: Rates) .r1 40 | 65",
				"how[0/1][detention claims] (Detention: Claims: How) .s1 By letter.",
				"cap[0/1][detention] (Detention) .s1 Cap",
				"annex[0/1][] (Annex) .s1 None.",
				"a[0/1][] (A) .s1 One.",
			},
		},
		"title alone": {
			"a document of one heading isn't lost",
			document("# Handbook"),
			[]string{"handbook[0/1][] .s1 Handbook"},
		},
		"page-like heading": {
			"a heading can't take a page's name",
			document("# P1\nUnder it."),
			[]string{"p1-2[0/1][] .s1 Under it."},
		},
		"unnameable": {
			"a heading without letters still begins a passage",
			document("# ***\nUnder it.\n# वेतन नीति\nमासिक।"),
			[]string{"section[0/1][] .s1 Under it.", "वेतन-नीति[0/1][] .s1 मासिक।"},
		},
		"empty": {"nothing in, nothing out", document("", "  "), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, outline(apply(t, Options{}, c.doc), name == "headings above")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestUnits(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         []string
	}{
		"sentences over lines": {
			"a sentence goes on over the line's end",
			"Employees who complete five years of service are\nentitled to gratuity. It is paid within thirty days of\nleaving.",
			[]string{"Employees who complete five years of service are entitled to gratuity.", "It is paid within thirty days of leaving."},
		},
		"hyphens": {
			"a word broken at the line's end is mended, a code's hyphen stays",
			"The demurrage for containers held beyond the termi-\nnal's free time is billed under booking number CT-\n88231 in the month after.",
			[]string{"The demurrage for containers held beyond the terminal's free time is billed under booking number CT-88231 in the month after."},
		},
		"abbreviations": {
			"a point after an abbreviation or in a number ends nothing",
			"Mr. Selvam R. of Sundaram Pvt. Ltd. pays Rs. 5,000. See clause No. 3, e.g. the second part. No. That is all.",
			[]string{"Mr. Selvam R. of Sundaram Pvt. Ltd. pays Rs. 5,000.", "See clause No. 3, e.g. the second part.", "No. That is all."},
		},
		"questions": {
			"marks and closing quotes belong to the sentence they end",
			"“Who pays?” The shipper does! (See below.) The rest is free.",
			[]string{"“Who pays?”", "The shipper does!", "(See below.)", "The rest is free."},
		},
		"lists": {
			"an item is one unit, with the lines that go on with it",
			"The following are required for every claim that is made:\n• a signed form. It must be\noriginal.\n• the invoice\n1. first\n(b) second",
			[]string{"The following are required for every claim that is made:", "• a signed form. It must be original.", "• the invoice", "1. first", "(b) second"},
		},
		"labels": {
			"labelled values stay apart; a label alone waits for its value",
			"Invoice No: STL/2025-26/003\nDate: 12-04-2025\nBill To:\nWelspun India Ltd\nTotal payable: Rs. 5,000",
			[]string{"Invoice No: STL/2025-26/003", "Date: 12-04-2025", "Bill To: Welspun India Ltd", "Total payable: Rs. 5,000"},
		},
		"rows": {
			"three lines of four numbers are rows of a table nobody recognised",
			"ID Name Basic HRA DA Gross\nST001 Rajesh Kumar 50,000 15,000 10,000 75,000\nST002 Priya S 30,000 9,000 6,000 45,000\nST003 Murugan K 18,000 6,000 4,000 28,000\nAll amounts in rupees.",
			[]string{"ID Name Basic HRA DA Gross", "=ST001 Rajesh Kumar 50,000 15,000 10,000 75,000", "=ST002 Priya S 30,000 9,000 6,000 45,000", "=ST003 Murugan K 18,000 6,000 4,000 28,000", "All amounts in rupees."},
		},
		"two rows": {
			"two such lines are prose",
			"Between 1 and 2 in 2024 and 2025 there were 14 cases, and\nbetween 3 and 4 in 2023 and 2022 there were another 12 of them.",
			[]string{"Between 1 and 2 in 2024 and 2025 there were 14 cases, and between 3 and 4 in 2023 and 2022 there were another 12 of them."},
		},
		"scripts": {
			"other scripts end their sentences too",
			"薪资按月支付。年假十天。",
			[]string{"薪资按月支付。", "年假十天。"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, ch := range apply(t, Options{}, document(c.text)) {
				for _, u := range ch.Units {
					if u.Kind == rag.RowUnit {
						u.Text = "=" + u.Text
					}
					got = append(got, u.Text)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestTable(t *testing.T) {
	doc := document("# Register\n|ID|Name|Gross\n|ST001|Rajesh  Kumar|75,000\n||| \n|ST003||28,000")
	chunks := apply(t, Options{}, doc)
	row := func(name, text string, order int, y float64, n int, cells ...string) rag.Unit {
		return rag.Unit{Name: name, Kind: rag.RowUnit, Text: text, Cells: cells, Order: order,
			Place: rag.Place{Page: 1, Box: rag.Box{X0: 50, Y0: y, X1: 50 + 5*float64(n), Y1: y + 10}}}
	}
	want := []rag.Chunk{{
		Document: "handbook-v2", Title: "Handbook", Passage: "p1.t1", Aliases: []string{"register"}, Heading: "Register",
		Piece: 0, Pieces: 1, Ordinal: 0, Table: true, Header: []string{"ID", "Name", "Gross"},
		Units: []rag.Unit{
			row("p1.t1.r1", "ST001 | Rajesh Kumar | 75,000", 0, 74, 27, "ST001", "Rajesh Kumar", "75,000"),
			row("p1.t1.r3", "ST003 |  | 28,000", 2, 98, 14, "ST003", "", "28,000"),
		},
		Place: rag.Place{Page: 1, Box: rag.Box{X0: 50, Y0: 74, X1: 185, Y1: 108}},
	}}
	if diff := cmp.Diff(want, chunks); diff != "" {
		t.Errorf("an empty row keeps its number but makes no unit (-want +got):\n%s", diff)
	}
}

func TestHeaderOverSeveralRows(t *testing.T) {
	cell := func(text string, x0, x1 float64) rag.Cell {
		return rag.Cell{Text: text, Box: rag.Box{X0: x0, Y0: 0, X1: x1, Y1: 10}}
	}
	head := []rag.Row{
		{Cells: []rag.Cell{cell("Employee", 0, 10), cell("Earnings", 10, 30), {}, cell("Net", 30, 40)}},
		{Cells: []rag.Cell{cell("ID", 0, 10), cell("Basic", 10, 20), cell("HRA", 20, 30), {}}},
	}
	want := []string{"Employee ID", "Earnings Basic", "Earnings HRA", "Net"}
	if diff := cmp.Diff(want, columns(head, nil)); diff != "" {
		t.Error(diff)
	}
}

func register(rows, columns int) rag.Document {
	var b strings.Builder
	for k := range columns {
		fmt.Fprintf(&b, "|Column %d", k)
	}
	for r := range rows {
		fmt.Fprintf(&b, "\n|ST%03d", r+1)
		for k := range columns - 1 {
			fmt.Fprintf(&b, "|%d,%03d", r, k)
		}
	}
	return document("# Register\n" + b.String())
}

func TestLongTable(t *testing.T) {
	chunks := apply(t, Options{}, register(60, 6))
	if len(chunks) < 3 {
		t.Fatalf("60 rows came in %d pieces, the window can't hold that", len(chunks))
	}
	var names []string
	for i, c := range chunks {
		if c.Piece != i || c.Pieces != len(chunks) || c.Ordinal != i || len(c.Header) != 6 {
			t.Errorf("piece %d is %d of %d with header %v", i, c.Piece, c.Pieces, c.Header)
		}
		for _, u := range c.Units {
			if u.Parts != 0 || len(u.Cells) != 6 {
				t.Errorf("row %s was cut", u.Name)
			}
			names = append(names, u.Name)
		}
	}
	var want []string
	for r := range 60 {
		want = append(want, fmt.Sprintf("p1.t1.r%d", r+1))
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestWideTables(t *testing.T) {
	cases := map[string]struct {
		reason  string
		columns int
		bands   bool
	}{
		"rows over the window":       {"the row is cut between cells, the header repeated whole", 40, false},
		"header over three quarters": {"the header is divided too", 90, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			doc := register(3, c.columns)
			chunks := apply(t, Options{Size: 4000}, doc)
			cells := map[string][]string{}
			header := make([]string, c.columns)
			for _, ch := range chunks {
				if n := strings.Count(strings.Join(ch.Header, ""), "Column"); (n < c.columns) != c.bands {
					t.Errorf("%s: header of %d columns", c.reason, n)
				}
				for k, h := range ch.Header {
					if h != "" {
						header[k] = h
					}
				}
				for _, u := range ch.Units {
					if u.Part < 1 || u.Part > u.Parts {
						t.Errorf("unit %s is part %d of %d", u.Name, u.Part, u.Parts)
					}
					if cells[u.Name] == nil {
						cells[u.Name] = make([]string, c.columns)
					}
					for k, cell := range u.Cells {
						cells[u.Name][k] += cell
					}
				}
			}
			table := doc.Pages[0].Blocks[1].Table
			for r, row := range table.Rows {
				got := header
				if r > 0 {
					got = cells[fmt.Sprintf("p1.t1.r%d", r)]
				}
				if diff := cmp.Diff(texts(row), got); diff != "" {
					t.Errorf("row %d joined from its parts (-want +got):\n%s", r, diff)
				}
			}
		})
	}
}

func TestHeaderThatIsProse(t *testing.T) {
	doc := document("|" + strings.Repeat("word ", 300) + "|b\n|c|d")
	chunks := apply(t, Options{}, doc)
	if chunks[0].Header != nil {
		t.Errorf("header %v", chunks[0].Header)
	}
	last := chunks[len(chunks)-1]
	if u := last.Units[len(last.Units)-1]; u.Name != "p1.t1.r2" || u.Text != "c | d" {
		t.Errorf("the last row is %s %q", u.Name, u.Text)
	}
}

func TestLongTitleAndHeading(t *testing.T) {
	doc := document("# " + strings.Repeat("heading ", 90) + "\nText.")
	doc.Title = strings.Repeat("title ", 200)
	c := apply(t, Options{}, doc)[0]
	for _, s := range []string{c.Title, c.Heading} {
		if n := (pieces{}).Count(s); n > 64 || !strings.HasSuffix(s, "…") {
			t.Errorf("%d wordpieces of a quarter of 256: %q", n, s)
		}
	}
	if !strings.HasPrefix(c.Units[0].Text, strings.Repeat("heading ", 60)) {
		t.Errorf("the heading's whole text is missing: %q", c.Units[0].Text)
	}
}

func TestOverlap(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "Sentence number %02d says something short.\n", i)
	}
	chunks := apply(t, Options{Size: 200, Overlap: 90}, document(b.String()))
	for i := 1; i < len(chunks); i++ {
		before, after := chunks[i-1].Units, chunks[i].Units
		if diff := cmp.Diff(before[len(before)-2:], after[:2]); diff != "" {
			t.Errorf("piece %d must begin with the last two sentences (82 characters) of the one before (-want +got):\n%s", i, diff)
		}
	}
	if len(chunks) < 4 {
		t.Errorf("only %d pieces", len(chunks))
	}
}

func TestHeadingsStrategy(t *testing.T) {
	para := func(name string) string {
		return strings.Repeat(name+" is a sentence of a paragraph here. ", 3) + "\n\n"
	}
	doc := document("# Clause\n" + para("Alpha") + para("Beta") + para("Gamma") + "# Other\nShort.")
	chunks := apply(t, Options{Strategy: Headings, Size: 300, Overlap: 100}, doc)
	var first []string
	for _, c := range chunks {
		first = append(first, c.Heading+": "+c.Units[0].Text)
	}
	want := []string{"Clause: Alpha is a sentence of a paragraph here.", "Clause: Gamma is a sentence of a paragraph here.", "Other: Short."}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("an over-long section is cut between paragraphs, without overlap (-want +got):\n%s", diff)
	}
}

// TestLetterhead holds that what stands over a document's title is no passage.
func TestLetterhead(t *testing.T) {
	long := strings.Repeat("a preamble of many words that says what follows ", 20)
	cases := map[string]struct {
		reason, strategy, text string
		want                   []string
	}{
		"running head": {"it goes with the first clause", Headings, "Crosstie – operations\n# Handbook\n## Clause\nFirst.\n## Other\nSecond.", []string{"clause: Crosstie – operations | First.", "other: Second."}},
		"table first":  {"until there is a clause with text", Headings, "Crosstie\n# Handbook\n## Items\n|Code|Price\n|A-17|5\n## Other\nSecond.", []string{"p1.t1: A-17 | 5", "other: Crosstie | Second."}},
		"nothing else": {"and is kept where none follows", Headings, "Crosstie\n# Handbook", []string{"handbook: Crosstie"}},
		"preamble":     {"a text of some length is a passage", Headings, long + "\n# Handbook\n## Clause\nFirst.", []string{"p1: " + strings.TrimSpace(long), "clause: First."}},
		"recursive":    {"pages are passages there", Recursive, "Crosstie\n# Handbook\n## Clause\nFirst.", []string{"p1: Crosstie", "clause: First."}},
		"other title":  {"over another heading it is the page's own text", Headings, "Crosstie\n# Clause\nFirst.", []string{"p1: Crosstie", "clause: First."}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, ch := range apply(t, Options{Strategy: c.strategy}, document(c.text)) {
				var units []string
				for _, u := range ch.Units {
					units = append(units, u.Text)
				}
				got = append(got, ch.Passage+": "+strings.Join(units, " | "))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestLongSentence(t *testing.T) {
	text := strings.Repeat("the carrier shall, where the consignee has so asked in writing; deliver the goods to another place ", 12)
	doc := rag.Document{ID: "d", Pages: []rag.Page{{Number: 1, Blocks: []rag.Block{{Line: &rag.Line{Text: text}}}}}}
	chunks := apply(t, Options{Size: 300}, doc)
	var parts []string
	for _, c := range chunks {
		for _, u := range c.Units {
			if u.Name != "p1.s1" || u.Part != len(parts)+1 || u.Order != 0 {
				t.Errorf("part %d is %s, part %d of %d", len(parts)+1, u.Name, u.Part, u.Parts)
			}
			parts = append(parts, u.Text)
		}
	}
	for _, p := range parts[:len(parts)-1] {
		if !strings.HasSuffix(p, ";") && !strings.HasSuffix(p, ",") {
			t.Errorf("cut inside a clause: %q", p)
		}
	}
	if got := strings.Join(parts, " "); got != strings.TrimSpace(text) {
		t.Errorf("the parts don't make the sentence: %q", got)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := chunker(t, Options{}).Apply(ctx, document("Text.")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	good := Options{Strategy: Recursive, Size: 1200, Overlap: 200, Window: 256}
	for want, change := range map[string]func(*Options){
		"strategy": func(o *Options) { o.Strategy = "Semantic" },
		"size":     func(o *Options) { o.Size = 0 },
		"overlap":  func(o *Options) { o.Overlap = 1200 },
		"window":   func(o *Options) { o.Window = 16 },
	} {
		o := good
		change(&o)
		if _, err := New(o, pieces{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got error %v, want one with %q", o, err, want)
		}
	}
	if _, err := New(good, nil); err == nil {
		t.Error("no counter was accepted")
	}
}
