package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/chunk"
	"github.com/hardgate-dev/hardgate/runtime/lexical"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

const manifestKey = "metadata.jsonl"

// fails is what a test and a rapid check have in common.
type fails interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// connect opens a real embedded store in memory.
func connect(t testing.TB) *store.Client {
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
	return client
}

// world is one corpus: its objects, its settings, and a collection it may share.
type world struct {
	fails
	tap      *tap
	bucket   *bucket
	encoder  *hashed
	corpus   string
	settings settings.Corpus
}

// newWorld makes a corpus in a collection, which is made if need be.
func newWorld(t fails, client *store.Client, collection, corpus string) *world {
	t.Helper()
	schema := store.Schema{Size: hashedSize, Strict: true, Owner: "test", Indexes: store.OwnIndexes()}
	for _, f := range []string{"status", "groups", "customer"} {
		schema.Indexes = append(schema.Indexes, store.Index{Field: f, Type: "Keyword"})
	}
	for _, f := range []string{"valid_from", "valid_to"} {
		schema.Indexes = append(schema.Indexes, store.Index{Field: f, Type: "Datetime"})
	}
	if err := client.Ensure(context.Background(), collection, schema); err != nil {
		t.Fatal(err)
	}
	w := &world{fails: t, corpus: corpus, tap: &tap{client: client, collection: collection}, encoder: &hashed{}, bucket: newBucket()}
	w.settings = settings.NewCorpus()
	w.settings.Documents = settings.Documents{ID: "{{ .Base }}", Revision: "{{ .Metadata.revision }}", Metadata: []settings.Metadata{{Manifest: manifestKey}}, TolerateFailures: "0"}
	w.settings.Eligibility = settings.Eligibility{
		Constants: []settings.Constant{{Field: "status", Values: []string{"published"}}},
		Identity:  []settings.IdentityRule{{Field: "groups", Claim: "groups"}, {Field: "customer", Claim: "tenant", Shared: []string{"all"}}},
		Validity:  &settings.Validity{From: "valid_from", To: "valid_to"},
	}
	return w
}

// single is a corpus with a store of its own.
func single(t *testing.T) *world {
	t.Helper()
	return newWorld(t, connect(t), "c", "corpus-1")
}

func (w *world) ingester() *Ingester {
	w.Helper()
	l, err := lexical.New(lexical.Options{K1: 1.2, B: 0.75, AverageLength: 32})
	if err != nil {
		w.Fatal(err)
	}
	c, err := chunk.New(chunk.Options{Strategy: chunk.Recursive, Size: 60, Window: 64}, w.encoder)
	if err != nil {
		w.Fatal(err)
	}
	return &Ingester{
		Ledger: w.ledger(), Source: w.bucket, Settings: w.settings, Extract: extract, Chunk: c.Apply, Encoder: w.encoder, Lexer: lexer{l}, Workers: 1,
		Reads: func(key string) bool { return !strings.HasSuffix(key, ".csv.txt") },
	}
}

func (w *world) ledger() Ledger {
	return Ledger{Store: w.tap, Collection: w.tap.collection, Corpus: w.corpus}
}

func (w *world) list() source.Listing {
	w.Helper()
	l, err := source.List(context.Background(), w.bucket, source.Filter{Include: []string{"**/*.txt"}, MaxObjectBytes: 4000}, []string{manifestKey})
	if err != nil {
		w.Fatal(err)
	}
	return l
}

// try lists the bucket and makes the listing revision n; the tap's counters begin
// anew.
func (w *world) try(n int64) (Summary, error) {
	w.Helper()
	w.bucket.opened, w.encoder.texts = map[string]int{}, nil
	return w.ingester().Run(context.Background(), w.list(), n, nil)
}

func (w *world) run(n int64) Summary {
	w.Helper()
	s, err := w.try(n)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// held is a chunk as a revision has it.
type held struct {
	Evidence string
	Text     string
	Fields   map[string]any
}

// sees reads what revision n holds, through the chunks' own payload.
func (w *world) sees(n int64) []held {
	w.Helper()
	l := w.ledger()
	out := []held{}
	for p, err := range w.tap.client.Scroll(context.Background(), l.Collection, l.filter(append(within(n), kind(kindChunk))...), store.AllFields(), false) {
		if err != nil {
			w.Fatal(err)
		}
		c, err := chunkOf(p)
		if err != nil {
			w.Fatal(err)
		}
		out = append(out, held{c.Evidence(), c.Body(), c.Fields})
	}
	slices.SortFunc(out, func(a, b held) int { return cmp.Or(cmp.Compare(a.Evidence, b.Evidence), cmp.Compare(a.Text, b.Text)) })
	return out
}

// documents lists the documents of which revision n holds chunks.
func (w *world) documents(n int64) []string {
	w.Helper()
	out := []string{}
	for _, h := range w.sees(n) {
		d, _, _ := strings.Cut(h.Evidence, "#")
		out = append(out, d)
	}
	return slices.Compact(out)
}

// points reads everything stored of the corpus, vectors too, by id.
func (w *world) points() map[string]store.Record {
	w.Helper()
	l := w.ledger()
	out := map[string]store.Record{}
	for p, err := range w.tap.client.Scroll(context.Background(), l.Collection, l.filter(), store.AllFields(), true) {
		if err != nil {
			w.Fatal(err)
		}
		out[p.ID] = p
	}
	return out
}

// bucket is a source in memory.
type bucket struct {
	objects map[string]string         // text by key
	fields  map[string]map[string]any // written to the manifest, by key
	opened  map[string]int
	refuse  map[string]error // what opening an object ends with
}

func newBucket() *bucket {
	return &bucket{objects: map[string]string{}, fields: map[string]map[string]any{}, opened: map[string]int{}, refuse: map[string]error{}}
}

// published are fields that admit staff of north, changed in pairs; a change to "-"
// takes the field away.
func published(change ...any) map[string]any {
	f := map[string]any{"status": "published", "groups": []any{"staff"}, "customer": "north", "valid_from": "2026-01-01"}
	for i := 0; i < len(change); i += 2 {
		if change[i+1] == "-" {
			delete(f, change[i].(string))
			continue
		}
		f[change[i].(string)] = change[i+1]
	}
	return f
}

func (b *bucket) put(key, text string, fields map[string]any) {
	b.objects[key], b.fields[key] = text, fields
}

func (b *bucket) remove(key string) {
	delete(b.objects, key)
	delete(b.fields, key)
}

func (b *bucket) manifest() string {
	var out strings.Builder
	for _, key := range slices.Sorted(maps.Keys(b.fields)) {
		line := map[string]any{"key": key}
		maps.Copy(line, b.fields[key])
		text, _ := json.Marshal(line) // strings, lists and numbers
		out.Write(append(text, '\n'))
	}
	return out.String()
}

func (b *bucket) text(key string) string {
	if key == manifestKey {
		return b.manifest()
	}
	return b.objects[key]
}

func (b *bucket) List(context.Context) ([]rag.Object, error) {
	var out []rag.Object
	for _, key := range append(slices.Collect(maps.Keys(b.objects)), manifestKey) {
		sum := sha256.Sum256([]byte(b.text(key)))
		out = append(out, rag.Object{Key: key, Version: hex.EncodeToString(sum[:]), Size: int64(len(b.text(key)))})
	}
	return out, nil
}

func (b *bucket) Open(_ context.Context, o rag.Object) (io.ReadCloser, error) {
	if o.Key != manifestKey {
		b.opened[o.Key]++
	}
	if err := b.refuse[o.Key]; err != nil {
		return nil, err
	}
	return io.NopCloser(strings.NewReader(b.text(o.Key))), nil
}

// errUnreadable is what extract makes of a text that says so.
var errUnreadable = errors.New("no page can be read")

type unreadable struct{ error }

func (unreadable) FailureReason() string { return "NoPages" }

// foreign is a file of a type that is not read.
type foreign struct{ error }

func (foreign) FailureReason() string { return "UnsupportedType" }
func (foreign) FailureSkips() bool    { return true }

// extract reads a text: "# " begins a heading, any other line is prose.
func extract(_ context.Context, o rag.Object, data []byte) (rag.Document, error) {
	if strings.HasPrefix(string(data), "unreadable") {
		return rag.Document{}, unreadable{errUnreadable}
	}
	if strings.HasPrefix(string(data), "foreign") {
		return rag.Document{}, foreign{errors.New("UnsupportedType: it is a picture")}
	}
	sum := sha256.Sum256(data)
	page := rag.Page{Number: 1, Width: 600}
	for i, text := range strings.Split(string(data), "\n") {
		box := rag.Box{X0: 50, Y0: float64(20 * i), X1: 550, Y1: float64(20*i + 10)}
		page.Lines = append(page.Lines, rag.Line{Text: text, Box: box})
		if heading, ok := strings.CutPrefix(text, "# "); ok {
			page.Blocks = append(page.Blocks, rag.Block{Heading: &rag.Heading{Text: heading, Level: 1, Box: box}})
		} else {
			page.Blocks = append(page.Blocks, rag.Block{Line: &page.Lines[len(page.Lines)-1]})
		}
	}
	return rag.Document{Key: o.Key, SHA256: hex.EncodeToString(sum[:]), Pages: []rag.Page{page}}, nil
}

// lexer is the real one in the shape that ingestion asks for.
type lexer struct{ *lexical.Encoder }

func (l lexer) Document(text string) ([]uint32, []float32, [][2]string) {
	s := l.Encoder.Document(text)
	return s.Indices, s.Values, s.Collisions
}

func (lexer) IDs(text string) []string { return lexical.IDs(text) }

const hashedSize = 8

// hashed is an encoder without a model, and remembers what it encoded.
type hashed struct {
	mu    sync.Mutex
	texts []string
	model string
}

func (h *hashed) Embed(_ context.Context, texts []string) ([][]float32, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.texts = append(h.texts, texts...)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		f := fnv.New64a()
		f.Write([]byte(h.model + text))
		v := make([]float32, hashedSize)
		v[f.Sum64()%hashedSize] = 1
		out[i] = v
	}
	return out, nil
}

func (h *hashed) Count(text string) int { return 2 + len(strings.Fields(text)) }
func (h *hashed) SHA256() string        { return "hashed" + h.model }

// errCrash ends a run as the end of the process does: nothing is done after it.
var errCrash = errors.New("crashed")

// tap is the store, counts what is asked of it, and can end at any call.
type tap struct {
	client     *store.Client
	collection string
	calls      int
	writes     []string
	acked      map[string]bool // keys whose ledger records were acknowledged
	crashAt    int             // the call that ends it, from 1; 0 = none
	crashDone  float64         // how much of that call is done all the same: 0 nothing, 1 all but the acknowledgement
	crashed    bool
}

func (s *tap) reset() {
	s.calls, s.writes, s.acked, s.crashAt, s.crashed = 0, nil, map[string]bool{}, 0, false
}

// enter counts a call; done is how much of it happens, ok whether it is acknowledged.
func (s *tap) enter(write string) (done float64, ok bool) {
	if s.crashed {
		return 0, false
	}
	s.calls++
	if write != "" {
		s.writes = append(s.writes, write)
	}
	if s.crashAt == s.calls {
		s.crashed = true
		return s.crashDone, false
	}
	return 1, true
}

// change does a write that happens whole or not at all.
func (s *tap) change(name string, do func() error) error {
	done, ok := s.enter(name)
	if done < 1 {
		return errCrash
	}
	if err := do(); err != nil || ok {
		return err
	}
	return errCrash
}

func (s *tap) Upsert(ctx context.Context, name string, points []store.Point) error {
	done, ok := s.enter("upsert")
	if err := s.client.Upsert(ctx, name, points[:int(done*float64(len(points)))]); err != nil {
		return err
	}
	if !ok {
		return errCrash
	}
	for _, p := range points {
		if own := p.Payload[store.Own].(map[string]any); own["kind"] == kindRecord && s.acked != nil {
			s.acked[own["key"].(string)] = true
		}
	}
	return nil
}

func (s *tap) SetPayload(ctx context.Context, name string, selector store.Selector, payload map[string]any, key string) error {
	return s.change(fmt.Sprintf("set %s", strings.Join(slices.Sorted(maps.Keys(payload)), ",")), func() error { return s.client.SetPayload(ctx, name, selector, payload, key) })
}

func (s *tap) DeletePoints(ctx context.Context, name string, selector store.Selector) error {
	return s.change("delete", func() error { return s.client.DeletePoints(ctx, name, selector) })
}

func (s *tap) Count(ctx context.Context, name string, filter *qdrant.Filter, exact bool) (uint64, error) {
	if _, ok := s.enter(""); !ok {
		return 0, errCrash
	}
	return s.client.Count(ctx, name, filter, exact)
}

func (s *tap) Scroll(ctx context.Context, name string, filter *qdrant.Filter, fields store.Fields, vectors bool) iter.Seq2[store.Record, error] {
	if _, ok := s.enter(""); !ok {
		return func(yield func(store.Record, error) bool) { yield(store.Record{}, errCrash) }
	}
	return s.client.Scroll(ctx, name, filter, fields, vectors)
}
