package retrieve

import (
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// TermCollision flags an answer of which a hit was scored for a term that it
// doesn't hold: the lexical index knows terms by 32 bits of hash, and the store
// took one for the other.
const TermCollision = "TermCollision"

// collisions reads the hits that the lexical channel scored once more, term by
// term: the store has the indices alone.
func (r *Retriever) collisions(s *search, hits []rag.Hit) []rag.Flag {
	var out []rag.Flag
	for _, h := range hits {
		if h.Scores.Lexical == nil || *h.Scores.Lexical == 0 {
			continue
		}
		for _, pair := range r.lexer.Between(s.ranking, h.Search()) {
			out = append(out, rag.Flag{Reason: TermCollision, Detail: fmt.Sprintf("%s was scored for %q, which the lexical index takes for %q", h.Evidence(), pair[1], pair[0])})
		}
	}
	return out
}
