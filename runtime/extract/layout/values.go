package layout

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// drop leaves out blanks that stand within values: where names tell the columns,
// one side has none; else, of a single blank, the words beside it are not two values.
func (b *block) drop() {
	for k := 0; k < len(b.clear); k++ {
		s := b.clear[k]
		if s.barred || len(b.names) == 0 && !s.rigid {
			continue
		}
		from, to := 0, b.width()
		if k > 0 {
			from = b.clear[k-1].at
		}
		if k+1 < len(b.clear) {
			to = b.clear[k+1].at
		}
		two := b.named(from, s.at) && b.named(s.at, to) && !(s.rigid && b.dated(s))
		if len(b.names) == 0 {
			two = b.differ(s)
		}
		if !two {
			b.clear = slices.Delete(b.clear, k, k+1)
			k--
		}
	}
}

func (b *block) width() int {
	n := 0
	for i := range b.lines {
		n = max(n, len(b.lines[i].marks))
	}
	return n
}

// dayOrYear finds what stands beside a month's name in a date.
var dayOrYear = regexp.MustCompile(`^([0-3]?[0-9](st|nd|rd|th)?|(19|20)[0-9][0-9])[.,]?$`)

// month finds the name of a month, which stands in a date.
var month = regexp.MustCompile(`(?i)^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?$`)

// dated reports whether a month's name stands beside a strip on most rows, and a day or a year at its other side.
func (b *block) dated(s strip) bool {
	return b.most(s, func(left, right string) bool {
		return month.MatchString(left) && dayOrYear.MatchString(right) || dayOrYear.MatchString(left) && month.MatchString(right)
	})
}

// differ reports whether the words beside a strip are two values on most rows:
// codes or numbers of different patterns.
func (b *block) differ(s strip) bool {
	return b.most(s, func(left, right string) bool {
		return hasDigit(left) && hasDigit(right) && shape(left) != shape(right) &&
			utf8.RuneCountInString(left) >= seamGlyphs && utf8.RuneCountInString(right) >= seamGlyphs
	})
}

// most reports whether something is true of the words beside a strip on most rows that have both.
func (b *block) most(s strip, is func(left, right string) bool) bool {
	n, yes := 0, 0
	for i := range b.lines {
		if !b.row(i) {
			continue
		}
		left, right := b.word(i, s.from-1, -1), b.word(i, s.to, 1)
		if left == "" || right == "" {
			continue
		}
		n++
		if is(left, right) {
			yes++
		}
	}
	return n > 0 && float64(yes) >= seamTyped*float64(n)
}

// word returns the word that begins in a cell, or ends there for step -1; "" for none.
func (b *block) word(i, x, step int) string {
	l := &b.lines[i]
	from, to := x, x
	for l.at(from-1) == inkCell && step < 0 {
		from--
	}
	for l.at(to+1) == inkCell && step > 0 {
		to++
	}
	var text strings.Builder
	for k, c := range l.cells {
		if c >= from && c <= to {
			text.WriteString(b.gs[l.glyphs[k]].Text)
		}
	}
	return text.String()
}
