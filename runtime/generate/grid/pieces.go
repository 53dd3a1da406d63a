package grid

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// paging is what a heading says of the page it stands on and not of the rows
// under it: "(continued)", "contd.", "page 2 of 3", "sheet 4", "(2)", "2/3".
var paging = regexp.MustCompile(`(?i)\b(?:continued|continuation|contd|cont'd|cont)\b\.?|\b(?:page|pg|sheet|folio)\b\.?\s*(?:no\.?\s*)?\d+(?:\s*(?:of|/)\s*\d+)?|\(\s*\d{1,3}(?:\s*(?:of|/)\s*\d{1,3})?\s*\)|\b\d{1,3}\s+of\s+\d{1,3}\b`)

// subject is what a heading says of the rows under it: the same for each page
// that a table goes on over, "" where it says no more than the page.
func subject(heading string) string {
	var words []string
	for _, t := range english.Tokens(paging.ReplaceAllString(heading, " ")) {
		words = append(words, t.Fold)
	}
	return strings.Join(words, " ")
}

// sections returns, by subject, the headings that the pieces of the table stand
// under if these differ: then they are groups of its rows, not pages of it.
func (d *draft) sections() map[string]string {
	by := map[string]string{}
	for _, l := range d.lines {
		s := subject(l.heading)
		if _, ok := by[s]; !ok && s != "" {
			by[s] = l.heading
			d.table.Sections = append(d.table.Sections, l.heading)
		}
	}
	if len(by) < 2 {
		d.table.Sections = nil
		return nil
	}
	return by
}

// shared returns the words that all headings have.
func shared(headings []string) string {
	var out []string
	for _, w := range english.Tokens(headings[0]) {
		if !slices.ContainsFunc(headings[1:], func(h string) bool { return !hasStem(english.Tokens(h), w.Stem) }) {
			out = append(out, w.Text)
		}
	}
	return strings.Join(out, " ")
}
