package generate

import (
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

// taken reports whether every figure under a column is taken off: below zero, as
// deductions in parentheses are. "More than" and "highest" then mean the size to
// one reader and the sign to another.
func taken(t *grid.Table, column int) bool {
	below := false
	for _, row := range t.Rows {
		a, ok := t.Columns[column].Amount(row.Cell(column))
		if ok && a.Value.Sign() > 0 {
			return false
		}
		below = below || ok && a.Value.Sign() < 0
	}
	return below
}

// unsigned refuses a comparison with a figure not below zero under such a column.
func unsigned(r *match.Reading) *miss {
	for _, c := range r.Where {
		for _, b := range c.Bounds {
			if b.Value.Sign() >= 0 && taken(r.Table, c.Column) {
				return final(AmbiguousCondition, "the figures under %s of %s are below zero, and “%s” may be meant of their size", r.Table.Label(c.Column), r.Table.Evidence, c.Shown)
			}
		}
	}
	return nil
}
