package store

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// connect opens an embedded store in a folder and a client of it; with QDRANT_URL
// set, a client of that server instead, cleared of this test's collections.
func connect(t *testing.T) *Client {
	t.Helper()
	cfg := Config{URL: os.Getenv("QDRANT_URL"), APIKey: os.Getenv("QDRANT_API_KEY")}
	if cfg.URL == "" {
		server, err := embedded.Open(embedded.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		})
		cfg.Embedded = server
	}
	c, err := Connect(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"c", "d"} {
		if _, err := c.collections.Delete(t.Context(), &qdrant.DeleteCollection{CollectionName: name}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func schema() Schema {
	return Schema{Size: 3, Strict: true, Owner: "me", Indexes: append(OwnIndexes(), Index{Field: "customer", Type: "Keyword"}, Index{Field: "from", Type: "Datetime"})}
}

func ensured(t *testing.T) *Client {
	t.Helper()
	c := connect(t)
	if err := c.Ensure(t.Context(), "c", schema()); err != nil {
		t.Fatal(err)
	}
	return c
}

func id(n int) string { return uuid.NewSHA1(uuid.Nil, fmt.Append(nil, n)).String() }

func TestRefusals(t *testing.T) {
	c := ensured(t)
	ctx := t.Context()
	tests := map[string]struct {
		reason string
		do     func() error
	}{
		"empty filter": {"it would delete everything", func() error { return c.DeletePoints(ctx, "c", ByFilter(&qdrant.Filter{})) }},
		"no selector":  {"neither ids nor a filter", func() error { return c.DeletePoints(ctx, "c", Selector{}) }},
		"both selectors": {"ids and a filter", func() error {
			return c.DeletePoints(ctx, "c", Selector{IDs: []string{id(1)}, Filter: &qdrant.Filter{}})
		}},
		"no uuid": {"an id that is none", func() error { return c.Upsert(ctx, "c", []Point{{ID: "seven"}}) }},
		"channel payload": {"a value that no payload can hold", func() error {
			return c.Upsert(ctx, "c", []Point{{ID: id(1), Payload: map[string]any{"x": make(chan int)}}})
		}},
		"wrong size": {"a vector of another model", func() error { return c.Upsert(ctx, "c", []Point{{ID: id(1), Dense: []float32{1}}}) }},
		"no owner":   {"a collection that nobody owns", func() error { return c.Ensure(ctx, "d", Schema{Size: 3}) }},
		"unknown type": {"an index type that does not exist", func() error {
			return c.Ensure(ctx, "d", Schema{Size: 3, Owner: "me", Indexes: []Index{{Field: "x", Type: "Colour"}}})
		}},
		"tenant integer": {"a tenant field has names", func() error {
			return c.Ensure(ctx, "d", Schema{Size: 3, Owner: "me", Indexes: []Index{{Field: "x", Type: "Integer", Tenant: true}}})
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if err := test.do(); err == nil {
				t.Errorf("%s: accepted", test.reason)
			}
		})
	}
}

func TestConnectRefuses(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	tests := map[string]struct {
		reason string
		cfg    Config
	}{
		"nothing":      {"no server at all", Config{}},
		"no scheme":    {"whether to use TLS must be said", Config{URL: "qdrant:6334"}},
		"a path":       {"gRPC has none", Config{URL: "http://qdrant:6334/x"}},
		"a password":   {"the key has its own field", Config{URL: "http://u:p@qdrant:6334"}},
		"CA over http": {"it would check nothing", Config{URL: "http://qdrant:6334", CA: []byte("x")}},
		"a bad CA":     {"no certificate in it", Config{URL: "https://qdrant:6334", CA: []byte("x")}},
		"nobody there": {"known now, not at the first query", Config{URL: (&url.URL{Scheme: "http", Host: "127.0.0.1:1"}).String()}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if c, err := Connect(ctx, test.cfg); err == nil {
				_ = c.Close()
				t.Errorf("%s: accepted", test.reason)
			}
		})
	}
}

// TestConcurrent writes, reads, indexes and drops at once.
func TestConcurrent(t *testing.T) {
	c := ensured(t)
	ctx := t.Context()
	north := &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchKeyword("customer", "north")}}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for n := range 50 {
				p := Point{ID: id(w*1000 + n), Dense: []float32{1, float32(n), 0}, Sparse: &Sparse{Indices: []uint32{uint32(n)}, Values: []float32{1}}, Payload: map[string]any{"customer": "north", "from": "2024-01-01"}}
				if err := c.Upsert(ctx, "c", []Point{p}); err != nil {
					t.Error(err)
				}
				if n%5 == 0 {
					if err := c.DeletePoints(ctx, "c", ByIDs(p.ID)); err != nil {
						t.Error(err)
					}
				}
			}
		})
		wg.Go(func() {
			for range 50 {
				if _, err := c.QueryBatch(ctx, "c", []*qdrant.QueryPoints{
					{Query: qdrant.NewQueryDense([]float32{1, 0, 0}), Using: qdrant.PtrOf(DenseVector), Filter: north},
					{Query: qdrant.NewQuerySparse([]uint32{7}, []float32{1}), Using: qdrant.PtrOf(SparseVector)},
				}); err != nil {
					t.Error(err)
				}
				for _, err := range c.Scroll(ctx, "c", north, AllFields(), true) {
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Go(func() {
		for range 10 {
			if err := c.Ensure(ctx, "d", schema()); err != nil {
				t.Error(err)
			}
			if err := c.SetAlias(ctx, "live", "c"); err != nil {
				t.Error(err)
			}
			if err := c.DropCollection(ctx, "d", "me"); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	if n, err := c.Count(ctx, "c", north, true); err != nil || n != 4*40 {
		t.Errorf("%d points, %v; want %d", n, err, 4*40)
	}
}
