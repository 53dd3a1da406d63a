package embedded

import (
	"maps"
	"slices"
	"sync"
)

// idOrder lists the points' ids in order. Writes only note what changed; the next
// reader merges.
type idOrder struct {
	mu      sync.Mutex
	sorted  []pointID
	added   map[pointID]struct{}
	removed map[pointID]struct{}
}

func (o *idOrder) add(id pointID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.removed[id]; ok {
		delete(o.removed, id) // it is still in its place
		return
	}
	if o.added == nil {
		o.added = map[pointID]struct{}{}
	}
	o.added[id] = struct{}{}
}

func (o *idOrder) remove(id pointID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, fresh := o.added[id]; fresh {
		delete(o.added, id)
		return
	}
	if o.removed == nil {
		o.removed = map[pointID]struct{}{}
	}
	o.removed[id] = struct{}{}
}

// list is the ids, ascending. The slice is never changed afterwards.
func (o *idOrder) list() []pointID {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.added) == 0 && len(o.removed) == 0 {
		return o.sorted
	}
	added := slices.SortedFunc(maps.Keys(o.added), pointID.compare)
	merged := make([]pointID, 0, len(o.sorted)+len(added))
	for _, id := range o.sorted {
		if _, gone := o.removed[id]; gone {
			continue
		}
		for len(added) > 0 && added[0].compare(id) < 0 {
			merged, added = append(merged, added[0]), added[1:]
		}
		merged = append(merged, id)
	}
	o.sorted, o.added, o.removed = append(merged, added...), nil, nil
	return o.sorted
}

// from is the ids from start on.
func (o *idOrder) from(start *pointID) []pointID {
	ids := o.list()
	if start == nil {
		return ids
	}
	at, _ := slices.BinarySearchFunc(ids, *start, pointID.compare)
	return ids[at:]
}
