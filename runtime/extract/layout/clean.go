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
// bold, shadows, doubled text layers. What is kept moves up in place: the
// glyphs of a dense page take a megabyte.
func clean(in glyphs) (out glyphs, counts Counts) {
	d := deduper{last: make(map[uint64]int, len(in)), kept: in[:0], before: make([]int, 0, len(in))}
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
			d.keep(g)
		}
	}
	return d.kept, counts
}

// deduper holds the glyphs that were kept, by cells of a grid: the last one of
// each, and of each glyph the one before it in its cell, -1 for none. A key of
// plain numbers and no list per cell: the look-up of texts was 3 % of reading.
type deduper struct {
	last   map[uint64]int
	before []int
	kept   glyphs
}

func dupeCellOf(v float64) int { return int(math.Floor(v / dupeCell)) }

func dupeKey(x, y int) uint64 { return uint64(uint32(x))<<32 | uint64(uint32(y)) }

// repeated reports whether the glyph was kept before.
func (d *deduper) repeated(g *Glyph) bool {
	tolerance := math.Max(math.Min(dupeEm*g.Size, dupeWidth*(g.Box.X1-g.Box.X0)), dupeFloorEm*g.Size)
	for x, last := dupeCellOf(g.X-tolerance), dupeCellOf(g.X+tolerance); x <= last; x++ {
		for y, last := dupeCellOf(g.Y-tolerance), dupeCellOf(g.Y+tolerance); y <= last; y++ {
			j, ok := d.last[dupeKey(x, y)]
			for n := 0; ok && j >= 0 && n < dupeLook; n++ {
				if d.kept[j].Text == g.Text && same(&d.kept[j], g, tolerance) {
					return true
				}
				j = d.before[j]
			}
		}
	}
	return false
}

func (d *deduper) keep(g *Glyph) {
	before := -1
	if !g.blank() {
		k := dupeKey(dupeCellOf(g.X), dupeCellOf(g.Y))
		if j, ok := d.last[k]; ok {
			before = j
		}
		d.last[k] = len(d.kept)
	}
	d.kept, d.before = append(d.kept, *g), append(d.before, before)
}

func same(a, b *Glyph, tolerance float64) bool {
	if a.Object == b.Object && b.Order-a.Order <= ligatureReach && a.X == b.X &&
		(a.Box.X1 == b.Box.X1 || b.Box.X0 >= a.Box.X1) {
		return false // the two f of one "ffi": parts of a ligature share its origin, and its box or parts of it
	}
	return math.Abs(a.X-b.X) <= tolerance && math.Abs(a.Y-b.Y) <= tolerance &&
		math.Abs(a.Size-b.Size) < dupeSize*b.Size
}
