package embedded

import (
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// filter is a request's filter with its paths, ids and bounds read. A nil filter
// admits every point.
type filter struct {
	must, mustNot, should []condition
	atLeast               []condition // of which least must hold; empty: no such clause
	least                 int

	key string // equal for equal filters; "" is not known
}

// condition has exactly one kind.
type condition struct {
	kind   conditionKind
	path   path       // field, isEmpty, isNull, nested
	field  *fieldTest // field
	ids    []pointID  // hasID
	vector string     // hasVector
	filter *filter    // group, nested
}

type conditionKind uint8

const (
	fieldKind conditionKind = iota
	isEmptyKind
	isNullKind
	hasIDKind
	hasVectorKind
	nestedKind
	groupKind
)

// fieldTest holds the tests of a field condition; at least one is set.
type fieldTest struct {
	match   *matchTest
	numbers *numberRange
	dates   *dateRange
	count   *qdrant.ValuesCount
	geo     geoArea
	isEmpty *bool
	isNull  *bool
}

// single reports whether exactly one test is set, so that one index can decide.
func (f *fieldTest) single() bool {
	n := 0
	for _, set := range []bool{f.match != nil, f.numbers != nil, f.dates != nil, f.count != nil, f.geo != nil, f.isEmpty != nil, f.isNull != nil} {
		if set {
			n++
		}
	}
	return n == 1
}

// matchTest compares with a value, a list, or words.
type matchTest struct {
	kind     matchKind
	words    string      // text, textAny, phrase
	strings  []string    // value, any, except
	integers []int64     // value, any, except
	truth    bool        // boolean value
	uuids    []uuid.UUID // the strings as UUIDs, if all of them are
}

type matchKind uint8

const (
	matchStrings matchKind = iota // one of strings
	matchIntegers
	matchTruth
	exceptStrings
	exceptIntegers
	matchText
	matchTextAny
	matchPhrase
)

// listed reports whether the test is a list without entries.
func (m *matchTest) listed() bool {
	switch m.kind {
	case matchStrings, exceptStrings:
		return len(m.strings) == 0
	case matchIntegers, exceptIntegers:
		return len(m.integers) == 0
	}
	return false
}

// numberRange holds nothing if a lower bound is NaN; an upper one is then open.
type numberRange struct{ gt, gte, lt, lte *float64 }

func (r *numberRange) hold(v float64) bool {
	return (r.gt == nil || v > *r.gt) && (r.gte == nil || v >= *r.gte) &&
		(r.lt == nil || v < *r.lt || math.IsNaN(*r.lt)) && (r.lte == nil || v <= *r.lte || math.IsNaN(*r.lte))
}

type dateRange struct{ gt, gte, lt, lte *time.Time }

func (r *dateRange) hold(t time.Time) bool {
	return (r.gt == nil || t.After(*r.gt)) && (r.gte == nil || !t.Before(*r.gte)) &&
		(r.lt == nil || t.Before(*r.lt)) && (r.lte == nil || !t.After(*r.lte))
}

// parseFilter reads a filter; nil stays nil.
func parseFilter(f *qdrant.Filter) (*filter, error) {
	if f == nil {
		return nil, nil
	}
	key, err := proto.MarshalOptions{Deterministic: true}.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("read filter: %w", err)
	}
	out := &filter{key: string(key)}
	for _, part := range []struct {
		from []*qdrant.Condition
		to   *[]condition
	}{
		{f.GetShould(), &out.should},
		{f.GetMust(), &out.must},
		{f.GetMustNot(), &out.mustNot},
		{f.GetMinShould().GetConditions(), &out.atLeast},
	} {
		conditions, err := parseConditions(part.from)
		if err != nil {
			return nil, err
		}
		*part.to = conditions
	}
	out.least = int(min(f.GetMinShould().GetMinCount(), math.MaxInt32))
	return out, nil
}

func parseConditions(list []*qdrant.Condition) ([]condition, error) {
	var out []condition
	for _, c := range list {
		parsed, set, err := parseCondition(c)
		if err != nil {
			return nil, err
		}
		if set { // one with nothing set is ignored
			out = append(out, parsed)
		}
	}
	return out, nil
}

func parseCondition(c *qdrant.Condition) (out condition, set bool, err error) {
	set = true
	switch k := c.GetConditionOneOf().(type) {
	case *qdrant.Condition_Field:
		out.kind = fieldKind
		if out.path, err = parsePath(k.Field.GetKey()); err == nil {
			out.field, err = parseField(k.Field)
		}
	case *qdrant.Condition_IsEmpty:
		out.kind = isEmptyKind
		out.path, err = parsePath(k.IsEmpty.GetKey())
	case *qdrant.Condition_IsNull:
		out.kind = isNullKind
		out.path, err = parsePath(k.IsNull.GetKey())
	case *qdrant.Condition_HasId:
		out.kind = hasIDKind
		out.ids, err = parseIDs(k.HasId.GetHasId())
	case *qdrant.Condition_HasVector:
		out.kind, out.vector = hasVectorKind, k.HasVector.GetHasVector()
	case *qdrant.Condition_Filter:
		out.kind = groupKind
		out.filter, err = parseFilter(k.Filter)
	case *qdrant.Condition_Nested:
		out.kind = nestedKind
		if out.path, err = parsePath(k.Nested.GetKey()); err == nil {
			out.path = out.path.elements()
			out.filter, err = parseFilter(k.Nested.GetFilter())
		}
	case nil:
		set = false
	default:
		err = unserved("this kind of condition")
	}
	return out, set, err
}

func parseField(f *qdrant.FieldCondition) (*fieldTest, error) {
	out := &fieldTest{count: f.GetValuesCount(), isEmpty: f.IsEmpty, isNull: f.IsNull}
	if r := f.GetRange(); r != nil {
		out.numbers = &numberRange{gt: r.Gt, gte: r.Gte, lt: r.Lt, lte: r.Lte}
	}
	if r := f.GetDatetimeRange(); r != nil {
		out.dates = &dateRange{gt: instant(r.GetGt()), gte: instant(r.GetGte()), lt: instant(r.GetLt()), lte: instant(r.GetLte())}
	}
	var err error
	if m := f.GetMatch(); m != nil {
		if out.match, err = parseMatch(m); err != nil {
			return nil, err
		}
	}
	out.geo, err = parseGeo(f)
	return out, err
}

func instant(t *timestamppb.Timestamp) *time.Time {
	if t == nil {
		return nil
	}
	at := t.AsTime()
	return &at
}

func parseMatch(m *qdrant.Match) (*matchTest, error) {
	switch k := m.GetMatchValue().(type) {
	case *qdrant.Match_Keyword:
		return ofStrings(matchStrings, []string{k.Keyword}), nil
	case *qdrant.Match_Keywords:
		return ofStrings(matchStrings, k.Keywords.GetStrings()), nil
	case *qdrant.Match_ExceptKeywords:
		return ofStrings(exceptStrings, k.ExceptKeywords.GetStrings()), nil
	case *qdrant.Match_Integer:
		return &matchTest{kind: matchIntegers, integers: []int64{k.Integer}}, nil
	case *qdrant.Match_Integers:
		return &matchTest{kind: matchIntegers, integers: k.Integers.GetIntegers()}, nil
	case *qdrant.Match_ExceptIntegers:
		return &matchTest{kind: exceptIntegers, integers: k.ExceptIntegers.GetIntegers()}, nil
	case *qdrant.Match_Boolean:
		return &matchTest{kind: matchTruth, truth: k.Boolean}, nil
	case *qdrant.Match_Text:
		return &matchTest{kind: matchText, words: k.Text}, nil
	case *qdrant.Match_TextAny:
		return &matchTest{kind: matchTextAny, words: k.TextAny}, nil
	case *qdrant.Match_Phrase:
		return &matchTest{kind: matchPhrase, words: k.Phrase}, nil
	case nil:
		return nil, invalid("Malformed Match condition")
	}
	return nil, unserved("this kind of match")
}

func ofStrings(kind matchKind, list []string) *matchTest {
	out := &matchTest{kind: kind, strings: list}
	for _, s := range list {
		u, ok := parseUUID(s)
		if !ok {
			out.uuids = nil
			break
		}
		out.uuids = append(out.uuids, u)
	}
	return out
}

// both is the filter that holds where two hold.
func both(a, b *filter) *filter {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &filter{must: []condition{{kind: groupKind, filter: a}, {kind: groupKind, filter: b}}}
}

// without is the filter that also leaves out some points.
func without(f *filter, ids []pointID) *filter {
	if len(ids) == 0 {
		return f
	}
	return both(&filter{mustNot: []condition{{kind: hasIDKind, ids: ids}}}, f)
}
