package embedded

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"
)

// TestFacts covers behaviours of Qdrant that the recordings tell of beside their cases.
// Each test starts from points 1 to 3 with payload n = 1 to 3 and a sparse vector.
func TestFacts(t *testing.T) {
	ctx, wait := context.Background(), qdrant.PtrOf(true)
	one := qdrant.NewPointsSelector(qdrant.NewIDNum(1))
	n := func(v int64) *qdrant.Condition { return qdrant.NewMatchInt("n", v) }
	tests := map[string]struct {
		reason string
		do     func(t *testing.T, s *Server, p *pointsService) any
		want   any
	}{
		"min_should without conditions": {
			reason: "a clause without conditions holds for every point",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				return found(t, p, &qdrant.Filter{MinShould: &qdrant.MinShould{MinCount: 2}})
			},
			want: []uint64{1, 2, 3},
		},
		"null removes": {
			reason: "a null in set_payload removes the key",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				ok(t)(p.SetPayload(ctx, &qdrant.SetPayloadPoints{CollectionName: "c", Wait: wait, PointsSelector: one, Payload: qdrant.NewValueMap(map[string]any{"n": nil, "x": 1})}))
				return found(t, p, &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewIsEmpty("n"), qdrant.NewMatchInt("x", 1)}})
			},
			want: []uint64{1},
		},
		"key on overwrite": {
			reason: "a key has no effect on overwrite",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				ok(t)(p.OverwritePayload(ctx, &qdrant.SetPayloadPoints{CollectionName: "c", Wait: wait, PointsSelector: one, Payload: qdrant.NewValueMap(map[string]any{"x": 1}), Key: qdrant.PtrOf("deep")}))
				return found(t, p, &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchInt("x", 1)}})
			},
			want: []uint64{1},
		},
		"guarded upsert": {
			reason: "update_filter guards existing points only",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				var points []*qdrant.PointStruct
				for _, id := range []uint64{1, 2, 9} {
					points = append(points, &qdrant.PointStruct{Id: qdrant.NewIDNum(id), Payload: qdrant.NewValueMap(map[string]any{"new": true}), Vectors: qdrant.NewVectorsMap(nil)})
				}
				ok(t)(p.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: "c", Wait: wait, Points: points, UpdateFilter: &qdrant.Filter{Must: []*qdrant.Condition{n(2)}}}))
				return found(t, p, &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchBool("new", true)}})
			},
			want: []uint64{2, 9},
		},
		"facet of nothing": {
			reason: "a facet limit of 0 gives an empty answer, even without an index",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				return len(ok(t)(p.Facet(ctx, &qdrant.FacetCounts{CollectionName: "c", Key: "n", Limit: qdrant.PtrOf(uint64(0))})).(*qdrant.FacetResponse).GetHits())
			},
			want: 0,
		},
		"alias": {
			reason: "exists and info follow aliases",
			do: func(t *testing.T, s *Server, _ *pointsService) any {
				c := &collectionsService{server: s}
				ok(t)(c.UpdateAliases(ctx, &qdrant.ChangeAliases{Actions: []*qdrant.AliasOperations{{Action: &qdrant.AliasOperations_CreateAlias{CreateAlias: &qdrant.CreateAlias{CollectionName: "c", AliasName: "a"}}}}}))
				exists := ok(t)(c.CollectionExists(ctx, &qdrant.CollectionExistsRequest{CollectionName: "a"})).(*qdrant.CollectionExistsResponse)
				info := ok(t)(c.Get(ctx, &qdrant.GetCollectionInfoRequest{CollectionName: "a"})).(*qdrant.GetCollectionInfoResponse)
				return []any{exists.GetResult().GetExists(), info.GetResult().GetPointsCount()}
			},
			want: []any{true, uint64(3)},
		},
		"sum of 0": {
			reason: "over shared indices a sum of 0 is no hit",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				return asked(t, p, nil)
			},
			want: []uint64{1, 3},
		},
		"sum of 0 under a filter": {
			reason: "under a filter that keeps few points a sum of 0 is a hit",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				return asked(t, p, &qdrant.Filter{})
			},
			want: []uint64{1, 2, 3},
		},
		"negative weight": {
			reason: "a list of a weight below 0 adds nothing, but its points stay",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				answer := ok(t)(p.Query(ctx, &qdrant.QueryPoints{
					CollectionName: "c", Prefetch: []*qdrant.PrefetchQuery{{Limit: qdrant.PtrOf(uint64(1))}},
					Query: qdrant.NewQueryRRF(&qdrant.Rrf{Weights: []float32{-1}}),
				})).(*qdrant.QueryResponse).GetResult()
				return []any{len(answer), answer[0].GetScore()}
			},
			want: []any{1, float32(0)},
		},
		"outer offset": {
			reason: "the offset does not widen the prefetches",
			do: func(t *testing.T, _ *Server, p *pointsService) any {
				return len(ok(t)(p.Query(ctx, &qdrant.QueryPoints{
					CollectionName: "c", Prefetch: []*qdrant.PrefetchQuery{{Limit: qdrant.PtrOf(uint64(2))}}, Query: qdrant.NewQueryFusion(qdrant.Fusion_RRF),
					Offset: qdrant.PtrOf(uint64(1)), Limit: qdrant.PtrOf(uint64(10)),
				})).(*qdrant.QueryResponse).GetResult())
			},
			want: 1,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := open(t, Options{})
			defer shut(t, s)
			makeCollection(t, s, "c")
			p := &pointsService{server: s}
			var points []*qdrant.PointStruct
			for id, weights := range [][]float32{{1, 1}, {1, -1}, {2, 1}} {
				points = append(points, &qdrant.PointStruct{
					Id: qdrant.NewIDNum(uint64(id + 1)), Payload: qdrant.NewValueMap(map[string]any{"n": id + 1}),
					Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{"sparse": qdrant.NewVectorSparse([]uint32{1, 2}, weights)}),
				})
			}
			ok(t)(p.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: "c", Wait: wait, Points: points}))
			if diff := cmp.Diff(test.want, test.do(t, s, p)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

// ok fails the test on an error and passes the answer on.
func ok(t *testing.T) func(any, error) any {
	t.Helper()
	return func(answer any, err error) any {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

func found(t *testing.T, p *pointsService, f *qdrant.Filter) []uint64 {
	t.Helper()
	var out []uint64
	for _, point := range ok(t)(p.Scroll(t.Context(), &qdrant.ScrollPoints{CollectionName: "c", Filter: f})).(*qdrant.ScrollResponse).GetResult() {
		out = append(out, point.GetId().GetNum())
	}
	return out
}

// asked is the points that a sparse query over both terms finds, by id.
func asked(t *testing.T, p *pointsService, f *qdrant.Filter) []uint64 {
	t.Helper()
	hits := map[uint64]bool{}
	for _, h := range ok(t)(p.Query(t.Context(), &qdrant.QueryPoints{
		CollectionName: "c", Query: qdrant.NewQuerySparse([]uint32{1, 2}, []float32{1, 1}), Using: qdrant.PtrOf("sparse"), Filter: f,
	})).(*qdrant.QueryResponse).GetResult() {
		hits[h.GetId().GetNum()] = true
	}
	var out []uint64
	for id := range uint64(4) {
		if hits[id] {
			out = append(out, id)
		}
	}
	return out
}

func TestDates(t *testing.T) {
	tests := map[string]bool{
		"2024-01-01": true, "2024-1-1": true, "2024-01-01T00:00:00Z": true, "2024-01-01t00:00:00z": true, "2024-01-01 00:00:00Z": true,
		"2024-01-01T00:00:00.5": true, "2024-01-01 00:00": true, "2024-01-01T00:00": true, "2024-01-01T00:00:00+02": true,
		"2024-01-01T00:00:00 +02:00": true, "2024-01-01T00:00:00-0530": true,
		"2024-01-01T00:00Z": false, "2024-01": false, "2024-02-30": false, "2024-01-01T24:00:00Z": false, "20240101": false, "": false, "1704067200": false,
	}
	for s, want := range tests {
		if _, got := parseDate(s); got != want {
			t.Errorf("%q: a date %v, want %v", s, got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	tests := map[string]struct {
		reason string
		spelt  string // "" = refused
	}{
		`a`:           {"a key", `a`},
		`a.b[0].c[]`:  {"keys and elements", `a.b[0].c[]`},
		`a."b.c"`:     {"a key that needs its quotes", `a."b.c"`},
		`"a"."b-c_d"`: {"keys that do not", `a.b-c_d`},
		`Ünï`:         {"letters of any script", `Ünï`},
		``:            {"no key", ``},
		`a.`:          {"no second key", ``},
		`a..b`:        {"likewise", ``},
		`a[`:          {"an open bracket", ``},
		`a[x]`:        {"no number", ``},
		`a b`:         {"a space without quotes", ``},
		`[0]`:         {"no key before the element", ``},
		`"a`:          {"an open quote", ``},
	}
	for s, test := range tests {
		p, err := parsePath(s)
		got := ""
		if err == nil {
			got = p.String()
		}
		if got != test.spelt {
			t.Errorf("%s: %q is spelt %q, want %q", test.reason, s, got, test.spelt)
		}
	}
}
