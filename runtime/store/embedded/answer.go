package embedded

import (
	"github.com/qdrant/go-client/qdrant"
)

// session is what the queries of one request share: the collection, under its read
// lock, and the points that their filters admit. The channels of a question bear
// the same filter, and so it is worked out once.
type session struct {
	*collection
	admitted map[string]*candidates // by the filter's key
}

func (c *collection) session() *session {
	return &session{collection: c, admitted: map[string]*candidates{}}
}

// candidates are the slots that a filter admits: listed, and as a set.
type candidates struct {
	slots []uint32
	set   []uint64 // bits by slot
}

func (s *candidates) has(slot uint32) bool { return s.set[slot/64]&(1<<(slot%64)) != 0 }

// admit lists the slots that a filter admits.
func (c *session) admit(f *filter) *candidates {
	if out := c.admitted[f.key]; out != nil && f.key != "" {
		return out
	}
	out := &candidates{set: make([]uint64, len(c.ids)/64+1)}
	c.each(c.plan(f), func(slot uint32) bool {
		out.slots = append(out.slots, slot)
		out.set[slot/64] |= 1 << (slot % 64)
		return true
	})
	if f.key != "" {
		c.admitted[f.key] = out
	}
	return out
}

// answer runs a query. The points whose own vectors are asked with are left out of
// everything.
func (c *session) answer(q *rootQuery) ([]hit, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	if err := c.known(q.vectors); err != nil {
		return nil, err
	}
	ids, err := c.references(&q.stage)
	if err != nil {
		return nil, err
	}
	root := q.stage
	root.filter = without(root.filter, ids)
	root.limit += q.offset
	hits, err := c.run(&root, nil)
	if err != nil {
		return nil, err
	}
	return hits[min(q.offset, len(hits)):], nil
}

// check refuses combinations that mean nothing, in a stage and in its prefetches.
func (s *stage) check() error {
	switch {
	case len(s.prefetch) > 0 && s.kind == byID:
		return badRequest("A query is needed to merge the prefetches. Can't have prefetches without defining a query.")
	case s.threshold != nil && s.kind == orderBy:
		return badRequest("Can't use score_threshold with an order_by query.")
	case s.threshold != nil && s.kind == byID:
		return badRequest("A query is needed to use the score_threshold. Can't have score_threshold without defining a query.")
	case s.fuses() && s.using != "":
		return badRequest("Fusion queries cannot be combined with the 'using' field.")
	}
	for _, p := range s.prefetch {
		if err := p.check(); err != nil {
			return err
		}
	}
	return s.checkFusion()
}

func (s *stage) checkFusion() error {
	switch {
	case s.fuses() && len(s.prefetch) == 0:
		return wrongInput("Validation failed: cannot apply Fusion without prefetches")
	case s.weights != nil && len(s.weights) != len(s.prefetch):
		return wrongInput("Validation failed: RRF weights length (%d) does not match number of prefetches (%d)", len(s.weights), len(s.prefetch))
	}
	return nil
}

// references lists the points whose vectors a query asks with.
func (c *collection) references(s *stage) ([]pointID, error) {
	var out []pointID
	if s.id != nil {
		if _, ok := c.slotOf[*s.id]; !ok {
			return nil, noPoint(*s.id)
		}
		out = append(out, *s.id)
	}
	for _, p := range s.prefetch {
		ids, err := c.references(p)
		if err != nil {
			return nil, err
		}
		out = append(out, ids...)
	}
	return out, nil
}

// run answers a stage: from the whole collection, or from what its prefetches found.
// The outer filter holds in every prefetch.
func (c *session) run(s *stage, outer *filter) ([]hit, error) {
	f := both(outer, s.filter)
	if len(s.prefetch) == 0 {
		return c.runLeaf(s, f)
	}
	lists := make([][]hit, len(s.prefetch))
	for i, p := range s.prefetch {
		list, err := c.run(p, f)
		if err != nil {
			return nil, err
		}
		lists[i] = list
	}
	switch s.kind {
	case rrfFusion:
		return s.cut(c.rrf(lists, s.k, s.weights)), nil
	case dbsfFusion:
		return s.cut(c.dbsf(lists)), nil
	}
	var found []pointID
	for _, list := range lists {
		for _, h := range list {
			found = append(found, c.ids[h.slot])
		}
	}
	return c.runLeaf(s, &filter{must: []condition{{kind: hasIDKind, ids: found}}})
}

// cut applies threshold and limit to fused hits: a score equal to it stays.
func (s *stage) cut(hits []hit) []hit {
	if s.threshold != nil {
		n := 0
		for n < len(hits) && hits[n].score >= *s.threshold {
			n++
		}
		hits = hits[:n]
	}
	return hits[:min(s.limit, len(hits))]
}

// runLeaf searches the collection.
func (c *session) runLeaf(s *stage, f *filter) ([]hit, error) {
	switch s.kind {
	case nearest:
		t, err := c.target(s)
		if err != nil {
			return nil, err
		}
		return c.nearest(s.using, t, f, s.threshold, s.limit)
	case orderBy:
		return c.ordered(s.order, c.plan(f), s.limit)
	}
	slots, _ := c.page(f, nil, s.limit)
	hits := make([]hit, len(slots))
	for i, slot := range slots {
		hits[i] = hit{slot: slot, score: 1}
	}
	return hits, nil
}

// target reads what a nearest query compares with.
func (c *collection) target(s *stage) (target, error) {
	switch k := s.vector.GetVariant().(type) {
	case *qdrant.VectorInput_Dense:
		return target{dense: components(k.Dense.GetData())}, nil
	case *qdrant.VectorInput_Sparse:
		return target{sparse: &sparseVector{indices: k.Sparse.GetIndices(), values: k.Sparse.GetValues()}}, nil
	case *qdrant.VectorInput_MultiDense:
		if c.dense[s.using] == nil && c.sparse[s.using] == nil {
			return target{}, noVector(s.using)
		}
		return target{}, wrongInput("Conversion between multi and regular vectors failed")
	}
	slot := c.slotOf[*s.id]
	if d := c.dense[s.using]; d != nil && d.get(slot) != nil {
		return target{dense: d.get(slot)}, nil
	}
	if sp := c.sparse[s.using]; sp != nil && sp.get(slot) != nil {
		return target{sparse: sp.get(slot)}, nil
	}
	if c.dense[s.using] == nil && c.sparse[s.using] == nil {
		return target{}, noVector(s.using)
	}
	return target{}, notFound("Vector with name %q for point not found", s.using)
}

// strictRoot checks a query against strict mode.
func (c *collection) strictRoot(q *rootQuery, timeout *uint64) error {
	config := c.strict()
	if config == nil {
		return nil
	}
	if err := c.strictTimeout(timeout); err != nil {
		return err
	}
	return c.strictStage(config, &q.stage)
}

// strictStage checks the prefetches before the stage itself.
func (c *collection) strictStage(config *qdrant.StrictModeConfig, s *stage) error {
	for _, p := range s.prefetch {
		if err := c.strictStage(config, p); err != nil {
			return err
		}
	}
	if err := strictLimit(uint64(s.limit), config.MaxQueryLimit, "limit"); err != nil {
		return err
	}
	if err := c.strictFilter(config, s.filter, config.UnindexedFilteringRetrieve); err != nil {
		return err
	}
	return strictParams(config, s.params)
}
