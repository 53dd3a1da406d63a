package layout

import (
	"math"
	"sort"
	"strings"
)

// Rulings that a printer without graphics sets of characters.
const (
	typedDashes = 3    // so many dashes in a row draw a line …
	typedPipes  = 3    // … and bars on so many lines below each other
	typedDrift  = 0.2  // ems between bars of one line
	typedStep   = 2.6  // ems from one bar to the next below it
	typedRise   = 0.25 // ems above the baseline where a dash is drawn
)

// typed finds rulings set of characters: lines of nothing but dashes, equals
// signs and the like, and bars that stand below each other. It marks the glyphs
// that draw them: they are no cell's text.
func (p *Page) typed() (rulings []Ruling, ink []bool) {
	ink = make([]bool, len(p.gs))
	lines := p.gathered.lines(p.gs.pick(Rightward, nil))
	var bars []int
	for i := range lines {
		l := &lines[i]
		if l.dashed() {
			rulings = append(rulings, Ruling{At: l.Base - typedRise*l.Size, From: l.Box.X0, To: l.Box.X1})
			for _, g := range fragmentGlyphs(l) {
				ink[g] = true
				if isBar(p.gs[g].Text) || p.gs[g].Text == "+" {
					bars = append(bars, g)
				}
			}
			continue
		}
		for k := range l.Words {
			for _, g := range l.Words[k].glyphs { // bars may touch the values beside them
				if isBar(p.gs[g].Text) {
					bars = append(bars, g)
				}
			}
		}
	}
	return append(rulings, p.barred(bars, ink)...), ink
}

// dashed reports whether a line of text is a line drawn.
func (l *Line) dashed() bool {
	dashes := 0
	for i := range l.Words {
		run := 0
		for _, r := range l.Words[i].Text {
			switch {
			case ruleRune(r):
				run++
				dashes = max(dashes, run)
			case isBar(string(r)) || strings.ContainsRune("+├┤┼┬┴┌┐└┘╔╗╚╝╠╣╬╦╩", r):
				run = 0
			default:
				return false
			}
		}
	}
	return dashes >= typedDashes
}

func ruleRune(r rune) bool { return strings.ContainsRune("-=_─━═—–", r) }

func isBar(s string) bool { return s == "|" || s == "│" || s == "║" || s == "┃" }

// barred joins bars that stand below each other to vertical rulings.
func (p *Page) barred(bars []int, ink []bool) (out []Ruling) {
	sort.SliceStable(bars, func(i, j int) bool {
		a, b := &p.gs[bars[i]], &p.gs[bars[j]]
		if math.Abs(a.X-b.X) > typedDrift*a.Size {
			return a.X < b.X
		}
		return a.Y < b.Y
	})
	for i := 0; i < len(bars); {
		j, pipes := i, 0
		for j < len(bars) {
			a, b := &p.gs[bars[max(i, j-1)]], &p.gs[bars[j]]
			if math.Abs(a.X-b.X) > typedDrift*a.Size || b.Y < a.Y || b.Y-a.Y > typedStep*a.Size {
				break
			}
			if isBar(b.Text) {
				pipes++
			}
			j++
		}
		first, last := &p.gs[bars[i]], &p.gs[bars[j-1]]
		if pipes >= typedPipes {
			out = append(out, Ruling{Vertical: true, At: (first.Box.X0 + first.Box.X1) / 2, From: first.Y - ascent*first.Size, To: last.Y + descent*last.Size})
			for _, g := range bars[i:j] {
				ink[g] = true
			}
		}
		i = j
	}
	return out
}
