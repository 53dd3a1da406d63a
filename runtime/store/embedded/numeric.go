package embedded

import (
	"cmp"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// numeric is an index for ranges and order: the values of each slot, and all
// values in ascending order. The order is brought up to date by the first reader
// after a write, so that loading many points costs one merge.
type numeric[T cmp.Ordered] struct {
	read   reader[T]
	column column[T]
	count  int // slots with a value

	mu      sync.Mutex
	sorted  []entry[T]
	pending map[entry[T]]bool // changes that sorted lacks: true = there, false = gone
}

type entry[T cmp.Ordered] struct {
	value T
	slot  uint32
}

func (a entry[T]) compare(b entry[T]) int {
	if c := cmp.Compare(a.value, b.value); c != 0 {
		return c
	}
	return cmp.Compare(a.slot, b.slot)
}

func newNumeric[T cmp.Ordered](read reader[T]) *numeric[T] {
	return &numeric[T]{read: read, pending: map[entry[T]]bool{}}
}

func (n *numeric[T]) add(slot uint32, values []T) {
	n.column.set(slot, values)
	kept := n.column.get(slot)
	if len(kept) > 0 {
		n.count++
	}
	for _, v := range kept {
		n.pending[entry[T]{v, slot}] = true
	}
}

func (n *numeric[T]) remove(slot uint32) {
	kept := n.column.get(slot)
	if len(kept) > 0 {
		n.count--
	}
	for _, v := range kept {
		n.pending[entry[T]{v, slot}] = false
	}
	n.column.set(slot, nil)
}

// order lists all values, ascending, and by slot where equal. Readers hold the
// collection's read lock, so nothing is added meanwhile; the slice stays valid
// under it.
func (n *numeric[T]) order() []entry[T] {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.pending) == 0 {
		return n.sorted
	}
	fresh := make([]entry[T], 0, len(n.pending))
	for e, there := range n.pending {
		if there {
			fresh = append(fresh, e)
		}
	}
	slices.SortFunc(fresh, entry[T].compare)
	merged := make([]entry[T], 0, len(n.sorted)+len(fresh))
	for _, e := range n.sorted {
		if _, changed := n.pending[e]; changed {
			continue
		}
		for len(fresh) > 0 && fresh[0].compare(e) < 0 {
			merged, fresh = append(merged, fresh[0]), fresh[1:]
		}
		merged = append(merged, e)
	}
	n.sorted = append(merged, fresh...)
	n.pending = map[entry[T]]bool{}
	return n.sorted
}

// bounds is a range; a nil end is open.
type bounds[T cmp.Ordered] struct {
	from, to         *T
	fromOpen, toOpen bool // the end itself is outside
	impossible       bool // a bound is not a number
}

func (b bounds[T]) hold(v T) bool {
	if b.impossible {
		return false
	}
	if b.from != nil && (v < *b.from || (b.fromOpen && v == *b.from)) {
		return false
	}
	return b.to == nil || (v <= *b.to && !(b.toOpen && v == *b.to))
}

// within is the predicate "a value in the range". How many values are in it is known
// exactly; the bitmap of their slots is made only if the planner asks for it.
func (n *numeric[T]) within(b bounds[T]) predicate {
	if b.impossible {
		return never()
	}
	in := n.span(b)
	return predicate{
		size:  len(in),
		known: true,
		check: func(slot uint32) bool { return n.column.some(slot, b.hold) },
		bitmap: func() *roaring.Bitmap {
			slots := make([]uint32, len(in))
			for i, e := range in {
				slots[i] = e.slot
			}
			return roaring.BitmapOf(slots...)
		},
	}
}

// span is the part of the order that is in the range.
func (n *numeric[T]) span(b bounds[T]) []entry[T] {
	all := n.order()
	lo, hi := 0, len(all)
	if b.from != nil {
		lo, _ = slices.BinarySearchFunc(all, *b.from, func(e entry[T], v T) int {
			if e.value < v || (b.fromOpen && e.value == v) {
				return -1
			}
			return 1
		})
	}
	if b.to != nil {
		hi, _ = slices.BinarySearchFunc(all, *b.to, func(e entry[T], v T) int {
			if e.value < v || (!b.toOpen && e.value == v) {
				return -1
			}
			return 1
		})
	}
	if hi < lo {
		return nil
	}
	return all[lo:hi]
}
