package rerank

import (
	"cmp"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// entry is what counts as one hit: a hit with the tables that came along with it.
type entry struct {
	hit       rag.Hit
	at        int       // its index among all hits
	along     []rag.Hit // right behind it, of its rank
	relevance float64   // in [0,1], the best of its windows
	order     float64   // what it is ordered by
}

// entries splits the list into hits and what came along with each: tables that
// stand right behind a hit and have its rank.
func entries(hits []rag.Hit) []*entry {
	var out []*entry
	for i, h := range hits {
		if n := len(out); n > 0 && h.Table && h.Rank > 0 && h.Rank == out[n-1].hit.Rank {
			out[n-1].along = append(out[n-1].along, h)
			continue
		}
		out = append(out, &entry{hit: h, at: i})
	}
	return out
}

// sort puts scored entries into their order: those that hold more of the
// question's identifiers first, then by relevance blended with the first stage's
// score, then as they were. The first stage's score is taken over the best of the
// question, which suits weighted sums (near 1 already) and reciprocal ranks (near
// 0) alike; stretching the scores to all of [0,1] was .005 nDCG@10 worse on Cranfield.
func (s *Stage) sort(found []*entry) {
	var top float64
	for _, e := range found {
		top = max(top, e.hit.Scores.Fused)
	}
	for _, e := range found {
		e.order = (1 - s.opts.FirstStage) * e.relevance
		if top > 0 {
			e.order += s.opts.FirstStage * e.hit.Scores.Fused / top
		}
	}
	slices.SortStableFunc(found, func(a, b *entry) int {
		return cmp.Or(
			cmp.Compare(b.hit.Scores.Pinned, a.hit.Scores.Pinned),
			cmp.Compare(b.order, a.order))
	})
}

// worth returns the relevance of what was scored, by its index among all hits.
func worth(found []*entry) map[int]float64 {
	out := map[int]float64{}
	for _, e := range found {
		for i := range 1 + len(e.along) {
			out[e.at+i] = e.relevance
		}
	}
	return out
}

// keep returns the first k entries as hits, each with the tables that belong to
// it right behind: those do not count, and have its rank. A table belongs to
// every hit with which gathering would bring it along, whether it came that way,
// was found itself, lay too deep or fell under the threshold: being found must
// not part a table from its text, or the second page of a register from the first.
func keep(order []*entry, all []rag.Hit, relevance map[int]float64, k int) []rag.Hit {
	var out []rag.Hit
	placed := map[int]bool{}
	place := func(i, rank int) {
		if placed[i] {
			return
		}
		placed[i] = true
		h := all[i]
		h.Rank, h.Scores.Relevance = rank, nil
		if r, ok := relevance[i]; ok {
			h.Scores.Relevance = &r
		}
		out = append(out, h)
	}
	rank := 0
	for _, e := range order {
		if placed[e.at] {
			continue
		}
		if rank == k {
			break
		}
		rank++
		place(e.at, rank)
		for i, h := range all {
			if belongs(h, e.hit) {
				place(i, rank)
			}
		}
	}
	return out
}

// belongs reports whether a table came along with a hit or would have: it is of
// the hit's section, or has the same columns, or is of the same section as a
// table that holds an identifier of the question.
func belongs(t, h rag.Hit) bool {
	if !t.Table || t.Document != h.Document {
		return false
	}
	switch {
	case t.Rank > 0 && t.Rank == h.Rank:
		return true
	case !h.Table:
		return h.Heading != "" && t.Names(h.Evidence())
	case h.Columns() != "" && t.Columns() == h.Columns():
		return true
	}
	return h.Scores.Pinned > 0 && slices.ContainsFunc(h.Aliases, func(a string) bool { return t.Names(t.Document + "#" + a) })
}
