// Package demo shows the whole job on one machine, on real parts: an API server
// with etcd, an S3 server, and the manager as a process of its own under the
// role that it has on a cluster. It ends with an error unless everything that
// it says came true.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// limit bounds a whole demo: on two cores it takes under a minute.
const limit = 8 * time.Minute

// stage is what the demo runs on.
type stage struct {
	Options
	dir     string // everything that the demo makes
	start   time.Time
	cluster *cluster
	s3      *bucket
	manager *process
	asker   *asker
	closers []func() error
}

// Run runs the demo, or with Down ends one that stayed.
func Run(ctx context.Context, o Options) (err error) {
	switch {
	case o.Down:
		return down(o)
	case o.Stay && !o.Foreground:
		return detach(ctx, o)
	}
	s := &stage{Options: o, start: time.Now()}
	if err := s.workdir(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	shown, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := s.show(shown); err != nil {
		return errors.Join(err, s.tail())
	}
	if !o.Stay {
		return nil
	}
	if err := errors.Join(s.restore(shown), s.announce()); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// show is the demo's order of events.
func (s *stage) show(ctx context.Context) error {
	for _, step := range []func(context.Context) error{s.startCluster, s.startBucket, s.startManager, s.apply, s.answers, s.refusal} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	s.say("All of it came true, in %s.", time.Since(s.start).Round(100*time.Millisecond))
	return nil
}

func (s *stage) say(format string, args ...any) { fmt.Fprintf(s.Out, format+"\n", args...) }

// title starts a part of the transcript.
func (s *stage) title(format string, args ...any) {
	fmt.Fprintf(s.Out, "\n== "+format+"\n", args...)
}

func (s *stage) workdir() error {
	if !s.Stay {
		dir, err := os.MkdirTemp("", "hardgate-demo-")
		s.dir = dir
		s.closers = append(s.closers, func() error { return os.RemoveAll(dir) })
		return err
	}
	s.dir = s.state()
	s.closers = append(s.closers, func() error { return os.RemoveAll(s.dir) })
	return os.MkdirAll(s.dir, 0o700)
}

// close ends what was started, last first.
func (s *stage) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	return errors.Join(errs...)
}

// tail shows the end of the manager's log after a failure.
func (s *stage) tail() error {
	if s.manager == nil {
		return nil
	}
	log, err := os.ReadFile(s.manager.log)
	if err != nil {
		return err
	}
	const most = 4000
	if len(log) > most {
		log = log[len(log)-most:]
	}
	_, err = io.WriteString(s.Out, "\n-- the end of the manager's log --\n"+string(log))
	return err
}
