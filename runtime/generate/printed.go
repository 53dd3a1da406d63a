package generate

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

var (
	totals   = regexp.MustCompile(`(?i)\b(?:grand |sub[ -]?|net |invoice )?totals?\b|\bsum\b|\b(?:amount|balance|net) (?:due|payable)\b|\btaxable (?:value|amount)\b`)
	partial  = regexp.MustCompile(`(?i)\bsub[ -]?totals?\b|\btaxable (?:value|amount)\b|\bpage total\b|\btotal before\b`)
	counting = regexp.MustCompile(`(?i)\b(?:(?:no\.?|number) of (?:employees|staff|workers|persons|people|items|rows|entries)|headcount|total (?:employees|staff|workers|persons|items))\s*[:=-]?\s*(\d+)|\b(\d+)\s+(?:employees|staff|workers|persons|people|items|entries|rows)\b`)
)

// totalLabel reports whether a summary row is a total, not a tax or a discount.
func totalLabel(label string) bool { return totals.MatchString(label) }

// headcount reads "Total employees: 12" or "12 employees".
func headcount(label string) (int, bool) {
	m := counting.FindStringSubmatch(label)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1] + m[2])
	return n, err == nil
}

// charged reports whether taxes or discounts stand between the rows and the
// total, so that the total is not the sum of the rows.
func charged(t *grid.Table) bool {
	for _, s := range t.Summaries {
		if s.Label != "" && !totalLabel(s.Label) && !s.Unnamed {
			return true
		}
	}
	return false
}

// printed answers from a row printed under the table, once the arithmetic that
// leads to it has been checked.
func printed(r *match.Reading, s *grid.Summary) (*found, *miss) {
	return printedUnder(r, s, figure(r.Table, s))
}

// printedUnder answers with the figure that such a row has in one column.
func printedUnder(r *match.Reading, s *grid.Summary, column int) (*found, *miss) {
	t := r.Table
	if column < 0 {
		return nil, final(AmbiguousColumn, "“%s” of %s has figures in several columns", s.Label, t.Evidence)
	}
	value, _ := t.Columns[column].Amount(s.Cell(column))
	name := strings.TrimRight(strings.TrimSpace(s.Label), ":")
	if column != figure(t, s) {
		name += " " + t.Label(column)
	}
	text := fmt.Sprintf("%s in %s is %s", name, place(r), s.Cell(column))
	used := s.Refs
	if totalLabel(s.Label) {
		if m := whole(r); m != nil {
			return nil, m
		}
		shown, more, m := derive(t, s, column, value)
		if m != nil {
			return nil, m
		}
		if shown != "" {
			text += ": " + shown
		}
		used = append(append([]grid.Ref(nil), more...), s.Refs...)
	}
	return &found{text: text + ".", value: value.Value.RatString(), refs: used}, nil
}

// figure is the only column in which a summary row has an amount, else the last
// when all the others hold counts or rates of another kind; -1 when undecided.
func figure(t *grid.Table, s *grid.Summary) int {
	var columns []int
	for i, c := range t.Columns {
		if _, ok := c.Amount(s.Cell(i)); ok && c.Kind == grid.Amounts {
			columns = append(columns, i)
		}
	}
	switch len(columns) {
	case 0:
		return -1
	case 1:
		return columns[0]
	}
	for _, i := range columns {
		for _, w := range t.Columns[i].Words {
			if w.Stem == "amount" || w.Stem == "total" || w.Stem == "value" {
				return i
			}
		}
	}
	return -1
}

// derive works the printed total out: the rows, plus the taxes and discounts
// printed above it. It returns the arithmetic and the units used.
func derive(t *grid.Table, s *grid.Summary, column int, value amount.Amount) (string, []grid.Ref, *miss) {
	amounts, rows, m := addends(t, column, t.Rows)
	if m != nil {
		return "", nil, m
	}
	base := amount.Sum(amounts)
	style, err := styleOf(t, column, append(amounts[:len(amounts):len(amounts)], value))
	if err != nil {
		return "", nil, final(Unsupported, "%s: %v", t.Evidence, err)
	}
	used := refs(rows)
	shown := terms(style, amounts)
	if base.Cmp(value.Value) == 0 {
		return shown + " = " + style.Format(base), used, nil
	}
	if !partial.MatchString(s.Label) {
		total := new(big.Rat).Set(base)
		for i := range t.Summaries {
			c := &t.Summaries[i]
			a, ok := t.Columns[column].Amount(c.Cell(column))
			if c == s {
				break
			}
			if !ok || c.Unnamed || totalLabel(c.Label) {
				continue
			}
			if deducts(c.Label) && a.Value.Sign() > 0 {
				a.Value.Neg(a.Value)
			}
			total.Add(total, a.Value)
			shown += " + " + style.Format(a.Value)
			used = append(used, c.Refs...)
		}
		if total.Cmp(value.Value) == 0 {
			return shown + " = " + style.Format(total), used, nil
		}
	}
	return "", nil, final(PrintedTotalDiffers, "“%s” of %s is printed as %s, which its rows do not add up to", strings.TrimSpace(s.Label), t.Evidence, value.Printed)
}

// deducts reports whether a charge is taken off.
func deducts(label string) bool {
	l := strings.ToLower(label)
	return strings.Contains(l, "discount") || strings.HasPrefix(l, "less") || strings.Contains(l, "tds") || strings.Contains(l, "deduct")
}
