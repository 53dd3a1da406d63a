package corpus

import (
	"context"
	"time"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
)

// aliasSettle is how long a stale alias is shown before it is repaired, so that
// whoever watches conditions sees it.
const aliasSettle = 2 * time.Second

// alias keeps the name that people use for what serves. Serving itself goes by
// the physical name, so a stale alias gives no wrong answer.
func (r *Reconciler) alias(ctx context.Context, v *visit) error {
	a := v.corpus.Status.Active
	if a == nil || v.lost != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	name := aliasName(v.corpus)
	target, err := v.store.AliasTarget(ctx, name)
	if err != nil {
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	if target == a.Collection {
		return nil
	}
	if target != "" && !v.was(v1alpha1.DegradedCondition, v1alpha1.StaleAliasReason) {
		v.degrade(v1alpha1.StaleAliasReason, "alias %q leads to %q, not to %q", name, target, a.Collection)
		v.event(warning, v1alpha1.StaleAliasReason, "alias %q leads to %q, not to %q; it is repaired", name, target, a.Collection)
		return outcome.Waiting(aliasSettle, v1alpha1.StaleAliasReason, "repairing alias %q", name)
	}
	if err := v.store.SetAlias(ctx, name, a.Collection); err != nil {
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	return nil
}

func aliasName(c *v1alpha1.Corpus) string { return c.Namespace + "." + c.Name }
