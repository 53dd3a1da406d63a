package embedded

import (
	"runtime"
	"sync"

	"github.com/qdrant/go-client/qdrant"
)

// target is what a nearest query compares with: exactly one of the two.
type target struct {
	dense  []float32
	sparse *sparseVector
}

// nearest finds the best limit points for a vector among those that meet a filter.
// A score must be beyond the threshold, not equal to it.
func (c *session) nearest(using string, t target, f *filter, threshold *float32, limit int) ([]hit, error) {
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

func (c *session) nearestDense(d *denseVectors, query []float32, f *filter, threshold *float32, limit int) []hit {
	if f == nil {
		return c.scan(len(c.ids), d, limit, func(i int) uint32 { return uint32(i) }, query, threshold)
	}
	slots := c.admit(f).slots
	return c.scan(len(slots), d, limit, func(i int) uint32 { return slots[i] }, query, threshold)
}

// scan compares the query with n slots, on as many processors as it is worth.
func (c *collection) scan(n int, d *denseVectors, limit int, slot func(int) uint32, query []float32, threshold *float32) []hit {
	workers := max(1, min(runtime.GOMAXPROCS(0), n/scanSlots))
	scanners := make([]scanner, workers)
	var wg sync.WaitGroup
	for w := range workers {
		s := &scanners[w]
		*s = scanner{d: d, query: query, threshold: threshold, top: top{limit: limit, ascending: d.ascending(), ids: c.ids}}
		part := func() {
			for i := n * w / workers; i < n*(w+1)/workers; i++ {
				s.add(slot(i))
			}
			s.flush()
		}
		if w == workers-1 {
			part()
		} else {
			wg.Go(part)
		}
	}
	wg.Wait()
	best := &scanners[0].top
	for i := range scanners[1:] {
		for _, h := range scanners[i+1].top.hits {
			best.offer(h)
		}
	}
	return best.sorted()
}

// scanner compares vectors four at a time.
type scanner struct {
	d         *denseVectors
	query     []float32
	threshold *float32
	top       top

	rows  [4][]float32
	slots [4]uint32
	n     int
}

func (s *scanner) add(slot uint32) {
	v := s.d.get(slot)
	if v == nil {
		return
	}
	s.rows[s.n], s.slots[s.n] = v, slot
	if s.n++; s.n < len(s.rows) {
		return
	}
	if s.d.distance != qdrant.Distance_Cosine && s.d.distance != qdrant.Distance_Dot {
		s.flush()
		return
	}
	for i, score := range dots(s.query, &s.rows) {
		s.offer(s.slots[i], score)
	}
	s.n = 0
}

// flush compares what is left, one by one.
func (s *scanner) flush() {
	for i := range s.n {
		s.offer(s.slots[i], s.d.score(s.query, s.rows[i]))
	}
	s.n = 0
}

func (s *scanner) offer(slot uint32, score float32) {
	if beyond(score, s.threshold, s.top.ascending) {
		s.top.offer(hit{slot: slot, score: score})
	}
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

// plainSparse is how many points a filter may admit for Qdrant to compare their
// sparse vectors one by one; then, and only then, a product of 0 over shared indices
// is a hit.
const plainSparse = 5000

// mergeCost is how many entries of inverted lists are read in the time that merging
// a point's vector with the query takes.
const mergeCost = 120

func (c *session) nearestSparse(s *sparseVectors, query *sparseVector, f *filter, threshold *float32, limit int) []hit {
	best := top{limit: limit, ids: c.ids}
	if len(query.indices) == 0 {
		return nil
	}
	if f == nil {
		s.accumulate(query, nil, false, threshold, &best)
		return best.sorted()
	}
	admitted := c.admit(f)
	zeros := len(admitted.slots) < plainSparse
	if s.entries(query) <= mergeCost*len(admitted.slots) {
		s.accumulate(query, admitted, zeros, threshold, &best)
		return best.sorted()
	}
	for _, slot := range admitted.slots {
		v := s.get(slot)
		if v == nil {
			continue
		}
		score, shared := query.overlap(v)
		if shared && (score != 0 || zeros) && beyond(score, threshold, false) {
			best.offer(hit{slot: slot, score: score})
		}
	}
	return best.sorted()
}

// entries is how long the query's inverted lists are together.
func (s *sparseVectors) entries(query *sparseVector) int {
	n := 0
	for _, term := range query.indices {
		if list := s.lists[term]; list != nil {
			n += len(list.entries)
		}
	}
	return n
}

// accumulate adds up the query's inverted lists over the admitted points; nil is
// all. zeros lets sums of 0 be hits.
func (s *sparseVectors) accumulate(query *sparseVector, admitted *candidates, zeros bool, threshold *float32, best *top) {
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
			if (admitted != nil && !admitted.has(e.slot)) || s.rounds[e.slot] != e.round {
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
		if score := scores[slot]; (score != 0 || zeros) && beyond(score, threshold, false) {
			best.offer(hit{slot: slot, score: score})
		}
	}
}
