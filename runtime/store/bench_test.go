package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// The size for which a real server's figures are known: 100,000 points of 384
// dimensions with 60 sparse terms, about 5 % admitted by tenant and date.
const (
	benchPoints = 100_000
	benchSize   = 384
	benchTerms  = 60
	tenants     = 16
)

// BenchmarkHybrid loads the points and asks filtered hybrid queries, as the report
// does: two prefetches of 20, fused, 6 hits with payload. It reports the load's
// seconds, and p95 over the yardstick: a plain loop over as many dot products, in
// this run on this machine. A real server's p95 was 0.12 of that yardstick.
func BenchmarkHybrid(b *testing.B) {
	server, err := embedded.Open(embedded.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	c, err := Connect(b.Context(), Config{Embedded: server})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	benchLoad(b, c, random)
	loaded := time.Since(start)

	var times, yardsticks []time.Duration
	var asking, comparing time.Duration // processor time
	loop := newYardstick(random)
	for b.Loop() {
		before := processorTime(b)
		if len(times)%20 == 0 { // side by side: a busy machine slows both
			yardsticks = append(yardsticks, loop.run())
			comparing += processorTime(b) - before
			before = processorTime(b)
		}
		query := benchQuery(random)
		asked := time.Now()
		hits, err := c.QueryBatch(b.Context(), "bench", []*qdrant.QueryPoints{query})
		times = append(times, time.Since(asked))
		asking += processorTime(b) - before
		if err != nil || len(hits[0]) != 6 {
			b.Fatalf("%d hits, %v", len(hits[0]), err)
		}
	}
	slices.Sort(times)
	slices.Sort(yardsticks)
	p95 := times[len(times)*95/100]
	yardstick := yardsticks[len(yardsticks)/2]
	b.ReportMetric(loaded.Seconds(), "load-s")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(p95.Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(yardstick.Microseconds())/1000, "yardstick-ms")
	b.ReportMetric(float64(p95)/float64(yardstick), "p95/yardstick")
	b.ReportMetric(float64(asking)/float64(len(times))/(float64(comparing)/float64(len(yardsticks))), "cpu/yardstick")
}

// processorTime is what the process has used so far, which a busy machine inflates
// less than the time that passes.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func benchLoad(b *testing.B, c *Client, random *rand.Rand) {
	b.Helper()
	err := c.Ensure(b.Context(), "bench", Schema{Size: benchSize, Strict: true, Owner: "bench", Indexes: []Index{
		{Field: "tenant", Type: "Keyword", Tenant: true}, {Field: "from", Type: "Datetime"},
	}})
	if err != nil {
		b.Fatal(err)
	}
	points := make([]Point, 0, 2000)
	for n := range benchPoints {
		points = append(points, Point{ID: id(n), Dense: benchDense(random), Sparse: benchSparse(random, benchTerms), Payload: map[string]any{
			"tenant": fmt.Sprintf("t%d", random.IntN(tenants)), "from": time.Unix(int64(random.IntN(1e9)), 0).UTC().Format(time.RFC3339), "text": "a passage of a document",
		}})
		if len(points) == cap(points) || n == benchPoints-1 {
			if err := c.Upsert(b.Context(), "bench", points); err != nil {
				b.Fatal(err)
			}
			points = points[:0]
		}
	}
}

func benchDense(random *rand.Rand) []float32 {
	v := make([]float32, benchSize)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	return v
}

// benchSparse draws terms as texts have them: few are frequent.
func benchSparse(random *rand.Rand, n int) *Sparse {
	zipf := rand.NewZipf(random, 1.1, 10, 30_000)
	seen, out := map[uint32]bool{}, &Sparse{}
	for len(out.Indices) < n {
		if term := uint32(zipf.Uint64()); !seen[term] {
			seen[term] = true
			out.Indices, out.Values = append(out.Indices, term), append(out.Values, random.Float32()+0.1)
		}
	}
	return out
}

func benchQuery(random *rand.Rand) *qdrant.QueryPoints {
	filter := &qdrant.Filter{Must: []*qdrant.Condition{
		qdrant.NewMatchKeyword("tenant", fmt.Sprintf("t%d", random.IntN(tenants))),
		qdrant.NewDatetimeRange("from", &qdrant.DatetimeRange{Lte: timestamppb.New(time.Unix(8e8, 0))}),
	}}
	sparse := benchSparse(random, 12)
	return &qdrant.QueryPoints{
		Prefetch: []*qdrant.PrefetchQuery{
			{Query: qdrant.NewQueryDense(benchDense(random)), Using: qdrant.PtrOf(DenseVector), Filter: filter, Limit: qdrant.PtrOf(uint64(20))},
			{Query: qdrant.NewQuerySparse(sparse.Indices, sparse.Values), Using: qdrant.PtrOf(SparseVector), Filter: filter, Limit: qdrant.PtrOf(uint64(20))},
		},
		Query: qdrant.NewQueryFusion(qdrant.Fusion_RRF), Limit: qdrant.PtrOf(uint64(6)), WithPayload: qdrant.NewWithPayload(true),
	}
}

// yardstick is a plain loop with four accumulators on one core.
type yardstick struct{ vectors, query []float32 }

func newYardstick(random *rand.Rand) yardstick {
	vectors := make([]float32, benchPoints*benchSize)
	for i := range vectors {
		vectors[i] = random.Float32()
	}
	return yardstick{vectors, benchDense(random)}
}

func (y yardstick) run() time.Duration {
	start := time.Now()
	var sum float32
	for at := 0; at < len(y.vectors); at += benchSize {
		v := y.vectors[at : at+benchSize]
		var a, b, c, d float32
		for i := 0; i < benchSize; i += 4 {
			a += v[i] * y.query[i]
			b += v[i+1] * y.query[i+1]
			c += v[i+2] * y.query[i+2]
			d += v[i+3] * y.query[i+3]
		}
		sum += a + b + c + d
	}
	if sum == 0 { // keeps the loop from being optimised away
		return 0
	}
	return time.Since(start)
}
