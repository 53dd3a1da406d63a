package embedded

import (
	"fmt"
	"math"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// isNull reports whether a value is null; one without a kind is.
func isNull(v *qdrant.Value) bool {
	switch v.GetKind().(type) {
	case nil, *qdrant.Value_NullValue:
		return true
	}
	return false
}

// isArray reports whether a value is an array, the empty one too.
func isArray(v *qdrant.Value) bool {
	_, ok := v.GetKind().(*qdrant.Value_ListValue)
	return ok
}

// flat calls yield with each value, the elements of an array one by one; arrays
// inside arrays are not entered. It stops when yield returns false.
func flat(values []*qdrant.Value, yield func(*qdrant.Value) bool) bool {
	for _, v := range values {
		if !isArray(v) {
			if !yield(v) {
				return false
			}
			continue
		}
		for _, item := range v.GetListValue().GetValues() {
			if !yield(item) {
				return false
			}
		}
	}
	return true
}

// empty reports whether nothing stands at a path: no value, null, or [].
func empty(values []*qdrant.Value) bool {
	for _, v := range values {
		if !isNull(v) && !(isArray(v) && len(v.GetListValue().GetValues()) == 0) {
			return false
		}
	}
	return true
}

// number reads an integer or a float.
func number(v *qdrant.Value) (float64, bool) {
	switch k := v.GetKind().(type) {
	case *qdrant.Value_IntegerValue:
		return float64(k.IntegerValue), true
	case *qdrant.Value_DoubleValue:
		return k.DoubleValue, true
	}
	return 0, false
}

// whole reads what an integer index takes: an integer, or a float without fraction.
func whole(v *qdrant.Value) (int64, bool) {
	switch k := v.GetKind().(type) {
	case *qdrant.Value_IntegerValue:
		return k.IntegerValue, true
	case *qdrant.Value_DoubleValue:
		f := k.DoubleValue
		if f == math.Trunc(f) && f >= -(1<<63) && f < 1<<63 {
			return int64(f), true
		}
	}
	return 0, false
}

func text(v *qdrant.Value) (string, bool) {
	k, ok := v.GetKind().(*qdrant.Value_StringValue)
	if !ok {
		return "", false
	}
	return k.StringValue, true
}

func truth(v *qdrant.Value) (value, ok bool) {
	k, ok := v.GetKind().(*qdrant.Value_BoolValue)
	if !ok {
		return false, false
	}
	return k.BoolValue, true
}

// checkPayload refuses numbers that JSON has no place for, and makes a value without
// a kind the null that it stands for.
func checkPayload(fields map[string]*qdrant.Value) error {
	for _, v := range fields {
		if err := checkValue(v); err != nil {
			return err
		}
	}
	return nil
}

func checkValue(v *qdrant.Value) error {
	switch k := v.GetKind().(type) {
	case nil:
		v.Kind = &qdrant.Value_NullValue{}
	case *qdrant.Value_DoubleValue:
		if math.IsNaN(k.DoubleValue) || math.IsInf(k.DoubleValue, 0) {
			return invalid("cannot convert to json number")
		}
	case *qdrant.Value_ListValue:
		for _, item := range k.ListValue.GetValues() {
			if err := checkValue(item); err != nil {
				return err
			}
		}
	case *qdrant.Value_StructValue:
		return checkPayload(k.StructValue.GetFields())
	}
	return nil
}

// A payload is kept as the bytes of a Struct: it is read far more rarely than it is
// passed by, and bytes cost the garbage collector nothing.

func encodePayload(fields map[string]*qdrant.Value) ([]byte, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	b, err := proto.Marshal(&qdrant.Struct{Fields: fields})
	if err != nil {
		return nil, fmt.Errorf("encode payload: %w", err)
	}
	return b, nil
}

// decodePayload gives a payload that the caller may change. The bytes are our own,
// so a failure is a broken memory and not an input.
func decodePayload(b []byte) map[string]*qdrant.Value {
	var s qdrant.Struct
	if err := proto.Unmarshal(b, &s); err != nil {
		panic(fmt.Sprintf("stored payload: %v", err))
	}
	if s.Fields == nil {
		return map[string]*qdrant.Value{}
	}
	return s.Fields
}
