package store

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// ToPayload converts a payload of Go values: nil, bool, integers, floats, strings,
// json.Number, time.Time (as RFC 3339 with nanoseconds), and slices and maps of
// them. An integer stays an integer; nil stays a null. Anything else, a NaN or an
// infinity is an error that names the path.
func ToPayload(payload map[string]any) (map[string]*qdrant.Value, error) {
	out := make(map[string]*qdrant.Value, len(payload))
	for key, v := range payload {
		value, err := ToValue(v)
		if err != nil {
			return nil, fmt.Errorf("payload field %q: %w", key, err)
		}
		out[key] = value
	}
	return out, nil
}

// ToValue converts one Go value as ToPayload does.
func ToValue(v any) (*qdrant.Value, error) {
	switch v := v.(type) {
	case nil:
		return qdrant.NewValueNull(), nil
	case *qdrant.Value:
		return v, nil
	case bool:
		return qdrant.NewValueBool(v), nil
	case string:
		return qdrant.NewValueString(v), nil
	case time.Time:
		return qdrant.NewValueString(v.Format(time.RFC3339Nano)), nil
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return qdrant.NewValueInt(n), nil
		}
		f, err := v.Float64()
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", v)
		}
		return double(f)
	case map[string]any:
		fields, err := ToPayload(v)
		if err != nil {
			return nil, err
		}
		return qdrant.NewValueStruct(&qdrant.Struct{Fields: fields}), nil
	case map[string]string:
		return mapping(v)
	case float64:
		return double(v)
	case float32:
		return double(float64(v))
	}
	if list, ok, err := list(v); ok || err != nil {
		return list, err
	}
	return integer(v)
}

func double(f float64) (*qdrant.Value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("%v has no place in a payload", f)
	}
	return qdrant.NewValueDouble(f), nil
}

func integer(v any) (*qdrant.Value, error) {
	switch v := v.(type) {
	case int:
		return qdrant.NewValueInt(int64(v)), nil
	case int8:
		return qdrant.NewValueInt(int64(v)), nil
	case int16:
		return qdrant.NewValueInt(int64(v)), nil
	case int32:
		return qdrant.NewValueInt(int64(v)), nil
	case int64:
		return qdrant.NewValueInt(v), nil
	case uint8:
		return qdrant.NewValueInt(int64(v)), nil
	case uint16:
		return qdrant.NewValueInt(int64(v)), nil
	case uint32:
		return qdrant.NewValueInt(int64(v)), nil
	case uint:
		return unsigned(uint64(v))
	case uint64:
		return unsigned(v)
	}
	return nil, fmt.Errorf("a %T has no place in a payload", v)
}

func unsigned(v uint64) (*qdrant.Value, error) {
	if v > math.MaxInt64 {
		return nil, fmt.Errorf("%d is over the largest integer of a payload", v)
	}
	return qdrant.NewValueInt(int64(v)), nil
}

// list converts the slices that payloads are made of; ok is false for any other value.
func list(v any) (value *qdrant.Value, ok bool, err error) {
	switch v := v.(type) {
	case []any:
		return elements(v)
	case []string:
		return elements(v)
	case []int:
		return elements(v)
	case []int64:
		return elements(v)
	case []float64:
		return elements(v)
	case []bool:
		return elements(v)
	case []map[string]any:
		return elements(v)
	}
	return nil, false, nil
}

func elements[T any](items []T) (*qdrant.Value, bool, error) {
	values := make([]*qdrant.Value, len(items))
	for i, item := range items {
		value, err := ToValue(item)
		if err != nil {
			return nil, true, fmt.Errorf("element %d: %w", i, err)
		}
		values[i] = value
	}
	return qdrant.NewValueList(&qdrant.ListValue{Values: values}), true, nil
}

func mapping(m map[string]string) (*qdrant.Value, error) {
	fields := make(map[string]*qdrant.Value, len(m))
	for k, v := range m {
		fields[k] = qdrant.NewValueString(v)
	}
	return qdrant.NewValueStruct(&qdrant.Struct{Fields: fields}), nil
}

// FromPayload converts back: integers become int64, other numbers float64, lists
// []any, objects map[string]any, null nil.
func FromPayload(payload map[string]*qdrant.Value) map[string]any {
	out := make(map[string]any, len(payload))
	for k, v := range payload {
		out[k] = FromValue(v)
	}
	return out
}

// FromValue converts one value as FromPayload does.
func FromValue(v *qdrant.Value) any {
	switch k := v.GetKind().(type) {
	case *qdrant.Value_BoolValue:
		return k.BoolValue
	case *qdrant.Value_IntegerValue:
		return k.IntegerValue
	case *qdrant.Value_DoubleValue:
		return k.DoubleValue
	case *qdrant.Value_StringValue:
		return k.StringValue
	case *qdrant.Value_ListValue:
		out := make([]any, len(k.ListValue.GetValues()))
		for i, item := range k.ListValue.GetValues() {
			out[i] = FromValue(item)
		}
		return out
	case *qdrant.Value_StructValue:
		return FromPayload(k.StructValue.GetFields())
	}
	return nil
}
