package layout

import (
	"math"
	"strings"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// bareOverlap is how much of an empty column of next a column must cover to be that one.
const bareOverlap = 0.5

// carry repeats in the first rows of a further page the labels of cells that
// the page's end cut in two: their text stands on the page before alone. A cell
// without text is the rest of one only where that is certain: it or the one
// before it reaches over several rows, and no other cell of its column is empty.
func (t *Table) carry(rows []Row) {
	if !t.Ruled || len(rows) == 0 || len(t.Rows) <= t.Header {
		return
	}
	last := &t.Rows[len(t.Rows)-1]
	for k := range last.Cells {
		n := reach(rows, k)
		merged := n > 1 || last.Cells[k].above
		if rows[0].Cells[k].Text != "" {
			if merged {
				return // another group begins, and with it all that it holds
			}
			continue
		}
		if !merged || !repeatable(last.Cells[k].Text) || n == 1 && rows[0].textual() && rows[0].filled() < len(last.Cells)-1 || hasBlank(t.Rows[t.Header:], k) || hasBlank(rows[n:], k) {
			continue
		}
		for i := range rows[:n] {
			c := &rows[i].Cells[k]
			c.Text, c.Spans, c.Bold, c.Box, c.above = last.Cells[k].Text, last.Cells[k].Spans, last.Cells[k].Bold, rows[0].Cells[k].Box, true
		}
	}
}

// carryTagged is carry by the file's tags: they say how many rows a cell covers.
// The first row may be the rest of the last one, which has its label.
func (t *Table) carryTagged(next *Table, rows []Row, cut bool) {
	if cut {
		rows = rows[1:]
	}
	last := &t.Rows[len(t.Rows)-1]
	for k, n := range t.over {
		covered := rows[:min(n, len(rows))]
		var box rag.Box
		for i := range covered {
			box = box.Union(covered[i].Cells[k].Box)
		}
		for i := range covered {
			if c := &covered[i].Cells[k]; c.Text == "" && repeatable(last.Cells[k].Text) {
				c.Text, c.Spans, c.Bold, c.Box = last.Cells[k].Text, last.Cells[k].Spans, last.Cells[k].Bold, box
			}
		}
		t.over[k] = max(n-len(rows), 0)
	}
	if len(next.over) == len(t.over) {
		for k, n := range next.over {
			t.over[k] = max(t.over[k], n)
		}
	}
}

// reach is how many rows the first cell of a column covers.
func reach(rows []Row, k int) int {
	n := 1
	for n < len(rows) && rows[n].Cells[k].above {
		n++
	}
	return n
}

// repeatable reports whether a text may be repeated in each of the rows beside it.
func repeatable(text string) bool {
	return strings.IndexFunc(text, unicode.IsLetter) >= 0 && len(strings.Fields(text)) <= labelWords
}

func hasBlank(rows []Row, k int) bool {
	for i := range rows {
		if rows[i].Cells[k].Text == "" {
			return true
		}
	}
	return false
}

func (r *Row) textual() bool {
	for i := range r.Cells {
		if r.Cells[i].Text != "" && numeric(r.Cells[i].Text) {
			return false
		}
	}
	return true
}

// bareColumn reports whether column k of the table is one of those without text
// that was left out of next, a single cell all the way down.
func (t *Table) bareColumn(next *Table, k int) bool {
	from, to := t.Edges[k], t.Edges[k+1]
	for _, e := range next.bare {
		if math.Min(to, e.to)-math.Max(from, e.from) > bareOverlap*(to-from) {
			return true
		}
	}
	return false
}
