package layout

import (
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// namedFew reports whether a table is too short for a row to reach over its
// columns, unless that is the first one: sheets set names at the left of their
// columns and numbers at the right, so that each name reaches into the strip before
// the numbers. Rows of fewer than least fragments have no say.
func namedFew(rows []textRow, least int) bool {
	voters, numbers, names := 0, 0, 0
	for i := range rows {
		if len(rows[i].fragments) < least {
			continue
		}
		if voters++; voters == 1 {
			names = len(rows[i].fragments)
		}
		for k := range rows[i].fragments {
			if !numeric(rows[i].fragments[k].Text()) {
				continue
			}
			if voters == 1 {
				return false
			}
			numbers++
		}
	}
	return len(rows) >= namedRows && voters > 1 && voters < spillRows && numbers >= max(2, voters-1) && names >= alignedPieces
}

// inName reports whether x lies inside the name of a column.
func inName(names []rag.Box, x float64) bool {
	return slices.ContainsFunc(names, func(b rag.Box) bool { return b.X0 < x && b.X1 > x })
}
