package corpus

import (
	"context"
	"strconv"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
)

// promote puts a candidate that passed into service: one write of the status.
func (r *Reconciler) promote(ctx context.Context, v *visit) error {
	st := &v.corpus.Status
	c := st.Candidate
	if c == nil || v.held() {
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
	v.succeed(v1alpha1.ActiveStatus{
		Revision: c.Revision, Collection: c.Collection, SourceRevision: c.SourceRevision, ConfigHash: c.ConfigHash,
		Generation: c.Generation, Freeze: c.Freeze, VerifiedAt: stamp(v.now), Documents: s.documents.Total, Ingested: s.documents.Ingested, Points: s.points,
	})
	st.Candidate = nil
	v.lost, v.promoted = "", true
	v.event(normal, v1alpha1.PromotedReason, "revision %d serves: %d documents", c.Revision, s.documents.Total)
	return r.serve(ctx, v)
}

// again gives up a candidate of which the store lost something between its
// building and its promotion; the next visit makes another.
func (r *Reconciler) again(v *visit, c *v1alpha1.CandidateStatus, s stock) error {
	v.event(warning, v1alpha1.StoreLostReason, "the store holds %d documents and %d of %d chunks of revision %d after it passed; building another", s.documents.Total, s.points, s.chunks, c.Revision)
	v.corpus.Status.Candidate = nil
	return outcome.Waiting(1, v1alpha1.StoreLostReason, "the store lost a part of revision %d", c.Revision)
}
