package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Dialect remembers which parameters a model refused. Newer models take no
// temperature but their own, and some servers know another name for the most
// tokens; neither can be told from a model's name. The zero value is ready, and
// safe for concurrent use.
type Dialect struct {
	mu      sync.Mutex
	refused map[string]bool
}

// Takes reports whether the parameter may be sent.
func (d *Dialect) Takes(model, parameter string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.refused[model+"\x00"+parameter]
}

// Learn reports whether an error refuses one of the parameters that was sent, so
// that the call may be repeated without it.
func (d *Dialect) Learn(model string, err error, parameters ...string) bool {
	var f *Failed
	if !errors.As(err, &f) || f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity {
		return false
	}
	for _, p := range parameters {
		if !strings.Contains(f.Detail, p) || !d.Takes(model, p) {
			continue
		}
		d.mu.Lock()
		if d.refused == nil {
			d.refused = map[string]bool{}
		}
		d.refused[model+"\x00"+p] = true
		d.mu.Unlock()
		return true
	}
	return false
}

// Within bounds a call. The error at its end says which time was too short.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, fmt.Errorf("no complete answer within %s: raise timeout", d))
}
