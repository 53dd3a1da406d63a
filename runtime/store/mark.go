package store

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// moveKey is where a collection's metadata says which move made it.
const moveKey = "hardgate_move"

// MarkMove writes the id of a move into a collection.
func (c *Client) MarkMove(ctx context.Context, name, id string) error {
	update := &qdrant.UpdateCollection{CollectionName: name, Metadata: map[string]*qdrant.Value{moveKey: qdrant.NewValueString(id)}}
	if _, err := c.collections.Update(ctx, update); err != nil {
		return fmt.Errorf("mark collection %q: %w", name, err)
	}
	return nil
}

// MoveOf is the id of the move that made a collection; "" without one, or without a
// collection.
func (c *Client) MoveOf(ctx context.Context, name string) (string, error) {
	info, err := c.info(ctx, name)
	if IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return info.GetConfig().GetMetadata()[moveKey].GetStringValue(), nil
}
