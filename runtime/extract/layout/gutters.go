package layout

import (
	"math"
	"sort"
	"unicode"
	"unicode/utf8"
)

// Text set in columns is searched for tables column by column: a line of one and
// the line beside it would be read as a row. Columns of text are told from those
// of a table by their lines, which fill them and go on from one to the next.
const (
	proseLines   = 6   // lines of running text that each column holds at least
	proseLeast   = 3   // words of such a line …
	proseMean    = 5   // … and on average
	proseReach   = 3   // ems before the column's edge within which it ends: a long word did not fit
	proseIndent  = 2   // ems by which it may be indented
	proseFilled  = 0.5 // of a column's lines of so many words reach so far
	proseCarried = 0.4 // of them begin within a sentence, with a small letter; scripts without have no say
	besideLines  = 2   // times as many lines tell a column of text by itself from what stands beside it …
	besideRows   = 3   // … if that is so many rows at least …
	besideShare  = 0.4 // … of which so many stand beside a line within a sentence: a table's begin with their cells
	columnDepth  = 3   // cuts of a page: into eight columns
	columnTries  = 3   // left edges looked at, from the most frequent, and as many right ones
)

// areas parts rows of text that stand in columns, so that each area holds one
// column, from the top and from the left.
func areas(rows []textRow, em float64, depth int) [][]textRow {
	if depth == columnDepth || len(rows) < proseLines {
		return [][]textRow{rows}
	}
	x, first, last := textColumns(rows, em)
	if first == last {
		return [][]textRow{rows}
	}
	left, right := halves(rows[first:last], x)
	var out [][]textRow
	if first > 0 {
		out = areas(rows[:first], em, depth+1)
	}
	out = append(out, areas(left, em, depth+1)...)
	out = append(out, areas(right, em, depth+1)...)
	if last < len(rows) {
		out = append(out, areas(rows[last:], em, depth+1)...)
	}
	return out
}

// textColumns returns where a column of text begins beside another one, and the
// rows [first, last) over which both stand; first is last where there are none.
func textColumns(rows []textRow, em float64) (x float64, first, last int) {
	for _, x := range starts(rows, em) {
		for i := 0; i < len(rows); {
			j := i
			for j < len(rows) && !rows[j].crosses(x, em) {
				j++
			}
			if a, b := proseBeside(rows[i:j], x, em); a < b {
				return x, i + a, i + b
			}
			i = j + 1
		}
	}
	return 0, 0, 0
}

// starts are the x at which several lines of words begin, not the first of all,
// the most frequent first, and those behind which such lines end.
func starts(rows []textRow, em float64) []float64 {
	lefts, rights := map[int]int{}, map[int]int{}
	least, most := math.MaxInt, math.MinInt
	for i := range rows {
		for k := range rows[i].fragments {
			l := &rows[i].fragments[k]
			a, b := int(math.Round(l.Box.X0)), int(math.Round(l.Box.X1))
			least, most = min(least, a), max(most, b)
			if len(l.Words) >= proseLeast {
				lefts[a]++
				rights[b]++
			}
		}
	}
	var out []float64
	for _, x := range frequent(lefts, least+columnsWidth, math.MaxInt) {
		out = append(out, float64(x)-1)
	}
	for _, x := range frequent(rights, least+columnsWidth, most-columnsWidth) {
		out = append(out, float64(x)+1+gutterWidth*em)
	}
	return out
}

// frequent returns the places, from the most frequent, that count often enough
// for a column of text, of those between two others.
func frequent(count map[int]int, from, to int) []int {
	var at []int
	for x, n := range count {
		if n+count[x-1]+count[x+1] >= proseLines && x > from && x < to {
			at = append(at, x)
		}
	}
	sort.Slice(at, func(i, j int) bool {
		if count[at[i]] != count[at[j]] {
			return count[at[i]] > count[at[j]]
		}
		return at[i] < at[j]
	})
	return at[:min(len(at), columnTries)]
}

// crosses reports whether a fragment of the row stands on both sides of x, or
// too close before it for a gutter.
func (r *textRow) crosses(x, em float64) bool {
	for i := range r.fragments {
		if b := r.fragments[i].Box; b.X0 < x && b.X1 > x-gutterWidth*em {
			return true
		}
	}
	return false
}

// proseBeside returns the part of some rows, none of which crosses x, in which
// running text stands on both sides of it, or so much on one that what stands on
// the other is no part of the same rows: from the first line of such text to the last.
func proseBeside(rows []textRow, x, em float64) (first, last int) {
	left, right := runningText(rows, x, em, true), runningText(rows, x, em, false)
	switch {
	case left.lines > 0 && right.lines > 0:
		return min(left.first, right.first), max(left.last, right.last)
	case left.lines >= besideLines*proseLines && left.apart(rows, x):
		return left.first, left.last
	case right.lines >= besideLines*proseLines && right.apart(rows, x):
		return right.first, right.last
	}
	return 0, 0
}

// text is a column of running text.
type text struct {
	left        bool   // of x
	lines       int    // that fill the column, 0 where it is none
	first, last int    // rows [first, last) from the first of these lines to the last
	carried     []bool // rows whose line begins within a sentence
}

// runningText finds the running text on one side of x.
func runningText(rows []textRow, x, em float64, left bool) (t text) {
	lines := make([]*Line, len(rows)) // the only fragment on this side, of enough words
	x0, x1, n := math.Inf(1), math.Inf(-1), 0
	edges := map[int]int{}
	for i := range rows {
		if lines[i] = rows[i].sole(x, left); lines[i] != nil {
			n++
			edges[int(math.Round(lines[i].Box.X0))]++
			x1 = math.Max(x1, lines[i].Box.X1)
		}
	}
	if n < proseLines {
		return text{}
	}
	most := 0
	for at, k := range edges {
		if k > most || k == most && float64(at) < x0 {
			x0, most = float64(at), k
		}
	}
	t = text{left: left, first: -1, carried: make([]bool, len(rows))}
	words, cased, carried := 0, 0, 0
	for i, l := range lines {
		if l == nil || math.Abs(l.Box.X0-x0) > proseIndent*em || l.Box.X1 < x1-proseReach*em {
			continue
		}
		if t.first < 0 {
			t.first = i
		}
		t.last = i + 1
		t.lines++
		words += len(l.Words)
		switch r, _ := utf8.DecodeRuneInString(l.Words[0].Text); {
		case unicode.IsLower(r):
			t.carried[i] = true
			carried++
			cased++
		case unicode.IsUpper(r):
			cased++
		}
	}
	if t.lines < proseLines || float64(t.lines) < proseFilled*float64(n) || words < proseMean*t.lines ||
		float64(carried) < proseCarried*float64(cased) {
		return text{}
	}
	return t
}

// apart reports whether what stands beside the text is no part of its rows.
func (t *text) apart(rows []textRow, x float64) bool {
	n, within := 0, 0
	for i := t.first; i < t.last; i++ {
		if fs := rows[i].fragments; fs[0].Box.X0 < x && fs[len(fs)-1].Box.X0 >= x {
			n++
			if t.carried[i] {
				within++
			}
		}
	}
	return n >= besideRows && float64(within) >= besideShare*float64(n)
}

// sole returns the fragment on one side of x, nil if there are several or none of
// enough words.
func (r *textRow) sole(x float64, left bool) *Line {
	var out *Line
	for i := range r.fragments {
		if l := &r.fragments[i]; (l.Box.X0 < x) == left {
			if out != nil || len(l.Words) < proseLeast {
				return nil
			}
			out = l
		}
	}
	return out
}

// halves cuts rows at x.
func halves(rows []textRow, x float64) (left, right []textRow) {
	for i := range rows {
		var a, b []Word
		for k := range rows[i].fragments {
			if l := &rows[i].fragments[k]; l.Box.X0 < x {
				a = append(a, l.Words...)
			} else {
				b = append(b, l.Words...)
			}
		}
		left = addPart(left, a, rows[i].base)
		right = addPart(right, b, rows[i].base)
	}
	return left, right
}

func addPart(rows []textRow, words []Word, base float64) []textRow {
	if len(words) == 0 {
		return rows
	}
	l := Line{Words: words}
	l.finish()
	l.Base = base
	return append(rows, newTextRow(&l))
}
