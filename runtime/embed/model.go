//go:build cgo

package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	ort "github.com/yalue/onnxruntime_go"
	"golang.org/x/sync/errgroup"

	"github.com/hardgate-dev/hardgate/runtime/embed/wordpiece"
)

// Model embeds. It is safe for concurrent use.
type Model struct {
	tokenizer  *wordpiece.Tokenizer
	session    *ort.DynamicAdvancedSession
	sha256     string
	dimensions int
	slots      chan struct{} // one per worker, shared by all calls
}

// Open loads the runtime's library (once in a process), the model and the
// tokenizer, and embeds one text to prove that they fit together.
func Open(o Options) (*Model, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	tokenizer, err := wordpiece.Load(o.Tokenizer)
	if err != nil {
		return nil, err
	}
	sum, err := hash(o.Model)
	if err != nil {
		return nil, err
	}
	if err := start(o.Library); err != nil {
		return nil, err
	}
	session, err := open(o.Model)
	if err != nil {
		return nil, fmt.Errorf("open model %q: %w", o.Model, err)
	}
	m := &Model{tokenizer: tokenizer, session: session, sha256: sum, slots: make(chan struct{}, o.Workers)}
	probe, err := m.Embed(context.Background(), []string{""})
	if err != nil {
		return nil, fmt.Errorf("try model %q: %w", o.Model, err)
	}
	m.dimensions = len(probe[0])
	return m, nil
}

func hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read model: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read model %q: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Window is the most wordpieces that a text may have, [CLS] and [SEP] included.
func (m *Model) Window() int { return window }

// Dimensions is the length of a vector.
func (m *Model) Dimensions() int { return m.dimensions }

// SHA256 is the hash of the model file, hex. Vectors of different models must never meet.
func (m *Model) SHA256() string { return m.sha256 }

// Pinned reports whether the model file is the one that this version was tested with.
func (m *Model) Pinned() bool { return m.sha256 == PinnedSHA256 }

// Count returns how many wordpieces a text has, [CLS] and [SEP] included.
func (m *Model) Count(text string) int { return m.tokenizer.Count(text) }

// Embed returns a vector of length 1 for each text, in order. A text over the
// window fails the whole call with a *TooLongError before any work is done. When
// ctx ends it returns within one run (2 texts, about 30 ms).
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	sequences := make([][]int32, len(texts))
	for i, text := range texts {
		sequences[i] = m.tokenizer.Encode(text)
		if n := len(sequences[i]); n > window {
			return nil, &TooLongError{Index: i, Tokens: n, Max: window}
		}
	}
	vectors := make([][]float32, len(texts))
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(cap(m.slots))
	for _, indexes := range batches(sequences) {
		if running.Err() != nil {
			break
		}
		group.Go(func() error { return m.embed(running, sequences, indexes, vectors) })
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("embed: %w", err)
	}
	if ctx.Err() != nil { // between two batches
		return nil, fmt.Errorf("embed: %w", context.Cause(ctx))
	}
	return vectors, nil
}

// embed runs one batch and puts its vectors where they belong.
func (m *Model) embed(ctx context.Context, sequences [][]int32, indexes []int, vectors [][]float32) error {
	select {
	case m.slots <- struct{}{}: // waiters are served in order, so a question isn't starved by an ingestion
		defer func() { <-m.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	chosen := make([][]int32, len(indexes))
	for k, i := range indexes {
		chosen[k] = sequences[i]
	}
	return run(m.session, chosen, func(k int, hidden []float32, dimensions int) {
		vectors[indexes[k]] = pool(hidden, dimensions)
	})
}
