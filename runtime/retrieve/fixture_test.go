package retrieve

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/lexical"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

const (
	collection = "c"
	// open is hardgate.to of what nothing has superseded, as ingestion writes it.
	open int64 = 1<<53 - 1
)

// t0 is when the tests' questions are asked.
var t0 = time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)

// fails is what a test and a rapid check have in common.
type fails interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// world is one corpus in a collection of a real embedded store.
type world struct {
	fails
	client  *store.Client
	corpus  string
	encoder Encoder
	lexer   lexer
	sent    *recorder
}

// connect opens a store with one strict collection, for vectors of this length.
func connect(t testing.TB, size int) *store.Client {
	t.Helper()
	server, err := embedded.Open(embedded.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	client, err := store.Connect(t.Context(), store.Config{Embedded: server})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	schema := store.Schema{Size: uint64(size), Strict: true, Owner: "test", Indexes: store.OwnIndexes()}
	for _, f := range []string{"status", "groups", "customer", "product"} {
		schema.Indexes = append(schema.Indexes, store.Index{Field: f, Type: "Keyword"})
	}
	for _, f := range []string{"valid_from", "valid_to"} {
		schema.Indexes = append(schema.Indexes, store.Index{Field: f, Type: "Datetime"})
	}
	if err := client.Ensure(t.Context(), collection, schema); err != nil {
		t.Fatal(err)
	}
	return client
}

func newWorld(t testing.TB) *world {
	t.Helper()
	e := hashed{}
	return inhabit(t, connect(t, hashedSize), e)
}

// inhabit makes a new corpus in a collection that others may use too.
func inhabit(t fails, c *store.Client, e Encoder) *world {
	t.Helper()
	l, err := lexical.New(lexical.Options{K1: 1.2, B: 0.75, AverageLength: 32})
	if err != nil {
		t.Fatal(err)
	}
	return &world{fails: t, client: c, corpus: uuid.NewString(), encoder: e, lexer: lexer{l}, sent: &recorder{client: c}}
}

// stored is a chunk with the revisions that hold it: from N to before M.
type stored struct {
	rag.Chunk
	from, to int64
}

// at stores the chunk from revision n on.
func at(n int64, c rag.Chunk) stored { return stored{c, n, open} }

// put stores chunks as ingestion does, and returns their ids.
func (w *world) put(chunks ...stored) []string {
	w.Helper()
	ctx := context.Background()
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.Search()
	}
	vectors, err := w.encoder.Embed(ctx, texts)
	if err != nil {
		w.Fatal(err)
	}
	points := make([]store.Point, len(chunks))
	ids := make([]string, len(chunks))
	for i, c := range chunks {
		c.IDs = w.lexer.IDs(c.Search())
		indices, values := w.lexer.document(c.Search())
		ids[i] = uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "%q", []string{w.corpus, c.Document, c.Passage, fmt.Sprint(c.Piece), c.Body(), fmt.Sprint(c.from)})).String()
		points[i] = store.Point{ID: ids[i], Dense: vectors[i], Sparse: &store.Sparse{Indices: indices, Values: values}, Payload: payload(w, c)}
	}
	if err := w.client.Upsert(ctx, collection, points); err != nil {
		w.Fatal(err)
	}
	return ids
}

// marshal is a chunk as ingestion stores it.
func marshal(t fails, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func payload(w *world, c stored) map[string]any {
	own := map[string]any{
		"corpus": w.corpus, "kind": "chunk", "from": c.from, "to": c.to, "key": c.Document + ".pdf", "document": c.Document, "passage": c.Passage,
		"names": append([]string{c.Passage}, c.Aliases...), "columns": c.Columns(), "ids": c.IDs, "chunk": string(marshal(w, c.Chunk)),
	}
	out := map[string]any{store.Own: own}
	for k, v := range c.Fields {
		out[k] = v
	}
	return out
}

// options are those of a corpus without rules; a test changes what it is about.
func options(change ...func(*Options)) Options {
	o := Options{Mode: rag.Hybrid, Fusion: Fusion{Method: "Weighted", Dense: .65, Lexical: .35, Normalization: "Max"}, Candidates: 20, TopK: 5, Pin: true}
	for _, c := range change {
		c(&o)
	}
	return o
}

func (w *world) retriever(o Options, revision int64) *Retriever {
	w.Helper()
	r, err := New(o, Scope{Collection: collection, Corpus: w.corpus, Revision: revision}, w.sent, w.encoder, w.lexer)
	if err != nil {
		w.Fatal(err)
	}
	return r
}

// ask retrieves at revision 1.
func (w *world) ask(o Options, q rag.Question) rag.Retrieved {
	w.Helper()
	out, err := w.retriever(o, 1).Apply(context.Background(), asked(q))
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// gather retrieves at revision 1 and makes tables whole.
func (w *world) gather(o Options, q rag.Question) rag.Retrieved {
	w.Helper()
	r := w.retriever(o, 1)
	found, err := r.Apply(context.Background(), asked(q))
	if err != nil {
		w.Fatal(err)
	}
	out, err := r.Gather().Apply(context.Background(), found)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

func asked(q rag.Question) rag.Question {
	if q.AsOf.IsZero() {
		q.AsOf = t0
	}
	return q
}

// prose is a passage of one piece.
func prose(document, passage, text string, fields map[string]any) rag.Chunk {
	return rag.Chunk{Document: document, Passage: passage, Pieces: 1, Place: rag.Place{Page: 1}, Fields: fields,
		Units: []rag.Unit{{Name: passage + ".s1", Kind: rag.Sentence, Text: text, Place: rag.Place{Page: 1}}}}
}

func documents(hits []rag.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.Document)
	}
	return out
}

func reasons(fs []rag.Flag) []string {
	out := []string{}
	for _, f := range fs {
		out = append(out, f.Reason)
	}
	return out
}

// recorder is the store, and remembers what was asked and what left it.
type recorder struct {
	client  *store.Client
	change  func(*qdrant.QueryPoints) // made to every query before it is sent; nil = none
	queries []*qdrant.QueryPoints
	replies [][]*qdrant.ScoredPoint
	batches int // requests in which the queries went out
	counts  int
}

func (r *recorder) QueryBatch(ctx context.Context, collection string, queries []*qdrant.QueryPoints) ([][]*qdrant.ScoredPoint, error) {
	if r.change != nil {
		for _, q := range queries {
			r.change(q)
		}
	}
	r.batches++
	replies, err := r.client.QueryBatch(ctx, collection, queries)
	r.queries, r.replies = append(r.queries, queries...), append(r.replies, replies...)
	return replies, err
}

func (r *recorder) Count(ctx context.Context, collection string, f *qdrant.Filter) (uint64, error) {
	r.counts++
	return r.client.Count(ctx, collection, f, true)
}

// lexer is the real one in the shape that retrieval asks for.
type lexer struct{ *lexical.Encoder }

func (l lexer) Query(text string) ([]uint32, []float32) {
	s := l.Encoder.Query(text)
	return s.Indices, s.Values
}

func (l lexer) document(text string) ([]uint32, []float32) {
	s := l.Document(text)
	return s.Indices, s.Values
}

func (lexer) IDs(text string) []string { return lexical.IDs(text) }

const (
	hashedSize   = 64
	hashedWindow = 24
)

// hashed is an encoder without a model: every word has a direction of its own,
// so texts that share words are near each other.
type hashed struct{}

func (hashed) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		v := make([]float64, hashedSize)
		for _, word := range strings.Fields(strings.ToLower(text)) {
			h := fnv.New64a()
			h.Write([]byte(word))
			for k, bits := 0, h.Sum64(); k < 4; k, bits = k+1, bits>>8 {
				v[bits%hashedSize]++
			}
		}
		out[i] = unit(v)
	}
	return out, nil
}

func unit(v []float64) []float32 {
	var squares float64
	for _, x := range v {
		squares += x * x
	}
	out := make([]float32, len(v))
	for d, x := range v {
		out[d] = float32(x / max(math.Sqrt(squares), 1e-9))
	}
	if squares == 0 {
		out[0] = 1
	}
	return out
}

func (hashed) Count(text string) int { return 2 + len(strings.Fields(text)) }
func (hashed) Window() int           { return hashedWindow }

// weights is the real model, opened once: it can't be closed.
var weights = sync.OnceValues(func() (*embed.Model, error) {
	return embed.Open(embed.Options{Dir: settings.ModelDir(os.Getenv)})
})

func model(t testing.TB) *embed.Model {
	t.Helper()
	m, err := weights()
	if err != nil {
		t.Fatalf("%v: run `make setup`", err)
	}
	return m
}

// sorted returns the strings in order, for comparing sets.
func sorted(in []string) []string {
	out := append([]string{}, in...)
	slices.Sort(out)
	return out
}
