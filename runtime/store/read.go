package store

import (
	"context"
	"fmt"
	"iter"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// A page of Scroll: with vectors (a dense one of 384 takes 1.5 kB) it is smaller,
// to keep an answer around a megabyte.
const (
	pageRecords = 1000
	pageVectors = 250
)

// Record is a stored point as read. Payload is nil if none was asked for.
type Record struct {
	ID      string
	Payload map[string]any
	Dense   []float32 // nil: not asked for, or the point has none
	Sparse  *Sparse   // likewise
}

// Scroll reads every point that meets the filter (nil: all), in the order of their
// ids, page by page while the caller takes them. It ends at the first error, which
// is the last pair. Points that are written meanwhile may or may not come.
func (c *Client) Scroll(ctx context.Context, name string, filter *qdrant.Filter, fields Fields, vectors bool) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		request := &qdrant.ScrollPoints{
			CollectionName: name, Filter: filter, Limit: qdrant.PtrOf(uint32(pageRecords)),
			WithPayload: fields.request(), WithVectors: qdrant.NewWithVectors(vectors),
		}
		if vectors {
			request.Limit = qdrant.PtrOf(uint32(pageVectors))
		}
		for {
			page, err := c.points.Scroll(ctx, request)
			if err != nil {
				yield(Record{}, fmt.Errorf("scroll %q: %w", name, err))
				return
			}
			for _, p := range page.GetResult() {
				if !yield(record(p, fields), nil) {
					return
				}
			}
			if page.GetNextPageOffset() == nil {
				return
			}
			request.Offset = page.GetNextPageOffset()
		}
	}
}

// Get reads points by id, in that order; unknown ones are left out.
func (c *Client) Get(ctx context.Context, name string, ids []string, fields Fields, vectors bool) ([]Record, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	wanted, err := pointIDs(ids)
	if err != nil {
		return nil, fmt.Errorf("get points of %q: %w", name, err)
	}
	answer, err := c.points.Get(ctx, &qdrant.GetPoints{
		CollectionName: name, Ids: wanted, WithPayload: fields.request(), WithVectors: qdrant.NewWithVectors(vectors),
	})
	if err != nil {
		return nil, fmt.Errorf("get %d points of %q: %w", len(ids), name, err)
	}
	out := make([]Record, len(answer.GetResult()))
	for i, p := range answer.GetResult() {
		out[i] = record(p, fields)
	}
	return out, nil
}

// Count counts the points that meet the filter (nil: all).
func (c *Client) Count(ctx context.Context, name string, filter *qdrant.Filter, exact bool) (uint64, error) {
	answer, err := c.points.Count(ctx, &qdrant.CountPoints{CollectionName: name, Filter: filter, Exact: &exact})
	if err != nil {
		return 0, fmt.Errorf("count points of %q: %w", name, err)
	}
	return answer.GetResult().GetCount(), nil
}

// QueryBatch asks several queries of one collection in one request and answers
// each, in order. One bad query fails them all. The queries' own collection names
// are ignored.
func (c *Client) QueryBatch(ctx context.Context, name string, queries []*qdrant.QueryPoints) ([][]*qdrant.ScoredPoint, error) {
	if len(queries) == 0 {
		return nil, nil
	}
	named := make([]*qdrant.QueryPoints, len(queries))
	for i, q := range queries {
		named[i] = q
		if q.GetCollectionName() != name {
			named[i] = proto.CloneOf(q) // the caller's query stays as it is
			named[i].CollectionName = name
		}
	}
	answer, err := c.points.QueryBatch(ctx, &qdrant.QueryBatchPoints{CollectionName: name, QueryPoints: named})
	if err != nil {
		return nil, fmt.Errorf("query %q: %w", name, err)
	}
	if len(answer.GetResult()) != len(queries) {
		return nil, fmt.Errorf("query %q: %d answers to %d queries", name, len(answer.GetResult()), len(queries))
	}
	out := make([][]*qdrant.ScoredPoint, len(queries))
	for i, r := range answer.GetResult() {
		out[i] = r.GetResult()
	}
	return out, nil
}

// PointID is the id of a scored point as a string: a UUID, or for a point that
// somebody else numbered, the number.
func PointID(id *qdrant.PointId) string {
	if n, ok := id.GetPointIdOptions().(*qdrant.PointId_Num); ok {
		return fmt.Sprint(n.Num)
	}
	return id.GetUuid()
}

func record(p *qdrant.RetrievedPoint, fields Fields) Record {
	out := Record{ID: PointID(p.GetId())}
	if fields.all || len(fields.names) > 0 {
		out.Payload = FromPayload(p.GetPayload())
	}
	for name, v := range p.GetVectors().GetVectors().GetVectors() {
		switch name {
		case DenseVector:
			out.Dense = v.GetDense().GetData()
			if out.Dense == nil {
				out.Dense = v.GetData() // servers before 1.16
			}
		case SparseVector:
			out.Sparse = &Sparse{Indices: v.GetSparse().GetIndices(), Values: v.GetSparse().GetValues()}
		}
	}
	return out
}
