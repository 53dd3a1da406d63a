package store

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"
)

func TestPoints(t *testing.T) {
	c := ensured(t)
	ctx := t.Context()
	payload := func(n int) map[string]any {
		return map[string]any{"customer": []string{"north", "south"}[n%2], "hardgate": map[string]any{"from": 1, "to": n, "ids": []string{"A-1"}}, "f": 1.5, "none": nil, "list": []any{1, "x", nil, true}}
	}
	var points []Point
	for n := range 1200 {
		points = append(points, Point{ID: id(n), Dense: []float32{1, 0, 0}, Sparse: &Sparse{Indices: []uint32{uint32(n % 5)}, Values: []float32{1}}, Payload: payload(n)})
	}
	points = append(points, Point{ID: id(5000), Payload: map[string]any{"hardgate": map[string]any{"kind": "record"}}})
	if err := c.Upsert(ctx, "c", points); err != nil {
		t.Fatal(err)
	}
	got, err := c.Get(ctx, "c", []string{id(3), id(99999), id(5000)}, AllFields(), true)
	if err != nil {
		t.Fatal(err)
	}
	want := []Record{
		{ID: id(3), Dense: []float32{1, 0, 0}, Sparse: &Sparse{Indices: []uint32{3}, Values: []float32{1}}, Payload: map[string]any{
			"customer": "south", "hardgate": map[string]any{"from": int64(1), "to": int64(3), "ids": []any{"A-1"}}, "f": 1.5, "none": nil, "list": []any{int64(1), "x", nil, true},
		}},
		{ID: id(5000), Payload: map[string]any{"hardgate": map[string]any{"kind": "record"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("get (-want +got):\n%s", diff)
	}
	north := &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchKeyword("customer", "north")}}
	var ids []string
	for r, err := range c.Scroll(ctx, "c", nil, OnlyFields("hardgate.to"), false) {
		if err != nil {
			t.Fatal(err)
		}
		if _, leaked := r.Payload["customer"]; leaked {
			t.Fatalf("payload that was not asked for: %v", r.Payload)
		}
		ids = append(ids, r.ID)
	}
	if len(ids) != len(points) || !slices.IsSorted(ids) {
		t.Errorf("scrolled %d of %d points, sorted %v", len(ids), len(points), slices.IsSorted(ids))
	}
	counts := map[string]func() error{
		"all":                func() error { return nil },
		"set by filter":      func() error { return c.SetPayload(ctx, "c", ByFilter(north), map[string]any{"to": nil}, Own) },
		"set by ids":         func() error { return c.SetPayload(ctx, "c", ByIDs(id(1)), map[string]any{"customer": "north"}, "") },
		"delete by ids":      func() error { return c.DeletePoints(ctx, "c", ByIDs(id(1), id(99999))) },
		"delete by filter":   func() error { return c.DeletePoints(ctx, "c", ByFilter(north)) },
		"nothing to delete":  func() error { return c.DeletePoints(ctx, "c", ByIDs()) },
		"nothing to change":  func() error { return c.SetPayload(ctx, "c", ByIDs(), map[string]any{"x": 1}, "") },
		"no points to write": func() error { return c.Upsert(ctx, "c", nil) },
	}
	for _, step := range []struct {
		name            string
		points, northly uint64
	}{
		{"all", 1201, 600}, {"set by ids", 1201, 601}, {"delete by ids", 1200, 600}, {"set by filter", 1200, 600}, {"nothing to delete", 1200, 600},
		{"nothing to change", 1200, 600}, {"no points to write", 1200, 600}, {"delete by filter", 600, 0},
	} {
		if err := counts[step.name](); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		all, err := c.Count(ctx, "c", nil, true)
		if err != nil {
			t.Fatal(err)
		}
		some, err := c.Count(ctx, "c", north, true)
		if err != nil {
			t.Fatal(err)
		}
		if all != step.points || some != step.northly {
			t.Errorf("%s: %d points, %d of north; want %d and %d", step.name, all, some, step.points, step.northly)
		}
	}
}

func TestQueryBatch(t *testing.T) {
	c := ensured(t)
	ctx := t.Context()
	if err := c.Upsert(ctx, "c", []Point{
		{ID: id(1), Dense: []float32{1, 0, 0}, Payload: map[string]any{"customer": "north"}},
		{ID: id(2), Dense: []float32{1, 1, 0}, Sparse: &Sparse{Indices: []uint32{7}, Values: []float32{2}}, Payload: map[string]any{"customer": "north"}},
		{ID: id(3), Dense: []float32{1, 0, 0}, Payload: map[string]any{"customer": "south"}},
	}); err != nil {
		t.Fatal(err)
	}
	north := &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchKeyword("customer", "north")}}
	queries := []*qdrant.QueryPoints{
		{Query: qdrant.NewQueryDense([]float32{1, 0, 0}), Using: qdrant.PtrOf(DenseVector), Filter: north},
		{Query: qdrant.NewQuerySparse([]uint32{7}, []float32{1}), Using: qdrant.PtrOf(SparseVector), Filter: north},
	}
	got, err := c.QueryBatch(ctx, "c", queries)
	if err != nil {
		t.Fatal(err)
	}
	var ids [][]string
	for _, hits := range got {
		var list []string
		for _, h := range hits {
			list = append(list, PointID(h.GetId()))
		}
		ids = append(ids, list)
	}
	if diff := cmp.Diff([][]string{{id(1), id(2)}, {id(2)}}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if queries[0].GetCollectionName() != "" {
		t.Error("the caller's query was changed")
	}
	queries[0].Filter = &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchKeyword("unindexed", "x")}}
	if _, err := c.QueryBatch(ctx, "c", queries); !IsRefused(err) {
		t.Errorf("a filter on an unindexed field: %v", err)
	}
}
