package pdfium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// A page is drawn in bands: each must lie where it belongs.
func TestBands(t *testing.T) {
	f := &pdftest.File{}
	p := f.A4()
	for y := 20.0; y < 840; y += 40 {
		p.Shade(100, y, 500, y+4, 0)
	}
	d := opened(t, f.Bytes())
	g, dpi, err := d.RenderGray(t.Context(), 0, 300, 20<<20)
	if err != nil {
		t.Fatal(err)
	}
	if rows := bandPixels / g.Rect.Dx(); rows*2 > g.Rect.Dy() {
		t.Fatalf("the page is no more than two bands of %d rows", rows)
	}
	for y := 22.0; y < 840; y += 20 {
		want := uint8(0)
		if int(y-22)%40 != 0 {
			want = 255
		}
		if got := g.GrayAt(int(300*dpi/72), int(y*dpi/72)).Y; got != want {
			t.Errorf("%g points down the page is gray %d, want %d", y, got, want)
		}
	}
	if edge := g.GrayAt(g.Rect.Dx()-1, g.Rect.Dy()-1).Y; edge != 255 {
		t.Errorf("the last pixel is %d, want paper", edge)
	}
}

// What the engine once took of memory it keeps: an instance that has grown is for
// one file, and not even for all of that.
func TestWorn(t *testing.T) {
	f := &pdftest.File{}
	f.A4().Text(60, 100, 10, pdftest.Regular, "Terms")
	d := opened(t, f.Bytes())
	if d.Worn() {
		t.Fatal("worn before anything was read")
	}
	d.in.call("free", d.in.call("malloc", tightBytes))
	if !d.Worn() {
		t.Errorf("with %d bytes it is not worn", d.in.memory.Size())
	}
	e := d.engine
	d.Close()
	if len(e.idle) != 0 {
		t.Error("a worn instance is kept for the next file")
	}
}

// What is drawn may take more memory than what is read, and no longer than that.
func TestReadingIsBoundedApart(t *testing.T) {
	f := &pdftest.File{}
	p := f.A4()
	p.Text(60, 100, 10, pdftest.Regular, "Terms")
	p.Raw(strings.Repeat("q ", 400_000))
	for pages, ok := range map[uint32]bool{512: false, 4096: true} {
		e := engine(t, Options{Instances: 1, MemoryPages: 4096, ReadingPages: pages})
		d, err := e.Open(t.Context(), f.Bytes(), "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Page(t.Context(), 0)
		var trap *Trap
		if (err == nil) != ok || err != nil && (!errors.As(err, &trap) || trap.Memory != uint64(pages)*pageBytes || !d.Larger(err)) {
			t.Errorf("read within %d pages of memory: %v", pages, err)
		}
		d.Close()
	}
}

// What asked for more than an instance can ever have is told from other crashes, too.
func TestMostMemory(t *testing.T) {
	f := &pdftest.File{}
	f.A4().Raw(strings.Repeat("q ", 400_000))
	d, err := engine(t, Options{Instances: 1, MemoryPages: 512}).Open(t.Context(), f.Bytes(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_, err = d.Page(t.Context(), 0)
	var trap *Trap
	if !errors.As(err, &trap) || trap.Memory != 512*pageBytes || d.Larger(err) || !strings.Contains(err.Error(), "more than 32 MiB") {
		t.Errorf("error %v", err)
	}
}

// Nothing that is passed over goes unsaid.
func TestManyFields(t *testing.T) {
	f := &pdftest.File{}
	p := f.A4()
	p.Text(60, 100, 10, pdftest.Regular, "Terms")
	for i := range maxFields + 1 {
		name := fmt.Sprintf("field%d", i)
		f.Add(name, fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Tx /T (f%d) /V (%d) /Rect [60 700 80 710] /F 4 >>", i, i), nil)
		p.Note(name)
	}
	got, err := opened(t, f.Bytes()).Page(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(got.Capped, func(s string) bool { return strings.Contains(s, "form fields") }) {
		t.Errorf("%d fields, and the page says %q", maxFields+1, got.Capped)
	}
}

func TestCappedOnce(t *testing.T) {
	r := &reader{page: &Page{}}
	for range 1000 {
		r.capped("nested forms", maxDepth)
	}
	if len(r.page.Capped) != 1 {
		t.Errorf("one bound is told %d times", len(r.page.Capped))
	}
}

// failing serves no byte.
type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

func TestOpenAt(t *testing.T) {
	e := engine(t, Options{Instances: 1})
	if _, err := e.OpenAt(t.Context(), failing{}, 1000, ""); err == nil {
		t.Error("a file without a byte was opened")
	}
	if _, err := e.OpenAt(t.Context(), failing{}, 5<<30, ""); !errors.Is(err, ErrTooLarge) {
		t.Errorf("5 GiB: error %v", err)
	}
	f := &pdftest.File{}
	f.A4().Text(60, 100, 10, pdftest.Regular, "Terms")
	d, err := e.Open(context.Background(), f.Bytes(), "")
	if err != nil {
		t.Fatalf("the file after them: %v", err)
	}
	if p, err := d.Page(t.Context(), 0); err != nil || len(p.Glyphs) != 5 {
		t.Errorf("the file after them has %v, %v", p, err)
	}
	s := d.in.source
	d.Close()
	if s.file != nil {
		t.Error("the engine holds on to a file that is closed")
	}
}

func opened(t *testing.T, data []byte) *Document {
	t.Helper()
	d, err := engine(t, Options{Instances: 1}).Open(t.Context(), data, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// Where a file fills the instance by being opened and looked at once, to open it again
// after each page would cost more than the pages.
func TestWornIsSpreadOverPages(t *testing.T) {
	f := &pdftest.File{}
	f.A4().Text(60, 100, 10, pdftest.Regular, "Terms")
	d := opened(t, f.Bytes())
	d.in.call("free", d.in.call("malloc", wornBytes))
	for i := range leastRead {
		if d.Worn() {
			t.Fatalf("worn after %d pages with %d bytes", i, d.in.memory.Size())
		}
		if _, err := d.Page(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	if !d.Worn() {
		t.Errorf("not worn after %d pages with %d bytes", leastRead, d.in.memory.Size())
	}
}
