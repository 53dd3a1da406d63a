package compress

import (
	"context"
	"fmt"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// topSentences keeps the best MaxSentences units of all hits, whatever they are,
// in the order of their scores. It takes a row for a sentence, so it drops rows
// of a table and shuffles those that stay. It is kept as a fault that a gate
// must catch, and it says what it dropped.
func (c *Compressor) topSentences(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
	if c.opts.MaxSentences <= 0 {
		return rag.Retrieved{}, fmt.Errorf("compression keeps %d sentences: must be positive", c.opts.MaxSentences)
	}
	all, err := c.scored(ctx, in)
	if err != nil {
		return rag.Retrieved{}, err
	}
	sort.SliceStable(all, func(a, b int) bool { return all[a].score > all[b].score })
	kept := all[:min(c.opts.MaxSentences, len(all))]
	before := make([]int, len(in.Hits))
	for i := range in.Hits {
		before[i] = rows(in.Hits[i].Units)
		in.Hits[i].Units = nil
	}
	for _, u := range kept {
		in.Hits[u.hit].Units = append(in.Hits[u.hit].Units, u.Unit)
	}
	for i, h := range in.Hits {
		if lost := before[i] - rows(h.Units); h.Table && lost > 0 {
			in.Hits[i].Lost += lost
			in.Flags = append(in.Flags, rag.Flag{Reason: TableIncomplete, Detail: fmt.Sprintf(
				"%s: %d of %d rows are among the best %d sentences", h.Evidence(), before[i]-lost, before[i]+h.Lost, c.opts.MaxSentences)})
		}
	}
	in.Hits = filled(in.Hits)
	return in, nil
}

// scored lists every unit of every hit with its similarity to the question.
func (c *Compressor) scored(ctx context.Context, in rag.Retrieved) ([]candidate, error) {
	texts := []string{question(in)}
	var all []candidate
	for i, h := range in.Hits {
		for n, u := range h.Units {
			texts = append(texts, u.Text)
			all = append(all, candidate{Unit: u, hit: i, index: n})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	scores, err := c.similar(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].score = scores[i]
	}
	return all, nil
}
