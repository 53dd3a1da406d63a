package connect

import (
	"context"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Terms reads the Secrets that a corpus' settings refer to.
func (c *Connector) Terms(ctx context.Context, namespace string, s settings.Corpus) (assembly.Terms, error) {
	return assembly.Secrets(s, func(ref settings.KeyReference, field string) (string, error) {
		return c.Secret(ctx, namespace, v1alpha1.KeyReference{Name: v1alpha1.ObjectName(ref.Name), Key: ref.Key}, field)
	})
}
