package corpus

import (
	"context"
	"encoding/json"
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
	s, running := r.Runner.Look(key)
	if running && !s.Running {
		running = false
		r.Runner.Forget(key)
		v.seen.listed.note(s.Err, v.now)
		f, _ := s.Result.(*found) // none where the job could not even begin
		if f != nil {
			v.answer(f.request)
		}
		if s.Err == nil {
			r.take(v, f)
		}
	}
	if !running { // even if one just ended: a request that came meanwhile is not met by that
		running = r.list(key, v)
	}
	if err := v.seen.listed.err; err != nil { // until one succeeds, the source counts as the last attempt left it
		v.sourceErr = outcome.Waiting(max(v.seen.listed.left(v.now), 0), reasonOf(err), "%v", err)
	}
	another := running && v.seen.generation != v.corpus.Generation // spec: a revision of the old listing would soon be outdated
	switch {
	case v.listed() && (!another || v.sourceErr != nil):
	case v.sourceErr != nil:
		return v.sourceErr
	default:
		return outcome.Waiting(0, v1alpha1.ListingReason, "listing the source")
	}
	v.tell()
	if len(v.seen.listing.Documents) == 0 {
		return outcome.Stalled(v.corpus.Spec.Interval.Duration, v1alpha1.SourceEmptyReason,
			"the listing is complete and holds no object that spec.source.include admits; what serves is left as it is")
	}
	return nil
}

// listed reports whether there is a listing of what the spec now has as source.
func (v *visit) listed() bool { return v.seen.listing != nil && v.seen.origin == v.origin() }

// origin is what a listing is of: the place, what is admitted of it, and the side
// files that are looked for.
func (v *visit) origin() string {
	text, err := json.Marshal([]any{v.corpus.Spec.Source, v.corpus.Spec.Documents.Metadata})
	if err != nil {
		return err.Error() // never: both came as JSON
	}
	return string(text)
}

// tell writes the listing, if it is not the one that was told last.
func (v *visit) tell() {
	l := v.seen.listing
	if s := v.corpus.Status.Source; s == nil || s.Revision != l.Revision {
		v.corpus.Status.Source = &v1alpha1.SourceStatus{
			Revision: l.Revision, Objects: int64(len(l.Documents)), Bytes: l.Bytes, ChangedAt: stamp(v.now),
		}
	}
}

// found is a finished listing.
type found struct {
	listing    source.Listing
	generation int64
	origin     string
	request    string
	approval   string // of deletions, that this listing is made for
}

// list starts a listing if one is due, and reports whether it did.
func (r *Reconciler) list(key string, v *visit) bool {
	asked := v.request != "" || v.seen.tried != v.corpus.Generation
	due := v.seen.listing == nil || v.approving() || v.seen.generation != v.corpus.Generation || !v.now.Before(v.due())
	if !asked && (!due || v.seen.listed.left(v.now) > 0) {
		return false
	}
	describer, err := ingest.NewDescriber(v.settings.Documents)
	if err != nil {
		v.sourceErr = outcome.Stalled(0, v1alpha1.InvalidSpecReason, "spec.%v", err)
		return false
	}
	v.seen.tried = v.corpus.Generation
	filter, driver := assembly.Filter(v.settings.Source), v.driver
	out := &found{generation: v.corpus.Generation, origin: v.origin(), request: v.request, approval: v.approval()}
	r.Runner.Start(key, v.corpus.DeepCopy(), func(ctx context.Context, _ func(int, int)) (any, error) {
		l, err := source.List(ctx, driver, filter, describer.Manifests())
		out.listing = l
		return out, err
	})
	return true
}

func (r *Reconciler) take(v *visit, f *found) {
	r.mu.Lock()
	v.seen.listing, v.seen.listedAt, v.seen.generation, v.seen.origin = &f.listing, v.now, f.generation, f.origin
	r.mu.Unlock()
	v.seen.approval = f.approval
	r.Metrics.sawListing(v.corpus.Namespace, v.corpus.Name, v.now)
}

// answer says that a request has been met: the source was listed, or could not be.
func (v *visit) answer(request string) {
	if request == "" {
		return
	}
	v.corpus.Status.LastHandledReconcileAt, v.forced = request, true
	if request == v.request {
		v.request = ""
	}
}

// reasonOf tells people whose fault it is that the source can't be listed or read.
func reasonOf(err error) string {
	var response minio.ErrorResponse
	if errors.As(err, &response) {
		switch response.Code {
		case "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "XAdminUserNotFound": // the last is versitygw's word for an unknown key
			return v1alpha1.SourceForbiddenReason
		case "NoSuchBucket":
			return v1alpha1.BucketNotFoundReason
		}
	}
	return v1alpha1.SourceUnreachableReason
}
