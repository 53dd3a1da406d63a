package pdfium

import (
	"math"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// When a drawn shape is a ruling. Points.
const (
	thin       = 2.5   // a rectangle no thicker is a ruling
	longer     = 1.5   // … if it is longer than thick by this factor
	strokedMin = 3.0   // a stroked rectangle smaller than this is a dot
	fat        = 12.0  // a stroke thicker is a shaded bar
	slopeMin   = 0.5   // a ruling may be off by this …
	slopePart  = 0.002 // … and this part of its length
	shortest   = 1.0
	rectSlack  = 0.3 // corners of a rectangle may be off by this
	closeSlack = 0.5 // … and its last point from its first
)

// path collects what a path's subpaths draw.
type path struct {
	filled, stroked bool
	width           float64 // of the stroke
	points          [][2]float64
	curved          bool
	rulings         []layout.Ruling
	fills           []rag.Box
}

// flush ends a subpath.
func (p *path) flush(closed bool) {
	pts, curved := p.points, p.curved
	p.points, p.curved = p.points[:0], false
	if len(pts) < 2 {
		return
	}
	if box, ok := rectangle(pts); ok && !curved && (p.filled || closed || len(pts) >= 5) {
		p.rectangle(box)
		return
	}
	if p.stroked {
		for i := 1; i < len(pts); i++ {
			p.segment(pts[i-1], pts[i], p.width)
		}
		if closed && len(pts) > 2 {
			p.segment(pts[len(pts)-1], pts[0], p.width)
		}
	} else if len(pts) == 2 {
		p.segment(pts[0], pts[1], 1)
	}
}

func (p *path) rectangle(box rag.Box) {
	w, h := box.X1-box.X0, box.Y1-box.Y0
	switch {
	case p.stroked && (w > strokedMin || h > strokedMin):
		if w < strokedMin || h < strokedMin {
			p.rulings = append(p.rulings, thinRulings(box)...)
			return
		}
		if r := thinRulings(box); r != nil {
			p.rulings = append(p.rulings, r...)
			return
		}
		p.rulings = append(p.rulings, sides(box, false)...)
		if p.filled {
			p.fills = append(p.fills, box)
		}
	case p.filled:
		if w <= thin && h <= thin {
			return
		}
		if r := thinRulings(box); r != nil {
			p.rulings = append(p.rulings, r...)
			return
		}
		p.fills = append(p.fills, box)
		p.rulings = append(p.rulings, sides(box, true)...)
	}
}

// segment adds a straight piece of a stroke if it runs along an axis.
func (p *path) segment(a, b [2]float64, width float64) {
	dx, dy := math.Abs(b[0]-a[0]), math.Abs(b[1]-a[1])
	box := rag.Box{X0: math.Min(a[0], b[0]), Y0: math.Min(a[1], b[1]), X1: math.Max(a[0], b[0]), Y1: math.Max(a[1], b[1])}
	across := dy <= slopeMin+dx*slopePart && dx > shortest
	down := dx <= slopeMin+dy*slopePart && dy > shortest
	if !across && !down {
		return
	}
	if width > fat {
		bar := box
		if across {
			bar.Y0, bar.Y1 = a[1]-width/2, a[1]+width/2
		} else {
			bar.X0, bar.X1 = a[0]-width/2, a[0]+width/2
		}
		q := path{filled: true}
		q.rectangle(bar)
		p.rulings, p.fills = append(p.rulings, q.rulings...), append(p.fills, q.fills...)
		return
	}
	p.rulings = append(p.rulings, line(box, across))
}

// line is the centre line of a box.
func line(b rag.Box, across bool) layout.Ruling {
	if across {
		return layout.Ruling{At: (b.Y0 + b.Y1) / 2, From: b.X0, To: b.X1}
	}
	return layout.Ruling{Vertical: true, At: (b.X0 + b.X1) / 2, From: b.Y0, To: b.Y1}
}

// thinRulings returns the ruling that a thin box is, nil when it is none.
func thinRulings(b rag.Box) []layout.Ruling {
	w, h := b.X1-b.X0, b.Y1-b.Y0
	switch {
	case h <= thin && w <= thin:
		return nil
	case h <= thin && w > h*longer:
		return []layout.Ruling{line(b, true)}
	case w <= thin && h > w*longer:
		return []layout.Ruling{line(b, false)}
	}
	return nil
}

// sides returns a box's border.
func sides(b rag.Box, weak bool) []layout.Ruling {
	return []layout.Ruling{
		{At: b.Y0, From: b.X0, To: b.X1, Weak: weak},
		{At: b.Y1, From: b.X0, To: b.X1, Weak: weak},
		{Vertical: true, At: b.X0, From: b.Y0, To: b.Y1, Weak: weak},
		{Vertical: true, At: b.X1, From: b.Y0, To: b.Y1, Weak: weak},
	}
}

// rectangle reports whether points, four or five, are an axis-aligned rectangle.
func rectangle(pts [][2]float64) (rag.Box, bool) {
	if len(pts) < 4 || len(pts) > 5 {
		return rag.Box{}, false
	}
	b := rag.Box{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, p := range pts {
		b.X0, b.X1 = math.Min(b.X0, p[0]), math.Max(b.X1, p[0])
		b.Y0, b.Y1 = math.Min(b.Y0, p[1]), math.Max(b.Y1, p[1])
	}
	for _, p := range pts {
		if math.Min(p[0]-b.X0, b.X1-p[0]) > rectSlack || math.Min(p[1]-b.Y0, b.Y1-p[1]) > rectSlack {
			return rag.Box{}, false
		}
	}
	if len(pts) == 5 && math.Hypot(pts[0][0]-pts[4][0], pts[0][1]-pts[4][1]) > closeSlack {
		return rag.Box{}, false
	}
	return b, true
}
