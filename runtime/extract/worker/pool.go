package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Options configure a pool.
type Options struct {
	Command []string // program and arguments of a worker, which runs Serve
	Env     []string // all of a worker's environment: PATH, by which it finds Tesseract
	Workers int      // files read at the same time; 0 = GOMAXPROCS
	// Died is told what a worker said as it died over a file, a stack for one, and the
	// page it was reading, 0 for none; it may be called at the same time for several.
	// Nil = nobody wants to know.
	Died func(key string, page int, said string)
}

const (
	// grace is how long after a file's own deadline its worker is killed: it notices
	// the deadline itself between pages, and has better words for it.
	grace = 5 * time.Second
	// startup is for compiling the engine on a busy machine with a cold cache.
	startup = 2 * time.Minute
	// served is how many files a worker reads before a new one takes its place:
	// whatever a library leaves behind stays bounded, for a tenth of a second in a thousand files.
	served = 1000
)

// Pool hands files to workers. It is safe for concurrent use.
type Pool struct {
	opt   Options
	slots chan struct{}

	mu     sync.Mutex
	idle   []*process
	closed bool
}

// NewPool returns a pool; workers are started when they are needed.
func NewPool(o Options) (*Pool, error) {
	if len(o.Command) == 0 {
		return nil, errors.New("extraction worker: no command")
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return &Pool{opt: o, slots: make(chan struct{}, o.Workers)}, nil
}

// Apply reads one file. The error is an *extract.Error for what is wrong with the
// file, a *Temporary for what is wrong with the worker, or ctx's.
func (p *Pool) Apply(ctx context.Context, limits extract.Limits, f extract.File) (rag.Document, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return rag.Document{}, ctx.Err()
	}
	defer func() { <-p.slots }()
	w, err := p.take(ctx)
	if err != nil {
		return rag.Document{}, err
	}
	limits = limits.Filled()
	doc, err := w.read(ctx, limits, f, limits.Timeout+grace)
	var failure *extract.Error
	if w.ended || err != nil && !errors.As(err, &failure) {
		w.kill()
		return doc, err
	}
	p.give(w)
	return doc, err
}

// take returns an idle worker, or starts one.
func (p *Pool) take(ctx context.Context) (*process, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, &Temporary{errors.New("the pool is closed")}
	}
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	w, err := start(ctx, p.opt)
	switch {
	case err == nil:
		return w, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, &Temporary{fmt.Errorf("start %s: %w", p.opt.Command[0], err)}
}

func (p *Pool) give(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || w.files >= served {
		w.kill()
		return
	}
	p.idle = append(p.idle, w)
}

// Close ends the idle workers, and others as soon as they are done.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.idle {
		w.kill()
	}
	p.idle, p.closed = nil, true
	return nil
}
