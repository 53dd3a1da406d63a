package changes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

const sample = "../../config/samples/freight"

// shared is opened once: the model can't be closed, and the PDF engine is dear.
var shared = sync.OnceValues(func() (*assembly.Runtime, error) {
	return assembly.Open(assembly.Options{
		ModelDir: settings.ModelDir(os.Getenv),
		CacheDir: settings.EngineDir(os.Getenv), Version: "test",
	})
})

// exact compares passages with all that is in them.
var exact = cmp.AllowUnexported(passage{})

// desk is the freight desk's papers in a folder of their own, and a store.
type desk struct {
	*testing.T
	runtime  *assembly.Runtime
	dir      string
	fields   map[string]map[string]any // by key, as in metadata.jsonl
	keys     map[string]string         // by document
	settings settings.Corpus
	place    assembly.Place
}

func open(t *testing.T) *desk {
	t.Helper()
	all, err := shared()
	if err != nil {
		t.Fatalf("%v: run `make setup`", err)
	}
	d := &desk{T: t, dir: t.TempDir(), fields: map[string]map[string]any{}, keys: map[string]string{}}
	if d.runtime, err = all.Fresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.runtime.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := os.CopyFS(d.dir, os.DirFS(filepath.Join(sample, "documents"))); err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(d.dir, "metadata.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(manifest) {
		var fields map[string]any
		if err := json.Unmarshal(line, &fields); err != nil {
			t.Fatal(err)
		}
		d.put(fields["key"].(string), fields)
	}
	d.prepare()
	return d
}

// prepare makes the collection as the sample's resources describe it.
func (d *desk) prepare() {
	d.Helper()
	resources, err := settings.ReadFiles(filepath.Join(sample, "corpus.yaml"), filepath.Join(sample, "collection.yaml"))
	if err != nil {
		d.Fatal(err)
	}
	var c settings.Collection
	for _, m := range resources {
		switch m.Kind {
		case "Corpus":
			d.settings, err = settings.DecodeCorpus(m.Spec)
		case "Collection":
			c, err = settings.DecodeCollection(m.Spec)
		}
		if err != nil {
			d.Fatal(err)
		}
	}
	client, err := d.runtime.Embedded(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	d.place = assembly.Place{Store: client, Collection: "changes", Corpus: "desk"}
	if err := client.Ensure(d.Context(), d.place.Collection, assembly.Schema(c, "test")); err != nil {
		d.Fatal(err)
	}
}

func (d *desk) put(key string, fields map[string]any) {
	fields["key"] = key
	d.fields[key] = fields
	d.keys[strings.TrimSuffix(path.Base(key), ".pdf")] = key
}

func (d *desk) path(key string) string { return filepath.Join(d.dir, filepath.FromSlash(key)) }

// edit replaces a text of a PDF by one of the same length, so that no offset in
// the file moves; the samples' streams are not compressed.
func (d *desk) edit(key, text, by string) {
	d.Helper()
	data, err := os.ReadFile(d.path(key))
	if err != nil {
		d.Fatal(err)
	}
	if len(text) != len(by) || !bytes.Contains(data, []byte(text)) {
		d.Fatalf("%s: %q can't be replaced by %q: it must be there, and as long", key, text, by)
	}
	d.write(key, bytes.ReplaceAll(data, []byte(text), []byte(by)))
}

func (d *desk) write(key string, data []byte) {
	d.Helper()
	if err := os.WriteFile(d.path(key), data, 0o600); err != nil {
		d.Fatal(err)
	}
}

func (d *desk) copy(from, to, customer string) {
	d.Helper()
	data, err := os.ReadFile(d.path(from))
	if err != nil {
		d.Fatal(err)
	}
	d.write(to, data)
	fields := maps.Clone(d.fields[from])
	fields["customer"] = customer
	d.put(to, fields)
}

func (d *desk) rename(from, to string) {
	d.Helper()
	if err := os.Rename(d.path(from), d.path(to)); err != nil {
		d.Fatal(err)
	}
	fields := d.fields[from]
	d.forget(from)
	d.put(to, fields)
}

func (d *desk) remove(key string) {
	d.Helper()
	if err := os.Remove(d.path(key)); err != nil {
		d.Fatal(err)
	}
	d.forget(key)
}

func (d *desk) forget(key string) {
	delete(d.fields, key)
	delete(d.keys, strings.TrimSuffix(path.Base(key), ".pdf"))
}

// manifest writes the side file anew.
func (d *desk) manifest() {
	d.Helper()
	var out []byte
	for _, key := range slices.Sorted(maps.Keys(d.fields)) {
		line, err := json.Marshal(d.fields[key])
		if err != nil {
			d.Fatal(err)
		}
		out = append(append(out, line...), '\n')
	}
	d.write("metadata.jsonl", out)
}

// noting is an encoder, and what it was asked for.
type noting struct {
	ingest.Encoder
	mu    sync.Mutex
	texts []string
}

func (n *noting) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	n.mu.Lock()
	n.texts = append(n.texts, texts...)
	n.mu.Unlock()
	return n.Encoder.Embed(ctx, texts)
}

// fetching is a source, and the objects that were opened.
type fetching struct {
	source.Dir
	mu   sync.Mutex
	keys []string
}

func (f *fetching) Open(ctx context.Context, o rag.Object) (io.ReadCloser, error) {
	if path.Ext(o.Key) == ".pdf" { // the side file is read each time
		f.mu.Lock()
		f.keys = append(f.keys, o.Key)
		f.mu.Unlock()
	}
	return f.Dir.Open(ctx, o)
}

// revision is what a generation holds and what it cost.
type revision struct {
	passages map[string]passage // by evidence and piece
	fetched  []string           // keys, sorted
	embedded []string           // texts, sorted
}

// passage is one piece as it is stored.
type passage struct {
	document, text string // text as it is embedded
	vector         []float32
}

// texts are those of the passages that are wanted, sorted.
func (r revision) texts(want func(passage) bool) []string {
	var out []string
	for _, p := range r.passages {
		if want(p) {
			out = append(out, p.text)
		}
	}
	return sorted(out)
}

func (r revision) documents() []string {
	seen := map[string]bool{}
	for _, p := range r.passages {
		seen[p.document] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// ingest makes the folder revision n.
func (d *desk) ingest(n int64) revision {
	d.Helper()
	d.manifest()
	from := &fetching{Dir: source.Dir{Path: d.dir}}
	in, err := d.runtime.Ingester(d.Context(), d.place, from, d.settings, assembly.Terms{})
	if err != nil {
		d.Fatal(err)
	}
	note := &noting{Encoder: in.Encoder}
	in.Encoder = note
	side, err := in.Manifests()
	if err != nil {
		d.Fatal(err)
	}
	listing, err := source.List(d.Context(), from, assembly.Filter(d.settings.Source), side)
	if err != nil {
		d.Fatal(err)
	}
	sum, err := in.Run(d.Context(), listing, n, nil)
	if err != nil {
		d.Fatal(err)
	}
	if sum.Failed > 0 || sum.Embedded != len(note.texts) {
		d.Fatalf("revision %d: %d failed; the summary says %d texts were encoded, the encoder %d", n, sum.Failed, sum.Embedded, len(note.texts))
	}
	out := d.read(n)
	out.fetched, out.embedded = sorted(from.keys), sorted(note.texts)
	return out
}

// read returns what revision n holds.
func (d *desk) read(n int64) revision {
	d.Helper()
	out := revision{passages: map[string]passage{}}
	view := d.runtime.View(d.place, n, nil)
	records, err := view.Records(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	for _, r := range records {
		hits, err := view.Chunks(d.Context(), r.Document)
		if err != nil {
			d.Fatal(err)
		}
		vectors := d.vectors(hits)
		for _, h := range hits {
			out.passages[fmt.Sprint(h.Evidence(), "/", h.Piece)] = passage{r.Document, h.Search(), vectors[h.ID]}
		}
	}
	return out
}

func (d *desk) vectors(hits []rag.Hit) map[string][]float32 {
	d.Helper()
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	points, err := d.place.Store.Get(d.Context(), d.place.Collection, ids, store.AllFields(), true)
	if err != nil {
		d.Fatal(err)
	}
	out := map[string][]float32{}
	for _, p := range points {
		out[p.ID] = p.Dense
	}
	return out
}

// find is what revision n retrieves for a customer of the desk.
func (d *desk) find(n int64, question string) []string {
	d.Helper()
	asker, err := d.runtime.Asker(d.place, n, d.settings, assembly.Terms{})
	if err != nil {
		d.Fatal(err)
	}
	got, err := asker.Retrieve(d.Context(), rag.Question{Text: question, AsOf: time.Date(2025, 6, 2, 9, 0, 0, 0, time.UTC), Identity: rag.Identity{User: "dispatcher", Tenant: "peachtree"}})
	if err != nil {
		d.Fatal(err)
	}
	var out []string
	for _, h := range got.Hits {
		out = append(out, fmt.Sprintf("%s/%d %.6f", h.Evidence(), h.Piece, h.Scores.Fused))
	}
	return out
}

func sorted(in []string) []string {
	out := slices.Clone(in)
	slices.Sort(out)
	return out
}
