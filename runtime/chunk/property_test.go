package chunk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// words that provoke: codes, abbreviations, broken words, marks, other scripts, the unbreakable.
var vocabulary = []string{"wages", "The", "register", "Rs.", "5,000.", "No.", "3", "e.g.", "terms:", "CT-", "88231", "termi-", "nal", "ends.", "Ends?",
	"(see", "below).", "•", "1.", "a)", "|", "–", "वेतन", "薪资。", "é", "half;", "clause,", strings.Repeat("x", 90), strings.Repeat("-", 70), strings.Repeat("9", 130)}

func genText(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, most).Draw(t, "words"), " ")
	})
}

func genTable(page int) *rapid.Generator[*rag.Table] {
	return rapid.Custom(func(t *rapid.T) *rag.Table {
		columns := rapid.IntRange(1, 12).Draw(t, "columns")
		table := &rag.Table{Place: rag.Place{Page: page}, Header: rapid.IntRange(0, 2).Draw(t, "header")}
		for range rapid.IntRange(1, 12).Draw(t, "rows") {
			row := rag.Row{Place: rag.Place{Page: page}}
			for range columns {
				text := ""
				if rapid.IntRange(0, 5).Draw(t, "empty") > 0 {
					text = genText(6).Draw(t, "cell")
				}
				row.Cells = append(row.Cells, rag.Cell{Text: text})
			}
			table.Rows = append(table.Rows, row)
		}
		return table
	})
}

func genPage(number int) *rapid.Generator[rag.Page] {
	return rapid.Custom(func(t *rapid.T) rag.Page {
		p := rag.Page{Number: number, Width: 600}
		tables := 0
		for i := range rapid.IntRange(0, 14).Draw(t, "blocks") {
			y := float64(i) * rapid.SampledFrom([]float64{12, 30}).Draw(t, "leading")
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				p.Blocks = append(p.Blocks, rag.Block{Heading: &rag.Heading{Text: genText(4).Draw(t, "heading"), Level: rapid.IntRange(1, 3).Draw(t, "level")}})
			case 1:
				tables++
				table := genTable(number).Draw(t, "table")
				table.Number = tables
				p.Blocks = append(p.Blocks, rag.Block{Table: table})
			default:
				text := genText(14).Draw(t, "line")
				p.Blocks = append(p.Blocks, rag.Block{Line: &rag.Line{Text: text, Box: rag.Box{X0: 50, Y0: y, X1: 50 + 4*float64(len(text)), Y1: y + 10}}})
			}
		}
		return p
	})
}

func genDocument() *rapid.Generator[rag.Document] {
	return rapid.Custom(func(t *rapid.T) rag.Document {
		d := rag.Document{ID: "d", Title: rapid.SampledFrom([]string{"", "Handbook", strings.Repeat("long title ", 40)}).Draw(t, "title")}
		for n := range rapid.IntRange(1, 4).Draw(t, "pages") {
			d.Pages = append(d.Pages, genPage(n+1).Draw(t, "page"))
		}
		return d
	})
}

func genOptions() *rapid.Generator[Options] {
	return rapid.Custom(func(t *rapid.T) Options {
		o := Options{
			Strategy: rapid.SampledFrom([]string{Recursive, Headings}).Draw(t, "strategy"),
			Size:     rapid.SampledFrom([]int{40, 200, 1200}).Draw(t, "size"),
			Window:   rapid.SampledFrom([]int{48, 96, 256}).Draw(t, "window"),
		}
		o.Overlap = rapid.IntRange(0, o.Size-1).Draw(t, "overlap")
		return o
	})
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc, o := genDocument().Draw(t, "document"), genOptions().Draw(t, "options")
		c, err := New(o, pieces{})
		if err != nil {
			t.Fatal(err)
		}
		chunks, err := c.Apply(context.Background(), doc)
		if err != nil {
			t.Fatal(err)
		}
		bounds(t, c, chunks)
		numbering(t, chunks)
		wholeRows(t, c, doc, chunks)
		wholeText(t, doc, chunks)
		again, err := c.Apply(context.Background(), doc)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(chunks, again); diff != "" {
			t.Fatalf("a second run differs:\n%s", diff)
		}
	})
}

// bounds: no piece is over the window; one over the size is a single row.
func bounds(t *rapid.T, c *Chunker, chunks []rag.Chunk) {
	for _, ch := range chunks {
		if n := (pieces{}).Count(ch.Search()); n > c.options.Window {
			t.Fatalf("%s piece %d: %d wordpieces", ch.Passage, ch.Piece, n)
		}
		if n := runes(ch.Body()); n > c.options.Size && (len(ch.Units) > 1 || ch.Units[0].Kind != rag.RowUnit) {
			t.Fatalf("%s piece %d: %d characters in %d units", ch.Passage, ch.Piece, n, len(ch.Units))
		}
	}
}

// numbering: pieces and ordinals count up without a gap, units are in order and
// new in every piece, names are unique to a unit.
func numbering(t *rapid.T, chunks []rag.Chunk) {
	next, last := map[string]int{}, map[string][2]int{}
	text := map[string]string{}
	for i, ch := range chunks {
		if ch.Ordinal != i || ch.Piece != next[ch.Passage] || ch.Place.Page < 1 {
			t.Fatalf("chunk %d: ordinal %d, %s piece %d, page %d", i, ch.Ordinal, ch.Passage, ch.Piece, ch.Place.Page)
		}
		next[ch.Passage]++
		at := [2]int{-1, 0}
		for _, u := range ch.Units {
			if now := [2]int{u.Order, u.Part}; slices.Compare(at[:], now[:]) >= 0 {
				t.Fatalf("%s piece %d: unit %s after order %v", ch.Passage, ch.Piece, u.Name, at)
			} else {
				at = now
			}
			key := fmt.Sprint(u.Name, " ", u.Part)
			if known, ok := text[key]; ok && known != u.Text {
				t.Fatalf("%s is both %q and %q", key, known, u.Text)
			}
			text[key] = u.Text
			if !strings.HasPrefix(u.Name, ch.Passage+".") || u.Part > u.Parts || (u.Parts == 1) || (u.Parts > 0) != (u.Part > 0) {
				t.Fatalf("unit %+v of %s", u, ch.Passage)
			}
		}
		if before, ok := last[ch.Passage]; ok && !ch.Table && slices.Compare(at[:], before[:]) <= 0 {
			t.Fatalf("%s piece %d brings nothing new", ch.Passage, ch.Piece)
		}
		last[ch.Passage] = at
	}
	for _, ch := range chunks {
		if ch.Pieces != next[ch.Passage] {
			t.Fatalf("%s has %d pieces, says %d", ch.Passage, next[ch.Passage], ch.Pieces)
		}
	}
}

// wholeRows: a table's row is cut only where it is over the window, and every
// cell is there, in its row and column or, from a header row, in the header.
func wholeRows(t *rapid.T, c *Chunker, doc rag.Document, chunks []rag.Chunk) {
	for _, p := range doc.Pages {
		for _, block := range p.Blocks {
			if block.Table != nil {
				wholeTable(t, c, *block.Table, tableName(p.Number, block.Table.Number), chunks)
			}
		}
	}
}

func wholeTable(t *rapid.T, c *Chunker, table rag.Table, name string, chunks []rag.Chunk) {
	width := len(table.Rows[0].Cells)
	joined := map[string][]string{}
	header := make([]string, width)
	headed := false
	for _, ch := range chunks {
		if ch.Passage != name {
			continue
		}
		for k, h := range ch.Header {
			headed = true
			if h != "" {
				header[k] = h
			}
		}
		for _, u := range ch.Units {
			if joined[u.Name] == nil {
				joined[u.Name] = make([]string, width)
			}
			for k, cell := range u.Cells {
				joined[u.Name][k] += cell
			}
		}
	}
	body := table.Rows
	if headed {
		for _, r := range body[:table.Header] {
			for k, cell := range texts(r) {
				if !strings.Contains(header[k], cell) {
					t.Fatalf("header cell %q isn't in %q", cell, header[k])
				}
			}
		}
		body = body[table.Header:]
	}
	for m, r := range body {
		uncut(t, c, rowName(name, m+1), strings.Join(texts(r), separator), chunks)
		for k, cell := range texts(r) {
			got := ""
			if row := joined[rowName(name, m+1)]; row != nil {
				got = row[k]
			}
			if letters(cell) != letters(got) {
				t.Fatalf("%s column %d is %q, want %q", rowName(name, m+1), k, got, cell)
			}
		}
	}
}

// uncut: a row comes in parts only where even alone it is over the window.
func uncut(t *rapid.T, c *Chunker, name, text string, chunks []rag.Chunk) {
	for _, ch := range chunks {
		for _, u := range ch.Units {
			whole := ch
			whole.Units = []rag.Unit{{Text: text}}
			if ch.Table && u.Name == name && u.Parts > 0 && !slices.Contains(ch.Header, "") && c.inWindow(whole) {
				t.Fatalf("%s was cut into %d though it fits", name, u.Parts)
			}
		}
	}
}

// wholeText: the prose comes out in its order, sign by sign. Hyphens at line
// ends may go, and a heading stands in the heading or in a unit.
func wholeText(t *rapid.T, doc rag.Document, chunks []rag.Chunk) {
	var want, got []string
	for _, p := range doc.Pages {
		for _, block := range p.Blocks {
			if block.Line != nil {
				want = append(want, block.Line.Text)
			}
		}
	}
	seen := map[string]bool{}
	var headings strings.Builder
	for _, ch := range chunks {
		headings.WriteString(letters(ch.Heading) + "\n")
		for _, u := range ch.Units {
			if key := fmt.Sprint(u.Name, " ", u.Part); !ch.Table && !seen[key] {
				seen[key] = true
				got = append(got, u.Text)
			}
		}
	}
	// A heading that no text stands under is a unit, and so is one that is too long to repeat.
	if a, b := letters(want...), letters(got...); !subsequence(a, b) {
		t.Fatalf("text was lost or moved:\n%s\n%s", a, b)
	}
	for _, p := range doc.Pages {
		for _, block := range p.Blocks {
			if block.Heading == nil || letters(block.Heading.Text) == letters(doc.Title) {
				continue
			}
			if h := letters(block.Heading.Text); !strings.Contains(headings.String(), h) && !strings.Contains(letters(got...), h) {
				t.Fatalf("heading %q is in no chunk", block.Heading.Text)
			}
		}
	}
}

// letters leaves out white space and hyphens.
func letters(texts ...string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' {
			return -1
		}
		return r
	}, strings.Join(texts, ""))
}

func subsequence(a, b string) bool {
	rest := []rune(a)
	for _, r := range b {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

func TestNamesAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := genDocument().Draw(t, "document")
		c, err := New(Options{Strategy: Recursive, Size: 1200, Overlap: 200, Window: 256}, pieces{})
		if err != nil {
			t.Fatal(err)
		}
		before, err := c.Apply(context.Background(), doc)
		if err != nil {
			t.Fatal(err)
		}
		longer := doc
		n := len(doc.Pages) + 1
		longer.Pages = append(slices.Clone(doc.Pages), rag.Page{Number: n, Blocks: []rag.Block{{Heading: &rag.Heading{Text: "Annex", Level: 1}}, {Line: &rag.Line{Text: "More."}}}})
		after, err := c.Apply(context.Background(), longer)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after[:min(len(before), len(after))]); diff != "" && len(before) > 0 && before[0].Title != "" {
			t.Fatalf("a page at the end changed what stood before it:\n%s", diff)
		}
	})
}
