package remote

import (
	"context"
	"fmt"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Embedder is what questions are embedded by: an Encoder.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Count(text string) int
	Window() int
	Identity() string // of what a vector depends on beside its text
}

// Remembered says what is remembered of questions.
type Remembered struct {
	Dir    string // where golden questions are kept; "" = in memory alone, gone with the process
	Memory int    // most questions in memory; default 2,000, at 1,536 dimensions 12 MB
	Files  int    // most golden questions in Dir; default 10,000
}

// Counts is what remembering saved.
type Counts struct {
	Hits      int64 // questions whose vector was remembered, in memory or on disk
	Misses    int64 // questions that were embedded
	Corrupt   int64 // files that were damaged, or could not be read: embedded again
	Unwritten int64 // vectors that could not be kept on disk: embedded again after a restart
}

// Plus adds the counts of others.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Hits + d.Hits, c.Misses + d.Misses, c.Corrupt + d.Corrupt, c.Unwritten + d.Unwritten}
}

// Questions embeds questions and remembers their vectors, in memory alone: what
// tenants ask is theirs and is never written. It is safe for concurrent use; who
// gets a vector must not change it.
type Questions struct {
	Embedder
	memory *lru.Cache[string, []float32]
	files  *files // nil = none

	hits, misses, corrupt, unwritten atomic.Int64
}

// NewQuestions opens what is remembered. The error says what is wrong with Dir.
func NewQuestions(e Embedder, o Remembered) (*Questions, error) {
	if o.Memory == 0 {
		o.Memory = 2000
	}
	if o.Files == 0 {
		o.Files = 10_000
	}
	if o.Memory < 0 || o.Files < 0 {
		return nil, fmt.Errorf("remote: Memory is %d and Files %d, must be positive", o.Memory, o.Files)
	}
	memory, err := lru.New[string, []float32](o.Memory)
	if err != nil {
		return nil, fmt.Errorf("remember questions: %w", err)
	}
	q := &Questions{Embedder: e, memory: memory}
	if o.Dir != "" {
		if q.files, err = openFiles(o.Dir, e.Identity(), o.Files); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// Counts returns the counts so far, golden questions included.
func (q *Questions) Counts() Counts {
	return Counts{q.hits.Load(), q.misses.Load(), q.corrupt.Load(), q.unwritten.Load()}
}

// Embed returns a vector a text. The text is the key: one that was edited is
// another question.
func (q *Questions) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return q.embed(ctx, texts, nil)
}

// Golden embeds the questions of golden sets, which are written to Dir too, each
// with its text, so that an evaluation after a restart asks the server nothing.
type Golden struct{ *Questions }

// Golden is for the evaluator alone.
func (q *Questions) Golden() Golden { return Golden{q} }

// Embed is as of Questions, with a look on the disk in between.
func (g Golden) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return g.embed(ctx, texts, g.files)
}

func (q *Questions) embed(ctx context.Context, texts []string, kept *files) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []string
	at := map[string][]int{} // places of a missing text
	for i, text := range texts {
		if out[i] = q.recall(text, kept); out[i] != nil {
			q.hits.Add(1)
			continue
		}
		if at[text] == nil {
			missing = append(missing, text)
		}
		at[text] = append(at[text], i)
	}
	if len(missing) == 0 {
		return out, nil
	}
	fresh, err := q.Embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	q.misses.Add(int64(len(missing)))
	for k, text := range missing {
		for _, i := range at[text] {
			out[i] = fresh[k]
		}
		q.memory.Add(text, fresh[k])
		q.keep(text, fresh[k], kept)
	}
	return out, nil
}

// recall returns the vector that is remembered of a text, nil if none is. A
// golden question that memory alone has, since a tenant asked it too, is written.
func (q *Questions) recall(text string, kept *files) []float32 {
	v, ok := q.memory.Get(text)
	if kept == nil {
		return v
	}
	if ok {
		if !kept.has(text) {
			q.keep(text, v, kept)
		}
		return v
	}
	v, err := kept.read(text)
	if err != nil {
		q.corrupt.Add(1)
		return nil
	}
	if v != nil {
		q.memory.Add(text, v)
	}
	return v
}

// keep writes a vector. That the disk is full doesn't stop an evaluation: it is
// counted.
func (q *Questions) keep(text string, v []float32, kept *files) {
	if kept == nil {
		return
	}
	if err := kept.write(text, v); err != nil {
		q.unwritten.Add(1)
	}
}
