package match

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/label"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// NewContext gathers what surrounds a table in the prompt, whose labelled values
// are pairs.
func NewContext(t *grid.Table, in rag.PromptContext, pairs []label.Pair) *Context {
	c := &Context{Strong: t.Words()}
	c.Strong = append(c.Strong, yearSpans(c.Strong)...)
	c.Strong = append(c.Strong, english.Joined(t.Document)...)
	var sentences []string
	for _, p := range pairs {
		if in.Hits[p.Hit].Document == t.Document {
			c.Labelled = append(c.Labelled, english.Tokens(p.Value)...)
		}
	}
	for _, h := range in.Hits {
		if h.Document != t.Document {
			continue
		}
		for _, u := range h.Units {
			if u.Kind == rag.Sentence {
				c.Weak = append(c.Weak, english.Tokens(u.Text)...)
				sentences = append(sentences, u.Text)
			}
		}
	}
	c.Periods = monthly(t.Document+" ; "+t.Title+" ; "+t.Heading, sentences)
	return c
}

// Names rates how surely an identifier is the document's own: 4 when its names
// say it, 2 when a label in it does ("Invoice No: …"), 1 when a sentence mentions
// it and the names hold no other of its shape; 0 when it is another's.
func (c *Context) Names(t english.Token) int {
	own := false
	for _, w := range c.Strong {
		if w.Kind == english.Code && english.Bare(w.Fold) == english.Bare(t.Fold) {
			return 4
		}
		own = own || w.Kind == english.Code && shape(w.Fold) == shape(t.Fold)
	}
	if slices.ContainsFunc(c.Labelled, func(w english.Token) bool { return w.Fold == t.Fold }) {
		return 2
	}
	if !own && Has(c.Weak, t) {
		return 1
	}
	return 0
}

// shape is an identifier with its digits and letters made alike.
func shape(code string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '9'
		case r >= 'a' && r <= 'z':
			return 'a'
		}
		return -1
	}, code)
}

// monthly returns the periods that a document is about: those of its names, or,
// when these say no month, the one month that its sentences agree on.
func monthly(names string, sentences []string) []period.Period {
	var own, said []period.Period
	named := false
	for _, f := range period.Find(names) {
		own = append(own, f.Period)
		named = named || f.Month > 0 || f.Quarter > 0
	}
	if named {
		return own
	}
	for _, s := range sentences {
		for _, f := range period.Find(s) {
			if m := (period.Period{Year: f.Year, Month: f.Month}); f.Month > 0 && f.Year > 0 && !slices.Contains(said, m) {
				said = append(said, m)
			}
		}
	}
	if len(said) == 1 {
		own = append(own, said[0])
	}
	return own
}

// yearSpans joins "2024 25" of a file name to the span of years that it stands for.
func yearSpans(words []english.Token) []english.Token {
	var out []english.Token
	for i := 0; i+1 < len(words); i++ {
		a, b := words[i], words[i+1]
		if a.Kind == english.Number && b.Kind == english.Number && len(a.Fold) == 4 && len(b.Fold) == 2 && b.Start == a.Start+5 {
			s := a.Fold + "-" + b.Fold
			out = append(out, english.Token{Text: s, Fold: s, Stem: s, Root: s, Kind: english.Code, Start: a.Start})
		}
	}
	return out
}
