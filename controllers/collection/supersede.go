package collection

import (
	"context"
	"errors"
	"slices"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// supersede drops older physical collections that no Corpus serves from or
// builds in. One that bears another owner's marker is left alone and reported.
func (r *Reconciler) supersede(ctx context.Context, v *visit) error {
	status := &v.collection.Status
	if status.Migration != nil {
		return nil // they are moved along first
	}
	var remaining []string
	for _, name := range status.Superseded {
		used := slices.ContainsFunc(v.users, func(x v1alpha1.Corpus) bool { return slices.Contains(holds(&x), name) })
		if used {
			remaining = append(remaining, name)
			continue
		}
		var foreign *store.ForeignError
		err := v.client.DropCollection(ctx, name, v.schema.Owner)
		switch {
		case errors.As(err, &foreign):
			v.foreign = append(v.foreign, err.Error())
			remaining = append(remaining, name)
		case err != nil:
			return r.fault(err)
		default:
			v.event(normal, "Dropped", "collection %s was dropped: nothing serves from it any more", name)
		}
	}
	status.Superseded = remaining
	return nil
}
