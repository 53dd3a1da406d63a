package remote

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// unsaid is the wait where a server doesn't say: a limit of three requests a
// minute, the lowest that is sold, lets the next one in after it.
const unsaid = 20 * time.Second

// sitOut waits as long as the server asks, within MaxWait and the caller's
// deadline; where that isn't possible it returns the limit at once.
func (c *Client) sitOut(ctx context.Context, limit *RateLimitError) (time.Duration, error) {
	d := limit.Asked
	if d <= 0 {
		d = min(unsaid, c.opt.MaxWait)
	}
	if d > c.opt.MaxWait {
		limit.Reason = fmt.Sprintf("it asks to wait %s, which is over %s", d, c.opt.MaxWait)
		return 0, limit
	}
	if until, ok := ctx.Deadline(); ok && time.Until(until) < d {
		limit.Reason = fmt.Sprintf("a wait of %s doesn't fit into the time that is left", d)
		return 0, limit
	}
	return d, c.wait(ctx, d)
}

// asked is the wait that a refusal's headers ask for, 0 where they don't.
// Retry-After (seconds, or a date) is meant for it; else the later of the times
// at which OpenAI's two budgets are full again.
func asked(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return seconds(ms / 1000)
	}
	after := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return seconds(s)
	}
	if t, err := http.ParseTime(after); err == nil {
		return max(t.Sub(now), time.Second) // a date has no fractions
	}
	var longest time.Duration
	for _, name := range []string{"X-Ratelimit-Reset-Requests", "X-Ratelimit-Reset-Tokens", "X-Ratelimit-Reset"} {
		longest = max(longest, reset(h.Get(name)))
	}
	return longest
}

// reset reads "6m0s", "20ms" or bare seconds.
func reset(text string) time.Duration {
	if d, err := time.ParseDuration(text); err == nil {
		return d
	}
	if s, err := strconv.ParseFloat(text, 64); err == nil && s < 1e6 { // above, it is the time of day of some servers
		return seconds(s)
	}
	return 0
}

// seconds keeps a wait positive, and one beyond all measure finite.
func seconds(s float64) time.Duration {
	if !(s > 0) {
		return time.Millisecond // it may be tried at once
	}
	return time.Duration(math.Min(s, 1e9) * float64(time.Second))
}

// sleep waits, or returns why ctx ended first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
