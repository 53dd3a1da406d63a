package evaluate

import (
	"math/big"
	"strings"
	"unicode"
)

// amount reads a printed number exactly: currency signs and units are left out,
// (1,234) and 1,234- are negative, and of comma and point the later one is the
// decimal sign where both occur. A lone comma groups thousands where three
// digits follow it, else it is the decimal sign.
func amount(s string) (*big.Rat, bool) {
	s = strings.TrimSpace(strings.ReplaceAll(s, "−", "-"))
	negative := strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") || strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-")
	first := strings.IndexFunc(s, unicode.IsDigit)
	if first < 0 {
		return nil, false
	}
	negative = negative || strings.HasSuffix(strings.TrimSpace(s[:first]), "-")
	last := strings.LastIndexFunc(s, unicode.IsDigit)
	var b strings.Builder
	for _, r := range s[first : last+1] {
		switch {
		case digit(r) || r == '.' || r == ',':
			b.WriteRune(r)
		case unicode.IsSpace(r) || r == '\'' || r == '’':
		default:
			return nil, false // two numbers, or a code
		}
	}
	v, ok := new(big.Rat).SetString(plain(b.String()))
	if ok && negative {
		v.Neg(v)
	}
	return v, ok
}

// plain leaves one point, as the decimal sign, of a number's commas and points.
func plain(s string) string {
	comma, point := strings.LastIndexByte(s, ','), strings.LastIndexByte(s, '.')
	decimal := point
	switch {
	case comma > point && point >= 0:
		decimal = comma
	case point < 0 && comma >= 0 && (strings.Count(s, ",") > 1 || len(s)-comma-1 == 3):
		decimal = -1
	case point < 0:
		decimal = comma
	case strings.Count(s, ".") > 1:
		decimal = -1
	}
	digits := func(t string) string { return strings.NewReplacer(",", "", ".", "").Replace(t) }
	if decimal < 0 {
		return digits(s)
	}
	return digits(s[:decimal]) + "." + digits(s[decimal+1:])
}
