package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	closers = ")]}\"'”’»"
	ends    = ".!?…"
	eastern = "。！？।۔؟" // end a sentence whatever follows
)

// sentences returns the end of each sentence of a text, in bytes; white space
// between two belongs to the first.
func sentences(text string) []int {
	var out []int
	start := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if !strings.ContainsRune(ends+eastern, r) {
			continue
		}
		stop := i - size
		for i < len(text) { // ?! and ." belong together
			next, n := utf8.DecodeRuneInString(text[i:])
			if !strings.ContainsRune(ends+eastern+closers, next) {
				break
			}
			i += n
		}
		rest := strings.TrimLeft(text[i:], " ")
		if rest == "" {
			break
		}
		spaced := len(rest) < len(text)-i
		if !strings.ContainsRune(eastern, r) && (!spaced || !ended(text[start:stop], r, rest)) {
			continue
		}
		start = len(text) - len(rest)
		out = append(out, start)
		i = start
	}
	return append(out, len(text))
}

// ended judges a mark between a sentence so far and what follows it.
func ended(before string, mark rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsLower(next) {
		return false
	}
	if mark != '.' {
		return true
	}
	word := before[strings.LastIndexByte(before, ' ')+1:]
	if word == before && len(word) <= 4 { // "1.", "iv.", "(a)." before an item
		return false
	}
	word = strings.ToLower(strings.TrimLeft(word, "([\"'“‘"))
	following, _, _ := strings.Cut(rest, " ")
	following = strings.ToLower(strings.TrimRight(following, ".,"))
	switch {
	case abbreviation(word):
		return false
	case word == "no" || word == "nos":
		return !strings.ContainsFunc(following, unicode.IsDigit)
	case firm(word):
		return unicode.IsUpper(next) && !firm(following)
	}
	return !initials(word)
}

// initials are single letters, each with its point: M. Karthik, e.g., U.S.
func initials(word string) bool {
	for part := range strings.SplitSeq(word, ".") {
		if runes(part) != 1 || !strings.ContainsFunc(part, unicode.IsLetter) {
			return false
		}
	}
	return true
}

// abbreviation holds for words, lower case, whose point never ends a sentence.
func abbreviation(word string) bool {
	switch word {
	case "mr", "mrs", "ms", "dr", "prof", "sr", "smt", "shri", "messrs", "m/s", "st",
		"rs", "inr", "viz", "vs", "cf", "approx",
		"fig", "figs", "sec", "secs", "art", "arts", "vol", "ch", "cl", "para", "paras", "pp", "pg", "ref", "refs",
		"tel", "ext", "dept", "govt", "pvt",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec":
		return true
	}
	return false
}

// firm holds for words whose point does end a sentence before a capital, unless
// that begins another of them: Co. Ltd.
func firm(word string) bool {
	switch word {
	case "co", "ltd", "inc", "corp", "llc", "jr", "etc", "a.m", "p.m":
		return true
	}
	return false
}
