package embedded

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/qdrant/go-client/qdrant"
)

// violations gathers what is wrong with a request, as Qdrant tells it before it
// looks at anything else.
type violations []string

func (v *violations) add(path, format string, args ...any) {
	*v = append(*v, path+": "+fmt.Sprintf(format, args...))
}

// err is the refusal, or nil.
func (v violations) err() error {
	if len(v) == 0 {
		return nil
	}
	return invalid("Validation error in body: [%s]", strings.Join(v, "; "))
}

// name checks a collection's name.
func (v *violations) name(name string) {
	if n := utf8.RuneCountInString(name); n < 1 || n > 255 {
		v.add("collection_name", "value %q invalid, must be from 1 to 255 characters", name)
	}
	v.withoutAny(name, "/\x00")
}

// newName checks the name of a collection to be made, which file systems must take.
func (v *violations) newName(name string) {
	if n := utf8.RuneCountInString(name); n < 1 || n > 255 {
		v.add("collection_name", "value %q invalid, must be from 1 to 255 characters", name)
	}
	v.withoutAny(name, "<>:\"/\\|?*\x00\x1f")
}

func (v *violations) withoutAny(name, chars string) {
	for _, c := range chars {
		if strings.ContainsRune(name, c) {
			v.add("collection_name", "collection name cannot contain \"%c\" char", c)
			return
		}
	}
}

// atLeast checks a number that has a lower bound, if it is given.
func atLeast[T uint32 | uint64](v *violations, path string, value *T, bound T) {
	if value != nil && *value < bound {
		v.add(path, "value %d invalid, must be %d or larger", *value, bound)
	}
}

// notBlank checks a text that must be there.
func (v *violations) notBlank(path, value string) {
	if value == "" {
		v.add(path, "value %q invalid, must be at least 1 characters", value)
	}
}

func (v *violations) filter(path string, f *qdrant.Filter) {
	if f == nil {
		return
	}
	v.conditions(path+".should", f.GetShould())
	v.conditions(path+".must", f.GetMust())
	v.conditions(path+".must_not", f.GetMustNot())
	v.conditions(path+".min_should.conditions", f.GetMinShould().GetConditions())
}

func (v *violations) conditions(path string, list []*qdrant.Condition) {
	for i, c := range list {
		at := fmt.Sprintf("%s[%d].condition_one_of", path, i)
		switch k := c.GetConditionOneOf().(type) {
		case *qdrant.Condition_Filter:
			v.filter(at, k.Filter)
		case *qdrant.Condition_Nested:
			v.filter(at+".filter", k.Nested.GetFilter())
		case *qdrant.Condition_Field:
			v.field(at, k.Field)
		}
	}
}

func (v *violations) field(path string, f *qdrant.FieldCondition) {
	if f.GetMatch() == nil && f.GetRange() == nil && f.GetDatetimeRange() == nil && f.GetGeoBoundingBox() == nil &&
		f.GetGeoRadius() == nil && f.GetGeoPolygon() == nil && f.GetValuesCount() == nil && f.IsEmpty == nil && f.IsNull == nil {
		v.add(path+".match", "Validation error: At least one field condition must be specified [{}]")
	}
}

// sparse checks a sparse vector's two lists.
func (v *violations) sparse(path string, indices []uint32, values []float32) {
	if len(indices) != len(values) {
		v.add(path+".values", "Validation error: must be the same length as indices [{}]")
		return
	}
	seen := make(map[uint32]struct{}, len(indices))
	for _, i := range indices {
		seen[i] = struct{}{}
	}
	if len(seen) != len(indices) {
		v.add(path+".indices", "Validation error: must be unique [{}]")
	}
}

// vectors checks a point's vectors; in a map, one bad vector is told.
func (v *violations) vectors(path string, vectors *qdrant.Vectors) {
	at := path + ".vectors_options"
	if single := vectors.GetVector(); single != nil {
		v.vector(at, single)
		return
	}
	for _, one := range vectors.GetVectors().GetVectors() {
		before := len(*v)
		if v.vector(at+".vectors.[]", one); len(*v) > before {
			return
		}
	}
}

func (v *violations) vector(path string, vector *qdrant.Vector) {
	switch k := vector.GetVector().(type) {
	case *qdrant.Vector_Sparse:
		v.sparse(path, k.Sparse.GetIndices(), k.Sparse.GetValues())
	case nil:
		if vector.GetIndices() != nil {
			v.sparse(path, vector.GetIndices().GetData(), vector.GetData())
		}
	}
}

// query checks what is asked for; path is of the query.
func (v *violations) query(path string, q *qdrant.Query) {
	switch k := q.GetVariant().(type) {
	case *qdrant.Query_Nearest:
		if s := k.Nearest.GetSparse(); s != nil {
			v.sparse(path+".variant.variant", s.GetIndices(), s.GetValues())
		}
	case *qdrant.Query_Rrf:
		atLeast(v, path+".variant.k", k.Rrf.K, 1)
	}
}

func (v *violations) params(path string, p *qdrant.SearchParams) {
	if p != nil {
		atLeast(v, path+".hnsw_ef", p.HnswEf, 1)
	}
}

func (v *violations) prefetch(path string, list []*qdrant.PrefetchQuery) {
	for i, p := range list {
		at := fmt.Sprintf("%sprefetch[%d]", path, i)
		v.prefetch(at+".", p.GetPrefetch())
		v.query(at+".query", p.GetQuery())
		v.filter(at+".filter", p.GetFilter())
		v.params(at+".params", p.GetParams())
		atLeast(v, at+".limit", p.Limit, 1)
	}
}
