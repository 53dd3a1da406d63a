package ocr

import (
	"image"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
)

// Which ink is a ruling. Points.
const (
	rulingLength = 26.0 // longer than any stroke of a letter in body text
	rulingRun    = 12.0 // of unbroken ink in one row of pixels: a ruling that still sinks is a stair
	rulingThick  = 3.0
	rulingGap    = 1.0 // that scanning tears into one
)

// rulings finds straight lines and takes them out of the picture: a letter that
// touches one reads badly, and columns of bars read as l and I.
func rulings(g *image.Gray, dpi float64) []layout.Ruling {
	scale := dpi / 72
	var out []layout.Ruling
	found := map[bool][]streak{}
	for _, vertical := range []bool{false, true} {
		found[vertical] = streaks(view{g, vertical}, scale)
	}
	for _, vertical := range []bool{false, true} {
		v := view{g, vertical}
		for _, s := range found[vertical] {
			out = append(out, layout.Ruling{Vertical: vertical, At: float64(s.y0+s.y1+1) / 2 / scale, From: float64(s.x0) / scale, To: float64(s.x1) / scale})
			v.erase(s, scale)
		}
	}
	return out
}

// view is a picture, or the same with rows and columns exchanged.
type view struct {
	g        *image.Gray
	vertical bool
}

func (v view) size() (along, across int) {
	if v.vertical {
		return v.g.Rect.Dy(), v.g.Rect.Dx()
	}
	return v.g.Rect.Dx(), v.g.Rect.Dy()
}

func (v view) offset(along, across int) int {
	if v.vertical {
		return along*v.g.Stride + across
	}
	return across*v.g.Stride + along
}

// streak is connected ink that is long and thin: x along, y across, both ends included in y.
type streak struct {
	x0, x1, y0, y1 int
	runs           [][3]int // x0, x1, y
}

// streaks joins the long runs of neighbouring rows of pixels.
func streaks(v view, scale float64) []streak {
	along, across := v.size()
	run, gap := int(rulingRun*scale), int(rulingGap*scale)
	var open, done []streak
	for y := range across {
		var next []streak
		for _, r := range runs(v, y, along, run, gap) {
			s := streak{x0: r[0], x1: r[1], y0: y, y1: y, runs: [][3]int{{r[0], r[1], y}}}
			rest := open[:0:0]
			for _, o := range open {
				if o.x0 <= s.x1+gap && s.x0 <= o.x1+gap {
					s = join(s, o)
				} else {
					rest = append(rest, o)
				}
			}
			for k := 0; k < len(next); k++ { // two runs of this row may meet in one streak above
				if o := next[k]; o.y0 < y && o.x0 <= s.x1+gap && s.x0 <= o.x1+gap {
					s = join(s, o)
					next = append(next[:k], next[k+1:]...)
					k--
				}
			}
			open = rest
			next = append(next, s)
		}
		done = append(done, open...)
		open = next
	}
	done = append(done, open...)
	var out []streak
	for _, s := range done {
		length, thick := s.x1-s.x0, s.y1-s.y0+1
		if float64(length) >= rulingLength*scale && float64(thick) <= rulingThick*scale {
			out = append(out, s)
		}
	}
	return out
}

func join(a, b streak) streak {
	return streak{min(a.x0, b.x0), max(a.x1, b.x1), min(a.y0, b.y0), max(a.y1, b.y1), append(b.runs, a.runs...)}
}

// runs are stretches of ink in one row, small gaps bridged.
func runs(v view, y, along, least, gap int) [][2]int {
	var out [][2]int
	start, last := -1, -1
	for x := 0; x <= along; x++ {
		if x < along && v.g.Pix[v.offset(x, y)] < dark {
			if start < 0 {
				start = x
			}
			last = x
			continue
		}
		if start >= 0 && (x == along || x-last > gap) {
			if last-start >= least {
				out = append(out, [2]int{start, last + 1})
			}
			start = -1
		}
	}
	return out
}

// erase paints a streak white, and what is gray at its edges: a pixel of it at 150 dpi.
func (v view) erase(s streak, scale float64) {
	_, across := v.size()
	edge := max(1, int(scale/2))
	for _, r := range s.runs {
		for y := max(0, r[2]-edge); y <= min(across-1, r[2]+edge); y++ {
			for x := r[0]; x < r[1]; x++ {
				v.g.Pix[v.offset(x, y)] = 255
			}
		}
	}
}
