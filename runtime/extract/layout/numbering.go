package layout

import (
	"math"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// What numbers the lines of a text, as in drafts of laws and standards, is no
// column of a table, and the lines are no rows.
const (
	countedPage  = 5   // lines that are counted at least …
	countedShare = 0.8 // … and of all that stand between the first and the last of them
	countedText  = 0.2 // of them go on within a sentence, with a small letter, or lead to a page: the items of a list do not
)

// barCounts keeps the numbers of a text's lines from being looked at as a column.
func (f *finder) barCounts() {
	rows := f.free()
	first, last := counted(rows)
	if first == last {
		return
	}
	for i := first; i < last; i++ {
		if _, ok := rows[i].count(); ok {
			for _, g := range rows[i].fragments[0].Words[0].glyphs {
				f.taken[g] = true
				f.barred = append(f.barred, g)
			}
		}
	}
	f.stale = true
}

// counted returns the lines [first, last) of a text whose lines are counted, the
// same index twice for none. A line without a number, or with one that does not
// count on, is none of them.
func counted(rows []textRow) (first, last int) {
	n, text, at := 0, 0, 0
	var before Word
	for i := range rows {
		k, ok := rows[i].count()
		if !ok {
			continue
		}
		w := rows[i].fragments[0].Words[0]
		if n == 0 || k != at+1 || math.Abs(w.Box.X0-before.Box.X0) > alignTolerance && math.Abs(w.Box.X1-before.Box.X1) > alignTolerance {
			if n >= countedPage {
				continue
			}
			first, n, text = i, 0, 0
		}
		n, at, before, last = n+1, k, w, i+1
		if rows[i].carried() {
			text++
		}
	}
	if n < countedPage || float64(n) < countedShare*float64(last-first) || float64(text) < countedText*float64(n) {
		return 0, 0
	}
	return first, last
}

// carried reports whether a counted line, in one piece behind its number, begins
// within a sentence or leads to a page.
func (r *textRow) carried() bool {
	fs := r.fragments
	words := fs[0].Words[1:]
	if len(words) == 0 && len(fs) == 2 {
		words = fs[1].Words
	} else if len(fs) > 1 {
		return false
	}
	if len(words) == 0 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(words[0].Text)
	return unicode.IsLower(first) || slices.ContainsFunc(words, func(w Word) bool { return leaders.MatchString(w.Text) })
}

// count is the number with which a line of text begins.
func (r *textRow) count() (n int, ok bool) {
	n, err := strconv.Atoi(r.fragments[0].Words[0].Text)
	return n, err == nil && n > 0
}
