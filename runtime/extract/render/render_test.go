package render_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/extract/render"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

func renderer(t *testing.T, o render.Options) *render.Renderer {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	o.CacheDir = filepath.Join(cache, "hardgate", "pdf-engine")
	r, err := render.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// file counts how often it is read.
type file struct {
	data  []byte
	reads int
	mu    sync.Mutex
}

func (f *file) read(context.Context) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	return f.data, nil
}

// sheet has a black square at 100,200 and is shown turned clockwise where that is asked for.
func sheet(rotate int) []byte {
	f := &pdftest.File{}
	p := f.A4()
	p.Rotate = rotate
	p.Shade(100, 200, 140, 240, 0)
	return f.Bytes()
}

func decode(t *testing.T, img render.Image) image.Image {
	t.Helper()
	out, err := png.Decode(bytes.NewReader(img.PNG))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func at(img image.Image, x, y float64, dpi float64) color.RGBA {
	return color.RGBAModel.Convert(img.At(int(x*dpi/72), int(y*dpi/72))).(color.RGBA)
}

func TestPage(t *testing.T) {
	r := renderer(t, render.Options{})
	box := rag.Box{X0: 120, Y0: 180, X1: 300, Y1: 260}
	black, white := color.RGBA{A: 255}, color.RGBA{255, 255, 255, 255}
	yellow := color.RGBA{255, 228, 92, 255}
	cases := map[string]struct {
		reason string
		rotate int
		boxes  []rag.Box
		want   map[[2]float64]color.RGBA
	}{
		"Plain":       {"what is drawn is where boxes say", 0, nil, map[[2]float64]color.RGBA{{120, 220}: black, {90, 220}: white, {120, 195}: white}},
		"Turned":      {"boxes are in the page as shown", 90, nil, map[[2]float64]color.RGBA{{842 - 220, 120}: black, {120, 220}: white}},
		"Highlighted": {"paper under a box is yellow, ink stays black", 0, []rag.Box{box}, map[[2]float64]color.RGBA{{250, 220}: yellow, {130, 220}: black, {110, 220}: black, {310, 220}: white}},
		"OffPage":     {"a box that leaves the page is cut", 0, []rag.Box{{X0: -1e9, Y0: 700, X1: 1e9, Y1: 9e9}}, map[[2]float64]color.RGBA{{300, 800}: yellow, {300, 600}: white}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &file{data: sheet(c.rotate)}
			img, err := r.Page(t.Context(), render.Request{Read: f.read, Page: 1, Boxes: c.boxes, DPI: 144})
			if err != nil {
				t.Fatal(err)
			}
			picture := decode(t, img)
			for p, want := range c.want {
				if got := at(picture, p[0], p[1], 144); got != want {
					t.Errorf("%s: %v at %v, want %v", c.reason, got, p, want)
				}
			}
		})
	}
}

func TestPixelsAreBounded(t *testing.T) {
	r := renderer(t, render.Options{MaxPixels: 100_000})
	f := &file{data: sheet(0)}
	img, err := r.Page(t.Context(), render.Request{Read: f.read, Page: 1, DPI: 300})
	if err != nil {
		t.Fatal(err)
	}
	size := decode(t, img).Bounds().Size()
	if n := size.X * size.Y; n > 100_000 || n < 95_000 || img.DPI >= 300 {
		t.Errorf("%d pixels at %g dpi: want just under 100,000, and the resolution that gives them", n, img.DPI)
	}
}

func TestPicturesAreKept(t *testing.T) {
	r := renderer(t, render.Options{CacheBytes: 12_000})
	f := &file{data: sheet(0)}
	ask := func(boxes ...rag.Box) {
		t.Helper()
		if _, err := r.Page(t.Context(), render.Request{Version: "v1", Read: f.read, Page: 1, Boxes: boxes}); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	ask()
	if f.reads != 1 {
		t.Errorf("the same picture was drawn %d times", f.reads)
	}
	for k := range 20 {
		ask(rag.Box{X0: float64(k), Y0: 10, X1: 200, Y1: 300})
	}
	if f.reads != 21 {
		t.Errorf("20 other boxes: drawn %d times in all, want 21", f.reads)
	}
	ask()
	if f.reads != 22 {
		t.Error("the oldest picture is still kept, over the bound on bytes")
	}
}

// slow paints forms that paint forms: the engine would work for seconds, then trap.
func slow() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n")
	b.WriteString("3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>\nendobj\n4 0 obj\n<< /Length 5 >>\nstream\n/F Do\nendstream\nendobj\n")
	const levels = 8
	for i := range levels {
		content := strings.Repeat("/F Do ", 12)
		if i == levels-1 {
			content = "0 0 m 9 9 l S "
		}
		fmt.Fprintf(&b, "%d 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Length %d /Resources << /XObject << /F %d 0 R >> >> >>\nstream\n%s\nendstream\nendobj\n", 5+i, len(content), 6+i, content)
	}
	b.WriteString("trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n")
	return b.Bytes()
}

func TestErrors(t *testing.T) {
	r := renderer(t, render.Options{Timeout: time.Second})
	locked := &pdftest.File{Password: "april"}
	locked.A4().Text(60, 60, 10, pdftest.Regular, "Secret")
	cases := map[string]struct {
		reason  string
		data    []byte
		request render.Request
		want    string
	}{
		"PageZero":   {"pages count from 1", sheet(0), render.Request{}, render.BadRequest},
		"Resolution": {"bounded", sheet(0), render.Request{Page: 1, DPI: 1e9}, render.BadRequest},
		"NoPage":     {"the document ends before", sheet(0), render.Request{Page: 2}, render.NoPage},
		"NotPDF":     {"another file", []byte("text"), render.Request{Page: 1}, render.Unreadable},
		"Encrypted":  {"without its password", locked.Bytes(), render.Request{Page: 1}, render.Unreadable},
		"Slow":       {"a page that would take for ever", slow(), render.Request{Page: 1}, render.Timeout},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &file{data: c.data}
			c.request.Read = f.read
			start := time.Now()
			_, err := r.Page(t.Context(), c.request)
			var e *render.Error
			if !errors.As(err, &e) || e.Reason != c.want {
				t.Errorf("%s: error %v, want %s", c.reason, err, c.want)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%s: it took %v to say so", c.reason, took)
			}
		})
	}
	f := &file{data: sheet(0)}
	if _, err := r.Page(t.Context(), render.Request{Read: f.read, Page: 1}); err != nil {
		t.Errorf("the page after all those: %v", err)
	}
}
