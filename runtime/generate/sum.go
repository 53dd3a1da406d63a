package generate

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

// sum adds a column up over the matching rows, shows the addends, and compares
// the result with the total that the table prints.
func sum(r *match.Reading) (*found, *miss) {
	if r.Label != nil && len(r.Where) == 0 {
		return printed(r, r.Label)
	}
	column, m := summed(r)
	if m != nil || column < 0 {
		return nil, m
	}
	if m := whole(r); m != nil {
		return nil, m
	}
	if bare(r) && lastTotal(r.Table, column, "") == nil {
		return nil, missing(Unsupported, "no column of %s was named to be added up, and no total is printed under it", r.Table.Evidence)
	}
	if len(r.Where) == 0 && charged(r.Table) {
		if s := lastTotal(r.Table, column, ""); s != nil {
			return printedUnder(r, s, column)
		}
	}
	rows := matching(r)
	amounts, used, m := addends(r.Table, column, rows)
	if m != nil {
		return nil, m
	}
	if len(amounts) == 0 {
		return nil, missing(NoEvidence, "no row of %s%s holds a figure under %s", r.Table.Evidence, conditions(r), r.Table.Label(column))
	}
	style, err := styleOf(r.Table, column, amounts)
	if err != nil {
		return nil, final(Unsupported, "%s of %s: %v", r.Table.Label(column), r.Table.Evidence, err)
	}
	if s := lastTotal(r.Table, column, ""); s != nil {
		style.Parens = strings.HasPrefix(s.Cell(column), "(")
	}
	total := amount.Sum(amounts)
	if m := checkTotal(r, column, total); m != nil {
		return nil, m
	}
	text := fmt.Sprintf("The %s%s in %s is %s: %s = %s (%s).", totalled(r, column), of(conditions(r)), place(r),
		style.Format(total), terms(style, amounts), style.Format(total), plural(len(used), "row"))
	if len(amounts) == 1 {
		text = fmt.Sprintf("The %s%s in %s is %s (one row).", totalled(r, column), of(conditions(r)), place(r), style.Format(total))
	}
	return &found{text: text, value: total.RatString(), refs: refs(used)}, nil
}

// totalled names the total of a column: "total Overtime", but "Total Earnings".
func totalled(r *match.Reading, column int) string {
	name := r.Table.Label(column)
	if strings.HasPrefix(strings.ToLower(name), "total ") {
		return name
	}
	return "total " + name
}

// bare reports whether the question asks for a total of nothing in particular.
func bare(r *match.Reading) bool {
	return len(r.Where) == 0 && len(r.Columns) == 0 && len(r.Loose) == 0 && len(r.Pay) == 0
}

// styleOf is how a result under the column is to be printed.
func styleOf(t *grid.Table, column int, amounts []amount.Amount) (amount.Style, error) {
	s, err := amount.StyleOf(amounts, t.Columns[column].Comma)
	return s.Like(t.Printed()), err
}

// of turns " whose …" into " of the rows whose …".
func of(conditions string) string {
	if conditions == "" {
		return ""
	}
	return " of the rows" + conditions
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func terms(style amount.Style, amounts []amount.Amount) string {
	parts := make([]string, len(amounts))
	for i, a := range amounts {
		parts[i] = style.Format(a.Value)
		if a.Value.Sign() < 0 && !style.Parens {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " + ")
}

// addends reads the column of every row; a blank cell adds nothing, one that
// cannot be read forbids the sum.
func addends(t *grid.Table, column int, rows []grid.Row) ([]amount.Amount, []grid.Row, *miss) {
	var out []amount.Amount
	var used []grid.Row
	for _, row := range rows {
		cell := row.Cell(column)
		if grid.Blank(cell) {
			continue
		}
		a, ok := t.Columns[column].Amount(cell)
		if !ok {
			return nil, nil, final(TableUnclear, "“%s” under %s of %s is no number", cell, t.Label(column), t.Evidence)
		}
		out = append(out, a)
		used = append(used, row)
	}
	return out, used, nil
}

// summed picks the column to add up.
func summed(r *match.Reading) (int, *miss) {
	for _, choice := range [][]int{r.Columns, r.Loose, r.Pay} {
		var numeric []int
		for _, c := range choice {
			switch r.Table.Columns[c].Kind {
			case grid.Amounts:
				if !restricts(r, c) || len(choice) == 1 {
					numeric = append(numeric, c)
				}
			case grid.Percent:
				return -1, missing(Unsupported, "percentages under %s have no sum", r.Table.Label(c))
			}
		}
		if len(numeric) > 1 {
			return -1, final(AmbiguousColumn, "%s of %s may be meant", list(labels(r.Table, numeric)), r.Table.Evidence)
		}
		if len(numeric) == 1 {
			return numeric[0], nil
		}
	}
	if c := unconditioned(r); len(c) > 0 {
		return -1, missing(Unsupported, "%s holds no amounts", r.Table.Label(c[0]))
	}
	return onlyAmount(r), nil
}

// onlyAmount is the column that a bare "total" means: the one called so, or the
// only one that holds amounts; -1 when there is no such column.
func onlyAmount(r *match.Reading) int {
	called, only, n := -1, -1, 0
	for i, c := range r.Table.Columns {
		if c.Kind != grid.Amounts {
			continue
		}
		only = i
		n++
		for _, w := range c.Words {
			if w.Stem == "amount" || w.Stem == "total" || w.Stem == "value" {
				called = i
			}
		}
	}
	if called < 0 && n == 1 {
		called = only
	}
	return called
}

func labels(t *grid.Table, columns []int) []string {
	var out []string
	for _, c := range columns {
		out = append(out, t.Label(c))
	}
	return out
}

// checkTotal compares a sum over all rows, or over one group of them, with the
// total printed for it.
func checkTotal(r *match.Reading, column int, total *big.Rat) *miss {
	group := ""
	switch {
	case len(r.Where) == 0:
	case len(r.Where) == 1 && len(r.Where[0].Values) == 1 && len(r.Where[0].Bounds) == 0 && ownTotal(r, column) != nil:
		return agree(r, column, total, ownTotal(r, column))
	case len(r.Where) == 1 && r.Where[0].Column == len(r.Table.Columns)-1 && r.Table.Columns[r.Where[0].Column].Name == "" && len(r.Where[0].Values) == 1:
		group = r.Where[0].Values[0]
	default:
		return nil
	}
	s := lastTotal(r.Table, column, group)
	if s == nil || group == "" && totalsAgree(r.Table, column, total) {
		return nil
	}
	return agree(r, column, total, s)
}

// totalsAgree reports whether a sum equals that of all printed totals of a table
// that has one for each of its parts and none for the whole.
func totalsAgree(t *grid.Table, column int, total *big.Rat) bool {
	all := new(big.Rat)
	for i := range t.Summaries {
		s := &t.Summaries[i]
		if a, ok := t.Columns[column].Amount(s.Cell(column)); ok && totalLabel(s.Label) {
			all.Add(all, a.Value)
		}
	}
	return all.Cmp(total) == 0
}

// ownTotal is the total printed for the value of the only condition: a sub-total
// row that names it.
func ownTotal(r *match.Reading, column int) *grid.Summary {
	c := r.Where[0]
	for i := range r.Table.Summaries {
		s := &r.Table.Summaries[i]
		if _, ok := r.Table.Columns[column].Amount(s.Cell(column)); ok && totalLabel(s.Label) && strings.EqualFold(s.Cell(c.Column), c.Values[0]) {
			return s
		}
	}
	return nil
}

// agree compares a sum with a printed total.
func agree(r *match.Reading, column int, total *big.Rat, s *grid.Summary) *miss {
	a, ok := r.Table.Columns[column].Amount(s.Cell(column))
	if ok && a.Value.Cmp(total) != 0 {
		return final(PrintedTotalDiffers, "the rows of %s add up to %s under %s, but %s is printed", r.Table.Evidence, total.FloatString(a.Decimals), r.Table.Label(column), a.Printed)
	}
	return nil
}

// lastTotal is the last printed total with a figure in the column; with a group,
// the last of that group.
func lastTotal(t *grid.Table, column int, group string) *grid.Summary {
	for i := len(t.Summaries) - 1; i >= 0; i-- {
		s := &t.Summaries[i]
		if _, ok := t.Columns[column].Amount(s.Cell(column)); !ok || s.Unnamed || !totalLabel(s.Label) && s.Label != "" {
			continue
		}
		if group == "" || strings.EqualFold(s.Group, group) {
			return s
		}
	}
	return nil
}
