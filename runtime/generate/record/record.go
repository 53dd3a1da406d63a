// Package record reads the papers of one case, by the identifier that a letter
// names: the file of a load, an invoice, a hire.
//
// A prompt and the identifiers enter; the rows and sentences of those papers that
// meet a question leave. A paper is of the case when its name or title has the
// identifier; a neighbour that only mentions it is not.
package record

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Record is what the prompt holds of the papers of one case.
type Record struct {
	Titles    []string // of its papers, best-ranked first
	Rows      []Row
	Sentences []Line
	of        map[string]bool // documents
}

// Row is a row of one of its tables.
type Row struct {
	Header  []string // names of the cells; nil where the table has none
	Cells   []string
	Heading string
	Ref     grid.Ref
	Total   bool // it adds the others up
	table   string
}

// Line is a sentence or a labelled line.
type Line struct {
	Text    string
	Heading string
	Labeled bool // "Customer: …"
	Ref     grid.Ref
}

// Named returns the record of the papers that the identifiers name, nil when there
// is none; and the first identifier that stands nowhere in the prompt, "" if all do.
func Named(in rag.PromptContext, ids []english.Token) (*Record, string) {
	r := &Record{of: map[string]bool{}}
	for _, id := range ids {
		stands := false
		for _, h := range in.Hits {
			switch {
			case Names(h.Chunk, id):
				stands, r.of[h.Document] = true, true
			case mentions(h.Chunk, id):
				stands = true
			}
		}
		if !stands {
			return nil, id.Text
		}
	}
	if len(r.of) == 0 {
		return nil, ""
	}
	r.read(in)
	return r, ""
}

// Of reports whether a document belongs to the case.
func (r *Record) Of(document string) bool { return r != nil && r.of[document] }

// Names reports whether a document is about the thing that an identifier names.
func Names(c rag.Chunk, id english.Token) bool {
	for _, t := range english.Tokens(c.Title) {
		if Same(t, id) {
			return true
		}
	}
	return spelt(c.Document, id)
}

// Cases reports whether a document is about one case: an identifier stands in its
// title. Such papers say what happened, and never what the rule is.
func Cases(c rag.Chunk, identifier func(english.Token) bool) bool {
	return slices.ContainsFunc(english.Tokens(c.Title), identifier)
}

// Same reports whether two tokens are one identifier: joiners aside, and a bare
// number as the figures of a code.
func Same(t, id english.Token) bool {
	if t.Kind == english.Word {
		return false
	}
	if english.Bare(t.Fold) == english.Bare(id.Fold) {
		return true
	}
	return id.Kind == english.Number && t.Kind == english.Code && figures(t.Fold) == id.Fold
}

// figures are the digits of a code that has one group of them: 88231 of CT-88231.
func figures(code string) string {
	groups := strings.FieldsFunc(code, func(r rune) bool { return !unicode.IsDigit(r) })
	if len(groups) != 1 {
		return ""
	}
	return groups[0]
}

// spelt reports whether the name of a file spells an identifier between joiners.
func spelt(document string, id english.Token) bool {
	parts := strings.FieldsFunc(strings.ToLower(document), func(r rune) bool { return strings.ContainsRune("-_. ", r) })
	want := english.Bare(id.Fold)
	for i := range parts {
		joined := ""
		for n := i; n < len(parts) && len(joined) < len(want); n++ {
			if joined += parts[n]; joined == want {
				return true
			}
		}
	}
	return false
}

func mentions(c rag.Chunk, id english.Token) bool {
	for _, u := range c.Units {
		if slices.ContainsFunc(english.Tokens(u.Text), func(t english.Token) bool { return Same(t, id) }) {
			return true
		}
	}
	return slices.ContainsFunc(english.Tokens(strings.Join(c.Header, " ")), func(t english.Token) bool { return Same(t, id) })
}

// read collects the rows and lines of the record's papers.
func (r *Record) read(in rag.PromptContext) {
	for _, handle := range in.Handles {
		hit := in.Hits[handle.Hit]
		if !r.of[hit.Document] {
			continue
		}
		if t := hit.Title; t != "" && !slices.Contains(r.Titles, t) {
			r.Titles = append(r.Titles, t)
		} else if t == "" && !slices.Contains(r.Titles, hit.Document) {
			r.Titles = append(r.Titles, hit.Document)
		}
		u, ref := hit.Units[handle.Unit], grid.Ref{Hit: handle.Hit, Unit: handle.Unit}
		text := strings.Join(strings.Fields(u.Text), " ")
		if u.Kind == rag.RowUnit {
			r.Rows = append(r.Rows, Row{Header: header(hit), Cells: u.Cells, Heading: hit.Heading, Ref: ref, Total: total(u.Cells), table: hit.Evidence()})
			continue
		}
		if head(text) {
			continue
		}
		r.Sentences = append(r.Sentences, Line{Text: text, Heading: hit.Heading, Ref: ref, Labeled: labeled(text)})
	}
}

// header is a table's header, unless its cells hold data: a first row that was
// taken for names.
func header(hit rag.Hit) []string {
	for _, c := range hit.Header {
		if strings.ContainsAny(c, "$€£₹") || strings.ContainsFunc(c, unicode.IsDigit) {
			return nil
		}
	}
	return hit.Header
}

func total(cells []string) bool {
	return len(cells) > 0 && slices.ContainsFunc(english.Tokens(cells[0]), func(t english.Token) bool { return t.Stem == "total" })
}

// head reports whether a line is a page's head rather than a sentence or a label.
func head(text string) bool {
	return !strings.HasSuffix(text, ".") && !strings.Contains(text, ":") && !strings.HasPrefix(text, "•") && len(strings.Fields(text)) <= 6
}

func labeled(text string) bool {
	label, value, ok := strings.Cut(text, ":")
	return ok && strings.TrimSpace(value) != "" && len(strings.Fields(label)) <= 3 && !strings.HasSuffix(text, ".")
}

// Text is a row as people read it out: its cells under their names.
func (w Row) Text() string {
	var parts []string
	for i, c := range w.Cells {
		if c = strings.Join(strings.Fields(c), " "); c == "" {
			continue
		}
		if i > 0 && len(w.Header) == len(w.Cells) && w.Header[i] != "" {
			c = strings.ToLower(w.Header[i]) + " " + c
		}
		parts = append(parts, c)
	}
	return strings.Join(parts, ", ")
}
