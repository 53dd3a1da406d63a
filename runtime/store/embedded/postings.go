package embedded

import "github.com/RoaringBitmap/roaring/v2"

// postings is an index for equality: the slots of each value, and the values of
// each slot.
type postings[K comparable] struct {
	read   reader[K]
	slots  map[K]*roaring.Bitmap
	column column[K]
	count  int // slots with a value
}

func newPostings[K comparable](read reader[K]) *postings[K] {
	return &postings[K]{read: read, slots: map[K]*roaring.Bitmap{}}
}

func (p *postings[K]) add(slot uint32, values []K) {
	p.column.set(slot, values)
	kept := p.column.get(slot)
	if len(kept) > 0 {
		p.count++
	}
	for _, v := range kept {
		b := p.slots[v]
		if b == nil {
			b = roaring.New()
			p.slots[v] = b
		}
		b.Add(slot)
	}
}

func (p *postings[K]) remove(slot uint32) {
	kept := p.column.get(slot)
	if len(kept) > 0 {
		p.count--
	}
	for _, v := range kept {
		b := p.slots[v]
		b.Remove(slot)
		if b.IsEmpty() {
			delete(p.slots, v)
		}
	}
	p.column.set(slot, nil)
}

// any is the predicate "one of these values".
func (p *postings[K]) any(values []K) predicate {
	found := make([]*roaring.Bitmap, 0, len(values))
	for _, v := range values {
		if b := p.slots[v]; b != nil {
			found = append(found, b)
		}
	}
	if len(found) == 0 {
		return never()
	}
	union := found[0]
	if len(found) > 1 {
		union = roaring.FastOr(found...)
	}
	return ofBitmap(union)
}

// except is the predicate "a value outside these".
func (p *postings[K]) except(values []K) predicate {
	outside := make(map[K]struct{}, len(values))
	for _, v := range values {
		outside[v] = struct{}{}
	}
	return predicate{check: func(slot uint32) bool {
		return p.column.some(slot, func(v K) bool { _, listed := outside[v]; return !listed })
	}}
}
