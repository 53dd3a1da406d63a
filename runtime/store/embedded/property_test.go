package embedded

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/qdrant/go-client/qdrant"
	"pgregory.net/rapid"
)

// model is the same store written as plainly as can be: maps, loops, no indexes.
type model struct {
	points map[uint64]modelPoint
}

type modelPoint struct {
	payload map[string]any
	dense   []float32
	sparse  map[uint32]float32
}

// condition of the model: what the request says, and how to judge a payload.
type modelCondition struct {
	request *qdrant.Condition
	holds   func(payload map[string]any) bool
}

// TestAgainstModel makes random changes and asks random questions, with whatever
// indexes happen to be there: the answers are the model's.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := Open(Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		p, m := &pointsService{server: s}, &model{points: map[uint64]modelPoint{}}
		if _, err := (&collectionsService{server: s}).Create(context.Background(), &qdrant.CreateCollection{
			CollectionName:      "c",
			VectorsConfig:       qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{"dense": {Size: 3, Distance: qdrant.Distance_Dot}}),
			SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{"sparse": {Modifier: qdrant.Modifier_Idf.Enum()}}),
		}); err != nil {
			t.Fatal(err)
		}
		t.Repeat(map[string]func(*rapid.T){
			"upsert": func(t *rapid.T) { m.upsert(t, p) },
			"set":    func(t *rapid.T) { m.set(t, p) },
			"delete": func(t *rapid.T) { m.remove(t, p) },
			"index":  func(t *rapid.T) { toggleIndex(t, p) },
			"scroll": func(t *rapid.T) { m.checkScroll(t, p) },
			"dense":  func(t *rapid.T) { m.checkDense(t, p) },
			"sparse": func(t *rapid.T) { m.checkSparse(t, p) },
			"facet":  func(t *rapid.T) { m.checkFacet(t, p) },
		})
	})
}

func must[T any](t *rapid.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// value draws what a payload may hold: of one kind per field, alone, in a list,
// null, or in an object below.
func values() map[string]*rapid.Generator[any] {
	word := rapid.Map(rapid.SampledFrom([]string{"a", "b", "c", ""}), func(v string) any { return v })
	whole := rapid.Map(rapid.Int64Range(-3, 3), func(v int64) any { return v })
	day := rapid.Map(rapid.IntRange(1, 9), func(d int) any { return fmt.Sprintf("2024-01-%02d", d) })
	flag := rapid.Map(rapid.Bool(), func(v bool) any { return v })
	out := map[string]*rapid.Generator[any]{}
	for field, of := range map[string]*rapid.Generator[any]{"k": word, "n": whole, "d": day, "b": flag, "o.k": word} {
		list := rapid.Map(rapid.SliceOfN(of, 0, 3), func(v []any) any { return v })
		out[field] = rapid.OneOf(of, of, list, rapid.Just[any](nil))
	}
	return out
}

func drawPayload(t *rapid.T) map[string]any {
	payload := map[string]any{}
	for field, of := range values() {
		if rapid.IntRange(0, 3).Draw(t, "has "+field) == 0 {
			continue
		}
		v := of.Draw(t, field)
		if field == "o.k" {
			payload["o"] = map[string]any{"k": v}
		} else {
			payload[field] = v
		}
	}
	return payload
}

func drawID(t *rapid.T) uint64 { return rapid.Uint64Range(0, 30).Draw(t, "id") }

func (m *model) upsert(t *rapid.T, p *pointsService) {
	id, point := drawID(t), modelPoint{payload: drawPayload(t), sparse: map[uint32]float32{}}
	vectors := map[string]*qdrant.Vector{}
	if rapid.Bool().Draw(t, "has dense") {
		point.dense = []float32{drawFloat(t), drawFloat(t), drawFloat(t)}
		vectors["dense"] = qdrant.NewVectorDense(point.dense)
	}
	if terms := rapid.SliceOfNDistinct(rapid.Uint32Range(1, 6), 0, 4, rapid.ID).Draw(t, "terms"); len(terms) > 0 {
		weights := make([]float32, len(terms))
		for i, term := range terms {
			weights[i] = drawFloat(t)
			point.sparse[term] = weights[i]
		}
		vectors["sparse"] = qdrant.NewVectorSparse(terms, weights)
	}
	must[*qdrant.PointsOperationResponse](t)(p.Upsert(context.Background(), &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true), Points: []*qdrant.PointStruct{{
		Id: qdrant.NewIDNum(id), Vectors: qdrant.NewVectorsMap(vectors), Payload: qdrant.NewValueMap(point.payload),
	}}}))
	m.points[id] = point
}

// drawFloat draws from few values above 0, so that scores tie and never cancel out.
func drawFloat(t *rapid.T) float32 {
	return rapid.SampledFrom([]float32{0.5, 1, 2, 3}).Draw(t, "component")
}

func (m *model) set(t *rapid.T, p *pointsService) {
	c := drawCondition(t, 1)
	payload := drawPayload(t)
	must[*qdrant.PointsOperationResponse](t)(p.SetPayload(context.Background(), &qdrant.SetPayloadPoints{
		CollectionName: "c", Wait: qdrant.PtrOf(true), Payload: qdrant.NewValueMap(payload),
		PointsSelector: qdrant.NewPointsSelectorFilter(&qdrant.Filter{Must: []*qdrant.Condition{c.request}}),
	}))
	for _, point := range m.points {
		if !c.holds(point.payload) {
			continue
		}
		for k, v := range payload {
			if v == nil {
				delete(point.payload, k)
			} else {
				point.payload[k] = v
			}
		}
	}
}

func (m *model) remove(t *rapid.T, p *pointsService) {
	id := drawID(t)
	must[*qdrant.PointsOperationResponse](t)(p.Delete(context.Background(), &qdrant.DeletePoints{
		CollectionName: "c", Wait: qdrant.PtrOf(true), Points: qdrant.NewPointsSelector(qdrant.NewIDNum(id)),
	}))
	delete(m.points, id)
}

func toggleIndex(t *rapid.T, p *pointsService) {
	kinds := map[string]qdrant.FieldType{
		"k": qdrant.FieldType_FieldTypeKeyword, "o.k": qdrant.FieldType_FieldTypeKeyword, "n": qdrant.FieldType_FieldTypeInteger,
		"d": qdrant.FieldType_FieldTypeDatetime, "b": qdrant.FieldType_FieldTypeBool,
	}
	field := rapid.SampledFrom([]string{"k", "o.k", "n", "d", "b"}).Draw(t, "field")
	if rapid.Bool().Draw(t, "make") {
		must[*qdrant.PointsOperationResponse](t)(p.CreateFieldIndex(context.Background(), &qdrant.CreateFieldIndexCollection{
			CollectionName: "c", Wait: qdrant.PtrOf(true), FieldName: field, FieldType: kinds[field].Enum(),
		}))
		return
	}
	must[*qdrant.PointsOperationResponse](t)(p.DeleteFieldIndex(context.Background(), &qdrant.DeleteFieldIndexCollection{CollectionName: "c", Wait: qdrant.PtrOf(true), FieldName: field}))
}

// at is what stands at a field.
func at(payload map[string]any, field string) (any, bool) {
	if field == "o.k" {
		o, _ := payload["o"].(map[string]any)
		v, ok := o["k"]
		return v, ok
	}
	v, ok := payload[field]
	return v, ok
}

// elements is a value, or the elements of a list.
func elementsOf(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

func anyOf(field string, passes func(any) bool) func(map[string]any) bool {
	return func(payload map[string]any) bool {
		v, ok := at(payload, field)
		return ok && slices.ContainsFunc(elementsOf(v), func(e any) bool { return e != nil && passes(e) })
	}
}

// ids are the model's points that meet a condition, ascending.
func (m *model) ids(c modelCondition) []uint64 {
	var out []uint64
	for id, p := range m.points {
		if c.holds(p.payload) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

func (m *model) checkScroll(t *rapid.T, p *pointsService) {
	c := drawCondition(t, 0)
	f := &qdrant.Filter{Must: []*qdrant.Condition{c.request}}
	var got []uint64
	request := &qdrant.ScrollPoints{CollectionName: "c", Filter: f, Limit: qdrant.PtrOf(uint32(7))}
	for {
		page := must[*qdrant.ScrollResponse](t)(p.Scroll(context.Background(), request))
		for _, point := range page.GetResult() {
			got = append(got, point.GetId().GetNum())
		}
		if page.GetNextPageOffset() == nil {
			break
		}
		request.Offset = page.GetNextPageOffset()
	}
	if diff := gocmp.Diff(m.ids(c), got); diff != "" {
		t.Fatalf("%v (-model +store):\n%s", f, diff)
	}
	count := must[*qdrant.CountResponse](t)(p.Count(context.Background(), &qdrant.CountPoints{CollectionName: "c", Filter: f}))
	if count.GetResult().GetCount() != uint64(len(got)) {
		t.Fatalf("%v: counted %d, scrolled %d", f, count.GetResult().GetCount(), len(got))
	}
}

func (m *model) checkDense(t *rapid.T, p *pointsService) {
	c, query := drawCondition(t, 0), []float32{drawFloat(t), drawFloat(t), drawFloat(t)}
	want := map[uint64]float64{}
	for _, id := range m.ids(c) {
		if v := m.points[id].dense; v != nil {
			want[id] = float64(v[0]*query[0] + v[1]*query[1] + v[2]*query[2])
		}
	}
	m.compareHits(t, p, c, qdrant.NewQueryDense(query), "dense", want)
}

func (m *model) checkSparse(t *rapid.T, p *pointsService) {
	c, query := drawCondition(t, 0), map[uint32]float32{}
	terms := rapid.SliceOfNDistinct(rapid.Uint32Range(1, 7), 1, 3, rapid.ID).Draw(t, "terms")
	weights := make([]float32, len(terms))
	for i, term := range terms {
		weights[i] = drawFloat(t)
		query[term] = weights[i]
	}
	n, df := 0.0, map[uint32]float64{}
	for _, point := range m.points {
		if len(point.sparse) > 0 {
			n++
		}
		for term := range point.sparse {
			df[term]++
		}
	}
	want := map[uint64]float64{}
	for _, id := range m.ids(c) {
		score, shared := 0.0, false
		for term, w := range query {
			if v, ok := m.points[id].sparse[term]; ok {
				score += float64(w) * float64(v) * math.Log(1+(n-df[term]+0.5)/(df[term]+0.5))
				shared = true
			}
		}
		if shared {
			want[id] = score
		}
	}
	m.compareHits(t, p, c, qdrant.NewQuerySparse(terms, weights), "sparse", want)
}

// compareHits compares all hits with the model's, and checks their order: by score,
// then by id.
func (m *model) compareHits(t *rapid.T, p *pointsService, c modelCondition, q *qdrant.Query, using string, want map[uint64]float64) {
	answer := must[*qdrant.QueryResponse](t)(p.Query(context.Background(), &qdrant.QueryPoints{
		CollectionName: "c", Query: q, Using: &using, Filter: &qdrant.Filter{Must: []*qdrant.Condition{c.request}}, Limit: qdrant.PtrOf(uint64(100)),
	}))
	got := map[uint64]float64{}
	for _, h := range answer.GetResult() {
		got[h.GetId().GetNum()] = float64(h.GetScore())
	}
	if diff := gocmp.Diff(want, got, cmpopts.EquateApprox(1e-5, 0)); diff != "" {
		t.Fatalf("%s query %v with %v (-model +store):\n%s", using, q, c.request, diff)
	}
	inOrder := slices.IsSortedFunc(answer.GetResult(), func(a, b *qdrant.ScoredPoint) int {
		if by := cmp.Compare(b.GetScore(), a.GetScore()); by != 0 {
			return by
		}
		return cmp.Compare(a.GetId().GetNum(), b.GetId().GetNum())
	})
	if !inOrder {
		t.Fatalf("%s query %v: hits out of order: %v", using, q, answer.GetResult())
	}
}

func (m *model) checkFacet(t *rapid.T, p *pointsService) {
	answer, err := p.Facet(context.Background(), &qdrant.FacetCounts{CollectionName: "c", Key: "k", Limit: qdrant.PtrOf(uint64(100))})
	if err != nil {
		return // there is no index at the moment, which the recordings cover
	}
	want := map[string]uint64{}
	for _, point := range m.points {
		seen := map[any]bool{}
		v, ok := at(point.payload, "k")
		for _, e := range elementsOf(v) {
			if w, isWord := e.(string); ok && isWord && !seen[w] {
				seen[w] = true
				want[w]++
			}
		}
	}
	got := map[string]uint64{}
	for _, h := range answer.GetHits() {
		got[h.GetValue().GetStringValue()] = h.GetCount()
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("facet (-model +store):\n%s", diff)
	}
}
