package generate

import (
	"fmt"
	"math/big"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

// extreme finds the highest or lowest figure of a column and whom it belongs to.
func extreme(r *match.Reading) (*found, *miss) {
	column, m := summed(r)
	if m != nil || column < 0 {
		return nil, m
	}
	if m := whole(r); m != nil {
		return nil, m
	}
	if taken(r.Table, column) {
		return nil, final(AmbiguousCondition, "the figures under %s of %s are below zero, and their size may be meant", r.Table.Label(column), r.Table.Evidence)
	}
	amounts, rows, m := addends(r.Table, column, matching(r))
	if m != nil || len(rows) == 0 {
		return nil, m
	}
	if _, err := amount.StyleOf(amounts, r.Table.Columns[column].Comma); err != nil {
		return nil, final(Unsupported, "%s of %s: %v", r.Table.Label(column), r.Table.Evidence, err)
	}
	word, better := "highest", 1
	if r.Question.Want == ask.Lowest {
		word, better = "lowest", -1
	}
	best := 0
	for i := range amounts {
		if amounts[i].Value.Cmp(amounts[best].Value) == better {
			best = i
		}
	}
	var names []string
	for i := range amounts {
		if amounts[i].Value.Cmp(amounts[best].Value) == 0 {
			names = append(names, who(r.Table, rows[i]))
		}
	}
	text := fmt.Sprintf("The %s %s%s in %s is %s: %s.", word, r.Table.Label(column), of(conditions(r)), place(r), amounts[best].Printed, list(names))
	return &found{text: text, value: list(names) + amounts[best].Value.RatString(), refs: refs(rows)}, nil
}

// average divides the sum by the number of rows that have a figure.
func average(r *match.Reading) (*found, *miss) {
	column, m := summed(r)
	if m != nil || column < 0 {
		return nil, m
	}
	if m := whole(r); m != nil {
		return nil, m
	}
	amounts, rows, m := addends(r.Table, column, matching(r))
	if m != nil || len(rows) == 0 {
		return nil, m
	}
	style, err := styleOf(r.Table, column, amounts)
	if err != nil {
		return nil, final(Unsupported, "%s of %s: %v", r.Table.Label(column), r.Table.Evidence, err)
	}
	total := amount.Sum(amounts)
	mean := new(big.Rat).Quo(total, big.NewRat(int64(len(amounts)), 1))
	fine := style
	equals := "="
	if _, exact := new(big.Rat).SetString(mean.FloatString(style.Decimals)); exact {
		if v, _ := new(big.Rat).SetString(mean.FloatString(style.Decimals)); v.Cmp(mean) != 0 {
			fine.Decimals = max(2, style.Decimals)
			if v, _ := new(big.Rat).SetString(mean.FloatString(fine.Decimals)); v.Cmp(mean) != 0 {
				equals = "≈"
			}
		}
	}
	text := fmt.Sprintf("The average %s%s in %s is %s: (%s) ÷ %d = %s ÷ %d %s %s.", r.Table.Label(column), of(conditions(r)), place(r),
		fine.Format(mean), terms(style, amounts), len(amounts), style.Format(total), len(amounts), equals, fine.Format(mean))
	return &found{text: text, value: mean.RatString(), refs: refs(rows)}, nil
}

// who names a row: its name, with the key where it has both.
func who(t *grid.Table, row grid.Row) string {
	name, key := row.Cell(t.Name), row.Cell(t.Key)
	switch {
	case name == "" || t.Key == t.Name:
		return key
	case key == "" || t.Columns[t.Key].Kind == grid.Serial:
		return name
	}
	return name + " (" + key + ")"
}
