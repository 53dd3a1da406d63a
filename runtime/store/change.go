package store

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// SetPayload merges fields into the payload of the selected points: into its top
// level, or with a key into the object at that path, which is made if need be. A
// nil value removes its field. An unknown id is an error, told after the known ones
// were changed.
func (c *Client) SetPayload(ctx context.Context, name string, selector Selector, payload map[string]any, key string) error {
	if selector.nothing() {
		return nil
	}
	points, err := selector.request()
	if err != nil {
		return fmt.Errorf("set payload in %q: %w", name, err)
	}
	fields, err := ToPayload(payload)
	if err != nil {
		return fmt.Errorf("set payload in %q: %w", name, err)
	}
	request := &qdrant.SetPayloadPoints{CollectionName: name, Wait: qdrant.PtrOf(true), Payload: fields, PointsSelector: points}
	if key != "" {
		request.Key = &key
	}
	if _, err := c.points.SetPayload(ctx, request); err != nil {
		return fmt.Errorf("set payload in %q: %w", name, err)
	}
	return nil
}

// DeletePoints deletes the selected points; unknown ids are ignored.
func (c *Client) DeletePoints(ctx context.Context, name string, selector Selector) error {
	if selector.nothing() {
		return nil
	}
	points, err := selector.request()
	if err != nil {
		return fmt.Errorf("delete points of %q: %w", name, err)
	}
	if _, err := c.points.Delete(ctx, &qdrant.DeletePoints{CollectionName: name, Wait: qdrant.PtrOf(true), Points: points}); err != nil {
		return fmt.Errorf("delete points of %q: %w", name, err)
	}
	return nil
}
