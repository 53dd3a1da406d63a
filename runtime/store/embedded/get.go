package embedded

import (
	"context"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// Get answers the points of the given ids, in that order and each once; unknown
// ones are left out.
func (s *pointsService) Get(_ context.Context, r *qdrant.GetPoints) (*qdrant.GetResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	atLeast(&v, "timeout", r.Timeout, 1)
	if err := v.err(); err != nil {
		return nil, err
	}
	ids, err := parseIDs(r.GetIds())
	if err != nil {
		return nil, err
	}
	payload, err := parsePayloadSelection(r.GetWithPayload(), nothing)
	if err != nil {
		return nil, err
	}
	vectors := parseVectorSelection(r.GetWithVectors())
	out := &qdrant.GetResponse{}
	err = s.read(r.GetCollectionName(), func(c *collection) error {
		if err := c.strictTimeout(r.Timeout); err != nil {
			return err
		}
		if err := unsharded(r.GetShardKeySelector()); err != nil {
			return err
		}
		if err := c.known(vectors); err != nil {
			return err
		}
		seen := make(map[pointID]struct{}, len(ids))
		for _, id := range ids {
			slot, exists := c.slotOf[id]
			if _, again := seen[id]; !exists || again {
				continue
			}
			seen[id] = struct{}{}
			out.Result = append(out.Result, c.retrieved(slot, payload, vectors))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Time = elapsed(start)
	return out, nil
}

// retrieved is a point as Get and Scroll answer it.
func (c *collection) retrieved(slot uint32, payload payloadSelection, vectors vectorSelection) *qdrant.RetrievedPoint {
	return &qdrant.RetrievedPoint{Id: c.ids[slot].proto(), Payload: c.payload(slot, payload), Vectors: c.output(slot, vectors)}
}

// strictTimeout checks a request's timeout against strict mode.
func (c *collection) strictTimeout(timeout *uint64) error {
	config := c.strict()
	if config == nil || timeout == nil {
		return nil
	}
	return strictLimit(*timeout, config.MaxTimeout, "timeout")
}
