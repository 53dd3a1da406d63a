package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// ContextTooLarge refuses FullContext for an asker whose eligible text is over
// the budget.
const ContextTooLarge = "ContextTooLarge"

const fullChannel = "full"

// Budget bounds what FullContext may put into a prompt, in characters.
type Budget struct {
	Prose  int
	Tables int
}

// maxFullChunks is more than any budget that a prompt could hold: at 100
// characters a chunk, 2,000,000 characters.
const maxFullChunks = 20000

// whole takes every eligible passage, in the order of documents and pages and so
// in the same bytes for every question of the same asker, or nothing if they do
// not fit.
func (r *Retriever) whole(ctx context.Context, q rag.Question) (rag.Retrieved, error) {
	out := rag.Retrieved{Question: q, Ranking: q.Text}
	rules, ranking, refused := r.rules.conditions(q)
	if refused != nil {
		out.Flags = append(out.Flags, *refused)
		return out, nil
	}
	out.Ranking, out.Terms = ranking, r.lexer.Terms(ranking)
	limit := uint64(maxFullChunks)
	query := &qdrant.QueryPoints{CollectionName: r.scope.Collection, Limit: &limit, WithPayload: qdrant.NewWithPayload(true),
		Filter: &qdrant.Filter{Must: append(r.scope.conditions(), rules...)}}
	replies, err := r.searcher.QueryBatch(ctx, r.scope.Collection, []*qdrant.QueryPoints{query})
	if err != nil {
		return out, fmt.Errorf("read all of %s: %w", r.scope.Collection, err)
	}
	s := &search{queries: []*qdrant.QueryPoints{query}, names: []string{fullChannel}}
	cands, channels, err := s.collect(replies)
	if err != nil {
		return out, err
	}
	out.Eligible, out.Channels = len(cands), channels
	hits := make([]rag.Hit, len(cands))
	for i, c := range cands {
		hits[i] = c.hit
	}
	hits = inOrder(hits)
	if f := r.opt.Full.refuses(hits); f != nil {
		out.Flags = append(out.Flags, *f)
		return out, nil
	}
	out.Hits = hits
	out.Flags = append(out.Flags, incomplete(hits)...)
	return out, nil
}

// inOrder sorts chunks as they are printed and joins the pieces of each table.
func inOrder(hits []rag.Hit) []rag.Hit {
	slices.SortFunc(hits, func(a, b rag.Hit) int {
		return cmp.Or(cmp.Compare(a.Document, b.Document), cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.ID, b.ID))
	})
	var out []rag.Hit
	for _, h := range hits {
		if !h.Table {
			out = append(out, h)
			continue
		}
		out = addPiece(out, h)
	}
	finish(out)
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

// refuses says by how much the passages are over the budget.
func (b Budget) refuses(hits []rag.Hit) *rag.Flag {
	prose, tables := 0, 0
	for _, h := range hits {
		n := len([]rune(h.Body()))
		if h.Table {
			tables += n
		} else {
			prose += n
		}
	}
	if prose <= b.Prose && tables <= b.Tables {
		return nil
	}
	return &rag.Flag{Reason: ContextTooLarge, Detail: fmt.Sprintf("the eligible text has %d characters of prose and %d of tables; maxContextChars admits %d and maxTableChars %d", prose, tables, b.Prose, b.Tables)}
}
