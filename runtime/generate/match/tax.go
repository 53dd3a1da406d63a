package match

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// taxes accounts for a general word for tax by the taxes printed under the rows:
// "the GST" is CGST and SGST together.
func (r *Reading) taxes() {
	if r.Label != nil {
		return
	}
	for i, t := range r.Question.Tokens {
		if r.used[i] != open || !r.taxed(i) {
			continue
		}
		if i > 0 && slices.Contains([]string{"with", "and", "plus", "or"}, r.Question.Tokens[i-1].Fold) {
			continue // "the total with tax" asks for another figure
		}
		for n := range r.Table.Summaries {
			s := &r.Table.Summaries[n]
			if levies(s.Label, t.Stem) && !slices.Contains(r.Taxes, s) {
				r.Taxes = append(r.Taxes, s)
			}
		}
		if len(r.Taxes) > 0 {
			r.used[i] = byTopic
		}
	}
}

// taxed reports whether the token at i asks for a tax: not that of "tax invoice",
// which is the paper's name.
func (r *Reading) taxed(i int) bool {
	q := r.Question
	return english.Concept(q.Tokens[i].Stem) == "tax" && !(i+1 < len(q.Tokens) && Paper(q.Tokens[i+1].Stem))
}

// levies reports whether a line under the rows is a tax of the kind asked for.
func levies(label, asked string) bool {
	for _, w := range english.Tokens(label) {
		switch w.Fold {
		case "cgst", "sgst", "igst", "utgst", "gst":
			if asked == "tax" || asked == "gst" {
				return true
			}
		case "vat":
			if asked == "tax" || asked == "vat" {
				return true
			}
		case "tax", "cess":
			if asked == "tax" && !strings.Contains(strings.ToLower(label), "total") {
				return true
			}
		}
	}
	return false
}
