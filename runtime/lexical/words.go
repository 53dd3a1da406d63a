package lexical

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a text, folded.
type word struct {
	text  string
	terms []string // of full weight: the word; for an amount also its bare number; for CJK its pairs of characters
	parts []string // of a compound, at least two characters each
	code  bool     // a compound with digits in it
}

// length is what the word adds to its passage's length.
func (w word) length() int {
	if w.text == "" { // a run of CJK
		return len(w.terms)
	}
	return 1
}

// joiners keep a word together where a letter or digit stands on both sides.
const joiners = "/-._'"

// words yields the words of a folded text.
func words(s string) iter.Seq[word] {
	return func(yield func(word) bool) {
		for len(s) > 0 {
			r, size := utf8.DecodeRuneInString(s)
			var n int
			var found []word
			switch {
			case unicode.Is(unicode.Sc, r) && size < len(s) && digit(s[size]):
				n = size + numberEnd(s[size:])
				found = []word{amount(s[:size], s[size:n])}
			case cjk(r):
				n = cjkEnd(s)
				found = []word{pairs(s[:n])}
			case inWord(r):
				n = wordEnd(s)
				found = spelled(s[:n])
			default:
				n = size
			}
			for _, w := range found {
				if !yield(w) {
					return
				}
			}
			s = s[n:]
		}
	}
}

func inWord(r rune) bool {
	return !cjk(r) && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

// cjk are the scripts that write words without anything between them.
func cjk(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// wordEnd is the length of the word that s begins with. A colon joins digits
// only: 18:00 is one word, "note:see" two.
func wordEnd(s string) int {
	end := 0
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if inWord(r) {
			end += size
			continue
		}
		next, _ := utf8.DecodeRuneInString(s[end+size:])
		joins := strings.ContainsRune(joiners, r) && inWord(next)
		if r == ':' {
			joins = digit(s[end-1]) && next < utf8.RuneSelf && digit(byte(next))
		}
		if !joins {
			break
		}
		end += size
	}
	return end
}

func cjkEnd(s string) int {
	if i := strings.IndexFunc(s, func(r rune) bool { return !cjk(r) }); i >= 0 {
		return i
	}
	return len(s)
}

// numberEnd is the length of the digits, and of their decimals, at the start of s.
func numberEnd(s string) int { return len(leading.FindString(s)) }

var (
	leading    = regexp.MustCompile(`^\d+(?:\.\d+)?`)
	shortMoney = regexp.MustCompile(`^(rs|inr|usd|eur|gbp)\.?(\d+(?:\.\d+)?)$`)
	wholeCents = regexp.MustCompile(`^(\d+)\.0+$`)
)

// amount is a number with its currency: found by either.
func amount(currency, number string) word {
	return word{text: currency + number, terms: []string{currency + number, number}, parts: whole(number)}
}

// whole lets 75000.00 be found as 75000.
func whole(number string) []string {
	if m := wholeCents.FindStringSubmatch(number); m != nil {
		return m[1:]
	}
	return nil
}

// pairs indexes a run of CJK by overlapping pairs of characters, the usual way
// without a dictionary.
func pairs(s string) word {
	rs := []rune(s)
	if len(rs) == 1 {
		return word{terms: []string{s}}
	}
	w := word{}
	for i := range len(rs) - 1 {
		w.terms = append(w.terms, string(rs[i:i+2]))
	}
	return w
}

// spelled is a written word: one, but for an amount such as Rs.5000.
func spelled(s string) []word {
	if m := shortMoney.FindStringSubmatch(s); m != nil {
		return []word{{text: m[1], terms: m[1:2]}, {text: m[2], terms: m[2:3], parts: whole(m[2])}}
	}
	s = strings.TrimSuffix(s, "'s")
	w := word{text: s, terms: []string{s}}
	switch {
	case leading.FindString(s) == s: // 211 and 25 say nothing of 211.25
		w.parts = whole(s)
	case strings.ContainsAny(s, joiners):
		w.code = strings.ContainsFunc(s, unicode.IsDigit)
		w.parts = parts(s)
	}
	return []word{w}
}

// parts are a compound's distinct pieces. Single characters are left out: they
// would match every list number.
func parts(s string) []string {
	var out []string
	for p := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(joiners, r) }) {
		if utf8.RuneCountInString(p) > 1 && p != s && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
