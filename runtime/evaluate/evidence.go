package evaluate

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// evidence follows every id of the key through the flow. It must be among the
// gathered hits and, where an answer is expected, still be in the prompt. What
// is known to be missing is followed as well, and must not turn up.
func (j *judge) evidence(ctx context.Context) error {
	if j.control {
		return nil
	}
	for _, id := range j.it.named {
		e := Evidence{ID: id}
		at := place(j.ob.hits[atGather], id)
		if at > 0 {
			rank := cmp.Or(j.ob.hits[atGather][at-1].Rank, at) // a table that came along with a hit has that hit's rank
			e.Rank = &rank
		} else {
			j.card.Missing = append(j.card.Missing, id)
		}
		required := slices.Contains(j.it.required, id)
		if !required {
			if err := j.absent(ctx, id, at > 0); err != nil {
				return err
			}
		}
		if at == 0 || (required && j.it.status == rag.Answered && place(j.ob.hits[atPrompt], id) == 0) {
			stage, d, err := j.diagnose(ctx, id)
			if err != nil {
				return err
			}
			e.LostAt, e.Diagnosis = &stage, &d
			if required {
				j.fail(stage, d.Reason, "evidence %s: %s", id, d.Detail)
			}
		}
		j.card.Evidence = append(j.card.Evidence, e)
	}
	return nil
}

// absent checks that an evidence known to be missing really is.
func (j *judge) absent(ctx context.Context, id string, found bool) error {
	stored, err := j.storedAs(ctx, id)
	if err != nil {
		return err
	}
	if found || len(stored) > 0 {
		j.fail(StageSource, UnexpectedEvidence, "evidence %s is declared missing and is in the corpus", id)
	}
	return nil
}

// storedAs returns the stored chunks that an evidence id names.
func (j *judge) storedAs(ctx context.Context, id string) ([]rag.Hit, error) {
	chunks, err := j.corpus.chunksOf(ctx, documents([]string{id}))
	return slices.DeleteFunc(slices.Clone(chunks), func(h rag.Hit) bool { return !satisfies(h.Chunk, id) }), err
}

// place is the position, from 1, of the first hit that satisfies an evidence id; 0 = none.
func place(hits []rag.Hit, id string) int {
	return 1 + slices.IndexFunc(hits, func(h rag.Hit) bool { return len(h.Units) > 0 && satisfies(h.Chunk, id) })
}

// satisfies reports whether a chunk is the evidence. A summary never stands for
// the document that it is derived from, whatever it calls itself.
func satisfies(c rag.Chunk, id string) bool {
	if !c.Names(id) {
		return false
	}
	document, _, _ := strings.Cut(id, "#")
	return !shares(c.Fields["derivedFrom"], []string{document})
}

// score computes recall@k and completeness@k; both stay null where the key
// names no evidence. What is known to be missing counts as not found: such a
// question passes "at 1 of 2", and is left out of its mode's figures.
func (j *judge) score(cutoffs []int) {
	if len(j.it.named) == 0 || j.control {
		return
	}
	j.card.Recall, j.card.Completeness = map[string]float64{}, map[string]bool{}
	j.card.complete = len(j.it.named) == len(j.it.required)
	for _, k := range cutoffs {
		if k <= 0 {
			continue
		}
		found := 0
		for _, e := range j.card.Evidence {
			if e.Rank != nil && (*e.Rank <= k || j.whole()) {
				found++
			}
		}
		key := strconv.Itoa(k)
		j.card.Recall[key] = float64(found) / float64(len(j.it.named))
		j.card.Completeness[key] = found == len(j.it.named)
	}
}

// whole reports that everything eligible is in the context, where rank means nothing.
func (j *judge) whole() bool { return j.card.Mode == rag.FullContext }
