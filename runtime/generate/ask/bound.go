package ask

import (
	"math/big"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// Op compares a cell with a bound.
type Op string

// Comparisons.
const (
	Over    Op = "more than"
	AtLeast Op = "at least"
	Under   Op = "less than"
	AtMost  Op = "at most"
)

// Bound is a numeric condition, with the tokens that say it.
type Bound struct {
	Op       Op
	Value    *big.Rat
	Printed  string
	From, To int
}

// Holds reports whether v satisfies the bound.
func (b Bound) Holds(v *big.Rat) bool {
	c := v.Cmp(b.Value)
	switch b.Op {
	case Over:
		return c > 0
	case AtLeast:
		return c >= 0
	case Under:
		return c < 0
	default:
		return c <= 0
	}
}

// phrases that open a bound, longest first.
var phrases = []struct {
	words string
	op    Op
}{
	{"greater than or equal to", AtLeast}, {"less than or equal to", AtMost}, {"no more than", AtMost}, {"not more than", AtMost},
	{"no less than", AtLeast}, {"not less than", AtLeast}, {"more than", Over}, {"greater than", Over}, {"higher than", Over},
	{"larger than", Over}, {"longer than", Over}, {"in excess of", Over}, {"at least", AtLeast}, {"a minimum of", AtLeast},
	{"less than", Under}, {"lower than", Under}, {"fewer than", Under}, {"smaller than", Under}, {"at most", AtMost}, {"up to", AtMost},
	{"a maximum of", AtMost}, {"over", Over}, {"above", Over}, {"exceeding", Over}, {"exceeds", Over}, {"exceed", Over},
	{"below", Under}, {"under", Under},
}

// bounds marks the numeric conditions: an opening phrase before a number, "or
// more" after one, "between a and b".
func (q *Question) bounds() {
	for i := range q.Tokens {
		if q.Is(i, "between") {
			q.between(i)
			continue
		}
		for _, p := range phrases {
			words := strings.Fields(p.words)
			if q.Roles[i] == Open && q.Is(i, words...) {
				if v, at, ok := q.number(i + len(words)); ok {
					q.bound(p.op, v, i, at+1)
				}
				break
			}
		}
		if v, at, ok := q.number(i); ok && at == i {
			switch {
			case q.Is(i+1, "or", "more"), q.Is(i+1, "or", "above"), q.Is(i+1, "and", "above"), q.Is(i+1, "or", "over"):
				q.bound(AtLeast, v, i, i+3)
			case q.Is(i+1, "or", "less"), q.Is(i+1, "or", "below"), q.Is(i+1, "or", "fewer"), q.Is(i+1, "or", "under"):
				q.bound(AtMost, v, i, i+3)
			}
		}
	}
}

func (q *Question) between(i int) {
	low, a, ok := q.number(i + 1)
	if !ok || !q.Is(a+1, "and") {
		return
	}
	high, b, ok := q.number(a + 2)
	if !ok {
		return
	}
	q.bound(AtLeast, low, i, a+2)
	q.bound(AtMost, high, a+2, b+1)
}

func (q *Question) bound(op Op, v amount.Amount, from, to int) {
	q.Bounds = append(q.Bounds, Bound{Op: op, Value: v.Value, Printed: v.Printed, From: from, To: to})
	q.mark(from, to, Bounded)
}

// number reads an amount at i, a currency word before it allowed.
func (q *Question) number(i int) (a amount.Amount, at int, ok bool) {
	if i < len(q.Tokens) && strings.Contains(" rs inr usd eur gbp rupees ", " "+q.Tokens[i].Fold+" ") {
		i++
	}
	if i >= len(q.Tokens) || q.Roles[i] != Open {
		return amount.Amount{}, 0, false
	}
	t := q.Tokens[i]
	if n, word := english.Numeral(t.Fold); word {
		return amount.Amount{Value: big.NewRat(int64(n), 1), Printed: t.Text}, i, true
	}
	if t.Kind != english.Number {
		return amount.Amount{}, 0, false
	}
	a, ok = amount.Parse(t.Text, false)
	return a, i, ok
}
