package embedded

// column keeps the values of one indexed field by slot: the other direction of a
// posting list. Most points have one value, which costs no allocation.
type column[T comparable] struct {
	head  []T
	count []uint8 // 0, 1, or 2 for several: then all of them are in many
	many  map[uint32][]T
}

// set replaces a slot's values; duplicates are dropped.
func (c *column[T]) set(slot uint32, values []T) {
	for uint32(len(c.count)) <= slot {
		var zero T
		c.head = append(c.head, zero)
		c.count = append(c.count, 0)
	}
	delete(c.many, slot)
	values = distinct(values)
	c.count[slot] = uint8(min(len(values), 2))
	var zero T
	c.head[slot] = zero
	switch len(values) {
	case 0:
	case 1:
		c.head[slot] = values[0]
	default:
		if c.many == nil {
			c.many = map[uint32][]T{}
		}
		c.many[slot] = values
	}
}

// get lists a slot's values; the slice is not the caller's to change.
func (c *column[T]) get(slot uint32) []T {
	if slot >= uint32(len(c.count)) {
		return nil
	}
	switch c.count[slot] {
	case 0:
		return nil
	case 1:
		return c.head[slot : slot+1]
	}
	return c.many[slot]
}

// some reports whether a value of the slot passes.
func (c *column[T]) some(slot uint32, passes func(T) bool) bool {
	for _, v := range c.get(slot) {
		if passes(v) {
			return true
		}
	}
	return false
}

// distinct drops repeated values; it may reorder nothing and may reuse the slice.
func distinct[T comparable](values []T) []T {
	if len(values) < 2 {
		return values
	}
	seen := make(map[T]struct{}, len(values))
	out := values[:0]
	for _, v := range values {
		if _, ok := seen[v]; !ok {
			seen[v] = struct{}{}
			out = append(out, v)
		}
	}
	return out
}
