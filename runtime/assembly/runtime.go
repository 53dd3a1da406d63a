// Package assembly is the only place that picks concrete stages. It turns
// settings into an ingester, an asker and a ledger view, and is all of the
// runtime that the controllers and the command line see.
package assembly

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/embed/remote"
	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/worker"
	"github.com/hardgate-dev/hardgate/runtime/generate/budget"
	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rerank"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// Options say where the runtime's files are.
type Options struct {
	DataDir  string // the embedded store, kept contexts and hand-offs; "" = memory, gone with the process
	ModelDir string // model.onnx, tokenizer.json, libonnxruntime.so
	CacheDir string // compiled PDF engine; "" = compiled anew at each start, 3.4 CPU-seconds
	Workers  int    // documents and embeddings at a time; 0 = as many as Go may use
	Version  string // of this build, part of every freeze
	Files    bool   // settings may name files of this machine, as on the command line
	// ExtractWorker starts processes that read files and can be killed; without a
	// command, files are read in this process, where a call into the PDF engine that
	// never comes back can't be ended.
	ExtractWorker worker.Options
}

// Runtime holds what is opened once a process: the encoder, the PDF engine and
// the embedded store. The last two are opened when first needed.
type Runtime struct {
	opt   Options
	model *embed.Model
	score *scorer
	keep  contexts
	spent *budget.Ledger // of models, by corpus and day
	desk  *handoff.Store

	mu       sync.Mutex
	engine   *extract.Engine
	pool     *worker.Pool
	lent     bool // engine and pool are another runtime's, which closes them
	embedded *embedded.Server
	local    *store.Client
	servers  map[remote.Options]*server // of embeddings, that are open
	ended    map[[2]string]Embedding    // what those were asked that are no longer, by server and model

	fetching sync.Mutex // held while a reranker is fetched and opened, which may take minutes
	late     *rerank.LateInteraction
	cross    map[string]*rerank.CrossEncoder // by the sha256 of the file
}

// Open opens the encoder. The error says which file is missing.
func Open(opt Options) (*Runtime, error) {
	if _, err := os.Stat(filepath.Join(opt.ModelDir, "model.onnx")); err != nil {
		return nil, fmt.Errorf("model directory: %w (`make setup` fetches it, or set --model-dir)", err)
	}
	model, err := embed.Open(embed.Options{Dir: opt.ModelDir, Workers: opt.Workers})
	if err != nil {
		return nil, fmt.Errorf("open model in %q: %w", opt.ModelDir, err)
	}
	score, err := newScorer(model)
	if err != nil {
		return nil, err
	}
	r := &Runtime{opt: opt, model: model, score: score, keep: newContexts(opt.DataDir), desk: newHandoffs(opt.DataDir)}
	if r.spent, err = budget.Open(r.dir("budget"), nil); err != nil {
		return nil, err
	}
	return r, nil
}

// Fresh returns a runtime with an empty store of its own, in memory, that shares
// what is dear to open: the encoder and the PDF engine. It has to be closed
// before r is.
func (r *Runtime) Fresh(ctx context.Context) (*Runtime, error) {
	var engine *extract.Engine
	var pool *worker.Pool
	var err error
	if len(r.opt.ExtractWorker.Command) > 0 {
		pool, err = r.workers()
	} else {
		engine, err = r.Extractor(ctx)
	}
	if err != nil {
		return nil, err
	}
	opt := r.opt
	opt.DataDir = ""
	return &Runtime{opt: opt, model: r.model, score: r.score, keep: newContexts(""), desk: newHandoffs(""), spent: r.spent, engine: engine, pool: pool, lent: true}, nil
}

// Close ends the embedded store and the PDF engine; the encoder lives as long as
// the process.
func (r *Runtime) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	if r.local != nil {
		errs = append(errs, r.local.Close())
	}
	if r.embedded != nil {
		errs = append(errs, r.embedded.Close())
	}
	if r.engine != nil && !r.lent {
		errs = append(errs, r.engine.Close())
	}
	if r.pool != nil && !r.lent {
		errs = append(errs, r.pool.Close())
	}
	return errors.Join(errs...)
}

// Version is the build's version.
func (r *Runtime) Version() string { return r.opt.Version }

// Model is the sha256 of the encoder's weights.
func (r *Runtime) Model() string { return r.model.SHA256() }

// Dimensions is the length of the encoder's vectors.
func (r *Runtime) Dimensions() int { return r.model.Dimensions() }

// Extractor is the PDF stage's engine.
func (r *Runtime) Extractor(ctx context.Context) (*extract.Engine, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.engine != nil {
		return r.engine, nil
	}
	e, err := extract.Open(ctx, extract.Options{CacheDir: r.opt.CacheDir, Instances: r.opt.Workers})
	if err != nil {
		return nil, fmt.Errorf("open PDF engine: %w", err)
	}
	r.engine = e
	return e, nil
}

// Replaced says why the embedded store began empty though there was something in
// its folder, and where that is now; "" where it didn't.
func (r *Runtime) Replaced() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.embedded == nil || r.embedded.Replaced() == nil {
		return ""
	}
	return r.embedded.Replaced().String()
}

// Embedded connects to the store in this process, opening it first. A folder that
// is damaged or not a store's is set aside: what served is then lost, and built again
// from its source.
func (r *Runtime) Embedded(ctx context.Context) (*store.Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.local != nil {
		return r.local, nil
	}
	if r.embedded == nil {
		s, err := embedded.Open(embedded.Options{Dir: r.dir("store"), Replace: true})
		if err != nil {
			return nil, fmt.Errorf("open embedded store: %w", err)
		}
		r.embedded = s
	}
	c, err := store.Connect(ctx, store.Config{Embedded: r.embedded})
	if err != nil {
		return nil, err
	}
	r.local = c
	return c, nil
}
