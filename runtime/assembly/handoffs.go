package assembly

import (
	"path/filepath"

	"github.com/hardgate-dev/hardgate/runtime/handoff"
)

func newHandoffs(dir string) *handoff.Store {
	if dir == "" {
		return handoff.Open("")
	}
	return handoff.Open(filepath.Join(dir, "handoffs"))
}

// Handoffs are the questions that tenants were handed to people with.
func (r *Runtime) Handoffs() *handoff.Store { return r.desk }
