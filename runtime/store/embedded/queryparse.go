package embedded

import (
	"math"

	"github.com/qdrant/go-client/qdrant"
)

// queryLimit is how many hits come if a request or a prefetch does not say.
const queryLimit = 10

// rootQuery is a whole query as read.
type rootQuery struct {
	stage
	offset  int
	payload payloadSelection
	vectors vectorSelection
}

// stage is a query or one of its prefetches.
type stage struct {
	prefetch  []*stage
	kind      stageKind
	vector    *qdrant.VectorInput // nearest
	id        *pointID            // nearest, by a point's own vector
	order     *ordering           // orderBy
	k         uint32              // rrf
	weights   []float32           // rrf
	using     string
	filter    *filter
	params    *qdrant.SearchParams
	threshold *float32
	limit     int
}

type stageKind uint8

const (
	byID stageKind = iota // no query: points in the order of their ids
	nearest
	orderBy
	rrfFusion
	dbsfFusion
)

func (s *stage) fuses() bool { return s.kind == rrfFusion || s.kind == dbsfFusion }

func parseRoot(r *qdrant.QueryPoints) (*rootQuery, error) {
	s, err := parseStage(stageRequest{
		prefetch: r.GetPrefetch(), query: r.GetQuery(), using: r.GetUsing(), filter: r.GetFilter(), params: r.GetParams(),
		threshold: r.ScoreThreshold, limit: r.Limit, lookup: r.GetLookupFrom(),
	})
	if err != nil {
		return nil, err
	}
	payload, err := parsePayloadSelection(r.GetWithPayload(), nothing)
	if err != nil {
		return nil, err
	}
	return &rootQuery{stage: *s, offset: clamp(r.GetOffset()), payload: payload, vectors: parseVectorSelection(r.GetWithVectors())}, nil
}

// stageRequest is what a query and a prefetch have in common.
type stageRequest struct {
	prefetch  []*qdrant.PrefetchQuery
	query     *qdrant.Query
	using     string
	filter    *qdrant.Filter
	params    *qdrant.SearchParams
	threshold *float32
	limit     *uint64
	lookup    *qdrant.LookupLocation
}

// deepest bounds how far prefetches may nest.
const deepest = 64

func parseStage(r stageRequest) (*stage, error) { return parseStageAt(r, 0) }

func parseStageAt(r stageRequest, depth int) (*stage, error) {
	if depth > deepest {
		return nil, wrongInput("Validation failed: prefetches depth %d exceeds max depth %d", depth, deepest)
	}
	if r.lookup != nil {
		return nil, unserved("a vector looked up in another collection")
	}
	out := &stage{using: r.using, params: r.params, threshold: r.threshold, limit: queryLimit}
	if r.limit != nil {
		out.limit = clamp(*r.limit)
	}
	for _, p := range r.prefetch {
		inner, err := parseStageAt(stageRequest{
			prefetch: p.GetPrefetch(), query: p.GetQuery(), using: p.GetUsing(), filter: p.GetFilter(), params: p.GetParams(),
			threshold: p.ScoreThreshold, limit: p.Limit, lookup: p.GetLookupFrom(),
		}, depth+1)
		if err != nil {
			return nil, err
		}
		out.prefetch = append(out.prefetch, inner)
	}
	if err := out.parseQuery(r.query); err != nil {
		return nil, err
	}
	var err error
	out.filter, err = parseFilter(r.filter)
	return out, err
}

// clamp keeps a limit or offset from overflowing when they are added.
func clamp(n uint64) int { return int(min(n, math.MaxInt32)) }

func (s *stage) parseQuery(q *qdrant.Query) error {
	switch k := q.GetVariant().(type) {
	case *qdrant.Query_Nearest:
		return s.parseNearest(k.Nearest)
	case *qdrant.Query_OrderBy:
		o, err := parseOrdering(k.OrderBy)
		s.kind, s.order = orderBy, o
		return err
	case *qdrant.Query_Fusion:
		s.kind, s.k = rrfFusion, defaultRRF
		if k.Fusion == qdrant.Fusion_DBSF {
			s.kind = dbsfFusion
		}
		return nil
	case *qdrant.Query_Rrf:
		s.kind, s.k = rrfFusion, defaultRRF
		if k.Rrf.K != nil {
			s.k = k.Rrf.GetK()
		}
		if len(k.Rrf.GetWeights()) > 0 {
			s.weights = k.Rrf.GetWeights()
		}
		return nil
	case nil:
		if q != nil {
			return invalid("Query variant is missing")
		}
		return nil
	}
	return unserved("this kind of query")
}

func (s *stage) parseNearest(v *qdrant.VectorInput) error {
	s.kind, s.vector = nearest, v
	switch k := v.GetVariant().(type) {
	case *qdrant.VectorInput_Id:
		id, err := parseID(k.Id)
		s.id = &id
		return err
	case *qdrant.VectorInput_Dense, *qdrant.VectorInput_Sparse, *qdrant.VectorInput_MultiDense:
		return nil
	case nil:
		return invalid("VectorInput variant is missing")
	}
	return unserved("inference")
}
