package arithmetic

import (
	"math/big"
)

// expression calculates a run of tokens: + and -, × and ÷, parentheses.
type expression struct {
	tokens    []token
	run       []int // indexes of the tokens
	measure   measure
	at        int
	depth     int
	divided   bool
	constants []int
	units     map[string]bool // that stand in the equation
}

// maxDepth of parentheses.
const maxDepth = 20

// value is nil if the run is no expression from its first to its last token.
func (x *expression) value() *big.Rat {
	x.at, x.depth, x.divided, x.constants = 0, 0, false, nil
	v := x.sum()
	if x.at != len(x.run) {
		return nil
	}
	return v
}

// next is the operator that stands next, 0 if none does.
func (x *expression) next() byte {
	if x.at < len(x.run) && x.tokens[x.run[x.at]].kind == operator {
		return x.tokens[x.run[x.at]].op
	}
	return 0
}

func (x *expression) sum() *big.Rat {
	v := x.product()
	for v != nil && (x.next() == '+' || x.next() == '-') {
		op := x.next()
		x.at++
		w := x.product()
		if w == nil {
			return nil
		}
		if op == '+' {
			v = new(big.Rat).Add(v, w)
		} else {
			v = new(big.Rat).Sub(v, w)
		}
	}
	return v
}

func (x *expression) product() *big.Rat {
	v := x.operand()
	for v != nil && (x.next() == '*' || x.next() == '/') {
		op := x.next()
		x.at++
		w := x.operand()
		switch {
		case w == nil || op == '/' && w.Sign() == 0:
			return nil
		case op == '*':
			v = new(big.Rat).Mul(v, w)
		default:
			x.divided = true
			v = new(big.Rat).Quo(v, w)
		}
	}
	return v
}

func (x *expression) operand() *big.Rat {
	if x.at >= len(x.run) {
		return nil
	}
	k := x.run[x.at]
	t := x.tokens[k]
	switch t.kind {
	case number:
		if t.value == nil {
			return nil
		}
		if x.structural(x.at) {
			x.constants = append(x.constants, k)
		}
		x.at++
		return t.scalar(x.measure)
	case opening:
		if x.depth++; x.depth > maxDepth {
			return nil
		}
		x.at++
		v := x.sum()
		if v == nil || x.at >= len(x.run) || x.tokens[x.run[x.at]].kind != closing {
			return nil
		}
		x.depth--
		x.at++
		return v
	}
	return nil
}

// conversions are the numbers that belong to units and not to documents, with
// the units that must stand in the calculation for them to convert.
var conversions = map[int64][]string{
	60:  {minutes},
	24:  {minutes, "day"},
	7:   {"day", "week"},
	12:  {"month", "year"},
	100: {},
}

// structural reports whether the n-th of a run converts units, so that it needs
// no source. As an addend it is a claim like any other, and as a multiplier of
// money it may be a quantity that was made up: "7 × $65".
func (x *expression) structural(n int) bool {
	q := x.tokens[x.run[n]].quantity
	v := q.value
	if q.unit == minutes { // "÷ 60 min"
		v = q.own
	}
	if v == nil || !v.IsInt() || !v.Num().IsInt64() || q.unit != "" && q.unit != minutes {
		return false
	}
	needs, ok := conversions[v.Num().Int64()]
	if !ok {
		return false
	}
	for _, unit := range needs {
		if !x.units[unit] {
			return false
		}
	}
	switch factor(x.tokens, x.run, n) {
	case '/':
		return true
	case '*':
		return len(needs) > 0 && q.unit == "" && !x.units[money]
	}
	return false
}

// factor is '/' for the n-th of a run if it divides, '*' if it is multiplied or
// divided, else 0.
func factor(tokens []token, run []int, n int) byte {
	op := func(i int) byte {
		if i < 0 || i >= len(run) || tokens[run[i]].kind != operator {
			return 0
		}
		return tokens[run[i]].op
	}
	switch {
	case op(n-1) == '/':
		return '/'
	case op(n-1) == '*', op(n+1) == '*', op(n+1) == '/':
		return '*'
	}
	return 0
}
