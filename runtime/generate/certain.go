package generate

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

// addition returns why rows may not be added up or counted: one of them may be
// the subtotal of others.
func addition(r *match.Reading) *miss {
	for _, row := range matching(r) {
		if row.Adds && !confirmed(r.Table) {
			return final(TableUnclear, "“%s” of %s equals the sum of rows above it and may be their subtotal", row.Label(), r.Table.Evidence)
		}
	}
	return nil
}

// subtotal reads a figure of a row that adds up others without being called a
// total. What else is asked of it concerns those others, which are not told.
func subtotal(r *match.Reading) (*found, *miss) {
	columns := numericNoun(r)
	if want := r.Question.Want; want == ask.Sum || want == ask.Value {
		columns = r.Columns
	}
	if len(columns) != 1 || len(r.Where) > 0 {
		return nil, final(AmbiguousCondition, "“%s” of %s adds up rows above it", r.Label.Label, r.Table.Evidence)
	}
	if _, ok := r.Table.Columns[columns[0]].Amount(r.Label.Cell(columns[0])); !ok {
		return nil, final(NoEvidence, "“%s” of %s has no figure under %s", r.Label.Label, r.Table.Evidence, r.Table.Label(columns[0]))
	}
	return printedUnder(r, r.Label, columns[0])
}

// confirmed reports whether a printed total includes the rows that may be
// subtotals, so that they are not.
func confirmed(t *grid.Table) bool {
	checked := false
	for i, c := range t.Columns {
		s := lastTotal(t, i, "")
		if c.Kind != grid.Amounts || s == nil {
			continue
		}
		amounts, _, m := addends(t, i, t.Rows)
		if m != nil || !totalsAgree(t, i, amount.Sum(amounts)) {
			return false
		}
		checked = true
	}
	return checked
}

// section returns why a condition on the headings that pieces of a table stand
// under is a guess: another heading says it too, or some rows have none.
func section(r *match.Reading, c match.Condition) *miss {
	t := r.Table
	if len(t.Sections) == 0 || c.Column != len(t.Columns)-1 || t.Columns[c.Column].Name != "" {
		return nil
	}
	if slices.ContainsFunc(t.Rows, func(row grid.Row) bool { return row.Group == "" }) {
		return final(AmbiguousCondition, "some rows of %s stand under no heading, others under %s", t.Evidence, list(t.Sections))
	}
	for _, v := range c.Values {
		for _, h := range t.Sections {
			if !slices.Contains(c.Values, strings.ToLower(strings.TrimSpace(h))) && holds(english.Stems(h), english.Stems(v)) {
				return final(AmbiguousCondition, "“%s” may or may not include the rows under “%s”", c.Shown, h)
			}
		}
	}
	return nil
}

// holds reports whether words has all of some.
func holds(words, some []string) bool {
	return !slices.ContainsFunc(some, func(w string) bool { return !slices.Contains(words, w) })
}

// headless returns why a count that finds nothing but the first row of a table
// without a header is a guess: that row is most likely the header.
func headless(r *match.Reading, rows []grid.Row) *miss {
	t := r.Table
	if len(rows) != 1 || len(t.Rows) < 2 || !r.Matches(t.Rows[0]) || slices.ContainsFunc(t.Columns, func(c grid.Column) bool { return c.Name != "" }) {
		return nil
	}
	return final(TableUnclear, "%s has no header that was recognised, and the only row found, “%s”, is its first: it may be the header", t.Evidence, strings.Join(t.Rows[0].Cells, " | "))
}
