package storetest

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// tolerance is the largest relative difference between two floats that are the same.
const tolerance = 1e-5

func near(a, b float64) bool {
	if a == b || (math.IsNaN(a) && math.IsNaN(b)) {
		return true
	}
	return math.Abs(a-b) <= tolerance*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// difference is the path and values of the first difference between two messages,
// or "".
func difference(path string, want, got protoreflect.Message) string {
	fields := want.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		at := path + "." + string(fd.Name())
		if want.Has(fd) != got.Has(fd) {
			plainFloat := fd.Kind() == protoreflect.FloatKind && !fd.IsList()
			if plainFloat && near(want.Get(fd).Float(), got.Get(fd).Float()) {
				continue // a score of almost 0 next to one of 0
			}
			return fmt.Sprintf("%s: present %v, got %v", at, want.Has(fd), got.Has(fd))
		}
		if !want.Has(fd) {
			continue
		}
		if d := fieldDifference(at, fd, want.Get(fd), got.Get(fd)); d != "" {
			return d
		}
	}
	return ""
}

func fieldDifference(at string, fd protoreflect.FieldDescriptor, want, got protoreflect.Value) string {
	switch {
	case fd.IsMap():
		return mapDifference(at, fd, want.Map(), got.Map())
	case fd.IsList():
		if want.List().Len() != got.List().Len() {
			return fmt.Sprintf("%s: %d items, got %d", at, want.List().Len(), got.List().Len())
		}
		for i := range want.List().Len() {
			if d := valueDifference(fmt.Sprintf("%s[%d]", at, i), fd, want.List().Get(i), got.List().Get(i)); d != "" {
				return d
			}
		}
		return ""
	}
	return valueDifference(at, fd, want, got)
}

func mapDifference(at string, fd protoreflect.FieldDescriptor, want, got protoreflect.Map) (out string) {
	if want.Len() != got.Len() {
		return fmt.Sprintf("%s: %d entries, got %d", at, want.Len(), got.Len())
	}
	want.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		if !got.Has(k) {
			out = fmt.Sprintf("%s[%s]: absent", at, k)
		} else {
			out = valueDifference(fmt.Sprintf("%s[%s]", at, k), fd.MapValue(), v, got.Get(k))
		}
		return out == ""
	})
	return out
}

func valueDifference(at string, fd protoreflect.FieldDescriptor, want, got protoreflect.Value) string {
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return difference(at, want.Message(), got.Message())
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		if near(want.Float(), got.Float()) {
			return ""
		}
	default:
		if want.Equal(got) {
			return ""
		}
	}
	return fmt.Sprintf("%s: %v, got %v", at, want, got)
}
