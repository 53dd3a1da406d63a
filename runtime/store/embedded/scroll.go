package embedded

import (
	"context"
	"slices"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// scrollLimit is how many points a page has if the request does not say.
const scrollLimit = 10

// Scroll answers points page by page in the order of their ids, or in the order of
// a payload field.
func (s *pointsService) Scroll(_ context.Context, r *qdrant.ScrollPoints) (*qdrant.ScrollResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	v.filter("filter", r.GetFilter())
	atLeast(&v, "limit", r.Limit, 1)
	if err := v.err(); err != nil {
		return nil, err
	}
	q, err := parseScroll(r)
	if err != nil {
		return nil, err
	}
	out := &qdrant.ScrollResponse{}
	err = s.read(r.GetCollectionName(), func(c *collection) error {
		if err := c.acceptScroll(r, q); err != nil {
			return err
		}
		if q.order != nil {
			return c.scrollOrdered(q, out)
		}
		slots, next := c.page(q.filter, q.offset, q.limit)
		for _, slot := range slots {
			out.Result = append(out.Result, c.retrieved(slot, q.payload, q.vectors))
		}
		if next != nil {
			out.NextPageOffset = next.proto()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Time = elapsed(start)
	return out, nil
}

// scrollRequest is a scroll as read.
type scrollRequest struct {
	filter  *filter
	offset  *pointID
	order   *ordering
	limit   int
	payload payloadSelection
	vectors vectorSelection
}

func parseScroll(r *qdrant.ScrollPoints) (scrollRequest, error) {
	out := scrollRequest{limit: scrollLimit, vectors: parseVectorSelection(r.GetWithVectors())}
	if r.Limit != nil {
		out.limit = int(r.GetLimit())
	}
	var err error
	if out.filter, err = parseFilter(r.GetFilter()); err != nil {
		return out, err
	}
	if out.payload, err = parsePayloadSelection(r.GetWithPayload(), everything); err != nil {
		return out, err
	}
	if r.GetOffset() != nil {
		id, err := parseID(r.GetOffset())
		if err != nil {
			return out, err
		}
		out.offset = &id
	}
	if r.GetOrderBy() != nil {
		if out.order, err = parseOrdering(r.GetOrderBy()); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (c *collection) acceptScroll(r *qdrant.ScrollPoints, q scrollRequest) error {
	if config := c.strict(); config != nil {
		if err := c.strictTimeout(r.Timeout); err != nil {
			return err
		}
		if r.Limit != nil {
			if err := strictLimit(uint64(r.GetLimit()), config.MaxQueryLimit, "limit"); err != nil {
				return err
			}
		}
		if err := c.strictFilter(config, q.filter, config.UnindexedFilteringRetrieve); err != nil {
			return err
		}
	}
	if err := unsharded(r.GetShardKeySelector()); err != nil {
		return err
	}
	if q.order != nil && q.offset != nil {
		return wrongInput("Cannot use an `offset` when using `order_by`. The alternative for paging is to use `order_by.start_from` and a filter to exclude the IDs that you've already seen for the `order_by.start_from` value")
	}
	return c.known(q.vectors)
}

func (c *collection) scrollOrdered(q scrollRequest, out *qdrant.ScrollResponse) error {
	hits, err := c.ordered(q.order, c.plan(q.filter), q.limit)
	if err != nil {
		return err
	}
	for _, h := range hits {
		p := c.retrieved(h.slot, q.payload, q.vectors)
		p.OrderValue = h.order
		out.Result = append(out.Result, p)
	}
	return nil
}

// page lists up to limit points from an id on that meet the filter, in the order of
// ids, and the id of the one after them.
func (c *collection) page(f *filter, from *pointID, limit int) (slots []uint32, next *pointID) {
	p := c.plan(f)
	ids := c.candidateIDs(p, from)
	for _, id := range ids {
		slot := c.slotOf[id]
		if !p.check(slot) {
			continue
		}
		if len(slots) == limit {
			return slots, &id
		}
		slots = append(slots, slot)
	}
	return slots, nil
}

// candidateIDs lists the ids from one on, in order: all of them, or where an index
// knows that few can meet the predicate, those.
func (c *collection) candidateIDs(p predicate, from *pointID) []pointID {
	if !p.known || p.size > len(c.slotOf)/8 {
		return c.order.from(from)
	}
	var ids []pointID
	c.each(p, func(slot uint32) bool {
		if id := c.ids[slot]; from == nil || id.compare(*from) >= 0 {
			ids = append(ids, id)
		}
		return true
	})
	slices.SortFunc(ids, pointID.compare)
	return ids
}
