package ingest

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Erase deletes everything of the documents, id[-revision], through all
// generations: chunks, records and texts.
func (l Ledger) Erase(ctx context.Context, documents []string) error {
	if err := l.Store.DeletePoints(ctx, l.Collection, store.ByFilter(l.filter(of(documents)))); err != nil {
		return fmt.Errorf("erase from %q: %w", l.Collection, err)
	}
	return nil
}

// Held is how many points there are of the documents, of any kind and generation.
func (l Ledger) Held(ctx context.Context, documents []string) (int, error) {
	n, err := l.Store.Count(ctx, l.Collection, l.filter(of(documents)), true)
	return int(n), err
}

// Share is what some documents are of a revision.
type Share struct {
	Records  int // by the ledger
	Ingested int // records of documents that neither failed nor were skipped
	Chunks   int
}

// Share is what of revision n is the documents'.
func (l Ledger) Share(ctx context.Context, n int64, documents []string) (Share, error) {
	var out Share
	for s, err := range l.records(ctx, l.filter(append(within(n), kind(kindRecord), of(documents))...)) {
		if err != nil {
			return Share{}, fmt.Errorf("read the ledger: %w", err)
		}
		out.Records++
		if s.record.Failure == nil {
			out.Ingested++
		}
	}
	c, err := l.Store.Count(ctx, l.Collection, l.filter(append(within(n), kind(kindChunk), of(documents))...), true)
	out.Chunks = int(c)
	return out, err
}

// Titles are those of the documents, through all generations, by document.
func (l Ledger) Titles(ctx context.Context, documents []string) (map[string][]string, error) {
	out := map[string][]string{}
	for s, err := range l.records(ctx, l.filter(kind(kindRecord), of(documents))) {
		if err != nil {
			return nil, fmt.Errorf("read the ledger: %w", err)
		}
		if s.record.Title != "" {
			out[s.record.Document] = append(out[s.record.Document], s.record.Title)
		}
	}
	return out, nil
}

func of(documents []string) *qdrant.Condition {
	return qdrant.NewMatchKeywords("hardgate.document", documents...)
}

// counting is a filter on revision n without the documents that are left out.
func (l Ledger) counting(n int64, k string) *qdrant.Filter {
	f := l.filter(append(within(n), kind(k))...)
	if len(l.Except) > 0 {
		f.MustNot = []*qdrant.Condition{of(l.Except)}
	}
	return f
}
