package arithmetic

import (
	"math/big"
	"slices"
	"strings"
)

// equation is what stands on both sides of one equals sign.
type equation struct {
	left, right []int // indexes of tokens
	approx      bool
	holds       bool
	why         string // it doesn't hold
	constants   []int  // operands that need no source
}

func (e *equation) sides() [][]int { return [][]int{e.left, e.right} }

// operated reports whether something is calculated: "Tier 2 = $500" is none.
func (e *equation) operated() bool { return len(e.left) > 1 || len(e.right) > 1 }

// printed is the equation as the answer has it.
func (e *equation) printed(tokens []token, text string) string {
	p := plain(text)
	return strings.Join(strings.Fields(p[tokens[e.left[0]].start:tokens[e.right[len(e.right)-1]].end]), " ")
}

// solve finds the equations and adds the results of those that hold to what is
// known, until nothing new follows: one may rest on the result of another, none
// on its own.
func solve(tokens []token, known *evidence) []*equation {
	equations := find(tokens)
	for _, e := range equations {
		e.verify(tokens, known)
	}
	for again := true; again; {
		again = false
		for _, e := range equations {
			if e.holds && e.yield(tokens, known) {
				again = true
			}
		}
	}
	return equations
}

// yield adds the result, the side that is one number, if all the other side's
// operands are known. It reports whether that was new.
func (e *equation) yield(tokens []token, known *evidence) bool {
	for i, side := range e.sides() {
		other := e.sides()[1-i]
		if len(side) != 1 || known.has(tokens[side[0]].quantity) {
			continue
		}
		if slices.ContainsFunc(other, func(k int) bool {
			return tokens[k].kind == number && !slices.Contains(e.constants, k) && !known.has(tokens[k].quantity)
		}) {
			continue
		}
		known.add(tokens[side[0]].quantity)
		return true
	}
	return false
}

// find returns an equation for each equals sign with an expression on both
// sides: the longest that ends at it and the longest that begins behind it.
func find(tokens []token) []*equation {
	var out []*equation
	for i, t := range tokens {
		if t.kind != equals {
			continue
		}
		e := &equation{left: before(tokens, i), right: behind(tokens, i), approx: t.approx}
		if len(e.left) > 0 && len(e.right) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// maxOperands bounds a side; a register's column may well be added up.
const maxOperands = 500

func before(tokens []token, at int) []int {
	var run []int
	for i := at - 1; i >= 0 && tokens[i].kind != stop && tokens[i].kind != equals && len(run) < 2*maxOperands; i-- {
		if tokens[i].kind != word {
			run = append(run, i)
		}
	}
	slices.Reverse(run)
	run = beside(tokens, run)
	for i := range run {
		if whole(tokens, run[i:]) {
			return run[i:]
		}
	}
	return nil
}

func behind(tokens []token, at int) []int {
	var run []int
	for i := at + 1; i < len(tokens) && tokens[i].kind != stop && tokens[i].kind != equals && len(run) < 2*maxOperands; i++ {
		if tokens[i].kind != word {
			run = append(run, i)
		}
	}
	run = beside(tokens, run)
	for n := len(run); n > 0; n-- {
		if whole(tokens, run[:n]) {
			return run[:n]
		}
	}
	return nil
}

// beside takes out parentheses that only explain: empty ones, whose words are
// gone, and the "(3.25 h)" behind a "3 h 15 min" that it equals.
func beside(tokens []token, run []int) []int {
	var out []int
	for i := 0; i < len(run); i++ {
		k := run[i]
		if tokens[k].kind == opening && i+1 < len(run) && tokens[run[i+1]].kind == closing {
			i++
			continue
		}
		if tokens[k].kind == opening && i+2 < len(run) && tokens[run[i+1]].kind == number && tokens[run[i+2]].kind == closing &&
			len(out) > 0 && tokens[out[len(out)-1]].kind == number && tokens[run[i+1]].same(tokens[out[len(out)-1]].quantity) {
			i += 2
			continue
		}
		out = append(out, k)
	}
	return out
}

func whole(tokens []token, run []int) bool {
	x := &expression{tokens: tokens, run: run}
	return x.value() != nil
}

// verify calculates both sides.
func (e *equation) verify(tokens []token, known *evidence) {
	var got string
	units := e.units(tokens)
	for _, m := range e.measures(tokens, known) {
		l := &expression{tokens: tokens, run: e.left, measure: m, units: units}
		r := &expression{tokens: tokens, run: e.right, measure: m, units: units}
		left, right := l.value(), r.value()
		if left == nil || right == nil {
			continue
		}
		if left.Cmp(right) == 0 || e.rounds(tokens, left, right, l.divided || r.divided) {
			e.holds = true
			e.constants = append(l.constants, r.constants...)
			return
		}
		if got == "" {
			result := left
			if len(e.left) == 1 {
				result = right
			}
			got = "the result is " + short(result)
		}
	}
	if got == "" {
		got = "the units do not go together"
	}
	e.why = got
}

// short prints a value with the decimals that it has, at most four.
func short(v *big.Rat) string {
	s := v.FloatString(4)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// rounds reports whether one side is the other's value correctly rounded: to
// cents, to the decimals printed behind a division, or as "≈" says.
func (e *equation) rounds(tokens []token, left, right *big.Rat, divided bool) bool {
	for i, side := range e.sides() {
		if len(side) != 1 {
			continue
		}
		q := tokens[side[0]].quantity
		if q.decimals < 2 && !e.approx && (!divided || q.decimals == 0) {
			continue
		}
		printed, exact := left, right
		if i == 1 {
			printed, exact = right, left
		}
		if q.unit == minutes || q.unit == "%" {
			continue // what is printed is not what is calculated with
		}
		half := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(q.decimals)), nil))
		half.Quo(half, big.NewRat(2, 1))
		off := new(big.Rat).Sub(printed, exact)
		if off.Abs(off).Cmp(half) <= 0 {
			return true
		}
	}
	return false
}

// measures are the ways in which a duration may enter the calculation. A rate
// decides: $65 per hour times 15 min is $16.25 and never $975.
func (e *equation) measures(tokens []token, known *evidence) []measure {
	priced, lasting, explicit := false, false, false
	per := map[string]bool{}
	for _, side := range e.sides() {
		for n, k := range side {
			q := tokens[k].quantity
			switch {
			case tokens[k].kind != number || q.value == nil:
			case q.unit == minutes:
				lasting = true
			case q.per != "" || monetary(q.unit):
				priced = true
				if len(side) > 1 {
					per[known.rate(q)] = true
				}
			case q.unit == "" && equal(q.value, sixty()) && factor(tokens, side, n) != 0:
				explicit = true
			}
		}
	}
	var out []measure
	switch {
	case !lasting || per["hour"]:
		out = []measure{inHours}
	case per["minute"]:
		out = []measure{inMinutes}
	case priced && len(per) > 0 && !per[""]:
		return nil // a rate per day or mile, times hours
	case priced:
		out = []measure{inHours}
	default:
		out = []measure{inHours, inMinutes}
	}
	if explicit {
		out = append(out, asPrinted)
	}
	return out
}

// money is the unit under which the currencies of an equation are noted.
const money = "money"

// units are those of all quantities of an equation, and of its rates.
func (e *equation) units(tokens []token) map[string]bool {
	out := map[string]bool{}
	for _, side := range e.sides() {
		for _, k := range side {
			q := tokens[k].quantity
			switch {
			case q.value == nil:
				continue
			case monetary(q.unit):
				out[money] = true
			case !(q.unit == minutes && q.own != nil && equal(q.own, sixty())): // "÷ 60 min" is what is being judged
				out[q.unit] = true
			}
			switch q.per {
			case "hour", "minute":
				out[minutes] = true
			default:
				out[q.per] = true
			}
		}
	}
	return out
}

// rate is what an amount is for, by its own words or by a source's.
func (e *evidence) rate(q quantity) string {
	if q.per != "" {
		return q.per
	}
	for _, k := range e.quantities {
		if k.per != "" && k.unit == q.unit && q.same(k) {
			return k.per
		}
	}
	return ""
}
