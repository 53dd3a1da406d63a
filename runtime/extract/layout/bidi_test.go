package layout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// seen lays glyphs of 10 points out from left to right as they are seen; a blank
// leaves room, and two bars hold the parts of a ligature.
func seen(text string) glyphs {
	var out glyphs
	x, together := 100.0, false
	for i, r := range text {
		if r == '|' {
			together = !together
			if !together {
				x += 6
			}
			continue
		}
		out = append(out, Glyph{Text: string(r), Rune: r, X: x, Y: 100, Size: 10, Order: i, Object: 1, Box: rag.Box{X0: x, Y0: 92, X1: x + 6, Y1: 102}})
		if !together {
			x += 6
		}
	}
	return out
}

func TestBidi(t *testing.T) {
	cases := map[string]struct{ reason, seen, want string }{
		"Hebrew":         {"a line of Hebrew alone", "םלוע םולש", "שלום עולם"},
		"Numbers":        {"figures read left to right, and from right to left among each other", "5.8 1,900 לכה ךס", "סך הכל 1,900 5.8"},
		"Section":        {"brackets and a figure in one word", "קוחל (4)(ב)15 ףיעס", "סעיף 15(ב)(4) לחוק"},
		"BracketsByLook": {"brackets named by their look", "(םימולהי אלל) היישעת", "תעשייה (ללא יהלומים)"},
		"LatinGlued":     {"a Latin name in a Hebrew word", "Pythonו R תפשב", "בשפת R וPython"},
		"LatinNumber":    {"a number belongs to the name before it", "םע Windows 11 תרהמ", "מהרת Windows 11 עם"},
		"AmongLatin":     {"Hebrew words in an English line", "the word םלוע םולש is two words", "the word שלום עולם is two words"},
		"Ligature":       {"lam and alef are one glyph, in the order in which they are read", "ةی|لا|و", "ولایة"},
		"LigatureTurned": {"… and in the other", "ةی|ال|و", "ولایة"},
		"Negative":       {"a sign stays at its figure", "-4.3 היישעת", "תעשייה -4.3"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			gs := seen(c.seen)
			idx := make([]int, len(gs))
			for i := range idx {
				idx[i] = i
			}
			l := Line{Words: gs.words(idx)}
			if got := l.Text(); got != c.want {
				t.Errorf("%s: %q is read as %q, want %q", c.reason, c.seen, got, c.want)
			}
		})
	}
}

func TestMarks(t *testing.T) {
	at := func(r rune, x0, x1 float64) Glyph {
		return Glyph{Text: string(r), Rune: r, X: x0, Y: 100, Size: 10, Box: rag.Box{X0: x0, Y0: 92, X1: x1, Y1: 102}}
	}
	cases := map[string]struct {
		reason string
		gs     glyphs
		want   string
	}{
		"After":   {"a mark over the letter before it", glyphs{at('ا', 120, 124), at('ً', 121, 123), at('ن', 110, 120)}, "اًن"},
		"Before":  {"a mark over the letter after it", glyphs{at('ن', 110, 120), at('ً', 121, 123), at('ا', 120, 124)}, "اًن"},
		"End":     {"a mark that reaches over the end of its word", glyphs{at('ب', 130, 140), at('ء', 122, 130), at('ً', 118, 124)}, "بءً"},
		"Late":    {"marks that are drawn last, over their letters, are no overprint", glyphs{at('จ', 81, 86), at('า', 86, 90), at('น', 90, 96), at('ท', 96, 102), at('บ', 102, 108), at('ี', 98, 102), at('ํ', 82.4, 85.9)}, "จํานทีบ"},
		"Wide":    {"a mark that is drawn last and begins before its letter", glyphs{at('ส', 100, 106), at('ง', 106, 110), at('น', 110, 116), at('ี', 105, 110)}, "สงีน"},
		"Spacing": {"a glyph with room of its own, which the font calls a mark by mistake", glyphs{at('1', 100, 105), at('͘', 105, 108), at('0', 108, 113)}, "1͘0"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for i := range c.gs {
				c.gs[i].Order = i
			}
			gs := compose(append(glyphs(nil), c.gs...))
			idx := make([]int, len(gs))
			for i := range idx {
				idx[i] = i
			}
			l := Line{Words: gs.words(idx)}
			if got := l.Text(); got != c.want {
				t.Errorf("%s: %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

// A newspaper: two tiers of columns, each glyph an object of its own.
func TestTiers(t *testing.T) {
	var s Sheet
	s.Width, s.Height = 300, 300
	column := func(x, y float64, text string) {
		for _, r := range text {
			y += 10
			s.Glyphs = append(s.Glyphs, Glyph{Text: string(r), Rune: r, X: x, Y: y, Size: 10, Order: len(s.Glyphs), Object: uint64(len(s.Glyphs)),
				Box: rag.Box{X0: x, Y0: y - 8, X1: x + 10, Y1: y + 2}})
		}
	}
	column(200, 150, "改正する")
	column(180, 150, "政令を")
	column(200, 50, "道路交通法")
	column(180, 50, "施行令")
	var got []string
	for _, p := range Prepare(1, s).Analyse().Pieces {
		got = append(got, p.Line.Text())
	}
	if diff := cmp.Diff([]string{"道路交通法", "施行令", "改正する", "政令を"}, got); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

// Boxes that follow the ink leave a comma's cell empty, and the comma is part of the text.
func TestInkedCells(t *testing.T) {
	for reason, ink := range map[string]float64{"no width is known": 0.5, "the width of commas is not": 0} {
		gs := glyphs{}
		for i, r := range "蜀、楚" {
			x := 100 + 10*float64(len(gs))
			g := Glyph{Text: string(r), Rune: r, X: x, Y: 100, Size: 10, Order: i, Box: rag.Box{X0: x + ink, Y0: 92, X1: x + 10 - ink, Y1: 101}}
			if r == '、' {
				g.Box.X0, g.Box.X1 = x+1.5, x+4
			}
			gs = append(gs, g)
		}
		l := Line{Words: gs.words([]int{0, 1, 2})}
		if got := l.Text(); got != "蜀、楚" {
			t.Errorf("%s: %q, want one word", reason, got)
		}
	}
}
