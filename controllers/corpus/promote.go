package corpus

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// promote puts a candidate that passed into service: one write of the status.
func (r *Reconciler) promote(ctx context.Context, v *visit) error {
	st := &v.corpus.Status
	c := st.Candidate
	if c == nil {
		return nil
	}
	if c.Phase == v1alpha1.CandidatePhaseRejected {
		return r.refused(ctx, v, c)
	}
	v.judged = true
	if a := st.Active; a != nil && a.Revision == c.Revision {
		a.Freeze, a.VerifiedAt = c.Freeze, stamp(v.now)
		st.Candidate = nil
		return nil
	}
	if v.corpus.Spec.Approval == v1alpha1.ApprovalManual && v.corpus.Annotations[v1alpha1.ApproveAnnotation] != strconv.FormatInt(c.Revision, 10) {
		c.Phase = v1alpha1.CandidateAwaitingApproval
		return outcome.Waiting(0, v1alpha1.AwaitingApprovalReason, "revision %d passed its gate; annotate %s=%d to put it into service", c.Revision, v1alpha1.ApproveAnnotation, c.Revision)
	}
	s, err := r.stock(ctx, v.place(c.Collection), c.Revision)
	if err != nil {
		return err
	}
	if d := st.Documents; d == nil || s.documents.Total != d.Total || !s.whole() {
		return r.again(v, c, s)
	}
	if err := r.disown(ctx, v, c.Revision); err != nil {
		return err
	}
	st.Active = &v1alpha1.ActiveStatus{
		Revision: c.Revision, Collection: c.Collection, SourceRevision: c.SourceRevision, ConfigHash: c.ConfigHash,
		Generation: c.Generation, Freeze: c.Freeze, VerifiedAt: stamp(v.now), Documents: s.documents.Total, Points: s.points,
	}
	st.Candidate = nil
	st.Endpoint = fmt.Sprintf("%s/v1/corpora/%s/%s/query", r.Endpoint, v.corpus.Namespace, v.corpus.Name)
	v.lost, v.promoted = "", true
	v.event(normal, v1alpha1.PromotedReason, "revision %d serves: %d documents", c.Revision, s.documents.Total)
	return r.serve(ctx, v)
}

// disown forgets the revisions between what serves and what is to serve: none of
// them passed, so no rollback may ever find them.
func (r *Reconciler) disown(ctx context.Context, v *visit, next int64) error {
	kept, err := snapshot.List(ctx, r.Client, v.corpus)
	if err != nil {
		return err
	}
	var serving int64
	if a := v.corpus.Status.Active; a != nil {
		serving = a.Revision
	}
	for _, n := range kept {
		if n <= serving || n >= next {
			continue
		}
		if err := snapshot.Delete(ctx, r.Client, v.corpus, n); err != nil {
			return err
		}
	}
	return nil
}

// again gives up a candidate of which the store lost something between its
// building and its promotion; the next visit makes another.
func (r *Reconciler) again(v *visit, c *v1alpha1.CandidateStatus, s stock) error {
	v.event(warning, v1alpha1.StoreLostReason, "the store holds %d documents and %d of %d chunks of revision %d after it passed; building another", s.documents.Total, s.points, s.chunks, c.Revision)
	v.corpus.Status.Candidate = nil
	return outcome.Waiting(1, v1alpha1.StoreLostReason, "the store lost a part of revision %d", c.Revision)
}

// refused decides what becomes of what serves when it is the refused revision
// itself: under onRegression Rollback the last one before it serves again.
func (r *Reconciler) refused(ctx context.Context, v *visit, c *v1alpha1.CandidateStatus) error {
	a := v.corpus.Status.Active
	if a == nil || a.Revision != c.Revision || v.corpus.Spec.Gate.OnRegression != v1alpha1.RegressionRollback {
		return nil
	}
	kept, err := snapshot.List(ctx, r.Client, v.corpus)
	if err != nil {
		return err
	}
	for _, n := range slices.Backward(kept) {
		if n >= a.Revision {
			continue
		}
		if done, err := r.rollback(ctx, v, n); done || err != nil {
			return err
		}
	}
	return nil
}

// rollback puts revision n back into service, if the store still has it.
func (r *Reconciler) rollback(ctx context.Context, v *visit, n int64) (bool, error) {
	s, err := snapshot.Load(ctx, r.Client, v.corpus, n)
	if err != nil {
		return false, err
	}
	has, err := r.stock(ctx, v.place(s.Collection), n)
	switch {
	case err != nil && store.IsNotFound(err), err == nil && (has.documents.Total == 0 || !has.whole()):
		return false, nil
	case err != nil:
		return false, err
	}
	from := v.corpus.Status.Active.Revision
	v.corpus.Status.Active = &v1alpha1.ActiveStatus{
		Revision: n, Collection: s.Collection, SourceRevision: s.SourceRevision, ConfigHash: s.ConfigHash, Generation: s.Generation,
		VerifiedAt: stamp(v.now), Documents: has.documents.Total, Points: has.points,
	}
	v.promoted = true
	v.event(warning, v1alpha1.RolledBackReason, "revision %d no longer passes; revision %d serves again", from, n)
	return true, r.serve(ctx, v)
}
