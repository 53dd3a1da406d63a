package store

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// DropCollection deletes a collection that bears the owner's marker; a foreign one
// gives a ForeignError, a missing one is already dropped.
func (c *Client) DropCollection(ctx context.Context, name, owner string) error {
	info, err := c.info(ctx, name)
	if IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := owned(name, info, owner); err != nil {
		return err
	}
	if _, err := c.collections.Delete(ctx, &qdrant.DeleteCollection{CollectionName: name}); err != nil {
		return fmt.Errorf("drop collection %q: %w", name, err)
	}
	return nil
}
