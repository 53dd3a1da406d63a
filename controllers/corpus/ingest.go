package corpus

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// ingest builds the candidate's generation as a job, after retracting what
// earlier candidates left.
func (r *Reconciler) ingest(ctx context.Context, v *visit) error {
	c := v.corpus.Status.Candidate
	key := ingestKey(v)
	if c == nil || c.Phase != v1alpha1.CandidateIngesting {
		r.Runner.Forget(key) // its result is on record
		return nil
	}
	s, ok := r.Runner.Look(key)
	if ok && v.seen.building != c.Revision {
		if err := r.Runner.Cancel(ctx, key); err != nil {
			return err
		}
		ok = false
	}
	switch {
	case !ok && v.seen.built.left(v.now) > 0:
		return r.interrupted(v, v.seen.built.err)
	case !ok:
		if err := r.save(ctx, v, c); err != nil {
			return err
		}
		if err := r.displace(ctx, v, c); err != nil {
			return err
		}
		v.seen.building = c.Revision
		r.Runner.Start(key, v.corpus.DeepCopy(), r.build(v, c))
		return outcome.Waiting(0, v1alpha1.IngestingReason, "reading the documents of revision %d", c.Revision)
	case s.Running:
		c.Progress = s.Progress
		return outcome.Waiting(0, v1alpha1.IngestingReason, "reading the documents of revision %d: %s", c.Revision, s.Progress)
	}
	v.seen.built.note(s.Err, v.now)
	if sum, _ := s.Result.(ingest.Summary); sum.Withdrawn > 0 {
		v.narrowed(sum.Withdrawn)
	}
	if s.Err != nil {
		r.Runner.Forget(key)
		return r.interrupted(v, s.Err)
	}
	return v.ingested(c, s.Result.(ingest.Summary))
}

// save keeps what the candidate is made of; decide has held the spec and the
// listing to it.
func (r *Reconciler) save(ctx context.Context, v *visit, c *v1alpha1.CandidateStatus) error {
	removed, err := snapshot.Renew(ctx, r.Client, r.Reader, v.corpus, c.Revision, snapshot.Snapshot{
		Settings: v.settings, SourceRevision: c.SourceRevision, ConfigHash: c.ConfigHash, Collection: c.Collection, Generation: c.Generation,
	})
	if len(removed) > 0 {
		v.event(normal, v1alpha1.LeftoversRemovedReason, "removed what a deleted Corpus of this name had left: ControllerRevision %s", strings.Join(removed, ", "))
	}
	return err
}

func (r *Reconciler) build(v *visit, c *v1alpha1.CandidateStatus) func(context.Context, func(int, int)) (any, error) {
	place, driver, settings, listing, n := v.place(c.Collection), v.driver, v.settings, *v.seen.listing, c.Revision
	namespace := v.corpus.Namespace
	base, withheld, erased := v.base(c), v.withheld, v.erased()
	corpus, served := v.corpus.DeepCopy(), v.served()
	var others []assembly.Place // where kept revisions lie beside
	for _, collection := range v.keeping() {
		if collection != c.Collection {
			others = append(others, v.place(collection))
		}
	}
	return func(ctx context.Context, progress func(int, int)) (any, error) {
		terms, err := r.Connect.Terms(ctx, namespace, settings)
		if err != nil {
			return nil, err
		}
		in, err := r.Runtime.Ingester(ctx, place, driver, settings, terms)
		if err != nil {
			return nil, outcome.Stalled(reopen, v1alpha1.InvalidSpecReason, "%v", err)
		}
		in.Withheld, in.Erased = withheld, erased
		if in.Kept, err = r.keptTerms(ctx, corpus, served); err != nil {
			return nil, err
		}
		narrowed, err := r.withdraw(ctx, in, listing, others)
		if err != nil {
			return nil, err
		}
		if err := in.Retract(ctx, base, n); err != nil {
			return nil, err
		}
		sum, err := in.Run(ctx, listing, n, progress)
		sum.Withdrawn = max(sum.Withdrawn, narrowed)
		return sum, err
	}
}

// keptTerms are by what the kept revisions admit documents: a permission is taken
// away from each by its own rules, whatever a newer spec has.
func (r *Reconciler) keptTerms(ctx context.Context, corpus *v1alpha1.Corpus, revisions []int64) ([]ingest.Terms, error) {
	var out []ingest.Terms
	for _, n := range revisions {
		s, err := snapshot.Load(ctx, r.Client, corpus, n)
		if apierrors.IsNotFound(err) {
			continue // it can't serve again
		}
		if err != nil {
			return nil, err
		}
		out = append(out, ingest.Terms{Eligibility: s.Settings.Eligibility, Documents: s.Settings.Documents})
	}
	return out, nil
}

// withdraw narrows at once who may see what in collections that the candidate is
// not built in. One that is gone holds nothing.
func (r *Reconciler) withdraw(ctx context.Context, in *ingest.Ingester, l source.Listing, others []assembly.Place) (int, error) {
	narrowed := 0
	for _, p := range others {
		n, err := in.WithdrawFrom(ctx, r.Runtime.Ledger(p), l)
		if err != nil && !store.IsNotFound(err) {
			return narrowed, err
		}
		narrowed = max(narrowed, n)
	}
	return narrowed, nil
}

// interrupted is a job that ended without a generation.
func (r *Reconciler) interrupted(v *visit, err error) error {
	var manifest *ingest.ManifestError
	var unread *source.ReadError
	var unembedded *ingest.EmbedError
	var wait *outcome.Wait
	again := v.seen.built.left(v.now)
	switch {
	case errors.As(err, &wait), outcome.IsStalled(err): // a Secret that is missing, say
		return err
	case errors.As(err, &manifest):
		v.seen.built = trouble{}
		return outcome.Stalled(v.corpus.Spec.Interval.Duration, v1alpha1.InvalidSpecReason, "spec.%v", err)
	case errors.Is(err, source.ErrChanged):
		r.mu.Lock()
		v.seen.listing, v.seen.built = nil, trouble{}
		r.mu.Unlock()
		return outcome.Waiting(1, v1alpha1.ListingReason, "the source changed while it was read; listing it again")
	}
	reason := v1alpha1.StoreUnreachableReason
	switch {
	case errors.As(err, &unread):
		reason = reasonOf(err)
	case errors.As(err, &unembedded):
		reason = v1alpha1.EmbeddingFailedReason
	}
	return outcome.Waiting(again, reason, "%v", err)
}

// narrowed tells that permissions were taken away from what is kept. What serves is
// then no longer what its listing was, should that come back: giving a permission
// back takes another revision.
func (v *visit) narrowed(documents int) {
	v.event(normal, "Withdrawn", "narrowed who may see %d documents, in every kept revision", documents)
	if a := v.corpus.Status.Active; a != nil && !strings.HasSuffix(a.SourceRevision, withdrawnMark) {
		a.SourceRevision += withdrawnMark
	}
}

// withdrawnMark ends the source of a revision that was narrowed since.
const withdrawnMark = "+withdrawn"

// ingested counts, and rejects a revision of which too many documents failed.
func (v *visit) ingested(c *v1alpha1.CandidateStatus, sum ingest.Summary) error {
	d := &v1alpha1.DocumentsStatus{Total: int64(sum.Total), Ingested: int64(sum.Ingested), Failed: int64(sum.Failed)}
	d.Failures = failures(sum.Failures)
	d.Skipped, d.Skips = int64(sum.Skipped), failures(sum.Skips)
	v.corpus.Status.Documents = d
	c.Progress = ""
	v.passedOver(c.Revision, sum)
	if allowed := v.settings.Documents.TolerateFailures.Of(sum.Total); sum.Failed > allowed {
		v.reject(c, v1alpha1.DocumentsFailedReason, fmt.Sprintf("%d of %d documents failed, spec.documents.tolerateFailures admits %d: %s", sum.Failed, sum.Total, allowed, named(d.Failures)))
		return nil
	}
	c.Phase = v1alpha1.CandidateVerifying
	return nil
}

// The API's bounds on messages: of one document, and of a candidate.
const (
	maxFailureMessage = 1024
	maxMessage        = 4096
)

// clip bounds a text to so many bytes.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const more = "…"
	return strings.ToValidUTF8(s[:most-len(more)], "") + more
}

// named spells out the first failures.
func named(fs []v1alpha1.DocumentFailure) string {
	var out []string
	for i, f := range fs {
		if i == 3 {
			out = append(out, fmt.Sprintf("and %d more", len(fs)-i))
			break
		}
		out = append(out, fmt.Sprintf("%s (%s: %s)", f.Key, f.Reason, f.Message))
	}
	return strings.Join(out, "; ")
}

// reject keeps a candidate out, with the reason.
func (v *visit) reject(c *v1alpha1.CandidateStatus, reason, message string) {
	message = clip(message, maxMessage)
	if c.Phase != v1alpha1.CandidatePhaseRejected || c.Reason != reason {
		v.event(warning, reason, "revision %d is kept out: %s", c.Revision, message)
	}
	c.Phase, c.Reason, c.Message, c.Progress = v1alpha1.CandidatePhaseRejected, reason, message, ""
}
