package retrieve

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

func score(v float64) *float64 { return &v }

// proposal is a candidate of a table: nil scores and rank 0 where a channel did
// not propose it.
func proposal(id string, dense, lexical *float64, denseRank, lexicalRank, pinned int) *candidate {
	c := &candidate{dense: dense, lexical: lexical, denseRank: denseRank, lexicalRank: lexicalRank}
	c.hit.ID, c.hit.Scores.Pinned = id, pinned
	return c
}

func TestFuse(t *testing.T) {
	weighted := Fusion{Method: "Weighted", Dense: .65, Lexical: .35, Normalization: "Max"}
	minMax := Fusion{Method: "Weighted", Dense: .65, Lexical: .35, Normalization: "MinMax"}
	rrf := Fusion{Method: "RRF", K: 60}
	type ranked struct {
		ID             string
		Fused          float64
		Dense, Lexical *float64
	}
	tests := map[string]struct {
		reason string
		fusion Fusion
		mode   rag.Mode
		in     []*candidate
		want   []ranked
	}{
		"the report's invoice": {
			reason: ".854 = .65·.776 + .35·1: the best lexical score counts as 1 whatever it is",
			fusion: weighted, mode: rag.Hybrid,
			in:   []*candidate{proposal("rival", score(.801), score(2.1), 1, 2, 0), proposal("wanted", score(.776), score(8.4), 2, 1, 0)},
			want: []ranked{{"wanted", .8544, score(.776), score(1)}, {"rival", .65*.801 + .35*.25, score(.801), score(.25)}},
		},
		"nothing lexical": {
			reason: "a best score of 0 makes every lexical score 0, not a division by it",
			fusion: weighted, mode: rag.Hybrid,
			in:   []*candidate{proposal("a", score(.5), score(0), 1, 0, 0), proposal("b", score(.4), score(0), 2, 0, 0)},
			want: []ranked{{"a", .325, score(.5), score(0)}, {"b", .26, score(.4), score(0)}},
		},
		"an opposite": {
			reason: "a negative cosine is clipped to 0 and takes nothing from the lexical share",
			fusion: weighted, mode: rag.Hybrid,
			in:   []*candidate{proposal("a", score(-.4), score(3), 1, 1, 0), proposal("b", score(1.0000001), score(0), 2, 0, 0)},
			want: []ranked{{"b", .65, score(1), score(0)}, {"a", .35, score(0), score(1)}},
		},
		"the ends of both ranges": {
			reason: "MinMax stretches both channels to [0,1], so the worst of each counts nothing",
			fusion: minMax, mode: rag.Hybrid,
			in:   []*candidate{proposal("a", score(.9), score(2), 1, 3, 0), proposal("b", score(.8), score(6), 2, 1, 0), proposal("c", score(.7), score(4), 3, 2, 0)},
			want: []ranked{{"b", .65*.5 + .35, score(.5), score(1)}, {"a", .65, score(1), score(0)}, {"c", .175, score(0), score(.5)}},
		},
		"one value": {
			reason: "a range of one value is 1 for all, which changes no order",
			fusion: minMax, mode: rag.Hybrid,
			in:   []*candidate{proposal("b", score(.5), score(2), 2, 1, 0), proposal("a", score(.5), score(2), 1, 2, 0)},
			want: []ranked{{"a", 1, score(1), score(1)}, {"b", 1, score(1), score(1)}},
		},
		"reciprocal ranks": {
			reason: "1/(60+rank), rank from 1; a channel that did not propose gives nothing; the raw BM25 stays visible",
			fusion: rrf, mode: rag.Hybrid,
			in:   []*candidate{proposal("a", score(.9), nil, 1, 0, 0), proposal("b", score(.8), score(7), 2, 1, 0), proposal("c", nil, score(6), 0, 2, 0)},
			want: []ranked{{"b", 1./62 + 1./61, score(.8), score(7)}, {"a", 1. / 61, score(.9), nil}, {"c", 1. / 62, nil, score(6)}},
		},
		"a tie": {
			reason: "equal scores are ordered by id, so that the order is always the same",
			fusion: rrf, mode: rag.Hybrid,
			in:   []*candidate{proposal("z", score(.9), score(1), 1, 2, 0), proposal("m", score(.8), score(2), 2, 1, 0)},
			want: []ranked{{"m", 1./61 + 1./62, score(.8), score(2)}, {"z", 1./61 + 1./62, score(.9), score(1)}},
		},
		"named identifiers": {
			reason: "a chunk with more of the named ids comes first, then the fused score decides",
			fusion: weighted, mode: rag.Hybrid,
			in:   []*candidate{proposal("a", score(.9), score(9), 1, 1, 0), proposal("b", score(.1), score(1), 3, 3, 2), proposal("c", score(.2), score(2), 2, 2, 1), proposal("d", score(.1), score(3), 4, 4, 1)},
			want: []ranked{{"b", .065 + .35/9, score(.1), score(1. / 9)}, {"c", .13 + .35*2/9, score(.2), score(2. / 9)}, {"d", .065 + .35/3, score(.1), score(1. / 3)}, {"a", .585 + .35, score(.9), score(1)}},
		},
		"dense alone": {
			reason: "in the Dense mode the lexical weight is nobody's",
			fusion: weighted, mode: rag.Dense,
			in:   []*candidate{proposal("a", score(.4), nil, 2, 0, 0), proposal("b", score(.8), nil, 1, 0, 0)},
			want: []ranked{{"b", .8, score(.8), nil}, {"a", .4, score(.4), nil}},
		},
		"lexical alone": {
			reason: "in the Lexical mode a score is its share of the best",
			fusion: weighted, mode: rag.Lexical,
			in:   []*candidate{proposal("a", nil, score(4), 0, 2, 0), proposal("b", nil, score(8), 0, 1, 0)},
			want: []ranked{{"b", 1, nil, score(1)}, {"a", .5, nil, score(.5)}},
		},
		"nobody": {reason: "no candidates are no hits", fusion: minMax, mode: rag.Hybrid, want: []ranked{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := []ranked{}
			for _, h := range test.fusion.fuse(test.mode, test.in) {
				got = append(got, ranked{h.ID, h.Scores.Fused, h.Scores.Dense, h.Scores.Lexical})
			}
			if diff := cmp.Diff(test.want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

// yarns are passages of which the question "combed cotton yarn price" ranks
// different ones first in the two channels.
func yarns() []stored {
	return []stored{
		at(1, prose("a", "p1", "combed cotton yarn", nil)),
		at(1, prose("b", "p1", "the price of combed cotton yarn is agreed with each mill before the season and is not told to other buyers", nil)),
		at(1, prose("c", "p1", "price of everything else that is sold by weight", nil)),
		at(1, prose("d", "p1", "yarn of cotton", nil)),
		at(1, prose("e", "p1", "holidays are taken in summer", nil)),
	}
}

const yarnQuestion = "combed cotton yarn price"

// TestCompleted holds that a candidate which only one channel proposed has the
// score that the other would have given it.
func TestCompleted(t *testing.T) {
	w := newWorld(t)
	w.put(yarns()...)
	all := w.ask(options(), rag.Question{Text: yarnQuestion})
	want := map[string]rag.Hit{}
	for _, h := range all.Hits {
		want[h.Document] = h
	}
	few := w.ask(options(func(o *Options) { o.Candidates = 1 }), rag.Question{Text: yarnQuestion})
	alone := 0
	for _, c := range few.Channels {
		alone += len(c.Candidates)
	}
	if alone != 2 || len(few.Hits) != 2 {
		t.Fatalf("two channels of 1 propose %d, together %d documents: the case needs different ones", alone, len(few.Hits))
	}
	for _, h := range few.Hits {
		if diff := cmp.Diff(want[h.Document].Scores, h.Scores, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s is scored otherwise when one channel leaves it out (-all +few):\n%s", h.Document, diff)
		}
	}
	if e := want["e"]; e.Scores.Lexical == nil || *e.Scores.Lexical != 0 {
		t.Errorf("a passage without any of the words has the lexical score %v, want 0", e.Scores.Lexical)
	}
}

// TestStoreFusesAlike compares our fusion by ranks with the store's own, whose
// positions count from 0.
func TestStoreFusesAlike(t *testing.T) {
	w := newWorld(t)
	w.put(yarns()...)
	o := options(func(o *Options) { o.Fusion = Fusion{Method: "RRF", K: 60} })
	out := w.ask(o, rag.Question{Text: yarnQuestion})
	if len(out.Flags) > 0 || len(out.Hits) != 5 {
		t.Fatalf("flags %v, %d hits; want none and 5", out.Flags, len(out.Hits))
	}
	fused := w.sent.replies[len(w.sent.replies)-1]
	if len(fused) != 5 {
		t.Fatalf("the store fused %d points", len(fused))
	}
	theirs := map[string]float64{}
	for _, p := range fused {
		theirs[store.PointID(p.GetId())] = float64(p.GetScore())
	}
	for _, h := range out.Hits {
		if d := math.Abs(theirs[h.ID] - h.Scores.Fused); d > 1e-6 {
			t.Errorf("%s: ours %.6f, the store's %.6f", h.Document, h.Scores.Fused, theirs[h.ID])
		}
	}
	if top := out.Hits[0]; math.Abs(top.Scores.Fused-(1./61+1./62)) > 1e-6 {
		t.Errorf("the first of one channel and second of the other, %s, has %.6f, want 1/61 + 1/62", top.Document, top.Scores.Fused)
	}
}

// TestFusionDisagrees makes the store fuse otherwise, as one with another idea of
// ranks would.
func TestFusionDisagrees(t *testing.T) {
	tests := map[string]struct {
		reason string
		change func(*qdrant.QueryPoints)
	}{
		"another constant": {"positions from 0 with our own k differ by one", func(q *qdrant.QueryPoints) {
			if r := q.GetQuery().GetRrf(); r != nil {
				r.K = qdrant.PtrOf(uint32(60))
			}
		}},
		"a channel less": {"the store's list lacks what only the other channel found", func(q *qdrant.QueryPoints) {
			if q.GetQuery().GetRrf() != nil {
				q.Prefetch = q.Prefetch[1:]
			}
		}},
		"a short list": {"what the store left out is not served as if it agreed", func(q *qdrant.QueryPoints) {
			if q.GetQuery().GetRrf() != nil {
				q.Limit = qdrant.PtrOf(uint64(1))
			}
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(yarns()...)
			w.sent.change = test.change
			out := w.ask(options(func(o *Options) { o.Fusion = Fusion{Method: "RRF", K: 60} }), rag.Question{Text: yarnQuestion})
			if diff := cmp.Diff([]string{"FusionDisagrees"}, reasons(out.Flags)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

// TestStoreOrderServes holds that where the two fusions disagree the store's
// order is what is served, and the answer says so.
func TestStoreOrderServes(t *testing.T) {
	w := newWorld(t)
	w.put(yarns()...)
	w.sent.change = func(q *qdrant.QueryPoints) {
		if q.GetQuery().GetRrf() != nil {
			q.Prefetch = q.Prefetch[:1] // the dense channel alone
		}
	}
	rrf := w.ask(options(func(o *Options) { o.Fusion = Fusion{Method: "RRF", K: 60} }), rag.Question{Text: yarnQuestion})
	w.sent.change = nil
	dense := w.ask(options(func(o *Options) { o.Mode = rag.Dense }), rag.Question{Text: yarnQuestion})
	if diff := cmp.Diff(documents(dense.Hits), documents(rrf.Hits)); diff != "" {
		t.Errorf("served (-store's order +served):\n%s", diff)
	}
}

// TestRealModel asks the real encoder: a paraphrase is found by meaning, a code
// by its letters, and a question over the window is refused with both counts.
func TestRealModel(t *testing.T) {
	m := model(t)
	w := inhabit(t, connect(t, m.Dimensions()), m)
	w.put(
		at(1, prose("leave", "p1", "Employees who become parents may stay at home for 26 weeks on full pay.", nil)),
		at(1, prose("invoice", "p1", "Tax invoice STL/2025-26/003 for combed yarn, Welspun Home Furnishings.", nil)),
		at(1, prose("other", "p1", "Tax invoice STL/2025-26/004 for combed yarn, Trident Exports.", nil)),
		at(1, prose("canteen", "p1", "The canteen opens at noon and closes at two.", nil)),
	)
	for question, want := range map[string]string{
		"How long can a mother remain away from work after childbirth?": "leave",
		"Which customer was invoice STL/2025-26/003 raised for?":        "invoice",
	} {
		if out := w.ask(options(), rag.Question{Text: question}); len(out.Hits) != 4 || out.Hits[0].Document != want {
			t.Errorf("%q: %v, want %s first", question, documents(out.Hits), want)
		}
	}
	long := ""
	for range 300 {
		long += "wages "
	}
	out, err := w.retriever(options(), 1).Apply(context.Background(), asked(rag.Question{Text: long}))
	if err != nil {
		t.Fatal(err)
	}
	want := []rag.Flag{{Reason: QuestionTooLong, Detail: "the question has 302 tokens and the encoder reads 256: ask it shorter"}}
	if diff := cmp.Diff(want, out.Flags); diff != "" || len(out.Hits) > 0 {
		t.Errorf("%d hits, flags (-want +got):\n%s", len(out.Hits), diff)
	}
}
