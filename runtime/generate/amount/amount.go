// Package amount reads printed numbers and writes their exact sums in the style
// in which they were printed.
//
// Cells of one column enter; exact rational values leave. It refuses what it
// cannot read for certain: text with other digits in it, dates, codes. Arithmetic
// never goes through floating point.
package amount

import (
	"math/big"
	"strings"
	"unicode"
)

// Amount is a printed number.
type Amount struct {
	Value    *big.Rat
	Decimals int    // digits printed after the decimal separator
	Currency string // as printed before or after: ₹, Rs., USD; "" when none
	Unit     string // a word printed after: hours, kg; "%" for a percentage
	Printed  string // as printed
}

// spaces makes the spaces and the minus of typesetters plain.
var spaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "−", "-")

// currencies are the marks that may stand before or after a number, longest first.
var currencies = []string{"INR", "USD", "EUR", "GBP", "AED", "SGD", "CHF", "Rs.", "Rs", "₹", "$", "€", "£", "¥"}

// Parse reads one printed number. comma says that the decimal separator is a
// comma. ok is false for anything but one number with at most a currency, a sign
// and a unit around it.
func Parse(text string, comma bool) (a Amount, ok bool) {
	s := strings.TrimSpace(text)
	if !strings.ContainsAny(s, "0123456789") {
		return Amount{}, false
	}
	s = strings.TrimSpace(spaces.Replace(s))
	a.Printed = strings.TrimSpace(text)
	negative := false
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		negative, s = true, strings.TrimSpace(s[1:len(s)-1])
	}
	s, negative = sign(s, negative)
	s, a.Currency = currency(s)
	s, negative = sign(s, negative)
	s = strings.TrimSuffix(s, "/-")
	end := 0
	for i, r := range s {
		if !unicode.IsDigit(r) && !strings.ContainsRune(".,' ", r) {
			break
		}
		end = i + len(string(r))
	}
	digits, rest := strings.TrimSpace(s[:end]), strings.TrimSpace(s[end:])
	if spaced := end > 0 && end < len(s) && s[end-1] != ' '; rest != "" {
		if a.Unit, ok = unit(rest, spaced); !ok {
			return Amount{}, false
		}
	}
	value, decimals, ok := plain(digits, comma)
	if !ok {
		return Amount{}, false
	}
	a.Decimals = decimals
	a.Value, ok = new(big.Rat).SetString(value)
	if !ok {
		return Amount{}, false
	}
	if negative {
		a.Value.Neg(a.Value)
	}
	return a, true
}

// sign takes a leading or a trailing minus off.
func sign(s string, negative bool) (string, bool) {
	if t := strings.TrimPrefix(s, "-"); t != s {
		return strings.TrimSpace(t), true
	}
	if t := strings.TrimSuffix(s, "-"); t != s && !strings.HasSuffix(t, "/") {
		return strings.TrimSpace(t), true
	}
	return strings.TrimPrefix(s, "+"), negative
}

func currency(s string) (rest, mark string) {
	for _, c := range currencies {
		if t := strings.TrimPrefix(s, c); t != s {
			return strings.TrimSpace(t), c
		}
		if t := strings.TrimSuffix(s, c); t != s {
			return strings.TrimSpace(t), c
		}
	}
	return s, ""
}

// tight are the units that may touch their number.
var tight = map[string]bool{"%": true, "kg": true, "g": true, "h": true, "hrs": true, "m": true, "km": true, "d": true}

// unit reads one word without digits; touching says that no space stands before it.
func unit(s string, touching bool) (string, bool) {
	if s == "%" {
		return s, true
	}
	for _, r := range s {
		if !unicode.IsLetter(r) && r != '.' {
			return "", false
		}
	}
	return s, len(s) <= 8 && (!touching || tight[strings.ToLower(s)])
}

// plain turns grouped digits into "-1234.56" form. Groups must be 3 digits, or 2
// before a last group of 3 (1,23,456).
func plain(s string, comma bool) (value string, decimals int, ok bool) {
	point, group := ".", ","
	if comma {
		point, group = ",", "."
	}
	whole, fraction, has := strings.Cut(s, point)
	if has && (fraction == "" || strings.Trim(fraction, "0123456789") != "") {
		return "", 0, false
	}
	for _, g := range []string{group, "'", " "} {
		if !strings.Contains(whole, g) {
			continue
		}
		parts := strings.Split(whole, g)
		if !grouped(parts) {
			return "", 0, false
		}
		whole = strings.Join(parts, "")
	}
	if whole == "" && fraction != "" {
		whole = "0"
	}
	if whole == "" || strings.Trim(whole, "0123456789") != "" {
		return "", 0, false
	}
	if has {
		return whole + "." + fraction, len(fraction), true
	}
	return whole, 0, true
}

func grouped(parts []string) bool {
	last := len(parts) - 1
	if len(parts[0]) == 0 || len(parts[0]) > 3 || len(parts[last]) != 3 {
		return false
	}
	for _, p := range parts[1:last] {
		if len(p) != 2 && len(p) != 3 {
			return false
		}
	}
	return true
}

// Comma reports whether the cells of a column write decimals with a comma:
// "1.234,56", or "12,50" with no cell against it.
func Comma(cells []string) bool {
	yes := false
	for _, c := range cells {
		dot, com := strings.LastIndexByte(c, '.'), strings.LastIndexByte(c, ',')
		after := len(strings.TrimRight(c, " €%-)")) - com - 1
		switch {
		case com < 0 && dot < 0:
		case com < 0: // 12.50 speaks against, 1.234 for neither
			if len(c)-dot-1 != 3 {
				return false
			}
		case dot > com: // 1,234.56
			return false
		case dot >= 0 || after == 1 || after == 2:
			yes = true
		default: // 75,000
			return false
		}
	}
	return yes
}
