package embedded

import (
	"cmp"
	"container/heap"
	"slices"
)

// top keeps the best hits of a search. Equal scores are ordered by id, so that the
// same search always answers the same.
type top struct {
	limit     int
	ascending bool // smaller scores are better
	ids       []pointID
	hits      []hit // a heap, the worst first
}

// better orders hits: by score, NaN above all numbers, then by id.
func (t *top) better(a, b hit) int {
	by := compareScores(b.score, a.score)
	if t.ascending {
		by = -by
	}
	if by != 0 {
		return by
	}
	return t.ids[a.slot].compare(t.ids[b.slot])
}

// compareScores puts NaN above all numbers.
func compareScores(a, b float32) int {
	switch {
	case a == b:
		return 0
	case a != a && b != b:
		return 0
	case a != a:
		return 1
	case b != b:
		return -1
	}
	return cmp.Compare(a, b)
}

func (t *top) Len() int           { return len(t.hits) }
func (t *top) Less(i, j int) bool { return t.better(t.hits[i], t.hits[j]) > 0 }
func (t *top) Swap(i, j int)      { t.hits[i], t.hits[j] = t.hits[j], t.hits[i] }
func (t *top) Push(x any)         { t.hits = append(t.hits, x.(hit)) }
func (t *top) Pop() any {
	last := t.hits[len(t.hits)-1]
	t.hits = t.hits[:len(t.hits)-1]
	return last
}

func (t *top) offer(h hit) {
	switch {
	case t.limit <= 0:
	case len(t.hits) < t.limit:
		heap.Push(t, h)
	case t.better(h, t.hits[0]) < 0:
		t.hits[0] = h
		heap.Fix(t, 0)
	}
}

// sorted is the hits, best first.
func (t *top) sorted() []hit {
	slices.SortFunc(t.hits, t.better)
	return t.hits
}
