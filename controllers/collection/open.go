package collection

import (
	"context"
	"errors"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// open connects to the store and finds out who uses the collection.
func (r *Reconciler) open(ctx context.Context, v *visit) error {
	var err error
	if v.users, err = r.usersOf(ctx, v.collection); err != nil {
		return err
	}
	v.client, err = r.Connect.Store(ctx, v.collection)
	return err
}

// fault types an error of the store by what to do next.
func (r *Reconciler) fault(err error) error {
	var foreign *store.ForeignError
	var immutable *store.ImmutableError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &foreign):
		return outcome.Stalled(r.Options.drift(), v1alpha1.ForeignCollectionReason, "%v: nothing was changed in it", err)
	case errors.As(err, &immutable):
		return outcome.Stalled(r.Options.drift(), v1alpha1.DriftDetectedReason, "%v", err)
	case store.IsRefused(err):
		return outcome.Stalled(r.Options.drift(), v1alpha1.StoreRefusedReason, "%v", err)
	case store.IsUnavailable(err):
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	return outcome.Failing(v1alpha1.StoreRefusedReason, err)
}
