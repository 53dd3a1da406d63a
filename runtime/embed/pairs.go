//go:build cgo

package embed

import (
	"context"
	"errors"
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/hardgate-dev/hardgate/runtime/embed/wordpiece"
)

// pairWindow is the most wordpieces of a pair, [CLS] and both [SEP] included:
// a BERT's positions.
const pairWindow = 512

// paddedVocabulary is how many rows an exporter may add to the embeddings to
// round their number up; more means another vocabulary than the tokenizer's.
const paddedVocabulary = 127

// Pairs is a cross-encoder: a BERT that reads a question and a passage together.
// It is safe for concurrent use. Like a Model it lives as long as its process.
type Pairs struct {
	tokenizer *wordpiece.Tokenizer
	session   *ort.DynamicAdvancedSession
	slots     chan struct{}
}

// OpenPairs opens the cross-encoder o.Model, which must be named, with the
// library and tokenizer as in Open. It refuses a model of other inputs than
// BERT's, of another vocabulary than the tokenizer's, or that answers with
// anything but one logit or two for a pair, by trying it.
func OpenPairs(o Options) (*Pairs, error) {
	if o.Model == "" {
		return nil, errors.New("embed: Model, the cross-encoder's file, is not set")
	}
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	tokenizer, err := wordpiece.Load(o.Tokenizer)
	if err != nil {
		return nil, err
	}
	if err := start(o.Library); err != nil {
		return nil, err
	}
	output, err := signature(o.Model)
	if err != nil {
		return nil, fmt.Errorf("cross-encoder %q: %w", o.Model, err)
	}
	session, err := open(o.Model, output)
	if err != nil {
		return nil, fmt.Errorf("open cross-encoder %q: %w", o.Model, err)
	}
	p := &Pairs{tokenizer: tokenizer, session: session, slots: make(chan struct{}, o.Workers)}
	if err := p.try(); err != nil {
		return nil, fmt.Errorf("try cross-encoder %q: %w", o.Model, err)
	}
	return p, nil
}

// signature checks the inputs and returns the name of the output to read.
func signature(path string) (string, error) {
	in, out, err := ort.GetInputOutputInfo(path)
	if err != nil {
		return "", err
	}
	var names []string
	for _, i := range in {
		if i.DataType != ort.TensorElementDataTypeInt64 {
			return "", fmt.Errorf("input %s holds %s, want int64", i.Name, i.DataType)
		}
		names = append(names, i.Name)
	}
	slices.Sort(names)
	want := slices.Sorted(slices.Values(inputs[:]))
	if !slices.Equal(names, want) {
		return "", fmt.Errorf("its inputs are %v, a BERT's are %v", names, want)
	}
	if len(out) == 0 {
		return "", errors.New("it has no output")
	}
	for _, o := range out {
		if o.Name == "logits" {
			return o.Name, nil
		}
	}
	return out[0].Name, nil
}

// try runs two pairs, and shows the model a wordpiece that it must know and one
// that it can't.
func (p *Pairs) try() error {
	if _, err := p.Logits(context.Background(), "a", []string{"b", "b c"}); err != nil {
		return err
	}
	one := func(id int) error {
		_, err := p.logits(context.Background(), []sequence{{ids: []int32{int32(id)}}})
		return err
	}
	size := p.tokenizer.Size()
	if err := one(size - 1); err != nil {
		return fmt.Errorf("its vocabulary is shorter than the tokenizer's %d wordpieces: %w", size, err)
	}
	if one(size+paddedVocabulary) == nil {
		return fmt.Errorf("its vocabulary is longer than the tokenizer's %d wordpieces, so ids would mean other words", size)
	}
	return nil
}

// Window is the most wordpieces of a pair, [CLS] and both [SEP] included.
func (p *Pairs) Window() int { return pairWindow }

// Count returns how many wordpieces a pair has, [CLS] and both [SEP] included.
func (p *Pairs) Count(question, passage string) int {
	return p.tokenizer.Count(question) + p.tokenizer.Count(passage) - 1
}

// Logits returns one logit a passage, in order, of its relevance to the question:
// the higher the more. For a model of two classes it is the second's logit less
// the first's, so that its sigmoid is the second's softmax. A pair over the
// window fails the whole call with a *TooLongError before any work is done;
// nothing is cut off. When ctx ends it returns within one run (2 pairs).
func (p *Pairs) Logits(ctx context.Context, question string, passages []string) ([]float64, error) {
	sequences := make([]sequence, len(passages))
	for i, passage := range passages {
		sequences[i].ids, sequences[i].second = p.tokenizer.Pair(question, passage)
		if n := len(sequences[i].ids); n > pairWindow {
			return nil, &TooLongError{Index: i, Tokens: n, Max: pairWindow}
		}
	}
	return p.logits(ctx, sequences)
}

func (p *Pairs) logits(ctx context.Context, sequences []sequence) ([]float64, error) {
	logits := make([]float64, len(sequences))
	err := each(ctx, p.slots, sequences, func(indexes []int, chosen []sequence) error {
		return run(p.session, chosen, func(out *ort.Tensor[float32], _ int) error {
			shape, data := out.GetShape(), out.GetData()
			if len(shape) != 2 || shape[0] != int64(len(chosen)) || shape[1] != 1 && shape[1] != 2 {
				return fmt.Errorf("the output has shape %v for %d pairs, want 1 or 2 logits a pair", shape, len(chosen))
			}
			classes := int(shape[1])
			for k, i := range indexes {
				logits[i] = float64(data[k*classes+classes-1])
				if classes == 2 {
					logits[i] -= float64(data[k*classes])
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("score pairs: %w", err)
	}
	return logits, nil
}
