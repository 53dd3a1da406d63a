package retrieve

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// collect merges the channels' replies into candidates, and records each
// channel with the filter that its query carried.
func (s *search) collect(replies [][]*qdrant.ScoredPoint) ([]*candidate, []rag.Channel, error) {
	byID := map[string]*candidate{}
	var all []*candidate
	var channels []rag.Channel
	for i, points := range replies {
		q := s.queries[i]
		ch := rag.Channel{Name: s.names[i], Filter: sent(q.Filter), RRF: int(q.GetQuery().GetRrf().GetK())}
		for _, p := range q.Prefetch {
			ch.Prefetch = append(ch.Prefetch, sent(p.Filter))
		}
		for rank, p := range points {
			id := p.GetId().GetUuid()
			c := byID[id]
			if c == nil {
				chunk, err := Decode(p.Payload)
				if err != nil {
					return nil, nil, err
				}
				c = &candidate{hit: rag.Hit{Chunk: chunk, ID: id}}
				c.hit.Scores.Pinned = s.held(chunk.IDs)
				byID[id] = c
				all = append(all, c)
			}
			score := float64(p.GetScore())
			switch ch.Name {
			case denseChannel:
				c.dense, c.denseRank = &score, rank+1
			case lexicalChannel:
				c.lexical, c.lexicalRank = &score, rank+1
			}
			ch.Candidates = append(ch.Candidates, rag.Candidate{ID: id, Evidence: c.hit.Evidence(), Score: score})
		}
		channels = append(channels, ch)
	}
	return all, channels, nil
}

// sent is the filter as text, as it went out.
func sent(f *qdrant.Filter) string {
	b, err := protojson.Marshal(f)
	if err != nil {
		return ""
	}
	var v any // protojson varies its spacing on purpose; encoding/json does not
	if json.Unmarshal(b, &v) != nil {
		return string(b)
	}
	stable, _ := json.Marshal(v)
	return string(stable)
}

// complete scores, by id, the candidates that a channel did not propose: being
// just outside a channel's list is not a score of nothing.
func (r *Retriever) complete(ctx context.Context, s *search, cs []*candidate) error {
	var queries []*qdrant.QueryPoints
	var sinks []func(*candidate, float64)
	ask := func(missing func(*candidate) bool, q *qdrant.Query, using string, sink func(*candidate, float64)) {
		var ids []*qdrant.PointId
		for _, c := range cs {
			if missing(c) {
				ids = append(ids, qdrant.NewIDUUID(c.hit.ID))
				sink(c, 0)
			}
		}
		if len(ids) == 0 {
			return
		}
		n := uint64(len(ids))
		queries = append(queries, &qdrant.QueryPoints{CollectionName: r.scope.Collection, Query: q, Using: &using, Limit: &n, Filter: with(s.filter, qdrant.NewHasID(ids...))})
		sinks = append(sinks, sink)
	}
	ask(func(c *candidate) bool { return c.dense == nil }, qdrant.NewQueryDense(s.vector), store.DenseVector,
		func(c *candidate, v float64) { c.dense = &v })
	if len(s.indices) > 0 {
		ask(func(c *candidate) bool { return c.lexical == nil }, qdrant.NewQuerySparse(s.indices, s.values), store.SparseVector,
			func(c *candidate, v float64) { c.lexical = &v })
	}
	if len(queries) == 0 {
		return nil
	}
	replies, err := r.searcher.QueryBatch(ctx, r.scope.Collection, queries)
	if err != nil {
		return fmt.Errorf("score candidates by id in %s: %w", r.scope.Collection, err)
	}
	for i, points := range replies {
		for _, p := range points {
			for _, c := range cs {
				if c.hit.ID == p.GetId().GetUuid() {
					sinks[i](c, float64(p.GetScore()))
				}
			}
		}
	}
	return nil
}

// serveFused makes the store's own fusion, where it was asked for, the order
// that is served, and flags the first point of which ours says otherwise.
func (s *search) serveFused(hits []rag.Hit, replies [][]*qdrant.ScoredPoint) *rag.Flag {
	i := slices.Index(s.names, fusedChannel)
	if i < 0 {
		return nil
	}
	theirs := make(map[string]float64, len(replies[i]))
	for _, p := range replies[i] {
		theirs[p.GetId().GetUuid()] = float64(p.GetScore())
	}
	const tolerance = 1e-4 // float32 sums of two reciprocals differ far less
	var flag *rag.Flag
	for k := range hits {
		h := &hits[k]
		if d := theirs[h.ID] - h.Scores.Fused; flag == nil && (d > tolerance || d < -tolerance) {
			flag = &rag.Flag{Reason: FusionDisagrees, Detail: fmt.Sprintf("point %s: the store fused it to %.5f, the channels give %.5f", h.ID, theirs[h.ID], h.Scores.Fused)}
		}
		h.Scores.Fused = theirs[h.ID]
	}
	slices.SortFunc(hits, best)
	return flag
}
