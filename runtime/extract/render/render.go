// Package render draws pages for citations: a page of a PDF as a PNG, with boxes
// highlighted on it.
//
// Boxes are in display space, as everywhere: points, origin at the top left of
// the page as shown. The engine is one of its own whose calls end with their
// context: there are files that keep a renderer busy for ever. Pictures have a
// bounded number of pixels, and the last ones asked for are kept in bounded memory.
package render

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image/png"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Defaults.
const (
	DefaultDPI        = 110     // a page of A4 is 910×1287 pixels: body text is easy to read
	DefaultMaxPixels  = 8 << 20 // A4 at 200 dpi is 3.9 million
	DefaultCacheBytes = 64 << 20
	DefaultTimeout    = 10 * time.Second
	maxDPI            = 600
	maxBoxes          = 1000
	maxMarks          = 100_000
)

// Options configure a renderer; zero fields take the defaults.
type Options struct {
	CacheDir   string // of compiled code, as for extraction
	Instances  int    // pages drawn at the same time; 0 = 1
	MaxPixels  int    // of one picture
	CacheBytes int    // of pictures that are kept
	Timeout    time.Duration
}

// Request says what to draw.
type Request struct {
	// Version identifies the bytes, such as their sha256; "" = they are hashed.
	Version string
	// Read brings the bytes; it isn't called for a picture that is kept.
	Read     func(ctx context.Context) ([]byte, error)
	Password string // "" = none
	Page     int    // from 1
	Boxes    []rag.Box
	Marks    []Mark  // outlined, not highlighted
	DPI      float64 // 0 = DefaultDPI
}

// Mark is a box that is outlined in a colour, width pixels wide.
type Mark struct {
	Box    rag.Box
	Colour [3]uint8
	Width  int
}

// Image is a picture of a page.
type Image struct {
	PNG []byte
	// DPI is lower than asked for where the page would have had too many pixels.
	DPI float64
}

// Reasons of errors.
const (
	BadRequest = "BadRequest" // a page below 1, a resolution or a number of boxes out of bounds
	NoPage     = "NoPage"     // the document has fewer pages
	Unreadable = "Unreadable" // no PDF, encrypted, or damaged
	Timeout    = "Timeout"    // the page takes longer to draw than is admitted
	Trapped    = "Trapped"    // the engine crashed or ran out of its memory
)

// Error says why a page could not be drawn.
type Error struct {
	Reason string
	Detail string
	cause  error
}

func (e *Error) Error() string { return e.Reason + ": " + e.Detail }

// Unwrap returns the engine's error, if there was one.
func (e *Error) Unwrap() error { return e.cause }

// Renderer draws pages. It is safe for concurrent use.
type Renderer struct {
	engine *pdfium.Engine
	opt    Options
	cache  *cache
}

// Open compiles the engine: 4 CPU seconds, or a fraction of one with a warm
// Options.CacheDir. The caller closes the renderer.
func Open(ctx context.Context, o Options) (*Renderer, error) {
	if o.Instances <= 0 {
		o.Instances = 1
	}
	if o.MaxPixels <= 0 {
		o.MaxPixels = DefaultMaxPixels
	}
	if o.CacheBytes <= 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	engine, err := pdfium.Open(ctx, pdfium.Options{CacheDir: o.CacheDir, Instances: o.Instances, Interruptible: true})
	if err != nil {
		return nil, err
	}
	return &Renderer{engine: engine, opt: o, cache: newCache(o.CacheBytes)}, nil
}

// Close frees the engine.
func (r *Renderer) Close() error { return r.engine.Close() }

// Page draws a page. The error is an *Error, that of Request.Read, or ctx's.
func (r *Renderer) Page(ctx context.Context, q Request) (Image, error) {
	if q.DPI == 0 {
		q.DPI = DefaultDPI
	}
	if q.Page < 1 || !(q.DPI > 0 && q.DPI <= maxDPI) || len(q.Boxes) > maxBoxes || len(q.Marks) > maxMarks {
		return Image{}, &Error{Reason: BadRequest, Detail: fmt.Sprintf("page %d at %g dpi with %d boxes: pages count from 1, %d dpi and %d boxes are the most", q.Page, q.DPI, len(q.Boxes), maxDPI, maxBoxes)}
	}
	var data []byte
	if q.Version == "" {
		var err error
		if data, err = q.Read(ctx); err != nil {
			return Image{}, err
		}
		sum := sha256.Sum256(data)
		q.Version = hex.EncodeToString(sum[:])
	}
	key := fmt.Sprintf("%s %d %g %v %v", q.Version, q.Page, q.DPI, q.Boxes, q.Marks)
	if img, ok := r.cache.get(key); ok {
		return img, nil
	}
	if data == nil {
		var err error
		if data, err = q.Read(ctx); err != nil {
			return Image{}, err
		}
	}
	img, err := r.draw(ctx, q, data)
	if err != nil {
		return Image{}, err
	}
	r.cache.put(key, img)
	return img, nil
}

// draw renders, highlights and encodes.
func (r *Renderer) draw(ctx context.Context, q Request, data []byte) (Image, error) {
	limited, cancel := context.WithTimeout(ctx, r.opt.Timeout)
	defer cancel()
	doc, err := r.engine.Open(limited, data, q.Password)
	if err != nil {
		return Image{}, r.failed(ctx, limited, err)
	}
	defer doc.Close()
	if n := doc.Pages(); q.Page > n {
		return Image{}, &Error{Reason: NoPage, Detail: fmt.Sprintf("page %d of a document of %d", q.Page, n)}
	}
	p, err := doc.Render(limited, q.Page-1, q.DPI, r.opt.MaxPixels)
	if err != nil {
		return Image{}, r.failed(ctx, limited, err)
	}
	highlight(p.Image, q.Boxes, p.DPI)
	for _, m := range q.Marks {
		outline(p.Image, pixels(m.Box, 0, p.DPI), m.Colour, m.Width)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // a third of the time for a tenth more bytes
	if err := encoder.Encode(&out, p.Image); err != nil {
		return Image{}, fmt.Errorf("encode page %d: %w", q.Page, err)
	}
	return Image{PNG: out.Bytes(), DPI: p.DPI}, nil
}

// failed types an error of the engine.
func (r *Renderer) failed(ctx, limited context.Context, err error) error {
	var trap *pdfium.Trap
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return &Error{Reason: Timeout, Detail: fmt.Sprintf("the page takes longer than %v to draw", r.opt.Timeout), cause: err}
	case errors.As(err, &trap):
		return &Error{Reason: Trapped, Detail: err.Error(), cause: err}
	}
	return &Error{Reason: Unreadable, Detail: err.Error(), cause: err}
}
