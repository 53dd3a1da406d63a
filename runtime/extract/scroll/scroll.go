// Package scroll collects the content of a document that has no pages.
//
// Markup goes in piece by piece: headings, paragraphs, tables. Out comes a
// rag.Document of one page, number 1, of no size, on which every box is zero:
// nothing was laid out, so nothing has a place. Passages are named as ever, by
// heading slug and p1.t1. Nothing that goes in is missing from the page's lines.
package scroll

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const (
	maxLevel = 6
	// MaxCells bounds a table: spans can claim far more cells than a file has bytes.
	MaxCells = 1_000_000
)

// Scroll is a document that is being written. The zero value is empty.
type Scroll struct {
	page     rag.Page
	tables   int
	title    string
	problems []rag.Problem
	seen     bool // something to read went in
}

// Heading begins a section. Levels count from 1; deeper ones than 6 count as 6.
func (s *Scroll) Heading(level int, text string) {
	if text = single(text); text == "" {
		return
	}
	s.page.Blocks = append(s.page.Blocks, rag.Block{Heading: &rag.Heading{Text: text, Level: min(max(level, 1), maxLevel)}})
	s.keep(text)
	if s.title == "" {
		s.title = text
	}
}

// Paragraph adds a paragraph, an item of a list, or a line that stands by itself.
func (s *Scroll) Paragraph(text string) { s.line(text, true) }

// Continue adds a line that goes on where the one before ended.
func (s *Scroll) Continue(text string) { s.line(text, false) }

func (s *Scroll) line(text string, begins bool) {
	if text = single(text); text == "" {
		return
	}
	l := &rag.Line{Text: text, Begins: begins}
	s.page.Blocks = append(s.page.Blocks, rag.Block{Line: l})
	s.page.Lines = append(s.page.Lines, *l)
	s.seen = true
}

// Aside keeps text that belongs to the file but not to what it says (navigation,
// running headers): in the lines, as a PDF's running headers are, and in no block.
func (s *Scroll) Aside(text string) {
	if text = single(text); text != "" {
		s.keep(text)
	}
}

// Problem records what a person should know.
func (s *Scroll) Problem(reason, detail string) {
	s.problems = append(s.problems, rag.Problem{Reason: reason, Detail: detail})
}

// Table adds a table. Rows may differ in length; header is how many of them name
// the columns, as the markup says. Where it says nothing, below zero, a first row of names counts.
func (s *Scroll) Table(rows [][]string, header int) {
	rows = filled(rows)
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	if width == 0 {
		return
	}
	if header < 0 {
		header = named(rows, width)
	}
	s.tables++
	t := &rag.Table{Place: rag.Place{Page: 1}, Number: s.tables, Kind: rag.Ruled, Header: min(header, len(rows))}
	for _, r := range rows {
		row := rag.Row{Place: rag.Place{Page: 1}, Cells: make([]rag.Cell, width)}
		var texts []string
		for k, text := range r {
			if text = single(text); text != "" {
				row.Cells[k].Text = text
				texts = append(texts, text)
			}
		}
		t.Rows = append(t.Rows, row)
		s.keep(strings.Join(texts, " "))
	}
	s.page.Blocks = append(s.page.Blocks, rag.Block{Table: t})
}

// Document ends the document, and reports whether it says anything. Without a
// title it takes the first heading's.
func (s *Scroll) Document(title string) (rag.Document, bool) {
	s.page.Number = 1
	if title = single(title); title == "" {
		title = s.title
	}
	return rag.Document{Title: title, Pages: []rag.Page{s.page}, Problems: s.problems}, s.seen
}

func (s *Scroll) keep(text string) {
	s.page.Lines = append(s.page.Lines, rag.Line{Text: text, Begins: true})
	s.seen = true
}

// filled leaves out rows without any text.
func filled(rows [][]string) [][]string {
	var out [][]string
	for _, r := range rows {
		if single(strings.Join(r, "")) != "" {
			out = append(out, r)
		}
	}
	return out
}

// named reports, as a number of rows, whether the first row names the columns:
// every cell of it is filled and without a digit, and some cell below has one.
func named(rows [][]string, width int) int {
	if len(rows) < 2 || width < 2 || len(rows[0]) < width {
		return 0
	}
	for _, text := range rows[0] {
		if single(text) == "" || strings.ContainsFunc(text, unicode.IsDigit) {
			return 0
		}
	}
	for _, r := range rows[1:] {
		if strings.ContainsFunc(strings.Join(r, ""), unicode.IsDigit) {
			return 1
		}
	}
	return 0
}

// single makes spaces single, and what is no UTF-8 visible as such.
func single(text string) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, string(utf8.RuneError))
	}
	return strings.Join(strings.Fields(text), " ")
}
