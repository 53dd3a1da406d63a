package layout

import (
	"strings"
	"unicode/utf8"
)

// What tells a table whose cells stand at the bottom of their rows.
const (
	bottomRuns  = 3    // runs of partial lines that tell
	bottomShare = 0.9  // of them end where the line below begins with a word that did not fit …
	topShare    = 0.75 // … and fewer than this begin with one that did not fit above: by chance half do
)

// atBottom reports whether partial lines are the beginnings of the rows below
// them, not the ends of those above: sheets print cells at the bottom of a row.
// Where lines stand evenly only their ends tell: a line is full but for the
// first word of the one that goes on with it. What counts is where a run of
// partial lines meets the full ones above and below.
func (w *wrapper) atBottom() bool {
	n, up, down := 0, 0, 0
	for i := 1; i < len(w.lines); i++ {
		if !w.partial(i) {
			continue
		}
		first := i
		for i+1 < len(w.lines) && w.partial(i+1) {
			i++
		}
		n++
		if w.wraps(first) {
			up++
		}
		if i+1 < len(w.lines) && w.leads(i) {
			down++
		}
	}
	return n >= bottomRuns && float64(down) >= bottomShare*float64(n) && float64(up) < topShare*float64(n)
}

// partial reports whether line i is part of a row whose key stands on another line.
func (w *wrapper) partial(i int) bool {
	return !w.lines[i].full() && w.lines[i].cells[0].Text == "" && !w.rule[i] && (i+1 == len(w.lines) || !w.rule[i+1])
}

// leads reports whether the line below goes on with line i in each of its columns.
func (w *wrapper) leads(i int) bool {
	below := &w.lines[i+1]
	for k := range w.lines[i].cells {
		c := &w.lines[i].cells[k]
		if c.Text != "" && !(below.cells[k].Text != "" && w.overflows(c, &below.cells[k], k)) {
			return false
		}
	}
	return true
}

// overflows reports whether the first word of a cell's line would not have fitted on the line above.
func (w *wrapper) overflows(above, c *Cell, k int) bool {
	word, _, _ := strings.Cut(c.Text, " ")
	width := (c.Box.X1 - c.Box.X0) * float64(utf8.RuneCountInString(word)) / float64(utf8.RuneCountInString(c.Text))
	return above.Box.X1+wrapSpace*w.em+width >= w.right[k]
}
