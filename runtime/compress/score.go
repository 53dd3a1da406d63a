package compress

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// score embeds the question and every sentence that must be ranked in one call.
func (c *Compressor) score(ctx context.Context, question string, passages []passage) error {
	texts := []string{question}
	for _, p := range passages {
		for _, u := range p.units {
			if !u.exempt {
				texts = append(texts, p.captioned(u.Text))
			}
		}
	}
	if len(texts) == 1 {
		return nil
	}
	scores, err := c.similar(ctx, texts)
	if err != nil {
		return err
	}
	next := 0
	for _, p := range passages {
		for i := range p.units {
			if !p.units[i].exempt {
				p.units[i].score = scores[next]
				next++
			}
		}
	}
	return nil
}

// captioned is a sentence under its heading, as retrieval and people read it.
func (p *passage) captioned(sentence string) string {
	if p.heading == "" {
		return sentence
	}
	return p.heading + ". " + sentence
}

// caption is a passage's heading where it says more than the document's title.
func caption(h rag.Hit) string {
	if h.Heading == h.Title {
		return ""
	}
	return h.Heading
}

// similar returns the cosine of texts[0] with each further text.
func (c *Compressor) similar(ctx context.Context, texts []string) ([]float64, error) {
	if c.scorer == nil {
		return nil, errors.New("score sentences: no scorer is configured")
	}
	vectors, err := c.scorer.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("score sentences: %w", err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("score sentences: %d vectors for %d texts", len(vectors), len(texts))
	}
	out := make([]float64, len(texts)-1)
	for i := range out {
		out[i] = cosine(vectors[0], vectors[i+1])
	}
	return out, nil
}

// cosine is 0 for a zero vector, and for vectors of different length.
func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}
