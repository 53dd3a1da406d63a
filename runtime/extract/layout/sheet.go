// Package layout turns the ink of a page into lines, tables and their order.
//
// In go glyphs and rulings in display space (points, origin top left, y down);
// out come pieces in reading order, each a line or a table. It is geometry
// alone: it opens no file, keeps no state between pages and never drops a
// glyph unseen. What it leaves out (text drawn twice, specks) it counts.
package layout

import (
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Turn is the direction in which text runs, as displayed.
type Turn int

// Directions of text. Stacked is upright glyphs set below each other.
const (
	Skewed    Turn = -1
	Rightward Turn = 0
	Upward    Turn = 1
	Leftward  Turn = 2
	Downward  Turn = 3
	Stacked   Turn = 4
)

// Font is what is known of a glyph's font.
type Font struct {
	Name string
	Bold bool
}

// Glyph is one glyph of the page.
type Glyph struct {
	Text   string // as mapped to Unicode; a ligature may be several letters
	Rune   rune   // first rune of Text
	Box    rag.Box
	X, Y   float64 // origin on the baseline
	Size   float64 // rendered em, points
	Turn   Turn
	Font   *Font
	Object uint64  // glyphs of one text object share it
	Order  int     // position in the content stream
	Angle  float32 // in which it runs, radians clockwise from rightward
	Hidden bool    // drawn so that nobody sees it
	Level  int     // of the heading that the file's tags make it part of, 0 for none
	Cell   int     // of the page's tagged tables that it stands in, 0 for none

	run     *run // the string it is shown in
	enters  bool // begins an entry of a column
	cuts    bool // … that the entry before touches
	pitched bool // stands in a listing of fixed pitch, whose columns are known
}

// blank reports whether the glyph is a space.
func (g *Glyph) blank() bool { return g.Text == " " }

// Ruling is a straight horizontal or vertical line.
type Ruling struct {
	Vertical bool
	At       float64 // x of a vertical ruling, y of a horizontal one
	From, To float64 // extent along the other axis
	Weak     bool    // border of a filled area that nobody stroked
}

// mid returns the ruling's middle.
func (r Ruling) mid() (x, y float64) {
	if r.Vertical {
		return r.At, (r.From + r.To) / 2
	}
	return (r.From + r.To) / 2, r.At
}

// Sheet is one page's ink.
type Sheet struct {
	Width, Height float64
	Glyphs        []Glyph
	Rulings       []Ruling
	Fills         []rag.Box // shaded areas
	Tagged        []Tagged  // tables that the file's tags name
	Structured    bool      // the file tags what stands on the page, and the tags were read
}

// glyphs are a page's glyphs in one frame; lines and words refer to them by index.
type glyphs []Glyph

// pick returns the indexes of glyphs that run in a direction and are not taken.
func (gs glyphs) pick(turn Turn, taken []bool) []int {
	out := make([]int, 0, len(gs))
	for i := range gs {
		if gs[i].Turn == turn && (taken == nil || !taken[i]) {
			out = append(out, i)
		}
	}
	return out
}

// bodySize is the size in which most glyphs are set, to half a point.
func (gs glyphs) bodySize() float64 {
	const fallback = 10 // an empty page still needs a positive size
	count := map[float64]int{}
	gs.sizes(count)
	if size := common(count); size > 0 {
		return size
	}
	return fallback
}

// sizes adds the visible glyphs to a count by size, to half a point. Most have
// the size of the one before, and the count is looked up once for all of these.
func (gs glyphs) sizes(count map[float64]int) {
	size, n := 0.0, 0
	for i := range gs {
		if gs[i].blank() {
			continue
		}
		if s := half(gs[i].Size); s != size {
			if n > 0 {
				count[size] += n
			}
			size, n = s, 0
		}
		n++
	}
	if n > 0 {
		count[size] += n
	}
}

func isRTL(r rune) bool {
	return r >= 0x590 && r <= 0x8FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF
}

func isCJK(r rune) bool {
	return r >= 0x2E80 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF
}

// inside reports whether the centre of a lies in b, give or take half a point.
func inside(a, b rag.Box) bool {
	const slack = 0.5
	x, y := (a.X0+a.X1)/2, (a.Y0+a.Y1)/2
	return x >= b.X0-slack && x <= b.X1+slack && y >= b.Y0-slack && y <= b.Y1+slack
}
