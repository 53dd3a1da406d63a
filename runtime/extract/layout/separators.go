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
	namedRows     = 3    // of which one bears the names
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
	var names []rag.Box
	for _, fr := range rows[0].fragments {
		names = append(names, fr.Box)
	}
	var strips [][2]int
	for _, r := range runsUpTo(c.fragments, c.limit) {
		if r[0] == 0 {
			r[0] = labels(rows, box.X0, r[1])
		}
		x := box.X0 + float64(r[0]+r[1])/2/bins
		if float64(r[1]-r[0]+seamed(rows, x))/bins >= separatorEm*em || r[0] > 0 && r[1] < n && meet(rows, x, em) {
			strips = append(strips, r)
		}
	}
	var out []float64
	for i, r := range strips {
		left, right := box.X0-1, box.X1+1 // of the columns beside it
		if r[0] == 0 || r[1] == n {
			right = box.X0 + float64(r[1])/bins
			if i+1 < len(strips) {
				right = box.X0 + float64(strips[i+1][0])/bins
			}
			if len(out) > 0 {
				left = out[len(out)-1]
			}
			out = append(out, outer(r, names, box.X0, left, right)...)
			continue
		}
		if len(out) > 0 {
			left = out[len(out)-1]
		}
		if i+1 < len(strips) {
			right = box.X0 + float64(strips[i+1][0])/bins
		}
		out = append(out, c.cut(r, names, box.X0, left, right)...)
	}
	return headless(prune(out, rows, tight), rows)
}

// seamed is 1 where several rows show entries close to either side of x, else 0: a
// strip between them is as wide as it looks, though its ends be covered in part.
func seamed(rows []textRow, x float64) int {
	n := 0
	for i := range rows {
		fs := rows[i].fragments
		for k := 1; k < len(fs); k++ {
			if fs[k-1].Box.X1 <= x && fs[k].Box.X0 >= x && fs[k].Box.X0-fs[k-1].Box.X1 <= fragmentGap*rows[i].size {
				n++
			}
		}
	}
	if n < entryRows {
		return 0
	}
	return 1
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
	weight := 1
	count := func(into []int, b rag.Box) {
		for k := int((b.X0 - x0) * bins); k <= int((b.X1-x0)*bins) && k < n; k++ {
			into[k] += weight
		}
	}
	voters := 0
	least := dense(rows)
	few := namedFew(rows, least)
	for i := range rows {
		if len(rows[i].fragments) < least {
			continue
		}
		voters++
		if weight = 1; few && voters > 1 {
			weight = 2
		}
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
	if voters >= spillRows || few {
		c.limit = max(c.limit, 1)
	}
	// a separator may cut a fragment at a word space in a minority of rows: tight neighbours
	cutLimit := max(c.limit, weight*int(cutShare*float64(voters)))
	for k := range c.fragments {
		if c.words[k] <= c.limit && c.fragments[k] <= cutLimit {
			c.fragments[k] = c.words[k]
		}
	}
	return c
}

// cut returns where a run of clear strips parts two columns: in the middle of its
// emptiest part. Where a name stands alone between two such parts, it goes to the
// column that lacks one, or names an empty column; left is where the column before
// begins, right where the one after ends.
func (c *cover) cut(run [2]int, names []rag.Box, x0, left, right float64) []float64 {
	least := c.limit
	for k := run[0]; k < run[1]; k++ {
		least = min(least, c.fragments[k])
	}
	from, to := x0+float64(run[0])/bins, x0+float64(run[1])/bins
	parts := runsUpTo(c.fragments[run[0]:run[1]], least)
	if whole := slices.DeleteFunc(slices.Clone(parts), func(p [2]int) bool { return inName(names, from+float64(p[0]+p[1]-1)/2/bins) }); len(whole) > 0 {
		parts = whole // the space between the words of a name is no gap
	}
	widest, at := 0, make([]float64, len(parts))
	for i, p := range parts {
		at[i] = from + float64(p[0]+p[1]-1)/2/bins
		if p[1]-p[0] > parts[widest][1]-parts[widest][0] {
			widest = i
		}
	}
	name, before, after := between(names, left, from, to, right)
	if name == nil {
		return at[widest : widest+1]
	}
	first := slices.IndexFunc(at, func(x float64) bool { return x < name.X0 })
	last := slices.IndexFunc(at, func(x float64) bool { return x > name.X1 })
	switch {
	case first < 0 || last < 0:
		return at[widest : widest+1]
	case before && after:
		return []float64{at[first], at[last]}
	case before, !after && left < x0: // labels of rows need no name
		return at[first : first+1]
	}
	return at[last : last+1]
}

// outer returns where an empty column at either end of a table begins or ends: one
// whose name stands alone beyond the text of all other rows.
func outer(run [2]int, names []rag.Box, x0, left, right float64) []float64 {
	from, to := x0+float64(run[0])/bins, x0+float64(run[1])/bins
	name, before, after := between(names, left, from-1, to, right)
	switch {
	case name == nil:
		return nil
	case run[0] == 0 && after:
		return []float64{(name.X1 + to) / 2}
	case run[0] > 0 && before:
		return []float64{(from + name.X0) / 2}
	}
	return nil
}

// between returns the only name inside a strip, nil if there is none or several,
// and whether the columns before and after the strip have names.
func between(names []rag.Box, left, from, to, right float64) (name *rag.Box, before, after bool) {
	n := 0
	for i, b := range names {
		switch {
		case b.X0 >= from && b.X1 <= to:
			name = &names[i]
			n++
		case b.X1 > left && b.X0 < from:
			before = true
		case b.X1 > to && b.X0 < right:
			after = true
		}
	}
	if n != 1 {
		return nil, before, after
	}
	return name, before, after
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
			if left == nil || right == nil || right.Box.X0-left.Box.X1 > fragmentGap*em+to-from {
				continue
			}
			both++
			if left.pitched && right.pitched && !right.enters {
				continue // the listing's grid knows of no column there
			}
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
// one that it names: names are centred or at the left over columns whose text
// stands elsewhere.
func headless(seps []float64, rows []textRow) []float64 {
	if len(rows) < namedRows {
		return seps
	}
	edges := append(append([]float64{math.Inf(-1)}, seps...), math.Inf(1))
	for k := 0; k+2 < len(edges); k++ { // columns k and k+1
		if names(rows, edges[k+1:k+3], edges[k:k+2]) || names(rows, edges[k:k+2], edges[k+1:k+3]) {
			edges = slices.Delete(edges, k+1, k+2)
			k--
		}
	}
	return edges[1 : len(edges)-1]
}

// names reports whether the leading rows alone have text in one column, and the
// lowest of them has none in another one, which has text further below.
func names(rows []textRow, column, other []float64) bool {
	n, last := begin(rows, column[0], column[1])
	if n == 0 || last >= maxHeader {
		return false
	}
	named, _ := begin(rows[last:last+1], other[0], other[1])
	below, _ := begin(rows[last+1:], other[0], other[1])
	return named == 0 && below > 1
}

// begin counts the rows with a fragment that begins between two edges, and
// returns the last one's index.
func begin(rows []textRow, left, right float64) (n, last int) {
	for i := range rows {
		if slices.ContainsFunc(rows[i].fragments, func(l Line) bool { return l.Box.X0 >= left && l.Box.X0 < right }) {
			n, last = n+1, i
		}
	}
	return n, last
}
