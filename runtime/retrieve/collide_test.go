package retrieve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// costarring and liquid share an FNV-1a of 32 bits.
func TestCollisionsAreFlagged(t *testing.T) {
	cases := map[string]struct {
		reason, question string
		mode             rag.Mode
		want             []rag.Flag
	}{
		"scored for it": {"the passage was found by a word that it doesn't hold", "liquid assets", rag.Hybrid,
			[]rag.Flag{{Reason: TermCollision, Detail: `theatre#p1 was scored for "costarring", which the lexical index takes for "liquid"`}}},
		"lexical alone": {"likewise", "liquid assets", rag.Lexical,
			[]rag.Flag{{Reason: TermCollision, Detail: `theatre#p1 was scored for "costarring", which the lexical index takes for "liquid"`}}},
		"not asked":  {"a collision that no question meets has no effect", "solid assets", rag.Hybrid, nil},
		"dense":      {"nothing lexical, nothing to collide", "liquid assets", rag.Dense, nil},
		"rightly so": {"the term itself is found", "costarring in the play", rag.Lexical, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(at(1, prose("theatre", "p1", "She was costarring in the play.", nil)), at(1, prose("ledger", "p1", "Solid assets of the mill.", nil)))
			out := w.ask(options(func(o *Options) { o.Mode = c.mode }), rag.Question{Text: c.question})
			if diff := cmp.Diff(c.want, out.Flags); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
