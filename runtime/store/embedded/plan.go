package embedded

import (
	"math"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// plan turns a filter into a predicate over the collection's slots, by its indexes
// where they decide and by the payloads where not. It needs the read lock for as
// long as the predicate is used. A nil filter gives always.
func (c *collection) plan(f *filter) predicate {
	if f == nil {
		return always()
	}
	tests := make([]predicate, 0, len(f.must)+len(f.mustNot)+2)
	for _, cond := range f.must {
		tests = append(tests, c.planCondition(cond))
	}
	if len(f.should) > 0 {
		tests = append(tests, some(c.planAll(f.should), 1))
	}
	if len(f.atLeast) > 0 {
		tests = append(tests, some(c.planAll(f.atLeast), f.least))
	}
	for _, cond := range f.mustNot {
		tests = append(tests, not(c.planCondition(cond)))
	}
	return all(tests)
}

func (c *collection) planAll(conditions []condition) []predicate {
	out := make([]predicate, len(conditions))
	for i, cond := range conditions {
		out[i] = c.planCondition(cond)
	}
	return out
}

func (c *collection) planCondition(cond condition) predicate {
	switch cond.kind {
	case groupKind:
		return c.plan(cond.filter)
	case hasIDKind:
		return c.planIDs(cond.ids)
	case hasVectorKind:
		return predicate{check: func(slot uint32) bool { return c.hasVector(cond.vector, slot) }}
	case isEmptyKind, isNullKind:
		if x := c.indexes[cond.path.String()]; x != nil {
			if cond.kind == isNullKind {
				return ofBitmap(x.nulls)
			}
			return c.outside(x.filled)
		}
	case fieldKind:
		if x := c.indexes[cond.path.String()]; x != nil && cond.field.single() {
			if p, ok := c.planField(x, cond.field); ok {
				return p
			}
		}
	}
	return c.planPayload(cond)
}

// planPayload tests the payload itself.
func (c *collection) planPayload(cond condition) predicate {
	return predicate{check: func(slot uint32) bool {
		in := checker{fields: decodePayload(c.payloads[slot]), texts: c.textIndex, slot: slot}
		return in.condition(cond)
	}}
}

func (c *collection) textIndex(at path) *textIndex {
	if x := c.indexes[at.String()]; x != nil {
		return x.words
	}
	return nil
}

func (c *collection) planIDs(ids []pointID) predicate {
	slots := roaring.New()
	for _, id := range ids {
		if slot, ok := c.slotOf[id]; ok {
			slots.Add(slot)
		}
	}
	return ofBitmap(slots)
}

// outside holds for the points that are not in the bitmap.
func (c *collection) outside(b *roaring.Bitmap) predicate {
	return predicate{
		known:  true,
		size:   len(c.slotOf) - int(b.GetCardinality()),
		check:  func(slot uint32) bool { return !b.Contains(slot) },
		bitmap: func() *roaring.Bitmap { return roaring.AndNot(c.live, b) },
	}
}

// planField lets an index decide a field condition with a single test; ok is false
// if this kind of index cannot.
func (c *collection) planField(x *fieldIndex, f *fieldTest) (p predicate, ok bool) {
	switch {
	case f.isEmpty != nil:
		if *f.isEmpty {
			return c.outside(x.filled), true
		}
		return ofBitmap(x.filled), true
	case f.isNull != nil:
		if *f.isNull {
			return ofBitmap(x.nulls), true
		}
		return c.outside(x.nulls), true
	case f.match != nil:
		return x.match(f.match)
	case f.numbers != nil:
		return x.numberRange(f.numbers)
	case f.dates != nil:
		return x.dateRange(f.dates)
	}
	return predicate{}, false
}

func (x *fieldIndex) match(m *matchTest) (p predicate, ok bool) {
	switch m.kind {
	case matchStrings:
		if x.keywords != nil {
			return x.keywords.any(m.strings), true
		}
		if x.uuids != nil && len(m.uuids) == len(m.strings) {
			return x.uuids.any(m.uuids), true
		}
	case exceptStrings:
		if x.keywords != nil {
			return x.keywords.except(m.strings), true
		}
		if x.uuids != nil && len(m.uuids) == len(m.strings) {
			return x.uuids.except(m.uuids), true
		}
	case matchIntegers:
		if x.integers != nil {
			return x.integers.any(m.integers), true
		}
	case exceptIntegers:
		if x.integers != nil {
			return x.integers.except(m.integers), true
		}
	case matchTruth:
		if x.truths != nil {
			return x.truths.any([]bool{m.truth}), true
		}
	default:
		if x.words != nil {
			return x.words.match(m)
		}
	}
	return predicate{}, false
}

func (x *fieldIndex) numberRange(r *numberRange) (p predicate, ok bool) {
	switch {
	case x.numbers != nil:
		return x.numbers.within(floatBounds(r)), true
	case x.whole != nil:
		return x.whole.within(wholeBounds(r)), true
	case x.dates != nil:
		return x.dates.within(wholeBounds(r)), true
	}
	return predicate{}, false
}

func (x *fieldIndex) dateRange(r *dateRange) (p predicate, ok bool) {
	switch {
	case x.dates != nil:
		return x.dates.within(microBounds(r)), true
	case x.whole != nil:
		return x.whole.within(microBounds(r)), true
	case x.numbers != nil:
		b := microBounds(r)
		return x.numbers.within(bounds[float64]{from: asFloat(b.from), to: asFloat(b.to), fromOpen: b.fromOpen, toOpen: b.toOpen}), true
	}
	return predicate{}, false
}

func asFloat(v *int64) *float64 {
	if v == nil {
		return nil
	}
	f := float64(*v)
	return &f
}

// floatBounds keeps the tighter of gt and gte, and of lt and lte. A NaN below
// holds nothing, one above is no bound.
func floatBounds(r *numberRange) bounds[float64] {
	var b bounds[float64]
	for _, end := range []struct {
		at          *float64
		lower, open bool
	}{{r.gte, true, false}, {r.gt, true, true}, {r.lte, false, false}, {r.lt, false, true}} {
		switch {
		case end.at == nil:
		case math.IsNaN(*end.at):
			b.impossible = b.impossible || end.lower
		case end.lower && (b.from == nil || *end.at >= *b.from):
			b.from, b.fromOpen = end.at, end.open
		case !end.lower && (b.to == nil || *end.at <= *b.to):
			b.to, b.toOpen = end.at, end.open
		}
	}
	return b
}

// wholeBounds are floatBounds for whole numbers: a bound between two of them moves
// to the one inside.
func wholeBounds(r *numberRange) bounds[int64] {
	f := floatBounds(r)
	b := bounds[int64]{impossible: f.impossible, fromOpen: f.fromOpen, toOpen: f.toOpen}
	if f.from != nil {
		at := math.Ceil(*f.from)
		if at != *f.from {
			b.fromOpen = false
		}
		if at >= 1<<63 {
			b.impossible = true
		} else if at >= -(1 << 63) {
			v := int64(at)
			b.from = &v
		}
	}
	if f.to != nil {
		at := math.Floor(*f.to)
		if at != *f.to {
			b.toOpen = false
		}
		if at < -(1 << 63) {
			b.impossible = true
		} else if at < 1<<63 {
			v := int64(at)
			b.to = &v
		}
	}
	return b
}

// microBounds compares as a datetime index does: in microseconds.
func microBounds(r *dateRange) bounds[int64] {
	var b bounds[int64]
	for _, end := range []struct {
		at          *time.Time
		lower, open bool
	}{{r.gte, true, false}, {r.gt, true, true}, {r.lte, false, false}, {r.lt, false, true}} {
		if end.at == nil {
			continue
		}
		v := end.at.UnixMicro()
		if end.lower && (b.from == nil || v >= *b.from) {
			b.from, b.fromOpen = &v, end.open
		} else if !end.lower && (b.to == nil || v <= *b.to) {
			b.to, b.toOpen = &v, end.open
		}
	}
	return b
}
