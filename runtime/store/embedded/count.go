package embedded

import (
	"context"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// Count counts the points that meet a filter, always exactly.
func (s *pointsService) Count(_ context.Context, r *qdrant.CountPoints) (*qdrant.CountResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	v.filter("filter", r.GetFilter())
	if err := v.err(); err != nil {
		return nil, err
	}
	f, err := parseFilter(r.GetFilter())
	if err != nil {
		return nil, err
	}
	var n uint64
	err = s.read(r.GetCollectionName(), func(c *collection) error {
		if config := c.strict(); config != nil {
			if err := c.strictTimeout(r.Timeout); err != nil {
				return err
			}
			if err := c.strictFilter(config, f, config.UnindexedFilteringRetrieve); err != nil {
				return err
			}
			if err := strictExact(config, r.Exact == nil || r.GetExact()); err != nil {
				return err
			}
		}
		if err := unsharded(r.GetShardKeySelector()); err != nil {
			return err
		}
		if f == nil {
			n = uint64(len(c.slotOf))
			return nil
		}
		c.each(c.plan(f), func(uint32) bool { n++; return true })
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &qdrant.CountResponse{Result: &qdrant.CountResult{Count: n}, Time: elapsed(start)}, nil
}
