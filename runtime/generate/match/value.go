package match

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

const amountKind = grid.Amounts

// span is a run of the question's tokens that stands in cells of a column.
type span struct {
	from, to int
	column   int
	full     bool // the run says the whole cell, initials aside
	head     bool // the run ends where the cell ends: "Mgr" of "Finance Mgr"
	values   []string
	shown    []string
}

// values finds the runs of the question that stand in cells, longest and whole
// ones first, and makes conditions of them.
func (r *Reading) values() {
	r.figures()
	spans := r.spans()
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.full != b.full {
			return rank(b.full, a.full)
		}
		if d := (b.to - b.from) - (a.to - a.from); d != 0 {
			return d
		}
		return a.column - b.column
	})
	var taken []span
	for _, s := range spans {
		if !slices.ContainsFunc(taken, func(t span) bool { return s.from < t.to && t.from < s.to }) {
			rivals := r.rivals(spans, s)
			best := r.prefer(rivals)
			taken = append(taken, best)
			r.take(best)
		}
	}
}

// figures makes conditions of numbers that stand beside a column's name: "tariff
// 8448", "a gross of 25,650".
func (r *Reading) figures() {
	for i, t := range r.Question.Tokens {
		if t.Kind != english.Number || r.used[i] != open {
			continue
		}
		asked, ok := amount.Parse(t.Text, false)
		if !ok {
			continue
		}
		for column, c := range r.Table.Columns {
			if !r.beside(span{from: i, to: i + 1}, column) && !(i > 1 && english.Stop(r.Question.Tokens[i-1].Fold) && r.heads(column, r.Question.Tokens[i-2])) {
				continue
			}
			s := span{from: i, to: i + 1, column: column, full: true, head: true}
			for _, row := range r.Table.Rows {
				cell := row.Cell(column)
				if a, ok := c.Amount(cell); ok && a.Value.Cmp(asked.Value) == 0 && !slices.Contains(s.values, fold(cell)) {
					s.values, s.shown = append(s.values, fold(cell)), append(s.shown, cell)
				}
			}
			if len(s.values) > 0 {
				r.take(s)
				break
			}
		}
	}
}

func rank(a, b bool) int {
	if a == b {
		return 0
	}
	if a {
		return 1
	}
	return -1
}

// rivals are the readings of the same run, equally whole, in other columns.
func (r *Reading) rivals(spans []span, s span) []span {
	var out []span
	for _, o := range spans {
		if o.from == s.from && o.to == s.to && o.full == s.full {
			out = append(out, o)
		}
	}
	return out
}

// prefer picks the column whose header stands beside the run, else the column
// that names rows, else one that selects the same rows as all; else it is unclear.
func (r *Reading) prefer(rivals []span) span {
	for _, s := range rivals {
		for _, i := range []int{s.from - 1, s.from - 2, s.to, s.to + 1} {
			if i >= 0 && i < len(r.Question.Tokens) && r.heads(s.column, r.Question.Tokens[i]) {
				return s
			}
		}
	}
	for _, s := range rivals {
		if s.column == r.Table.Key || s.column == r.Table.Name {
			return s
		}
	}
	if len(rivals) > 1 && !r.alike(rivals) {
		r.Unclear = "“" + rivals[0].shown[0] + "” stands in more than one column"
	}
	return rivals[0]
}

// alike reports whether the readings select the same rows.
func (r *Reading) alike(rivals []span) bool {
	for _, row := range r.Table.Rows {
		first := slices.Contains(rivals[0].values, fold(row.Cell(rivals[0].column)))
		for _, s := range rivals[1:] {
			if slices.Contains(s.values, fold(row.Cell(s.column))) != first {
				return false
			}
		}
	}
	return true
}

// take makes a condition of a span; a second one on the same column widens it.
func (r *Reading) take(s span) {
	for i := s.from; i < s.to; i++ {
		if r.used[i] == open || r.used[i] == idle {
			r.used[i] = byValue
		}
	}
	for i := range r.Where {
		if c := &r.Where[i]; c.Column == s.column {
			c.Values = append(c.Values, s.values...)
			c.Shown += " or " + strings.Join(s.shown, " or ")
			c.Said++
			c.Exact, c.Head = c.Exact && s.full, c.Head && s.head
			return
		}
	}
	r.Where = append(r.Where, Condition{Column: s.column, Values: s.values, Shown: strings.Join(s.shown, " or "), Exact: s.full, Head: s.head, Said: 1})
}

// spans lists every run of the question that stands in a cell.
func (r *Reading) spans() []span {
	type key struct {
		from, to, column int
		full             bool
	}
	index := map[key]int{}
	var out []span
	for column, c := range r.Table.Columns {
		if c.Kind == grid.Amounts || c.Kind == grid.Percent {
			continue
		}
		seen := map[string]bool{}
		for _, row := range r.Table.Rows {
			cell := row.Cell(column)
			if grid.Blank(cell) || seen[fold(cell)] {
				continue
			}
			seen[fold(cell)] = true
			for _, s := range r.runs(column, cell) {
				k := key{s.from, s.to, column, s.full}
				if n, ok := index[k]; ok {
					out[n].values = append(out[n].values, fold(cell))
					out[n].shown = append(out[n].shown, cell)
					out[n].head = out[n].head && s.head
					continue
				}
				index[k] = len(out)
				s.values, s.shown = []string{fold(cell)}, []string{cell}
				out = append(out, s)
			}
		}
	}
	return out
}

// runs lists the longest runs of the question inside one cell.
func (r *Reading) runs(column int, cell string) []span {
	words := english.Tokens(cell)
	q := r.Question.Tokens
	var out []span
	for i := range q {
		best := span{}
		for j := range words {
			n := 0
			for i+n < len(q) && j+n < len(words) && q[i+n].Stem == words[j+n].Stem && r.may(i+n) {
				n++
			}
			if n > best.to-best.from {
				best = span{from: i, to: i + n, column: column, full: j == 0 && initials(words[n:]), head: j+n == len(words)}
			}
		}
		if best.to > best.from && r.speaks(best, column) {
			out = append(out, best)
		}
	}
	return out
}

// may reports whether a token can belong to a value: not one that names the
// document, a period (a date column asks for it elsewhere) or an operation.
func (r *Reading) may(i int) bool {
	role := r.Question.Roles[i]
	return r.used[i] != byContext && (role == ask.Open || role == ask.Idle)
}

// initials reports whether nothing but single letters is left of a name.
func initials(words []english.Token) bool {
	for _, w := range words {
		if len(w.Fold) > 1 {
			return false
		}
	}
	return true
}

// speaks reports whether a run is enough to mean a cell. A whole cell must hold
// an open word, or be written with a capital. A part of a cell must not be a
// word that has another use: of a header, for people, for a document, for pay.
func (r *Reading) speaks(s span, column int) bool {
	opened := false
	for i := s.from; i < s.to; i++ {
		t := r.Question.Tokens[i]
		opened = opened || r.used[i] == open && (len(t.Fold) > 1 || t.Capital()) || i > 0 && len(t.Fold) == 1 && t.Capital() && r.beside(s, column)
	}
	if !opened {
		return false
	}
	if s.to-s.from == 1 && r.measure(r.Question.Tokens[s.from], column) {
		return false
	}
	if s.full {
		return len(r.Question.Tokens[s.from].Fold) > 1 || s.to-s.from > 1 || r.beside(s, column)
	}
	if s.to-s.from > 1 {
		return true
	}
	t := r.Question.Tokens[s.from]
	c := english.Concept(t.Stem)
	return (t.Kind == english.Code || len(t.Fold) >= 3 && t.Kind == english.Word) && !Paper(t.Stem) && c != "person" && c != "pay" && !r.anyHeader(t) && !Present(t.Fold)
}

// measure reports whether a word is, letter for letter, the name of a column of
// amounts, and a value of the column at hand only in another form: "nights" of a
// column Nights beside a shift "Night".
func (r *Reading) measure(t english.Token, column int) bool {
	for _, c := range r.Table.Columns {
		if c.Kind == grid.Amounts && len(c.Words) == 1 && c.Words[0].Fold == t.Fold {
			for _, row := range r.Table.Rows {
				if fold(row.Cell(column)) == t.Fold {
					return false
				}
			}
			return true
		}
	}
	return false
}

// beside reports whether the column's header stands next to the run: "shift A".
func (r *Reading) beside(s span, column int) bool {
	q := r.Question.Tokens
	return s.from > 0 && r.heads(column, q[s.from-1]) || s.to < len(q) && r.heads(column, q[s.to])
}

// heads reports whether a token names the column.
func (r *Reading) heads(column int, t english.Token) bool {
	for _, w := range r.Table.Columns[column].Words {
		if english.Same(w, t) {
			return true
		}
	}
	return false
}

func (r *Reading) anyHeader(t english.Token) bool {
	for _, c := range r.Table.Columns {
		if Has(c.Words, t) {
			return true
		}
	}
	return false
}

// dated makes a condition of a period that cells of one column lie in.
func (r *Reading) dated(p ask.Span) bool {
	for column, c := range r.Table.Columns {
		if c.Kind != grid.Dates && c.Kind != grid.Text && c.Kind != grid.Codes {
			continue
		}
		var values, shown []string
		all := true
		for _, row := range r.Table.Rows {
			cell := row.Cell(column)
			own := Dates(cell)
			if len(own) != 1 {
				all = false
				continue
			}
			if p.Covers(own[0]) && !slices.Contains(values, fold(cell)) {
				values, shown = append(values, fold(cell)), append(shown, cell)
			}
		}
		if len(values) > 0 && (all || c.Kind != grid.Dates) {
			r.Where = append(r.Where, Condition{Column: column, Values: values, Shown: strings.Join(shown, " or "), Exact: true, Said: 1})
			return true
		}
	}
	return false
}

// Dates reads the periods of a cell. 05/04/2025 is read as neither the fifth of
// April nor the fourth of May; 18-04-2025 can only be one of them.
func Dates(cell string) []period.Period {
	var out []period.Period
	for _, f := range period.Find(cell) {
		out = append(out, f.Period)
	}
	if p, ok := period.Slashed(cell); ok {
		return []period.Period{p}
	}
	return out
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Matches reports whether a row meets every condition.
func (r *Reading) Matches(row grid.Row) bool {
	for _, c := range r.Where {
		cell := row.Cell(c.Column)
		if len(c.Values) > 0 && !slices.Contains(c.Values, fold(cell)) {
			return false
		}
		for _, b := range c.Bounds {
			a, ok := r.Table.Columns[c.Column].Amount(cell)
			if !ok || !b.Holds(a.Value) {
				return false
			}
		}
	}
	return true
}
