package retrieve

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// TestRRFIsOneRequest holds RRF to a single request: the store fuses two
// prefetches of 20, the filter inside each, in one batch with the two channels
// whose own lists the trace shows; six hits are kept.
func TestRRFIsOneRequest(t *testing.T) {
	w := newWorld(t)
	for i := range 3 { // fifteen passages, so that six are a choice
		for _, c := range yarns() {
			c.Document, c.Fields = fmt.Sprint(c.Document, i), map[string]any{"customer": "north"}
			w.put(c)
		}
		w.put(at(1, prose("south", "p1", "Rate of yarn for the mill.", map[string]any{"customer": "south"})))
	}
	o := options(func(o *Options) {
		o.Fusion, o.TopK = Fusion{Method: "RRF", K: 60}, 6
		o.Rules = settings.Eligibility{Identity: []settings.IdentityRule{{Field: "customer", Claim: "tenant", Shared: []string{"all"}}}}
	})
	out := w.ask(o, rag.Question{Text: yarnQuestion, Identity: rag.Identity{Tenant: "north"}})
	if len(out.Flags) > 0 || len(out.Hits) != 6 {
		t.Fatalf("%d hits, flags %v; want 6 and none", len(out.Hits), out.Flags)
	}
	if w.sent.batches != 1 || len(w.sent.queries) != 3 {
		t.Fatalf("%d requests with %d queries, want 1 with 3", w.sent.batches, len(w.sent.queries))
	}
	dense, lexical, fused := w.sent.queries[0], w.sent.queries[1], w.sent.queries[2]
	filter := &qdrant.Filter{Must: append(Scope{Collection: collection, Corpus: w.corpus, Revision: 1}.conditions(), qdrant.NewMatchKeywords("customer", "north", "all"))}
	want := []*qdrant.PrefetchQuery{
		{Query: dense.Query, Using: proto.String(store.DenseVector), Filter: filter, Limit: proto.Uint64(20)},
		{Query: lexical.Query, Using: proto.String(store.SparseVector), Filter: filter, Limit: proto.Uint64(20)},
	}
	if diff := cmp.Diff(want, fused.Prefetch, protocmp.Transform()); diff != "" {
		t.Errorf("prefetches (-want +got):\n%s", diff)
	}
	if k := fused.GetQuery().GetRrf().GetK(); k != 61 {
		t.Errorf("the store is asked to fuse with k %d, want 61, whose positions count from 0", k)
	}
	var names []string
	for _, ch := range out.Channels {
		names = append(names, ch.Name)
		if ch.Filter != sent(filter) {
			t.Errorf("channel %s was filtered by %s", ch.Name, ch.Filter)
		}
	}
	if diff := cmp.Diff([]string{denseChannel, lexicalChannel, fusedChannel}, names); diff != "" {
		t.Errorf("channels of the trace (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{sent(filter), sent(filter)}, out.Channels[2].Prefetch); diff != "" {
		t.Errorf("the trace's prefetch filters (-want +got):\n%s", diff)
	}
}
