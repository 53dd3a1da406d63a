package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/extract/ocr"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const (
	// windowPages are held back so that running headers can be told by comparing
	// pages; half of them are laid out at a time, which bounds memory.
	windowPages = 16
	// windowGlyphs lays pages out earlier when they are dense; a glyph takes 150 bytes.
	windowGlyphs = 200_000
	// A file has Limits.Timeout for its first pages and this much for each further
	// one: a page full of prose costs 15 ms of CPU, twice that on a shared machine.
	freePages     = 500
	pageAllowance = 30 * time.Millisecond
	// maxTraps is how many pages may crash the engine before the file is given up.
	maxTraps = 3
	// unmappedShare of a page's glyphs without Unicode values make its text useless.
	unmappedShare = 0.2
)

// reading goes through one file's pages.
type reading struct {
	engine *Engine
	limits Limits
	file   File
	parent context.Context // tells the file's own deadline from the caller's
	doc    *pdfium.Document
	clock  *clock
	ocr    *ocr.Reader // nil = pages are not recognised
	traps  int
	larger int // pages that were read again with more memory
	// tagless says that the file's tags are too many to be read.
	tagless bool
}

func (r *reading) close() {
	if r.doc != nil {
		r.doc.Close()
		r.doc = nil
	}
}

// open opens the file if it isn't.
func (r *reading) open(ctx context.Context) error {
	if r.doc != nil {
		return nil
	}
	doc, tried, err := r.unlock(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return r.ended(0)
		}
		return opened(err, tried)
	}
	if r.doc = doc; r.tagless {
		doc.SkipTags()
	}
	return nil
}

// unlock opens the file, with each password that is for it until one fits; tried
// is how many did not.
func (r *reading) unlock(ctx context.Context) (doc *pdfium.Document, tried int, err error) {
	secrets := []string{r.file.Password}
	if r.file.Password == "" {
		for _, p := range r.limits.Passwords {
			if doublestar.MatchUnvalidated(p.Pattern, r.file.Object.Key) {
				secrets = append(secrets, p.Password)
			}
		}
	}
	for _, secret := range secrets {
		if doc, err = r.engine.OpenAt(ctx, r.file.reader(), r.file.size(), secret); !errors.Is(err, pdfium.ErrPassword) {
			return doc, tried, err
		}
		if secret != "" {
			tried++
		}
	}
	return nil, tried, err
}

// ended is the error for a context that ended.
func (r *reading) ended(page int) error {
	if err := r.parent.Err(); err != nil {
		return err
	}
	return &Error{Reason: Timeout, Page: page, cause: context.DeadlineExceeded,
		Detail: fmt.Sprintf("reading took longer than %v; raise extraction.timeout, or split the file", r.limits.Timeout)}
}

// into reads all pages into a builder.
func (r *reading) into(ctx context.Context, b *builder) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	n := r.doc.Pages()
	switch {
	case n <= 0:
		return &Error{Reason: Damaged, Detail: "it has no pages; store it again from its source"}
	case n > r.limits.MaxPages:
		return &Error{Reason: TooManyPages, Detail: fmt.Sprintf("%d pages, more than %d; raise extraction.maxPages, or split the file", n, r.limits.MaxPages)}
	}
	var err error
	if b.end.Title, err = r.doc.Title(); err != nil {
		return trapped(0, err)
	}
	entries, cut, err := r.doc.Outline()
	if err != nil {
		return trapped(0, err)
	}
	if cut {
		b.problem(1, PageCapped, fmt.Sprintf("the file's outline names more than %d headings; further ones are told by their looks", len(entries)))
	}
	b.outline = newContents(entries)
	b.end.Total = n
	r.allow(n)
	w := window{builder: b}
	for i := range n {
		if ctx.Err() != nil || r.clock.over() {
			return r.ended(i + 1)
		}
		page, err := r.page(ctx, b, i)
		if err != nil {
			return err
		}
		if i == n-1 || r.doc != nil && r.doc.Worn() {
			r.close() // laying pages out takes memory of its own
		}
		if page == nil {
			continue
		}
		if err := w.add(layout.Prepare(i+1, page.Sheet)); err != nil {
			return err
		}
	}
	return w.lay(len(w.pages))
}

// allow gives a long file more time, and says so to whoever kills what is late.
func (r *reading) allow(pages int) {
	more := time.Duration(max(pages-freePages, 0)) * pageAllowance
	if more == 0 {
		return
	}
	if r.file.Waits != nil {
		r.file.Waits(more)
	}
	r.limits.Timeout += more
	r.clock.extend(more)
}

// page reads one page, nil when it can't be read and the document goes on without it.
func (r *reading) page(ctx context.Context, b *builder, i int) (*pdfium.Page, error) {
	if r.file.Begins != nil {
		r.file.Begins(i + 1)
	}
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, r.limits.PageTimeout)
	defer cancel()
	page, err := r.read(limited, i)
	switch {
	case err == nil:
		if page.TagsScattered {
			r.tagless = true
			r.doc.SkipTags()
		}
		return r.legible(ctx, b, i, page)
	case limited.Err() != nil && ctx.Err() == nil:
		b.lose(i+1, PageTimeout, fmt.Sprintf("reading the page took longer than %v", r.limits.PageTimeout))
		return nil, nil
	}
	return r.lost(ctx, b, i, err)
}

// read reads a page's ink. One that asks for more memory than reading may have is read
// once more with half as much again; so many pages of one file do that as may crash.
func (r *reading) read(ctx context.Context, i int) (*pdfium.Page, error) {
	page, err := r.doc.Page(ctx, i)
	if err == nil || r.larger >= maxTraps || !r.doc.Larger(err) {
		return page, err
	}
	r.larger++
	r.close()
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	return r.doc.LargePage(ctx, i)
}

// lost goes on without a page, unless the file has to be given up.
func (r *reading) lost(ctx context.Context, b *builder, i int, err error) (*pdfium.Page, error) {
	var trap *pdfium.Trap
	switch {
	case errors.As(err, &trap):
		r.close()
		if r.traps++; r.traps > maxTraps {
			return nil, trapped(i+1, err)
		}
		b.lose(i+1, PageTrapped, crash(trap, "the page"))
		return nil, nil
	case ctx.Err() != nil:
		return nil, r.ended(i + 1)
	}
	b.lose(i+1, PageUnreadable, err.Error())
	return nil, nil
}

// legible records what is odd about a page, and has it recognised where its
// glyphs say nothing and recognition is on.
func (r *reading) legible(ctx context.Context, b *builder, i int, page *pdfium.Page) (*pdfium.Page, error) {
	b.notes(i+1, page)
	why := unreadable(page)
	switch {
	case why == "":
		b.unmapped(i+1, page)
		return page, nil
	case r.ocr != nil:
		return r.recognise(ctx, b, i, page, why)
	}
	b.needs(i+1, why)
	return page, nil
}

// window holds pages back until running headers are known.
type window struct {
	builder *builder
	pages   []*layout.Page
	glyphs  int
}

func (w *window) add(p *layout.Page) error {
	w.pages = append(w.pages, p)
	w.glyphs += p.Glyphs()
	w.builder.sees(p)
	if len(w.pages) >= windowPages || w.glyphs >= windowGlyphs {
		return w.lay((len(w.pages) + 1) / 2)
	}
	return nil
}

// lay lays out the first n pages.
func (w *window) lay(n int) error {
	layout.FindRunning(w.pages)
	for i, p := range w.pages[:n] {
		if err := w.builder.add(p); err != nil {
			return err
		}
		w.glyphs -= p.Glyphs()
		w.pages[i] = nil // the next one may need the room
	}
	w.pages = append([]*layout.Page(nil), w.pages[n:]...)
	return nil
}

// notes records what is odd about a page's ink.
func (b *builder) notes(number int, p *pdfium.Page) {
	for _, c := range p.Capped {
		b.problem(number, PageCapped, c+"; the rest was not read")
	}
	if p.OffPage > 0 {
		b.problem(number, HiddenText, fmt.Sprintf("%d glyphs outside the page were left out", p.OffPage))
	}
}

// unmapped records the glyphs of a page of which nobody knows what they mean, where
// they are so few that the others are read.
func (b *builder) unmapped(number int, p *pdfium.Page) {
	var what []string
	if p.Dropped > 0 {
		what = append(what, fmt.Sprintf("%d left out", p.Dropped))
	}
	if p.Replaced > 0 {
		what = append(what, fmt.Sprintf("%d read as U+FFFD", p.Replaced))
	}
	if len(what) > 0 {
		b.problem(number, TextUnmapped, "glyphs of which the file does not say what they mean: "+strings.Join(what, ", "))
	}
}

// needs records a page whose text could not be had.
func (b *builder) needs(number int, why string) {
	b.problem(number, NeedsOCR, why)
	b.end.Images++
}

func (b *builder) problem(page int, reason, detail string) {
	b.end.Problems = append(b.end.Problems, rag.Problem{Page: page, Reason: reason, Detail: detail})
}

// lose records a page that can't be read.
func (b *builder) lose(page int, reason, detail string) {
	b.problem(page, reason, detail)
	b.end.Lost = append(b.end.Lost, rag.Problem{Page: page, Reason: reason, Detail: detail})
}
