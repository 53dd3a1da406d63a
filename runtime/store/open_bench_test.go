package store

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// BenchmarkOpen starts a store whose folder holds the points of BenchmarkHybrid: as
// a log and snapshot of what was written, and as a snapshot alone after the log has
// been folded into one. It reports seconds for each.
func BenchmarkOpen(b *testing.B) {
	for name, maxLog := range map[string]int64{"log": 1 << 40, "snapshot": 1} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			server, c := benchOpen(b, dir, maxLog)
			benchLoad(b, c, rand.New(rand.NewPCG(1, 2)))
			benchClose(b, server, c)
			var opened time.Duration
			for b.Loop() {
				start := time.Now()
				server, c = benchOpen(b, dir, 1<<40)
				opened += time.Since(start)
				if n, err := c.Count(b.Context(), "bench", nil, true); err != nil || n != benchPoints {
					b.Fatalf("%d points, %v", n, err)
				}
				benchClose(b, server, c)
			}
			b.ReportMetric(opened.Seconds()/float64(b.N), "open-s")
		})
	}
}

func benchOpen(b *testing.B, dir string, maxLog int64) (*embedded.Server, *Client) {
	b.Helper()
	server, err := embedded.Open(embedded.Options{Dir: dir, MaxLog: maxLog})
	if err != nil {
		b.Fatal(err)
	}
	c, err := Connect(b.Context(), Config{Embedded: server})
	if err != nil {
		b.Fatal(err)
	}
	return server, c
}

func benchClose(b *testing.B, server *embedded.Server, c *Client) {
	b.Helper()
	if err := c.Close(); err != nil {
		b.Error(err)
	}
	if err := server.Close(); err != nil {
		b.Error(err)
	}
}
