package assembly

import (
	"context"
	"runtime"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/chunk"
	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/lexical"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Place is where a corpus' points are.
type Place struct {
	Store      *store.Client
	Collection string // physical name
	Corpus     string // the corpus' UID
}

func (p Place) ledger() ingest.Ledger {
	return ingest.Ledger{Store: p.Store, Collection: p.Collection, Corpus: p.Corpus}
}

// Ledger is the generations of a corpus: retract, vacuum, retire, records.
func (r *Runtime) Ledger(p Place) ingest.Ledger { return p.ledger() }

// lexer is the lexical encoder in the shapes that the stages declare.
type lexer struct{ *lexical.Encoder }

func (l lexer) Document(text string) ([]uint32, []float32, [][2]string) {
	s := l.Encoder.Document(text)
	return s.Indices, s.Values, s.Collisions
}

func (l lexer) Query(text string) ([]uint32, []float32) {
	s := l.Encoder.Query(text)
	return s.Indices, s.Values
}

func (lexer) IDs(text string) []string { return lexical.IDs(text) }

func newLexer(s settings.Lexical) (lexer, error) {
	e, err := lexical.New(lexical.Options{K1: float64(s.K1), B: float64(s.B), AverageLength: s.AverageLength, Language: s.Language})
	return lexer{e}, err
}

// Filter is what the settings admit of a listing.
func Filter(s settings.Source) source.Filter {
	return source.Filter{Include: s.Include, Exclude: s.Exclude, MaxObjectBytes: int64(s.MaxObjectBytes)}
}

// Ingester builds generations of a corpus from a source.
func (r *Runtime) Ingester(ctx context.Context, p Place, d source.Driver, s settings.Corpus, t Terms) (*ingest.Ingester, error) {
	read, err := r.reads(ctx, limits(s.Pipeline.Extraction, t))
	if err != nil {
		return nil, err
	}
	lex, err := newLexer(s.Pipeline.Lexical)
	if err != nil {
		return nil, err
	}
	model, err := r.encodesDocuments(s.Pipeline.Embedding, t)
	if err != nil {
		return nil, err
	}
	c := s.Pipeline.Chunking
	overlap := 0
	if c.Overlap != nil {
		overlap = *c.Overlap
	}
	chunker, err := chunk.New(chunk.Options{Strategy: c.Strategy, Size: c.Size, Overlap: overlap, Window: model.Window()}, model)
	if err != nil {
		return nil, err
	}
	workers := r.opt.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &ingest.Ingester{
		Ledger: p.ledger(), Source: d, Settings: s, Encoder: model, Lexer: lex, Workers: workers,
		Extract: read, Chunk: chunker.Apply, Reads: extract.Reads,
	}, nil
}

// searcher is the store as retrieval sees it.
type searcher struct{ *store.Client }

func (s searcher) Count(ctx context.Context, collection string, f *qdrant.Filter) (uint64, error) {
	return s.Client.Count(ctx, collection, f, true)
}
