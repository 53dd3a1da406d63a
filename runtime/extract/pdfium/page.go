package pdfium

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Bounds of what is read from one page.
const (
	maxGlyphs   = 200_000 // the densest real pages hold 30,000; one takes 500 bytes until it is laid out
	maxSegments = 200_000 // path segments; a million take 4 seconds
	maxDepth    = 8       // nested forms
	checkEvery  = 1024    // glyphs or objects between looks at the deadline
)

// Page is the ink of one page, and what is odd about it.
type Page struct {
	layout.Sheet
	Images   []rag.Box
	Unmapped int // glyphs without a Unicode value, these two and those of private use:
	Dropped  int // of them, left out
	Replaced int // of them, read as U+FFFD
	OffPage  int // glyphs outside the page, left out
	// Unpainted counts glyphs that are never drawn: over an image, what recognition once read from it.
	Unpainted int
	Capped    []string
	// TagsScattered says that the page's tags belong together with so many of other
	// pages that they are not worth reading on any.
	TagsScattered bool
}

// Page reads one page, counted from 0.
func (d *Document) Page(ctx context.Context, index int) (*Page, error) {
	in := d.in
	d.read++
	handle, fields, annotations := d.openPage(index)
	if in.err != nil {
		return nil, in.err
	}
	if handle == 0 {
		return nil, fmt.Errorf("load page %d: pdfium code %d", index+1, in.call("FPDF_GetLastError"))
	}
	r := &reader{ctx: ctx, in: in, doc: d, handle: handle, page: &Page{}}
	if annotations > maxFields {
		r.capped("annotations looked through for the values of form fields", maxFields)
	}
	r.geometry()
	r.objects()
	r.whiteRulings()
	r.tags()
	r.text()
	for _, f := range fields {
		r.set(f)
	}
	if in.err != nil {
		return nil, in.err
	}
	return r.page, ctx.Err()
}

// LargePage is Page with half as much memory again as reading may have, for a page that
// asked for more; the document is then to be closed. Drawing may have still more: it holds
// few glyphs beside what the engine holds.
func (d *Document) LargePage(ctx context.Context, index int) (*Page, error) {
	d.engine.memory.admit(d.engine.large())
	defer d.engine.memory.admit(d.engine.reading)
	return d.Page(ctx, index)
}

// Larger reports whether a page at which the engine stopped may have more memory than it had.
func (d *Document) Larger(err error) bool {
	var trap *Trap
	return errors.As(err, &trap) && trap.Memory > 0 && trap.Memory < d.engine.large()
}

// openPage opens a page in place of the one that was read before, and returns the
// values of the form fields that nobody has drawn, and how many annotations there are.
func (d *Document) openPage(index int) (handle uint64, fields []field, annotations int) {
	in := d.in
	handle = in.call("FPDF_LoadPage", d.handle, uint64(index))
	// the engine frees a font with the last page that shows it, so the page before
	// stays open until now: loading fonts anew took 7 % of the CPU over the public files
	d.closePage()
	d.page = handle
	if in.err != nil || handle == 0 {
		return 0, nil, 0
	}
	annotations = signed(in.call("FPDFPage_GetAnnotCount", handle))
	if annotations <= 0 {
		return handle, nil, 0
	}
	fields, drawn := d.fields(handle, annotations)
	if drawn {
		handle = d.flatten(handle, index)
	}
	return handle, fields, annotations
}

// flatten makes the text of form fields, notes and stamps part of the page.
// What can't be flattened is read without them.
func (d *Document) flatten(handle uint64, index int) uint64 {
	const normalDisplay = 0
	// flattening forgets boxes that the page inherits, and leaves a sheet of US Letter
	d.in.call("FPDF_GetPageBoundingBox", handle, d.in.scratch)
	for _, set := range [...]string{"FPDFPage_SetMediaBox", "FPDFPage_SetCropBox"} {
		d.in.call(set, handle, uint64(d.in.uint32(0)), uint64(d.in.uint32(12)), uint64(d.in.uint32(8)), uint64(d.in.uint32(4))) // left, bottom, right, top
	}
	d.in.call("FPDFPage_Flatten", handle, normalDisplay)
	flat := d.in.call("FPDF_LoadPage", d.handle, uint64(index))
	d.closePage()
	d.page = flat
	return flat
}

// closePage closes the page that was read last.
func (d *Document) closePage() {
	if d.page != 0 {
		d.in.call("FPDF_ClosePage", d.page)
		d.page = 0
	}
}

// reader reads one page.
type reader struct {
	ctx      context.Context
	in       *instance
	doc      *Document
	handle   uint64
	page     *Page
	space    space
	segments int
	seen     int             // objects
	levels   map[int]int     // of headings, by the id of marked content; nil for an untagged page
	cells    map[int]int     // of tagged tables, likewise
	white    []layout.Ruling // drawn in white: they count only over shading
}

func (r *reader) geometry() {
	in := r.in
	in.call("FPDF_GetPageBoundingBox", r.handle, in.scratch) // left, top, right, bottom
	r.space = space{left: in.float32(0), top: in.float32(4), right: in.float32(8), bottom: in.float32(12)}
	r.space.quarters = signed(in.call("FPDFPage_GetRotation", r.handle))
	r.page.Width = fromFloat32(in.call("FPDF_GetPageWidthF", r.handle))
	r.page.Height = fromFloat32(in.call("FPDF_GetPageHeightF", r.handle))
}

// stop reports whether reading must end: a trap, or the deadline, looked at
// after every so many steps.
func (r *reader) stop(step int) bool {
	return r.in.err != nil || step%checkEvery == 0 && r.ctx.Err() != nil
}

// capped notes a bound that the page reached, once.
func (r *reader) capped(what string, limit int) {
	if note := fmt.Sprintf("more than %d %s", limit, what); !slices.Contains(r.page.Capped, note) {
		r.page.Capped = append(r.page.Capped, note)
	}
}
