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
	session, err := open(o.Model, "last_hidden_state")
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
	vectors := make([][]float32, len(texts))
	err := m.encode(ctx, texts, func(i int, _ []int32, hidden []float32, dimensions int) {
		vectors[i] = pool(hidden, dimensions)
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// encode runs the texts through the model and hands over each one's ids and
// hidden states, [CLS] and [SEP] included; yield is called by several goroutines.
func (m *Model) encode(ctx context.Context, texts []string, yield func(i int, ids []int32, hidden []float32, dimensions int)) error {
	sequences := make([]sequence, len(texts))
	for i, text := range texts {
		sequences[i].ids = m.tokenizer.Encode(text)
		if n := len(sequences[i].ids); n > window {
			return &TooLongError{Index: i, Tokens: n, Max: window}
		}
	}
	err := each(ctx, m.slots, sequences, func(indexes []int, chosen []sequence) error {
		return run(m.session, chosen, func(out *ort.Tensor[float32], longest int) error {
			shape := out.GetShape()
			if len(shape) != 3 {
				return fmt.Errorf("last_hidden_state has shape %v, want batch, tokens, dimensions", shape)
			}
			dimensions := int(shape[2])
			for k, s := range chosen {
				from := k * longest * dimensions
				yield(indexes[k], s.ids, out.GetData()[from:from+len(s.ids)*dimensions], dimensions)
			}
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	return nil
}
