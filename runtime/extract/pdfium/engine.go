// Package pdfium reads the ink of PDF pages: glyphs, rulings, shaded areas.
//
// In go a file's bytes; out come layout.Sheets. The engine is PDFium compiled to
// WebAssembly, run in this process without cgo: a file can crash its instance,
// which is then thrown away, but never the process. It sees no file system but
// one embedded font, and no more memory than its limit.
package pdfium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	driver "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/hardgate-dev/hardgate/runtime/extract/fonts"
)

const (
	// defaultMemoryPages is 256 MiB of 64 KiB pages. To be read, real files need 18–30
	// MiB; bombs (nested forms, inflated streams) trap at the limit within seconds.
	defaultMemoryPages = 4096
	pageBytes          = 64 << 10
	// wornBytes is the memory over which an instance is replaced after a file, or
	// between the pages of one: WebAssembly memory never shrinks. A new one has 18 MiB.
	wornBytes = 40 << 20
)

// Options configure the engine.
type Options struct {
	CacheDir    string // compiled code is kept there: .1 s instead of 3.4 CPU seconds to open; "" = nowhere
	Instances   int    // files read at the same time; 0 = GOMAXPROCS
	MemoryPages uint32 // limit of an instance, in pages of 64 KiB; 0 = 4096
	// ReadingPages is the limit while nothing is drawn, which takes a scan decoded; 0 = MemoryPages.
	ReadingPages uint32
	// Interruptible stops a call as soon as the context of the open file ends. It makes
	// reading text four to six times dearer and drawing a page 1.5 to 5 times, so it is
	// for drawing, where a file can keep the engine busy for ever; reading has its own
	// process to be killed in.
	Interruptible bool
}

// Engine holds the compiled engine and its idle instances. It is safe for concurrent use.
type Engine struct {
	pool  driver.Pool
	cache wazero.CompilationCache
	slots chan struct{} // one token per instance that may be in use

	interruptible bool
	memory        *allocator
	reading, most uint64 // bytes that an instance may take to read a page, and to draw one

	mu     sync.Mutex
	idle   []*instance
	closed bool
}

// large is how many bytes an instance may take for a page that reading lets have too few.
func (e *Engine) large() uint64 { return min(e.most, e.reading*3/2) }

// Open compiles the engine, or loads it from the cache.
func Open(ctx context.Context, o Options) (*Engine, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Instances <= 0 {
		o.Instances = runtime.GOMAXPROCS(0)
	}
	if o.MemoryPages == 0 {
		o.MemoryPages = defaultMemoryPages
	}
	if o.ReadingPages == 0 {
		o.ReadingPages = o.MemoryPages
	}
	e := &Engine{
		slots: make(chan struct{}, o.Instances), interruptible: o.Interruptible,
		memory: &allocator{}, reading: uint64(o.ReadingPages) * pageBytes, most: uint64(o.MemoryPages) * pageBytes,
	}
	e.memory.admit(e.reading)
	// PDFium is built with exception handling; an own configuration must allow it.
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(e.memory.limit(o.MemoryPages)).
		WithCloseOnContextDone(o.Interruptible)
	if o.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(o.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("open compilation cache %q: %w; name a directory that can be written (--extract-cache-dir)", o.CacheDir, err)
		}
		e.cache = cache
		config = config.WithCompilationCache(cache)
	}
	pool, err := webassembly.Init(webassembly.Config{
		// the context outlives this call: instances run under it
		Context:       e.memory.in(context.WithoutCancel(ctx)),
		MaxIdle:       o.Instances,
		MaxTotal:      o.Instances,
		FSConfig:      wazero.NewFSConfig().WithFSMount(fonts.FS(), "/"), // never the default, which mounts the host's root
		RuntimeConfig: config,
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("compile pdfium: %w", err), e.closeCache())
	}
	e.pool = pool
	return e, nil
}

// Close frees the engine. Files still open must be closed first.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed, e.idle = true, nil
	return errors.Join(e.pool.Close(), e.closeCache())
}

func (e *Engine) closeCache() error {
	if e.cache == nil {
		return nil
	}
	return e.cache.Close(context.Background())
}

// acquire waits for an instance.
func (e *Engine) acquire(ctx context.Context) (*instance, error) {
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	in, err := e.next(ctx)
	if err != nil {
		<-e.slots
		return nil, err
	}
	return in, nil
}

func (e *Engine) next(ctx context.Context) (*instance, error) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, errors.New("pdfium engine is closed")
	}
	if n := len(e.idle); n > 0 {
		in := e.idle[n-1]
		e.idle = e.idle[:n-1]
		e.mu.Unlock()
		return in, nil
	}
	e.mu.Unlock()
	handle, err := e.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("start pdfium instance: %w", err)
	}
	in, err := newInstance(e, handle)
	if err != nil {
		return nil, errors.Join(err, handle.Kill())
	}
	return in, nil
}

// release gives an instance back; one that trapped or grew too large is
// thrown away, since every later file would fail in it.
func (e *Engine) release(in *instance) {
	defer func() { <-e.slots }()
	in.source.file = nil // the driver knows the source for ever; the file is not its business
	if in.err != nil || in.memory.Size() > wornBytes {
		// an error here means that the instance is gone already, which is what we want
		_ = in.handle.Kill()
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		e.idle = append(e.idle, in)
	}
}
