package match

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
)

// takeHome accounts for "take home" and "in hand": what people call their net pay.
func (r *Reading) takeHome() {
	var net []int
	for _, c := range r.payColumns() {
		if slices.ContainsFunc(r.Table.Columns[c].Words, func(w english.Token) bool { return w.Stem == "net" }) {
			net = append(net, c)
		}
	}
	for i := range r.Question.Tokens {
		if len(net) != 1 || !r.says(i, "take takes took taken taking", "home") && !r.says(i, "in", "hand") {
			continue
		}
		r.used[i], r.used[i+1] = byColumn, byColumn
		if !slices.Contains(r.Columns, net[0]) {
			r.Columns = append(r.Columns, net[0])
		}
	}
}

// says reports whether one of the first words and then the second stand at i, and
// nothing else accounts for them.
func (r *Reading) says(i int, first, second string) bool {
	q := r.Question
	return i+1 < len(q.Tokens) && slices.Contains(strings.Fields(first), q.Tokens[i].Fold) && q.Tokens[i+1].Fold == second &&
		r.used[i] <= idle && r.used[i+1] <= idle
}

// groups are nouns for a part of a firm, apart from the concept "department".
const groups = " unit group area wing crew "

// joints accounts for words that only tie others together: "department" beside a
// value of a column that is called otherwise, "under" before a column's name.
func (r *Reading) joints() {
	for i, t := range r.Question.Tokens {
		if r.used[i] != open {
			continue
		}
		part := english.Concept(t.Stem) == "department" || strings.Contains(groups, " "+t.Stem+" ")
		if part && (r.grouped(i-1) || r.grouped(i+1)) || (t.Fold == "under" || t.Fold == "against") && r.leads(i) {
			r.used[i] = byTopic
		}
	}
}

// grouped reports whether the token at i belongs to a whole value of a column that
// may say which part of the firm a row belongs to.
func (r *Reading) grouped(i int) bool {
	if i < 0 || i >= len(r.used) || r.used[i] != byValue {
		return false
	}
	for _, c := range r.Where {
		column := r.Table.Columns[c.Column]
		if !c.Exact || c.Said != 1 || len(c.Values) != 1 || column.Kind != grid.Text || c.Column == r.Table.Name || slices.ContainsFunc(column.Words, alien) {
			continue
		}
		if slices.Contains(english.Stems(c.Values[0]), r.Question.Tokens[i].Stem) {
			return true
		}
	}
	return false
}

// alien reports whether a header word says that the column's values are no parts
// of a firm.
func alien(w english.Token) bool {
	switch english.Concept(w.Stem) {
	case "role", "person", "place", "customer", "supplier", "description", "leave", "pay":
		return true
	}
	return w.Stem == "name" || w.Stem == "status" || w.Stem == "shift" || w.Stem == "grade"
}

// leads reports whether the next word that says something names a column.
func (r *Reading) leads(i int) bool {
	for i++; i < len(r.used); i++ {
		if r.used[i] != idle {
			return r.used[i] == byColumn
		}
	}
	return false
}
