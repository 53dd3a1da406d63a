package arithmetic

import (
	"math/big"
	"regexp"
	"strings"
)

// units that are told apart, by their first form; any other noun is none, for
// "12 employees" and "12" are the same number.
var units = map[string]string{
	"hours": "hour", "hour": "hour", "hrs": "hour", "hr": "hour", "h": "hour",
	"minutes": "minute", "minute": "minute", "mins": "minute", "min": "minute",
	"days": "day", "day": "day", "weeks": "week", "week": "week", "months": "month", "month": "month", "years": "year", "year": "year",
	"miles": "mile", "mile": "mile", "mi": "mile", "km": "km", "kg": "kg", "lbs": "lb", "lb": "lb", "feet": "foot", "foot": "foot", "ft": "foot",
}

const unitWords = hourWords + `|` + minuteWords + `|days?|weeks?|months?|years?|miles?|mi|km|kg|lbs?|feet|foot|ft`

var (
	percent  = regexp.MustCompile(`(?i)^\s?(?:%|percent\b|per cent\b|pct\b)`)
	scale    = regexp.MustCompile(`(?i)^\s?(thousand|million|billion|lakhs?|crores?)\b|^(k|m|bn)\b`)
	coinTail = regexp.MustCompile(`(?i)^\s?(?:(?:usd|eur|gbp|inr|chf|dollars?|euros?|rupees?)\b|€|₹)`)
	unitTail = regexp.MustCompile(`(?i)^[) ]?[ -]?(` + unitWords + `)\b`)
	rate     = regexp.MustCompile(`(?i)^\s*(?:/\s?|per\s+|an?\s+|each\s+)(` + unitWords + `)\b`)
)

// scales of words behind a number.
var scales = map[string]int64{"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "lakh": 1e5, "lakhs": 1e5, "crore": 1e7, "crores": 1e7}

// trail reads what follows a number's digits into it and returns its length.
func (q *quantity) trail(rest string) int {
	at := 0
	if m := scale.FindStringSubmatch(rest); m != nil && (m[1] != "" || q.unit != "" || strings.EqualFold(m[2], "k")) {
		q.value = new(big.Rat).Mul(q.value, big.NewRat(scales[fold(m[1]+m[2])], 1))
		q.decimals = 0
		at += len(m[0])
	}
	if m := percent.FindString(rest[at:]); m != "" {
		q.unit = "%"
		return at + len(m)
	}
	if m := coinTail.FindString(rest[at:]); m != "" && q.unit == "" {
		q.unit = currency(m)
		at += len(m)
	}
	if m := unitTail.FindStringSubmatch(rest[at:]); m != nil && q.unit == "" {
		q.measured(units[fold(m[1])])
		at += len(m[0])
	}
	if m := rate.FindStringSubmatch(rest[at:]); m != nil {
		q.per = units[fold(m[1])]
		at += len(m[0])
	}
	return at
}

// measured gives the number its unit; hours and minutes become one.
func (q *quantity) measured(unit string) {
	q.unit = unit
	switch unit {
	case "hour":
		q.own, q.unit = q.value, minutes
		q.value = new(big.Rat).Mul(q.value, sixty())
	case "minute":
		q.own, q.unit = q.value, minutes
	}
}

// currency folds the ways of writing one.
func currency(s string) string {
	switch s = strings.TrimSuffix(fold(strings.TrimSpace(s)), "."); s {
	case "us$", "usd", "dollar", "dollars":
		return "$"
	case "eur", "euro", "euros":
		return "€"
	case "gbp":
		return "£"
	case "inr", "rs", "rupee", "rupees":
		return "₹"
	}
	return s
}

// monetary reports whether a unit is a currency.
func monetary(unit string) bool {
	switch unit {
	case "$", "€", "£", "₹", "¥", "chf", "aed", "sgd":
		return true
	}
	return false
}

// inWords are the numbers that contracts write out.
var inWords = map[string]int64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
	"forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
}

// inWords reads "two" and "forty-five": a source's "two hours" accounts for an
// answer's "2 hours".
func (s *scanner) inWords() bool {
	w := letters.FindString(s.rest())
	n, ok := inWords[fold(w)]
	if !ok {
		return false
	}
	at := len(w)
	if tail := s.rest()[at:]; n >= 20 && n < 100 && strings.HasPrefix(tail, "-") {
		if ones := letters.FindString(tail[1:]); inWords[fold(ones)] > 0 && inWords[fold(ones)] < 10 {
			n += inWords[fold(ones)]
			at += 1 + len(ones)
		}
	}
	q := quantity{value: big.NewRat(n, 1)}
	at += q.trail(s.rest()[at:])
	s.push(token{kind: number, quantity: q, word: true}, at)
	return true
}
