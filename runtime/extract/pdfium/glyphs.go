package pdfium

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const (
	forceBold     = 1 << 18 // font descriptor flag
	renderHidden  = 3       // text render mode
	looseLimit    = 400.0   // points; a loose box higher than this …
	looseEm       = 3.0     // … and than this many ems is a broken font's
	thinBox       = 0.01
	leastSize     = 0.1
	whiteAbove    = 252  // of 255 in each channel
	maxBackground = 2000 // shaded areas looked through behind white text
	inkLeast      = 0.03 // em; what is drawn smaller is a space …
	blankLeast    = 0.1  // … if it is that wide
	lineEndHyphen = 0x02 // what PDFium makes of a hyphen at the end of a line
	otherHyphen   = 0xFFFE
	softHyphen    = 0xAD
	noBreakSpace  = 0xA0
	replacement   = 0xFFFD
)

// boldName finds weight in a font's name. The engine's own weight is
// unreliable: Arial-Italic 645, Arial-Bold 380.
var boldName = regexp.MustCompile(`bold|black|heavy|demi|medi($|[^u])|cmbx|cmb\d|sfbx|-bd$`)

// textObject is what the glyphs of one text object share.
type textObject struct {
	font   *layout.Font
	size   float64
	turn   layout.Turn
	angle  float32
	hidden bool // never painted
	level  int  // of the heading that it belongs to by the file's tags, 0 for none
	cell   int  // of a tagged table, likewise
	white  bool
}

// text reads the page's glyphs.
func (r *reader) text() {
	in := r.in
	tp := in.call("FPDFText_LoadPage", r.handle)
	if tp == 0 || in.err != nil {
		return
	}
	n := signed(in.call("FPDFText_CountChars", tp))
	if n > maxGlyphs {
		n = maxGlyphs
		r.capped("glyphs", maxGlyphs)
	}
	unicode, object := in.fn("FPDFText_GetUnicode"), in.fn("FPDFText_GetTextObject")
	places := placer{page: tp, box: in.fn("FPDFText_GetLooseCharBox"), origin: in.fn("FPDFText_GetCharOrigin")}
	objects := map[uint64]*textObject{}
	layers := map[string][]uint64{} // text objects
	scanned := r.page.Scanned()
	r.page.Glyphs = make([]layout.Glyph, 0, max(n, 0))
	for i := 0; i < n && !r.stop(i); i++ {
		u := rune(uint32(in.callFn("FPDFText_GetUnicode", unicode, tp, uint64(i))))
		at := i
		if utf16.IsSurrogate(u) && i+1 < n { // half of a character: the next code is the other
			low := rune(uint32(in.callFn("FPDFText_GetUnicode", unicode, tp, uint64(i+1))))
			if u = utf16.DecodeRune(u, low); u != replacement {
				i++
			}
		}
		h := in.callFn("FPDFText_GetTextObject", object, tp, uint64(at))
		if h == 0 { // a space or line end that the engine made up
			continue
		}
		text, first := r.mapped(u)
		o := objects[h]
		if o == nil {
			o = r.textObject(tp, at, h)
			objects[h] = o
			if name, ok := r.layer(h); ok {
				layers[name] = append(layers[name], h)
			}
		}
		g := layout.Glyph{Text: text, Rune: first, Font: o.font, Object: h, Order: at, Size: o.size, Turn: o.turn, Angle: o.angle, Level: o.level, Cell: o.cell}
		r.place(&g, &places, at)
		if u < ' ' && !r.control(&g, tp, at, u) {
			continue
		}
		if r.offPage(&g) {
			r.page.OffPage++
			continue
		}
		if o.hidden {
			r.page.Unpainted++
		}
		// unpainted text over a scan is what recognition read from it
		g.Hidden = o.hidden && !scanned || o.white && !r.shadedAt(&g)
		r.page.Glyphs = append(r.page.Glyphs, g)
	}
	in.call("FPDFText_ClosePage", tp)
	r.hideLayers(layers)
	r.unscaled()
}

// mapped returns the text of a code as the engine maps it.
func (r *reader) mapped(u rune) (text string, first rune) {
	switch {
	case u == otherHyphen, u == softHyphen:
		return "-", '-'
	case u == 0: // more of it in control
		return string(rune(replacement)), replacement
	case u == replacement:
		r.page.Unmapped++
		r.page.Replaced++
		return string(rune(replacement)), replacement
	case u >= 0xE000 && u <= 0xF8FF, u >= 0xF0000: // private use: whatever the font meant
		r.page.Unmapped++
	case u == noBreakSpace, u < ' ': // more of these in control
		return " ", ' '
	case u >= 0xFB00 && u <= 0xFDFF, u >= 0xFE70 && u <= 0xFEFC: // ligatures and presentation forms
		return norm.NFKC.String(string(u)), u
	}
	if u < utf8.RuneSelf {
		return string([]byte{byte(u)}), u // such a string of one byte needs no memory
	}
	return string(u), u
}

// control gives a control character a meaning by its ink, and reports whether it
// has one. Fonts that number their glyphs from 1 on without naming them have such
// codes, and the engine hands them on: some are spaces, of others nobody knows what
// they mean. The engine uses one of them for a hyphen at the end of a line, too. Line
// ends that a text has among its codes have no ink, and are none.
func (r *reader) control(g *layout.Glyph, tp uint64, i int, u rune) bool {
	in, b := r.in, r.in.scratch
	if u == lineEndHyphen && signed(in.call("FPDFText_IsHyphen", tp, uint64(i))) == 1 {
		g.Text, g.Rune = "-", '-'
		return true
	}
	in.call("FPDFText_GetCharBox", tp, uint64(i), b, b+8, b+16, b+24)
	v := in.results(32)
	w, h := math.Abs(v.float64(8)-v.float64(0)), math.Abs(v.float64(24)-v.float64(16))
	if math.Min(w, h) < inkLeast*g.Size {
		wide := math.Max(g.Box.X1-g.Box.X0, g.Box.Y1-g.Box.Y0) > blankLeast*g.Size
		if u == 0 && wide {
			r.page.Unmapped++
			r.page.Replaced++
		}
		return wide && u != '\n' && u != '\r'
	}
	r.page.Unmapped++
	r.page.Dropped++
	return false
}

func (r *reader) textObject(tp uint64, i int, h uint64) *textObject {
	in := r.in
	o := &textObject{font: r.doc.font(in.call("FPDFTextObj_GetFont", h))}
	o.hidden = signed(in.call("FPDFTextObj_GetTextRenderMode", h)) == renderHidden
	o.white = r.isWhite("FPDFPageObj_GetFillColor", h)
	if len(r.levels)+len(r.cells) > 0 {
		id := signed(in.call("FPDFPageObj_GetMarkedContentID", h))
		o.level, o.cell = r.levels[id], r.cells[id]
	}
	in.call("FPDFText_GetMatrix", tp, uint64(i), in.scratch)
	m := in.matrix()
	dx, dy := r.space.vector(m.a, m.b)
	o.turn, o.angle = turn(dx, dy), float32(math.Atan2(dy, dx))
	size := fromFloat64(in.call("FPDFText_GetFontSize", tp, uint64(i)))
	if size < 0 { // turns the text by half
		o.turn, o.angle = turn(-dx, -dy), float32(math.Atan2(-dy, -dx))
	}
	o.size = math.Abs(size) * math.Hypot(m.c, m.d)
	return o
}

// placer has what tells where the glyphs of a page are, looked up once, since it
// is called for every glyph.
type placer struct {
	page        uint64 // of text
	box, origin function
}

// place reads the glyph's box (advance by ascent and descent) and origin, both
// answers in one go.
func (r *reader) place(g *layout.Glyph, p *placer, i int) {
	in, b := r.in, r.in.scratch
	in.callFn("FPDFText_GetLooseCharBox", p.box, p.page, uint64(i), b)
	in.callFn("FPDFText_GetCharOrigin", p.origin, p.page, uint64(i), b+16, b+24)
	v := in.results(32)
	left, top, right, bottom := v.float32(0), v.float32(4), v.float32(8), v.float32(12)
	x, y := v.float64(16), v.float64(24)
	if right-left < thinBox || top-bottom < thinBox || top-bottom > math.Max(looseLimit, looseEm*g.Size) {
		in.call("FPDFText_GetCharBox", p.page, uint64(i), b, b+8, b+16, b+24)
		v = in.results(32)
		left, right, bottom, top = v.float64(0), v.float64(8), v.float64(16), v.float64(24)
	}
	g.Box = r.space.box(left, bottom, right, top)
	g.X, g.Y = r.space.point(x, y)
	if g.Size < leastSize {
		g.Size = math.Max(g.Box.Y1-g.Box.Y0, leastSize)
	}
}

func (r *reader) offPage(g *layout.Glyph) bool {
	x, y := (g.Box.X0+g.Box.X1)/2, (g.Box.Y0+g.Box.Y1)/2
	return !(x >= 0 && y >= 0 && x <= r.page.Width && y <= r.page.Height) // true for NaN
}

// scanShare is the part of a page that a scan covers at least.
const scanShare = 0.5

// ImageShare is the part of the page that its largest image covers.
func (p *Page) ImageShare() float64 {
	most := 0.0
	for _, b := range p.Images {
		w := math.Min(b.X1, p.Width) - math.Max(b.X0, 0)
		h := math.Min(b.Y1, p.Height) - math.Max(b.Y0, 0)
		if w > 0 && h > 0 {
			most = math.Max(most, w*h/(p.Width*p.Height))
		}
	}
	return most
}

// Scanned reports whether an image covers most of the page.
func (p *Page) Scanned() bool { return p.ImageShare() > scanShare }

// shadedAt reports whether anything is painted behind a glyph.
func (r *reader) shadedAt(g *layout.Glyph) bool {
	x, y := (g.Box.X0+g.Box.X1)/2, (g.Box.Y0+g.Box.Y1)/2
	behind := func(bs []rag.Box) bool {
		if len(bs) > maxBackground {
			return true // a drawing: no judging
		}
		for _, b := range bs {
			if x > b.X0-1 && x < b.X1+1 && y > b.Y0-1 && y < b.Y1+1 {
				return true
			}
		}
		return false
	}
	return behind(r.page.Fills) || behind(r.page.Images)
}

// isWhite reports whether an object's colour is (nearly) white or transparent.
func (r *reader) isWhite(get string, object uint64) bool {
	in, b := r.in, r.in.scratch
	if !succeeded(in.call(get, object, b, b+4, b+8, b+12)) {
		return false
	}
	red, green, blue, alpha := in.uint32(0), in.uint32(4), in.uint32(8), in.uint32(12)
	return alpha == 0 || red >= whiteAbove && green >= whiteAbove && blue >= whiteAbove
}

func (d *Document) font(h uint64) *layout.Font {
	if f := d.fonts[h]; f != nil {
		return f
	}
	const nameBytes = 512
	f := &layout.Font{}
	if h != 0 {
		n := d.in.call("FPDFFont_GetBaseFontName", h, d.in.scratch, nameBytes)
		f.Name = d.in.name(min(n, nameBytes))
		if strings.IndexByte(f.Name, '+') == 6 { // the tag of a subset
			f.Name = f.Name[7:]
		}
		flags := signed(d.in.call("FPDFFont_GetFlags", h))
		f.Bold = boldName.MatchString(strings.ToLower(f.Name)) || flags&forceBold != 0
	}
	d.fonts[h] = f
	return f
}
