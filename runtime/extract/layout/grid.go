package layout

import (
	"math"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const (
	openSide = 6.0   // points by which crossing rulings stand out where a table has no border of its own
	maxUnits = 40000 // unit cells of a grid: more is graph paper
)

// gridCell is a cell of a ruled grid, before and after text is put in.
type gridCell struct {
	box           rag.Box
	row, col      int
	rows, columns int // span
	glyphs        []int
	text          string // with line breaks
}

// grid is what a mesh of rulings divides the page into.
type grid struct {
	xs, ys []float64
	cells  []gridCell
	owner  []int // cell of each unit, row by row
	words  int   // that begin in its cells
	cut    int   // words that go on in another column
	sought bool  // text alone tells some of its columns
}

func (g *grid) rows() int    { return len(g.ys) - 1 }
func (g *grid) columns() int { return len(g.xs) - 1 }
func (g *grid) box() rag.Box {
	return rag.Box{X0: g.xs[0], Y0: g.ys[0], X1: g.xs[len(g.xs)-1], Y1: g.ys[len(g.ys)-1]}
}

// at returns the index of the cell that holds a point, or -1.
func (g *grid) at(x, y float64) int {
	const slack = 0.5 // points; text may sit on the border
	b := g.box()
	if x < b.X0-slack || x > b.X1+slack || y < b.Y0-slack || y > b.Y1+slack {
		return -1
	}
	return g.owner[slot(g.ys, y)*g.columns()+slot(g.xs, x)]
}

// slot returns the interval of sorted edges that holds v, the outer ones for what lies outside.
func slot(edges []float64, v float64) int {
	k := sort.SearchFloat64s(edges, v) - 1
	return min(max(k, 0), len(edges)-2)
}

// newGrid divides the page along a mesh; nil when that gives no cells.
func newGrid(m mesh) *grid {
	if len(m.across) == 0 || len(m.down) == 0 {
		return nil
	}
	byPosition := func(rs []Ruling) {
		sort.SliceStable(rs, func(i, j int) bool { return rs[i].At < rs[j].At })
	}
	byPosition(m.across)
	byPosition(m.down)
	g := &grid{xs: closed(positions(m.down), m.across), ys: closed(positions(m.across), m.down)}
	if g.rows() < 1 || g.columns() < 1 || g.rows()*g.columns() > maxUnits {
		return nil
	}
	g.divide(m)
	return g
}

// closed adds an outer edge where the crossing rulings stand out beyond the last one.
func closed(edges []float64, crossing []Ruling) []float64 {
	low, high := edges[0], edges[len(edges)-1]
	for _, r := range crossing {
		low, high = math.Min(low, r.From), math.Max(high, r.To)
	}
	if edges[0]-low > openSide {
		edges = append([]float64{low}, edges...)
	}
	if high-edges[len(edges)-1] > openSide {
		edges = append(edges, high)
	}
	return edges
}

// divide merges unit cells where no border is drawn between them.
func (g *grid) divide(m mesh) {
	nr, nc := g.rows(), g.columns()
	s := newSets(nr * nc)
	for r := range nr {
		for c := range nc {
			if c+1 < nc && !drawn(m.down, g.xs[c+1], g.ys[r], g.ys[r+1]) {
				s.union(r*nc+c, r*nc+c+1)
			}
			if r+1 < nr && !drawn(m.across, g.ys[r+1], g.xs[c], g.xs[c+1]) {
				s.union(r*nc+c, (r+1)*nc+c)
			}
		}
	}
	type extent struct{ r0, r1, c0, c1, n int }
	areas := map[int]*extent{}
	for r := range nr {
		for c := range nc {
			root := s.find(r*nc + c)
			e := areas[root]
			if e == nil {
				e = &extent{r0: r, c0: c, c1: c}
				areas[root] = e
			}
			e.n++
			e.r1, e.c0, e.c1 = r, min(e.c0, c), max(e.c1, c)
		}
	}
	g.owner = make([]int, nr*nc)
	for i := range g.owner {
		g.owner[i] = -1
	}
	for r := range nr {
		for c := range nc {
			if g.owner[r*nc+c] >= 0 {
				continue
			}
			e := areas[s.find(r*nc+c)]
			if e.n == (e.r1-e.r0+1)*(e.c1-e.c0+1) {
				g.add(e.r0, e.r1, e.c0, e.c1)
				continue
			}
			// an open or L-shaped area: runs within the row
			end := c
			for end+1 < nc && s.find(r*nc+end+1) == s.find(r*nc+c) && !drawn(m.down, g.xs[end+1], g.ys[r], g.ys[r+1]) {
				end++
			}
			g.add(r, r, c, end)
		}
	}
}

func (g *grid) add(r0, r1, c0, c1 int) {
	for r := r0; r <= r1; r++ {
		for c := c0; c <= c1; c++ {
			g.owner[r*g.columns()+c] = len(g.cells)
		}
	}
	g.cells = append(g.cells, gridCell{
		box: rag.Box{X0: g.xs[c0], Y0: g.ys[r0], X1: g.xs[c1+1], Y1: g.ys[r1+1]},
		row: r0, col: c0, rows: r1 - r0 + 1, columns: c1 - c0 + 1,
	})
}

// fill puts glyphs into the cells; it returns how many visible ones found a cell.
func (g *grid) fill(gs glyphs, taken []bool) (visible int) {
	for i := range gs {
		if taken[i] {
			continue
		}
		x, y := core(&gs[i])
		if k := g.at(x, y); k >= 0 {
			g.cells[k].glyphs = append(g.cells[k].glyphs, i)
			if !gs[i].blank() {
				visible++
				if i > 0 && !taken[i-1] && goesOn(&gs[i-1], &gs[i]) { // a typed bar is no part of a word
					if before := g.at(core(&gs[i-1])); before >= 0 && g.cells[before].col != g.cells[k].col {
						g.cut++
					}
				} else {
					g.words++
				}
			}
		}
	}
	return visible
}

// goesOn reports whether a glyph is shown right behind another of its word.
func goesOn(a, b *Glyph) bool {
	gap := b.Box.X0 - a.Box.X1
	return !a.blank() && a.Turn == Rightward && b.Turn == Rightward && math.Abs(a.Y-b.Y) < sameBase &&
		gap <= wordGap*b.Size && gap >= -wordGap*b.Size
}

// core is the middle of a glyph's visible band. Loose boxes reach from
// ascender to descender and can be taller than the cell.
func core(g *Glyph) (x, y float64) {
	x = (g.Box.X0 + g.Box.X1) / 2
	if g.Turn != Rightward {
		return x, (g.Box.Y0 + g.Box.Y1) / 2
	}
	return x, g.Y - coreEm*g.Size/2
}

// coreEm is the height of capitals, roughly, in ems.
const coreEm = 0.6
