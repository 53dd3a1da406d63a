package match

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
)

// noun accounts for the word that means the rows: what is counted, and people.
func (r *Reading) noun() {
	r.People = r.about()
	q := r.Question
	for i, t := range q.Tokens {
		if r.used[i] != open || english.Concept(t.Stem) != "person" || !r.People {
			continue
		}
		if i+1 < len(q.Tokens) && slices.Contains([]string{"id", "code", "number", "no", "name"}, q.Tokens[i+1].Fold) {
			continue // "employee id" names a column
		}
		r.used[i] = byRow
		r.Rows = true
	}
	if i := q.Noun; i >= 0 {
		r.counted(i)
	}
	r.Rows = r.Rows || r.People && q.Heads
}

// counted accounts for the noun after "how many": the first open word from i on
// that is a column, or what the table calls its rows.
func (r *Reading) counted(i int) {
	q := r.Question
	for valued := false; i < len(q.Tokens); i++ {
		t := q.Tokens[i]
		if r.used[i] == byRow {
			return
		}
		if r.used[i] == byValue {
			valued = true
			continue
		}
		if r.used[i] != open || t.Kind != english.Word {
			if english.Stop(t.Fold) && (r.Rows || valued) {
				return // "supervisors in …": the value was the noun
			}
			continue
		}
		switch {
		case r.row(t):
			r.used[i] = byRow
			r.Rows = true
			if i+1 < len(q.Tokens) && r.used[i+1] == open && q.Tokens[i+1].Stem == "item" {
				r.used[i+1] = byRow // "line items"
			}
		case r.kind(t):
			return // the columns say so
		}
		return
	}
}

// row reports whether a word means a row of any table, or of this one by name.
func (r *Reading) row(t english.Token) bool {
	switch t.Stem {
	case "row", "entry", "line", "record", "item":
		return slices.ContainsFunc(r.Table.Columns, func(c grid.Column) bool { return len(c.Words) > 0 })
	}
	if Paper(t.Stem) || english.Concept(t.Stem) == "pay" || r.anyHeader(t) {
		return false
	}
	for _, w := range r.Context.Strong {
		if w.Stem == t.Stem && !generic(w.Stem) {
			return true
		}
	}
	return false
}

// kind notes the columns that a counted noun names.
func (r *Reading) kind(t english.Token) bool {
	for i, c := range r.Table.Columns {
		if slices.ContainsFunc(c.Words, func(w english.Token) bool { return english.Same(w, t) }) {
			r.Of = append(r.Of, i)
		}
	}
	return len(r.Of) > 0
}

// label looks for a printed total that the question names in full: "invoice
// total", "taxable value", "IGST".
func (r *Reading) label() {
	best := 0
	for i := range r.Table.Summaries {
		s := &r.Table.Summaries[i]
		n, ok := 0, true
		for _, w := range english.Tokens(s.Label) {
			if w.Kind != english.Word && !s.Unnamed || english.Stop(w.Fold) || w.Fold == "@" {
				continue
			}
			at := slices.IndexFunc(r.Question.Tokens, func(t english.Token) bool { return t.Stem == w.Stem })
			ok = ok && at >= 0
			n++
		}
		if ok && n > best && !(n == 1 && plainTotal(s.Label)) {
			best, r.Label = n, s
		}
	}
	if r.Label == nil {
		return
	}
	for _, w := range english.Tokens(r.Label.Label) {
		for i, t := range r.Question.Tokens {
			if t.Stem == w.Stem && (r.used[i] == open) {
				r.used[i] = byTopic
			}
		}
	}
}

// plainTotal reports whether a label says "Total" and no more.
func plainTotal(label string) bool {
	words := english.Tokens(label)
	return len(words) == 1 && words[0].Stem == "total"
}

// bid is a column with what speaks for it.
type bid struct {
	column int
	tokens []int
	score  int // two for each header word said, one for each meant
	whole  bool
}

// columns finds the columns that the open words name, the best fit first. Words
// that fit several columns equally well stay loose.
func (r *Reading) columns() {
	for {
		bids := r.bids()
		if len(bids) == 0 {
			break
		}
		top := bids[0]
		tied := []int{top.column}
		for _, b := range bids[1:] {
			if b.score == top.score && b.whole == top.whole && slices.Equal(b.tokens, top.tokens) {
				tied = append(tied, b.column)
			}
		}
		for _, i := range top.tokens {
			r.used[i] = byColumn
		}
		r.absorb(top)
		switch {
		case len(tied) > 1:
			r.Loose = append(r.Loose, tied...)
		case !slices.Contains(r.Columns, top.column):
			r.Columns = append(r.Columns, top.column)
		}
	}
	r.topics()
}

// bids rates every column by the open words.
func (r *Reading) bids() []bid {
	var out []bid
	for column, c := range r.Table.Columns {
		b := bid{column: column}
		said := map[int]bool{}
		for i, t := range r.Question.Tokens {
			if r.used[i] != open {
				continue
			}
			for n, w := range c.Words {
				if said[n] || !english.Same(w, t) || len(r.Columns) > 0 && w.Fold != t.Fold && Present(t.Fold) {
					continue // "overtime paid" asks for Overtime, not for Basic Pay
				}
				said[n] = true
				b.tokens = append(b.tokens, i)
				b.score++
				if w.Stem == t.Stem || w.Root == t.Root {
					b.score++
				}
				break
			}
		}
		content := 0
		for _, w := range c.Words {
			if !english.Stop(w.Fold) {
				content++
			}
		}
		b.whole = len(said) >= content
		if b.score > 0 {
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out, func(a, b bid) int {
		if a.score != b.score {
			return b.score - a.score
		}
		return rank(b.whole, a.whole)
	})
	return out
}

// absorb accounts for a general word beside a named column: "gross salary",
// "amount of tax", "Finance department".
func (r *Reading) absorb(b bid) {
	for _, i := range b.tokens {
		for _, j := range []int{i - 1, i + 1} {
			if j < 0 || j >= len(r.used) || r.used[j] != open {
				continue
			}
			t := r.Question.Tokens[j]
			if r.Table.Columns[b.column].Kind == grid.Amounts && strings.Contains(measures, " "+t.Stem+" ") {
				r.used[j] = byTopic
			}
			switch english.Concept(t.Stem) {
			case "pay", "amount":
				if r.Table.Columns[b.column].Kind == grid.Amounts {
					r.used[j] = byTopic
				}
			case "number":
				if r.Table.Columns[b.column].Kind != grid.Amounts {
					r.used[j] = byTopic
				}
			}
		}
	}
}

// Grouped reports whether "per" or "each" stands before the name of a column of
// text, so that one figure for each of its values is asked for.
func (r *Reading) Grouped() bool {
	i := r.Question.Each
	if i < 0 || i >= len(r.Question.Tokens) {
		return false
	}
	for c, col := range r.Table.Columns {
		if (col.Kind == grid.Text || col.Kind == grid.Codes) && r.heads(c, r.Question.Tokens[i]) {
			return true
		}
	}
	return r.People && english.Concept(r.Question.Tokens[i].Stem) == "person"
}

// topics accounts for what is left: general words for pay where the table says
// what people are paid, the names of the document and of whoever issued it, and
// verbs that say only that a row is there.
func (r *Reading) topics() {
	for i, t := range r.Question.Tokens {
		if r.used[i] != open {
			continue
		}
		switch {
		case english.Concept(t.Stem) == "pay" && r.paying():
			r.used[i] = byTopic
			r.Pay = r.payColumns()
		case r.taxed(i): // no word of the paper's name, "Tax Invoice"
		case t.Kind != english.Number && Has(r.Context.Strong, t):
			r.used[i] = byContext
			r.Fit++
		case t.Kind == english.Word && longer(r.Context.Strong, t):
			r.used[i] = byContext
		case t.Capital() && i > 0 && t.Kind == english.Word && Has(r.Context.Weak, t):
			r.used[i] = byContext
		case Present(t.Fold):
			r.used[i] = byTopic
		}
	}
}

// bounds ties every numeric bound to a column: the one named, or the only one
// that it can mean.
func (r *Reading) bounds() {
	for _, b := range r.Question.Bounds {
		column := -1
		for _, list := range [][]int{r.Columns, r.Loose, r.Pay} {
			var numeric []int
			for _, c := range list {
				if k := r.Table.Columns[c].Kind; k == grid.Amounts || k == grid.Percent {
					numeric = append(numeric, c)
				}
			}
			if len(numeric) == 1 {
				column = numeric[0]
			}
			if len(numeric) > 1 {
				r.Unclear = "“" + string(b.Op) + " " + b.Printed + "” may be meant of " + r.Table.Label(numeric[0]) + " or of " + r.Table.Label(numeric[1])
				column = numeric[0]
			}
			if column >= 0 {
				break
			}
		}
		if column < 0 {
			r.Rest = append(r.Rest, r.Question.Tokens[b.From])
			continue
		}
		r.Where = append(r.Where, Condition{Column: column, Shown: string(b.Op) + " " + b.Printed, Bounds: []ask.Bound{b}})
	}
}

// wordy is how many letters two words must share at their beginning to be of one
// family: contract and contractor.
const wordy = 7

// longer reports whether the document's name has the word in a longer or shorter
// form.
func longer(words []english.Token, t english.Token) bool {
	for _, w := range words {
		short, long := w.Stem, t.Stem
		if len(short) > len(long) {
			short, long = long, short
		}
		if len(short) >= wordy && strings.HasPrefix(long, short) {
			return true
		}
	}
	return false
}
