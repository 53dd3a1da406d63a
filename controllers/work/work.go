// Package work runs what takes longer than a reconcile may: listings, ingests,
// evaluations. A reconciler starts a job or observes it, and is woken when it
// ends or has progressed. Jobs live as long as the process; what they do is
// written so that it can be started again.
package work

import (
	"context"
	"fmt"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
)

// progressEvery bounds how often progress wakes a reconciler, and so how often
// it is written.
const progressEvery = 10 * time.Second

// Func is a job. It must end soon after ctx does.
type Func func(ctx context.Context, progress func(done, total int)) (any, error)

// State is a job as it stands.
type State struct {
	Running  bool
	Result   any
	Err      error
	Progress string // done/all, "" before the first
	Ended    time.Time
}

// Runner runs at most Limit jobs at a time, each under a key.
type Runner struct {
	wake  chan event.GenericEvent
	slots chan struct{}

	mu   sync.Mutex
	base context.Context
	jobs map[string]*job
}

type job struct {
	state  State
	woken  time.Time
	cancel context.CancelFunc
	done   chan struct{}
}

// New returns a runner whose jobs end with ctx.
func New(ctx context.Context, limit int) *Runner {
	return &Runner{base: ctx, wake: make(chan event.GenericEvent, 1024), slots: make(chan struct{}, max(1, limit)), jobs: map[string]*job{}}
}

// Wake tells which objects to reconcile; it feeds a channel source.
func (r *Runner) Wake() <-chan event.GenericEvent { return r.wake }

// Start runs fn under the key unless a job of that key is running or has ended
// and was not forgotten. obj is woken.
func (r *Runner) Start(key string, obj client.Object, fn Func) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, there := r.jobs[key]; there {
		return
	}
	ctx, cancel := context.WithCancel(r.base)
	j := &job{state: State{Running: true}, cancel: cancel, done: make(chan struct{})}
	r.jobs[key] = j
	go r.run(ctx, j, obj, fn)
}

func (r *Runner) run(ctx context.Context, j *job, obj client.Object, fn Func) {
	defer close(j.done)
	defer j.cancel()
	var result any
	err := r.enter(ctx)
	if err == nil {
		result, err = guard(fn)(ctx, func(done, total int) { r.progress(j, obj, done, total) })
		<-r.slots
	}
	r.mu.Lock()
	j.state = State{Result: result, Err: err, Progress: j.state.Progress, Ended: time.Now()}
	r.mu.Unlock()
	r.signal(obj)
}

func (r *Runner) enter(ctx context.Context) error {
	select {
	case r.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// guard turns a panic into an error: one corpus' document must not end the
// process that serves the others.
func guard(fn Func) Func {
	return func(ctx context.Context, progress func(int, int)) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return fn(ctx, progress)
	}
}

func (r *Runner) progress(j *job, obj client.Object, done, total int) {
	r.mu.Lock()
	j.state.Progress = fmt.Sprintf("%d/%d", done, total)
	now := time.Now()
	due := now.Sub(j.woken) >= progressEvery
	if due {
		j.woken = now
	}
	r.mu.Unlock()
	if due {
		r.signal(obj)
	}
}

// signal never blocks a job for long: a full channel means that reconciles are
// queued anyway.
func (r *Runner) signal(obj client.Object) {
	select {
	case r.wake <- event.GenericEvent{Object: obj}:
	case <-time.After(5 * time.Second):
	case <-r.base.Done():
	}
}

// Look returns the state of a job.
func (r *Runner) Look(key string) (State, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, ok := r.jobs[key]
	if !ok {
		return State{}, false
	}
	return j.state, true
}

// Forget drops an ended job, so that it can be started again. A running one
// stays.
func (r *Runner) Forget(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j, ok := r.jobs[key]; ok && !j.state.Running {
		delete(r.jobs, key)
	}
}

// Cancel ends a job and forgets it; it returns when the job has ended, or when
// ctx does.
func (r *Runner) Cancel(ctx context.Context, key string) error {
	r.mu.Lock()
	j, ok := r.jobs[key]
	r.mu.Unlock()
	if !ok {
		return nil
	}
	j.cancel()
	select {
	case <-j.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	r.Forget(key)
	return nil
}
