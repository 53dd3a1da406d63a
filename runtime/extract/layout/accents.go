package layout

import (
	"math"

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
