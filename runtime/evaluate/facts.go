package evaluate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// normal writes text as facts and entities are compared: lower case, one space
// between words, plain hyphens and quotes, and numbers without thousands
// separators or needless decimal zeros ("$1,000,000.00" is "$1000000").
func normal(s string) string {
	s = numbers(strings.ToLower(s))
	s = strings.NewReplacer("‐", "-", "‑", "-", "–", "-", "—", "-", "−", "-", "’", "'", "‘", "'", "“", `"`, "”", `"`).Replace(s)
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), " %", "%")
}

// numbers rewrites every number of a text in its shortest form. Digits that
// belong to a code or a dotted version are left as they are.
func numbers(s string) string {
	r := []rune(s)
	var b strings.Builder
	for i := 0; i < len(r); {
		if !digit(r[i]) {
			b.WriteRune(r[i])
			i++
			continue
		}
		before := rune(' ')
		if i > 0 {
			before = r[i-1]
		}
		digits, end := grouped(r, i)
		b.WriteString(digits)
		i = end
		if i+1 < len(r) && r[i] == '.' && digit(r[i+1]) {
			j := run(r, i+1)
			dotted := j+1 < len(r) && r[j] == '.' && digit(r[j+1])
			fraction := string(r[i+1 : j])
			if !dotted && !unicode.IsLetter(before) && before != '.' && before != '/' && before != '_' {
				fraction = strings.TrimRight(fraction, "0")
			}
			if fraction != "" {
				b.WriteByte('.')
				b.WriteString(fraction)
			}
			i = j
		}
	}
	return b.String()
}

// grouped reads digits from i, across thousands separators where the groups
// are those of a number: one to three digits, then groups of two (as in lakhs)
// or three, the last of three.
func grouped(r []rune, i int) (digits string, end int) {
	end = run(r, i)
	digits = string(r[i:end])
	if len(digits) > 3 {
		return digits, end
	}
	sofar := digits
	for j := end; j+1 < len(r) && separator(r[j]) && digit(r[j+1]); {
		k := run(r, j+1)
		size := k - j - 1
		if size != 2 && size != 3 {
			break
		}
		sofar += string(r[j+1 : k])
		if size == 3 {
			digits, end = sofar, k
		}
		j = k
	}
	return digits, end
}

// separator reports a thousands separator that nothing else can be mistaken
// for: comma, apostrophe, no-break and thin spaces. A point or a plain space is not.
func separator(r rune) bool { return strings.ContainsRune(",'’\u00a0\u202f\u2009", r) }

func digit(r rune) bool { return r >= '0' && r <= '9' }

func run(r []rune, i int) int {
	for i < len(r) && digit(r[i]) {
		i++
	}
	return i
}

// states reports whether a text says a phrase, both in normal form. The phrase
// must stand on its own: "12 employees" is not said by "112 employees", nor
// "$520" by "$520.50" or "-$520", nor "active" by "inactive". Where inflected
// is set, a plural s may follow a word, and a unit a number ("65" is said by "65kg").
func states(text, phrase string, inflected bool) bool {
	if phrase == "" {
		return false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			return false
		}
		at += from
		if opens(text[:at], phrase) && closes(text[at+len(phrase):], phrase, inflected) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		from = at + size
	}
}

// opens reports whether a phrase may begin after what stands before it.
func opens(before, phrase string) bool {
	first, _ := utf8.DecodeRuneInString(phrase)
	prev, size := utf8.DecodeLastRuneInString(before)
	if before == "" {
		return true
	}
	if word(first) && word(prev) {
		return false
	}
	amount := digit(first) || unicode.Is(unicode.Sc, first)
	if !amount {
		return true
	}
	rest := before[:len(before)-size]
	earlier, _ := utf8.DecodeLastRuneInString(rest)
	switch {
	case prev == '.' || prev == ',':
		return !digit(earlier)
	case prev == '-': // a minus sign, unless it joins a code or a range
		return rest != "" && word(earlier)
	case unicode.Is(unicode.Sc, prev):
		return earlier != '-'
	}
	return true
}

// closes reports whether a phrase may end before what stands after it.
func closes(after, phrase string, inflected bool) bool {
	last, _ := utf8.DecodeLastRuneInString(phrase)
	next, size := utf8.DecodeRuneInString(after)
	if after == "" || !word(last) {
		return true
	}
	if digit(last) && (next == '.' || next == ',') {
		then, _ := utf8.DecodeRuneInString(after[size:])
		return !digit(then)
	}
	if !word(next) {
		return true
	}
	if !inflected || digit(next) {
		return false
	}
	if digit(last) {
		return amountEnds(phrase)
	}
	for _, s := range []string{"s", "es"} {
		if rest, ok := strings.CutPrefix(after, s); ok {
			if r, _ := utf8.DecodeRuneInString(rest); rest == "" || !word(r) {
				return true
			}
		}
	}
	return false
}

// amountEnds reports whether a phrase ends in a number rather than in a code.
func amountEnds(phrase string) bool {
	tail := strings.TrimRight(phrase, "0123456789.")
	r, _ := utf8.DecodeLastRuneInString(tail)
	return tail == "" || !word(r) && r != '-' && r != '/'
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
