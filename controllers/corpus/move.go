package corpus

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/answerkey"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
)

// move holds still while the Collection asks for it, and has what serves verified
// in the store to which its points have been copied. The Collection reads what was
// found from status.copy, and lets the other store serve. A candidate that waits or
// was rejected makes way for that, and is built again afterwards.
func (r *Reconciler) move(ctx context.Context, v *visit) error {
	st := &v.corpus.Status
	m := v.collection.Status.Migration
	if m == nil || !m.Phase.Holds() {
		if c := st.Candidate; c != nil && c.Trigger == v1alpha1.TriggerMigration {
			st.Candidate = nil
		}
		if st.Copy == nil || !v.serves && v.lost == "" && st.Active != nil { // by whichever store serves now
			return nil
		}
		if err := r.carry(ctx, v); err != nil {
			return err
		}
		st.Copy = nil
		return nil
	}
	if err := r.abandon(ctx, v); err != nil {
		return err
	}
	if st.Copy == nil || st.Copy.Attempt != m.Attempt {
		st.Copy = &v1alpha1.CopyStatus{Attempt: m.Attempt}
	}
	if m.Phase == v1alpha1.MigrationVerifying && !st.Copy.Verified {
		if err := r.verifyCopy(ctx, v); err != nil {
			return err
		}
	}
	return outcome.Waiting(0, v1alpha1.MigratingReason, "Collection %q is being moved to %s; nothing is ingested meanwhile", v.collection.Name, m.Target.Place())
}

// verifyCopy counts what the copy has of the active revision and publishes it as a
// candidate, so that the golden sets are asked of the copy; then it takes their verdict.
func (r *Reconciler) verifyCopy(ctx context.Context, v *visit) error {
	st := &v.corpus.Status
	v.setAside()
	a := st.Active
	gate := v.corpus.Spec.Gate
	if a == nil || v.lost != "" {
		return v.found(true, "nothing serves")
	}
	if missing, err := r.missing(ctx, v, a); err != nil || missing != "" {
		if err == nil {
			err = v.found(false, missing)
		}
		return err
	}
	if len(gate.GoldenSets) == 0 {
		return v.found(true, "no golden set keeps the gate")
	}
	sets, err := answerkey.Load(ctx, r.Client, v.corpus.Namespace, gate.GoldenSets)
	if err != nil {
		return err
	}
	freeze, err := r.freeze(ctx, v, a.Revision, sets)
	if err != nil {
		return err
	}
	c := st.Candidate
	if c == nil || c.Trigger != v1alpha1.TriggerMigration || c.Freeze != freeze {
		return r.askCopy(ctx, v, freeze)
	}
	return r.judgeCopy(ctx, v, c)
}

// found notes what became of the copy.
func (v *visit) found(passed bool, message string) error {
	c := v.corpus.Status.Copy
	c.Verified, c.Passed, c.Message = true, passed, clip(message, maxMessage)
	v.corpus.Status.Candidate = nil
	return nil
}

// missing says what the copy lacks of a revision; "" when it is whole.
func (r *Reconciler) missing(ctx context.Context, v *visit, a *v1alpha1.ActiveStatus) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	to, err := r.Connect.Target(ctx, v.collection)
	if err != nil {
		return "", err
	}
	ledger := r.Runtime.Ledger(assembly.Place{Store: to, Collection: a.Collection, Corpus: string(v.corpus.UID)})
	documents, err := ledger.Count(ctx, a.Revision)
	if err != nil {
		return "", outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	points, err := ledger.Points(ctx, a.Revision)
	if err != nil {
		return "", outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	if int64(documents) != a.Documents || int64(points) != a.Points {
		return fmt.Sprintf("the copy holds %d documents and %d chunks of revision %d, not %d and %d", documents, points, a.Revision, a.Documents, a.Points), nil
	}
	return "", nil
}

// askCopy publishes the active revision as a candidate, in a second in which no
// verdict was given yet: one of the store before must not be taken for one of the copy.
func (r *Reconciler) askCopy(ctx context.Context, v *visit, freeze string) error {
	requested := stamp(v.now)
	for _, name := range v.corpus.Spec.Gate.GoldenSets {
		set, err := r.goldenSet(ctx, v, name)
		if err != nil {
			return err
		}
		for i := range set.Status.Results {
			if g := &set.Status.Results[i]; g.Corpus == v.corpus.Name && !g.FinishedAt.Before(&requested) {
				return outcome.Waiting(time.Second, v1alpha1.MigratingReason, "about to ask golden sets of the copy")
			}
		}
	}
	a := v.corpus.Status.Active
	v.corpus.Status.Candidate = &v1alpha1.CandidateStatus{
		Revision: a.Revision, Phase: v1alpha1.CandidateVerifying, Generation: a.Generation, Trigger: v1alpha1.TriggerMigration,
		Collection: a.Collection, SourceRevision: a.SourceRevision, ConfigHash: a.ConfigHash, Freeze: freeze, RequestedAt: requested,
	}
	return nil
}

// judgeCopy takes the verdict of every golden set, once all have one. What only an
// audit let through where it serves does not hold a move up either.
func (r *Reconciler) judgeCopy(ctx context.Context, v *visit, c *v1alpha1.CandidateStatus) error {
	var failed []string
	for _, name := range v.corpus.Spec.Gate.GoldenSets {
		set, err := r.goldenSet(ctx, v, name)
		if err != nil {
			return err
		}
		result := verdict(set, v.corpus.Name, c)
		if result == nil {
			return nil // it is being asked, and a change of its status tells
		}
		if !result.Passed {
			failed = append(failed, fmt.Sprintf("%s: %s", name, result.Message))
		}
	}
	if len(failed) > 0 && v.corpus.Spec.Gate.Mode != v1alpha1.GateAudit {
		return v.found(false, strings.Join(failed, "; "))
	}
	v.corpus.Status.Active.VerifiedAt, v.corpus.Status.Active.Freeze = stamp(v.now), c.Freeze
	return v.found(true, "golden sets passed")
}

// goldenSet reads a set of the gate; one that doesn't exist has no results.
func (r *Reconciler) goldenSet(ctx context.Context, v *visit, name v1alpha1.ObjectName) (*v1alpha1.GoldenSet, error) {
	set := &v1alpha1.GoldenSet{}
	err := r.Client.Get(ctx, types.NamespacedName{Namespace: v.corpus.Namespace, Name: string(name)}, set)
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, fmt.Errorf("read GoldenSet %q: %w", name, err)
	}
	return set, nil
}
