// Package rerank takes a second, dearer look at what was found: the first Depth
// hits are scored by a model that sees question and passage together, put into
// that order, and cut to TopK.
//
// A rag.Retrieved enters, best first, with its tables whole; a rag.Retrieved
// leaves whose hits are some of those, each with its relevance. A hit that holds
// more of the question's identifiers still comes first, and no threshold drops it.
// A table that retrieval would bring along with a hit stays with it (see keep).
// What doesn't fit the model's window is scored in windows, by the best of them.
//
// What it refuses: to let a failure pass for a score. A scorer that fails, panics
// or is late means the first stage's order and a flag, or an error, as Options say.
package rerank

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// OnFailure says what becomes of a question whose hits could not be scored.
type OnFailure string

// What to do on failure.
const (
	Degrade OnFailure = "Degrade" // the first TopK hits as they were fused, and a flag
	Fail    OnFailure = "Fail"    // an error
)

// Reasons of the flags that reranking raises.
const (
	BelowThreshold = "BelowThreshold" // every hit was under the threshold: there are none left
	RerankFailed   = "RerankFailed"   // the scorer failed: the order is the first stage's
	RerankTimeout  = "RerankTimeout"  // the scorer was late: likewise
)

// Options configure a Stage. A table counts as one hit, with what came along.
type Options struct {
	Depth      int           // hits that are scored; those beyond are dropped
	TopK       int           // hits that are kept, 1 to Depth
	Threshold  *float64      // relevance in [0,1] that a hit must reach; nil = none
	FirstStage float64       // share of the first stage's score in the order, 0 to 1: FirstStageShare for late interaction, 0 for a cross-encoder
	Timeout    time.Duration // for scoring
	OnFailure  OnFailure
}

func (o Options) validate() error {
	switch {
	case o.Depth < 1:
		return fmt.Errorf("rerank: Depth is %d, want at least 1", o.Depth)
	case o.TopK < 1 || o.TopK > o.Depth:
		return fmt.Errorf("rerank: TopK is %d, want 1 to Depth (%d)", o.TopK, o.Depth)
	case o.Threshold != nil && !unit(*o.Threshold):
		return fmt.Errorf("rerank: Threshold is %v, want 0 to 1", *o.Threshold)
	case !unit(o.FirstStage):
		return fmt.Errorf("rerank: FirstStage is %v, want 0 to 1", o.FirstStage)
	case o.Timeout <= 0:
		return fmt.Errorf("rerank: Timeout is %v, want more than 0", o.Timeout)
	case o.OnFailure != Degrade && o.OnFailure != Fail:
		return fmt.Errorf("rerank: OnFailure is %q, want %s or %s", o.OnFailure, Degrade, Fail)
	}
	return nil
}

// unit reports whether x lies in [0,1]; NaN doesn't.
func unit(x float64) bool { return x >= 0 && x <= 1 }

// Scorer judges passages. It must be safe for concurrent use, and should return
// soon after ctx ends; the stage doesn't wait for one that doesn't.
type Scorer interface {
	// Fits reports whether a passage can be scored beside the question without being cut.
	Fits(question, passage string) bool
	// Score returns the relevance of each passage to the question, in [0,1] and in order.
	Score(ctx context.Context, question string, passages []string) ([]float64, error)
}

// Stage reranks. It is safe for concurrent use.
type Stage struct {
	opts   Options
	scorer Scorer
}

// New returns the stage, or an error that names the option that is wrong.
func New(opts Options, scorer Scorer) (*Stage, error) {
	if err := opts.validate(); err != nil {
		return nil, err
	}
	if scorer == nil {
		return nil, errors.New("rerank: there is no scorer")
	}
	return &Stage{opts, scorer}, nil
}

// Apply returns a copy of in with the hits that are kept, in the new order and
// ranked from 1. Errors: ctx ended, or scoring failed under OnFailure Fail.
func (s *Stage) Apply(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
	out := in
	out.Flags = slices.Clone(in.Flags)
	found := entries(in.Hits)
	if len(found) == 0 {
		return out, nil
	}
	found = found[:min(s.opts.Depth, len(found))]
	question := in.Ranking
	if question == "" {
		question = in.Question.Text
	}
	late, err := s.score(ctx, question, found)
	if ctx.Err() != nil {
		return rag.Retrieved{}, context.Cause(ctx) // the asker went away: nothing to degrade for
	}
	if err != nil {
		if s.opts.OnFailure == Fail {
			return rag.Retrieved{}, err
		}
		out.Hits = keep(found, in.Hits, nil, s.opts.TopK)
		out.Flags = append(out.Flags, failure(err, late))
		return out, nil
	}
	s.sort(found)
	passed, flag := s.pass(found)
	if flag != nil {
		out.Flags = append(out.Flags, *flag)
	}
	out.Hits = keep(passed, in.Hits, worth(found), s.opts.TopK)
	return out, nil
}

func failure(err error, late bool) rag.Flag {
	reason := RerankFailed
	if late {
		reason = RerankTimeout
	}
	return rag.Flag{Reason: reason, Detail: fmt.Sprintf("%v; the order is that of retrieval", err)}
}

// pass returns the entries that reach the threshold or hold an identifier of the
// question, and a flag where none does.
func (s *Stage) pass(found []*entry) ([]*entry, *rag.Flag) {
	t := s.opts.Threshold
	if t == nil {
		return found, nil
	}
	var passed []*entry
	best := 0.0
	for _, e := range found {
		best = max(best, e.relevance)
		if e.relevance >= *t || e.hit.Scores.Pinned > 0 {
			passed = append(passed, e)
		}
	}
	if len(passed) > 0 {
		return passed, nil
	}
	return nil, &rag.Flag{Reason: BelowThreshold, Detail: fmt.Sprintf("the best relevance of %d hits is %.3f, the threshold %.3g", len(found), best, *t)}
}
