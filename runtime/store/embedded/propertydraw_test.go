package embedded

import (
	"slices"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"
)

func drawCondition(t *rapid.T, depth int) modelCondition {
	kinds := []string{"keyword", "any", "except", "integer", "bool", "range", "dates", "empty"}
	if depth < 3 {
		kinds = append(kinds, "all", "some", "none", "two")
	}
	word := rapid.SampledFrom([]string{"a", "b", "c", ""})
	field := rapid.SampledFrom([]string{"k", "o.k"}).Draw(t, "keyword field")
	switch rapid.SampledFrom(kinds).Draw(t, "kind") {
	case "keyword":
		w := word.Draw(t, "word")
		return modelCondition{qdrant.NewMatchKeyword(field, w), anyOf(field, func(e any) bool { return e == w })}
	case "any":
		list := rapid.SliceOfN(word, 0, 2).Draw(t, "words")
		return modelCondition{qdrant.NewMatchKeywords(field, list...), anyOf(field, func(e any) bool { return slices.Contains(list, e.(string)) })}
	case "except":
		list := rapid.SliceOfN(word, 1, 2).Draw(t, "words")
		return modelCondition{qdrant.NewMatchExceptKeywords(field, list...), anyOf(field, func(e any) bool { return !slices.Contains(list, e.(string)) })}
	case "integer":
		n := rapid.Int64Range(-3, 3).Draw(t, "n")
		return modelCondition{qdrant.NewMatchInt("n", n), anyOf("n", func(e any) bool { return e == n })}
	case "bool":
		b := rapid.Bool().Draw(t, "b")
		return modelCondition{qdrant.NewMatchBool("b", b), anyOf("b", func(e any) bool { return e == b })}
	case "range":
		return drawRange(t)
	case "dates":
		return drawDates(t)
	case "empty":
		f := rapid.SampledFrom([]string{"k", "n", "d", "b", "o.k"}).Draw(t, "field")
		return modelCondition{qdrant.NewIsEmpty(f), func(payload map[string]any) bool {
			v, ok := at(payload, f)
			list, isList := v.([]any)
			return !ok || v == nil || (isList && len(list) == 0)
		}}
	case "all":
		return drawGroup(t, depth, func(met, of int) bool { return met == of }, func(f *qdrant.Filter, c []*qdrant.Condition) { f.Must = c })
	case "some":
		return drawGroup(t, depth, func(met, _ int) bool { return met > 0 }, func(f *qdrant.Filter, c []*qdrant.Condition) { f.Should = c })
	case "none":
		return drawGroup(t, depth, func(met, _ int) bool { return met == 0 }, func(f *qdrant.Filter, c []*qdrant.Condition) { f.MustNot = c })
	}
	return drawGroup(t, depth, func(met, _ int) bool { return met >= 2 }, func(f *qdrant.Filter, c []*qdrant.Condition) {
		f.MinShould = &qdrant.MinShould{Conditions: c, MinCount: 2}
	})
}

func drawRange(t *rapid.T) modelCondition {
	from, to := rapid.IntRange(-7, 7).Draw(t, "from"), rapid.IntRange(-7, 7).Draw(t, "to")
	low, high := float64(from)/2, float64(to)/2
	open := rapid.Bool().Draw(t, "open")
	r := &qdrant.Range{Gte: &low, Lte: &high}
	if open {
		r = &qdrant.Range{Gt: &low, Lt: &high}
	}
	return modelCondition{qdrant.NewRange("n", r), anyOf("n", func(e any) bool {
		v := float64(e.(int64))
		return (v > low && v < high) || (!open && v >= low && v <= high)
	})}
}

func drawDates(t *rapid.T) modelCondition {
	day := rapid.IntRange(1, 9).Draw(t, "day")
	now := time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC)
	after := rapid.Bool().Draw(t, "after")
	r := &qdrant.DatetimeRange{Lte: timestamppb.New(now)}
	if after {
		r = &qdrant.DatetimeRange{Gt: timestamppb.New(now)}
	}
	return modelCondition{qdrant.NewDatetimeRange("d", r), anyOf("d", func(e any) bool {
		v, err := time.Parse(time.DateOnly, e.(string))
		return err == nil && v.After(now) == after
	})}
}

func drawGroup(t *rapid.T, depth int, enough func(met, of int) bool, put func(*qdrant.Filter, []*qdrant.Condition)) modelCondition {
	var inner []modelCondition
	var requests []*qdrant.Condition
	for range rapid.IntRange(2, 3).Draw(t, "conditions") {
		c := drawCondition(t, depth+1)
		inner, requests = append(inner, c), append(requests, c.request)
	}
	f := &qdrant.Filter{}
	put(f, requests)
	return modelCondition{qdrant.NewFilterAsCondition(f), func(payload map[string]any) bool {
		met := 0
		for _, c := range inner {
			if c.holds(payload) {
				met++
			}
		}
		return enough(met, len(inner))
	}}
}
