package assembly

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/hardgate-dev/hardgate/runtime/embed"
)

// maxVectors bounds the vectors that are remembered: at 1.5 kB each, 30 MB.
const maxVectors = 20000

// scorer encodes sentences for ranking. The same passages come up question after
// question, so their sentences' vectors are remembered; a vector depends on its
// text alone.
type scorer struct {
	model *embed.Model
	known *lru.Cache[string, []float32]
}

func newScorer(model *embed.Model) (*scorer, error) {
	c, err := lru.New[string, []float32](maxVectors)
	if err != nil {
		return nil, fmt.Errorf("remember vectors: %w", err)
	}
	return &scorer{model, c}, nil
}

// Embed returns one vector a text; only texts that are not remembered are encoded.
func (s *scorer) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []string
	var at []int
	for i, t := range texts {
		if v, ok := s.known.Get(t); ok {
			out[i] = v
			continue
		}
		missing, at = append(missing, t), append(at, i)
	}
	if len(missing) == 0 {
		return out, nil
	}
	fresh, err := s.model.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	for k, v := range fresh {
		out[at[k]] = v
		s.known.Add(missing[k], v)
	}
	return out, nil
}
