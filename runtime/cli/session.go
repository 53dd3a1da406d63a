package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

// session is one corpus, ingested as revision 1 of a store in memory.
type session struct {
	corpus
	runtime  *assembly.Runtime
	terms    assembly.Terms
	place    assembly.Place
	asker    *assembly.Asker
	view     *assembly.View
	listing  source.Listing
	summary  ingest.Summary
	revision int64
	space    string // of the vectors: the sha256 of the model, or of what names a server's
}

// open ingests the corpus. Progress goes to the error stream.
func (env *Environment) open(ctx context.Context, r *assembly.Runtime, c corpus, d source.Driver) (*session, error) {
	s := &session{corpus: c, runtime: r, revision: 1}
	st, err := r.Embedded(ctx)
	if err != nil {
		return nil, unfinished(err)
	}
	space, err := r.Space(c.settings.Pipeline.Embedding)
	if err != nil {
		return nil, input(err)
	}
	terms, err := env.terms(c.settings)
	if err != nil {
		return nil, input(err)
	}
	if size := c.collection.Vectors.Dense.Size; size != space.Dimensions {
		return nil, input(fmt.Errorf("spec.vectors.dense.size of Collection %q is %d; the model's vectors have %d", c.settings.CollectionRef.Name, size, space.Dimensions))
	}
	name, err := assembly.Physical("local", c.namespace, c.settings.CollectionRef.Name, c.collection, space.ID)
	if err != nil {
		return nil, input(err)
	}
	if err := st.Ensure(ctx, name, assembly.Schema(c.collection, "local")); err != nil {
		return nil, unfinished(err)
	}
	place := assembly.Place{Store: st, Collection: name, Corpus: c.id()}
	in, err := r.Ingester(ctx, place, d, c.settings, terms)
	if err != nil {
		return nil, input(err)
	}
	manifests, err := in.Manifests()
	if err != nil {
		return nil, input(err)
	}
	if s.listing, err = source.List(ctx, d, assembly.Filter(c.settings.Source), manifests); err != nil {
		return nil, unfinished(err)
	}
	if len(s.listing.Documents) == 0 {
		return nil, input(fmt.Errorf("%s: the listing holds no object that spec.source.include admits (%d objects in all)", c.id(), len(s.listing.Keys)-len(s.listing.Manifests)))
	}
	// What can't be asked is said before documents are read, and embedded at a price.
	if s.asker, err = r.Asker(place, s.revision, c.settings, terms); err != nil {
		return nil, input(err)
	}
	p := newProgress(env.Err, "documents read")
	s.summary, err = in.Run(ctx, s.listing, s.revision, p.tick)
	if bad := (*ingest.ManifestError)(nil); errors.As(err, &bad) {
		return nil, input(err)
	}
	if err != nil {
		return nil, unfinished(err)
	}
	s.warn(env.Err)
	s.view = r.View(place, s.revision, s.listing.Keys)
	s.terms, s.place, s.space = terms, place, space.ID
	return s, nil
}

// warn names the documents that failed: whoever asks should know what the answer
// was made without.
func (s *session) warn(w io.Writer) {
	if s.summary.Skipped > 0 {
		fmt.Fprintf(w, "hardgate: %d of %d objects were skipped\n", s.summary.Skipped, s.summary.Total)
		for _, f := range s.summary.Skips {
			fmt.Fprintf(w, "  %s: %s: %s\n", f.Key, f.Failure.Reason, f.Failure.Detail)
		}
	}
	if s.summary.Failed == 0 {
		return
	}
	fmt.Fprintf(w, "hardgate: %d of %d documents failed\n", s.summary.Failed, s.summary.Total)
	for _, f := range s.summary.Failures {
		fmt.Fprintf(w, "  %s: %s: %s\n", f.Key, f.Failure.Reason, f.Failure.Detail)
	}
}

// failed returns what makes the revision fail before it is asked anything.
func (s *session) failed() error {
	if allowed := s.settings.Documents.TolerateFailures.Of(s.summary.Total); s.summary.Failed > allowed {
		return fmt.Errorf("%s: %d of %d documents failed; spec.documents.tolerateFailures admits %d", s.id(), s.summary.Failed, s.summary.Total, allowed)
	}
	return nil
}

// variants are the askers by which the worth of each stage is seen.
func (s *session) variants() ([]evaluate.Variant, error) {
	var out []evaluate.Variant
	for _, v := range assembly.Variants(s.settings) {
		e := evaluate.Variant{Stage: v.Stage, Instead: v.Instead, Mode: v.Mode}
		if v.Mode == "" {
			asker, err := s.runtime.Asker(s.place, s.revision, v.Settings, s.terms)
			if err != nil {
				return nil, fmt.Errorf("%s against %s: %w", v.Stage, v.Instead, err)
			}
			e.Asker = asker
		}
		out = append(out, e)
	}
	return out, nil
}

// inputs are what a freeze covers.
func (s *session) inputs() (evaluate.Inputs, error) {
	hash, err := s.settings.Hash()
	return evaluate.Inputs{Code: s.runtime.Version(), Config: hash, Source: s.listing.Revision}, err
}

// progress prints a line when work takes longer than a person likes to wait
// without one.
type progress struct {
	mu      sync.Mutex
	out     io.Writer
	what    string
	printed bool
	next    time.Time
}

func newProgress(out io.Writer, what string) *progress {
	return &progress{out: out, what: what, next: time.Now().Add(2 * time.Second)}
}

func (p *progress) tick(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); now.After(p.next) || (p.printed && done == total) {
		p.next, p.printed = now.Add(2*time.Second), true
		fmt.Fprintf(p.out, "%d of %d %s\n", done, total, p.what)
	}
}
