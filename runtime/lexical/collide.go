package lexical

import (
	"cmp"
	"slices"
)

// Collision is two different terms with one index: whoever asks for one of them is
// given passages with the other too, and the store counts both as one word.
//
// It is rare, and so reported where it has an effect rather than counted over a
// corpus, which would take a ledger of every term of every document: of V terms,
// V²/2³³ pairs collide, about one where V is 100,000; that one of a question's ten
// terms collides with one of those has odds of 1 in 4,000. Within a passage it is a
// problem of the document; between a question and a passage that was found it is
// a flag on the answer.
type Collision = [2]string

// Between returns the terms of a question that share their index with another term
// of a passage, the question's first. Where the passage holds the question's term
// as well, its weight is that of both.
func (e *Encoder) Between(question, passage string) []Collision {
	wanted := map[uint32][]string{}
	for t := range e.wanted(question) {
		wanted[index(t)] = append(wanted[index(t)], t)
	}
	terms, _ := e.frequencies(passage)
	var out []Collision
	for t := range terms {
		for _, q := range wanted[index(t)] {
			if q != t {
				out = append(out, Collision{q, t})
			}
		}
	}
	slices.SortFunc(out, func(a, b Collision) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return out
}
