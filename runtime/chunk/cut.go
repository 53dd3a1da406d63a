package chunk

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cut divides a text into as few parts as fit takes, each as long as fits: after
// a clause if that keeps at least a third of what would fit, else between words,
// else between characters. fit must be true of every prefix of what it is true of.
func cut(text string, fit func(string) bool) []string {
	var out []string
	for rest := strings.TrimSpace(text); rest != ""; {
		n := len(rest)
		if !fit(rest) {
			n = head(rest, fit)
		}
		out = append(out, strings.TrimSpace(rest[:n]))
		rest = strings.TrimSpace(rest[n:])
	}
	return out
}

// head is the length of the first part, in bytes; a character at least.
func head(text string, fit func(string) bool) int {
	clauses, words, letters := boundaries(text)
	longest := func(ends []int) int {
		k := sort.Search(len(ends), func(i int) bool { return !fit(strings.TrimSpace(text[:ends[i]])) })
		if k == 0 {
			return 0
		}
		return ends[k-1]
	}
	word := longest(words)
	if clause := longest(clauses); clause > 0 && clause >= word/3 {
		return clause
	}
	if word > 0 {
		return word
	}
	if letter := longest(letters); letter > 0 {
		return letter
	}
	return letters[0]
}

// boundaries lists the ends of clauses, words and characters, in bytes. Marks
// stay with the character they stand on.
func boundaries(text string) (clauses, words, letters []int) {
	for i, r := range text {
		if i == 0 {
			continue
		}
		if !unicode.IsMark(r) {
			letters = append(letters, i)
		}
		if r != ' ' {
			continue
		}
		words = append(words, i)
		if last, _ := utf8.DecodeLastRuneInString(text[:i]); strings.ContainsRune(";:,.!?–—|", last) {
			clauses = append(clauses, i)
		}
	}
	letters = append(letters, len(text))
	return clauses, words, letters
}
