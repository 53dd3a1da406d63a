package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold makes spellings of one word equal: compatibility forms (full width,
// ligatures, superscripts), case, accents, kinds of hyphen and apostrophe, and
// the separators of thousands. Vowel signs of scripts that write words with them
// stay: only marks that readers leave out are stripped.
func fold(text string) string {
	if ascii(text) {
		return ungroup(strings.ToLower(text))
	}
	s := strings.Map(plain, norm.NFKC.String(text))
	s = norm.NFD.String(cases.Fold().String(s))
	s = strings.Map(func(r rune) rune {
		if accent(r) {
			return -1
		}
		return r
	}, s)
	return ungroup(norm.NFC.String(s))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plain maps typographic signs to those of a keyboard, and drops invisible ones.
// The em dash and the bar stay: they part words.
func plain(r rune) rune {
	switch r {
	case '‐', '‑', '‒', '–', '−', '﹣':
		return '-'
	case '‘', '’', 'ʼ', '′', '`':
		return '\''
	case '⁄', '∕': // also what compatibility folding makes of ½
		return '/'
	}
	if unicode.Is(unicode.Cf, r) { // soft hyphen, zero-width joiners, directions
		return -1
	}
	return r
}

// accent holds for the marks of Latin, Greek and Cyrillic, and the vowel points
// of Hebrew and Arabic.
func accent(r rune) bool {
	return r >= 0x300 && r <= 0x36F || r >= 0x591 && r <= 0x5C7 && unicode.Is(unicode.Mn, r) ||
		r >= 0x64B && r <= 0x652 || r == 0x670
}

// ungroup takes the commas out of numbers grouped as 75,000 or 1,23,456.
func ungroup(s string) string {
	if !strings.Contains(s, ",") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 0
		for i+n < len(s) && (digit(s[i+n]) || s[i+n] == ',') {
			n++
		}
		if n == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		number := strings.TrimRight(s[i:i+n], ",")
		if grouped(number) {
			b.WriteString(strings.ReplaceAll(number, ",", ""))
			b.WriteString(s[i+len(number) : i+n])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// grouped reports whether the groups are 1–3 digits, then twos or threes, then three.
func grouped(number string) bool {
	groups := strings.Split(number, ",")
	last := len(groups) - 1
	if last < 1 || len(groups[0]) < 1 || len(groups[0]) > 3 || len(groups[last]) != 3 {
		return false
	}
	for _, g := range groups[1:last] {
		if len(g) != len(groups[1]) || len(g) < 2 || len(g) > 3 {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
