// Package ingest brings a listing into the store as one generation.
//
// What enters is a whole listing and the ledger of what is stored; what leaves
// is a generation of points that a query at its number sees and nobody else
// does. A document's chunks are written before its ledger record, so that the
// record is the commit: an ingest that ends at any instruction is taken up
// where it ended, loses nothing that was acknowledged, and fetches and embeds
// nothing twice. What goes wrong with one document is recorded beside it; what
// goes wrong with the store or the source ends the run, to be tried again.
package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/qdrant/go-client/qdrant"
	"golang.org/x/sync/errgroup"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// format is part of the configuration's hash: raise it when the same document
// and settings give other chunks than before, so that all are built anew.
const format = 1

// Encoder turns texts into dense vectors.
type Encoder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	SHA256() string
}

// Lexer turns a text into its sparse vector and identifiers. Collisions are pairs
// of the text's terms that share an index of the vector.
type Lexer interface {
	Document(text string) (indices []uint32, values []float32, collisions [][2]string)
	IDs(text string) []string
}

// Extract turns a file into a document.
type Extract func(ctx context.Context, o rag.Object, data []byte) (rag.Document, error)

// Chunk cuts a document.
type Chunk func(ctx context.Context, d rag.Document) ([]rag.Chunk, error)

// Ingester ingests one corpus.
type Ingester struct {
	Ledger
	Source   source.Driver
	Settings settings.Corpus
	Extract  Extract
	Chunk    Chunk
	Encoder  Encoder
	Lexer    Lexer
	Workers  int

	// Reads reports whether a key names a type of file that is read; nil = all do.
	// An object of another type takes nobody's name: what is skipped is no document,
	// and a spreadsheet may lie beside the PDF that was printed from it.
	Reads func(key string) bool

	Withheld []string // keys that the listing may lack and that stay all the same
	Erased   []string // documents, id[-revision], that are never read again
	Kept     []Terms  // of the kept revisions, which admit by rules of their own
}

// Summary is what a generation holds and what it cost.
type Summary struct {
	Total, Ingested, Failed int
	Skipped                 int // objects of a type that is not read; neither ingested nor failed
	Chunks                  int
	Failures, Skips         []rag.Record // at most 20 each, without text
	Fetched, Embedded       int          // objects and texts of this run
	Withdrawn               int          // documents whose eligibility was narrowed at once

	Erased map[string][]string // keys of objects that were passed over, by the erased document whose name they have
}

const maxFailures = 20

// config is the hash of what the chunks and vectors of a document depend on,
// beside its bytes.
func (in *Ingester) config() (string, error) {
	p := in.Settings.Pipeline
	b, err := json.Marshal([]any{format, p.Extraction, p.Chunking, p.Lexical, in.Encoder.SHA256()})
	if err != nil {
		return "", fmt.Errorf("hash the configuration: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// Manifests are the keys of the side files that a listing has to look for.
func (in *Ingester) Manifests() ([]string, error) {
	d, err := NewDescriber(in.Settings.Documents)
	if err != nil {
		return nil, err
	}
	return d.Manifests(), nil
}

// Plan compares a listing with the ledger without changing anything.
func (in *Ingester) Plan(ctx context.Context, l source.Listing, n int64) (Plan, error) {
	d, err := NewDescriber(in.Settings.Documents)
	if err != nil {
		return Plan{}, err
	}
	manifests, err := in.manifests(ctx, d, l)
	if err != nil {
		return Plan{}, err
	}
	known, err := in.known(ctx, n)
	if err != nil {
		return Plan{}, err
	}
	config, err := in.config()
	if err != nil {
		return Plan{}, err
	}
	p := plan(l, d, in.Settings.Eligibility, manifests, known, config, exceptions{in.Withheld, in.Erased, in.Reads})
	p.known, p.manifests = known, manifests
	return p, nil
}

// ManifestError is a side file that is missing or malformed: nothing is ingested
// until somebody mends it.
type ManifestError struct{ Err error }

func (e *ManifestError) Error() string { return "documents.metadata: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *ManifestError) Unwrap() error { return e.Err }

// manifests reads the side files. One that is missing is an error: without it
// documents would lose the fields by which they are withheld.
func (in *Ingester) manifests(ctx context.Context, d *Describer, l source.Listing) (map[string]Manifest, error) {
	out := map[string]Manifest{}
	for _, key := range d.Manifests() {
		o, ok := l.Manifests[key]
		if !ok {
			return nil, &ManifestError{fmt.Errorf("manifest %q is not in the source", key)}
		}
		data, err := source.Read(ctx, in.Source, o)
		if err != nil {
			return nil, fmt.Errorf("documents.metadata: %w", err)
		}
		if out[key], err = ParseManifest(key, data); err != nil {
			return nil, &ManifestError{err}
		}
	}
	return out, nil
}

// Run makes the listing generation n. It may be called again with the same n
// after an error or a crash. progress is called with documents done and in all.
func (in *Ingester) Run(ctx context.Context, l source.Listing, n int64, progress func(done, total int)) (Summary, error) {
	p, err := in.Plan(ctx, l, n)
	if err != nil {
		return Summary{}, err
	}
	config, err := in.config()
	if err != nil {
		return Summary{}, err
	}
	if err := in.sweep(ctx, n); err != nil {
		return Summary{}, err
	}
	sum := Summary{Erased: p.Erased}
	if err := in.withdraw(ctx, p, config, &sum); err != nil {
		return sum, err
	}
	if err := in.items(ctx, p, n, config, &sum, progress); err != nil {
		return sum, err
	}
	for _, key := range p.Remove {
		if err := in.drop(ctx, key, n); err != nil {
			return sum, err
		}
		if err := in.supersede(ctx, key, n); err != nil {
			return sum, err
		}
	}
	return sum, in.count(ctx, n, &sum)
}

// sweep deletes the chunks of documents that this generation had begun and not
// committed, and finishes superseding what it had committed. It looks before it
// writes: a generation that is as it should be costs no write.
func (in *Ingester) sweep(ctx context.Context, n int64) error {
	var done []string
	for s, err := range in.records(ctx, in.filter(kind(kindRecord), at(n))) {
		if err != nil {
			return fmt.Errorf("read the ledger: %w", err)
		}
		done = append(done, s.record.Key)
	}
	orphans := in.filter(at(n))
	orphans.MustNot = []*qdrant.Condition{kind(kindRecord)}
	if len(done) > 0 {
		orphans.MustNot = append(orphans.MustNot, qdrant.NewMatchKeywords("hardgate.key", done...))
	}
	err := in.where(ctx, orphans, func(points store.Selector) error {
		return in.Store.DeletePoints(ctx, in.Collection, points)
	})
	if err != nil {
		return fmt.Errorf("sweep generation %d: %w", n, err)
	}
	if len(done) == 0 {
		return nil
	}
	old := in.filter(qdrant.NewMatchKeywords("hardgate.key", done...), until(Open), before(n))
	err = in.where(ctx, old, func(points store.Selector) error {
		return in.Store.SetPayload(ctx, in.Collection, points, map[string]any{"to": n}, store.Own)
	})
	if err != nil {
		return fmt.Errorf("supersede what generation %d replaces: %w", n, err)
	}
	return nil
}

// where writes to the points that a filter admits, if there are any.
func (in *Ingester) where(ctx context.Context, f *qdrant.Filter, write func(store.Selector) error) error {
	n, err := in.Store.Count(ctx, in.Collection, f, true)
	if err != nil || n == 0 {
		return err
	}
	return write(store.ByFilter(f))
}

// supersede ends what earlier generations hold of a key.
func (in *Ingester) supersede(ctx context.Context, key string, n int64) error {
	old := in.filter(keyed(key), until(Open), before(n))
	if err := in.Store.SetPayload(ctx, in.Collection, store.ByFilter(old), map[string]any{"to": n}, store.Own); err != nil {
		return fmt.Errorf("supersede %q: %w", key, err)
	}
	return nil
}

// drop deletes what this very generation holds of a key.
func (in *Ingester) drop(ctx context.Context, key string, n int64) error {
	if err := in.Store.DeletePoints(ctx, in.Collection, store.ByFilter(in.filter(keyed(key), at(n)))); err != nil {
		return fmt.Errorf("drop %q of generation %d: %w", key, n, err)
	}
	return nil
}

func (in *Ingester) items(ctx context.Context, p Plan, n int64, config string, sum *Summary, progress func(done, total int)) error {
	var mu sync.Mutex
	done := 0
	total := len(p.Items)
	step := func(fetched, embedded int) {
		mu.Lock()
		defer mu.Unlock()
		done++
		sum.Fetched += fetched
		sum.Embedded += embedded
		if progress != nil {
			progress(done, total)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, in.Workers))
	for i := range p.Items {
		if p.Items[i].Action == Keep {
			step(0, 0)
			continue
		}
		g.Go(func() error {
			b := &build{Ingester: in, item: &p.Items[i], corpus: in.Corpus, revision: n, config: config}
			if err := b.run(ctx); err != nil {
				return fmt.Errorf("object %q: %w", b.item.Object.Key, err)
			}
			step(b.fetched, b.embedded)
			return nil
		})
	}
	return g.Wait()
}

// count reads the generation back from the ledger: what is reported is what is
// stored.
func (in *Ingester) count(ctx context.Context, n int64, sum *Summary) error {
	records, err := in.Records(ctx, n, false)
	if err != nil {
		return err
	}
	for _, r := range records {
		sum.Total++
		sum.Chunks += r.Chunks
		switch {
		case r.Failure == nil:
			sum.Ingested++
		case r.Failure.Skipped:
			sum.Skipped++
			sum.Skips = named(sum.Skips, r)
		default:
			sum.Failed++
			sum.Failures = named(sum.Failures, r)
		}
	}
	return nil
}

// named appends a record to a list for people, which ends at maxFailures.
func named(list []rag.Record, r rag.Record) []rag.Record {
	if len(list) >= maxFailures {
		return list
	}
	return append(list, r)
}
