package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// DefaultIdle is how long a stream may be silent.
const DefaultIdle = 30 * time.Second

// maxReply bounds the bytes of one reply: a hundred times what the longest drafts
// take with all that streaming wraps around them.
const maxReply = 32 << 20

var (
	errSilent  = errors.New("the model server fell silent")
	errTooLong = fmt.Errorf("the reply is over %d bytes", maxReply)
)

// NewHTTP returns a client for a model server. A reply that is silent for idle
// ends, as does one without end. Redirects are refused: they would carry the key to
// another host.
func NewHTTP(idle time.Duration) *http.Client {
	base := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8,
		IdleConnTimeout: 60 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
	}
	return &http.Client{Transport: &bounded{base: base, idle: idle}}
}

type bounded struct {
	base http.RoundTripper
	idle time.Duration
}

// RoundTrip bounds the reply's body, and refuses redirects with a *Failed.
func (b *bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	resp, err := b.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel(nil)
		return nil, err
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		_ = resp.Body.Close() // nothing in it matters
		cancel(nil)
		return nil, &Failed{Cause: Rejected, Status: resp.StatusCode, Detail: fmt.Sprintf("the model server redirects (%d) to %q: set baseURL to the final address", resp.StatusCode, resp.Header.Get("Location"))}
	}
	body := &watched{body: resp.Body, ctx: ctx, cancel: cancel, idle: b.idle, left: maxReply}
	body.timer = time.AfterFunc(b.idle, func() { cancel(fmt.Errorf("%w for %s in the middle of its answer", errSilent, b.idle)) })
	resp.Body = body
	return resp, nil
}

// watched is a body that ends when it is silent for too long.
type watched struct {
	body   io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	idle   time.Duration
	left   int64
	once   sync.Once
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if w.left -= int64(n); w.left < 0 {
		return 0, errTooLong
	}
	if err == nil {
		w.timer.Reset(w.idle)
		return n, nil
	}
	if cause := context.Cause(w.ctx); errors.Is(cause, errSilent) {
		return n, cause
	}
	return n, err
}

func (w *watched) Close() error {
	err := w.body.Close()
	w.once.Do(func() {
		w.timer.Stop()
		w.cancel(nil)
	})
	return err
}
