package retrieve

import (
	"cmp"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Fusion blends the dense and the lexical channel.
type Fusion struct {
	Method        string  // Weighted | RRF
	Dense         float64 // weights, summing to 1
	Lexical       float64
	Normalization string // Max | MinMax, of the lexical channel (and, for MinMax, of both)
	K             int    // RRF's constant
}

// candidate is a point that some channel proposed, with what each channel says
// of it. Ranks count from 1; 0 means that the channel did not propose it.
type candidate struct {
	hit         rag.Hit
	dense       *float64 // raw cosine
	lexical     *float64 // raw BM25
	denseRank   int
	lexicalRank int
}

// fuse scores the candidates and orders them best first.
func (f Fusion) fuse(mode rag.Mode, cs []*candidate) []rag.Hit {
	dense := normalize(cs, func(c *candidate) *float64 { return c.dense })
	lexical := normalize(cs, func(c *candidate) *float64 { return c.lexical })
	for _, c := range cs {
		s := &c.hit.Scores
		s.Dense, s.Lexical = dense.clipped(c.dense), lexical.overBest(c.lexical)
		switch {
		case mode == rag.Dense:
			s.Fused = value(s.Dense)
		case mode == rag.Lexical:
			s.Fused = value(s.Lexical)
		case f.Method == "RRF":
			s.Lexical = c.lexical // ranks count, so the raw score tells more
			s.Fused = reciprocal(f.K, c.denseRank) + reciprocal(f.K, c.lexicalRank)
		case f.Normalization == "MinMax":
			s.Dense, s.Lexical = dense.minMax(c.dense), lexical.minMax(c.lexical)
			s.Fused = f.Dense*value(s.Dense) + f.Lexical*value(s.Lexical)
		default:
			s.Fused = f.Dense*value(s.Dense) + f.Lexical*value(s.Lexical)
		}
	}
	hits := make([]rag.Hit, len(cs))
	for i, c := range cs {
		hits[i] = c.hit
	}
	slices.SortFunc(hits, best)
	return hits
}

// best orders hits: those that hold more of the pinned identifiers first, then
// by fused score, then by id, so that the order is always defined.
func best(a, b rag.Hit) int {
	return cmp.Or(
		cmp.Compare(b.Scores.Pinned, a.Scores.Pinned),
		cmp.Compare(b.Scores.Fused, a.Scores.Fused),
		cmp.Compare(a.ID, b.ID))
}

// reciprocal is one list's share in reciprocal rank fusion; rank counts from 1.
func reciprocal(k, rank int) float64 {
	if rank == 0 {
		return 0
	}
	return 1 / float64(k+rank)
}

func value(p *float64) float64 {
	if p == nil {
		return 0
	}
	return *p
}

// scale is the range of one channel's scores over all candidates.
type scale struct {
	lo, hi float64
	any    bool
}

func normalize(cs []*candidate, of func(*candidate) *float64) scale {
	var s scale
	for _, c := range cs {
		v := of(c)
		if v == nil {
			continue
		}
		if !s.any {
			s = scale{*v, *v, true}
		}
		s.lo, s.hi = min(s.lo, *v), max(s.hi, *v)
	}
	return s
}

// clipped is a cosine clipped to [0,1].
func (scale) clipped(v *float64) *float64 {
	if v == nil {
		return nil
	}
	c := min(max(*v, 0), 1)
	return &c
}

// overBest is the score over the best one, 0 where the best is 0.
func (s scale) overBest(v *float64) *float64 {
	if v == nil {
		return nil
	}
	var c float64
	if s.hi > 0 {
		c = *v / s.hi
	}
	return &c
}

// minMax maps the channel's range to [0,1]; a range of one value maps to 1.
func (s scale) minMax(v *float64) *float64 {
	if v == nil {
		return nil
	}
	c := 1.0
	if s.hi > s.lo {
		c = (*v - s.lo) / (s.hi - s.lo)
	}
	return &c
}
