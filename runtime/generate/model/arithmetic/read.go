package arithmetic

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
)

const (
	hourWords   = `hours?|hrs?|h`
	minuteWords = `minutes?|mins?`
	monthWords  = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?`
	coins       = `us\$|usd|eur|gbp|inr|chf|aed|sgd|rs\.?|\$|€|£|₹|¥`
)

var (
	compound = regexp.MustCompile(`(?i)^(\d+)[ -]?(?:` + hourWords + `)\.?(?:\s+and\s+|,\s*|[ -]?)(\d{1,2})(?:[ -]?(?:` + minuteWords + `|m)\b)?`)
	clock    = regexp.MustCompile(`(?i)^(\d{1,3}):(\d{2})(?::\d{2})?(?:\s?([ap])\.?m\b\.?)?`)
	noon     = regexp.MustCompile(`(?i)^(\d{1,2})\s?([ap])\.?m\b\.?`)

	isoDate  = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})\b`)
	dayFirst = regexp.MustCompile(`(?i)^(\d{1,2})(?:st|nd|rd|th)?[ -](` + monthWords + `)\b\.?,?(?:[ -](\d{4})\b)?`)
	monthDay = regexp.MustCompile(`(?i)^(` + monthWords + `)\b\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})\b)?`)
	monthOf  = regexp.MustCompile(`(?i)^(` + monthWords + `)\b\.?,?[ _-](\d{4})\b`)

	name   = regexp.MustCompile(`^[#\pL\pN]+(?:[-/._:][\pL\pN]+)*`)
	coin   = regexp.MustCompile(`(?i)^(?:` + coins + `)\s?`)
	digits = regexp.MustCompile(`^(?:\d[\d.,']*\d|\d|\.\d+)`)
	suffix = regexp.MustCompile(`(?i)^-?(st|nd|rd|th|` + hourWords + `|` + minuteWords + `|[a-z]{1,2}|million|bn)$|^-[a-z]+$`)
)

// quantity reads a number, a date or an identifier that begins here.
func (s *scanner) quantity() bool {
	before, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	if unicode.IsLetter(before) || unicode.IsDigit(before) {
		return false
	}
	r := first(s.rest())
	if (r == '-' || r == '−') && before != ' ' && s.at > 0 && before != '(' && before != '\n' {
		return false
	}
	for _, read := range []func() bool{s.date, s.duration, s.identifier, s.amount, s.inWords} {
		if read() {
			return true
		}
	}
	return false
}

func (s *scanner) date() bool {
	rest := s.rest()
	var d date
	length := 0
	take := func(re *regexp.Regexp, year, month, day int) bool {
		m := re.FindStringSubmatch(rest)
		if m == nil {
			return false
		}
		at := func(i int) string {
			if i == 0 {
				return ""
			}
			return m[i]
		}
		d = date{year: atoi(at(year)), month: monthNumber(at(month)), day: atoi(at(day))}
		length = len(strings.TrimRight(m[0], ", "))
		return d.month >= 1 && d.month <= 12 && d.day <= 31
	}
	if take(isoDate, 1, 2, 3) || take(dayFirst, 3, 2, 1) || take(monthDay, 3, 1, 2) || take(monthOf, 2, 1, 0) {
		s.push(token{kind: number, quantity: quantity{date: d}}, length)
		return true
	}
	return false
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0 // not printed
	}
	return n
}

// monthNumber reads 04 or April.
func monthNumber(s string) int {
	if len(s) < 3 {
		return atoi(s)
	}
	return strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", fold(s)[:3])/3 + 1
}

// duration reads "3 h 15 min", "3:15", "1:15 PM" and "8 a.m.".
func (s *scanner) duration() bool {
	rest := s.rest()
	long := func(h, m int, length int) bool {
		s.push(token{kind: number, quantity: quantity{value: big.NewRat(int64(h)*60+int64(m), 1), unit: minutes}}, length)
		return true
	}
	if m := compound.FindStringSubmatch(rest); m != nil && !calculable(first(rest[len(m[0]):])) {
		return long(atoi(m[1]), atoi(m[2]), len(m[0]))
	}
	if m := clock.FindStringSubmatch(rest); m != nil && atoi(m[2]) < 60 && first(rest[len(m[0]):]) != ':' {
		return long(afternoon(atoi(m[1]), m[3]), atoi(m[2]), len(m[0]))
	}
	if m := noon.FindStringSubmatch(rest); m != nil && atoi(m[1]) <= 12 {
		return long(afternoon(atoi(m[1]), m[2]), 0, len(m[0]))
	}
	return false
}

// afternoon turns 1 p.m. into 13.
func afternoon(hour int, half string) int {
	switch {
	case half == "":
		return hour
	case hour == 12:
		hour = 0
	}
	if strings.EqualFold(half, "p") {
		hour += 12
	}
	return hour
}

// identifier reads a name with digits in it: CT-88231, 4.2.1, 800-555-0199.
func (s *scanner) identifier() bool {
	n := name.FindString(s.rest())
	if !strings.ContainsFunc(n, unicode.IsDigit) || coin.FindString(n) != "" && digits.MatchString(n[len(coin.FindString(n)):]) {
		return false
	}
	run := digits.FindString(n)
	tail := n[len(run):]
	lettered := strings.ContainsFunc(n, unicode.IsLetter)
	switch {
	case run == n, lettered && run != "" && suffix.MatchString(tail):
		if strings.Count(n, ".") > 1 { // 4.2.1 is a section, 1.234.567 an amount
			if _, ok := amount.Parse(n, true); !ok {
				break
			}
		}
		return false // a number, perhaps with its unit
	case !lettered && run != "" && strings.HasPrefix(tail, "/") && strings.Count(n, "/") == 1 && !strings.Contains(n, "-"):
		return false // 195/60 is a calculation, or nothing
	case !strings.ContainsAny(n, "-/.:_#") && run != "" && rateTail.MatchString(n):
		return false
	}
	q := quantity{id: fold(n)}
	if !lettered && strings.Count(n, "-") == 1 {
		q.ends = ends(n)
	}
	s.push(token{kind: number, quantity: q}, len(n))
	return true
}

// rateTail is a number that runs into a known unit.
var rateTail = regexp.MustCompile(`(?i)^[\d.,]*\d(?:km|kg|lbs?|miles?|days?|ft|` + hourWords + `|` + minuteWords + `)$`)

// ends are the numbers of "10-20", nil if either is none.
func ends(n string) []quantity {
	from, to, _ := strings.Cut(n, "-")
	var out []quantity
	for _, s := range []string{from, to} {
		v, decimals, ok := parse(s)
		if !ok {
			return nil
		}
		out = append(out, quantity{value: v, decimals: decimals, printed: s})
	}
	return out
}

// parse reads digits in either style of grouping.
func parse(s string) (*big.Rat, int, bool) {
	for _, comma := range []bool{false, true} {
		if strings.HasPrefix(s, ".") {
			s = "0" + s
		}
		if a, ok := amount.Parse(s, comma); ok {
			return a.Value, a.Decimals, true
		}
	}
	return nil, 0, false
}

// amount reads a number with its currency, scale, unit and rate.
func (s *scanner) amount() bool {
	rest := s.rest()
	at := 0
	negative := false
	if r, size := utf8.DecodeRuneInString(rest); (r == '-' || r == '−') && calculable(first(rest[size:])) && first(rest[size:]) != '(' {
		negative, at = true, size
	}
	unit := ""
	if c := coin.FindString(rest[at:]); c != "" {
		unit, at = currency(c), at+len(c)
	}
	d := digits.FindString(rest[at:])
	if d == "" {
		return false
	}
	v, decimals, ok := parse(d)
	if !ok {
		s.push(token{kind: number, quantity: quantity{id: fold(d)}}, at+len(d))
		return true
	}
	if negative {
		v = new(big.Rat).Neg(v)
	}
	at += len(d)
	q := quantity{value: v, unit: unit, decimals: decimals}
	at += q.trail(rest[at:])
	s.push(token{kind: number, quantity: q}, at)
	return true
}
