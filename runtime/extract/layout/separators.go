package layout

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Where the columns of aligned text are separated.
const (
	separatorEm   = 0.3  // width of the clear strip between columns
	spillShare    = 0.06 // of the rows may have a word in that strip …
	spillRows     = 5    // … and one may from this many rows on
	cutShare      = 0.3  // of the rows may have a fragment, cut at a word space, across it
	tightEm       = 0.4  // a strip this wide that no word ever enters separates tight columns …
	tightRows     = 4    // … if so many rows have words on both sides …
	tightNumbers  = 0.8  // … one of which is a number in this share of them
	monospaceSlop = 0.03 // letters of a typewriter font are as wide, give or take
	labelRows     = 3    // so many rows begin left of all others: a column of labels
	maxBins       = 20000
)

// separators returns the x between columns: strips that (nearly) no row's text covers.
func (f *finder) separators(rows []textRow, box rag.Box, em float64) []float64 {
	if !(box.X1-box.X0 < maxBins/bins) { // a drawing, or no number
		return nil
	}
	n := int((box.X1-box.X0)*bins) + 2
	c := f.coverage(rows, box.X0, em, n)
	tight := c.openTight(rows, box.X0, em)
	var out []float64
	for _, r := range runsUpTo(c.fragments, c.limit) {
		if r[0] == 0 {
			r[0] = labels(rows, box.X0, r[1])
		}
		if r[0] == 0 || r[1] == n {
			continue
		}
		x := box.X0 + float64(c.emptiest(r))/2/bins
		if float64(r[1]-r[0])/bins < separatorEm*em && !meet(rows, x, em) {
			continue
		}
		out = append(out, x)
	}
	return headless(prune(out, rows, tight), rows, box)
}

// meet reports whether entries of two columns meet at x in enough rows: a
// column of amounts ends where the names beside it begin, however narrow the gap.
func meet(rows []textRow, x, em float64) bool {
	n := 0
	for i := range rows {
		fs := rows[i].fragments
		for k := 1; k < len(fs); k++ {
			if fs[k-1].Box.X1 <= x && fs[k].Box.X0 >= x && fs[k].Words[0].enters &&
				fs[k].Box.X0-fs[k-1].Box.X1 < 2*separatorEm*em {
				n++
			}
		}
	}
	return n >= entryRows
}

// labels returns the strip before which labels end that stand on lines of their
// own, left of what the other rows begin with; 0 where there are none.
func labels(rows []textRow, x0 float64, end int) int {
	n, right := 0, 0
	for i := range rows {
		if k := int((rows[i].fragments[0].Box.X1-x0)*bins) + 1; k < end {
			n++
			right = max(right, k)
		}
	}
	if n < labelRows {
		return 0
	}
	return right
}

// cover counts, for each strip of half a point, the rows whose text covers it,
// by fragments and by words; a strip with no more than limit is clear.
type cover struct {
	fragments, words []int
	limit            int
}

// coverage counts the rows. Rows of few fragments (titles, wrapped cells, the
// totals below a table) have no say.
func (f *finder) coverage(rows []textRow, x0, em float64, n int) cover {
	c := cover{fragments: make([]int, n), words: make([]int, n)}
	count := func(into []int, b rag.Box) {
		for k := int((b.X0 - x0) * bins); k <= int((b.X1-x0)*bins) && k < n; k++ {
			into[k]++
		}
	}
	voters := 0
	least := dense(rows)
	for i := range rows {
		if len(rows[i].fragments) < least {
			continue
		}
		voters++
		for k := range rows[i].fragments {
			fr := &rows[i].fragments[k]
			box := f.short(fr, em)
			count(c.fragments, box)
			for _, w := range fr.Words {
				w.Box.X1 = math.Min(w.Box.X1, box.X1)
				count(c.words, w.Box)
			}
		}
	}
	c.limit = int(spillShare * float64(voters))
	if voters >= spillRows {
		c.limit = max(c.limit, 1)
	}
	// a separator may cut a fragment at a word space in a minority of rows: tight neighbours
	cutLimit := max(c.limit, int(cutShare*float64(voters)))
	for k := range c.fragments {
		if c.words[k] <= c.limit && c.fragments[k] <= cutLimit {
			c.fragments[k] = c.words[k]
		}
	}
	return c
}

// emptiest returns twice the middle of the run's emptiest part.
func (c *cover) emptiest(run [2]int) int {
	least, first, last := c.limit+1, -1, -1
	for k := run[0]; k < run[1]; k++ {
		switch v := c.fragments[k]; {
		case v < least:
			least, first, last = v, k, k
		case v == least:
			last = k
		}
	}
	return first + last
}

// openTight clears strips beside columns of numbers that stand so close to
// their neighbours that whole rows read as one fragment. A word space would be
// narrower; in a typewriter font it is not, so there both columns must be numbers.
func (c *cover) openTight(rows []textRow, x0, em float64) (strips [][2]float64) {
	typewriter := monospaced(rows)
	for _, r := range runsUpTo(c.words, 0) {
		if r[0] == 0 || r[1] == len(c.words) || float64(r[1]-r[0])/bins < tightEm*em {
			continue
		}
		from, to := x0+float64(r[0])/bins, x0+float64(r[1])/bins
		both, numbers := 0, 0
		for i := range rows {
			left, right := beside(&rows[i], (from+to)/2)
			if left == nil || right == nil {
				continue
			}
			both++
			a, b := numeric(left.Text), numeric(right.Text)
			if a && b || (a || b) && !typewriter {
				numbers++
			}
		}
		if both < tightRows || float64(numbers) < tightNumbers*float64(both) {
			continue
		}
		for k := r[0]; k < r[1]; k++ {
			c.fragments[k] = 0
		}
		strips = append(strips, [2]float64{from, to})
	}
	return strips
}

// beside returns the words left and right of x.
func beside(r *textRow, x float64) (left, right *Word) {
	for i := range r.fragments {
		for k := range r.fragments[i].Words {
			w := &r.fragments[i].Words[k]
			if w.Box.X1 <= x {
				left = w
			} else if w.Box.X0 >= x {
				return left, w
			}
		}
	}
	return left, nil
}

// monospaced reports whether all letters are equally wide.
func monospaced(rows []textRow) bool {
	least, most := math.Inf(1), 0.0
	for i := range rows {
		for _, fr := range rows[i].fragments {
			for _, w := range fr.Words {
				if n := utf8.RuneCountInString(w.Text); n > 1 {
					width := (w.Box.X1 - w.Box.X0) / float64(n) / math.Max(w.Size, 1)
					least, most = math.Min(least, width), math.Max(most, width)
				}
			}
		}
	}
	return most-least <= monospaceSlop*most
}

// prune drops separators that only cut fragments: a column must hold some
// fragment that is whole, unless its separator stands in a tight strip.
func prune(seps []float64, rows []textRow, tight [][2]float64) []float64 {
	for k := len(seps) - 1; k >= 0; k-- {
		x, right := seps[k], math.Inf(1)
		if k+1 < len(seps) {
			right = seps[k+1]
		}
		if !within(x, tight) && !within(right, tight) && !holdsFragment(rows, x, right) {
			seps = append(seps[:k], seps[k+1:]...)
		}
	}
	return seps
}

func within(x float64, strips [][2]float64) bool {
	for _, s := range strips {
		if x >= s[0] && x <= s[1] {
			return true
		}
	}
	return false
}

func holdsFragment(rows []textRow, left, right float64) bool {
	for i := range rows {
		for k := range rows[i].fragments {
			if b := rows[i].fragments[k].Box; b.X0 >= left && b.X1 <= right {
				return true
			}
		}
	}
	return false
}

// headless drops separators that give a name a column of its own beside the
// one that it names: names are centred over columns whose text stands at the left.
func headless(seps []float64, rows []textRow, box rag.Box) []float64 {
	if len(rows) < spillRows {
		return seps
	}
	for k := 0; k < len(seps); k++ {
		right := box.X1
		if k+1 < len(seps) {
			right = seps[k+1]
		}
		left := box.X0
		if k > 0 {
			left = seps[k-1]
		}
		whole := func(b rag.Box) bool { return b.X0 >= seps[k] && b.X1 <= right }
		begins := func(b rag.Box) bool { return b.X0 >= left && b.X0 < seps[k] }
		if own, first := countRows(rows, whole); own != 1 || !first {
			continue
		}
		if beside, named := countRows(rows, begins); beside > 1 && !named {
			seps = append(seps[:k], seps[k+1:]...)
			k--
		}
	}
	return seps
}

// countRows counts the rows with a fragment of a kind, and tells whether the
// first row is one.
func countRows(rows []textRow, kind func(rag.Box) bool) (n int, first bool) {
	for i := range rows {
		if slices.ContainsFunc(rows[i].fragments, func(l Line) bool { return kind(l.Box) }) {
			n++
			first = first || i == 0
		}
	}
	return n, first
}
