package corpus

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
	if a := st.Active; a != nil && a.Revision == c.Revision {
		a.Freeze, a.VerifiedAt = c.Freeze, stamp(v.now)
		st.Candidate = nil
		return nil
	}
	if v.corpus.Spec.Approval == v1alpha1.ApprovalManual && v.corpus.Annotations[v1alpha1.ApproveAnnotation] != strconv.FormatInt(c.Revision, 10) {
		c.Phase = v1alpha1.CandidateAwaitingApproval
		return outcome.Waiting(0, v1alpha1.AwaitingApprovalReason, "revision %d passed its gate; annotate %s=%d to put it into service", c.Revision, v1alpha1.ApproveAnnotation, c.Revision)
	}
	n, err := r.Runtime.Ledger(v.place(c.Collection)).Count(ctx, c.Revision)
	if err != nil {
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	if d := st.Documents; d == nil || int64(n) != d.Total {
		return r.again(v, c, n)
	}
	st.Active = &v1alpha1.ActiveStatus{
		Revision: c.Revision, Collection: c.Collection, SourceRevision: c.SourceRevision, ConfigHash: c.ConfigHash,
		Generation: c.Generation, Freeze: c.Freeze, VerifiedAt: stamp(v.now), Documents: int64(n),
	}
	st.Candidate = nil
	st.Endpoint = fmt.Sprintf("%s/v1/corpora/%s/%s/query", r.Endpoint, v.corpus.Namespace, v.corpus.Name)
	v.lost = ""
	v.event(normal, v1alpha1.PromotedReason, "revision %d serves: %d documents", c.Revision, n)
	if err := r.serve(ctx, v); err != nil {
		return err
	}
	return r.vacuum(ctx, v)
}

// again builds a candidate anew of which the store lost documents between the
// gate and its promotion.
func (r *Reconciler) again(v *visit, c *v1alpha1.CandidateStatus, n int) error {
	v.event(warning, v1alpha1.StoreLostReason, "the store holds %d documents of revision %d after it passed; building it again", n, c.Revision)
	c.Phase, c.Freeze, c.RequestedAt = v1alpha1.CandidateIngesting, "", metav1.Time{}
	return outcome.Waiting(1, v1alpha1.StoreLostReason, "the store lost documents of revision %d", c.Revision)
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
	docs, err := r.Runtime.Ledger(v.place(s.Collection)).Count(ctx, n)
	switch {
	case err != nil && store.IsNotFound(err), err == nil && docs == 0:
		return false, nil
	case err != nil:
		return false, outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	from := v.corpus.Status.Active.Revision
	v.corpus.Status.Active = &v1alpha1.ActiveStatus{
		Revision: n, Collection: s.Collection, SourceRevision: s.SourceRevision, ConfigHash: s.ConfigHash, Generation: s.Generation,
		VerifiedAt: stamp(v.now), Documents: int64(docs),
	}
	v.event(warning, v1alpha1.RolledBackReason, "revision %d no longer passes; revision %d serves again", from, n)
	return true, r.serve(ctx, v)
}

// vacuum forgets revisions over the limit, and deletes the points that no kept
// one can see.
func (r *Reconciler) vacuum(ctx context.Context, v *visit) error {
	a := v.corpus.Status.Active
	kept, err := snapshot.List(ctx, r.Client, v.corpus)
	if err != nil {
		return err
	}
	limit := 3
	if l := v.corpus.Spec.RevisionHistoryLimit; l != nil {
		limit = int(*l)
	}
	var older []int64
	for _, n := range kept {
		if n < a.Revision {
			older = append(older, n)
		}
	}
	oldest := a.Revision
	for i, n := range older {
		if i < len(older)-limit {
			if err := snapshot.Delete(ctx, r.Client, v.corpus, n); err != nil {
				return err
			}
			continue
		}
		oldest = min(oldest, n)
	}
	if err := r.Runtime.Ledger(v.place(a.Collection)).Vacuum(ctx, oldest); err != nil {
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	return nil
}
