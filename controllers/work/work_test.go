package work_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/controllers/work"
)

func object(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "hr", Name: name}}
}

// wakes counts which objects were to be reconciled, until the context ends.
type wakes struct {
	mu    sync.Mutex
	names []string
	at    []time.Time
}

func listen(ctx context.Context, r *work.Runner) *wakes {
	w := &wakes{}
	go func() {
		for {
			select {
			case e := <-r.Wake():
				w.mu.Lock()
				w.names, w.at = append(w.names, e.Object.GetName()), append(w.at, time.Now())
				w.mu.Unlock()
			case <-ctx.Done():
				return
			}
		}
	}()
	return w
}

func (w *wakes) seen() ([]string, []time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.names, w.at
}

func TestOneJobAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := work.New(t.Context(), 4)
		w := listen(t.Context(), r)
		if _, there := r.Look("a"); there {
			t.Error("there is a job that nobody started")
		}
		var runs atomic.Int32
		release := make(chan struct{})
		job := func(context.Context, func(int, int)) (any, error) {
			<-release
			return runs.Add(1), nil
		}
		for range 3 {
			r.Start("a", object("corpus"), job)
		}
		synctest.Wait()
		if s, there := r.Look("a"); !there || !s.Running {
			t.Errorf("a job under way is %+v", s)
		}
		r.Forget("a")
		if _, there := r.Look("a"); !there {
			t.Error("a running job was forgotten")
		}
		close(release)
		synctest.Wait()
		s, _ := r.Look("a")
		if s.Running || s.Result != int32(1) || s.Err != nil || s.Ended.IsZero() {
			t.Errorf("three starts are one run; it ended as %+v", s)
		}
		if names, _ := w.seen(); len(names) != 1 || names[0] != "corpus" {
			t.Errorf("its end wakes its object once, not %v", names)
		}
		r.Start("a", object("corpus"), job)
		synctest.Wait()
		if n := runs.Load(); n != 1 {
			t.Errorf("an ended job that nobody has taken note of was run again: %d runs", n)
		}
		r.Forget("a")
		r.Start("a", object("corpus"), job)
		synctest.Wait()
		if s, _ := r.Look("a"); s.Result != int32(2) {
			t.Errorf("once forgotten it may run again; it is %+v", s)
		}
	})
}

func TestLimit(t *testing.T) {
	for name, c := range map[string]struct{ limit, want int }{
		"two":     {2, 2},
		"nothing": {0, 1}, // a runner that runs nothing would wait for ever
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := work.New(t.Context(), c.limit)
				listen(t.Context(), r)
				var now, most, done atomic.Int32
				for _, key := range []string{"a", "b", "c", "d", "e"} {
					r.Start(key, object(key), func(ctx context.Context, _ func(int, int)) (any, error) {
						n := now.Add(1)
						defer now.Add(-1)
						for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
						}
						time.Sleep(time.Minute)
						done.Add(1)
						return nil, nil
					})
				}
				time.Sleep(10 * time.Minute)
				if int(most.Load()) != c.want || done.Load() != 5 {
					t.Errorf("%d at a time, want %d; %d of 5 done", most.Load(), c.want, done.Load())
				}
			})
		})
	}
}

func TestPanicIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := work.New(t.Context(), 1)
		w := listen(t.Context(), r)
		r.Start("bad", object("bad"), func(context.Context, func(int, int)) (any, error) {
			var none []int
			return none[3], nil
		})
		r.Start("good", object("good"), func(context.Context, func(int, int)) (any, error) { return "fine", nil })
		synctest.Wait()
		if s, _ := r.Look("bad"); s.Running || s.Err == nil || !strings.Contains(s.Err.Error(), "panic") || !strings.Contains(s.Err.Error(), "index out of range") {
			t.Errorf("one corpus' document must not end the process: %+v", s)
		}
		if s, _ := r.Look("good"); s.Result != "fine" {
			t.Errorf("the slot of the job that panicked is free again: %+v", s)
		}
		if names, _ := w.seen(); len(names) != 2 {
			t.Errorf("both objects are woken, not %v", names)
		}
	})
}

func TestProgressWakesSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := work.New(t.Context(), 1)
		w := listen(t.Context(), r)
		r.Start("a", object("corpus"), func(_ context.Context, progress func(int, int)) (any, error) {
			for i := range 600 {
				time.Sleep(100 * time.Millisecond)
				progress(i+1, 600)
			}
			return nil, nil
		})
		time.Sleep(30*time.Second + 50*time.Millisecond)
		if s, _ := r.Look("a"); s.Progress != "300/600" {
			t.Errorf("progress is %q, looked at after half the time", s.Progress)
		}
		time.Sleep(time.Minute)
		_, at := w.seen()
		if len(at) != 7 { // at 0.1, 10.1 … 50.1 s, and the end
			t.Fatalf("600 steps in a minute woke %d times", len(at))
		}
		for i := 1; i < len(at)-1; i++ {
			if gap := at[i].Sub(at[i-1]); gap < 10*time.Second {
				t.Errorf("two wakes %s apart: status would be written as often", gap)
			}
		}
	})
}

func TestCancel(t *testing.T) {
	obey := func(ctx context.Context, _ func(int, int)) (any, error) {
		<-ctx.Done()
		time.Sleep(time.Second) // what it still has to put away
		return nil, ctx.Err()
	}
	t.Run("running", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := work.New(t.Context(), 1)
			listen(t.Context(), r)
			r.Start("a", object("a"), obey)
			synctest.Wait()
			start := time.Now()
			if err := r.Cancel(t.Context(), "a"); err != nil || time.Since(start) != time.Second {
				t.Errorf("returned after %s with %v, want when the job has ended", time.Since(start), err)
			}
			if s, there := r.Look("a"); there {
				t.Errorf("a cancelled job is still there: %+v", s)
			}
		})
	})
	t.Run("waiting", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := work.New(t.Context(), 1)
			listen(t.Context(), r)
			r.Start("first", object("first"), obey)
			synctest.Wait()
			r.Start("second", object("second"), func(context.Context, func(int, int)) (any, error) {
				t.Error("a job that was cancelled before its turn has run")
				return nil, nil
			})
			synctest.Wait()
			if err := r.Cancel(t.Context(), "second"); err != nil {
				t.Error(err)
			}
			if s, there := r.Look("first"); !there || !s.Running {
				t.Errorf("the other job is %+v", s)
			}
			if err := r.Cancel(t.Context(), "first"); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("deaf", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := work.New(t.Context(), 1)
			listen(t.Context(), r)
			release := make(chan struct{})
			r.Start("a", object("a"), func(context.Context, func(int, int)) (any, error) { <-release; return nil, nil })
			synctest.Wait() // it has begun: before that, it ends by not beginning
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			if err := r.Cancel(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a reconcile must not wait for ever for a job that doesn't listen: %v", err)
			}
			if s, there := r.Look("a"); !there || !s.Running {
				t.Errorf("it is running, and so it is said to be: %+v", s)
			}
			close(release)
		})
	})
	t.Run("unknown", func(t *testing.T) {
		if err := work.New(t.Context(), 1).Cancel(t.Context(), "a"); err != nil {
			t.Errorf("what does not run has ended: %v", err)
		}
	})
}

func TestJobsEndWithTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		r := work.New(ctx, 1)
		for _, key := range []string{"running", "waiting"} {
			r.Start(key, object(key), func(ctx context.Context, _ func(int, int)) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
		}
		synctest.Wait()
		stop()
		synctest.Wait()
		for _, key := range []string{"running", "waiting"} {
			if s, _ := r.Look(key); s.Running || !errors.Is(s.Err, context.Canceled) {
				t.Errorf("%s: %+v", key, s)
			}
		}
	})
}

// TestNobodyListens fills the channel: a reconciler that is slow must not hold
// up the jobs for long.
func TestNobodyListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := work.New(t.Context(), 1)
		r.Start("a", object("a"), func(_ context.Context, progress func(int, int)) (any, error) {
			for i := range 1100 {
				time.Sleep(10 * time.Second)
				progress(i, 1100)
			}
			return "done", nil
		})
		time.Sleep(1100*10*time.Second + 80*5*time.Second)
		if s, _ := r.Look("a"); s.Result != "done" {
			t.Errorf("%+v", s)
		}
	})
}
