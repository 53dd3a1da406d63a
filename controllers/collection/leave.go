package collection

import (
	"context"
	"errors"
	"strings"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// left marks a collection that a move has left behind, lest it be taken for the
// one that serves.
const left = "left:"

// leave clears the store that was left, once every Corpus is served from the other
// and the last questions of the one before have been answered.
func (r *Reconciler) leave(ctx context.Context, v *visit) error {
	m := v.collection.Status.Migration
	var behind []string
	for i := range v.users {
		if v.users[i].Status.Copy != nil {
			behind = append(behind, v.users[i].Name)
		}
	}
	place := v.collection.Status.Store.Place()
	if len(behind) > 0 {
		return outcome.Waiting(moveGlance, v1alpha1.MigratingReason, "%s serves; Corpora that have not gone over yet: %s", place, strings.Join(behind, ", "))
	}
	if wait := m.SettledAt.Add(r.Options.drain()).Sub(r.Clock.Now()); wait > 0 && !m.Same {
		return outcome.Waiting(wait, v1alpha1.MigratingReason, "%s serves; %s is cleared when its last questions are answered", place, m.From.Place())
	}
	if m.From != nil && !m.Same {
		r.clear(ctx, v, *m.From, m.ID)
	}
	v.collection.Status.Migration = nil
	return nil
}

// giveUp clears what a move that was taken back has copied.
func (r *Reconciler) giveUp(ctx context.Context, v *visit, m *v1alpha1.MigrationStatus) error {
	if err := r.stop(ctx, v); err != nil {
		return err
	}
	if !m.Same {
		r.clear(ctx, v, m.Target, m.ID)
	}
	return nil
}

// clear drops a Collection's physical collections from a store that doesn't serve
// it, save under deletionPolicy Retain. A store that can't be reached keeps them,
// and an event says so: a move does not wait for what was left.
func (r *Reconciler) clear(ctx context.Context, v *visit, s v1alpha1.Store, move string) {
	names := strings.Join(physicals(v.collection), ", ")
	client, err := r.Connect.At(ctx, v.collection, s, "status.migration")
	for _, name := range physicals(v.collection) {
		if err == nil {
			err = r.clearOne(ctx, v, client, name, move)
		}
	}
	switch {
	case err != nil:
		v.event(warning, "Left", "not cleared from %s, remove it there: %s: %v", s.Place(), names, err)
	case v.collection.Spec.DeletionPolicy == v1alpha1.DeletionRetain:
		v.event(normal, "Retained", "spec.deletionPolicy is Retain: %s keeps %s", s.Place(), names)
	default:
		v.event(normal, "Dropped", "%s was cleared of %s", s.Place(), names)
	}
}

func (r *Reconciler) clearOne(ctx context.Context, v *visit, client *store.Client, name, move string) error {
	if v.collection.Spec.DeletionPolicy == v1alpha1.DeletionRetain {
		if err := client.MarkMove(ctx, name, left+move); err != nil && !store.IsNotFound(err) {
			return err
		}
		return nil
	}
	err := client.DropCollection(ctx, name, r.owner(v.collection))
	var foreign *store.ForeignError
	if errors.As(err, &foreign) {
		return nil // never ours
	}
	return err
}

// readdress lets the spec's store serve at once where the one before can't be
// reached and the other has everything already: the same server, moved. What lacks
// documents there is noticed by the Corpora's own ledgers.
func (r *Reconciler) readdress(ctx context.Context, v *visit, cause error) error {
	var retry *outcome.Retry
	if !moving(v.collection) || !errors.As(cause, &retry) || retry.Reason != v1alpha1.StoreUnreachableReason {
		return cause
	}
	to, err := r.Connect.Target(ctx, v.collection)
	if err != nil {
		return cause
	}
	st := &v.collection.Status
	for _, name := range physicals(v.collection) {
		state, _, err := to.Inspect(ctx, name, v.schema)
		if err != nil || !state.Exists {
			return cause
		}
		mark, err := to.MoveOf(ctx, name)
		if err != nil || strings.HasPrefix(mark, left) || (st.Migration != nil && mark == st.Migration.ID) {
			return cause // left behind by an earlier move, or half copied by this one
		}
	}
	if err := r.stop(ctx, v); err != nil {
		return err
	}
	v.event(normal, v1alpha1.MigratedReason, "%s does not answer, and %s has the collection: it serves from there", st.Store.Place(), v.collection.Spec.Store.Place())
	st.Store, st.Migration = v.collection.Spec.Store.DeepCopy(), nil
	return outcome.Waiting(now, v1alpha1.ProgressingReason, "%s serves", st.Store.Place())
}
