package prose

import (
	"context"
	"fmt"
	"math"
)

// sense says how near each window is in meaning to the question. A nil sense
// knows nothing.
type sense map[*window]float64

// newSense embeds the question and the windows in one call.
func newSense(ctx context.Context, scorer Scorer, question string, windows []*window) (sense, error) {
	texts := make([]string, 1, len(windows)+1)
	texts[0] = question
	for _, w := range windows {
		texts = append(texts, captioned(w))
	}
	vectors, err := scorer.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("score sentences: %w", err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("score sentences: %d vectors for %d texts", len(vectors), len(texts))
	}
	s := sense{}
	for i, w := range windows {
		s[w] = cosine(vectors[0], vectors[i+1])
	}
	return s, nil
}

// captioned is a window under its heading, as people read it.
func captioned(w *window) string {
	if w.heading == "" {
		return w.text
	}
	return w.heading + ". " + w.text
}

// margin is how much nearer a window is than the nearest of any other passage.
func (s sense) margin(w *window) float64 {
	rival := 0.0
	for o, c := range s {
		if o.evidence != w.evidence {
			rival = max(rival, c)
		}
	}
	return s[w] - rival
}

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
