// Package number reads the amounts of printed tables.
//
// In go the cells of columns as printed; out come their values. Whether a comma
// or a point separates the decimals is never guessed: it is decided by cells
// that can be read in one way only, of the column first, then of the table, then
// of the document. What stays ambiguous, and what is no amount (a date, a code,
// a number with leading zeros), has no value.
package number

import (
	"strconv"
	"strings"
	"unicode"
)

// Style is how decimals are separated, as far as it is known.
type Style int

// Styles.
const (
	Unknown Style = iota
	Point         // 1,234.56 and 1,23,456.50
	Comma         // 1.234,56
	Mixed         // cells contradict each other
)

// longest is how many bytes a printed amount has at most.
const longest = 40

// amount is one cell, read in either style; nil where that is impossible.
type amount struct{ point, comma *float64 }

// Evidence is what a set of cells says about the style they are written in.
func Evidence(cells []string) Style {
	out := Unknown
	grouped, ungrouped := Unknown, false
	for _, c := range cells {
		a, ok := parse(c)
		if !ok {
			continue
		}
		switch {
		case a.comma == nil:
			out = out.And(Point)
		case a.point == nil:
			out = out.And(Comma)
		case *a.point == *a.comma:
			ungrouped = ungrouped || small(c)
		case *a.point > *a.comma: // 1,234: grouped if the point is decimal
			grouped = grouped.And(Point)
		default:
			grouped = grouped.And(Comma)
		}
		if local(c) {
			out = out.And(Point)
		}
	}
	// 850 beside 1,234: were that a decimal comma, 850 would be 850,000
	if out == Unknown && ungrouped && grouped != Mixed {
		return grouped
	}
	return out
}

// And combines two pieces of evidence.
func (s Style) And(t Style) Style {
	switch {
	case s == Unknown || s == t:
		return t
	case t == Unknown:
		return s
	}
	return Mixed
}

// Or is s unless it decides nothing; then t.
func (s Style) Or(t Style) Style {
	if s == Unknown {
		return t
	}
	return s
}

// Value is the number that a cell shows in a style: negative for "(1,234)" and
// "1,234-", and 12 for "12 %". Nil when it shows none, or could show several.
func Value(cell string, s Style) *float64 {
	a, ok := parse(cell)
	switch {
	case !ok:
		return nil
	case a.comma == nil:
		return a.point
	case a.point == nil:
		return a.comma
	case *a.point == *a.comma, s == Point:
		return a.point
	case s == Comma:
		return a.comma
	}
	return nil
}

// plainSpaces makes the spaces and the minus of typesetters plain.
var plainSpaces = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2212", "-", "’", "'")

// marks are the currencies that may stand before or after a number, longest
// first. Those that are written with a decimal point wherever they are used
// decide the style; a dollar or a euro is written either way.
var marks = []struct {
	text  string
	point bool
}{
	{"INR", true}, {"GBP", true}, {"Rs.", true}, {"US$", true}, {"USD", true}, {"SGD", true}, {"AED", true}, {"EUR", false}, {"CHF", false},
	{"JPY", true}, {"CNY", true}, {"Rs", true}, {"₹", true}, {"£", true}, {"¥", true}, {"$", false}, {"€", false}, {"R$", false},
}

// parse reads a cell in both styles; ok is false when neither is possible.
func parse(cell string) (a amount, ok bool) {
	if len(cell) > longest || !strings.ContainsAny(cell, "0123456789") {
		return amount{}, false
	}
	s, negative, _ := bare(cell)
	if s == "" || strings.Trim(s, "0123456789.,' ") != "" || !unicode.IsDigit(rune(s[len(s)-1])) {
		return amount{}, false
	}
	a = amount{point: read(s, ".", ","), comma: read(s, ",", ".")}
	if negative {
		a = amount{point: minus(a.point), comma: minus(a.comma)}
	}
	return a, a.point != nil || a.comma != nil
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

func minus(v *float64) *float64 {
	if v == nil {
		return nil
	}
	n := -*v
	return &n
}

// bare takes signs, brackets, currency and percent off a cell.
func bare(cell string) (digits string, negative, point bool) {
	s := cell
	if strings.Trim(s, "0123456789.,-") != "" {
		s = plainSpaces.Replace(s)
	}
	for again := true; again; {
		before := s
		s = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(s), "/-"), "%")
		if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") && !negative {
			negative, s = true, s[1:len(s)-1]
		}
		if t := strings.TrimPrefix(s, "-"); t != s && !negative {
			negative, s = true, t
		}
		if t := strings.TrimSuffix(s, "-"); t != s && !negative {
			negative, s = true, t
		}
		s = strings.TrimPrefix(s, "+")
		for _, m := range marks {
			if len(s) == 0 || digit(s[0]) && digit(s[len(s)-1]) {
				break
			}
			if t := strings.TrimSuffix(strings.TrimPrefix(s, m.text), m.text); t != s {
				s, point = t, point || m.point
				break
			}
		}
		again = s != before
	}
	return s, negative, point
}

// local reports whether a cell's currency is always written with a decimal point.
func local(cell string) bool {
	_, _, point := bare(cell)
	return point
}

// small reports whether a cell is a whole number too small to be grouped.
func small(cell string) bool {
	s, _, _ := bare(cell)
	return len(s) <= 3 && s != "0"
}

// read returns the number that grouped digits show, nil when they show none.
func read(s, point, group string) *float64 {
	whole, fraction, has := strings.Cut(s, point)
	if has && (fraction == "" || strings.Trim(fraction, "0123456789") != "") {
		return nil
	}
	for _, g := range []string{group, "'", " "} {
		if !strings.Contains(whole, g) {
			continue
		}
		parts := strings.Split(whole, g)
		if !groups(parts) {
			return nil
		}
		whole = strings.Join(parts, "")
		break
	}
	if strings.Trim(whole, "0123456789") != "" || whole == "" && !has || len(whole) > 1 && whole[0] == '0' {
		return nil
	}
	v, err := strconv.ParseFloat("0"+whole+"."+fraction+"0", 64)
	if err != nil {
		return nil
	}
	return &v
}

// groups reports whether digits are grouped by thousands, or as in India: 1,23,456.
func groups(parts []string) bool {
	last := len(parts) - 1
	if parts[0] == "" || len(parts[0]) > 3 || parts[0][0] == '0' || len(parts[last]) != 3 {
		return false
	}
	width := 3
	if last > 1 {
		width = len(parts[1])
	}
	for _, p := range parts[1:last] {
		if len(p) != width || width != 2 && width != 3 {
			return false
		}
	}
	return last < 2 || len(parts[0]) <= width
}
