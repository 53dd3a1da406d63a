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
	columnDepth  = 3   // cuts of a page: into eight columns
	columnTries  = 4   // left edges looked at, from the most frequent
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
	for _, x := range starts(rows) {
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
// the most frequent first.
func starts(rows []textRow) []float64 {
	count := map[int]int{}
	least := math.MaxInt
	for i := range rows {
		for k := range rows[i].fragments {
			if l := &rows[i].fragments[k]; len(l.Words) >= proseLeast {
				at := int(math.Round(l.Box.X0))
				count[at]++
				least = min(least, at)
			}
		}
	}
	var at []int
	for x, n := range count {
		if n+count[x-1]+count[x+1] >= proseLines && x > least+columnsWidth {
			at = append(at, x)
		}
	}
	sort.Slice(at, func(i, j int) bool {
		if count[at[i]] != count[at[j]] {
			return count[at[i]] > count[at[j]]
		}
		return at[i] < at[j]
	})
	var out []float64
	for _, x := range at[:min(len(at), columnTries)] {
		out = append(out, float64(x)-1)
	}
	return out
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
// running text stands on both sides of it: from the first line of such text to
// the last, if there is enough.
func proseBeside(rows []textRow, x, em float64) (first, last int) {
	first = len(rows)
	for _, left := range [...]bool{true, false} {
		a, b := prose(rows, x, em, left)
		if a == b {
			return 0, 0
		}
		first, last = min(first, a), max(last, b)
	}
	return first, last
}

// prose returns from which to which row running text stands on one side of x; both
// are 0 where there is too little.
func prose(rows []textRow, x, em float64, left bool) (first, last int) {
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
		return 0, 0
	}
	most := 0
	for at, k := range edges {
		if k > most || k == most && float64(at) < x0 {
			x0, most = float64(at), k
		}
	}
	filled, words, cased, carried := 0, 0, 0, 0
	first = -1
	for i, l := range lines {
		if l == nil || math.Abs(l.Box.X0-x0) > proseIndent*em || l.Box.X1 < x1-proseReach*em {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i + 1
		filled++
		words += len(l.Words)
		switch r, _ := utf8.DecodeRuneInString(l.Words[0].Text); {
		case unicode.IsLower(r):
			carried++
			cased++
		case unicode.IsUpper(r):
			cased++
		}
	}
	if filled < proseLines || float64(filled) < proseFilled*float64(n) || words < proseMean*filled ||
		float64(carried) < proseCarried*float64(cased) {
		return 0, 0
	}
	return first, last
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
