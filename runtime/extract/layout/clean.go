package layout

import "math"

// Thresholds of what counts as the same glyph drawn twice.
const (
	minSize       = 0.8  // points; smaller text cannot be read on paper
	dupeEm        = 0.12 // fake bold and shadows are offset by less than this
	dupeWidth     = 0.45 // … and by less than half the glyph: "ll" and "ii" are two letters
	dupeFloorEm   = 0.03 // zero-width marks still need some tolerance
	dupeSize      = 0.2  // sizes may differ by this part
	dupeCell      = 4.0  // points; side of the look-up grid: most glyphs look into one or two cells
	ligatureReach = 3    // parts of a ligature follow each other within this many glyphs
	dupeLook      = 64   // glyphs compared per look-up cell, so that a page of one letter stays linear
)

// Counts tells what was left out or looks suspicious.
type Counts struct {
	Specks     int // glyphs under 0.8 pt, dropped
	Duplicates int // glyphs drawn again at the same place, dropped
	Hidden     int // glyphs that nobody sees, kept
}

// clean drops specks and glyphs drawn again at nearly the same place: fake
// bold, shadows, doubled text layers.
func clean(in glyphs) (out glyphs, counts Counts) {
	d := deduper{seen: make(map[dupeKey][]int, len(in)), kept: make(glyphs, 0, len(in))}
	for i := range in {
		g := &in[i]
		switch {
		case g.Size < minSize:
			counts.Specks++
		case !g.blank() && d.repeated(g):
			counts.Duplicates++
		default:
			if g.Hidden && !g.blank() {
				counts.Hidden++
			}
			d.kept = append(d.kept, *g)
		}
	}
	return d.kept, counts
}

type dupeKey struct {
	text string
	x, y int
}

type deduper struct {
	seen map[dupeKey][]int
	kept glyphs
}

// repeated reports whether the glyph was seen; if not, it is remembered as the next kept.
func (d *deduper) repeated(g *Glyph) bool {
	tolerance := math.Max(math.Min(dupeEm*g.Size, dupeWidth*(g.Box.X1-g.Box.X0)), dupeFloorEm*g.Size)
	cell := func(v float64) int { return int(math.Floor(v / dupeCell)) }
	kx, ky := cell(g.X), cell(g.Y)
	for x, last := cell(g.X-tolerance), cell(g.X+tolerance); x <= last; x++ {
		for y, last := cell(g.Y-tolerance), cell(g.Y+tolerance); y <= last; y++ {
			seen := d.seen[dupeKey{g.Text, x, y}]
			for _, j := range seen[max(0, len(seen)-dupeLook):] {
				if same(&d.kept[j], g, tolerance) {
					return true
				}
			}
		}
	}
	k := dupeKey{g.Text, kx, ky}
	d.seen[k] = append(d.seen[k], len(d.kept))
	return false
}

func same(a, b *Glyph, tolerance float64) bool {
	if a.Object == b.Object && b.Order-a.Order <= ligatureReach && a.X == b.X &&
		(a.Box.X1 == b.Box.X1 || b.Box.X0 >= a.Box.X1) {
		return false // the two f of one "ffi": parts of a ligature share its origin, and its box or parts of it
	}
	return math.Abs(a.X-b.X) <= tolerance && math.Abs(a.Y-b.Y) <= tolerance &&
		math.Abs(a.Size-b.Size) < dupeSize*b.Size
}
