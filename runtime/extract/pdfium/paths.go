package pdfium

import (
	"math"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Kinds of page object, and of path segment.
const (
	objectPath  = 2
	objectImage = 3
	objectForm  = 5

	segmentLine  = 0
	segmentCurve = 1
	segmentMove  = 2
)

const pathSegments = 20_000 // of one path: more is a drawing

// objects reads the page's drawings: rulings, shaded areas, images.
func (r *reader) objects() {
	n := signed(r.in.call("FPDFPage_CountObjects", r.handle))
	for i := 0; i < n && !r.full(); i++ {
		r.object(r.in.call("FPDFPage_GetObject", r.handle, uint64(i)), matrix{a: 1, d: 1}, 0)
	}
	if r.segments >= maxSegments {
		r.capped("path segments", maxSegments)
	}
}

func (r *reader) full() bool { return r.segments >= maxSegments || r.stop(r.seen) }

func (r *reader) object(o uint64, outer matrix, depth int) {
	in := r.in
	r.seen++
	if o == 0 {
		return
	}
	switch in.call("FPDFPageObj_GetType", o) {
	case objectForm:
		if depth >= maxDepth {
			r.capped("nested forms", maxDepth)
			return
		}
		m := r.matrixOf(o).then(outer)
		n := signed(in.call("FPDFFormObj_CountObjects", o))
		for i := 0; i < n && !r.full(); i++ {
			r.object(in.call("FPDFFormObj_GetObject", o, uint64(i)), m, depth+1)
		}
	case objectImage:
		box := r.unitSquare(r.matrixOf(o).then(outer))
		r.page.Images = append(r.page.Images, box)
		r.add(thinRulings(box)) // some producers draw rulings as images
	case objectPath:
		r.path(o, outer)
	}
}

func (r *reader) matrixOf(o uint64) matrix {
	r.in.call("FPDFPageObj_GetMatrix", o, r.in.scratch)
	return r.in.matrix()
}

// unitSquare is the box, in display space, of an image: PDF paints it into the unit square.
func (r *reader) unitSquare(m matrix) rag.Box {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, corner := range [...][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		x, y := m.apply(corner[0], corner[1])
		x0, x1, y0, y1 = math.Min(x0, x), math.Max(x1, x), math.Min(y0, y), math.Max(y1, y)
	}
	return r.space.box(x0, y0, x1, y1)
}

// path turns one path into rulings and shaded areas.
func (r *reader) path(o uint64, outer matrix) {
	in := r.in
	in.call("FPDFPath_GetDrawMode", o, in.scratch, in.scratch+4)
	p := path{filled: in.uint32(0) != 0, stroked: in.uint32(4) != 0}
	n := signed(in.call("FPDFPath_CountSegments", o))
	if !p.filled && !p.stroked || n <= 0 {
		return
	}
	r.segments += min(n, pathSegments)
	if n > pathSegments {
		r.capped("segments in one path", pathSegments)
		return
	}
	whiteFill := p.filled && r.isWhite("FPDFPageObj_GetFillColor", o)
	whiteStroke := p.stroked && r.isWhite("FPDFPageObj_GetStrokeColor", o)
	white := (whiteFill || !p.filled) && (whiteStroke || !p.stroked)
	if !white {
		p.filled, p.stroked = p.filled && !whiteFill, p.stroked && !whiteStroke
	}
	m := r.matrixOf(o).then(outer)
	if p.stroked {
		in.call("FPDFPageObj_GetStrokeWidth", o, in.scratch)
		p.width = in.float32(0) * m.scale()
	}
	r.trace(o, n, m, &p)
	if white {
		r.white = append(r.white, p.rulings...)
		return
	}
	r.page.Rulings = append(r.page.Rulings, p.rulings...)
	r.page.Fills = append(r.page.Fills, p.fills...)
}

// trace reads a path's segments.
func (r *reader) trace(o uint64, n int, m matrix, p *path) {
	in := r.in
	segment, point := in.fn("FPDFPath_GetPathSegment"), in.fn("FPDFPathSegment_GetPoint")
	kind, closes := in.fn("FPDFPathSegment_GetType"), in.fn("FPDFPathSegment_GetClose")
	for i := 0; i < n && !r.stop(i); i++ {
		s := in.callFn("FPDFPath_GetPathSegment", segment, o, uint64(i))
		if s == 0 {
			break
		}
		t := signed(in.callFn("FPDFPathSegment_GetType", kind, s))
		in.callFn("FPDFPathSegment_GetPoint", point, s, in.scratch, in.scratch+4)
		x, y := r.space.point(m.apply(in.float32(0), in.float32(4)))
		switch t {
		case segmentMove:
			p.flush(false)
			p.points = append(p.points, [2]float64{x, y})
		case segmentLine:
			p.points = append(p.points, [2]float64{x, y})
		case segmentCurve: // control and end points come one by one
			p.curved = true
			p.points = append(p.points, [2]float64{x, y})
		}
		if succeeded(in.callFn("FPDFPathSegment_GetClose", closes, s)) {
			p.flush(true)
		}
	}
	p.flush(false)
}

func (r *reader) add(rulings []layout.Ruling) {
	r.page.Rulings = append(r.page.Rulings, rulings...)
}

// whiteRulings keeps the white rulings that divide a shaded area.
func (r *reader) whiteRulings() {
	if len(r.page.Fills) > maxBackground {
		return
	}
	for _, w := range r.white {
		x, y := w.At, (w.From+w.To)/2
		if !w.Vertical {
			x, y = y, x
		}
		if w.Weak {
			continue
		}
		for _, b := range r.page.Fills {
			if x > b.X0-1 && x < b.X1+1 && y > b.Y0-1 && y < b.Y1+1 {
				r.page.Rulings = append(r.page.Rulings, w)
				break
			}
		}
	}
}
