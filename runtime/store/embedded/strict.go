package embedded

import (
	"slices"
	"strings"

	"github.com/qdrant/go-client/qdrant"
)

// capability is what an index can decide, as strict mode names it.
type capability string

const (
	canKeyword  capability = "keyword"
	canInteger  capability = "integer"
	canRange    capability = "integer range" // told as "integer"
	canFloat    capability = "float"
	canText     capability = "text"
	canPhrase   capability = "text (with phrase_matching: true)"
	canBool     capability = "bool"
	canUUID     capability = "uuid"
	canDatetime capability = "datetime"
	canGeo      capability = "geo"
)

// anyIndex lists all capabilities: whatever the index, it knows emptiness.
func anyIndex() []capability {
	return []capability{canBool, canDatetime, canFloat, canGeo, canInteger, canRange, canKeyword, canText, canPhrase, canUUID}
}

// can lists what an index decides.
func (x *fieldIndex) can() []capability {
	var out []capability
	for _, c := range []struct {
		has bool
		is  capability
	}{
		{x.keywords != nil, canKeyword}, {x.integers != nil, canInteger}, {x.whole != nil, canRange},
		{x.numbers != nil, canFloat}, {x.truths != nil, canBool}, {x.uuids != nil, canUUID},
		{x.dates != nil, canDatetime}, {x.words != nil, canText}, {x.words != nil && x.words.phrases, canPhrase},
		{x.places != nil, canGeo},
	} {
		if c.has {
			out = append(out, c.is)
		}
	}
	return out
}

// needs lists the capabilities of which one must be there; none: no index needed.
func (cond condition) needs() []capability {
	switch cond.kind {
	case isEmptyKind, isNullKind:
		return anyIndex()
	case fieldKind:
		return cond.field.needs()
	}
	return nil
}

func (f *fieldTest) needs() []capability {
	var out []capability
	if f.match != nil {
		out = append(out, f.match.needs()...)
	}
	if f.dates != nil {
		out = append(out, canDatetime)
	}
	if f.numbers != nil {
		out = append(out, canFloat, canRange)
	}
	if f.geo != nil {
		out = append(out, canGeo)
	}
	if f.count != nil || f.isEmpty != nil || f.isNull != nil {
		out = append(out, anyIndex()...)
	}
	return out
}

func (m *matchTest) needs() []capability {
	switch {
	case m.listed():
		return nil
	case m.kind == matchTruth:
		return []capability{canBool}
	case m.kind == matchIntegers, m.kind == exceptIntegers:
		return []capability{canInteger}
	case m.kind == matchText, m.kind == matchTextAny:
		return []capability{canText}
	case m.kind == matchPhrase:
		return []capability{canPhrase}
	case len(m.uuids) == len(m.strings):
		return []capability{canUUID, canKeyword}
	}
	return []capability{canKeyword}
}

// unindexed finds the first condition, depth first in the order must, must_not,
// should, min_should, that no index can decide.
func (c *collection) unindexed(f *filter, prefix path) (at path, need []capability) {
	for _, list := range [][]condition{f.must, f.mustNot, f.should, f.atLeast} {
		for _, cond := range list {
			if at, need = c.unindexedCondition(cond, prefix); need != nil {
				return at, need
			}
		}
	}
	return nil, nil
}

func (c *collection) unindexedCondition(cond condition, prefix path) (path, []capability) {
	switch cond.kind {
	case groupKind, nestedKind:
		if cond.filter == nil {
			return nil, nil
		}
		if cond.kind == nestedKind {
			prefix = prefix.join(cond.path)
		}
		return c.unindexed(cond.filter, prefix)
	}
	need := cond.needs()
	if len(need) == 0 {
		return nil, nil
	}
	at := prefix.join(cond.path)
	if x := c.indexes[at.String()]; x != nil {
		for _, have := range x.can() {
			if slices.Contains(need, have) {
				return nil, nil
			}
		}
	}
	return at, need
}

// strictFilter checks a filter against strict mode: allowed says whether unindexed
// fields may be filtered on.
func (c *collection) strictFilter(strict *qdrant.StrictModeConfig, f *filter, allowed *bool) error {
	if f == nil {
		return nil
	}
	if allowed != nil && !*allowed {
		if at, need := c.unindexed(f, nil); need != nil {
			return refusedByStrictMode("Create an index for this key or use a different filter.",
				`Index required but not found for "%s" of one of the following types: [%s]`, at, typeList(need))
		}
	}
	leaves, longest := f.measure()
	if strict.FilterMaxConditions != nil && leaves > int(strict.GetFilterMaxConditions()) {
		return refusedByStrictMode("Reduce the amount of conditions of your filter.",
			"Filter condition limit reached (%d > %d)", leaves, strict.GetFilterMaxConditions())
	}
	if strict.ConditionMaxSize != nil && longest > int(strict.GetConditionMaxSize()) {
		return refusedByStrictMode("Reduce the size of your condition.",
			"Condition size limit reached (%d > %d)", longest, strict.GetConditionMaxSize())
	}
	return nil
}

func typeList(need []capability) string {
	names := make([]string, len(need))
	for i, n := range need {
		names[i] = string(n)
		if n == canRange {
			names[i] = string(canInteger)
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// measure counts the leaves of a filter and the entries of its longest list.
func (f *filter) measure() (leaves, longest int) {
	for _, list := range [][]condition{f.must, f.mustNot, f.should, f.atLeast} {
		for _, cond := range list {
			if cond.filter != nil {
				n, l := cond.filter.measure()
				leaves, longest = leaves+n, max(longest, l)
				continue
			}
			leaves++
			longest = max(longest, len(cond.ids))
			if cond.field != nil && cond.field.match != nil {
				m := cond.field.match
				longest = max(longest, len(m.strings), len(m.integers))
			}
		}
	}
	return leaves, longest
}

// strictLimit checks one bounded number of a request; a nil bound is none.
func strictLimit[T uint32 | uint64](value uint64, limit *T, name string) error {
	if limit == nil || value <= uint64(*limit) {
		return nil
	}
	return refusedByStrictMode("Reduce the \""+name+"\" parameter to or below "+decimal(uint64(*limit))+".",
		`Limit exceeded %d > %d for "%s"`, value, *limit, name)
}

// strictExact checks whether an exact search is allowed.
func strictExact(strict *qdrant.StrictModeConfig, exact bool) error {
	if exact && strict.SearchAllowExact != nil && !*strict.SearchAllowExact {
		return refusedByStrictMode("Set exact=false.", "Exact search disabled!")
	}
	return nil
}

// strictParams checks search parameters.
func strictParams(strict *qdrant.StrictModeConfig, p *qdrant.SearchParams) error {
	if p == nil {
		return nil
	}
	if o := p.GetQuantization().GetOversampling(); strict.SearchMaxOversampling != nil && o > float64(strict.GetSearchMaxOversampling()) {
		return refusedByStrictMode(`Reduce the "oversampling" parameter to or below `+shortest(float64(strict.GetSearchMaxOversampling()))+".",
			`Limit exceeded %s > %s for "oversampling"`, shortest(o), shortest(float64(strict.GetSearchMaxOversampling())))
	}
	if p.HnswEf != nil {
		if err := strictLimit(p.GetHnswEf(), strict.SearchMaxHnswEf, "hnsw_ef"); err != nil {
			return err
		}
	}
	return strictExact(strict, p.GetExact())
}
