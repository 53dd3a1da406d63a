package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const (
	// longestWait bounds the one wait: who asks a question waits no longer.
	longestWait = 30 * time.Second
	// unsaid is the wait where the provider doesn't say.
	unsaid = 5 * time.Second
	// unwell is the wait after a fault of the server's own, as long as providers'
	// clients wait at most before they ask a second time.
	unwell = time.Second
)

// Patiently calls, and once more after the wait that a rate limit asks for, or a
// second after the server failed by itself (5xx). It fails at once where that wait is
// over 30 s or over the time that is left, or where the model had begun to answer,
// which is paid for. A call that was answered the second time bears a flag if the
// first was a fault: one such reply shall end no evaluation, nor pass unseen.
func Patiently[T any](ctx context.Context, call func(context.Context) (T, error)) (T, []rag.Flag, error) {
	out, err := call(ctx)
	var f *Failed
	if !errors.As(err, &f) || !f.passing() {
		return out, nil, err
	}
	d := f.After
	switch {
	case d <= 0 && f.Cause == Limited:
		d = unsaid
	case d <= 0:
		d = unwell
	}
	until, bounded := ctx.Deadline()
	switch {
	case d > longestWait:
		return out, nil, explained(f, fmt.Sprintf("it asks to wait %s, which is over %s", d, longestWait))
	case bounded && time.Until(until) < d:
		return out, nil, explained(f, fmt.Sprintf("a wait of %s doesn't fit into the timeout", d))
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return out, nil, Redactor{}.Broken(ctx, ctx.Err(), false)
	case <-t.C:
	}
	first := f
	out, err = call(ctx)
	switch {
	case errors.As(err, &f) && f.Cause == first.Cause:
		return out, nil, explained(f, fmt.Sprintf("still so after a wait of %s", d))
	case err == nil && first.Cause == ServerError:
		return out, []rag.Flag{{Reason: AskedAgain, Detail: first.Detail + "; answered when it was asked again"}}, nil
	}
	return out, nil, err
}

// passing reports a failure that may be over by the next call.
func (f *Failed) passing() bool {
	return !f.Begun && (f.Cause == Limited || f.Cause == ServerError && f.Status >= http.StatusInternalServerError)
}

func explained(f *Failed, why string) *Failed {
	g := *f
	g.Detail += "; " + why
	return &g
}

// wait is what the headers ask for, 0 where they don't.
func wait(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return positive(ms / 1000)
	}
	after := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return positive(s)
	}
	if t, err := http.ParseTime(after); err == nil {
		return max(t.Sub(now), time.Second) // a date has no fractions
	}
	return 0
}

// positive keeps a wait above nought, and one beyond all measure finite.
func positive(s float64) time.Duration {
	if !(s > 0) {
		return time.Millisecond
	}
	return time.Duration(math.Min(s, 1e9) * float64(time.Second))
}
