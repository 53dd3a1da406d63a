package pdfium

import (
	"math"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// matrix is a PDF transformation.
type matrix struct{ a, b, c, d, e, f float64 }

// then returns m followed by n.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f
}

// scale is the factor by which areas' sides grow, the same in all directions.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

// space maps a page's user space (origin bottom left, y up) to display space
// (origin top left, y down, crop box and rotation applied).
type space struct {
	left, bottom, right, top float64 // the page's box in user space
	quarters                 int     // clockwise rotation, quarter turns
}

func (s space) point(x, y float64) (float64, float64) {
	switch s.quarters {
	case 1:
		return y - s.bottom, x - s.left
	case 2:
		return s.right - x, y - s.bottom
	case 3:
		return s.top - y, s.right - x
	}
	return x - s.left, s.top - y
}

func (s space) vector(x, y float64) (float64, float64) {
	switch s.quarters {
	case 1:
		return y, x
	case 2:
		return -x, y
	case 3:
		return -y, -x
	}
	return x, -y
}

func (s space) box(left, bottom, right, top float64) rag.Box {
	x0, y0 := s.point(left, bottom)
	x1, y1 := s.point(right, top)
	return rag.Box{X0: math.Min(x0, x1), Y0: math.Min(y0, y1), X1: math.Max(x0, x1), Y1: math.Max(y0, y1)}
}

// turn is the direction of text whose baseline runs along (dx, dy), in display space.
func turn(dx, dy float64) layout.Turn {
	const straight = 0.985 // cosine of 10 degrees: scans and slanted stamps
	n := math.Hypot(dx, dy)
	if n == 0 {
		return layout.Rightward
	}
	switch {
	case dx > straight*n:
		return layout.Rightward
	case dy < -straight*n:
		return layout.Upward
	case dx < -straight*n:
		return layout.Leftward
	case dy > straight*n:
		return layout.Downward
	}
	return layout.Skewed
}
