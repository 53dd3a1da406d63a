package layout

import (
	"math"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// accentOver is the part of an accent's width that must lie over a letter's for
// the two to be one: TeX and old fonts draw them one after the other.
const accentOver = 0.5

// accents are the spacing forms of the marks that combine with letters.
var accents = map[rune]rune{
	'`': 0x300, '´': 0x301, 'ˆ': 0x302, '˜': 0x303, '¯': 0x304, '˘': 0x306, '˙': 0x307, '¨': 0x308, '˚': 0x30A, '˝': 0x30B, 'ˇ': 0x30C, '¸': 0x327, '˛': 0x328,
}

// dotless letters carry an accent in place of their dot.
var dotless = map[string]string{"ı": "i", "ȷ": "j"}

// compose makes one glyph of a letter and an accent drawn over it, before or
// after the letter in the file.
func compose(gs glyphs) glyphs {
	out := gs[:0]
	for i := 0; i < len(gs); i++ {
		if unicode.Is(unicode.Mn, gs[i].Rune) && gs.bear(out, i) {
			continue
		}
		mark, is := accents[gs[i].Rune]
		if !is {
			out = append(out, gs[i])
			continue
		}
		if i+1 < len(gs) && gs[i+1].accent(&gs[i], mark) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].accent(&gs[i], mark) {
			continue
		}
		out = append(out, gs[i])
	}
	return out
}

// accent puts a mark on the letter if it is drawn there and both are known as one.
func (g *Glyph) accent(a *Glyph, mark rune) bool {
	over := math.Min(g.Box.X1, a.Box.X1) - math.Max(g.Box.X0, a.Box.X0)
	if g.Turn != Rightward || a.Turn != Rightward || over < accentOver*(a.Box.X1-a.Box.X0) || math.Abs(g.Y-a.Y) > g.Size {
		return false
	}
	base := g.Text
	if dotted, ok := dotless[base]; ok {
		base = dotted
	}
	one := []rune(norm.NFC.String(base + string(mark)))
	if len(one) != 1 {
		return false
	}
	g.Text, g.Rune = string(one), one[0]
	return true
}

// markOver is the part of a mark that lies over the letter that bears it, at least.
const markOver = 0.25

// bear puts a mark that combines on the letter before or after it in the file,
// whichever it covers more of, and reports whether there is one. On their own, marks
// would stand between words, or before their letters in text from right to left.
func (gs glyphs) bear(before glyphs, i int) bool {
	mark := &gs[i]
	var best *Glyph
	most := 0.0
	for _, g := range [...]*Glyph{before.last(), gs[i+1:].first()} {
		if g == nil || g.blank() || !unicode.IsLetter(g.Rune) || g.Turn != mark.Turn || math.Abs(g.Y-mark.Y) > g.Size || math.Abs(g.X-mark.X) > 2*g.Size {
			continue
		}
		width, over := mark.Box.X1-mark.Box.X0, math.Min(g.Box.X1, mark.Box.X1)-math.Max(g.Box.X0, mark.Box.X0)
		if g.Turn == Upward || g.Turn == Downward {
			width, over = mark.Box.Y1-mark.Box.Y0, math.Min(g.Box.Y1, mark.Box.Y1)-math.Max(g.Box.Y0, mark.Box.Y0)
		}
		if over > math.Max(most, markOver*width) {
			best, most = g, over
		}
	}
	if best == nil {
		return false
	}
	best.Text = norm.NFC.String(best.Text + mark.Text)
	return true
}

func (gs glyphs) first() *Glyph {
	if len(gs) == 0 {
		return nil
	}
	return &gs[0]
}

func (gs glyphs) last() *Glyph {
	if len(gs) == 0 {
		return nil
	}
	return &gs[len(gs)-1]
}
