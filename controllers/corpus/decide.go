package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// target is what the spec and the source ask for.
type target struct {
	source, config, collection string
}

func (v *visit) target() target {
	return target{v.source, v.configHash, v.collection.Status.Physical}
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
	v.rehold(want)
	switch {
	case v.held() && want.isCandidate(st.Candidate) && v.lost != "":
		return v.stranded()
	case v.held() && want.isCandidate(st.Candidate):
		return nil
	case v.tainted(st.Candidate):
	case want.isCandidate(st.Candidate):
		if c := st.Candidate; v.forced && c.Phase == v1alpha1.CandidatePhaseRejected && c.Reason == v1alpha1.DocumentsFailedReason {
			c.Phase, c.Reason, c.Message = v1alpha1.CandidateIngesting, "", "" // what could not be read may be readable now
			return r.abandon(ctx, v)                                           // a job that began before the request knows nothing of it
		}
		return nil
	case want.isActive(st.Active) && v.lost == "" && !v.mayNarrow():
		return r.retreat(ctx, v)
	}
	if err := r.abandon(ctx, v); err != nil {
		return err
	}
	n, err := r.next(ctx, v)
	if err != nil {
		return err
	}
	trigger, err := r.trigger(ctx, v, want)
	if err != nil {
		return err
	}
	v.seen.built = trouble{}
	st.Candidate = &v1alpha1.CandidateStatus{
		Revision: n, Phase: v1alpha1.CandidateIngesting, Generation: v.corpus.Generation, Trigger: trigger,
		Collection: want.collection, SourceRevision: want.source, ConfigHash: want.config,
	}
	return outcome.Waiting(recorded, v1alpha1.IngestingReason, "reading the documents of revision %d", n)
}

// recorded is how long after a visit its status counts as on record and heard of.
// Nothing is made for a candidate before: two visits that both saw an outdated
// object would use up numbers, and build two revisions into each other.
const recorded = 20 * time.Millisecond

// retreat gives up a candidate because what serves is what is asked for, and
// speaks of the documents that serve again.
func (r *Reconciler) retreat(ctx context.Context, v *visit) error {
	st := &v.corpus.Status
	if st.Candidate == nil {
		return nil
	}
	if err := r.abandon(ctx, v); err != nil {
		return err
	}
	s, err := r.stock(ctx, v.place(st.Active.Collection), st.Active.Revision)
	if err != nil {
		return err
	}
	st.Documents, st.Candidate = s.documents, nil
	return nil
}

// mayNarrow reports whether the candidate's ingest, which is about to be cut off, may
// have taken permissions away from what serves: then that is not what its listing
// was any more, and is built again.
func (v *visit) mayNarrow() bool {
	c := v.corpus.Status.Candidate
	if c == nil || c.Phase != v1alpha1.CandidateIngesting {
		return false
	}
	manifests := slices.ContainsFunc(v.settings.Documents.Metadata, func(m settings.Metadata) bool { return m.Manifest != "" })
	return manifests || c.ConfigHash != v.configHash
}

// trigger is what makes a new revision necessary. Where the documents come from
// is no part of the configuration's hash, and yet of the spec: the snapshot of
// what serves tells whether it is another.
func (r *Reconciler) trigger(ctx context.Context, v *visit, want target) (v1alpha1.CandidateTrigger, error) {
	t := v.trigger(want)
	if t != v1alpha1.TriggerSource {
		return t, nil
	}
	was, err := snapshot.Load(ctx, r.Client, v.corpus, v.corpus.Status.Active.Revision)
	if err != nil {
		return "", err
	}
	was.Settings.Source.DeletionGuard = v.settings.Source.DeletionGuard // which makes no other documents
	before, berr := json.Marshal(was.Settings.Source)                   // as JSON, in which absent and empty lists are one
	now, nerr := json.Marshal(v.settings.Source)
	if berr != nil || nerr != nil || !bytes.Equal(before, now) {
		t = v1alpha1.TriggerSpec
	}
	return t, errors.Join(berr, nerr)
}

// trigger is what the hashes alone tell.
func (v *visit) trigger(want target) v1alpha1.CandidateTrigger {
	a := v.corpus.Status.Active
	switch {
	case v.lost != "":
		return v1alpha1.TriggerStoreLost
	case a == nil || a.ConfigHash != want.config || a.Collection != want.collection:
		return v1alpha1.TriggerSpec
	}
	return v1alpha1.TriggerSource
}

// tainted reports whether a candidate was built upon what the store has lost.
func (v *visit) tainted(c *v1alpha1.CandidateStatus) bool {
	return v.lost != "" && c != nil && c.Trigger != v1alpha1.TriggerStoreLost
}

// abandon ends what is being done for the candidate. Its points stay invisible
// and are retracted before the next is built.
func (r *Reconciler) abandon(ctx context.Context, v *visit) error {
	c := v.corpus.Status.Candidate
	if c == nil || c.Phase != v1alpha1.CandidateIngesting {
		return nil
	}
	return r.Runner.Cancel(ctx, ingestKey(v))
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

// ingestKey is one for all revisions of a corpus: no two are built at a time.
func ingestKey(v *visit) string { return "ingest/" + string(v.corpus.UID) }
