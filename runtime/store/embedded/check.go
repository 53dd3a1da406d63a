package embedded

import (
	"slices"
	"strings"

	"github.com/qdrant/go-client/qdrant"
)

// checker tests payloads themselves, where no index decides: for a whole point, or
// for one object of an array under a nested condition. Even then a text index
// lends its tokenizer.
type checker struct {
	fields map[string]*qdrant.Value
	texts  func(path) *textIndex // nil where the field has none
	prefix path                  // of the object that is tested, nil for the point
	slot   uint32
	point  func(condition, uint32) bool // decides hasID and hasVector; nil inside nested, where they never hold
}

// filter tests a filter; nil holds.
func (c checker) filter(f *filter) bool {
	if f == nil {
		return true
	}
	for i := range f.must {
		if !c.condition(f.must[i]) {
			return false
		}
	}
	for i := range f.mustNot {
		if c.condition(f.mustNot[i]) {
			return false
		}
	}
	return c.count(f.should, min(len(f.should), 1)) && c.count(f.atLeast, f.leastOf())
}

// leastOf is how many of atLeast must hold.
func (f *filter) leastOf() int {
	if len(f.atLeast) == 0 {
		return 0
	}
	return f.least
}

func (c checker) count(conditions []condition, least int) bool {
	if least <= 0 {
		return true
	}
	met := 0
	for i := range conditions {
		if c.condition(conditions[i]) {
			if met++; met == least {
				return true
			}
		}
	}
	return false
}

func (c checker) condition(cond condition) bool {
	switch cond.kind {
	case groupKind:
		return c.filter(cond.filter)
	case isEmptyKind:
		return empty(cond.path.values(c.fields))
	case isNullKind:
		return slices.ContainsFunc(cond.path.values(c.fields), isNull)
	case nestedKind:
		return c.nested(cond)
	case fieldKind:
		return c.field(cond)
	}
	return c.point != nil && c.point(cond, c.slot)
}

func (c checker) nested(cond condition) bool {
	for _, v := range cond.path.values(c.fields) {
		object := v.GetStructValue()
		if object == nil {
			continue
		}
		inner := checker{fields: object.GetFields(), texts: c.texts, prefix: c.prefix.join(cond.path), slot: c.slot}
		if inner.filter(cond.filter) {
			return true
		}
	}
	return false
}

func (c checker) field(cond condition) bool {
	values := cond.path.values(c.fields)
	f := cond.field
	if len(values) == 0 {
		switch {
		case f.count != nil:
			return false
		case f.isEmpty != nil:
			return *f.isEmpty
		case f.isNull != nil:
			return !*f.isNull
		}
		return false
	}
	var index *textIndex
	if f.match != nil && f.match.kind >= matchText {
		index = c.texts(c.prefix.join(cond.path))
	}
	return slices.ContainsFunc(values, func(v *qdrant.Value) bool { return f.holds(v, index) })
}

// holds tests one value at the path: counts, emptiness and nullness look at an
// array as a whole, all other tests at its elements.
func (f *fieldTest) holds(v *qdrant.Value, index *textIndex) bool {
	switch {
	case f.count != nil:
		return counted(f.count, v)
	case f.isEmpty != nil:
		return empty([]*qdrant.Value{v}) == *f.isEmpty
	case f.isNull != nil:
		return holdsNull(v) == *f.isNull
	}
	return !flat([]*qdrant.Value{v}, func(item *qdrant.Value) bool { return !f.element(item, index) })
}

// holdsNull reports whether a value is null or an array with a null.
func holdsNull(v *qdrant.Value) bool {
	return isNull(v) || slices.ContainsFunc(v.GetListValue().GetValues(), isNull)
}

func (f *fieldTest) element(v *qdrant.Value, index *textIndex) bool {
	if f.match != nil && f.match.holds(v, index) {
		return true
	}
	if f.numbers != nil {
		if n, ok := number(v); ok && f.numbers.hold(n) {
			return true
		}
	}
	if f.dates != nil {
		if t, ok := date(v); ok && f.dates.hold(t) {
			return true
		}
	}
	if f.geo != nil {
		if p, ok := geoPoint(v); ok && f.geo.holds(p) {
			return true
		}
	}
	return false
}

func counted(c *qdrant.ValuesCount, v *qdrant.Value) bool {
	n := uint64(1)
	switch {
	case isNull(v):
		n = 0
	case isArray(v):
		n = uint64(len(v.GetListValue().GetValues()))
	}
	return (c.Gt == nil || n > *c.Gt) && (c.Gte == nil || n >= *c.Gte) && (c.Lt == nil || n < *c.Lt) && (c.Lte == nil || n <= *c.Lte)
}

// holds compares one value without an index; a text index, if there is one, only
// says what the words are.
func (m *matchTest) holds(v *qdrant.Value, index *textIndex) bool {
	switch m.kind {
	case matchTruth:
		b, ok := truth(v)
		return ok && b == m.truth
	case matchStrings:
		s, ok := text(v)
		return ok && slices.Contains(m.strings, s)
	case matchIntegers:
		k, ok := v.GetKind().(*qdrant.Value_IntegerValue)
		return ok && slices.Contains(m.integers, k.IntegerValue)
	case exceptStrings:
		s, ok := text(v)
		return !isNull(v) && !(ok && slices.Contains(m.strings, s))
	case exceptIntegers:
		k, ok := v.GetKind().(*qdrant.Value_IntegerValue)
		return !isNull(v) && !(ok && slices.Contains(m.integers, k.IntegerValue))
	}
	s, ok := text(v)
	if !ok {
		return false
	}
	if index != nil {
		return index.holds(m, s)
	}
	if m.kind != matchTextAny {
		return strings.Contains(s, m.words)
	}
	return slices.ContainsFunc(strings.Fields(m.words), func(word string) bool { return strings.Contains(s, word) })
}
