package assembly

import (
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Bar forgets the kept contexts of a corpus that quote any of the documents, and
// keeps no such context from now on; hand-offs lose what they tell of the
// documents, and keep their questions. It replaces what was barred before.
func (r *Runtime) Bar(corpus string, documents []string) (forgotten int, err error) {
	if forgotten, err = r.keep.bar(corpus, documents); err != nil {
		return forgotten, fmt.Errorf("forget kept contexts: %w", err)
	}
	if err := r.desk.Erase(corpus, documents); err != nil {
		return forgotten, fmt.Errorf("forget what hand-offs tell: %w", err)
	}
	return forgotten, nil
}

// Purge forgets every text that is remembered beside its vector, of all corpora:
// which document a sentence came from is not remembered.
func (r *Runtime) Purge() { r.score.known.Purge() }

// Compact makes what was deleted from the embedded store leave its folder: the
// log and the snapshot are written anew from what is stored. It does nothing
// where no such store is open.
func (r *Runtime) Compact() error {
	r.mu.Lock()
	s := r.embedded
	r.mu.Unlock()
	if s == nil {
		return nil
	}
	return s.Compact()
}

// Probes are the modes that an erasure is proved in.
func Probes() []rag.Mode {
	return []rag.Mode{rag.Lexical, rag.Dense, rag.Hybrid, rag.FullContext}
}

// probeBudget lets FullContext refuse nothing that its own bound on chunks admits.
const probeBudget = 1 << 30

// Prober asks a revision without any eligibility: what it doesn't find, nobody
// may find.
func (r *Runtime) Prober(p Place, revision int64, s settings.Corpus, t Terms) (*Asker, error) {
	s.Eligibility = settings.Eligibility{}
	s.Pipeline.Compression.MaxContextChars, s.Pipeline.Compression.MaxTableChars = probeBudget, probeBudget
	return r.Asker(p, revision, s, t)
}
