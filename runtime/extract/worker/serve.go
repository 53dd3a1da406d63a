package worker

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
)

// A worker may take 200 MB. Of these the engine's compiled code has 22, and 65 are
// what is used of the program's file.
const (
	// heapLimit makes the collector work harder before Go's heap takes more than its share.
	heapLimit = 48 << 20
	// readingPages of 64 KiB are what an instance of the engine may take to read: 76 MiB.
	// Of 350 real files none needs more than 30, and a page of 150,000 letters 50.
	readingPages = 1216
	// drawingPages are what it may take to draw a scan, which it holds decoded: A4 in
	// colour at 600 dpi has 105 MB. Only such scans take a worker over its 200 MB.
	drawingPages = 2560
)

// Serve is a worker: it reads files from in and answers on out until in ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o extract.Options) error {
	debug.SetMemoryLimit(heapLimit)
	o.Instances, o.ReadingPages, o.MemoryPages = 1, readingPages, drawingPages
	engine, err := extract.Open(ctx, o)
	if err != nil {
		return err
	}
	defer engine.Close() //nolint:errcheck // the process ends
	debug.FreeOSMemory()
	if err := slim(); err != nil {
		fmt.Fprintln(os.Stderr, "more memory is taken than need be:", err)
	}
	return serve(ctx, in, out, func(ctx context.Context, limits extract.Limits, f extract.File, part func(extract.Part) error) reply {
		end, err := extract.New(engine, limits).Read(ctx, f, part)
		r := reply{Done: true, Ending: end}
		if err != nil && !errors.As(err, &r.Failure) {
			r.Error = err.Error()
		}
		return r
	})
}

// read does the work on one file.
type read func(ctx context.Context, limits extract.Limits, f extract.File, part func(extract.Part) error) reply

// serve is the loop around the work on one file.
func serve(ctx context.Context, in io.Reader, out io.Writer, work read) error {
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
		decoder := gob.NewDecoder(bufio.NewReader(in))
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
		if err := s.send(work(ctx, q.Limits, s.file(ctx, q.File, requests), s.part)); err != nil {
			return err
		}
	}
	if err := <-ended; !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("read the next file: %w", err)
	}
	return nil
}

// file is a file whose bytes are asked for.
func (s *sender) file(ctx context.Context, f file, requests <-chan request) extract.File {
	fetch := func(wanted span) ([]byte, error) {
		if err := s.send(reply{Wants: &wanted}); err != nil {
			return nil, err
		}
		select {
		case q, ok := <-requests:
			if !ok {
				return nil, io.ErrUnexpectedEOF
			}
			return q.Piece, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return extract.File{
		Object: f.Object, Password: f.Password, Size: f.Size, At: &remote{size: f.Size, fetch: fetch},
		Waits: func(d time.Duration) {
			_ = s.send(reply{Waits: d}) // a parent that is gone is noticed when the answer is sent
		},
		Begins: func(page int) { _ = s.send(reply{Page: page}) },
	}
}

func (s *sender) part(p extract.Part) error { return s.send(reply{Part: &p}) }

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
