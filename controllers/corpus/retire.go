package corpus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// retire ends everything of a deleted Corpus, then lets it go. What can no
// longer be reached because its Collection or Secret went first, as when a
// namespace is deleted, is named in an event and does not hold the object.
func (r *Reconciler) retire(ctx context.Context, v *visit) (ctrl.Result, error) {
	name := client.ObjectKeyFromObject(v.corpus)
	r.Serving.Remove(name)
	r.Metrics.forget(name.Namespace, name.Name)
	if !controllerutil.ContainsFinalizer(v.corpus, v1alpha1.Finalizer) {
		return ctrl.Result{}, nil
	}
	if err := r.stop(ctx, v); err != nil {
		return ctrl.Result{}, err
	}
	if v.corpus.Spec.DeletionPolicy != v1alpha1.DeletionRetain {
		if err := r.clear(ctx, v); err != nil && !r.abandoned(ctx, v, err) {
			r.Recorder.Eventf(v.corpus, nil, warning, v1alpha1.StoreUnreachableReason, "Delete", "%s", clip(err.Error(), maxNote))
			return ctrl.Result{}, err
		}
	}
	if err := r.Runtime.Forget(string(v.corpus.UID)); err != nil {
		return ctrl.Result{}, fmt.Errorf("forget contexts: %w", err)
	}
	patch := client.MergeFromWithOptions(v.corpus.DeepCopy(), client.MergeFromWithOptimisticLock{})
	controllerutil.RemoveFinalizer(v.corpus, v1alpha1.Finalizer)
	if err := client.IgnoreNotFound(r.Client.Patch(ctx, v.corpus, patch)); err != nil {
		return ctrl.Result{}, fmt.Errorf("remove finalizer: %w", err)
	}
	r.mu.Lock()
	delete(r.seen, v.corpus.UID)
	r.mu.Unlock()
	return ctrl.Result{}, nil
}

func (r *Reconciler) stop(ctx context.Context, v *visit) error {
	for _, k := range []string{"list/" + string(v.corpus.UID), eraseKey(v), ingestKey(v)} {
		if err := r.Runner.Cancel(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// abandoned reports whether the object has to go though its points can't be
// deleted: what leads to them is gone, or its namespace is going and with it
// perhaps the store. What stays behind is named in the log too, since such a
// namespace takes no new events.
func (r *Reconciler) abandoned(ctx context.Context, v *visit, err error) bool {
	var wait *outcome.Wait
	var stall *outcome.Stall
	if !errors.As(err, &wait) && !errors.As(err, &stall) && !r.overdue(ctx, v) {
		return false
	}
	log.FromContext(ctx).Info("the store can't be reached; the points of this corpus are left in it", "cause", err.Error())
	r.Recorder.Eventf(v.corpus, nil, warning, "PointsLeft", "Delete", "the points of this corpus stay in the store: %s", clip(err.Error(), maxNote/2))
	return true
}

// patience is how long a namespace that is being deleted waits for a store that
// can't be reached: it may have been in that very namespace.
const patience = 2 * time.Minute

func (r *Reconciler) overdue(ctx context.Context, v *visit) bool {
	var namespace corev1.Namespace
	if err := r.Client.Get(ctx, types.NamespacedName{Name: v.corpus.Namespace}, &namespace); err != nil || namespace.DeletionTimestamp.IsZero() {
		return false
	}
	return v.now.Sub(v.corpus.DeletionTimestamp.Time) >= patience
}

// eraseBudget bounds the deletion of a corpus' points, which is tried again.
const eraseBudget = time.Minute

// clear deletes the corpus' points and alias.
func (r *Reconciler) clear(ctx context.Context, v *visit) error {
	ctx, cancel := context.WithTimeout(ctx, eraseBudget)
	defer cancel()
	coll := &v1alpha1.Collection{}
	err := r.Client.Get(ctx, types.NamespacedName{Namespace: v.corpus.Namespace, Name: string(v.corpus.Spec.CollectionRef.Name)}, coll)
	if apierrors.IsNotFound(err) {
		return nil // a Collection takes its points along
	}
	if err != nil {
		return fmt.Errorf("read Collection: %w", err)
	}
	s, err := r.Connect.Store(ctx, coll)
	if err != nil {
		return fmt.Errorf("collection %q: %w", coll.Status.Physical, err)
	}
	v.resolved = &resolved{store: s}
	for _, physical := range v.collections(coll) {
		if err := r.Runtime.Ledger(v.place(physical)).Retire(ctx); err != nil && !store.IsNotFound(err) {
			return err
		}
	}
	if err := s.DeleteAlias(ctx, aliasName(v.corpus)); err != nil && !store.IsNotFound(err) {
		return err
	}
	return nil
}

// collections are the physical collections that may hold points of the corpus.
func (v *visit) collections(coll *v1alpha1.Collection) []string {
	out := append([]string{coll.Status.Physical}, coll.Status.Superseded...)
	if a := v.corpus.Status.Active; a != nil {
		out = append(out, a.Collection)
	}
	if c := v.corpus.Status.Candidate; c != nil {
		out = append(out, c.Collection)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return s == "" })
}
