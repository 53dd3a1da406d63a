package worker

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
)

// memoryLimit makes the collector work harder before a worker grows over what one
// may take: 200 MB, of which an instance of the engine has its share outside of Go's heap.
const memoryLimit = 128 << 20

// Serve is a worker: it reads files from in and answers on out until in ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o extract.Options) error {
	debug.SetMemoryLimit(memoryLimit)
	o.Instances = 1
	engine, err := extract.Open(ctx, o)
	if err != nil {
		return err
	}
	defer engine.Close() //nolint:errcheck // the process ends
	return serve(ctx, in, out, func(ctx context.Context, limits extract.Limits, f extract.File) reply {
		doc, err := extract.New(engine, limits).Apply(ctx, f)
		r := reply{Done: true, Document: doc}
		if err != nil && !errors.As(err, &r.Failure) {
			r.Error = err.Error()
		}
		return r
	})
}

// serve is the loop around the work on one file.
func serve(ctx context.Context, in io.Reader, out io.Writer, read func(context.Context, extract.Limits, extract.File) reply) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &sender{to: bufio.NewWriter(out)}
	s.encoder = gob.NewEncoder(s.to)
	if err := s.send(reply{Ready: true}); err != nil {
		return err
	}
	requests := make(chan request)
	ended := make(chan error, 1)
	go func() { // beside the work, so that the end of the parent is noticed during it
		defer close(requests)
		defer cancel()
		decoder := gob.NewDecoder(bufio.NewReaderSize(in, 1<<20))
		for {
			var q request
			if err := decoder.Decode(&q); err != nil {
				ended <- err
				return
			}
			select {
			case requests <- q:
			case <-ctx.Done():
				ended <- ctx.Err()
				return
			}
		}
	}()
	for q := range requests {
		f := extract.File{Object: q.File.Object, Data: q.File.Data, Password: q.File.Password}
		f.Waits = func(d time.Duration) {
			_ = s.send(reply{Waits: d}) // a parent that is gone is noticed when the answer is sent
		}
		if err := s.send(read(ctx, q.Limits, f)); err != nil {
			return err
		}
	}
	if err := <-ended; !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("read the next file: %w", err)
	}
	return nil
}

// sender writes replies whole.
type sender struct {
	mu      sync.Mutex
	to      *bufio.Writer
	encoder *gob.Encoder
}

func (s *sender) send(r reply) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.encoder.Encode(r); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return s.to.Flush()
}
