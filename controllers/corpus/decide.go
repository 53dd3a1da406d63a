package corpus

import (
	"context"
	"fmt"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
)

// target is what the spec and the source ask for.
type target struct {
	source, config, collection string
}

func (v *visit) target() target {
	return target{v.seen.listing.Revision, v.configHash, v.collection.Status.Physical}
}

func (t target) isActive(a *v1alpha1.ActiveStatus) bool {
	return a != nil && t == target{a.SourceRevision, a.ConfigHash, a.Collection}
}

func (t target) isCandidate(c *v1alpha1.CandidateStatus) bool {
	return c != nil && t == target{c.SourceRevision, c.ConfigHash, c.Collection}
}

// decide makes the revision that the spec and the source ask for the candidate,
// unless it serves already or is the candidate.
func (r *Reconciler) decide(ctx context.Context, v *visit) error {
	st := &v.corpus.Status
	want := v.target()
	switch {
	case want.isCandidate(st.Candidate):
		return nil
	case want.isActive(st.Active) && v.lost == "":
		if st.Candidate != nil {
			if err := r.abandon(ctx, v); err != nil {
				return err
			}
			st.Candidate = nil
		}
		return nil
	}
	if err := r.abandon(ctx, v); err != nil {
		return err
	}
	n, err := r.next(ctx, v)
	if err != nil {
		return err
	}
	s := snapshot.Snapshot{Settings: v.settings, SourceRevision: want.source, ConfigHash: want.config, Collection: want.collection, Generation: v.corpus.Generation}
	if err := snapshot.Save(ctx, r.Client, v.corpus, n, s); err != nil {
		return err
	}
	st.Candidate = &v1alpha1.CandidateStatus{
		Revision: n, Phase: v1alpha1.CandidateIngesting, Generation: v.corpus.Generation, Trigger: v.trigger(want),
		Collection: want.collection, SourceRevision: want.source, ConfigHash: want.config,
	}
	return nil
}

// trigger is what makes a new revision necessary.
func (v *visit) trigger(want target) v1alpha1.CandidateTrigger {
	a := v.corpus.Status.Active
	switch {
	case a == nil || a.ConfigHash != want.config || a.Collection != want.collection:
		return v1alpha1.TriggerSpec
	case v.lost != "":
		return v1alpha1.TriggerStoreLost
	}
	return v1alpha1.TriggerSource
}

// abandon ends what is being done for the candidate. Its points stay invisible
// and are retracted before the next is built.
func (r *Reconciler) abandon(ctx context.Context, v *visit) error {
	c := v.corpus.Status.Candidate
	if c == nil || c.Phase != v1alpha1.CandidateIngesting {
		return nil
	}
	return r.Runner.Cancel(ctx, ingestKey(v, c.Revision))
}

// next is a number that no revision of this corpus has had.
func (r *Reconciler) next(ctx context.Context, v *visit) (int64, error) {
	kept, err := snapshot.List(ctx, r.Client, v.corpus)
	if err != nil {
		return 0, err
	}
	var n int64
	for _, k := range kept {
		n = max(n, k)
	}
	if a := v.corpus.Status.Active; a != nil {
		n = max(n, a.Revision)
	}
	if c := v.corpus.Status.Candidate; c != nil {
		n = max(n, c.Revision)
	}
	return n + 1, nil
}

func ingestKey(v *visit, n int64) string { return fmt.Sprintf("ingest/%s/%d", v.corpus.UID, n) }
