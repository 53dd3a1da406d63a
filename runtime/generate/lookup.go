package generate

import (
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

// lookUp reads cells: of the row that the question names, or the names of the
// rows that meet its conditions.
func lookUp(r *match.Reading) (*found, *miss) {
	if r.Label != nil && len(r.Where) == 0 {
		return printed(r, r.Label)
	}
	if len(r.Where) == 0 && r.Question.HowMuch && len(r.Columns) == 1 && r.Table.Columns[r.Columns[0]].Kind == grid.Amounts {
		return sum(r)
	}
	if len(r.Where) == 0 || r.Question.Polar {
		return nil, nil
	}
	rows := matching(r)
	if len(rows) == 0 {
		return nil, missing(NoEvidence, "no row of %s has%s", r.Table.Evidence, strings.TrimPrefix(conditions(r), " whose"))
	}
	columns, m := targets(r)
	if m != nil || len(columns) == 0 {
		return nil, m
	}
	if named(r, columns) {
		return members(r, rows)
	}
	if len(rows) > 1 && amountOf(r, columns) {
		return sum(r)
	}
	if m := single(r, rows, columns); m != nil {
		return nil, m
	}
	return read(r, rows, columns)
}

// amountOf reports whether the question asks how much all rows of a kind come to:
// "what amount was paid for …", with a condition that names no single row.
func amountOf(r *match.Reading, columns []int) bool {
	if len(columns) != 1 || r.Table.Columns[columns[0]].Kind != grid.Amounts || picksRows(r) {
		return false
	}
	if r.Question.HowMuch {
		return true
	}
	for _, w := range r.Table.Columns[columns[0]].Words {
		if w.Stem == "amount" {
			return true
		}
	}
	return false
}

// targets are the columns asked for: those named without a condition, else what
// the question word asks for, else those that a general word may mean.
func targets(r *match.Reading) ([]int, *miss) {
	q, t := r.Question, r.Table
	var out []int
	for _, c := range r.Columns {
		if !restricts(r, c) {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	switch {
	case len(r.Loose) > 0:
		return several(r, r.Loose)
	case q.Post():
		return several(r, ofConcept(t, "role"))
	case q.When:
		return several(r, ofKind(t, grid.Dates))
	case q.Where:
		return several(r, ofConcept(t, "place"))
	case len(r.Pay) > 0:
		return several(r, r.Pay)
	case q.Who || r.Rows || len(r.Of) > 0:
		if t.Name >= 0 && !restricts(r, t.Name) || t.Key >= 0 && !restricts(r, t.Key) {
			return []int{t.Name}, nil
		}
	case q.HowMuch:
		return several(r, ofKind(t, grid.Amounts))
	}
	return nil, nil
}

// mostColumns is how many columns a general word may stand for before reading
// them all out is no answer: gross, net and basic for "salary".
const mostColumns = 3

func several(r *match.Reading, columns []int) ([]int, *miss) {
	if len(columns) > mostColumns {
		return nil, final(AmbiguousColumn, "%s of %s may be meant", list(labels(r.Table, columns)), r.Table.Evidence)
	}
	return columns, nil
}

func ofKind(t *grid.Table, kind grid.Kind) []int {
	var out []int
	for i, c := range t.Columns {
		if c.Kind == kind {
			out = append(out, i)
		}
	}
	return out
}

func ofConcept(t *grid.Table, concept string) []int {
	var out []int
	for i, c := range t.Columns {
		for _, w := range c.Words {
			if english.Concept(w.Stem) == concept {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// named reports whether the question asks for the names of rows.
func named(r *match.Reading, columns []int) bool {
	return len(columns) == 1 && (columns[0] == r.Table.Name || columns[0] == r.Table.Key) &&
		!restricts(r, r.Table.Name) && !restricts(r, r.Table.Key)
}

// members lists the rows that meet the conditions.
func members(r *match.Reading, rows []grid.Row) (*found, *miss) {
	if m := whole(r); m != nil {
		return nil, m
	}
	var names []string
	for _, row := range rows {
		if n := who(r.Table, row); n != "" {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	text := fmt.Sprintf("%s: listed in %s%s.", list(names), place(r), strings.Replace(conditions(r), " whose ", ", ", 1))
	return &found{text: text, value: list(names), refs: refs(rows)}, nil
}

// single checks that the conditions name one row for each value said, and that a
// name said in part is not also that of a row which is missing.
func single(r *match.Reading, rows []grid.Row, columns []int) *miss {
	t := r.Table
	said, byKey, exact := 0, false, true
	for _, c := range r.Where {
		said = max(said, c.Said)
		byKey = byKey || c.Column == t.Key && c.Exact && t.Columns[c.Column].Kind == grid.Codes
		exact = exact && c.Exact
	}
	if t.Lost > 0 && !byKey {
		return final(TableIncomplete, "%d rows of %s are missing, and one of them may be meant", t.Lost, t.Evidence)
	}
	if len(rows) <= max(1, said) {
		return nil
	}
	for _, c := range columns { // several rows that say the same are one answer
		for _, row := range rows[1:] {
			if row.Cell(c) != rows[0].Cell(c) {
				return final(AmbiguousRow, "%s of %s fit", list(whos(t, rows)), t.Evidence)
			}
		}
	}
	return nil
}

func whos(t *grid.Table, rows []grid.Row) []string {
	var out []string
	for _, row := range rows {
		out = append(out, who(t, row))
	}
	return out
}

// read writes the cells out. A cell that holds no number under a column of
// numbers, or nothing at all, is no answer.
func read(r *match.Reading, rows []grid.Row, columns []int) (*found, *miss) {
	t := r.Table
	var sentences, values []string
	for _, row := range rows {
		var parts []string
		for _, c := range columns {
			cell := row.Cell(c)
			if grid.Blank(cell) {
				if len(columns) > 1 && len(parts) > 0 {
					continue
				}
				return nil, final(NoValue, "%s of %s is blank in %s", t.Label(c), who(t, row), t.Evidence)
			}
			if _, ok := amount.Parse(cell, t.Columns[c].Comma); t.Columns[c].Kind == grid.Amounts && !ok {
				return nil, final(TableUnclear, "“%s” under %s of %s is no number", cell, t.Label(c), t.Evidence)
			}
			parts = append(parts, t.Label(c)+" "+cell)
			values = append(values, cell)
		}
		sentences = append(sentences, who(t, row)+": "+strings.Join(parts, ", "))
	}
	text := fmt.Sprintf("%s (%s).", strings.Join(sentences, "; "), place(r))
	return &found{text: text, value: strings.Join(values, "|"), refs: refs(rows)}, nil
}
