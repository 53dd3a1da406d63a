package corpus

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

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
	listed.DeleteLabelValues(name.Namespace, name.Name)
	if !controllerutil.ContainsFinalizer(v.corpus, v1alpha1.Finalizer) {
		return ctrl.Result{}, nil
	}
	if err := r.stop(ctx, v); err != nil {
		return ctrl.Result{}, err
	}
	if v.corpus.Spec.DeletionPolicy != v1alpha1.DeletionRetain {
		if err := r.erase(ctx, v); err != nil {
			r.Recorder.Eventf(v.corpus, nil, warning, v1alpha1.StoreUnreachableReason, "Delete", "%s", err.Error())
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
	for _, k := range []string{"list/" + string(v.corpus.UID), ingestKey(v)} {
		if err := r.Runner.Cancel(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// erase deletes the corpus' points and alias.
func (r *Reconciler) erase(ctx context.Context, v *visit) error {
	coll := &v1alpha1.Collection{}
	err := r.Client.Get(ctx, types.NamespacedName{Namespace: v.corpus.Namespace, Name: string(v.corpus.Spec.CollectionRef.Name)}, coll)
	if apierrors.IsNotFound(err) {
		return nil // a Collection takes its points along
	}
	if err != nil {
		return fmt.Errorf("read Collection: %w", err)
	}
	s, err := r.Connect.Store(ctx, coll)
	var wait *outcome.Wait
	var stall *outcome.Stall
	if errors.As(err, &wait) || errors.As(err, &stall) {
		r.Recorder.Eventf(v.corpus, nil, warning, "PointsLeft", "Delete", "the points of this corpus stay in collection %q: %s", coll.Status.Physical, err.Error())
		return nil
	}
	if err != nil {
		return err
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
