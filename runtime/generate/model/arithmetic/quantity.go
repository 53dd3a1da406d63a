package arithmetic

import "math/big"

// quantity is one number as printed, with what was printed around it.
type quantity struct {
	value    *big.Rat // in unit; a duration's in minutes; nil for identifiers and dates
	own      *big.Rat // a duration's in the unit printed: 3.25 of "3.25 hours"; nil for "3 h 15 min"
	unit     string   // "", a currency, "%", minutes for every duration, or day, mile, kg …
	per      string   // hour, of "$65 per hour"; "" when none is printed
	decimals int      // printed
	date     date
	id       string     // folded; what is compared as a name
	ends     []quantity // of "10-20", which may be a range or a name
	digits   bool       // taken out of an identifier or a date: supports a bare number alone
	printed  string
}

// date is a day, or what is known of one: 0 is not printed.
type date struct{ year, month, day int }

func (d date) zero() bool { return d == date{} }

// within reports whether all that is printed of d agrees with e.
func (d date) within(e date) bool {
	agree := func(a, b int) bool { return a == 0 || a == b }
	return agree(d.year, e.year) && agree(d.month, e.month) && agree(d.day, e.day)
}

// minutes is the unit in which durations are compared.
const minutes = "minutes"

// sixty minutes are an hour.
func sixty() *big.Rat { return big.NewRat(60, 1) }

// same reports whether a number of an answer says what one of a source does:
// the same value, in a unit that does not contradict. "65" may be the "$65" of a
// source, and "$65" the "65" of a table's cell; "65 minutes" is neither.
func (q quantity) same(source quantity) bool {
	switch {
	case !q.date.zero():
		return !source.date.zero() && q.date.within(source.date)
	case q.value == nil || source.value == nil:
		return false
	case source.digits:
		return q.unit == "" && equal(q.value, source.value)
	case q.per != "" && source.per != "" && q.per != source.per:
		return false
	case q.unit == source.unit:
		return equal(q.value, source.value)
	case q.unit == minutes && source.unit == "":
		return q.own != nil && equal(q.own, source.value)
	case q.unit == "" && source.unit == minutes:
		// A whole number without a unit could be anything; 3.25 is 3 h 15 min.
		return source.own != nil && equal(q.value, source.own) || q.decimals > 0 && equal(q.value, hours(source.value))
	case q.unit == "" && source.unit == "%", q.unit == "%" && source.unit == "":
		return equal(q.value, source.value) || equal(q.scalar(inHours), source.scalar(inHours))
	}
	return (q.unit == "" || source.unit == "") && equal(q.value, source.value)
}

// equal compares without the sign: "reduced by $20" is what "($20)" prints.
func equal(a, b *big.Rat) bool { return new(big.Rat).Abs(a).Cmp(new(big.Rat).Abs(b)) == 0 }

func hours(m *big.Rat) *big.Rat { return new(big.Rat).Quo(m, sixty()) }

// measure says what number a duration is in a calculation.
type measure int

const (
	inHours measure = iota
	inMinutes
	asPrinted // next to an explicit 60: "195 min ÷ 60 = 3.25 h"
)

// scalar is the number that the quantity is in a calculation.
func (q quantity) scalar(m measure) *big.Rat {
	switch {
	case q.unit == "%":
		return new(big.Rat).Quo(q.value, big.NewRat(100, 1))
	case q.unit != minutes || m == inMinutes:
		return q.value
	case m == asPrinted && q.own != nil:
		return q.own
	}
	return hours(q.value)
}
