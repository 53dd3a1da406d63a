package ocr

import (
	"image"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// paper is a white picture with black rectangles.
func paper(width, height int, ink ...image.Rectangle) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, width, height))
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	for _, r := range ink {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				g.Pix[y*g.Stride+x] = 0
			}
		}
	}
	return g
}

// text is a picture with lines of letter-like marks.
func text() *image.Gray {
	var ink []image.Rectangle
	for y := 100; y < 900; y += 40 {
		for x := 80 + y%7; x < 1100; x += 11 + (x*y)%13 {
			ink = append(ink, image.Rect(x, y, x+7, y+12+x%3*4))
		}
	}
	return paper(1200, 1000, ink...)
}

func TestParse(t *testing.T) {
	tsv := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
		"4\t1\t1\t1\t1\t0\t10\t10\t500\t30\t-1\t\n" +
		"5\t1\t1\t1\t1\t1\t100\t200\t50\t25\t96.5\tST001\n" +
		"5\t1\t1\t1\t1\t2\t160\t200\t50\t25\t0\t9,000\n" +
		"5\t1\t1\t1\t2\t1\t100\t300\t50\t25\t101\ta\tb\n" +
		"5\t1\t1\t1\t3\t1\t100\t300\t50\t25\t90\t \n"
	got, err := parse(tsv, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]Word{
		{{Text: "ST001", Box: rag.Box{X0: 50, Y0: 100, X1: 75, Y1: 112.5}, Confidence: 0.965}, {Text: "9,000", Box: rag.Box{X0: 80, Y0: 100, X1: 105, Y1: 112.5}, Confidence: 0.01}},
		{{Text: "a\tb", Box: rag.Box{X0: 50, Y0: 150, X1: 75, Y1: 162.5}, Confidence: 1}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("words by line, in points, and no confidence of zero (-want +got):\n%s", d)
	}
	if _, err := parse(strings.Replace(tsv, "96.5", "much", 1), 1); err == nil {
		t.Error("a confidence that is no number was read")
	}
}

func TestMeasure(t *testing.T) {
	// 10 points: capitals reach 7.2 over the baseline at 100, descenders 2.1 below, small letters 5.2 over
	box := func(over, below float64) rag.Box { return rag.Box{X0: 0, Y0: 100 - over, X1: 30, Y1: 100 + below} }
	lines := [][]Word{
		{{Text: "ST001", Box: box(7.2, 0)}, {Text: "page", Box: box(5.2, 2.1)}, {Text: "Agency", Box: box(7.2, 2.1)}, {Text: "-", Box: box(4, -3)}},
		{{Text: "more", Box: box(5.4, 0)}}, // a little too high: still the usual size
		{{Text: "TITLE", Box: box(14.4, 0)}},
	}
	for _, w := range measure(lines) {
		want := 10.0
		if w.Text == "TITLE" {
			want = 20
		}
		if math.Abs(w.Size-want) > 0.05 || math.Abs(w.Base-100) > 0.3 {
			t.Errorf("%q: size %.2f on %.2f, want %g on 100", w.Text, w.Size, w.Base, want)
		}
	}
}

func TestSkew(t *testing.T) {
	for _, degrees := range []float64{-1.5, -0.5, 0, 0.3, 2} {
		crooked := rotate(text(), -degrees)
		if got := skew(crooked); math.Abs(got-degrees) > 0.11 {
			t.Errorf("lines that sink by %g degrees are taken for %g", degrees, got)
		}
	}
	if got := skew(paper(800, 800)); got != 0 {
		t.Errorf("an empty page is crooked by %g", got)
	}
}

func TestLying(t *testing.T) {
	if lying(text()) || !lying(turn(text(), 1)) || lying(paper(100, 100)) {
		t.Errorf("upright %v, sideways %v, empty %v: want only the second to lie", lying(text()), lying(turn(text(), 1)), lying(paper(100, 100)))
	}
}

// What is found on a turned and straightened picture must lead back to where it was.
func TestDisplay(t *testing.T) {
	const width, height = 600.0, 800.0
	cases := map[string]struct {
		reason   string
		quarters int
		in, want rag.Box
	}{
		"Upright":  {"as it is", 0, rag.Box{X0: 10, Y0: 20, X1: 30, Y1: 60}, rag.Box{X0: 10, Y0: 20, X1: 30, Y1: 60}},
		"Quarter":  {"the picture was turned clockwise: its top was the page's left", 1, rag.Box{X0: 10, Y0: 20, X1: 30, Y1: 60}, rag.Box{X0: 20, Y0: 770, X1: 60, Y1: 790}},
		"Half":     {"upside down", 2, rag.Box{X0: 10, Y0: 20, X1: 30, Y1: 60}, rag.Box{X0: 570, Y0: 740, X1: 590, Y1: 780}},
		"Quarters": {"counter-clockwise: its top was the page's right", 3, rag.Box{X0: 10, Y0: 20, X1: 30, Y1: 60}, rag.Box{X0: 540, Y0: 10, X1: 580, Y1: 30}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := Frame{Quarters: c.quarters, Width: width, Height: height}
			if c.quarters%2 == 1 {
				f.Width, f.Height = height, width
			}
			if d := cmp.Diff(c.want, f.Display(c.in), cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
	// the pixel under a box goes the way that the box comes back
	for quarters := range 4 {
		g := paper(600, 800, image.Rect(100, 200, 140, 220))
		turned := turn(g, quarters)
		f := Frame{Quarters: quarters, Width: float64(turned.Rect.Dx()), Height: float64(turned.Rect.Dy())}
		got := f.Display(around(turned))
		if d := cmp.Diff(rag.Box{X0: 100, Y0: 200, X1: 140, Y1: 220}, got, cmpopts.EquateApprox(0, 1e-9)); d != "" {
			t.Errorf("%d quarter turns (-want +got):\n%s", quarters, d)
		}
	}
}

// around is the box of all ink.
func around(g *image.Gray) rag.Box {
	var out rag.Box
	for y := range g.Rect.Dy() {
		for x := range g.Rect.Dx() {
			if g.Pix[y*g.Stride+x] < dark {
				out = out.Union(rag.Box{X0: float64(x), Y0: float64(y), X1: float64(x + 1), Y1: float64(y + 1)})
			}
		}
	}
	return out
}

func TestRulings(t *testing.T) {
	g := paper(720, 720,
		image.Rect(50, 100, 400, 102), image.Rect(50, 200, 400, 202), // two across
		image.Rect(50, 100, 52, 202),   // one down
		image.Rect(100, 130, 118, 140), // a letter
		image.Rect(500, 300, 600, 340), // a shaded area
	)
	got := rulings(g, 72)
	want := []layout.Ruling{{At: 101, From: 50, To: 400}, {At: 201, From: 50, To: 400}, {Vertical: true, At: 51, From: 100, To: 202}}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 0.01)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, p := range []struct {
		reason string
		x, y   int
		ink    bool
	}{{"a ruling is erased", 200, 101, false}, {"a letter stays", 110, 135, true}, {"so does shading", 550, 320, true}} {
		if got := g.Pix[p.y*g.Stride+p.x] < dark; got != p.ink {
			t.Errorf("%s: ink %v", p.reason, got)
		}
	}
}

func TestCrookedRulingIsOne(t *testing.T) {
	g := rotate(paper(1200, 400, image.Rect(100, 200, 1100, 203)), -0.1) // less than is straightened
	got := rulings(g, 150)
	if len(got) != 1 || math.Abs(got[0].To-got[0].From-480) > 6 {
		t.Errorf("%+v, want one ruling of 480 points", got)
	}
}
