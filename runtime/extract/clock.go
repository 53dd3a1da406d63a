package extract

import (
	"context"
	"time"
)

// clock ends a context after so much time, not counting pauses.
type clock struct {
	timer *time.Timer
	left  time.Duration
	since time.Time
}

// newClock starts a clock. The caller calls stop.
func newClock(parent context.Context, limit time.Duration) (ctx context.Context, c *clock, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	c = &clock{left: limit, since: time.Now()}
	c.timer = time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	return ctx, c, func() {
		c.timer.Stop()
		cancel(nil)
	}
}

func (c *clock) pause() {
	if c.timer.Stop() {
		c.left -= time.Since(c.since)
	}
}

// resume goes on with the time that is left; a clock that has run out stays so.
func (c *clock) resume() {
	c.since = time.Now()
	c.timer.Reset(max(c.left, 0))
}

// extend adds time.
func (c *clock) extend(d time.Duration) {
	c.pause()
	c.left += d
	c.resume()
}
