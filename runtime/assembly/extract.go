package assembly

import (
	"context"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/ocr"
	"github.com/hardgate-dev/hardgate/runtime/extract/worker"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// limits are what the settings say of extraction, with the passwords that they refer to.
func limits(x settings.Extraction, t Terms) extract.Limits {
	l := extract.Limits{
		Timeout: time.Duration(x.Timeout), MaxPages: x.MaxPages,
		OCR: ocr.Options{Engine: x.OCR, Languages: x.OCRLanguages},
	}
	for i, p := range x.Passwords {
		if i < len(t.Passwords) {
			l.Passwords = append(l.Passwords, extract.Password{Pattern: p.Pattern, Password: t.Passwords[i]})
		}
	}
	return l
}

// reads is the extraction of a corpus: in workers where they can be started, else
// in this process.
func (r *Runtime) reads(ctx context.Context, l extract.Limits) (ingest.Extract, error) {
	if len(r.opt.ExtractWorker.Command) > 0 {
		pool, err := r.workers()
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, o rag.Object, data []byte) (rag.Document, error) {
			return pool.Apply(ctx, l, extract.File{Object: o, Data: data})
		}, nil
	}
	engine, err := r.Extractor(ctx)
	if err != nil {
		return nil, err
	}
	x := extract.New(engine, l)
	return func(ctx context.Context, o rag.Object, data []byte) (rag.Document, error) {
		return x.Apply(ctx, extract.File{Object: o, Data: data})
	}, nil
}

// workers are the processes that read files, started when the first file comes.
func (r *Runtime) workers() (*worker.Pool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pool != nil {
		return r.pool, nil
	}
	o := r.opt.ExtractWorker
	o.Workers = r.opt.Workers
	pool, err := worker.NewPool(o)
	if err != nil {
		return nil, err
	}
	r.pool = pool
	return pool, nil
}
