package prose

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Matter is one thing that a letter asks, with the story that it tells around it.
type Matter struct {
	Ask     string // the question itself
	After   string // the sentence before it, which its pronouns speak of
	Subject string
	Story   []string // the sentences that tell what it is about
}

// Clause is a section under its heading: what is quoted whole, because a rate
// without its condition and its cap is no answer.
type Clause struct {
	Document, Title, Heading, Evidence string
	Text                               string
	Refs                               []grid.Ref
	OnRequest                          bool // it says that people make this price

	window          *window
	parts           []*window // its sentences and rows
	sentences, rows int
	rank            int // its place among the clauses of the prompt, from 0
}

// mostRows is how many rows a section may have that is quoted whole: a table of
// prices under its sentence. A register is no clause; it is counted and looked up.
const mostRows = 8

// Clauses are the sections of the prompt, best-ranked first: the sentences and the
// rows under one heading of one document.
func Clauses(in rag.PromptContext) []*Clause {
	present := map[grid.Ref]bool{}
	for _, h := range in.Handles {
		present[grid.Ref{Hit: h.Hit, Unit: h.Unit}] = true
	}
	index := map[[2]string]*Clause{}
	var out []*Clause
	for h, hit := range in.Hits {
		key := [2]string{hit.Document, hit.Heading}
		c := index[key]
		if c == nil {
			c = &Clause{Document: hit.Document, Title: hit.Title, Heading: hit.Heading, Evidence: hit.Evidence(), rank: len(out)}
			index[key] = c
			out = append(out, c)
		}
		for i, u := range hit.Units {
			if ref := (grid.Ref{Hit: h, Unit: i}); present[ref] && !(i == 0 && pageHead(u)) {
				c.add(hit, u, ref)
			}
		}
	}
	out = slices.DeleteFunc(out, func(c *Clause) bool { return c.window == nil || c.sentences == 0 || c.rows > mostRows })
	for _, c := range out {
		c.Text, c.Refs, c.parts = c.window.text, c.window.refs, sentencesOf(c.window)
		c.OnRequest = onRequest.MatchString(c.Text)
	}
	return out
}

// sentencesOf are the sentences of a section, each as a window of its own.
func sentencesOf(whole *window) []*window {
	var out []*window
	for _, s := range pieces(whole.text) {
		w := *whole
		w.text, w.words, w.periods = s, english.Tokens(s), nil
		for _, f := range period.Find(whole.document + " ; " + whole.heading + " ; " + s) {
			w.periods = append(w.periods, f.Period)
		}
		out = append(out, &w)
	}
	return out
}

// add puts a unit at the end of the clause.
func (c *Clause) add(hit rag.Hit, u rag.Unit, ref grid.Ref) {
	if u.Kind == rag.RowUnit {
		u.Text = row(hit.Header, u)
		c.rows++
	} else {
		c.sentences++
	}
	w := newWindow(hit, u, ref)
	if c.window == nil {
		c.window = w
		return
	}
	old := c.window
	old.text += " " + w.text
	old.words = append(old.words, w.words...)
	old.periods = append(old.periods, w.periods...)
	old.refs = append(old.refs, w.refs...)
}

// row writes a table's row as people read it out: its cells under their names.
func row(header []string, u rag.Unit) string {
	var cells []string
	for i, c := range u.Cells {
		if c = oneLine(c); c == "" {
			continue
		}
		if i > 0 && i < len(header) && strings.TrimSpace(header[i]) != "" && len(header) == len(u.Cells) {
			c = oneLine(header[i]) + " " + c
		}
		cells = append(cells, c)
	}
	return strings.Join(cells, ", ") + "."
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// longestHead is how many words the head of a page has.
const longestHead = 6

// pageHead reports whether the first line of a passage is the head of its page,
// taken for text: a few words, no stop and no colon.
func pageHead(u rag.Unit) bool {
	line := oneLine(u.Text)
	return u.Kind == rag.Sentence && len(strings.Fields(line)) <= longestHead && !strings.ContainsAny(line, ".:?!•")
}
