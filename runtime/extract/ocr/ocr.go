// Package ocr reads text out of pictures of pages.
//
// A picture goes in; out come words with boxes and a confidence, and the rulings
// that were drawn, as a layout.Sheet, so that the layout finds lines and tables
// in a scan as it does in print. The picture is turned upright and straightened
// first; Result.Frame leads back to where things are on the page.
//
// Recognition is Tesseract's, a program of its own: whatever happens to it
// happens in its process, which ends with the context. It gets the picture on
// its standard input, writes words to its standard output, and sees no other file
// than its language data. Where it or a language is missing, the error says what
// to install.
package ocr

import (
	"context"
	"fmt"
	"image"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Engines.
const (
	None      = "None"
	Tesseract = "Tesseract"
)

// Defaults.
const (
	DefaultDPI         = 300 // what Tesseract's models were trained for
	DefaultPageTimeout = time.Minute
	defaultLanguage    = "eng"
	defaultCommand     = "tesseract"
)

// Options configure recognition; zero fields take the defaults. The zero value is off.
type Options struct {
	Engine      string   // None or Tesseract; "" = None
	Languages   []string // by Tesseract's names, the most likely first; none = eng
	Command     string   // of Tesseract; "" = tesseract, as PATH has it
	DataDir     string   // of the language data; "" = where Tesseract has it
	DPI         float64  // at which pages are drawn to be read
	PageTimeout time.Duration
}

// On reports whether pages are to be recognised.
func (o Options) On() bool { return o.Engine == Tesseract }

// Filled returns the options with defaults in place of zeros.
func (o Options) Filled() Options {
	if len(o.Languages) == 0 {
		o.Languages = []string{defaultLanguage}
	}
	if o.Command == "" {
		o.Command = defaultCommand
	}
	if o.DPI <= 0 {
		o.DPI = DefaultDPI
	}
	if o.PageTimeout <= 0 {
		o.PageTimeout = DefaultPageTimeout
	}
	return o
}

// Missing says that Tesseract or its data for a language is not installed.
type Missing struct {
	What    string // for people
	Install string // what to do
}

func (m *Missing) Error() string { return m.What + "; " + m.Install }

// Word is a word that was recognised. Box and baseline are in the sheet's frame, points.
type Word struct {
	Text       string
	Box        rag.Box
	Base, Size float64
	Confidence float64 // over 0, up to 1
}

// Result is what a picture says.
type Result struct {
	Sheet layout.Sheet
	Words []Word
	Frame Frame // from the sheet to the page as displayed
}

// Reader recognises pictures. It is safe for concurrent use.
type Reader struct {
	opt Options

	mu    sync.Mutex
	ready bool // the program and its languages were seen
}

// New returns a reader; that Tesseract is there is checked when it is first needed.
func New(o Options) *Reader { return &Reader{opt: o.Filled()} }

// Check returns Missing where Tesseract or one of the languages is not installed.
// What is found once is not looked for again.
func (r *Reader) Check(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ready {
		return nil
	}
	if _, err := exec.LookPath(r.opt.Command); err != nil {
		return &Missing{What: fmt.Sprintf("pages are to be recognised by Tesseract, and %q is not installed", r.opt.Command), Install: "install it in the image or on the machine (Debian: apt-get install tesseract-ocr)"}
	}
	out, err := r.run(ctx, nil, "--list-langs")
	if err != nil {
		return err
	}
	have := strings.Fields(string(out))
	for _, l := range r.opt.Languages {
		if !slices.Contains(have, l) {
			return &Missing{
				What:    fmt.Sprintf("Tesseract has no data for the language %q of extraction.ocrLanguages", l),
				Install: "install it in the image or on the machine (Debian: apt-get install tesseract-ocr-" + strings.ReplaceAll(l, "_", "-") + ")",
			}
		}
	}
	r.ready = true
	return nil
}

// Timeout bounds the work on one page.
func (r *Reader) Timeout() time.Duration { return r.opt.PageTimeout }

// DPI is the resolution at which pages are best drawn.
func (r *Reader) DPI() float64 { return r.opt.DPI }

// Languages names what is read, for people.
func (r *Reader) Languages() string { return strings.Join(r.opt.Languages, ", ") }

// Read recognises a picture of a page, drawn at dpi pixels an inch. One that
// reads badly as it stands is tried turned, as Tesseract thinks it lies.
func (r *Reader) Read(ctx context.Context, upright *image.Gray, dpi float64) (Result, error) {
	if err := r.Check(ctx); err != nil {
		return Result{}, err
	}
	limited, cancel := context.WithTimeout(ctx, r.opt.PageTimeout)
	defer cancel()
	if lying(upright) { // reading it as it stands takes ten times as long as a page of text
		if quarters := r.orientation(limited, upright, dpi); quarters != 0 {
			return r.read(limited, turn(upright, quarters), dpi, quarters)
		}
	}
	best, err := r.read(limited, upright, dpi, 0)
	if err != nil || best.sure() {
		return best, err
	}
	if quarters := r.orientation(limited, upright, dpi); quarters != 0 {
		turned, err := r.read(limited, turn(upright, quarters), dpi, quarters)
		if err == nil && turned.mean() > best.mean() {
			return turned, nil
		}
	}
	return best, limited.Err()
}

// read recognises a picture that was turned by quarters clockwise.
func (r *Reader) read(ctx context.Context, g *image.Gray, dpi float64, quarters int) (Result, error) {
	angle := skew(g)
	if g = rotate(g, angle); angle == 0 {
		g = &image.Gray{Pix: slices.Clone(g.Pix), Stride: g.Stride, Rect: g.Rect} // rulings are erased from it
	}
	rulings := rulings(g, dpi)
	words, err := r.words(ctx, g, dpi)
	if err != nil {
		return Result{}, err
	}
	size := g.Rect.Size()
	f := Frame{Quarters: quarters, Angle: angle, Width: float64(size.X) * 72 / dpi, Height: float64(size.Y) * 72 / dpi}
	return Result{
		Sheet: layout.Sheet{Width: f.Width, Height: f.Height, Glyphs: glyphs(words), Rulings: rulings},
		Words: words,
		Frame: f,
	}, nil
}

// sureAbove is the mean confidence over which a page stands upright for certain:
// upright scans read at .8 to .97, turned ones under .4.
const sureAbove = 0.6

func (r Result) sure() bool { return len(r.Words) == 0 || r.mean() > sureAbove }

// mean is the confidence of the average letter.
func (r Result) mean() float64 {
	sum, n := 0.0, 0
	for _, w := range r.Words {
		sum += w.Confidence * float64(len(w.Text))
		n += len(w.Text)
	}
	return sum / float64(max(n, 1))
}
