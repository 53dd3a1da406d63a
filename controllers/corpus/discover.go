package corpus

import (
	"context"
	"errors"

	"github.com/minio/minio-go/v7"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

// discover lists the source when it is due, as a job, and takes a finished
// listing. A listing that failed is no listing: what is known stays.
func (r *Reconciler) discover(_ context.Context, v *visit) error {
	key := "list/" + string(v.corpus.UID)
	s, ok := r.Runner.Look(key)
	switch {
	case ok && !s.Running && s.Err != nil:
		r.Runner.Forget(key)
		v.seen.failed = s.Err
		v.sourceErr = outcome.Failing(reasonOf(s.Err), s.Err)
	case ok && !s.Running:
		r.Runner.Forget(key)
		v.seen.failed = nil
		r.take(v, s.Result.(*found))
	case ok || r.list(key, v):
		if v.seen.failed != nil { // until one succeeds, the source counts as the last attempt left it
			v.sourceErr = outcome.Waiting(0, reasonOf(v.seen.failed), "%v", v.seen.failed)
		} else if v.seen.listing == nil {
			return outcome.Waiting(0, v1alpha1.ListingReason, "listing the source")
		}
	}
	if v.seen.listing == nil {
		return v.sourceErr
	}
	if len(v.seen.listing.Documents) == 0 {
		return outcome.Stalled(v.corpus.Spec.Interval.Duration, v1alpha1.SourceEmptyReason,
			"the listing is complete and holds no object that spec.source.include admits; what serves is left as it is")
	}
	return nil
}

// found is a finished listing.
type found struct {
	listing    source.Listing
	generation int64
	request    string
}

// list starts a listing if one is due and reports whether it did.
func (r *Reconciler) list(key string, v *visit) bool {
	due := v.seen.listing == nil || v.request != "" || v.seen.generation != v.corpus.Generation || !v.now.Before(v.due())
	if !due {
		return false
	}
	describer, err := ingest.NewDescriber(v.settings.Documents)
	if err != nil {
		v.sourceErr = outcome.Stalled(0, v1alpha1.InvalidSpecReason, "spec.%v", err)
		return false
	}
	filter, driver := assembly.Filter(v.settings.Source), v.driver
	out := &found{generation: v.corpus.Generation, request: v.request}
	r.Runner.Start(key, v.corpus.DeepCopy(), func(ctx context.Context, _ func(int, int)) (any, error) {
		l, err := source.List(ctx, driver, filter, describer.Manifests())
		out.listing = l
		return out, err
	})
	return true
}

func (r *Reconciler) take(v *visit, f *found) {
	r.mu.Lock()
	v.seen.listing, v.seen.listedAt, v.seen.generation = &f.listing, v.now, f.generation
	r.mu.Unlock()
	if f.request != "" {
		v.corpus.Status.LastHandledReconcileAt = f.request
		if f.request == v.request {
			v.request = ""
		}
	}
	listed.WithLabelValues(v.corpus.Namespace, v.corpus.Name).Set(float64(v.now.Unix()))
	if s := v.corpus.Status.Source; s == nil || s.Revision != f.listing.Revision {
		v.corpus.Status.Source = &v1alpha1.SourceStatus{
			Revision: f.listing.Revision, Objects: int64(len(f.listing.Documents)), Bytes: f.listing.Bytes, ChangedAt: stamp(v.now),
		}
	}
}

// reasonOf tells people whose fault a failed listing is.
func reasonOf(err error) string {
	var response minio.ErrorResponse
	if errors.As(err, &response) {
		switch response.Code {
		case "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch":
			return v1alpha1.SourceForbiddenReason
		case "NoSuchBucket":
			return v1alpha1.BucketNotFoundReason
		}
	}
	return v1alpha1.SourceUnreachableReason
}
