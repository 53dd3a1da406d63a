package collection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// patience is how long a namespace that is being deleted waits for a store that
// can't be reached: it may have been in that very namespace.
const patience = 2 * time.Minute

// retire ends a deleted Collection, then lets the object go.
func (r *Reconciler) retire(ctx context.Context, v *visit) (ctrl.Result, error) {
	c := v.collection
	if !controllerutil.ContainsFinalizer(c, v1alpha1.Finalizer) {
		return ctrl.Result{}, nil
	}
	err := r.erase(ctx, v)
	if err != nil && r.abandoned(ctx, v, err) {
		err = nil
	}
	if err != nil {
		return r.settle(ctx, v, err)
	}
	for _, e := range v.events {
		r.emit(c, e)
	}
	r.mu.Lock()
	delete(r.counted, c.UID)
	r.mu.Unlock()
	r.Connect.Release(c)
	r.Metrics.forget(c.Namespace, c.Name)
	controllerutil.RemoveFinalizer(c, v1alpha1.Finalizer)
	patch := client.MergeFromWithOptions(v.before, client.MergeFromWithOptimisticLock{})
	if err := client.IgnoreNotFound(r.Client.Patch(ctx, c, patch)); err != nil {
		return ctrl.Result{}, fmt.Errorf("remove finalizer: %w", err)
	}
	return ctrl.Result{}, nil
}

// erase drops every physical collection, once no Corpus needs one.
func (r *Reconciler) erase(ctx context.Context, v *visit) error {
	c := v.collection
	var err error
	if v.users, err = r.usersOf(ctx, c); err != nil {
		return err
	}
	if len(v.users) > 0 {
		var names []string
		for i := range v.users {
			names = append(names, v.users[i].Name)
		}
		return outcome.Waiting(0, v1alpha1.CollectionInUseReason, "Corpora still use it, delete them or point them elsewhere: %s", strings.Join(names, ", "))
	}
	if err := r.abandonMove(ctx, v); err != nil {
		return err
	}
	names := physicals(c)
	if len(names) == 0 {
		return nil
	}
	if c.Spec.DeletionPolicy == v1alpha1.DeletionRetain {
		v.event(normal, "Retained", "spec.deletionPolicy is Retain: the store keeps %s", strings.Join(names, ", "))
		return nil
	}
	if v.client, err = r.Connect.Store(ctx, c); err != nil {
		return err
	}
	for _, name := range names {
		var foreign *store.ForeignError
		err := v.client.DropCollection(ctx, name, r.owner(c))
		if errors.As(err, &foreign) {
			v.event(warning, v1alpha1.ForeignCollectionReason, "left alone: %v", err)
			continue
		}
		if err != nil {
			return r.fault(err)
		}
	}
	return nil
}

// abandonMove clears the store that a move copies to, or has left.
func (r *Reconciler) abandonMove(ctx context.Context, v *visit) error {
	m := v.collection.Status.Migration
	switch {
	case m == nil:
		return nil
	case m.Phase != v1alpha1.MigrationLeaving:
		return r.giveUp(ctx, v, m)
	case m.From != nil && !m.Same:
		r.clear(ctx, v, *m.From, m.ID)
	}
	return nil
}

// physicals are the names that this object ever made and did not drop.
func physicals(c *v1alpha1.Collection) []string {
	names := append(slices.Clone(c.Status.Superseded), c.Status.Physical)
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// abandoned reports whether the object has to go though the store can't be
// cleaned: its namespace is being deleted, and with it what leads to the store.
// What stays behind is named in the log too, since such a namespace takes no
// new events.
func (r *Reconciler) abandoned(ctx context.Context, v *visit, err error) bool {
	var namespace corev1.Namespace
	if gerr := r.Reader.Get(ctx, types.NamespacedName{Name: v.collection.Namespace}, &namespace); gerr != nil || namespace.DeletionTimestamp.IsZero() {
		return false
	}
	reason, message := outcome.Explain(err, v1alpha1.StoreUnreachableReason)
	switch reason {
	case v1alpha1.SecretNotFoundReason, v1alpha1.SecretKeyMissingReason, v1alpha1.SecretKeyBlankReason:
	case v1alpha1.CollectionInUseReason:
		return false // Corpora are deleted along, and need their Collection until then
	default:
		if r.Clock.Now().Sub(v.collection.DeletionTimestamp.Time) < patience {
			return false
		}
	}
	left := strings.Join(physicals(v.collection), ", ")
	log.FromContext(ctx).Info("the namespace is being deleted and the store can't be reached; collections are left in it", "collections", left, "cause", message)
	v.event(warning, reason, "the namespace is being deleted; left in the store: %s: %s", left, message)
	return true
}
