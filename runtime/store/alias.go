package store

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// SetAlias points an alias at a collection, whether or not it existed. Creating an
// alias that exists moves it in one action, so there is no moment without one: a
// deletion and a creation in one call would not be atomic, and would lose the
// alias if the creation failed. What was set is then read back.
func (c *Client) SetAlias(ctx context.Context, alias, collection string) error {
	action := &qdrant.AliasOperations{Action: &qdrant.AliasOperations_CreateAlias{
		CreateAlias: &qdrant.CreateAlias{CollectionName: collection, AliasName: alias},
	}}
	if err := c.changeAlias(ctx, alias, action); err != nil {
		return err
	}
	target, err := c.AliasTarget(ctx, alias)
	if err != nil {
		return err
	}
	if target != collection {
		return fmt.Errorf("alias %q leads to %q after it was set to %q", alias, target, collection)
	}
	return nil
}

// AliasTarget is the collection that an alias leads to; "" if there is no such alias.
func (c *Client) AliasTarget(ctx context.Context, alias string) (string, error) {
	answer, err := c.collections.ListAliases(ctx, &qdrant.ListAliasesRequest{})
	if err != nil {
		return "", fmt.Errorf("list aliases: %w", err)
	}
	for _, a := range answer.GetAliases() {
		if a.GetAliasName() == alias {
			return a.GetCollectionName(), nil
		}
	}
	return "", nil
}

// DeleteAlias removes an alias; a missing one is already removed.
func (c *Client) DeleteAlias(ctx context.Context, alias string) error {
	return c.changeAlias(ctx, alias, &qdrant.AliasOperations{Action: &qdrant.AliasOperations_DeleteAlias{
		DeleteAlias: &qdrant.DeleteAlias{AliasName: alias},
	}})
}

func (c *Client) changeAlias(ctx context.Context, alias string, action *qdrant.AliasOperations) error {
	if _, err := c.collections.UpdateAliases(ctx, &qdrant.ChangeAliases{Actions: []*qdrant.AliasOperations{action}}); err != nil {
		return fmt.Errorf("change alias %q: %w", alias, err)
	}
	return nil
}
