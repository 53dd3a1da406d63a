package layout

import (
	"math"
	"slices"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Rows shaded alternately, whose edges part the rows however high each of them is.
const (
	bandEdge  = 1.0 // point by which the edges of two bands may differ
	bandsOne  = 3   // bands of one width that hold rows …
	bandsMost = 2000
)

// shade is a shaded strip of the page: one area, or one for each cell of a row.
type shade struct {
	box rag.Box
	xs  []float64 // sides of its areas
}

// shades puts shaded areas of one row together. They are sorted by their sides,
// then from top to bottom.
func (f *finder) shades() (out []shade) {
	if len(f.fills) < bandsOne || len(f.fills) > bandsMost {
		return nil
	}
	fills := slices.Clone(f.fills)
	sort.SliceStable(fills, func(i, j int) bool {
		if math.Abs(fills[i].Y0-fills[j].Y0) > bandEdge {
			return fills[i].Y0 < fills[j].Y0
		}
		return fills[i].X0 < fills[j].X0
	})
	for _, b := range fills {
		if n := len(out) - 1; n >= 0 && math.Abs(out[n].box.Y0-b.Y0) <= bandEdge && math.Abs(out[n].box.Y1-b.Y1) <= bandEdge && math.Abs(out[n].box.X1-b.X0) <= bandEdge {
			out[n].box.X1, out[n].xs = b.X1, append(out[n].xs, b.X1)
			continue
		}
		out = append(out, shade{box: b, xs: []float64{b.X0, b.X1}})
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].box, out[j].box
		if math.Abs(a.X0-b.X0) > bandEdge {
			return a.X0 < b.X0
		}
		if math.Abs(a.X1-b.X1) > bandEdge {
			return a.X1 < b.X1
		}
		return a.Y0 < b.Y0
	})
	return out
}

// bandSides are the sides of the unshaded rows between bands: what is left out
// where rows are shaded alternately.
func (f *finder) bandSides() (out []Ruling) {
	bands := f.shades()
	for i := 0; i < len(bands); {
		j, rows := i, 0
		for ; j < len(bands) && bands[j].beside(&bands[i]); j++ {
			if full, _ := f.rowsIn(bands[j].box); full > 0 {
				rows++
			}
		}
		for k := i + 1; k < j && rows >= bandsOne; k++ {
			a, b := &bands[k-1], &bands[k]
			gap := rag.Box{X0: a.box.X0, Y0: a.box.Y1, X1: a.box.X1, Y1: b.box.Y0}
			if gap.Y1-gap.Y0 <= joinTolerance {
				continue
			}
			if full, stands := f.rowsIn(gap); full != 1 || stands {
				continue
			}
			for _, x := range a.xs {
				if slices.ContainsFunc(b.xs, func(y float64) bool { return math.Abs(x-y) <= bandEdge }) {
					out = append(out, Ruling{Vertical: true, At: x, From: gap.Y0, To: gap.Y1, Weak: true})
				}
			}
		}
		i = j
	}
	return out
}

// beside reports whether two bands have the same sides.
func (b *shade) beside(c *shade) bool {
	return math.Abs(b.box.X0-c.box.X0) <= bandEdge && math.Abs(b.box.X1-c.box.X1) <= bandEdge
}

// rowsIn counts the lines in a box that have as many fragments as rows have, and
// reports whether some line there stands out of it.
func (f *finder) rowsIn(box rag.Box) (full int, stands bool) {
	rows := f.free()
	k := sort.Search(len(rows), func(i int) bool { return rows[i].base > box.Y0 })
	for ; k < len(rows) && rows[k].base <= box.Y1; k++ {
		r := &rows[k]
		stands = stands || r.left() < box.X0-bandEdge || r.right() > box.X1+bandEdge
		if len(r.fragments) >= alignedPieces {
			full++
		}
	}
	return full, stands
}
