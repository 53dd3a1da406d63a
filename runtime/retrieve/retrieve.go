// Package retrieve finds the passages of one revision that answer a question.
//
// What enters is a question with its identity and instant; what leaves is the
// fused hits, best first, with every channel's candidates and the filter that
// was sent with each. Eligibility is decided inside every prefetch, before
// anything is ranked; a question for which no safe filter can be built is
// refused with a flag and searches nothing.
package retrieve

import (
	"context"
	"fmt"
	"slices"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// FusionDisagrees flags an answer of which the store's fusion by ranks is not
// the one that the channels' own ranks give.
const FusionDisagrees = "FusionDisagrees"

// Names of the channels.
const (
	denseChannel       = "dense"
	lexicalChannel     = "lexical"
	identifiersChannel = "identifiers"
	fusedChannel       = "fused"
)

// Searcher asks the store.
type Searcher interface {
	QueryBatch(ctx context.Context, collection string, queries []*qdrant.QueryPoints) ([][]*qdrant.ScoredPoint, error)
	Count(ctx context.Context, collection string, filter *qdrant.Filter) (uint64, error)
}

// Encoder turns the question into a vector. Count is in the encoder's own
// tokens, special ones included; Window is the most it reads.
type Encoder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Count(text string) int
	Window() int
}

// Lexer turns the question into a sparse vector, its terms and its identifiers.
// Between returns the pairs of a question's term and another one of a passage that
// share an index of the vector.
type Lexer interface {
	Query(text string) (indices []uint32, values []float32)
	Between(question, passage string) [][2]string
	Terms(text string) []string
	IDs(text string) []string
}

// Options configure retrieval.
type Options struct {
	Mode       rag.Mode // the corpus' own
	Fusion     Fusion
	Candidates int // per channel
	TopK       int
	Pin        bool   // identifiers become a channel of their own, in Hybrid
	Full       Budget // of FullContext
	Rules      settings.Eligibility
}

// Retriever is the first stage of a question's way.
type Retriever struct {
	opt      Options
	scope    Scope
	rules    *eligibility
	searcher Searcher
	encoder  Encoder
	lexer    Lexer
}

// New compiles the rules. The error names the rule's field.
func New(opt Options, scope Scope, s Searcher, e Encoder, l Lexer) (*Retriever, error) {
	rules, err := compile(opt.Rules)
	if err != nil {
		return nil, err
	}
	return &Retriever{opt, scope, rules, s, e, l}, nil
}

// Apply searches. In mode None it returns no hits and asks nobody.
func (r *Retriever) Apply(ctx context.Context, q rag.Question) (rag.Retrieved, error) {
	mode := r.mode(q)
	out := rag.Retrieved{Question: q, Ranking: q.Text}
	switch mode {
	case rag.None:
		return out, nil
	case rag.FullContext:
		return r.whole(ctx, q)
	}
	s, refused, err := r.prepare(ctx, mode, q)
	if err != nil {
		return out, err
	}
	if refused != nil {
		out.Flags = append(out.Flags, *refused)
		return out, nil
	}
	out.Ranking, out.Terms, out.IDs, out.Eligible = s.ranking, r.lexer.Terms(s.ranking), s.ids, s.eligible
	if s.eligible == 0 {
		return out, nil
	}
	replies, err := r.searcher.QueryBatch(ctx, r.scope.Collection, s.queries)
	if err != nil {
		return out, fmt.Errorf("search %s: %w", r.scope.Collection, err)
	}
	cands, channels, err := s.collect(replies)
	if err != nil {
		return out, err
	}
	out.Channels = channels
	if mode == rag.Hybrid && r.opt.Fusion.Method != "RRF" {
		if err := r.complete(ctx, s, cands); err != nil {
			return out, err
		}
	}
	hits := r.opt.Fusion.fuse(mode, cands)
	if f := s.serveFused(hits, replies); f != nil {
		out.Flags = append(out.Flags, *f)
	}
	out.Hits = top(hits, r.opt.TopK)
	out.Flags = append(out.Flags, r.collisions(s, out.Hits)...)
	return out, nil
}

func (r *Retriever) mode(q rag.Question) rag.Mode {
	if q.Mode != "" {
		return q.Mode
	}
	return r.opt.Mode
}

// search is one prepared request.
type search struct {
	filter   *qdrant.Filter
	ranking  string
	ids      []string // identifiers that are rare enough to pin
	numbers  []string // that may be parts of identifiers, and pin what holds those
	eligible int
	vector   []float32
	indices  []uint32
	values   []float32
	queries  []*qdrant.QueryPoints
	names    []string // of the channels, beside queries
}

func (r *Retriever) prepare(ctx context.Context, mode rag.Mode, q rag.Question) (*search, *rag.Flag, error) {
	rules, ranking, refused := r.rules.conditions(q)
	if refused != nil {
		return nil, refused, nil
	}
	s := &search{ranking: ranking, filter: &qdrant.Filter{Must: append(r.scope.conditions(), rules...)}}
	if mode != rag.Lexical {
		if n := r.encoder.Count(ranking); n > r.encoder.Window() {
			return nil, &rag.Flag{Reason: QuestionTooLong, Detail: fmt.Sprintf("the question has %d tokens and the encoder reads %d: ask it shorter", n, r.encoder.Window())}, nil
		}
		v, err := r.encoder.Embed(ctx, []string{ranking})
		if err != nil {
			return nil, nil, fmt.Errorf("embed the question: %w", err)
		}
		s.vector = v[0]
	}
	s.indices, s.values = r.lexer.Query(ranking)
	n, err := r.searcher.Count(ctx, r.scope.Collection, s.filter)
	if err != nil {
		return nil, nil, fmt.Errorf("count eligible chunks in %s: %w", r.scope.Collection, err)
	}
	s.eligible = int(n)
	if mode == rag.Hybrid && r.opt.Pin {
		if s.ids, err = r.pinnable(ctx, s); err != nil {
			return nil, nil, err
		}
		s.numbers = numbers(r.lexer.Terms(ranking))
	}
	r.channels(mode, s)
	return s, nil, nil
}

// pinnable keeps the question's identifiers that occur in at most Candidates
// eligible chunks; one that is everywhere selects nothing.
func (r *Retriever) pinnable(ctx context.Context, s *search) ([]string, error) {
	var out []string
	for _, id := range r.lexer.IDs(s.ranking) {
		n, err := r.searcher.Count(ctx, r.scope.Collection, with(s.filter, qdrant.NewMatchKeyword("hardgate.ids", id)))
		if err != nil {
			return nil, fmt.Errorf("count chunks with %q in %s: %w", id, r.scope.Collection, err)
		}
		if n > 0 && int(n) <= r.opt.Candidates {
			out = append(out, id)
		}
	}
	return out, nil
}

// with returns the filter narrowed by further conditions.
func with(f *qdrant.Filter, more ...*qdrant.Condition) *qdrant.Filter {
	return &qdrant.Filter{Must: append(slices.Clone(f.Must), more...)}
}

// channels lists the queries of one batch.
func (r *Retriever) channels(mode rag.Mode, s *search) {
	limit := uint64(r.opt.Candidates)
	add := func(name string, f *qdrant.Filter, limit uint64, q *qdrant.Query, using string) {
		p := &qdrant.QueryPoints{CollectionName: r.scope.Collection, Filter: f, Limit: &limit, Query: q, WithPayload: qdrant.NewWithPayload(true)}
		if using != "" {
			p.Using = &using
		}
		s.names, s.queries = append(s.names, name), append(s.queries, p)
	}
	if mode != rag.Lexical {
		add(denseChannel, s.filter, limit, qdrant.NewQueryDense(s.vector), store.DenseVector)
	}
	if mode != rag.Dense && len(s.indices) > 0 {
		add(lexicalChannel, s.filter, limit, qdrant.NewQuerySparse(s.indices, s.values), store.SparseVector)
	}
	if len(s.ids) > 0 {
		add(identifiersChannel, with(s.filter, qdrant.NewMatchKeywords("hardgate.ids", s.ids...)), limit*uint64(len(s.ids)), nil, "")
	}
	if mode == rag.Hybrid && r.opt.Fusion.Method == "RRF" {
		s.names, s.queries = append(s.names, fusedChannel), append(s.queries, r.fusedQuery(s))
	}
}

// fusedQuery lets the store itself fuse the two channels. The store counts
// positions from 0, so the constant that means the same is one more than ours:
// 1/(k+1+0) = 1/(k+rank 1).
func (r *Retriever) fusedQuery(s *search) *qdrant.QueryPoints {
	limit, all, k := uint64(r.opt.Candidates), uint64(2*r.opt.Candidates), uint32(r.opt.Fusion.K)+1
	var prefetch []*qdrant.PrefetchQuery
	for i, name := range s.names {
		if name == denseChannel || name == lexicalChannel {
			q := s.queries[i]
			prefetch = append(prefetch, &qdrant.PrefetchQuery{Query: q.Query, Using: q.Using, Filter: s.filter, Limit: &limit})
		}
	}
	return &qdrant.QueryPoints{CollectionName: r.scope.Collection, Prefetch: prefetch, Filter: s.filter, Limit: &all,
		Query: qdrant.NewQueryRRF(&qdrant.Rrf{K: &k}), WithPayload: qdrant.NewWithPayload(true)}
}

// top keeps the k best passages, each at the rank of its best hit: the pieces of
// one table, and the pieces and tables of one section, are one passage, since two
// places for one clause would cost another its own. There are at most twice as
// many hits, so that a section of many pieces can't fill the prompt alone.
func top(hits []rag.Hit, k int) []rag.Hit {
	ranks := map[string]int{}
	table := map[string]bool{}
	var out []rag.Hit
	kept := 0
	for _, h := range hits {
		if len(out) == 2*k {
			break
		}
		if h.Table && table[h.Evidence()] {
			continue // gather brings all pieces of a table
		}
		clause := passage(h)
		rank := ranks[clause]
		if rank == 0 {
			if kept == k {
				continue
			}
			kept++
			rank = kept
		}
		if clause != "" {
			ranks[clause] = rank
		}
		table[h.Evidence()] = h.Table
		h.Rank = rank
		out = append(out, h)
	}
	return out
}

// passage names what a hit is a piece of: the section, of a text as of a table in
// it, or a table that stands in none. A page is no passage in this sense: its pieces
// are far from one another, and each has a place of its own, named by "".
func passage(h rag.Hit) string {
	switch {
	case h.Table && len(h.Aliases) > 0:
		return h.Document + "#" + h.Aliases[0] // the nearest heading; the others stand above it
	case h.Table || h.Heading != "":
		return h.Evidence()
	}
	return ""
}

// Eligible says which of the points, of any revision that is still stored, the
// question's identity may see at its instant.
func (r *Retriever) Eligible(ctx context.Context, q rag.Question, ids []string) (map[string]bool, error) {
	out := map[string]bool{}
	rules, _, refused := r.rules.conditions(q)
	if refused != nil || len(ids) == 0 {
		return out, nil
	}
	points := make([]*qdrant.PointId, len(ids))
	for i, id := range ids {
		points[i] = qdrant.NewIDUUID(id)
	}
	limit := uint64(len(ids))
	f := &qdrant.Filter{Must: append(rules, qdrant.NewMatchKeyword("hardgate.corpus", r.scope.Corpus), qdrant.NewHasID(points...))}
	replies, err := r.searcher.QueryBatch(ctx, r.scope.Collection, []*qdrant.QueryPoints{{CollectionName: r.scope.Collection, Filter: f, Limit: &limit}})
	if err != nil {
		return nil, fmt.Errorf("check eligibility in %s: %w", r.scope.Collection, err)
	}
	for _, p := range replies[0] {
		out[p.GetId().GetUuid()] = true
	}
	return out, nil
}
