package embedded

import (
	"runtime"
	"sync"
)

// target is what a nearest query compares with: exactly one of the two.
type target struct {
	dense  []float32
	sparse *sparseVector
}

// nearest finds the best limit points for a vector among those that meet a filter.
// A score must be beyond the threshold, not equal to it.
func (c *collection) nearest(using string, t target, f *filter, threshold *float32, limit int) ([]hit, error) {
	d, s := c.dense[using], c.sparse[using]
	switch {
	case d == nil && s == nil:
		return nil, noVector(using)
	case (d == nil) != (t.dense == nil):
		return nil, wrongInput("Conversion between sparse and regular vectors failed")
	case d != nil && len(t.dense) != d.dim:
		return nil, wrongDimension(d.dim, len(t.dense), "", false)
	case d != nil:
		return c.nearestDense(d, d.prepared(t.dense), f, threshold, limit), nil
	}
	query := sortedSparse(t.sparse.indices, t.sparse.values)
	if c.idf(using) {
		query = s.idf(query)
	}
	return c.nearestSparse(s, query, f, threshold, limit), nil
}

// scanSlots is how many vectors a worker compares at a time, at least: below that a
// second worker costs more than it brings.
const scanSlots = 8192

func (c *collection) nearestDense(d *denseVectors, query []float32, f *filter, threshold *float32, limit int) []hit {
	if f == nil {
		return c.scan(len(c.ids), d, limit, func(i int) uint32 { return uint32(i) }, query, threshold)
	}
	var slots []uint32
	c.each(c.plan(f), func(slot uint32) bool { slots = append(slots, slot); return true })
	return c.scan(len(slots), d, limit, func(i int) uint32 { return slots[i] }, query, threshold)
}

// scan compares the query with n slots, on as many processors as it is worth.
func (c *collection) scan(n int, d *denseVectors, limit int, slot func(int) uint32, query []float32, threshold *float32) []hit {
	workers := max(1, min(runtime.GOMAXPROCS(0), n/scanSlots))
	tops := make([]top, workers)
	var wg sync.WaitGroup
	for w := range workers {
		tops[w] = top{limit: limit, ascending: d.ascending(), ids: c.ids}
		part := func() {
			for i := n * w / workers; i < n*(w+1)/workers; i++ {
				at := slot(i)
				v := d.get(at)
				if v == nil {
					continue
				}
				if score := d.score(query, v); beyond(score, threshold, d.ascending()) {
					tops[w].offer(hit{slot: at, score: score})
				}
			}
		}
		if w == workers-1 {
			part()
		} else {
			wg.Go(part)
		}
	}
	wg.Wait()
	for _, t := range tops[1:] {
		for _, h := range t.hits {
			tops[0].offer(h)
		}
	}
	return tops[0].sorted()
}

func beyond(score float32, threshold *float32, ascending bool) bool {
	switch {
	case threshold == nil:
		return true
	case ascending:
		return score < *threshold
	}
	return compareScores(score, *threshold) > 0
}

// plainSparse is how many points a filter may admit for their sparse vectors to be
// compared one by one, as Qdrant does; then, and only then, a product of 0 over
// shared indices is a hit.
const plainSparse = 5000

func (c *collection) nearestSparse(s *sparseVectors, query *sparseVector, f *filter, threshold *float32, limit int) []hit {
	best := top{limit: limit, ids: c.ids}
	if len(query.indices) == 0 {
		return nil
	}
	if f == nil {
		c.accumulate(s, query, nil, threshold, &best)
		return best.sorted()
	}
	p := c.plan(f)
	var slots []uint32
	c.each(p, func(slot uint32) bool {
		slots = append(slots, slot)
		return len(slots) < plainSparse
	})
	if len(slots) == plainSparse {
		c.accumulate(s, query, p.check, threshold, &best)
		return best.sorted()
	}
	for _, slot := range slots {
		v := s.get(slot)
		if v == nil {
			continue
		}
		if score, ok := query.overlap(v); ok && beyond(score, threshold, false) {
			best.offer(hit{slot: slot, score: score})
		}
	}
	return best.sorted()
}

// accumulate adds up the query's inverted lists.
func (c *collection) accumulate(s *sparseVectors, query *sparseVector, admits func(uint32) bool, threshold *float32, best *top) {
	scores := make([]float32, len(s.vectors))
	met := make([]uint64, len(s.vectors)/64+1)
	var slots []uint32
	for i, term := range query.indices {
		list := s.lists[term]
		if list == nil {
			continue
		}
		weight := query.values[i]
		for _, e := range list.entries {
			if s.rounds[e.slot] != e.round {
				continue
			}
			if bit := uint64(1) << (e.slot % 64); met[e.slot/64]&bit == 0 {
				met[e.slot/64] |= bit
				slots = append(slots, e.slot)
			}
			scores[e.slot] += weight * e.weight
		}
	}
	for _, slot := range slots {
		if score := scores[slot]; score != 0 && beyond(score, threshold, false) && (admits == nil || admits(slot)) {
			best.offer(hit{slot: slot, score: score})
		}
	}
}
