package layout

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Ruled rows that hold several rows of text.
const (
	tallNumbers = 3    // lines of numbers in one column of a ruled row: several rows in truth
	pairsShare  = 0.25 // of the ruled rows: two numbers in fewer rows are one that wraps
	singleLeast = 3    // ruled rows with a cell of one line …
	singleShare = 0.8  // … and this share of all are rows indeed
)

// splitTall splits ruled rows that hold several rows of text (columns ruled,
// rows not). It returns the cells and the number of rows.
func (f *finder) splitTall(g *grid, cells []gridCell) ([]gridCell, int) {
	nr, nc := g.rows(), g.columns()
	split, unsure := make([][]record, nr), make([]bool, nr)
	pairs, extra := 0, 0
	for r := range nr {
		if split[r], unsure[r] = f.tallRow(cells, r, nc); unsure[r] {
			pairs++
		}
	}
	ruled := pairs > 0 && singleRows(cells, nr)
	for r := range nr {
		if unsure[r] && (ruled || float64(pairs) < pairsShare*float64(nr)) { // its neighbours are rows as they are ruled: its text wraps
			split[r] = nil
		}
		extra += max(0, len(split[r])-1)
	}
	if extra == 0 {
		return cells, nr
	}
	shift := make([]int, nr+1)
	for r := range nr {
		shift[r+1] = shift[r]
		if split[r] != nil {
			shift[r+1] += len(split[r]) - 1
		}
	}
	var out []gridCell
	for _, c := range cells {
		if split[c.row] == nil || c.beside(f.gs.allLines(c.glyphs)) {
			end := c.row + c.rows
			c.rows = end + shift[end] - (c.row + shift[c.row])
			c.row += shift[c.row]
			out = append(out, c)
		}
	}
	for r, records := range split {
		for i := range records {
			for k := range nc {
				out = append(out, gridCell{
					box: rag.Box{X0: g.xs[k], Y0: records[i].top, X1: g.xs[k+1], Y1: records[i].bottom},
					row: r + shift[r] + i, col: k, rows: 1, columns: 1,
					text: records[i].cells[k].Text, glyphs: records[i].cells[k].glyphs,
				})
			}
		}
	}
	return out, nr + extra
}

// singleRows reports whether the ruled rows are rows: nearly all have a cell of one
// line, so what has two lines beside it is wrapped. Rows that hold two rows of text
// have two lines in nearly every cell.
func singleRows(cells []gridCell, nr int) bool {
	single, filled := make([]bool, nr), make([]int, nr)
	for _, c := range cells {
		if c.text == "" || c.rows != 1 {
			continue
		}
		filled[c.row]++
		single[c.row] = single[c.row] || !strings.Contains(c.text, "\n")
	}
	rows, singles := 0, 0
	for r := range nr {
		if filled[r] >= 2 {
			rows++
			if single[r] {
				singles++
			}
		}
	}
	return singles >= singleLeast && float64(singles) >= singleShare*float64(rows)
}

// beside reports whether a cell of such lines is a label beside several rows:
// its text is turned, or it spans rows and has few lines.
func (c *gridCell) beside(lines []Line) bool {
	return c.rows > 1 && len(lines) < tallNumbers || slices.ContainsFunc(lines, func(l Line) bool { return l.Turn != Rightward })
}

// tallRow returns the rows that a ruled row holds in truth, nil when it is one,
// and whether no more than two numbers say so.
func (f *finder) tallRow(cells []gridCell, r, nc int) (rs []record, unsure bool) {
	var cols []gridCell
	var idx []int
	keyed, numbered := 0, false
	for _, c := range cells {
		if c.text == "" || c.row > r || c.row+c.rows <= r {
			continue
		}
		lines := f.gs.allLines(c.glyphs)
		if c.beside(lines) {
			continue
		}
		if c.rows != 1 {
			return nil, false
		}
		if len(cols) == 0 {
			keyed = len(lines)
		}
		numbers := amountLines(lines, c.box.X1-c.box.X0)
		numbered = numbered || numbers >= tallNumbers
		unsure = unsure || numbers == 2 && len(lines) == 2 && keyed != 1 // one name: its numbers are wrapped
		cols = append(cols, c)
		idx = append(idx, c.glyphs...)
	}
	if len(cols) < 2 || !numbered && !unsure {
		return nil, false
	}
	lines := f.gs.lines(idx)
	for i := range lines {
		rec := newRecord(nc, &lines[i])
		for _, w := range lines[i].Words {
			k, x := cols[0].col, (w.Box.X0+w.Box.X1)/2
			for _, c := range cols {
				if x >= c.box.X0 && x <= c.box.X1 {
					k = c.col
				}
			}
			rec.put(k, w.Text, w.Box, w.glyphs)
		}
		rs = append(rs, rec)
	}
	merged := unwrap(rs, nc, f.em, func(a, b *record) bool { return false })
	full := 0
	for i := range merged {
		if merged[i].filled*2 >= len(cols) {
			full++
		}
	}
	if full < 2 || full*2 <= len(merged) {
		return nil, false
	}
	return merged, !numbered
}

// amountLines counts the lines that are amounts; one that is broken is none of several.
func amountLines(lines []Line, width float64) int {
	if brokenAmount(lines, width) {
		return 0
	}
	n := 0
	for i := range lines {
		if numeric(lines[i].Text()) {
			n++
		}
	}
	return n
}
