package generate

import (
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

// taxes adds up the taxes that are printed under a table's rows.
func taxes(r *match.Reading) (*found, *miss) {
	t := r.Table
	if len(r.Where) > 0 || len(r.Columns) > 0 || len(r.Loose) > 0 {
		return nil, missing(Unsupported, "the tax on single rows or columns of %s is not worked out", t.Evidence)
	}
	if m := whole(r); m != nil {
		return nil, m
	}
	column := figure(t, r.Taxes[0])
	var amounts []amount.Amount
	var names []string
	var used []grid.Ref
	for _, s := range r.Taxes {
		if column < 0 || figure(t, s) != column {
			return nil, final(AmbiguousColumn, "the taxes of %s have figures in several columns", t.Evidence)
		}
		a, _ := t.Columns[column].Amount(s.Cell(column))
		amounts, names, used = append(amounts, a), append(names, s.Label), append(used, s.Refs...)
	}
	style, err := styleOf(t, column, amounts)
	if err != nil {
		return nil, final(Unsupported, "%s: %v", t.Evidence, err)
	}
	total := amount.Sum(amounts)
	text := fmt.Sprintf("The tax in %s is %s", place(r), style.Format(total))
	if len(amounts) > 1 {
		text += fmt.Sprintf(": %s = %s", terms(style, amounts), style.Format(total))
	}
	return &found{text: text + " (" + list(names) + ").", value: total.RatString(), refs: used}, nil
}
