// Package extract turns PDF files into documents: pages, lines, headings, tables.
//
// In go an object's bytes; out comes a rag.Document whose every line, heading
// and cell has its box on the page. It refuses, with a typed Error, what is no
// PDF, needs a password, is cut short, holds only images of text, or exceeds
// its limits. Less than that (a page that can't be read, text that nobody can
// see) is a Problem of the document: nothing is left out silently.
package extract

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Default limits.
const (
	DefaultTimeout  = 60 * time.Second
	DefaultMaxPages = 5000
)

// Options configure the engine.
type Options = pdfium.Options

// Engine is the compiled PDF engine; one serves all extractors of a process.
type Engine = pdfium.Engine

// Open compiles the engine: 3.4 CPU seconds, or .1 with a warm Options.CacheDir.
// The caller closes it.
func Open(ctx context.Context, o Options) (*Engine, error) { return pdfium.Open(ctx, o) }

// Limits bound the work on one file; zero fields take the defaults.
type Limits struct {
	Timeout  time.Duration // looked at between pages and every thousand glyphs
	MaxPages int
}

// File is an object with its bytes.
type File struct {
	Object   rag.Object
	Data     []byte
	Password string // "" = none
}

// Extractor is the stage that reads PDFs. It is safe for concurrent use.
type Extractor struct {
	engine *Engine
	limits Limits
}

// New returns an extractor over an engine.
func New(engine *Engine, limits Limits) *Extractor {
	if limits.Timeout <= 0 {
		limits.Timeout = DefaultTimeout
	}
	if limits.MaxPages <= 0 {
		limits.MaxPages = DefaultMaxPages
	}
	return &Extractor{engine: engine, limits: limits}
}

// Apply extracts one file. The document's ID, Revision and Metadata are left to
// the caller. The error is an *Error unless ctx ended or the engine is closed.
func (x *Extractor) Apply(ctx context.Context, in File) (rag.Document, error) {
	problems, err := inspect(in.Data)
	if err != nil {
		return rag.Document{}, err
	}
	limited, cancel := context.WithTimeout(ctx, x.limits.Timeout)
	defer cancel()
	r := &reading{engine: x.engine, limits: x.limits, file: in, parent: ctx}
	defer r.close()
	b := newBuilder()
	b.problems = problems
	title, err := r.into(limited, b)
	if err != nil {
		return rag.Document{}, err
	}
	doc, err := b.document(title)
	if err != nil {
		return rag.Document{}, err
	}
	sum := sha256.Sum256(in.Data)
	doc.SHA256 = hex.EncodeToString(sum[:])
	doc.Key, doc.Version = in.Object.Key, in.Object.Version
	return doc, nil
}
