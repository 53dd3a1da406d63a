package corpus

import "time"

// The first attempt after one that failed waits retryFirst, each further one
// twice as long, up to retryMost: a source or store that is away is not hammered,
// and its return is noticed within a minute.
const (
	retryFirst = time.Second
	retryMost  = time.Minute
)

// trouble remembers the last attempt of a job, if it failed, so that the next is
// not made too soon. The queue's own backoff cannot do that: the visit that
// starts a job ends without an error and so resets it.
type trouble struct {
	err   error // nil after a success
	tries int
	until time.Time
}

// note takes the outcome of an attempt.
func (t *trouble) note(err error, now time.Time) {
	if err == nil {
		*t = trouble{}
		return
	}
	wait := retryFirst
	for range t.tries {
		wait = min(2*wait, retryMost)
	}
	*t = trouble{err, t.tries + 1, now.Add(wait)}
}

// left is how long the next attempt has to wait; 0 or less when it is due.
func (t *trouble) left(now time.Time) time.Duration {
	if t.err == nil {
		return 0
	}
	return t.until.Sub(now)
}
