package scroll

import (
	"errors"
	"strings"
	"unicode"
)

// Cell is a cell of markup, which may span columns and rows.
type Cell struct {
	Text          string
	Columns, Rows int // spanned; below 1 is 1
}

// maxSpan bounds what one cell may claim; real tables stay under it.
const maxSpan = 256

// ErrTooManyCells says that a table takes more cells than MaxCells: by its spans, or
// because every row is as wide as the widest.
var ErrTooManyCells = errors.New("the table has too many cells")

// Grid lays out the cells of a table's rows, each behind those that span into
// its row. A cell that spans columns leaves the further ones empty. One that
// spans rows stands in each of them, so that a row can be read by itself, unless
// it holds an amount, which would be counted twice.
func Grid(rows [][]Cell) ([][]string, error) {
	laid := make([]map[int]string, len(rows)) // text by column
	for i := range laid {
		laid[i] = map[int]string{}
	}
	total := 0
	for i, row := range rows {
		at := 0
		for _, c := range row {
			for taken(laid[i], at) {
				at++
			}
			columns, high := min(max(c.Columns, 1), maxSpan), min(max(c.Rows, 1), len(rows)-i)
			if total += columns * high; total > MaxCells {
				return nil, ErrTooManyCells
			}
			for k := i; k < i+high; k++ {
				for m := at; m < at+columns; m++ {
					laid[k][m] = ""
				}
				if k == i || !amount(c.Text) {
					laid[k][at] = c.Text
				}
			}
			at += columns
		}
	}
	out := make([][]string, len(rows))
	width := 0
	for i, cells := range laid {
		out[i] = flat(cells)
		if width = max(width, len(out[i])); width*len(rows) > MaxCells {
			return nil, ErrTooManyCells
		}
	}
	return out, nil
}

func taken(cells map[int]string, at int) bool {
	_, ok := cells[at]
	return ok
}

func flat(cells map[int]string) []string {
	width := 0
	for k := range cells {
		width = max(width, k+1)
	}
	out := make([]string, width)
	for k, text := range cells {
		out[k] = text
	}
	return out
}

// amount reports whether a text is a number, whatever stands around it.
func amount(text string) bool {
	return strings.ContainsFunc(text, unicode.IsDigit) && !strings.ContainsFunc(text, unicode.IsLetter)
}
