package pdfium

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
)

// The text of a filled form usually comes with its appearance, which is
// flattened into the page. Programs that fill forms often leave the drawing to
// the reader and store the value alone; it is set here as readers would.
const (
	maxFields      = 2000
	madeUp         = 1 << 63 // in the place of an object's address, which is 32 bits
	widget         = 20      // kind of annotation
	hiddenField    = 1 << 1  // flag
	secretField    = 1 << 13 // flag of a field: a password
	fieldSizePart  = 0.65    // of its height: the size of a field's text …
	fieldSizeLeast = 6.0     // … in points, at least
	fieldSizeMost  = 12.0    // … and at most: larger fields hold several lines
	fieldAdvance   = 0.5     // em a glyph, roughly
	fieldLeading   = 1.2     // em between lines
	fieldPadding   = 2.0     // points
)

// field is a form field without an appearance.
type field struct {
	id                       uint64
	left, top, right, bottom float64 // user space
	text                     string
}

// fields reads the values that nobody has drawn, before the page is flattened,
// and tells whether any annotation is drawn. Where none is, the page needs no
// flattening, which has it read three times: most annotations are links.
func (d *Document) fields(page uint64, annotations int) (out []field, drawn bool) {
	in := d.in
	names := map[string]uint64{}
	for _, n := range []string{"V", "FT", "Ff", "AP"} {
		p, err := in.store([]byte(n))
		if err != nil {
			return nil, true
		}
		names[n] = p
	}
	drawn = annotations > maxFields
	for i := range min(annotations, maxFields) {
		a := in.call("FPDFPage_GetAnnot", page, uint64(i))
		if a == 0 || in.err != nil {
			continue
		}
		drawn = drawn || succeeded(in.call("FPDFAnnot_HasKey", a, names["AP"]))
		if f := d.field(a, names); f.text != "" {
			f.id = madeUp | uint64(i)
			out = append(out, f)
		}
		in.call("FPDFPage_CloseAnnot", a)
	}
	for _, p := range names {
		in.call("free", p)
	}
	return out, drawn
}

func (d *Document) field(a uint64, names map[string]uint64) field {
	in := d.in
	const noText = 2 // bytes: a terminator alone
	if signed(in.call("FPDFAnnot_GetSubtype", a)) != widget || in.call("FPDFAnnot_GetAP", a, 0, 0, 0) > noText ||
		signed(in.call("FPDFAnnot_GetFlags", a))&hiddenField != 0 {
		return field{}
	}
	if succeeded(in.call("FPDFAnnot_GetNumberValue", a, names["Ff"], in.scratch)) && int(in.float32(0))&secretField != 0 {
		return field{}
	}
	if n := in.call("FPDFAnnot_GetStringValue", a, names["FT"], in.scratch, scratchBytes); n <= scratchBytes && in.wide(n) == "Btn" {
		return field{}
	}
	n := in.call("FPDFAnnot_GetStringValue", a, names["V"], in.scratch, scratchBytes)
	if n <= noText || n > scratchBytes {
		return field{}
	}
	f := field{text: in.wide(n)}
	if !succeeded(in.call("FPDFAnnot_GetRect", a, in.scratch)) {
		return field{}
	}
	f.left, f.top, f.right, f.bottom = in.float32(0), in.float32(4), in.float32(8), in.float32(12)
	return f
}

// set puts a field's value on the page.
func (r *reader) set(f field) {
	size := math.Min(math.Max(fieldSizePart*(f.top-f.bottom), fieldSizeLeast), fieldSizeMost)
	y := f.top - fieldPadding - size
	if f.top-f.bottom < 2*fieldLeading*size { // one line, in the middle
		y = (f.top+f.bottom)/2 - size/3
	}
	for _, line := range strings.FieldsFunc(f.text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		advance := math.Min(fieldAdvance*size, (f.right-f.left-2*fieldPadding)/float64(max(utf8.RuneCountInString(line), 1)))
		x := f.left + fieldPadding
		for _, c := range line {
			text, first := r.mapped(c)
			g := layout.Glyph{Text: text, Rune: first, Font: &layout.Font{}, Object: f.id, Order: len(r.page.Glyphs), Size: size}
			g.Turn = turn(r.space.vector(1, 0))
			g.Box = r.space.box(x, y-0.2*size, x+advance, y+0.8*size)
			g.X, g.Y = r.space.point(x, y)
			if !r.offPage(&g) {
				r.page.Glyphs = append(r.page.Glyphs, g)
			}
			x += advance
		}
		y -= fieldLeading * size
	}
}
