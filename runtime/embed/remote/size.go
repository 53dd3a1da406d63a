package remote

import (
	"context"
	"errors"
	"net/http"
	"sync"
)

// sizes are the names under which a server may be told the length of its
// vectors, the likelier first. OpenAI calls it dimensions, Voyage output_dimension
// and refuses any other field, and models of one length often refuse both. Which
// it is shows with the first request and is kept; the length itself is checked
// whichever way it was asked for.
type sizes struct {
	names  []string // "" = not sent
	mu     sync.Mutex
	agreed string
	known  bool
}

func newSizes(o Options) sizes {
	if o.QueryInputType != "" || o.DocumentInputType != "" { // no field of OpenAI's
		return sizes{names: []string{"output_dimension", "dimensions", ""}}
	}
	return sizes{names: []string{"dimensions", "output_dimension", ""}}
}

func (s *sizes) candidates() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known {
		return []string{s.agreed}
	}
	return s.names
}

func (s *sizes) agree(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.agreed, s.known = name, true
}

// sized sends one batch under the name for the length that the server takes. Of
// several refusals that of the length is told: it is what the user can mend.
func (c *Client) sized(ctx context.Context, inputType string, texts []string) ([][]float32, error) {
	var refusal error
	for _, name := range c.sizes.candidates() {
		vectors, err := c.post(ctx, request{c.opt.Model, inputType, name, c.opt.Dimensions, texts})
		if err == nil {
			c.sizes.agree(name)
			return vectors, nil
		}
		var length *DimensionsError
		var status *StatusError
		switch {
		case errors.As(err, &length):
			refusal = err
		case errors.As(err, &status) && (status.Status == http.StatusBadRequest || status.Status == http.StatusUnprocessableEntity):
			if refusal == nil {
				refusal = err
			}
		default:
			return nil, err
		}
	}
	return nil, refusal
}
