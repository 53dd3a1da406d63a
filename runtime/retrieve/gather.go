package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// TableIncomplete flags a table whose pieces could not all be fetched.
const TableIncomplete = "TableIncomplete"

// Gatherer makes the tables among the hits whole: a table row without its
// neighbours is a broken table, so every piece is fetched, under the same filter
// and revision as the search.
type Gatherer struct{ r *Retriever }

// Gather returns the stage that follows r.
func (r *Retriever) Gather() *Gatherer { return &Gatherer{r} }

// Apply replaces each table hit's units by those of all its pieces, in order.
func (g *Gatherer) Apply(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
	out := in
	out.Flags = slices.Clone(in.Flags)
	out.Hits = slices.Clone(in.Hits)
	rules, _, refused := g.r.rules.conditions(in.Question)
	if refused != nil {
		return out, nil // retrieve refused it too, and found nothing
	}
	filter := &qdrant.Filter{Must: append(g.r.scope.conditions(), rules...)}
	var queries []*qdrant.QueryPoints
	var tables []int
	for i, h := range out.Hits {
		if h.Table && h.Pieces > 1 {
			queries = append(queries, g.pieces(filter, h))
			tables = append(tables, i)
		}
	}
	if len(queries) == 0 {
		return out, nil
	}
	replies, err := g.r.searcher.QueryBatch(ctx, g.r.scope.Collection, queries)
	if err != nil {
		return out, fmt.Errorf("gather tables in %s: %w", g.r.scope.Collection, err)
	}
	for k, points := range replies {
		h := &out.Hits[tables[k]]
		whole, err := assemble(*h, points)
		if err != nil {
			return out, err
		}
		if found := len(points); found < h.Pieces {
			whole.Lost = h.Pieces - found
			out.Flags = append(out.Flags, rag.Flag{Reason: TableIncomplete, Detail: fmt.Sprintf("%s: %d of %d pieces found", h.Evidence(), found, h.Pieces)})
		}
		*h = whole
	}
	return out, nil
}

func (g *Gatherer) pieces(filter *qdrant.Filter, h rag.Hit) *qdrant.QueryPoints {
	limit := uint64(h.Pieces)
	return &qdrant.QueryPoints{
		CollectionName: g.r.scope.Collection,
		Filter:         with(filter, qdrant.NewMatchKeyword("hardgate.document", h.Document), qdrant.NewMatchKeyword("hardgate.passage", h.Passage)),
		Limit:          &limit,
		WithPayload:    qdrant.NewWithPayload(true),
	}
}

// assemble joins the pieces of a table into the hit that stands for them.
func assemble(h rag.Hit, points []*qdrant.ScoredPoint) (rag.Hit, error) {
	chunks := []rag.Chunk{}
	for _, p := range points {
		c, err := Decode(p.Payload)
		if err != nil {
			return h, err
		}
		chunks = append(chunks, c)
	}
	if len(chunks) == 0 {
		return h, nil // superseded between the two requests: the piece at hand is kept, and flagged as incomplete
	}
	slices.SortFunc(chunks, func(a, b rag.Chunk) int { return cmp.Compare(a.Piece, b.Piece) })
	h.Units, h.IDs = nil, nil
	for _, c := range chunks {
		h.Units = append(h.Units, c.Units...)
		h.IDs = append(h.IDs, c.IDs...)
	}
	slices.Sort(h.IDs)
	h.IDs = slices.Compact(h.IDs)
	h.Units = joinParts(h.Units)
	h.Place = chunks[0].Place
	return h, nil
}

// joinParts orders units, drops repeats and makes rows that were stored in
// parts whole again.
func joinParts(units []rag.Unit) []rag.Unit {
	slices.SortStableFunc(units, func(a, b rag.Unit) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Part, b.Part))
	})
	var out []rag.Unit
	for _, u := range units {
		if n := len(out); n > 0 && out[n-1].Order == u.Order && out[n-1].Name == u.Name {
			last := &out[n-1]
			if u.Part > last.Part {
				last.Text = strings.TrimRight(last.Text, " |") + " | " + u.Text
				last.Cells = append(slices.Clone(last.Cells), u.Cells...)
				last.Part = u.Part
			}
			continue
		}
		out = append(out, u)
	}
	for i := range out {
		if out[i].Part == out[i].Parts {
			out[i].Part, out[i].Parts = 0, 0
		}
	}
	return out
}
