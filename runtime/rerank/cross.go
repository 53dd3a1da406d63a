package rerank

import (
	"context"
	"math"
)

// Pairs is a model that reads question and passage together.
type Pairs interface {
	Window() int                        // the most tokens of a pair
	Count(question, passage string) int // tokens, as Window counts them
	// Logits returns one logit of relevance a passage, in order.
	Logits(ctx context.Context, question string, passages []string) ([]float64, error)
}

// CrossEncoder scores by the sigmoid of a cross-encoder's logit.
type CrossEncoder struct{ pairs Pairs }

// NewCrossEncoder returns the scorer.
func NewCrossEncoder(pairs Pairs) *CrossEncoder { return &CrossEncoder{pairs} }

// Fits reports whether question and passage fit the model's window together.
func (c *CrossEncoder) Fits(question, passage string) bool {
	return c.pairs.Count(question, passage) <= c.pairs.Window()
}

// Score returns the sigmoid of each pair's logit.
func (c *CrossEncoder) Score(ctx context.Context, question string, passages []string) ([]float64, error) {
	logits, err := c.pairs.Logits(ctx, question, passages)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(logits))
	for i, x := range logits {
		out[i] = 1 / (1 + math.Exp(-x)) // 0 and 1 at the ends, NaN of NaN
	}
	return out, nil
}
