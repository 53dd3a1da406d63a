package layout

import (
	"math"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Tagged is a table that the file's tags name, as far as it stands on the page.
type Tagged struct {
	Path  string // of the table in the tree of tags, the same on each page
	Rows  []TaggedRow
	Nests bool // holds another table: it lays the page out
	Parts bool // has rows on other pages, or empty ones
}

// TaggedRow is a row of cells. Its path is the same on each page that it stands on.
type TaggedRow struct {
	Path  string
	Cells []TaggedCell
}

// TaggedCell is one cell. What has nothing on the page has no number, and
// nobody knows how many columns it covers.
type TaggedCell struct {
	Number        int // of the glyphs' Cell
	Header        bool
	Rows, Columns int // covered
}

// Put adds a cell to the last row.
func (t *Tagged) Put(c TaggedCell) {
	c.Rows, c.Columns = max(c.Rows, 1), max(c.Columns, 1)
	row := &t.Rows[len(t.Rows)-1]
	row.Cells = append(row.Cells, c)
}

// layOut places the cells in a grid as browsers do: each in the next column
// that no cell above reaches into. Empty cells may have no tag, and those of
// unknown width are not on the page: rows that fall short are fitted to the
// columns of those that don't.
func (t *Tagged) layOut(inks map[int]rag.Box) *taggedGrid {
	g := t.grid(inks, nil)
	if g == nil || !g.short {
		return g
	}
	return t.grid(inks, g.plain)
}

// grid is nil when the cells need more units than any table has: 20,000 cells of a
// row may say that they cover 20 million columns.
func (t *Tagged) grid(inks map[int]rag.Box, columns []extent) *taggedGrid {
	g := &taggedGrid{rows: len(t.Rows)}
	var covered []int // rows that cells above still reach into, by column
	for r, row := range t.Rows {
		starts := row.starts(covered)
		if len(columns) > 0 && row.short(len(columns), covered) {
			if fitted := row.fit(columns, covered, inks); fitted != nil {
				starts = fitted
			}
		}
		for k, c := range row.Cells {
			if starts[k] < 0 {
				continue
			}
			g.cells = append(g.cells, taggedCell{TaggedCell: c, ink: inks[c.Number], at: gridCell{row: r, col: starts[k], rows: c.Rows, columns: c.Columns}})
			end := starts[k] + c.Columns
			if end*len(t.Rows) > maxUnits {
				return nil
			}
			for len(covered) < end {
				covered = append(covered, 0)
			}
			for j := starts[k]; j < starts[k]+c.Columns; j++ {
				covered[j] = c.Rows
			}
		}
		for k := range covered {
			covered[k] = max(0, covered[k]-1)
		}
	}
	g.columns = max(len(covered), len(columns))
	g.reference(t)
	g.complete()
	return g
}

// starts are the columns in which the row's cells begin, as browsers place them.
func (r *TaggedRow) starts(covered []int) []int {
	out := make([]int, len(r.Cells))
	c := 0
	for k, cell := range r.Cells {
		for c < len(covered) && covered[c] > 0 {
			c++
		}
		out[k] = c
		c += cell.Columns
	}
	return out
}

// short reports whether cells may be missing in the row.
func (r *TaggedRow) short(columns int, covered []int) bool {
	for _, n := range covered {
		columns -= min(n, 1)
	}
	for _, c := range r.Cells {
		if c.Number == 0 {
			return true
		}
		columns -= c.Columns
	}
	return columns > 0
}

// fit places the row's cells with ink, in their order, so that together they
// lie nearest to the columns; cells without ink are left out (-1). It returns
// nil when they have no room.
func (r *TaggedRow) fit(columns []extent, covered []int, inks map[int]rag.Box) []int {
	out := make([]int, len(r.Cells))
	var inked []int
	for k, c := range r.Cells {
		out[k] = -1
		if _, ok := inks[c.Number]; ok {
			inked = append(inked, k)
		}
	}
	// best[i][c] is the least distance of the first i cells in the first c columns
	n := len(columns)
	best := make([][]float64, len(inked)+1)
	best[0] = make([]float64, n+1)
	for i, k := range inked {
		best[i+1] = make([]float64, n+1)
		for c := range best[i+1] {
			best[i+1][c] = math.Inf(1)
			if c > 0 {
				best[i+1][c] = best[i+1][c-1]
			}
			if from := c - r.Cells[k].Columns; from >= 0 {
				best[i+1][c] = math.Min(best[i+1][c], best[i][from]+distance(columns[from:c], at(covered, from, c), inks[r.Cells[k].Number]))
			}
		}
	}
	if math.IsInf(best[len(inked)][n], 1) {
		return nil
	}
	for i, c := len(inked), n; i > 0; c-- {
		if c > 0 && best[i][c] == best[i][c-1] {
			continue
		}
		k := inked[i-1]
		out[k] = c - r.Cells[k].Columns
		c = out[k] + 1
		i--
	}
	return out
}

// at reports whether a cell above reaches into any of the columns.
func at(covered []int, from, to int) bool {
	for c := from; c < min(to, len(covered)); c++ {
		if covered[c] > 0 {
			return true
		}
	}
	return false
}

// distance is how far ink lies from columns: the gap between them, and a little
// of the distance of their middles; infinite where it can't be.
func distance(columns []extent, covered bool, ink rag.Box) float64 {
	const centring = 0.05
	all := extents(1)[0]
	for _, e := range columns {
		all.cover(e.from, e.to)
	}
	if covered || all.from > all.to {
		return math.Inf(1)
	}
	gap := math.Max(0, math.Max(all.from-ink.X1, ink.X0-all.to))
	return gap + centring*math.Abs(all.from+all.to-ink.X0-ink.X1)/2
}

// taggedGrid is a tagged table's cells in their places.
type taggedGrid struct {
	cells         []taggedCell
	rows, columns int
	short         bool     // rows fall short of the columns
	plain         []extent // of the columns' ink in rows that have one cell a column
	down, across  []extent // of the ink of rows, of columns
	over          []int    // rows below the page's that cells reach into, by column
}

// reference notes which rows fall short, and what the columns cover in those
// that have a cell for each.
func (g *taggedGrid) reference(t *Tagged) {
	width := make([]int, g.rows) // columns that the row's own cells cover one by one
	reach := make([]int, g.rows) // … and all that are covered
	for i := range g.cells {
		c := &g.cells[i]
		if c.Number > 0 && c.at.columns == 1 {
			width[c.at.row]++
		}
		for r := c.at.row; r < min(c.at.row+c.at.rows, g.rows) && c.Number > 0; r++ {
			reach[r] += c.at.columns
		}
	}
	g.plain = extents(g.columns)
	for i := range g.cells {
		if c := &g.cells[i]; width[c.at.row] == g.columns && !c.ink.IsZero() {
			g.plain[c.at.col].cover(c.ink.X0, c.ink.X1)
		}
	}
	for r := range reach {
		g.short = g.short || reach[r] < g.columns && len(t.Rows[r].Cells) > 0
	}
}

// complete puts empty cells where there are none.
func (g *taggedGrid) complete() {
	taken := make([]bool, g.rows*g.columns)
	g.over = make([]int, g.columns)
	for i := range g.cells {
		c := &g.cells[i].at
		g.over[c.col] = max(g.over[c.col], c.row+c.rows-g.rows)
		c.rows = min(c.rows, g.rows-c.row)
		for r := c.row; r < c.row+c.rows; r++ {
			for k := c.col; k < c.col+c.columns; k++ {
				taken[r*g.columns+k] = true
			}
		}
	}
	for i, t := range taken {
		if !t {
			g.cells = append(g.cells, taggedCell{at: gridCell{row: i / g.columns, col: i % g.columns, rows: 1, columns: 1}})
		}
	}
}

type taggedCell struct {
	TaggedCell
	at  gridCell
	ink rag.Box
}

// extent is what ink covers in one direction; it is empty while from > to.
type extent struct{ from, to float64 }

func (e *extent) cover(from, to float64) { e.from, e.to = math.Min(e.from, from), math.Max(e.to, to) }

func extents(n int) []extent {
	out := make([]extent, n)
	for i := range out {
		out[i] = extent{math.Inf(1), math.Inf(-1)}
	}
	return out
}

// measure gives the cells their glyphs and finds what rows and columns cover.
func (g *taggedGrid) measure(by map[int][]int) {
	g.down, g.across = extents(g.rows), extents(g.columns)
	for i := range g.cells {
		c := &g.cells[i]
		c.at.glyphs = by[c.Number]
		if c.ink.IsZero() {
			continue
		}
		if c.at.rows == 1 {
			g.down[c.at.row].cover(c.ink.Y0, c.ink.Y1)
		}
		if c.at.columns == 1 {
			g.across[c.at.col].cover(c.ink.X0, c.ink.X1)
		}
	}
	for i := range g.cells { // rows and columns in which nothing stands alone
		c := &g.cells[i]
		if e := &g.down[c.at.row]; !c.ink.IsZero() && e.from > e.to {
			e.cover(c.ink.Y0, c.ink.Y0)
		}
		if e := &g.across[c.at.col]; !c.ink.IsZero() && e.from > e.to {
			e.cover(c.ink.X0, c.ink.X0)
		}
	}
}

// band is the box of a glyph between ascent and descent; loose boxes reach into the next lines.
func band(g *Glyph) rag.Box {
	if g.Turn != Rightward {
		return g.Box
	}
	return rag.Box{X0: g.Box.X0, Y0: g.Y - ascent*g.Size, X1: g.Box.X1, Y1: g.Y + descent*g.Size}
}

// ordered reports whether extents follow each other, and how many there are.
func ordered(es []extent, slack float64) (n int, ok bool) {
	last := math.Inf(-1)
	for _, e := range es {
		if e.from > e.to {
			continue
		}
		if e.from < last-slack {
			return n, false
		}
		last = math.Max(last, e.to)
		n++
	}
	return n, true
}

// boundaries are the edges between extents: a ruling that stands in the gap, or its middle.
func boundaries(es []extent, rulings []float64) []float64 {
	out := make([]float64, len(es)+1)
	low := make([]float64, len(es)+1) // where the ink before each boundary ends
	low[0] = math.Inf(-1)
	for k, e := range es {
		low[k+1] = low[k]
		if e.from <= e.to {
			low[k+1] = math.Max(low[k], e.to)
		}
	}
	high := math.Inf(1)
	for k := len(es); k >= 0; k-- {
		out[k] = edgeBetween(low[k], high, rulings)
		if k > 0 && es[k-1].from <= es[k-1].to {
			high = math.Min(high, es[k-1].from)
		}
	}
	for k := 1; k < len(out); k++ { // overlapping ink
		out[k] = math.Max(out[k], out[k-1])
	}
	return out
}

// edgeBetween is the ruling nearest to the middle of a gap, or else that middle;
// at the table's sides, nearest to its ink.
func edgeBetween(low, high float64, rulings []float64) float64 {
	const border = 20.0 // points around the ink in which a table's border stands
	from, to, middle := low, high, (low+high)/2
	switch {
	case math.IsInf(low, -1):
		from, middle = high-border, high
	case math.IsInf(high, 1):
		to, middle = low+border, low
	}
	best := math.Inf(1)
	for _, at := range rulings {
		if at >= from-1 && at <= to+1 && math.Abs(at-middle) < math.Abs(best-middle) {
			best = at
		}
	}
	if math.IsInf(best, 1) {
		return middle
	}
	return best
}
