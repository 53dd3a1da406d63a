package generate

import (
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

// count answers "how many": of the rows, of the different values of a column, or
// of what a numeric column counts.
func count(r *match.Reading) (*found, *miss) {
	if numeric := numericNoun(r); len(numeric) > 0 {
		if row := picksRows(r); row {
			return lookUp(r)
		}
		return sum(r)
	}
	if c := quantity(r); c >= 0 {
		r.Columns = append(r.Columns, c)
		if rows := matching(r); len(rows) == 1 {
			return lookUp(r)
		}
		return sum(r)
	}
	if m := whole(r); m != nil {
		if r.Rows || len(r.Where) > 0 || len(r.Of) > 0 {
			return nil, m
		}
		return nil, nil
	}
	if len(r.Of) > 0 && !r.Rows && r.Of[0] != r.Table.Key && r.Of[0] != r.Table.Name {
		return countValues(r, r.Of[0])
	}
	if extra := unconditioned(r); len(extra) > 0 && !(len(r.Of) > 0) {
		return nil, missing(Unsupported, "%s is named, but no condition on it", r.Table.Label(extra[0]))
	}
	if !r.Rows && len(r.Where) == 0 && len(r.Of) == 0 {
		return nil, nil
	}
	return countRows(r)
}

// countRows counts the different keys among the matching rows.
func countRows(r *match.Reading) (*found, *miss) {
	rows := matching(r)
	if m := headless(r, rows); m != nil {
		return nil, m
	}
	n, m := distinct(r.Table, rows)
	if m != nil {
		return nil, m
	}
	thing := noun(r, n)
	text := fmt.Sprintf("%d %s%s %s listed in %s", n, thing, conditions(r), are(n), place(r))
	if n == 0 {
		text = fmt.Sprintf("No %s%s is listed in %s", noun(r, 1), conditions(r), place(r))
	}
	if n < len(rows) {
		text += fmt.Sprintf(", in %d rows: some appear more than once", len(rows))
	}
	if printed := printedCount(r); printed >= 0 && printed != n && len(r.Where) == 0 {
		return nil, final(PrintedTotalDiffers, "%s lists %d, but prints a count of %d", r.Table.Evidence, n, printed)
	}
	if n == 0 {
		rows = r.Table.Rows // nothing is found by looking at everything
	}
	return &found{text: text + ".", value: fmt.Sprint(n), refs: refs(rows)}, nil
}

// distinct counts rows by their key: by the key column where it is filled, by
// the name where only that is. A row with neither that holds figures cannot be
// counted for certain.
func distinct(t *grid.Table, rows []grid.Row) (int, *miss) {
	if t.Key < 0 {
		return len(rows), nil
	}
	serial := t.Columns[t.Key].Kind == grid.Serial
	seen := map[string]bool{}
	for _, row := range rows {
		key := row.Cell(t.Key)
		if grid.Blank(key) && t.Name >= 0 && t.Name != t.Key && !grid.Blank(row.Cell(t.Name)) {
			key = "name " + row.Cell(t.Name)
		}
		if grid.Blank(key) {
			if item := t.Name < 0 || t.Name == t.Key; item {
				continue // a further line of the row above, whose key is printed once
			}
			return 0, final(TableUnclear, "a row of %s has neither %s nor %s", t.Evidence, t.Label(t.Key), t.Label(t.Name))
		}
		seen[strings.ToLower(key)] = true
	}
	if serial { // serial numbers may start again on each page
		return len(rows), nil
	}
	return len(seen), nil
}

// countValues counts the different values of one column.
func countValues(r *match.Reading, column int) (*found, *miss) {
	seen := map[string]bool{}
	var values []string
	rows := matching(r)
	for _, row := range rows {
		if c := row.Cell(column); !grid.Blank(c) && !seen[strings.ToLower(c)] {
			seen[strings.ToLower(c)] = true
			values = append(values, c)
		}
	}
	n := len(values)
	if n == 0 {
		return nil, nil
	}
	text := fmt.Sprintf("%d %s%s %s named in %s: %s.", n, inflect(strings.ToLower(nounOf(r)), n), conditions(r), are(n), place(r), list(values))
	return &found{text: text, value: fmt.Sprint(n), refs: refs(rows)}, nil
}

// nounOf is the counted word of the question.
func nounOf(r *match.Reading) string {
	for i := r.Question.Noun; i >= 0 && i < len(r.Question.Tokens); i++ {
		for _, w := range r.Table.Columns[r.Of[0]].Words {
			if t := r.Question.Tokens[i]; w.Stem == t.Stem {
				return t.Text
			}
		}
	}
	return "value"
}

// quantity returns the column that says how many of a thing there are, when the
// question names things ("how many towels") and not rows; else -1.
func quantity(r *match.Reading) int {
	if r.People || r.Rows || r.Table.Name < 0 || !restricts(r, r.Table.Name) {
		return -1
	}
	columns := ofConcept(r.Table, "quantity")
	found := -1
	for _, c := range columns {
		if r.Table.Columns[c].Kind == grid.Amounts && found < 0 {
			found = c
		}
	}
	return found
}

// numericNoun returns the amount columns that the counted noun names: "how many
// hours", where Hours is a column.
func numericNoun(r *match.Reading) []int {
	var out []int
	if r.Rows {
		return nil
	}
	for _, c := range r.Of {
		if r.Table.Columns[c].Kind == grid.Amounts {
			out = append(out, c)
		}
	}
	return out
}

// picksRows reports whether a condition names single rows.
func picksRows(r *match.Reading) bool {
	for _, c := range r.Where {
		if c.Column == r.Table.Key || c.Column == r.Table.Name {
			return true
		}
	}
	return false
}

// unconditioned returns the columns that the question names without a condition.
func unconditioned(r *match.Reading) []int {
	var out []int
	for _, c := range append(append([]int(nil), r.Columns...), r.Loose...) {
		if !restricts(r, c) && c != r.Table.Key && c != r.Table.Name {
			out = append(out, c)
		}
	}
	return out
}

func restricts(r *match.Reading, column int) bool {
	for _, w := range r.Where {
		if w.Column == column {
			return true
		}
	}
	return false
}

// printedCount reads a count that the table prints under its rows ("Total
// employees: 12"), or -1.
func printedCount(r *match.Reading) int {
	for _, s := range r.Table.Summaries {
		if n, ok := headcount(s.Label); ok {
			return n
		}
	}
	return -1
}
