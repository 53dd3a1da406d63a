package rerank

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// errLate is the cause of a context that ended by the stage's own timeout.
var errLate = errors.New("late")

// score sets the relevance of every entry, or of none and returns why; late says
// that time was up. The scorer runs beside it, so that one which ignores its
// context costs the timeout and no more; what it then returns is thrown away.
func (s *Stage) score(ctx context.Context, question string, found []*entry) (late bool, err error) {
	inner, cancel := context.WithTimeoutCause(ctx, s.opts.Timeout, errLate)
	defer cancel()
	type result struct {
		relevance []float64
		err       error
	}
	hits := make([][]rag.Hit, len(found)) // the goroutine may outlive the call: it must not share what the stage goes on to write
	for i, e := range found {
		hits[i] = append([]rag.Hit{e.hit}, e.along...)
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: fmt.Errorf("the scorer panicked: %v", p)}
			}
			done <- r
		}()
		r.relevance, r.err = s.relevance(inner, question, hits)
	}()
	var r result
	select {
	case r = <-done:
	case <-inner.Done():
		r.err = context.Cause(inner)
	}
	if r.err != nil {
		if errors.Is(context.Cause(inner), errLate) {
			return true, fmt.Errorf("%d hits were not scored within %v", len(found), s.opts.Timeout)
		}
		return false, r.err
	}
	for i, e := range found {
		e.relevance = r.relevance[i]
	}
	return false, nil
}

// relevance scores every window of every entry and returns each entry's best.
func (s *Stage) relevance(ctx context.Context, question string, found [][]rag.Hit) ([]float64, error) {
	var passages []string
	ends := make([]int, len(found)) // of each entry's passages
	for i, hits := range found {
		for _, h := range hits {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			w, err := windows(h.Chunk, func(text string) bool { return s.scorer.Fits(question, text) })
			if err != nil {
				return nil, fmt.Errorf("%s: %w", h.Evidence(), err)
			}
			passages = append(passages, w...)
		}
		ends[i] = len(passages)
	}
	scores, err := s.scorer.Score(ctx, question, passages)
	if err != nil {
		return nil, err
	}
	if len(scores) != len(passages) {
		return nil, fmt.Errorf("the scorer returned %d scores for %d passages", len(scores), len(passages))
	}
	if i := slices.IndexFunc(scores, func(x float64) bool { return !unit(x) }); i >= 0 {
		return nil, fmt.Errorf("the scorer returned %v for passage %d, want 0 to 1", scores[i], i)
	}
	best, start := make([]float64, len(found)), 0
	for i, end := range ends {
		best[i] = slices.Max(scores[start:end])
		start = end
	}
	return best, nil
}
