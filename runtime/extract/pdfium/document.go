package pdfium

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
)

// What opening a file can tell.
var (
	ErrPassword = errors.New("a password is needed, or the one given is wrong")
	ErrSecurity = errors.New("the file is encrypted in a way that is not supported")
	ErrFormat   = errors.New("the file is no PDF, or damaged beyond repair")
	ErrTooLarge = errors.New("the file has 4 GiB or more")
)

// PDFium's error codes.
const (
	codeFormat   = 3
	codePassword = 4
	codeSecurity = 5
)

// Document is an open file. It occupies an instance until it is closed.
type Document struct {
	engine *Engine
	in     *instance
	handle uint64
	opened uint32 // bytes of the instance's memory once the file was open
	page   uint64 // the one read last, still open; 0 for none
	pages  int
	read   int // pages, since it was opened
	tagged bool
	fonts  map[uint64]*layout.Font
}

// Open opens a file's bytes.
func (e *Engine) Open(ctx context.Context, data []byte, password string) (*Document, error) {
	return e.OpenAt(ctx, bytes.NewReader(data), int64(len(data)), password)
}

// maxFile is what the engine's 32 bits can address.
const maxFile = 1<<32 - 1

// OpenAt opens a file of size bytes, which are read as they are needed, until the
// document is closed.
func (e *Engine) OpenAt(ctx context.Context, file io.ReaderAt, size int64, password string) (*Document, error) {
	if size > maxFile {
		return nil, ErrTooLarge
	}
	in, err := e.acquire(ctx)
	if err != nil {
		return nil, err
	}
	in.ctx = context.Background()
	if e.interruptible {
		in.ctx = ctx
	}
	d := &Document{engine: e, in: in, fonts: map[uint64]*layout.Font{}}
	in.show(file, size)
	if err := d.load(password); err != nil {
		e.release(in)
		return nil, err
	}
	return d, nil
}

func (d *Document) load(password string) error {
	in := d.in
	var err error
	var secret uint64
	if password != "" {
		if secret, err = in.store([]byte(password)); err != nil {
			return err
		}
	}
	d.handle = in.call("FPDF_LoadCustomDocument", in.access, secret)
	if secret != 0 {
		in.call("free", secret)
	}
	if in.err != nil {
		return in.err
	}
	if d.handle == 0 {
		code := in.call("FPDF_GetLastError")
		return errors.Join(in.err, loadError(code))
	}
	d.pages = signed(in.call("FPDF_GetPageCount", d.handle))
	d.tagged = succeeded(in.call("FPDFCatalog_IsTagged", d.handle))
	d.opened = in.memory.Size()
	return in.err
}

func loadError(code uint64) error {
	switch code {
	case codePassword:
		return ErrPassword
	case codeSecurity:
		return ErrSecurity
	case codeFormat:
		return ErrFormat
	}
	return fmt.Errorf("load file: pdfium code %d", code)
}

// Pages is the number of pages.
func (d *Document) Pages() int { return d.pages }

// Title is the title in the file's information, as it stands there.
func (d *Document) Title() (string, error) {
	key, err := d.in.store([]byte("Title"))
	if err != nil {
		return "", err
	}
	n := d.in.call("FPDF_GetMetaText", d.handle, key, d.in.scratch, scratchBytes)
	d.in.call("free", key)
	if d.in.err != nil || n > scratchBytes { // longer than any title
		return "", d.in.err
	}
	return strings.TrimSpace(d.in.wide(n)), nil
}

// leastGrowth is what an instance must have grown by in a file before a new one is
// worth opening the file again: what it holds of the file comes back at once.
const leastGrowth = 16 << 20

const (
	// leastRead pages share the cost of opening a file again, which is a second where
	// the tags of one page hang together with those of all others …
	leastRead = 16
	// … unless so much is taken that a dense page has no room in a worker's 76 MiB.
	tightBytes = 56 << 20
)

// Worn reports whether the pages read so far have filled the instance: the engine
// keeps what it parsed, 13 KB for a page of a register. Closing and opening the
// file again goes on in a new one.
func (d *Document) Worn() bool {
	size := d.in.memory.Size()
	return size > wornBytes && size-d.opened > leastGrowth && (d.read >= leastRead || size > tightBytes)
}

// SkipTags has the pages read without the file's tags, which are too many.
func (d *Document) SkipTags() { d.tagged = false }

// Close frees the file and gives its instance back.
func (d *Document) Close() {
	if d.in == nil {
		return
	}
	d.closePage()
	d.in.call("FPDF_CloseDocument", d.handle)
	d.engine.release(d.in)
	d.in = nil
}
