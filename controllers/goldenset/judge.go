package goldenset

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/work"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

const (
	// progressEvery is how often at most progress is written.
	progressEvery = 10 * time.Second

	// After a run that could not finish the next waits retryFirst, and then twice
	// as long each time, up to retryMost.
	retryFirst = 2 * time.Second
	retryMost  = 5 * time.Minute

	// lateAgain is when a freeze that isn't (or is no longer) the right one is
	// looked at again, should no watch tell of the change.
	lateAgain = 15 * time.Second

	// cancelWithin bounds how long a visit waits for a job to end that is no
	// longer wanted; the next visit waits on.
	cancelWithin = 2 * time.Second
)

// run is what a process remembers of a job that it started.
type run struct {
	shown   string // progress as last written
	shownAt time.Time
}

// failure is a run that could not finish.
type failure struct {
	attempt int32
	err     error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// judge starts, observes and records the evaluations that are wanted, and ends
// those that no longer are.
func (r *Reconciler) judge(ctx context.Context, v *visit) error {
	v.carry()
	name := client.ObjectKeyFromObject(v.set)
	wanted := map[string]bool{}
	var errs []error
	for i := range v.corpora {
		s, ok := v.subjectOf(&v.corpora[i])
		if !ok {
			continue
		}
		wanted[s.key(v.set.UID)] = true
		if err := r.advance(ctx, v, s); err != nil {
			errs = append(errs, fmt.Errorf("corpus %q: %w", s.corpus.Name, err))
		}
	}
	return errors.Join(append(errs, r.keep(ctx, name, wanted))...)
}

// carry keeps the results of Corpora that still name the set.
func (v *visit) carry() {
	for i := range v.corpora {
		if result := resultOf(v.before.Status.Results, v.corpora[i].Name); result != nil {
			v.results = append(v.results, *result)
		}
	}
}

// advance takes one evaluation as far as it goes without waiting.
func (r *Reconciler) advance(ctx context.Context, v *visit, s subject) error {
	key := s.key(v.set.UID)
	state, there := r.Runner.Look(key)
	var failed *failure
	switch {
	case !there:
		return r.begin(ctx, v, s, v.attempts(s)+1)
	case state.Running:
		r.observe(v, s, key, state)
		return nil
	case state.Err == nil:
		return r.record(ctx, v, s, state)
	case errors.As(state.Err, &failed):
		return r.retry(ctx, v, s, key, state, failed)
	}
	// A panic, or the end of the process, which asks no more.
	return r.retry(ctx, v, s, key, state, &failure{v.attempts(s), state.Err})
}

// begin starts an evaluation if the freeze that was published is still right.
func (r *Reconciler) begin(ctx context.Context, v *visit, s subject, attempt int32) error {
	t, err := r.prepare(ctx, v, s, attempt)
	var changed *evaluate.FreezeChangedError
	if errors.As(err, &changed) {
		v.late(s)
		return nil
	}
	if err != nil {
		return err
	}
	key := s.key(v.set.UID)
	r.remember(client.ObjectKeyFromObject(v.set), key)
	waker := &v1alpha1.GoldenSet{ObjectMeta: metav1.ObjectMeta{Namespace: v.set.Namespace, Name: v.set.Name}}
	r.Runner.Start(key, waker, r.job(t))
	if attempt == 1 {
		v.event(normal, v1alpha1.VerifyingReason, "asking revision %d of corpus %q", s.revision, s.corpus.Name)
	}
	v.runs(s, v1alpha1.Evaluation{Attempts: attempt})
	return nil
}

// late notes that the Corpus is about to publish another freeze, or this cache
// about to hear of what it saw. Then a request by annotation has nothing to ask
// again.
func (v *visit) late(s subject) {
	if s.token != "" {
		return
	}
	v.unended = append(v.unended, fmt.Sprintf("revision %d of corpus %q is to be frozen anew", s.revision, s.corpus.Name))
	v.again(lateAgain)
}

// observe shows the progress of a run, not too often.
func (r *Reconciler) observe(v *visit, s subject, key string, state work.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.runs[client.ObjectKeyFromObject(v.set)][key]
	if x == nil {
		x = &run{}
	}
	if x.shown != state.Progress && v.now.Sub(x.shownAt) >= progressEvery {
		x.shown, x.shownAt = state.Progress, v.now
	}
	v.runs(s, v1alpha1.Evaluation{Progress: x.shown, Attempts: max(1, v.attempts(s))})
}

// retry begins again a run that could not finish, after its backoff.
func (r *Reconciler) retry(ctx context.Context, v *visit, s subject, key string, state work.State, failed *failure) error {
	if failed.attempt != v.attempts(s) || v.complaint(s) == "" {
		v.event(warning, v1alpha1.EvaluationIncompleteReason, "revision %d of corpus %q, attempt %d: %v", s.revision, s.corpus.Name, failed.attempt, failed.err)
	}
	left := state.Ended.Add(backoff(failed.attempt)).Sub(v.now)
	if left <= 0 {
		r.Runner.Forget(key)
		return r.begin(ctx, v, s, failed.attempt+1)
	}
	v.again(left)
	v.runs(s, v1alpha1.Evaluation{Attempts: failed.attempt, Message: clip(failed.err.Error(), 1024)})
	v.troubles = append(v.troubles, fmt.Sprintf("revision %d of corpus %q: %v", s.revision, s.corpus.Name, failed.err))
	return nil
}

// backoff is the wait after an attempt, counted from 1.
func backoff(attempt int32) time.Duration {
	wait := retryFirst
	for ; attempt > 1 && wait < retryMost; attempt-- {
		wait *= 2
	}
	return min(wait, retryMost)
}

// runs lists an unfinished evaluation.
func (v *visit) runs(s subject, e v1alpha1.Evaluation) {
	e.Corpus, e.Revision, e.Freeze = s.corpus.Name, s.revision, s.freeze
	v.running = append(v.running, e)
	if e.Message == "" {
		v.unended = append(v.unended, fmt.Sprintf("asking revision %d of corpus %q", s.revision, s.corpus.Name))
	}
}

// attempts is how often the subject was tried, as the status remembers it.
func (v *visit) attempts(s subject) int32 {
	if e := v.told(s); e != nil {
		return e.Attempts
	}
	return 0
}

func (v *visit) complaint(s subject) string {
	if e := v.told(s); e != nil {
		return e.Message
	}
	return ""
}

func (v *visit) told(s subject) *v1alpha1.Evaluation {
	for i := range v.before.Status.Running {
		e := &v.before.Status.Running[i]
		if e.Corpus == s.corpus.Name && e.Revision == s.revision && e.Freeze == s.freeze {
			return e
		}
	}
	return nil
}

func (r *Reconciler) remember(set types.NamespacedName, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.runs == nil {
		r.runs = map[types.NamespacedName]map[string]*run{}
	}
	if r.runs[set] == nil {
		r.runs[set] = map[string]*run{}
	}
	if r.runs[set][key] == nil {
		r.runs[set][key] = &run{}
	}
}

// keep ends and forgets the jobs of a set that are not wanted: their verdict is
// recorded, or nobody waits for it any more.
func (r *Reconciler) keep(ctx context.Context, set types.NamespacedName, wanted map[string]bool) error {
	ctx, cancel := context.WithTimeout(ctx, cancelWithin)
	defer cancel()
	var unwanted []string
	r.mu.Lock()
	for key := range r.runs[set] {
		if !wanted[key] {
			unwanted = append(unwanted, key)
		}
	}
	r.mu.Unlock()
	for _, key := range unwanted {
		if err := r.Runner.Cancel(ctx, key); err != nil {
			return fmt.Errorf("end an evaluation that is no longer wanted: %w", err)
		}
		r.mu.Lock()
		delete(r.runs[set], key)
		if len(r.runs[set]) == 0 {
			delete(r.runs, set)
		}
		r.mu.Unlock()
	}
	return nil
}
