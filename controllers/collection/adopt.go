package collection

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// adopt persists the finalizer before anything in the store is touched.
func (r *Reconciler) adopt(ctx context.Context, v *visit) error {
	if !controllerutil.AddFinalizer(v.collection, v1alpha1.Finalizer) {
		return nil
	}
	patch := client.MergeFromWithOptions(v.before, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Patch(ctx, v.collection, patch); err != nil {
		return fmt.Errorf("add finalizer: %w", err)
	}
	v.before = v.collection.DeepCopy()
	return nil
}
