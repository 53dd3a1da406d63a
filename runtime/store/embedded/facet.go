package embedded

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"
)

// facetLimit is how many values come if the request does not say.
const facetLimit = 10

// Facet counts how many points have each value of a field: the most frequent first,
// equals by value.
func (s *pointsService) Facet(_ context.Context, r *qdrant.FacetCounts) (*qdrant.FacetResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	v.notBlank("key", r.GetKey())
	v.filter("filter", r.GetFilter())
	atLeast(&v, "timeout", r.Timeout, 1)
	if err := v.err(); err != nil {
		return nil, err
	}
	key, err := parsePath(r.GetKey())
	if err != nil {
		return nil, err
	}
	f, err := parseFilter(r.GetFilter())
	if err != nil {
		return nil, err
	}
	limit := uint64(facetLimit)
	if r.Limit != nil {
		limit = r.GetLimit()
	}
	out := &qdrant.FacetResponse{}
	err = s.read(r.GetCollectionName(), func(c *collection) error {
		if config := c.strict(); config != nil {
			if err := c.strictTimeout(r.Timeout); err != nil {
				return err
			}
			if err := strictLimit(limit, config.MaxQueryLimit, "limit"); err != nil {
				return err
			}
			if err := c.strictFilter(config, f, config.UnindexedFilteringRetrieve); err != nil {
				return err
			}
		}
		if err := unsharded(r.GetShardKeySelector()); err != nil {
			return err
		}
		if limit > 0 { // nothing is asked for: not even an index is missed
			out.Hits, err = c.facet(key, f)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Hits = out.Hits[:min(uint64(len(out.Hits)), limit)]
	out.Time = elapsed(start)
	return out, nil
}

func (c *collection) facet(key path, f *filter) ([]*qdrant.FacetHit, error) {
	x := c.indexes[key.String()]
	if x == nil || !x.matches() {
		return nil, wrongInput("No appropriate index for faceting: `%s`. Please create one to facet on this field. "+
			"Check https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload schemas support Match conditions", key)
	}
	switch {
	case x.keywords != nil:
		return facets(c, x.keywords, f, strings.Compare, func(v string) *qdrant.FacetValue {
			return &qdrant.FacetValue{Variant: &qdrant.FacetValue_StringValue{StringValue: v}}
		}), nil
	case x.integers != nil:
		return facets(c, x.integers, f, cmp.Compare, func(v int64) *qdrant.FacetValue {
			return &qdrant.FacetValue{Variant: &qdrant.FacetValue_IntegerValue{IntegerValue: v}}
		}), nil
	case x.uuids != nil:
		return facets(c, x.uuids, f, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }, func(v uuid.UUID) *qdrant.FacetValue {
			return &qdrant.FacetValue{Variant: &qdrant.FacetValue_StringValue{StringValue: v.String()}}
		}), nil
	}
	return facets(c, x.truths, f, compareBool, func(v bool) *qdrant.FacetValue {
		return &qdrant.FacetValue{Variant: &qdrant.FacetValue_BoolValue{BoolValue: v}}
	}), nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func facets[K comparable](c *collection, p *postings[K], f *filter, compare func(a, b K) int, value func(K) *qdrant.FacetValue) []*qdrant.FacetHit {
	counts := make(map[K]uint64, len(p.slots))
	if f == nil {
		for v, slots := range p.slots {
			counts[v] = slots.GetCardinality()
		}
	} else {
		c.each(c.plan(f), func(slot uint32) bool {
			for _, v := range p.column.get(slot) {
				counts[v]++
			}
			return true
		})
	}
	values := make([]K, 0, len(counts))
	for v := range counts {
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b K) int {
		if by := cmp.Compare(counts[b], counts[a]); by != 0 {
			return by
		}
		return compare(a, b)
	})
	out := make([]*qdrant.FacetHit, len(values))
	for i, v := range values {
		out[i] = &qdrant.FacetHit{Value: value(v), Count: counts[v]}
	}
	return out
}
