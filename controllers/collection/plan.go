package collection

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// plan decides which physical collection the spec stands for. Its name is
// written down before it is made, so that nothing in the store is ever unknown
// to the object.
func (r *Reconciler) plan(ctx context.Context, v *visit) error {
	spec, err := json.Marshal(v.collection.Spec)
	if err != nil {
		return fmt.Errorf("encode spec: %w", err)
	}
	if v.settings, err = settings.DecodeCollection(spec); err != nil {
		return outcome.Stalled(0, v1alpha1.InvalidSpecReason, "%v", err)
	}
	if err := r.model(ctx, v); err != nil {
		return err
	}
	c := v.collection
	physical, err := assembly.Physical(r.Options.ClusterID, c.Namespace, c.Name, v.settings, v.model)
	if err != nil {
		return err
	}
	v.schema = assembly.Schema(v.settings, r.owner(c))
	if c.Status.Store == nil {
		c.Status.Store = c.Spec.Store.DeepCopy()
	}
	if c.Status.Physical == physical {
		c.Status.Model = v.model
		return nil
	}
	if c.Status.Physical != "" && (moving(c) || c.Status.Migration != nil) {
		return nil // it is moved as it is; what can't be changed in place is changed there
	}
	replace(&c.Status, physical)
	c.Status.Model = v.model
	return outcome.Waiting(now, v1alpha1.ProgressingReason, "collection %s is being made", physical)
}

// owner is the marker that a physical collection bears. The object's UID is no
// part of it: whoever creates a Collection of the same name in the same cluster
// anew gets back what deletionPolicy Retain left.
func (r *Reconciler) owner(c *v1alpha1.Collection) string {
	return strings.Join([]string{r.Options.ClusterID, c.Namespace, c.Name}, "/")
}

// replace makes another physical collection the current one. Without Indexes the
// status says that the current one was not seen yet.
func replace(s *v1alpha1.CollectionStatus, physical string) {
	superseded := slices.Clone(s.Superseded)
	if s.Physical != "" {
		superseded = append(superseded, s.Physical)
	}
	s.Superseded = slices.DeleteFunc(superseded, func(name string) bool { return name == physical })
	s.Physical, s.Points, s.Indexes, s.Drift = physical, 0, nil, nil
}
