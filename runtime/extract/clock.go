package extract

import (
	"context"
	"time"
)

// clock ends a context after so much time, not counting pauses. Its timer ends what
// waits for the context; who does not wait asks over, for a timer's function may
// not have been run yet when its time has come.
type clock struct {
	timer  *time.Timer
	left   time.Duration
	since  time.Time
	paused bool
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

// over reports whether the time is used up.
func (c *clock) over() bool {
	if c.paused {
		return c.left <= 0
	}
	return time.Since(c.since) >= c.left
}

func (c *clock) pause() {
	c.timer.Stop()
	if !c.paused {
		c.left -= time.Since(c.since)
	}
	c.paused = true
}

// resume goes on with the time that is left; a clock that has run out stays so.
func (c *clock) resume() {
	c.since, c.paused = time.Now(), false
	c.timer.Reset(max(c.left, 0))
}

// extend adds time.
func (c *clock) extend(d time.Duration) {
	c.pause()
	c.left += d
	c.resume()
}
