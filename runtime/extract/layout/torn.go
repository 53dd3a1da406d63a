package layout

import (
	"math"
	"slices"
)

// Tags on some of a table's columns alone would tear its rows.
const (
	tornRows  = 3    // fewer stand on lines with other text by chance
	tornShare = 0.8  // of the rows go on outside of the tagged columns …
	tornExtra = 0.2  // … and no more lines than this share of them stand there beside no row
	tornDrift = 0.15 // ems between the baselines of one row
)

// torn reports whether the rows of a tagged table go on in text beside it that is
// in no cell.
func (f *finder) torn(g *taggedGrid) bool {
	bases := make([]float64, g.rows) // first baselines
	var own []float64                // all of them
	for r := range bases {
		bases[r] = math.Inf(1)
	}
	for i := range g.cells {
		c := &g.cells[i].at
		for _, k := range c.glyphs {
			if !f.gs[k].blank() {
				bases[c.row] = math.Min(bases[c.row], f.gs[k].Y)
				own = append(own, f.gs[k].Y)
			}
		}
	}
	bases = slices.DeleteFunc(bases, func(y float64) bool { return math.IsInf(y, 1) })
	foreign := f.besides(g)
	if len(bases) < tornRows || len(foreign) < tornRows {
		return false
	}
	slices.Sort(own)
	on, extra := 0, 0
	for _, y := range bases {
		if nearest(foreign, y) < tornDrift*f.em {
			on++
		}
	}
	for _, y := range foreign {
		if nearest(own, y) >= tornDrift*f.em {
			extra++
		}
	}
	n := float64(len(bases))
	return float64(on) >= tornShare*n && float64(extra) <= tornExtra*n
}

// besides are the baselines of text in no cell beside a tagged table, sorted.
func (f *finder) besides(g *taggedGrid) (out []float64) {
	box := g.box()
	for i := range f.gs {
		b := &f.gs[i]
		if b.Cell == 0 && b.Turn == Rightward && !f.taken[i] && b.Y > box.Y0 && b.Y < box.Y1 && (b.Box.X1 < box.X0 || b.Box.X0 > box.X1) && !b.blank() {
			out = append(out, b.Y)
		}
	}
	slices.Sort(out)
	return slices.CompactFunc(out, func(a, b float64) bool { return math.Abs(a-b) < tornDrift*f.em })
}

// nearest is how far the nearest of sorted numbers is from v.
func nearest(sorted []float64, v float64) float64 {
	k, _ := slices.BinarySearch(sorted, v)
	best := math.Inf(1)
	for _, i := range [...]int{k - 1, k} {
		if i >= 0 && i < len(sorted) {
			best = math.Min(best, math.Abs(sorted[i]-v))
		}
	}
	return best
}
