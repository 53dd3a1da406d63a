package corpus

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// rollback meets a request by annotation to put a kept revision back into service.
// It needs neither the source nor the gate: a kept revision has passed. What the
// revision replaced is held as the candidate, until the spec, the source or the
// annotation changes.
func (r *Reconciler) rollback(ctx context.Context, v *visit) error {
	st := &v.corpus.Status
	asked := strings.TrimSpace(v.corpus.Annotations[v1alpha1.RollbackAnnotation])
	if st.Rollback == nil {
		if asked == "" {
			return nil
		}
		st.Rollback = &v1alpha1.RollbackStatus{}
	}
	if asked == st.Rollback.Request {
		return nil
	}
	if asked == "" {
		st.Rollback.Request, st.Rollback.Refused, st.Rollback.Held = "", "", nil
		v.forward()
		return nil
	}
	to, refusal, err := r.restorable(ctx, v, asked)
	if err != nil {
		return err
	}
	st.Rollback.Request, st.Rollback.Refused = asked, clip(refusal, maxNote)
	if refusal != "" {
		v.event(warning, v1alpha1.RollbackRefusedReason, "%s=%s: %s", v1alpha1.RollbackAnnotation, clip(asked, 80), refusal)
		return nil
	}
	if err := r.abandon(ctx, v); err != nil {
		return err
	}
	from := *st.Active
	st.Rollback.Held = nil
	v.hold(from, *to)
	if err := r.restore(ctx, v, *to, "by request"); err != nil {
		return err
	}
	return r.alias(ctx, v)
}

// restorable finds the revision that a request names, or says why it can't serve.
func (r *Reconciler) restorable(ctx context.Context, v *visit, asked string) (*v1alpha1.ActiveStatus, string, error) {
	n, _ := strconv.ParseInt(asked, 10, 64) // 0 of what is no number, and no revision is 0
	switch a := v.corpus.Status.Active; {
	case n < 1:
		return nil, fmt.Sprintf("%q is not the number of a revision", clip(asked, 80)), nil
	case a == nil:
		return nil, "nothing serves yet, so there is nothing to roll back", nil
	case a.Revision == n:
		return nil, fmt.Sprintf("revision %d serves already", n), nil
	}
	h := v.kept(n)
	if h == nil {
		return nil, fmt.Sprintf("revision %d is not kept; kept are: %s", n, numbers(v.corpus.Status.History)), nil
	}
	refusal, err := r.unserviceable(ctx, v, h)
	if err != nil || refusal != "" {
		return nil, refusal, err
	}
	to := *h
	return &to, "", nil
}

func numbers(history []v1alpha1.ActiveStatus) string {
	if len(history) == 0 {
		return "none (spec.revisionHistoryLimit)"
	}
	out := make([]string, len(history))
	for i, h := range history {
		out[i] = strconv.FormatInt(h.Revision, 10)
	}
	return strings.Join(out, ", ")
}

// unserviceable says why a revision of the history can't serve again; "" when it
// can: its snapshot is there, and the store has exactly what it served.
func (r *Reconciler) unserviceable(ctx context.Context, v *visit, h *v1alpha1.ActiveStatus) (string, error) {
	_, err := snapshot.Load(ctx, r.Client, v.corpus, h.Revision)
	switch {
	case apierrors.IsNotFound(err):
		return fmt.Sprintf("the snapshot of revision %d is gone", h.Revision), nil
	case err != nil:
		return "", err
	case h.Documents == 0:
		return fmt.Sprintf("all documents of revision %d were erased", h.Revision), nil
	}
	has, err := r.stock(ctx, v.place(h.Collection), h.Revision)
	switch {
	case err != nil && store.IsNotFound(err):
		return fmt.Sprintf("collection %q, which held revision %d, is gone from the store", h.Collection, h.Revision), nil
	case err != nil:
		return "", err
	case has.documents.Total != h.Documents || has.points != h.Points || !has.whole():
		return fmt.Sprintf("the store holds %d of the %d documents and %d of the %d chunks of revision %d", has.documents.Total, h.Documents, has.points, h.Points, h.Revision), nil
	}
	return "", nil
}

// hold keeps what a rollback replaces from being put into service again by itself:
// the newest revision stays the candidate. It has been built, and perhaps judged,
// so that going forward costs no document.
func (v *visit) hold(from, to v1alpha1.ActiveStatus) {
	st := &v.corpus.Status
	c := st.Candidate
	if c != nil && c.Revision == to.Revision {
		st.Candidate = nil // forward to what was held
		return
	}
	if c == nil || c.Revision == from.Revision {
		trigger := v1alpha1.TriggerSource
		if from.ConfigHash != to.ConfigHash || from.Collection != to.Collection {
			trigger = v1alpha1.TriggerSpec
		}
		c = &v1alpha1.CandidateStatus{
			Revision: from.Revision, Generation: from.Generation, Trigger: trigger, Collection: from.Collection,
			SourceRevision: from.SourceRevision, ConfigHash: from.ConfigHash, Freeze: from.Freeze,
		}
		st.Candidate = c
	}
	switch {
	case c.Phase == v1alpha1.CandidateRolledBack:
	case c.Phase == v1alpha1.CandidateIngesting, c.Reason == v1alpha1.DocumentsFailedReason:
		c.Reason = v1alpha1.NotIngestedReason
	default:
		c.Reason = v1alpha1.RolledBackReason
	}
	c.Phase, c.Progress = v1alpha1.CandidateRolledBack, ""
	c.Message = fmt.Sprintf("held since revision %d was put back into service; change the spec or the source, or take %s away, to go forward", to.Revision, v1alpha1.RollbackAnnotation)
}

// forward lets what was held be judged again, and built first where it was not.
func (v *visit) forward() {
	c := v.corpus.Status.Candidate
	if c == nil || c.Phase != v1alpha1.CandidateRolledBack {
		return
	}
	if c.Reason == v1alpha1.NotIngestedReason {
		v.corpus.Status.Candidate = nil
		return
	}
	c.Phase, c.Reason, c.Message = v1alpha1.CandidateVerifying, "", ""
	c.Freeze, c.RequestedAt = "", metav1.Time{}
}

// rehold holds what a rollback replaced once more, where something else, such as a
// move of the Collection, had taken the candidate's place.
func (v *visit) rehold(want target) {
	st := &v.corpus.Status
	if st.Candidate != nil || st.Active == nil || st.Rollback == nil || st.Rollback.Request == "" || st.Rollback.To != st.Active.Revision {
		return
	}
	if c := st.Rollback.Held; c != nil {
		st.Rollback.Held = nil
		if want.isCandidate(c) { // else the source or the spec has changed, which ends the hold
			st.Candidate = c
		}
		return
	}
	for i := range st.History { // the one that was rolled back from, or the one that that was rolled back from
		if h := st.History[i]; h.Revision > st.Active.Revision && want.isActive(&h) {
			v.hold(h, *st.Active)
			return
		}
	}
}

// setAside keeps what is held for when its place is free again. A candidate that never
// served is in no history, and would be built again unasked.
func (v *visit) setAside() {
	if st := &v.corpus.Status; v.held() && st.Rollback != nil {
		st.Rollback.Held = st.Candidate.DeepCopy()
	}
}

// held reports whether the candidate waits because of a rollback.
func (v *visit) held() bool {
	c := v.corpus.Status.Candidate
	return c != nil && c.Phase == v1alpha1.CandidateRolledBack
}

// restore puts a revision of the history back into service: one write of the
// status, and no document is read.
func (r *Reconciler) restore(ctx context.Context, v *visit, to v1alpha1.ActiveStatus, why string) error {
	st := &v.corpus.Status
	from := st.Active.Revision
	v.succeed(to)
	if st.Rollback == nil {
		st.Rollback = &v1alpha1.RollbackStatus{}
	}
	st.Rollback.From, st.Rollback.To, st.Rollback.At = from, to.Revision, stamp(v.now)
	v.lost, v.promoted, v.judged = "", true, true
	v.event(warning, v1alpha1.RolledBackReason, "revision %d serves again in place of revision %d: %s", to.Revision, from, why)
	return r.serve(ctx, v)
}

// refused decides what becomes of what serves when it is the refused revision
// itself: under onRegression Rollback the last one before it serves again.
func (r *Reconciler) refused(ctx context.Context, v *visit, c *v1alpha1.CandidateStatus) error {
	a := v.corpus.Status.Active
	if a == nil || a.Revision != c.Revision || v.corpus.Spec.Gate.OnRegression != v1alpha1.RegressionRollback {
		return nil
	}
	var refusals []string
	for _, h := range slices.Backward(slices.Clone(v.corpus.Status.History)) {
		if h.Revision >= a.Revision {
			continue
		}
		refusal, err := r.unserviceable(ctx, v, &h)
		if err != nil {
			return err
		}
		if refusal == "" {
			return r.restore(ctx, v, h, fmt.Sprintf("revision %d no longer passes", a.Revision))
		}
		refusals = append(refusals, refusal)
	}
	if len(refusals) > 0 {
		v.degrade(v1alpha1.RollbackRefusedReason, "revision %d no longer passes, and none before it can serve again: %s", a.Revision, strings.Join(refusals, "; "))
	}
	return nil
}

// stranded is a rollback whose revision the store has lost: what the source gives
// now is what was rolled back from, which nobody but a person puts into service.
func (v *visit) stranded() error {
	return outcome.Stalled(0, v1alpha1.StoreLostReason, "%s; what the spec and the source ask for was rolled back from: take %s away to go forward to revision %d, or name another kept revision: %s",
		v.lost, v1alpha1.RollbackAnnotation, v.corpus.Status.Candidate.Revision, numbers(v.corpus.Status.History))
}
