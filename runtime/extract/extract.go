// Package extract turns files into documents: pages, lines, headings, tables.
//
// In go an object's bytes; out comes a rag.Document whose every line, heading
// and cell has its box on the page, where the file has pages: PDF. HTML,
// Markdown, plain text and DOCX become one page without boxes. It refuses, with a typed Error, what is no
// PDF, needs a password, is cut short, holds only images of text, or exceeds
// its limits. Less than that (a page that can't be read, text that nobody can
// see) is a Problem of the document: nothing is left out silently.
package extract

import (
	"context"
	"io"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract/ocr"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Default limits.
const (
	DefaultTimeout  = 60 * time.Second
	DefaultMaxPages = 5000
	// DefaultPageTimeout is a third of a file's: a page that takes that long is no page, and the others may be fine.
	DefaultPageTimeout = 20 * time.Second
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
	// Timeout is for the whole file, looked at between pages and every thousand
	// glyphs; recognition of scans has its own. A call into the engine that doesn't
	// come back is beyond it: for that there is the worker, which is killed.
	// Files of over 500 pages have 30 ms more for each further page.
	Timeout     time.Duration
	PageTimeout time.Duration // for one page, which is then left out
	MaxPages    int
	OCR         ocr.Options // of pages without text; off when zero
	Passwords   []Password  // tried on encrypted files
}

// Filled returns the limits with defaults in place of zeros.
func (l Limits) Filled() Limits {
	if l.Timeout <= 0 {
		l.Timeout = DefaultTimeout
	}
	if l.MaxPages <= 0 {
		l.MaxPages = DefaultMaxPages
	}
	if l.PageTimeout <= 0 {
		l.PageTimeout = DefaultPageTimeout
	}
	return l
}

// Password opens the encrypted files whose key matches a pattern.
type Password struct {
	Pattern  string // doublestar glob on the object's key
	Password string
}

// File is an object with its bytes.
type File struct {
	Object rag.Object
	Data   []byte
	// At serves the Size bytes of a file that is not to be held in memory; Data is nil then.
	At       io.ReaderAt
	Size     int64
	Password string // "" = those of Limits.Passwords
	// Waits is called before work whose time is not counted against Limits.Timeout,
	// with how long it may take. Nil = nobody wants to know.
	Waits func(time.Duration)
	// Begins is called before each page is read. Nil = nobody wants to know.
	Begins func(page int)
}

// Extractor is the stage that reads PDFs. It is safe for concurrent use.
type Extractor struct {
	engine *Engine
	limits Limits
	ocr    *ocr.Reader // nil = off
}

// New returns an extractor over an engine.
func New(engine *Engine, limits Limits) *Extractor {
	limits = limits.Filled()
	x := &Extractor{engine: engine, limits: limits}
	if limits.OCR.On() {
		x.ocr = ocr.New(limits.OCR)
	}
	return x
}

// Apply extracts one file: PDF, HTML, Markdown, plain text or DOCX, by its name
// and its first bytes. The document's ID, Revision and Metadata are left to the
// caller. The error is an *Error unless ctx ended or the engine is closed.
func (x *Extractor) Apply(ctx context.Context, in File) (rag.Document, error) {
	a := &Assembly{}
	end, err := x.Read(ctx, in, a.Add)
	if err != nil {
		return rag.Document{}, err
	}
	return a.Document(in, end)
}

// Read is the first half of Apply, in memory that does not grow with the file: what
// it reads it hands on page by page. An Assembly makes the document of the parts and
// the ending. An error of part ends it, and is returned.
func (x *Extractor) Read(ctx context.Context, in File, part func(Part) error) (Ending, error) {
	if err := in.load(); err != nil {
		return Ending{}, err
	}
	k, err := kindOf(in.Object.Key, in.Data)
	switch {
	case err != nil:
		return Ending{}, err
	case k == kindPDF:
		return x.pdf(ctx, in, part)
	case ctx.Err() != nil:
		return Ending{}, ctx.Err()
	}
	doc, err := pageless(k, in.Data)
	return Ending{Whole: &doc}, err
}

func (x *Extractor) pdf(ctx context.Context, in File, part func(Part) error) (Ending, error) {
	problems, err := inspect(in)
	if err != nil {
		return Ending{}, err
	}
	limited, clock, stop := newClock(ctx, x.limits.Timeout)
	defer stop()
	r := &reading{engine: x.engine, limits: x.limits, file: in, parent: ctx, clock: clock, ocr: x.ocr}
	defer r.close()
	b := newBuilder(part)
	b.end.Problems = problems
	err = r.into(limited, b)
	return b.end, err
}
