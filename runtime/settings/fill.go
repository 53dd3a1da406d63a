package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// fill sets v from a parsed value. It is stricter than encoding/json and knows
// the path of whatever is wrong: unknown fields, wrong types and values that a
// scalar refuses are all collected, so that one run names every mistake. A null
// counts as absent, as it does for the API server.
func fill(v reflect.Value, value any, path string, p *problems) {
	if u, ok := v.Addr().Interface().(json.Unmarshaler); ok {
		fillScalar(u, value, path, p)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), value, path, p)
	case reflect.Struct:
		if m, ok := value.(map[string]any); ok {
			fillStruct(v, m, path, p)
		} else {
			p.add(path, "must be an object, not %s", describe(value))
		}
	case reflect.Slice:
		fillSlice(v, value, path, p)
	case reflect.Map:
		fillMap(v, value, path, p)
	case reflect.Interface:
		v.Set(reflect.ValueOf(plain(value)))
	case reflect.String:
		s, ok := value.(string)
		quoted := ""
		if n, ok := value.(json.Number); ok {
			quoted = fmt.Sprintf(": write it in quotes, %q", n)
		}
		p.that(ok, path, "must be a string, not %s%s", describe(value), quoted)
		v.SetString(s)
	case reflect.Bool:
		b, ok := value.(bool)
		p.that(ok, path, "must be true or false, not %s", describe(value))
		v.SetBool(b)
	default: // int
		n, ok := value.(json.Number)
		i, err := n.Int64()
		p.that(ok && err == nil && i == int64(int32(i)), path, "must be a whole number, not %s", describe(value))
		v.SetInt(i)
	}
}

// mayBeBlank says for which fields "" is a value: no prefix, no revision.
func mayBeBlank(path string) bool {
	return path == root+".source.s3.prefix" || path == root+".documents.revision"
}

// defaulter sets the defaults of its own scalar fields.
type defaulter interface{ setDefaults() }

// finisher sets the defaults that depend on what was given, and refuses what
// was given where it has no effect: afterwards absent and zero look the same.
type finisher interface {
	finish(given map[string]any, path string, p *problems)
}

// fillStruct sets the defaults, then the fields that are given; a struct that
// isn't given still gets its defaults.
func fillStruct(v reflect.Value, given map[string]any, path string, p *problems) {
	if d, ok := v.Addr().Interface().(defaulter); ok {
		d.setDefaults()
	}
	fields := fieldsOf(v)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, known := fields[name]; !known {
			p.add(path+"."+name, "is not a field%s", suggest(name, fields))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field, value, at := fields[name], given[name], path+"."+name
		text, isText := value.(string)
		switch {
		case isText && Blank(text) && !mayBeBlank(at):
			p.add(at, "must not be blank")
		case value != nil:
			fill(field, value, at, p)
		case field.Kind() == reflect.Struct:
			fillStruct(field, nil, at, p)
		}
	}
	if f, ok := v.Addr().Interface().(finisher); ok {
		f.finish(given, path, p)
	}
}

// fieldsOf returns the fields by JSON name, those of embedded structs included.
func fieldsOf(v reflect.Value) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous: // its setDefaults is promoted, so the outer struct's call was its
			maps.Copy(fields, fieldsOf(v.Field(i)))
		case name != "-":
			fields[name] = v.Field(i)
		}
	}
	return fields
}

func fillSlice(v reflect.Value, value any, path string, p *problems) {
	list, ok := value.([]any)
	if !ok {
		p.add(path, "must be a list, not %s", describe(value))
		return
	}
	v.SetZero() // an empty list is an absent one, and takes away the default
	if len(list) > 0 {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	}
	for i, e := range list {
		fill(v.Index(i), e, fmt.Sprintf("%s[%d]", path, i), p)
	}
}

func fillMap(v reflect.Value, value any, path string, p *problems) {
	m, ok := value.(map[string]any)
	if !ok {
		p.add(path, "must be an object, not %s", describe(value))
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		e := reflect.New(v.Type().Elem()).Elem()
		fill(e, m[k], path+"."+k, p)
		v.SetMapIndex(reflect.ValueOf(k), e)
	}
}

func fillScalar(u json.Unmarshaler, value any, path string, p *problems) {
	data, err := json.Marshal(value)
	if err == nil {
		err = u.UnmarshalJSON(data)
	}
	if err != nil {
		p.add(path, "%v", err)
	}
}

// plain turns numbers into float64, as payload has them.
func plain(value any) any {
	switch t := value.(type) {
	case json.Number:
		f, _ := t.Float64() // the JSON decoder accepted it as a number
		return f
	case []any:
		out := make([]any, len(t))
		for i, e := range t {
			out[i] = plain(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(t))
		for k, e := range t {
			out[k] = plain(e)
		}
		return out
	}
	return value
}

func describe(value any) string {
	switch t := value.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("%t (YAML reads on, off, yes and no as true and false: quote them)", t)
	case string:
		return fmt.Sprintf("%q", t)
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(value)
}

// suggest names the field that differs by case alone, the commonest slip.
func suggest(name string, fields map[string]reflect.Value) string {
	for f := range fields {
		if strings.EqualFold(f, name) {
			return fmt.Sprintf(": did you mean %s?", f)
		}
	}
	return ""
}
