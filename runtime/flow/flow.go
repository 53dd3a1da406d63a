// Package flow composes stages and records what passes between them.
//
// A stage does its work and nothing else: it never logs, times or traces
// itself. Step wraps a stage so that the flow records its duration, its output
// and the flags that the output carries; a new stage is therefore traced the
// day it is written. Then composes two stages, so that a wrong order does not
// compile.
package flow

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Names of the question's steps, in order. The survival count and the
// diagnosis read the trace by these.
const (
	Retrieve = "retrieve" // rag.Retrieved: fused, topK
	Gather   = "gather"   // rag.Retrieved: tables whole; "retrieved" in a survival count
	Rerank   = "rerank"   // rag.Retrieved
	Compress = "compress" // rag.Retrieved: the units kept
	Prompt   = "prompt"   // rag.PromptContext
	Generate = "generate" // rag.Answer
)

// Stage turns In into Out. It must not change its input, and must stop soon
// after ctx ends.
type Stage[In, Out any] interface {
	Apply(ctx context.Context, in In) (Out, error)
}

// Func is a function as a Stage.
type Func[In, Out any] func(ctx context.Context, in In) (Out, error)

// Apply calls the function.
func (f Func[In, Out]) Apply(ctx context.Context, in In) (Out, error) { return f(ctx, in) }

// Then runs first, then second on its output.
func Then[A, B, C any](first Stage[A, B], second Stage[B, C]) Stage[A, C] {
	return Func[A, C](func(ctx context.Context, in A) (C, error) {
		mid, err := first.Apply(ctx, in)
		if err != nil {
			var zero C
			return zero, err
		}
		return second.Apply(ctx, mid)
	})
}

// Step wraps a stage so that the trace in the context, if any, records it.
func Step[In, Out any](name string, s Stage[In, Out]) Stage[In, Out] {
	return Func[In, Out](func(ctx context.Context, in In) (Out, error) {
		start := time.Now()
		out, err := s.Apply(ctx, in)
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		if t := from(ctx); t != nil {
			t.add(Record{Step: name, Took: time.Since(start), Output: out, Err: err, Flags: flags(name, out)})
		}
		return out, err
	})
}

// noted is what an output implements to have flags recorded.
type noted interface{ Notes() []rag.Flag }

func flags(step string, out any) []rag.Flag {
	n, ok := out.(noted)
	if !ok {
		return nil
	}
	var fs []rag.Flag
	for _, f := range n.Notes() {
		if f.Stage == "" {
			f.Stage = step
		}
		fs = append(fs, f)
	}
	return fs
}

// Record is what the flow remembers of one step.
type Record struct {
	Step   string
	Took   time.Duration
	Output any
	Err    error
	Flags  []rag.Flag
}

// Trace is the record of one question's way through the flow. It is safe for
// concurrent use.
type Trace struct {
	mu      sync.Mutex
	records []Record
}

type key struct{}

// WithTrace returns a context in which steps are recorded, and the trace.
func WithTrace(ctx context.Context) (context.Context, *Trace) {
	t := &Trace{}
	return context.WithValue(ctx, key{}, t), t
}

func from(ctx context.Context) *Trace {
	t, _ := ctx.Value(key{}).(*Trace)
	return t
}

func (t *Trace) add(r Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.records = append(t.records, r)
}

// Records returns the steps in the order in which they ended.
func (t *Trace) Records() []Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Record(nil), t.records...)
}

// Output returns what the last step of that name put out, and whether it ran.
func Output[T any](t *Trace, step string) (T, bool) {
	rs := t.Records()
	for i := len(rs) - 1; i >= 0; i-- {
		if out, ok := rs[i].Output.(T); ok && rs[i].Step == step && rs[i].Err == nil {
			return out, true
		}
	}
	var zero T
	return zero, false
}

// Flags returns every flag of every step, in order, without repeats: a flag
// that later outputs carry along is reported by the step that raised it.
func (t *Trace) Flags() []rag.Flag {
	type id struct{ reason, detail string }
	seen := map[id]bool{}
	var out []rag.Flag
	for _, r := range t.Records() {
		for _, f := range r.Flags {
			if k := (id{f.Reason, f.Detail}); !seen[k] {
				seen[k] = true
				out = append(out, f)
			}
		}
	}
	return out
}
