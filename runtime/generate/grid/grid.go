// Package grid puts tables together again from the rows that stand in a prompt.
//
// A rag.PromptContext enters; tables leave, whose columns have a kind, whose
// totals, repeated headers and group headings are told apart from rows of data,
// and whose every row knows the unit it came from. Nothing is added to what the
// prompt holds. What it cannot tell apart it reports in Doubts, so that nothing
// is counted on a guess.
package grid

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Table is one table as far as it stands in the prompt.
type Table struct {
	Document, Title, Heading, Passage string
	Evidence                          string

	Columns   []Column
	Rows      []Row     // rows of data, as printed
	Summaries []Summary // totals and the like, as printed
	Key       int       // column that names a row; -1 when none does
	Name      int       // column that a person would call a row by; -1 when none
	Lost      int       // rows known to be missing
	Sections  []string  // headings that its pieces stand under, if they differ
	Doubts    []string  // why a count of this table would be a guess
}

// Row is one row of data.
type Row struct {
	Cells []string
	Group string // heading above it: a row of the table, or what its piece stands under if pieces differ
	Refs  []Ref  // the units it was printed in: its own, and continuation lines
	Adds  bool   // it equals the sum of rows above it, which may be chance
}

// Summary is a row that adds others up.
type Summary struct {
	Label string
	Cells []string
	Refs  []Ref
	Group string
	After int // how many rows of data stand above it

	Unnamed bool // it is not called a total, but adds up the rows above it
}

// Ref names a unit of the prompt: indexes into Hits and Hits[Hit].Units.
type Ref struct{ Hit, Unit int }

// Tables returns the tables of the prompt, best-ranked first. Rows found in
// plain text make a table without columns.
func Tables(in rag.PromptContext) []Table {
	groups := map[[2]string]int{}
	var drafts []*draft
	for _, h := range handles(in) {
		hit, unit := in.Hits[h.Hit], in.Hits[h.Hit].Units[h.Unit]
		if unit.Kind != rag.RowUnit {
			continue
		}
		k := identity(hit)
		n, ok := groups[k]
		if !ok {
			n = len(drafts)
			groups[k] = n
			drafts = append(drafts, newDraft(hit))
		}
		drafts[n].columns(hit.Header)
		drafts[n].part(hit)
		drafts[n].add(unit, Ref{h.Hit, h.Unit})
	}
	for _, hit := range in.Hits { // what is lost counts, even where no row is left
		n, ok := groups[identity(hit)]
		if !ok && hit.Lost > 0 {
			n = len(drafts)
			groups[identity(hit)] = n
			drafts = append(drafts, newDraft(hit))
			ok = true
		}
		if ok {
			drafts[n].table.Lost += hit.Lost
		}
	}
	var out []Table
	for _, d := range drafts {
		if !d.form() {
			out = append(out, d.finish())
		}
	}
	return out
}

// identity is what the pieces of one table share. Tables of one document under
// the same header are one: a table goes on over pages.
func identity(h rag.Hit) [2]string {
	header := strings.ToLower(strings.Join(strings.Fields(strings.Join(h.Header, " | ")), " "))
	if strings.Trim(header, " |") == "" || len(h.Header) < 3 {
		return [2]string{h.Document, "#" + h.Passage}
	}
	return [2]string{h.Document, header}
}

// handles returns the prompt's handles that point at a unit that exists.
func handles(in rag.PromptContext) []rag.Handle {
	var out []rag.Handle
	for _, h := range in.Handles {
		if h.Hit >= 0 && h.Hit < len(in.Hits) && h.Unit >= 0 && h.Unit < len(in.Hits[h.Hit].Units) {
			out = append(out, h)
		}
	}
	return out
}

// Words returns the tokens by which people refer to the table: the document's
// name, its title, the heading, the passage.
func (t *Table) Words() []english.Token {
	return english.Tokens(strings.Join([]string{t.Document, t.Title, t.Heading, t.Passage}, " ; "))
}

// Cell returns the text of a row's cell, "" where there is none.
func (r Row) Cell(column int) string { return cell(r.Cells, column) }

// Cell returns the text of a summary's cell, "" where there is none.
func (s Summary) Cell(column int) string { return cell(s.Cells, column) }

func cell(cells []string, column int) string {
	if column < 0 || column >= len(cells) {
		return ""
	}
	return strings.TrimSpace(cells[column])
}

// Printed returns every cell of the table, totals included.
func (t *Table) Printed() []string {
	var out []string
	for _, r := range t.Rows {
		out = append(out, r.Cells...)
	}
	for _, s := range t.Summaries {
		out = append(out, s.Cells...)
	}
	return out
}

// Blank reports whether a printed cell says nothing: empty, or dashes.
func Blank(cell string) bool {
	return strings.Trim(strings.TrimSpace(cell), "-–—.*") == "" || strings.EqualFold(strings.TrimSpace(cell), "n/a") || strings.EqualFold(strings.TrimSpace(cell), "nil")
}
