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

// maxPieces bounds the pieces fetched for one table or one section: at two rows
// a piece that is a table of 2,000 rows.
const maxPieces = 1000

// Gatherer makes passages whole where structure matters. A table row without its
// neighbours is a broken table, so every piece of a table among the hits is
// fetched; and a section's tables belong to its text, being one passage by name,
// so they come with it, as they do with a table that holds an identifier of the
// question: an invoice's number and its items are one section. All under the
// same filter and revision as the search.
type Gatherer struct{ r *Retriever }

// Gather returns the stage that follows r.
func (r *Retriever) Gather() *Gatherer { return &Gatherer{r} }

// Apply replaces each table hit's units by those of all its pieces, in order,
// and puts a section's tables behind the hit on its text. A table that comes so
// counts as that hit, not as one more of topK, and has its rank.
func (g *Gatherer) Apply(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
	out := in
	out.Flags = slices.Clone(in.Flags)
	rules, _, refused := g.r.rules.conditions(in.Question)
	if refused != nil || g.r.mode(in.Question) == rag.FullContext {
		return out, nil // refused by retrieve too, or whole already
	}
	filter := &qdrant.Filter{Must: append(g.r.scope.conditions(), rules...)}
	asked := g.ask(filter, in.Hits)
	if len(asked) == 0 {
		return out, nil
	}
	queries := make([]*qdrant.QueryPoints, len(asked))
	for i, a := range asked {
		queries[i] = a.query
	}
	replies, err := g.r.searcher.QueryBatch(ctx, g.r.scope.Collection, queries)
	if err != nil {
		return out, fmt.Errorf("gather tables in %s: %w", g.r.scope.Collection, err)
	}
	whole := map[int][]rag.Hit{} // by the hit that they stand for or follow
	for k, points := range replies {
		tables, err := assemble(in.Hits[asked[k].hit], points)
		if err != nil {
			return out, err
		}
		whole[asked[k].hit] = tables
	}
	out.Hits = merge(in.Hits, whole)
	out.Flags = append(out.Flags, incomplete(out.Hits)...)
	return out, nil
}

// incomplete flags the tables of which pieces are missing.
func incomplete(hits []rag.Hit) []rag.Flag {
	var out []rag.Flag
	for _, h := range hits {
		if h.Lost > 0 {
			out = append(out, rag.Flag{Reason: TableIncomplete, Detail: fmt.Sprintf("%s: %d of %d pieces are missing", h.Evidence(), h.Lost, h.Pieces)})
		}
	}
	return out
}

// asking is one query for the tables of one hit.
type asking struct {
	hit   int
	query *qdrant.QueryPoints
}

func (g *Gatherer) ask(filter *qdrant.Filter, hits []rag.Hit) []asking {
	var out []asking
	seen := map[string]bool{}
	for i, h := range hits {
		key, which := related(h)
		if which == nil || seen[key] {
			continue
		}
		seen[key] = true
		f := with(filter, qdrant.NewMatchKeyword("hardgate.document", h.Document), qdrant.NewFilterAsCondition(&qdrant.Filter{Should: which}))
		limit := uint64(maxPieces)
		out = append(out, asking{i, &qdrant.QueryPoints{CollectionName: g.r.scope.Collection, Filter: f, Limit: &limit, WithPayload: qdrant.NewWithPayload(true)}})
	}
	return out
}

// related says which other chunks of its document belong to a hit, any of the
// conditions, and what two hits that ask for the same share; nil when none do.
func related(h rag.Hit) (key string, which []*qdrant.Condition) {
	if !h.Table {
		if h.Heading == "" {
			return "", nil
		}
		return h.Evidence(), []*qdrant.Condition{qdrant.NewMatchKeyword("hardgate.names", h.Passage)}
	}
	key = h.Evidence()
	if h.Pieces > 1 || h.Columns() != "" {
		which = append(which, qdrant.NewMatchKeyword("hardgate.passage", h.Passage)) // whose pieces may each show some of its columns
	}
	if h.Columns() != "" {
		key = h.Document + " " + h.Columns()
		which = append(which, qdrant.NewMatchKeyword("hardgate.columns", h.Columns()))
	}
	if h.Scores.Pinned > 0 {
		for _, section := range h.Aliases {
			key += " " + section
			which = append(which, qdrant.NewMatchKeyword("hardgate.names", section))
		}
	}
	return key, which
}

// merge puts whole tables in the place of their pieces, and behind a hit the
// further tables that came with it, each table once.
func merge(hits []rag.Hit, fetched map[int][]rag.Hit) []rag.Hit {
	whole, hit := map[string]rag.Hit{}, map[string]bool{}
	for _, tables := range fetched {
		for _, t := range tables {
			whole[t.Evidence()] = t
		}
	}
	for _, h := range hits {
		hit[h.Evidence()] = hit[h.Evidence()] || h.Table
	}
	var out []rag.Hit
	for i, h := range hits {
		w, found := whole[h.Evidence()]
		switch {
		case h.Table && found:
			w.ID, w.Scores, w.Rank = h.ID, h.Scores, h.Rank
			h = w
		case h.Table && h.Pieces > 1: // all went away since the search
			h.Lost = h.Pieces - 1
		}
		out = append(out, h)
		for _, t := range fetched[i] {
			if !hit[t.Evidence()] {
				hit[t.Evidence()] = true
				out = append(out, t)
			}
		}
	}
	return out
}

// assemble joins pieces into whole tables, in the order of the document. Scores
// and rank are those of the hit that they stand for or follow.
func assemble(of rag.Hit, points []*qdrant.ScoredPoint) ([]rag.Hit, error) {
	var pieces []rag.Hit
	for _, p := range points {
		c, err := Decode(p.Payload)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, rag.Hit{Chunk: c, ID: p.GetId().GetUuid(), Scores: of.Scores, Rank: of.Rank})
	}
	slices.SortFunc(pieces, func(a, b rag.Hit) int {
		return cmp.Or(cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Piece, b.Piece))
	})
	var out []rag.Hit
	for _, p := range pieces {
		if p.Table {
			out = addPiece(out, p)
		}
	}
	finish(out)
	return out, nil
}

// addPiece joins a piece to the table that it goes on with, or begins a table.
// Until all pieces are there, Lost counts the missing ones.
func addPiece(out []rag.Hit, p rag.Hit) []rag.Hit {
	n := len(out)
	if n == 0 || out[n-1].Evidence() != p.Evidence() {
		p.Lost = p.Pieces - 1
		p.Units, p.IDs = slices.Clone(p.Units), slices.Clone(p.IDs)
		return append(out, p)
	}
	t := &out[n-1]
	t.Units, t.IDs, t.Header = append(t.Units, p.Units...), append(t.IDs, p.IDs...), wider(t.Header, p.Header)
	t.Lost--
	return out
}

// finish makes rows whole that were stored in parts.
func finish(tables []rag.Hit) {
	for i := range tables {
		if !tables[i].Table {
			continue
		}
		slices.Sort(tables[i].IDs)
		tables[i].IDs = slices.Compact(tables[i].IDs)
		tables[i].Units = joinParts(tables[i].Units)
	}
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
				last.Cells, last.Part = columns(last.Cells, u.Cells), u.Part
				last.Text = strings.Join(last.Cells, " | ")
				last.Place.Box = last.Place.Box.Union(u.Place.Box)
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

// wider fills in the column names that another piece has.
func wider(a, b []string) []string {
	out := make([]string, max(len(a), len(b)))
	copy(out, b)
	for i, c := range a {
		if c != "" {
			out[i] = c
		}
	}
	return out
}

// columns joins the cells of two parts of one row: each part has the row's full
// length, and is empty where another part holds the cell or the rest of it.
func columns(a, b []string) []string {
	out := make([]string, max(len(a), len(b)))
	copy(out, a)
	for i, c := range b {
		switch {
		case out[i] == "":
			out[i] = c
		case c != "":
			out[i] += " " + c
		}
	}
	return out
}
