package amount

import (
	"errors"
	"math/big"
	"regexp"
	"strings"
)

// Style is how a column prints its numbers.
type Style struct {
	Decimals int
	Currency string
	Unit     string
	Comma    bool // decimal comma
	Grouped  bool
	Indian   bool // 1,23,456
	Space    bool // the currency stands apart from the number
	After    bool // the currency stands after it
	Parens   bool // what is below zero stands in parentheses; set by who knows that the document does so for sums too
}

var indian = regexp.MustCompile(`\d,\d{2},\d{3}`)

// ErrMixed is returned for numbers of different currency or unit, which have no sum.
var ErrMixed = errors.New("currencies or units differ")

// StyleOf returns the style in which a sum of the amounts is to be printed. It
// fails with ErrMixed. An amount without currency or unit goes with any.
func StyleOf(amounts []Amount, comma bool) (Style, error) {
	s := Style{Comma: comma}
	for _, a := range amounts {
		s.Decimals = max(s.Decimals, a.Decimals)
		if !merge(&s.Currency, a.Currency) || !merge(&s.Unit, a.Unit) {
			return Style{}, ErrMixed
		}
		s.Indian = s.Indian || indian.MatchString(a.Printed)
		if a.Currency != "" && strings.Contains(a.Printed, " ") {
			s.Space = true
		}
		s.After = s.After || a.Currency != "" && strings.HasSuffix(strings.TrimRight(a.Printed, ") "), a.Currency)
		whole := strings.Trim(a.Value.FloatString(0), "-")
		s.Grouped = s.Grouped || len(whole) > 3 && !strings.Contains(a.Printed, whole)
	}
	s.Grouped = s.Grouped || !anyLong(amounts)
	s.Indian = s.Indian || s.Grouped && (s.Currency == "₹" || strings.HasPrefix(s.Currency, "Rs"))
	return s, nil
}

// Like returns the style with the grouping of other cells of the same table,
// which may be longer and so show what these do not.
func (s Style) Like(cells []string) Style {
	for _, c := range cells {
		s.Indian = s.Indian || s.Grouped && indian.MatchString(c)
	}
	return s
}

func merge(have *string, more string) bool {
	if more == "" || strings.EqualFold(*have, more) {
		return true
	}
	if *have != "" {
		return false
	}
	*have = more
	return true
}

func anyLong(amounts []Amount) bool {
	for _, a := range amounts {
		if len(strings.Trim(a.Value.FloatString(0), "-")) > 3 {
			return true
		}
	}
	return false
}

// Format prints a value in the style.
func (s Style) Format(v *big.Rat) string {
	text := new(big.Rat).Abs(v).FloatString(s.Decimals)
	whole, fraction, _ := strings.Cut(text, ".")
	point, group := ".", ","
	if s.Comma {
		point, group = ",", "."
	}
	if s.Grouped {
		whole = separate(whole, group, s.Indian)
	}
	if fraction != "" {
		whole += point + fraction
	}
	if s.Currency != "" {
		gap := ""
		if s.Space || len(s.Currency) > 1 && s.Currency != "₹" && strings.Trim(s.Currency, "€£¥") != "" {
			gap = " "
		}
		if s.After {
			whole += gap + s.Currency
		} else {
			whole = s.Currency + gap + whole
		}
	}
	switch s.Unit {
	case "":
	case "%":
		whole += "%"
	default:
		whole += " " + s.Unit
	}
	if v.Sign() < 0 && s.Parens {
		return "(" + whole + ")"
	}
	if v.Sign() < 0 {
		return "-" + whole
	}
	return whole
}

// separate groups digits by three, or in the Indian way by two above the last three.
func separate(digits, group string, indian bool) string {
	if len(digits) <= 3 {
		return digits
	}
	step := 3
	if indian {
		step = 2
	}
	out := digits[len(digits)-3:]
	rest := digits[:len(digits)-3]
	for len(rest) > step {
		out = rest[len(rest)-step:] + group + out
		rest = rest[:len(rest)-step]
	}
	return rest + group + out
}

// Sum adds exactly.
func Sum(amounts []Amount) *big.Rat {
	total := new(big.Rat)
	for _, a := range amounts {
		total.Add(total, a.Value)
	}
	return total
}
