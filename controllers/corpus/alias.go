package corpus

import (
	"context"
	"fmt"
	"time"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
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
		v.seen.stale = time.Time{}
		return nil
	}
	if !v.promoted { // a promotion takes the alias along
		if v.seen.stale.IsZero() {
			v.seen.stale = v.now
			v.event(warning, v1alpha1.StaleAliasReason, "alias %q %s; it is repaired", name, astray(target, a.Collection))
		}
		if left := v.seen.stale.Add(aliasSettle).Sub(v.now); left > 0 {
			v.degrade(v1alpha1.StaleAliasReason, "alias %q %s", name, astray(target, a.Collection))
			return outcome.Waiting(left, v1alpha1.StaleAliasReason, "repairing alias %q", name)
		}
	}
	if err := v.store.SetAlias(ctx, name, a.Collection); err != nil {
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	v.seen.stale = time.Time{}
	return nil
}

// carry takes the alias along to the store that serves after a move: nobody has
// turned it, so that nobody is warned of it.
func (r *Reconciler) carry(ctx context.Context, v *visit) error {
	a := v.corpus.Status.Active
	if a == nil || v.lost != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	target, err := v.store.AliasTarget(ctx, aliasName(v.corpus))
	if err == nil && target != a.Collection {
		err = v.store.SetAlias(ctx, aliasName(v.corpus), a.Collection)
	}
	if err != nil {
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	return nil
}

func aliasName(c *v1alpha1.Corpus) string { return assembly.Alias(c.Namespace, c.Name) }

func astray(target, right string) string {
	if target == "" {
		return fmt.Sprintf("is gone; it leads to %q", right)
	}
	return fmt.Sprintf("leads to %q, not to %q", target, right)
}
