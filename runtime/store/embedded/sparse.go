package embedded

import (
	"cmp"
	"math"
	"slices"
)

// sparseVector is sorted by index.
type sparseVector struct {
	indices []uint32
	values  []float32
}

func sortedSparse(indices []uint32, values []float32) *sparseVector {
	v := &sparseVector{indices: slices.Clone(indices), values: slices.Clone(values)}
	if slices.IsSorted(v.indices) {
		return v
	}
	order := make([]int, len(indices))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(indices[a], indices[b]) })
	for to, from := range order {
		v.indices[to], v.values[to] = indices[from], values[from]
	}
	return v
}

// sparseVectors holds the sparse vectors of one name: by slot, and inverted.
//
// The lists of the inverted index are only appended to. An entry counts as long as
// its round is the slot's; a slot whose vector goes or changes begins a new round,
// and a list of which most entries are dead is swept.
type sparseVectors struct {
	vectors []*sparseVector // by slot; nil: none
	rounds  []uint32
	lists   map[uint32]*termList
	filled  int // slots whose vector has an entry: N of IDF
}

type termList struct {
	entries []termEntry
	live    int // df of IDF
}

type termEntry struct {
	slot, round uint32
	weight      float32
}

func newSparseVectors() *sparseVectors { return &sparseVectors{lists: map[uint32]*termList{}} }

func (s *sparseVectors) set(slot uint32, v *sparseVector) {
	s.remove(slot)
	for uint32(len(s.vectors)) <= slot {
		s.vectors = append(s.vectors, nil)
		s.rounds = append(s.rounds, 0)
	}
	s.vectors[slot] = v
	if len(v.indices) > 0 {
		s.filled++
	}
	for i, term := range v.indices {
		list := s.lists[term]
		if list == nil {
			list = &termList{}
			s.lists[term] = list
		}
		list.entries = append(list.entries, termEntry{slot, s.rounds[slot], v.values[i]})
		list.live++
	}
}

func (s *sparseVectors) remove(slot uint32) {
	v := s.get(slot)
	if v == nil {
		return
	}
	s.vectors[slot] = nil
	s.rounds[slot]++
	if len(v.indices) > 0 {
		s.filled--
	}
	for _, term := range v.indices {
		list := s.lists[term]
		list.live--
		if list.live == 0 {
			delete(s.lists, term)
		} else if len(list.entries) > 2*list.live+16 {
			list.entries = slices.DeleteFunc(list.entries, func(e termEntry) bool { return s.rounds[e.slot] != e.round })
		}
	}
}

func (s *sparseVectors) get(slot uint32) *sparseVector {
	if slot >= uint32(len(s.vectors)) {
		return nil
	}
	return s.vectors[slot]
}

// idf weighs a query by how rare its terms are in the whole collection:
// ln(1 + (N − df + ½)/(df + ½)).
func (s *sparseVectors) idf(query *sparseVector) *sparseVector {
	out := &sparseVector{indices: query.indices, values: make([]float32, len(query.values))}
	n := float64(s.filled)
	for i, term := range query.indices {
		df := 0.0
		if list := s.lists[term]; list != nil {
			df = float64(list.live)
		}
		out.values[i] = query.values[i] * float32(math.Log(1+(n-df+0.5)/(df+0.5)))
	}
	return out
}

// overlap is the dot product of two vectors; ok is false if they share no index.
func (v *sparseVector) overlap(w *sparseVector) (score float32, ok bool) {
	i, j := 0, 0
	for i < len(v.indices) && j < len(w.indices) {
		switch a, b := v.indices[i], w.indices[j]; {
		case a < b:
			i++
		case a > b:
			j++
		default:
			score += v.values[i] * w.values[j]
			ok = true
			i++
			j++
		}
	}
	return score, ok
}
