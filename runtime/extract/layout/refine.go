package layout

import (
	"regexp"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Refinements of a ruled grid whose drawing says less than its text.
const (
	spanSlack    = 1.5 // points by which a fragment may stand out of its column
	splitLeast   = 0.6 // of a merged cell's columns have text when fragments are split at a column's edge
	wordSlack    = 2.0 // … and a word
	outerSlack   = 3.0 // … and a row out of the table
	extendCells  = 3   // cells with text that a further row needs
	extendBelow  = 1.0 // row heights between the table and a further row below …
	extendAbove  = 0.8 // … and above: a title stands further off
	virtualEms   = 6   // narrower columns are not searched for unruled gaps
	virtualRows  = 3
	virtualGap   = 0.7 // em; width of an unruled gap between columns
	virtualShare = 0.6 // of the rows have text on both sides
	virtualSpill = 6   // one row in so many may cross the gap
	bins         = 2.0 // coverage bins per point
)

// splitSpan gives the text of a merged cell to its columns when its fragments
// clearly sit in them: shaded rows often lack column borders. Nil leaves it whole.
func (f *finder) splitSpan(g *grid, c gridCell) []gridCell {
	if c.columns < 2 || len(c.glyphs) == 0 {
		return nil
	}
	parts := make(columnCells, c.columns)
	for k := range parts {
		parts[k] = c
		parts[k].columns, parts[k].col, parts[k].glyphs = 1, c.col+k, nil
		parts[k].box.X0, parts[k].box.X1 = g.xs[c.col+k], g.xs[c.col+k+1]
	}
	several, least := false, 2.0
	for n, l := range f.gs.allLines(c.glyphs) {
		if l.Turn != Rightward {
			return nil
		}
		fs := l.fragments()
		several = several || len(fs) > 1
		for i := range fs {
			if parts.give(fs[i].Box, fs[i].Words) {
				continue
			}
			least = splitLeast*float64(c.columns) + 1 // it reaches over an edge: the others must sit in their columns
			if n == 0 && len(fs) == 1 {               // the title of the row, on a line of its own
				parts.give(parts[0].box, fs[i].Words)
				continue
			}
			for w := range fs[i].Words {
				if !parts.give(fs[i].Words[w].Box, fs[i].Words[w:w+1]) {
					return nil
				}
			}
		}
	}
	full := 0
	for k := range parts {
		if parts[k].text = f.gs.cellText(parts[k].glyphs); parts[k].text != "" {
			full++
		}
	}
	if !several || float64(full) < least {
		return nil
	}
	return parts
}

// columnCells are the cells of one row, one a column.
type columnCells []gridCell

// give puts words into the cell in which a box lies; false when it lies in none.
func (cs columnCells) give(b rag.Box, words []Word) bool {
	for k := range cs {
		if b.X0 >= cs[k].box.X0-spanSlack && b.X1 <= cs[k].box.X1+spanSlack {
			for w := range words {
				cs[k].glyphs = append(cs[k].glyphs, words[w].glyphs...)
			}
			return true
		}
	}
	return false
}

// fit lays a line of text into the table's columns, if it fits them.
func (t *Table) fit(r *textRow) (Row, bool) {
	nc := t.Columns()
	if r.left() < t.Edges[0]-outerSlack || r.right() > t.Edges[nc]+outerSlack {
		return Row{}, false
	}
	row := Row{Cells: make([]Cell, nc)}
	for _, fr := range r.fragments {
		for _, w := range fr.Words {
			k := sort.SearchFloat64s(t.Edges, (w.Box.X0+w.Box.X1)/2) - 1
			if k < 0 || k >= nc || w.Box.X0 < t.Edges[k]-wordSlack || w.Box.X1 > t.Edges[k+1]+wordSlack {
				return Row{}, false
			}
			row.Cells[k].put(w.Text, w.Box, w.glyphs)
		}
	}
	for k := range row.Cells {
		row.Cells[k].Spans = 1
		row.Cells[k].Box = rag.Box{X0: t.Edges[k], Y0: r.top, X1: t.Edges[k+1], Y1: r.bottom}
		row.Box = row.Box.Union(row.Cells[k].Box)
	}
	n := row.filled()
	if len(r.fragments) > n+1 { // the row has more columns than the table
		return Row{}, false
	}
	return row, n*2 >= nc && n >= min(extendCells, nc) && len(r.fragments)*2 >= n // else it is a sentence whose words fall between the borders
}

// unruledColumns finds gaps inside a ruled column that (nearly) all lines of
// text keep clear, and returns them as weak rulings.
func (f *finder) unruledColumns(g *grid) (out []Ruling) {
	if g.rows() < 1 || g.columns() < 2 { // a plain box is searched by alignment
		return nil
	}
	rows := f.within(g.box())
	if len(rows) < virtualRows {
		return nil
	}
	for k := range g.columns() {
		a, b := g.xs[k], g.xs[k+1]
		if b-a < virtualEms*f.em {
			continue
		}
		lines := wordsBetween(rows, a, b)
		if len(lines) < virtualRows {
			continue
		}
		for _, x := range f.clearGaps(lines, a, b) {
			out = append(out, g.cutAt(x, k, rows)...)
		}
	}
	return out
}

// wordsBetween returns the words of each row that lie wholly between a and b;
// rows with a word across either are left out.
func wordsBetween(rows []textRow, a, b float64) [][]Word {
	var out [][]Word
	for i := range rows {
		var ws []Word
		crossed := false
		for _, fr := range rows[i].fragments {
			for _, w := range fr.Words {
				if w.Box.X0 >= a-1 && w.Box.X1 <= b+1 {
					ws = append(ws, w)
				} else if w.Box.X1 > a+1 && w.Box.X0 < b-1 {
					crossed = true
				}
			}
		}
		if len(ws) > 0 && !crossed {
			out = append(out, ws)
		}
	}
	return out
}

// currency is a sign that stands at the left of a cell whose amount stands at the right.
var currency = regexp.MustCompile(`^(\p{Sc}|[A-Z]{3})$`)

// clearGaps returns the middles of wide gaps with numbers on one side or the other.
func (f *finder) clearGaps(lines [][]Word, a, b float64) (out []float64) {
	if !(b-a < maxBins/bins) { // a drawing, or no number
		return nil
	}
	n := int((b-a)*bins) + 1
	cover := make([]int, n)
	for _, ws := range lines {
		for _, w := range ws {
			for i := max(0, int((w.Box.X0-a)*bins)); i <= int((w.Box.X1-a)*bins) && i < n; i++ {
				cover[i]++
			}
		}
	}
	for _, r := range runsUpTo(cover, len(lines)/virtualSpill) {
		if r[0] == 0 || r[1] == n || float64(r[1]-r[0])/bins < virtualGap*f.em {
			continue
		}
		x := a + float64(r[0]+r[1])/2/bins
		both, numbers := 0, 0
		for _, ws := range lines {
			left, right := false, false
			for _, w := range ws {
				left = left || w.Box.X1 <= x && !currency.MatchString(w.Text)
				right = right || w.Box.X0 >= x
				if numeric(w.Text) {
					numbers++
				}
			}
			if left && right {
				both++
			}
		}
		if both >= virtualRows && float64(both) >= virtualShare*float64(len(lines)) && numbers >= both {
			out = append(out, x)
		}
	}
	return out
}

// cutAt returns pieces of a vertical ruling through column k, in the grid rows
// where no fragment crosses it.
func (g *grid) cutAt(x float64, k int, rows []textRow) (out []Ruling) {
	a, b := g.xs[k], g.xs[k+1]
	unruledRows := len(rows) > 3*g.rows()
	for r := range g.rows() {
		crossed := false
		for i := range rows {
			if rows[i].base < g.ys[r] || rows[i].base > g.ys[r+1]+wordSlack {
				continue
			}
			for _, fr := range rows[i].fragments {
				crossed = crossed || fr.Box.X0 < x && fr.Box.X1 > x && fr.Box.X0 >= a-1 && fr.Box.X1 <= b+1
			}
		}
		if !crossed || unruledRows {
			out = append(out, Ruling{Vertical: true, At: x, From: g.ys[r], To: g.ys[r+1], Weak: true})
		}
	}
	return out
}

// runsUpTo returns the maximal runs [from, to) of values not over a limit.
func runsUpTo(v []int, limit int) (out [][2]int) {
	for i := 0; i < len(v); i++ {
		if v[i] > limit {
			continue
		}
		j := i
		for j < len(v) && v[j] <= limit {
			j++
		}
		out = append(out, [2]int{i, j})
		i = j
	}
	return out
}
