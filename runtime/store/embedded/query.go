package embedded

import (
	"context"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// Query searches, orders or fuses.
func (s *pointsService) Query(_ context.Context, r *qdrant.QueryPoints) (*qdrant.QueryResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	v.queryPoints("", r)
	if err := v.err(); err != nil {
		return nil, err
	}
	results, err := s.queries(r.GetCollectionName(), []*qdrant.QueryPoints{r})
	if err != nil {
		return nil, err
	}
	return &qdrant.QueryResponse{Result: results[0].GetResult(), Time: elapsed(start)}, nil
}

// QueryBatch answers several queries from one state of the collection; one that is
// refused fails them all.
func (s *pointsService) QueryBatch(_ context.Context, r *qdrant.QueryBatchPoints) (*qdrant.QueryBatchResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	for i, q := range r.GetQueryPoints() {
		v.queryPoints(indexed("query_points", i)+".", q)
	}
	atLeast(&v, "timeout", r.Timeout, 1)
	if err := v.err(); err != nil {
		return nil, err
	}
	results, err := s.queries(r.GetCollectionName(), r.GetQueryPoints())
	if err != nil {
		return nil, err
	}
	return &qdrant.QueryBatchResponse{Result: results, Time: elapsed(start)}, nil
}

// queryPoints checks everything of a query but the collection's name.
func (v *violations) queryPoints(path string, r *qdrant.QueryPoints) {
	v.prefetch(path, r.GetPrefetch())
	v.query(path+"query", r.GetQuery())
	v.filter(path+"filter", r.GetFilter())
	v.params(path+"params", r.GetParams())
	atLeast(v, path+"limit", r.Limit, 1)
	atLeast(v, path+"timeout", r.Timeout, 1)
}

func (s *pointsService) queries(name string, list []*qdrant.QueryPoints) ([]*qdrant.BatchResult, error) {
	queries := make([]*rootQuery, len(list))
	for i, r := range list {
		q, err := parseRoot(r)
		if err != nil {
			return nil, err
		}
		queries[i] = q
	}
	out := make([]*qdrant.BatchResult, len(list))
	err := s.read(name, func(c *collection) error {
		for i, q := range queries {
			if err := c.strictRoot(q, list[i].Timeout); err != nil {
				return err
			}
			if err := unsharded(list[i].GetShardKeySelector()); err != nil {
				return err
			}
		}
		session := c.session()
		for i, q := range queries {
			hits, err := session.answer(q)
			if err != nil {
				return err
			}
			out[i] = &qdrant.BatchResult{Result: c.scored(hits, q.payload, q.vectors)}
		}
		return nil
	})
	return out, err
}

// scored is hits as a query answers them.
func (c *collection) scored(hits []hit, payload payloadSelection, vectors vectorSelection) []*qdrant.ScoredPoint {
	out := make([]*qdrant.ScoredPoint, len(hits))
	for i, h := range hits {
		out[i] = &qdrant.ScoredPoint{
			Id: c.ids[h.slot].proto(), Score: h.score, OrderValue: h.order,
			Payload: c.payload(h.slot, payload), Vectors: c.output(h.slot, vectors),
		}
	}
	return out
}
