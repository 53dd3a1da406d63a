package collection

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

const (
	// moveGlance is how often a move's progress is looked at and written.
	moveGlance = 2 * time.Second

	// holdMost is how long Corpora hold still for a copy at most: a withdrawn right
	// reaches the store only when they go on.
	holdMost = 15 * time.Minute

	// defaultDrain is how long after the other store began to serve the one before
	// is cleared: questions that were asked of it have been answered.
	defaultDrain = 30 * time.Second
)

// moving reports whether the spec names another store than the one that serves.
func moving(c *v1alpha1.Collection) bool {
	return c.Status.Store != nil && c.Status.Store.Place() != c.Spec.Store.Place()
}

// migrate moves all points to the store that the spec names, with their vectors.
// The store before serves, and takes new documents, until the copy is whole. Then
// the Corpora hold still: the rest is copied, everything is compared, golden sets
// are asked of the copy, and the other store serves by one write of the status.
// Each phase is on record before it begins, and can be begun again.
func (r *Reconciler) migrate(ctx context.Context, v *visit) error {
	st := &v.collection.Status
	m := st.Migration
	switch {
	case m != nil && m.Phase == v1alpha1.MigrationLeaving:
		return r.leave(ctx, v)
	case m != nil && (!moving(v.collection) || m.Target.Place() != v.collection.Spec.Store.Place()):
		if err := r.giveUp(ctx, v, m); err != nil {
			return err
		}
		st.Migration = nil
		return outcome.Waiting(now, v1alpha1.ProgressingReason, "the move to %s was taken back", m.Target.Place())
	case !moving(v.collection):
		st.Store = v.collection.Spec.Store.DeepCopy() // the same place, perhaps by other Secrets
		return nil
	case m == nil:
		st.Migration = &v1alpha1.MigrationStatus{
			ID: uuid.NewString(), Phase: v1alpha1.MigrationCopying, Target: *v.collection.Spec.Store.DeepCopy(), Generation: v.collection.Generation,
		}
		v.event(normal, v1alpha1.MigratingReason, "points are being moved from %s to %s; %[1]s serves until the copy has passed", st.Store.Place(), v.collection.Spec.Store.Place())
		return outcome.Waiting(now, v1alpha1.MigratingReason, "moving to %s", v.collection.Spec.Store.Place())
	}
	m.Target = *v.collection.Spec.Store.DeepCopy()
	return r.proceed(ctx, v, m)
}

// proceed takes a move one step on.
func (r *Reconciler) proceed(ctx context.Context, v *visit, m *v1alpha1.MigrationStatus) error {
	if m.Phase == v1alpha1.MigrationFailed {
		if m.Generation == v.collection.Generation && v.request == v.before.Status.LastHandledReconcileAt {
			return outcome.Stalled(0, v1alpha1.MigrationFailedReason, "%s", m.Message)
		}
		m.Phase, m.Generation, m.Message = v1alpha1.MigrationCopying, v.collection.Generation, ""
	}
	to, err := r.Connect.Target(ctx, v.collection)
	if err != nil {
		return r.release(v, m, err)
	}
	switch m.Phase {
	case v1alpha1.MigrationSettling:
		return r.settleCopy(v, m, to)
	case v1alpha1.MigrationVerifying:
		return r.verifyCopy(ctx, v, m, to)
	}
	return r.copy(v, m, to)
}

// copy runs the first pass, while documents may still change.
func (r *Reconciler) copy(v *visit, m *v1alpha1.MigrationStatus, to *store.Client) error {
	state, ended := r.run(v, m, r.transfer(v, m, to).copy)
	if !ended {
		return r.underWay(v, m)
	}
	if state.Err != nil {
		return r.release(v, m, state.Err)
	}
	if same, _ := state.Result.(bool); same {
		m.Same = true
		v.event(normal, v1alpha1.MigratedReason, "%s and %s are one server: nothing had to be copied", v.collection.Status.Store.Place(), m.Target.Place())
		return r.change(v, m)
	}
	m.Phase, m.Attempt, m.SettledAt, m.Message = v1alpha1.MigrationSettling, m.Attempt+1, r.stamp(), ""
	return r.underWay(v, m)
}

// settleCopy waits until the Corpora hold still, copies the rest and compares.
func (r *Reconciler) settleCopy(v *visit, m *v1alpha1.MigrationStatus, to *store.Client) error {
	if busy := v.busy(m.Attempt); len(busy) > 0 {
		if r.overdue(m) {
			return r.fail(v, m, fmt.Sprintf("these Corpora did not hold still within %s: %s", holdMost, strings.Join(busy, ", ")))
		}
		return outcome.Waiting(moveGlance, v1alpha1.MigratingReason, "waiting for Corpora to hold still: %s", strings.Join(busy, ", "))
	}
	state, ended := r.run(v, m, r.transfer(v, m, to).settle)
	if !ended {
		return r.underWay(v, m)
	}
	if state.Err != nil {
		return r.release(v, m, state.Err)
	}
	m.Phase, m.Copied = v1alpha1.MigrationVerifying, m.Points
	return r.underWay(v, m)
}

// verifyCopy reads what the Corpora found, and if all is well lets the other store serve.
func (r *Reconciler) verifyCopy(ctx context.Context, v *visit, m *v1alpha1.MigrationStatus, to *store.Client) error {
	var open, refused []string
	for i := range v.users {
		x := &v.users[i]
		switch c := x.Status.Copy; {
		case c == nil || c.Attempt != m.Attempt || !c.Verified:
			open = append(open, x.Name)
		case !c.Passed:
			refused = append(refused, fmt.Sprintf("Corpus %s: %s", x.Name, c.Message))
		}
	}
	for _, name := range physicals(v.collection) { // nobody has written, to either
		have, err := v.client.Count(ctx, name, nil, true)
		if err != nil {
			return r.fault(err)
		}
		copied, err := to.Count(ctx, name, nil, true)
		if err != nil {
			return r.release(v, m, err)
		}
		if have != copied {
			return r.release(v, m, &store.MismatchError{Collection: name, Detail: fmt.Sprintf("%d and %d points after they were the same", have, copied)})
		}
	}
	switch {
	case len(refused) > 0:
		return r.fail(v, m, "the copy does not pass: "+strings.Join(refused, "; "))
	case len(open) > 0 && r.overdue(m):
		return r.fail(v, m, fmt.Sprintf("the copy was not verified within %s: %s", holdMost, strings.Join(open, ", ")))
	case len(open) > 0:
		return outcome.Waiting(moveGlance, v1alpha1.MigratingReason, "copied %d points to %s; golden sets are being asked there: %s", m.Points, m.Target.Place(), strings.Join(open, ", "))
	}
	return r.change(v, m)
}

// change lets the other store serve.
func (r *Reconciler) change(v *visit, m *v1alpha1.MigrationStatus) error {
	st := &v.collection.Status
	m.From, m.Phase, m.SettledAt, m.Message = st.Store, v1alpha1.MigrationLeaving, r.stamp(), ""
	st.Store = m.Target.DeepCopy()
	v.event(normal, v1alpha1.MigratedReason, "%s serves with %d points; nothing was embedded anew", m.Target.Place(), m.Points)
	return outcome.Waiting(now, v1alpha1.MigratingReason, "%s serves", m.Target.Place())
}

// release lets the Corpora go on after a pass that did not come to its end; the
// next visit begins another, which copies only what is missing.
func (r *Reconciler) release(v *visit, m *v1alpha1.MigrationStatus, err error) error {
	m.Phase, m.Message = v1alpha1.MigrationCopying, clip(err.Error(), maxMessage)
	serves := v.collection.Status.Store.Place()
	var mismatch *store.MismatchError
	if errors.As(err, &mismatch) {
		return outcome.Failing(v1alpha1.MigratingReason, fmt.Errorf("%w; copying again, %s serves", err, serves))
	}
	var wait *outcome.Wait
	var stall *outcome.Stall
	if errors.As(err, &wait) || errors.As(err, &stall) {
		return err // a Secret, whose message names it
	}
	return r.fault(fmt.Errorf("moving to %s, %s serves: %w", m.Target.Place(), serves, err))
}

// fail gives the move up until somebody changes something.
func (r *Reconciler) fail(v *visit, m *v1alpha1.MigrationStatus, why string) error {
	m.Phase = v1alpha1.MigrationFailed
	m.Message = clip(fmt.Sprintf("not moved to %s, %s goes on serving: %s. Mend it and ask for a reconcile, or take spec.store back", m.Target.Place(), v.collection.Status.Store.Place(), why), maxMessage)
	v.event(warning, v1alpha1.MigrationFailedReason, "%s", m.Message)
	return outcome.Stalled(0, v1alpha1.MigrationFailedReason, "%s", m.Message)
}

// busy names the Corpora that don't hold still for an attempt.
func (v *visit) busy(attempt int64) []string {
	var out []string
	for i := range v.users {
		if c := v.users[i].Status.Copy; c == nil || c.Attempt != attempt {
			out = append(out, v.users[i].Name)
		}
	}
	return out
}

func (r *Reconciler) overdue(m *v1alpha1.MigrationStatus) bool {
	return r.Clock.Now().Sub(m.SettledAt.Time) > holdMost
}

// stamp is now in whole seconds, as the API keeps it.
func (r *Reconciler) stamp() metav1.Time { return metav1.NewTime(r.Clock.Now().Truncate(time.Second)) }

// underWay tells how far a move is.
func (r *Reconciler) underWay(v *visit, m *v1alpha1.MigrationStatus) error {
	doing := "copied"
	if m.Phase == v1alpha1.MigrationSettling {
		doing = "compared"
	}
	return outcome.Waiting(moveGlance, v1alpha1.MigratingReason, "%s %d/%d points to %s; %s serves", doing, m.Copied, m.Points, m.Target.Place(), v.collection.Status.Store.Place())
}

// maxMessage is the API's bound on a move's message, bytes.
const maxMessage = 4096
