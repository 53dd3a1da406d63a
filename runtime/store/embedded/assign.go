package embedded

import (
	"maps"

	"github.com/qdrant/go-client/qdrant"
)

// merge puts src's fields into dst; a null removes its field.
func merge(dst, src map[string]*qdrant.Value) {
	for key, v := range src {
		if isNull(v) {
			delete(dst, key)
		} else {
			dst[key] = v
		}
	}
}

// assign merges src into the object at the path, which is made if need be; what
// stands in its way is replaced. Without a path it merges at the top.
func assign(p path, dst, src map[string]*qdrant.Value) {
	if p == nil {
		merge(dst, src)
		return
	}
	dst[p[0].key] = assigned(p[1:], dst[p[0].key], src)
}

// assigned is v with src merged in at the path. It may change v.
func assigned(p path, v *qdrant.Value, src map[string]*qdrant.Value) *qdrant.Value {
	if len(p) == 0 || p[0].kind == keyStep {
		fields := v.GetStructValue().GetFields()
		if fields == nil {
			fields = map[string]*qdrant.Value{}
		}
		if len(p) == 0 {
			merge(fields, src)
		} else {
			fields[p[0].key] = assigned(p[1:], fields[p[0].key], src)
		}
		return qdrant.NewValueStruct(&qdrant.Struct{Fields: fields})
	}
	if _, ok := v.GetKind().(*qdrant.Value_ListValue); !ok {
		return qdrant.NewValueList(&qdrant.ListValue{})
	}
	items := v.GetListValue().GetValues()
	for i := range items {
		if p[0].kind == anyStep || p[0].index == i {
			items[i] = assigned(p[1:], items[i], src)
		}
	}
	return v
}

// remove deletes what stands at the path.
func remove(p path, fields map[string]*qdrant.Value) {
	if len(p) == 1 {
		delete(fields, p[0].key)
		return
	}
	if v, ok := fields[p[0].key]; ok {
		removeIn(p[1:], v)
	}
}

func removeIn(p path, v *qdrant.Value) {
	switch p[0].kind {
	case keyStep:
		if fields := v.GetStructValue().GetFields(); fields != nil {
			remove(p, fields)
		}
		return
	case indexStep, anyStep:
		removeItems(p, v.GetListValue())
	}
}

func removeItems(p path, list *qdrant.ListValue) {
	if list == nil {
		return
	}
	if len(p) > 1 {
		for i, item := range list.Values {
			if p[0].kind == anyStep || p[0].index == i {
				removeIn(p[1:], item)
			}
		}
		return
	}
	if p[0].kind == anyStep { // a single element cannot be removed: twice would remove two
		list.Values = nil
	}
}

// include keeps only what the paths lead to; an array that a path crosses without
// [] is left empty.
func include(fields map[string]*qdrant.Value, paths []path) map[string]*qdrant.Value {
	return filtered(nil, fields, func(at path) bool {
		for _, p := range paths {
			if prefixed(at, p) || prefixed(p, at) {
				return true
			}
		}
		return false
	})
}

// exclude leaves out what the paths lead to.
func exclude(fields map[string]*qdrant.Value, paths []path) map[string]*qdrant.Value {
	return filtered(nil, fields, func(at path) bool {
		for _, p := range paths {
			if prefixed(at, p) {
				return false
			}
		}
		return true
	})
}

// prefixed reports whether p begins with prefix.
func prefixed(p, prefix path) bool {
	if len(prefix) > len(p) {
		return false
	}
	for i := range prefix {
		if p[i] != prefix[i] {
			return false
		}
	}
	return true
}

func filtered(at path, fields map[string]*qdrant.Value, keep func(path) bool) map[string]*qdrant.Value {
	out := map[string]*qdrant.Value{}
	for key, v := range maps.All(fields) {
		below := append(at[:len(at):len(at)], step{kind: keyStep, key: key})
		if keep(below) {
			out[key] = filteredValue(below, v, keep)
		}
	}
	return out
}

func filteredValue(at path, v *qdrant.Value, keep func(path) bool) *qdrant.Value {
	switch k := v.GetKind().(type) {
	case *qdrant.Value_StructValue:
		return qdrant.NewValueStruct(&qdrant.Struct{Fields: filtered(at, k.StructValue.GetFields(), keep)})
	case *qdrant.Value_ListValue:
		below := append(at[:len(at):len(at)], step{kind: anyStep})
		list := &qdrant.ListValue{}
		for _, item := range k.ListValue.GetValues() {
			if keep(below) {
				list.Values = append(list.Values, filteredValue(below, item, keep))
			}
		}
		return qdrant.NewValueList(list)
	}
	return v
}
