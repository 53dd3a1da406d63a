package evidence

import (
	"context"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/hardgate-dev/hardgate/runtime/store"
)

// wire stands between the product and the store and rewrites the filters of
// queries that have been sent. So the product is unmodified, believes that it
// asked with its filter, and says so in its trace.
type wire struct {
	qdrant.UnimplementedPointsServer
	qdrant.UnimplementedQdrantServer
	health qdrant.QdrantClient
	store  qdrant.PointsClient

	drop string // the field whose conditions are taken out; "" = none
	only string // the vector whose queries are rewritten; "" = every query
	late bool   // all rules are taken out, and applied to what was found

	mu   sync.Mutex
	sent []*qdrant.QueryPoints // as the product sent them
}

// through connects to the lab's store by a wire.
func (l *lab) through(t *testing.T, w *wire) *store.Client {
	t.Helper()
	conn, err := l.server.Dial()
	if err != nil {
		t.Fatal(err)
	}
	w.health, w.store = qdrant.NewQdrantClient(conn), qdrant.NewPointsClient(conn)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	qdrant.RegisterPointsServer(s, w)
	qdrant.RegisterQdrantServer(s, w)
	done := make(chan error, 1)
	go func() { done <- s.Serve(listener) }()
	client, err := store.Connect(t.Context(), store.Config{URL: "http://" + listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		s.Stop()
		_ = conn.Close()
		if err := <-done; err != nil {
			t.Errorf("the wire's server: %v", err)
		}
	})
	return client
}

func (w *wire) HealthCheck(ctx context.Context, r *qdrant.HealthCheckRequest) (*qdrant.HealthCheckReply, error) {
	return w.health.HealthCheck(ctx, r)
}

func (w *wire) Count(ctx context.Context, r *qdrant.CountPoints) (*qdrant.CountResponse, error) {
	return w.store.Count(ctx, r)
}

func (w *wire) QueryBatch(ctx context.Context, r *qdrant.QueryBatchPoints) (*qdrant.QueryBatchResponse, error) {
	w.mu.Lock()
	w.sent = append(w.sent, r.QueryPoints...)
	w.mu.Unlock()
	harmed := proto.CloneOf(r)
	for _, q := range harmed.QueryPoints {
		if w.only != "" && q.GetUsing() != w.only {
			continue
		}
		q.Filter = w.harm(q.Filter)
		for _, p := range q.Prefetch {
			p.Filter = w.harm(p.Filter)
		}
	}
	reply, err := w.store.QueryBatch(ctx, harmed)
	if err != nil || !w.late {
		return reply, err
	}
	for i, q := range r.QueryPoints {
		if err := w.filter(ctx, q, reply.Result[i]); err != nil {
			return nil, err
		}
	}
	return reply, nil
}

// harm takes the conditions out that the mutant lacks.
func (w *wire) harm(f *qdrant.Filter) *qdrant.Filter {
	if f == nil {
		return nil
	}
	f.Must = slices.DeleteFunc(f.Must, func(c *qdrant.Condition) bool {
		name := field(c)
		return name != "" && (name == w.drop || w.late && slices.Contains(ruled, name))
	})
	return f
}

// ruled are the fields of the lab's eligibility.
var ruled = []string{"status", "groups", "product", "valid_from", "valid_to"}

// field is the payload field that a condition speaks of; that of a nested filter
// is its first condition's.
func field(c *qdrant.Condition) string {
	switch {
	case c.GetField() != nil:
		return c.GetField().GetKey()
	case c.GetIsEmpty() != nil:
		return c.GetIsEmpty().GetKey()
	case len(c.GetFilter().GetShould()) > 0:
		return field(c.GetFilter().GetShould()[0])
	}
	return ""
}

// filter drops from a reply what the product's own filter would not have admitted.
func (w *wire) filter(ctx context.Context, q *qdrant.QueryPoints, found *qdrant.BatchResult) error {
	if len(found.Result) == 0 {
		return nil
	}
	var ids []*qdrant.PointId
	for _, p := range found.Result {
		ids = append(ids, p.Id)
	}
	f := proto.CloneOf(q.Filter)
	f.Must = append(f.Must, qdrant.NewHasID(ids...))
	limit := uint64(len(ids))
	admitted, err := w.store.Query(ctx, &qdrant.QueryPoints{CollectionName: q.CollectionName, Filter: f, Limit: &limit})
	if err != nil {
		return err
	}
	found.Result = slices.DeleteFunc(found.Result, func(p *qdrant.ScoredPoint) bool {
		return !slices.ContainsFunc(admitted.Result, func(a *qdrant.ScoredPoint) bool { return a.GetId().GetUuid() == p.GetId().GetUuid() })
	})
	return nil
}
