package layout

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Glyphs are gathered from left to right as they are seen. Where some of them
// are Hebrew or Arabic, the order in which they are read is found by undoing the
// Unicode bidirectional algorithm (UAX 9).

// way is the direction of a character or a word by itself.
type way int

const (
	neutral   way = iota
	figure        // written left to right, but standing where its surroundings put it
	rightward     // Latin, Greek, Chinese …
	leftward      // Hebrew, Arabic …
)

func wayOf(r rune) way {
	switch {
	case unicode.IsDigit(r):
		return figure
	case isRTL(r):
		return leftward
	case unicode.IsLetter(r):
		return rightward
	}
	return neutral
}

// unit is what keeps its place in the order together: a glyph or a ligature's parts, or a word.
type unit struct {
	text  string
	way   way
	level int // odd: read from right to left
}

// wayOf is the direction of a word: of the strongest of its characters.
func (gs glyphs) wayOf(idx []int) way {
	most := neutral
	for _, i := range idx {
		for _, r := range gs[i].Text {
			most = max(most, wayOf(r))
		}
	}
	return most
}

// leads reports whether a line is read from right to left: most of what has a
// direction is, or what stands rightmost is, and a third of the rest.
func leads(ways []way) bool {
	var count [leftward + 1]int
	last := neutral
	for _, w := range ways {
		count[w]++
		if w >= rightward {
			last = w
		}
	}
	l, r := count[leftward], count[rightward]
	return l > r || last == leftward && l*3 > l+r
}

// spell is the text of a word's glyphs in the order in which they are read; rtl
// tells whether its line is read from right to left.
func (gs glyphs) spell(idx []int, rtl bool) string {
	var us []unit
	for k := 0; k < len(idx); {
		end := k + 1
		for end < len(idx) && gs[idx[end]].part(&gs[idx[k]]) {
			end++
		}
		us = append(us, gs.ligature(idx[k:end]))
		k = end
	}
	numbers(us)
	return joined(reorder(us, rtl))
}

// part reports whether two glyphs are parts of one ligature.
func (g *Glyph) part(first *Glyph) bool {
	return g.Object == first.Object && g.X == first.X && g.Box == first.Box && g.Order-first.Order <= ligatureReach && g.Order > first.Order
}

// ligature is the text of one, whose parts the engine gives as they are read. Of
// lam and alef it sometimes gives the second one first.
func (gs glyphs) ligature(idx []int) unit {
	var b strings.Builder
	for _, i := range idx {
		b.WriteString(gs[i].Text)
	}
	rs := []rune(b.String())
	if len(rs) == 2 && rs[1] == 'ل' && strings.ContainsRune("اأإآ", rs[0]) {
		rs[0], rs[1] = rs[1], rs[0]
	}
	return unit{text: string(rs), way: gs.wayOf(idx)}
}

// numbers takes what belongs to a number, its separators and signs, as part of it.
func numbers(us []unit) {
	one := func(k int, of string) bool { return strings.Contains(of, us[k].text) }
	for k := range us {
		before, after := k > 0 && us[k-1].way == figure, k+1 < len(us) && us[k+1].way == figure
		if us[k].way == neutral && (before && after && one(k, ".,:/") || (before || after) && one(k, "+-−%$€£¥₪")) {
			us[k].way = figure
		}
	}
}

// reorder turns units as they are seen, left to right, into the order in which they are read.
func reorder(us []unit, rtl bool) []unit {
	base := 0
	if rtl {
		base = 1
	}
	for k := range us {
		switch {
		case us[k].way == leftward:
			us[k].level = 1
		case rtl && us[k].way >= figure:
			us[k].level = 2
		default:
			us[k].level = base
		}
	}
	surrounded(us, rtl)
	for level := 1; level <= 2; level++ {
		for k := 0; k < len(us); {
			end := k
			for end < len(us) && us[end].level >= level {
				end++
			}
			slices.Reverse(us[k:end])
			k = max(end, k+1)
		}
	}
	return us
}

// surrounded levels what has no direction with the text on either side of it.
func surrounded(us []unit, rtl bool) {
	for k := 0; k < len(us); {
		if us[k].way >= rightward || rtl && us[k].way == figure {
			k++
			continue
		}
		end := k
		for end < len(us) && us[end].way < rightward && !(rtl && us[end].way == figure) {
			end++
		}
		if k > 0 && end < len(us) {
			a, b := us[k-1].way, us[end].way
			for m := k; m < end; m++ {
				switch {
				case rtl && a != leftward && b != leftward && max(a, b) == rightward:
					us[m].level = 2
				case !rtl && a == leftward && b == leftward && us[m].way == figure:
					us[m].level = 2
				case !rtl && a == leftward && b == leftward:
					us[m].level = 1
				}
			}
		}
		k = end
	}
}

func joined(us []unit) string {
	var b strings.Builder
	for _, u := range us {
		b.WriteString(u.text)
	}
	return b.String()
}

// logical turns the visual order of a line's words into the order in which they are read.
func logical(ws []Word) []string {
	out := make([]string, len(ws))
	found := false
	for i := range ws {
		out[i] = ws[i].Text
		found = found || ws[i].way == leftward
	}
	if !found {
		return out
	}
	us, ways := make([]unit, len(ws)), make([]way, len(ws))
	for i := range ws {
		us[i], ways[i] = unit{text: ws[i].Text, way: ws[i].way}, ws[i].way
	}
	rtl := leads(ways)
	abreast(us, rtl)
	for i, u := range reorder(us, rtl) {
		out[i] = u.text
	}
	mirror(out)
	return out
}

// abreast takes numbers that stand beside a Latin word in a line read from right
// to left as part of it, as in Windows 11; others are read from right to left.
func abreast(us []unit, rtl bool) {
	if !rtl {
		return
	}
	for k := range us {
		if us[k].way != figure {
			continue
		}
		us[k].way = leftward
		if k > 0 && us[k-1].way == rightward || k+1 < len(us) && us[k+1].way == rightward {
			us[k].way = rightward
		}
	}
}

const (
	opening = "([{"
	closing = ")]}"
)

// mirror swaps brackets if most words begin with closing or end in opening ones: in
// text from right to left some files name a bracket by its look, others by its sense.
func mirror(words []string) {
	wrong := 0
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		last, _ := utf8.DecodeLastRuneInString(w)
		wrong += is(closing, first) + is(opening, last) - is(opening, first) - is(closing, last)
	}
	if wrong <= 0 {
		return
	}
	for i := range words {
		words[i] = strings.Map(mirrored, words[i])
	}
}

func is(set string, r rune) int {
	if strings.ContainsRune(set, r) {
		return 1
	}
	return 0
}

func mirrored(r rune) rune {
	if k := strings.IndexRune(opening, r); k >= 0 {
		return rune(closing[k])
	}
	if k := strings.IndexRune(closing, r); k >= 0 {
		return rune(opening[k])
	}
	return r
}

// rtl reports whether a line of glyphs is read from right to left.
func (gs glyphs) rtl(idx []int) bool {
	if !slices.ContainsFunc(idx, func(i int) bool { return isRTL(gs[i].Rune) }) {
		return false
	}
	ways := make([]way, len(idx))
	for k, i := range idx {
		ways[k] = wayOf(gs[i].Rune)
	}
	return leads(ways)
}
