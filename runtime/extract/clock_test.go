package extract

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c, stop := newClock(t.Context(), time.Minute)
		defer stop()
		expect := func(when string, over bool) {
			t.Helper()
			synctest.Wait()
			if c.over() != over || (ctx.Err() != nil) != over {
				t.Errorf("%s: over %v, context %v, want %v", when, c.over(), ctx.Err(), over)
			}
		}
		expect("at once", false)
		time.Sleep(40 * time.Second)
		c.pause()
		time.Sleep(time.Hour)
		expect("in a pause", false)
		c.resume()
		time.Sleep(19 * time.Second)
		expect("a second before the end", false)
		c.extend(10 * time.Second)
		time.Sleep(10 * time.Second)
		expect("with ten more", false)
		time.Sleep(time.Second)
		expect("at the end", true)
	})
}

// A busy machine may run a timer's function late; over does not wait for it.
func TestClockIsOverBeforeItsTimerHasRun(t *testing.T) {
	_, c, stop := newClock(t.Context(), time.Hour)
	defer stop()
	if c.timer.Stop(); c.over() {
		t.Fatal("over with an hour left")
	}
	c.left = time.Nanosecond
	for range 1000 {
		if c.over() {
			return
		}
	}
	t.Error("a nanosecond is not over")
}
