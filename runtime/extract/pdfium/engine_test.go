package pdfium

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract/fonts"
	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

func engine(t *testing.T, o Options) *Engine {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	o.CacheDir = filepath.Join(cache, "hardgate", "wasm")
	e, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// The driver's internals are reached by reflection: a new version that renames
// one of them, or an export that is gone, must show here and not in production.
func TestDriverInternals(t *testing.T) {
	e := engine(t, Options{Instances: 1})
	in, err := e.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.release(in)
	for _, name := range called(t) {
		if in.fn(name) == nil {
			t.Errorf("no function %s", name)
		}
	}
	if in.err != nil {
		t.Error(in.err)
	}
	if in.memory.Size() == 0 {
		t.Error("memory has no size")
	}
}

// called lists the engine's functions that this package names.
func called(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{"malloc": true, "free": true}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(FPDF[A-Za-z0-9_]+)"`).FindAllSubmatch(source, -1) {
			names[string(m[1])] = true
		}
	}
	const least = 60 // fewer would say that the names are written in another way
	if len(names) < least {
		t.Fatalf("%d functions found in the source, want %d or more", len(names), least)
	}
	return slices.Sorted(maps.Keys(names))
}

func TestFontIsAllThatTheEngineSees(t *testing.T) {
	var files []string
	err := fs.WalkDir(fonts.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) != 1 || filepath.Dir(files[0]) != "usr/share/fonts" {
		t.Errorf("files %v, error %v: want one font where the engine looks for fonts", files, err)
	}
}

// bomb nests forms: each of six levels paints the next one ten times.
func bomb() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n")
	b.WriteString("3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>\nendobj\n")
	b.WriteString("4 0 obj\n<< /Length 5 >>\nstream\n/F Do\nendstream\nendobj\n")
	const levels = 7
	for i := range levels {
		content := "0 0 m 9 9 l S "
		if i < levels-1 {
			content = "/F Do /F Do /F Do /F Do /F Do /F Do /F Do /F Do /F Do /F Do "
		}
		fmt.Fprintf(&b, "%d 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Length %d /Resources << /XObject << /F %d 0 R >> >> >>\nstream\n%s\nendstream\nendobj\n",
			5+i, len(content), 6+i, content)
	}
	b.WriteString("trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n")
	return b.Bytes()
}

func TestTrappedInstanceIsThrownAway(t *testing.T) {
	e := engine(t, Options{Instances: 1, MemoryPages: 1024}) // 64 MiB: the bomb goes off sooner
	d, err := e.Open(t.Context(), bomb(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Page(t.Context(), 0)
	d.Close()
	var trap *Trap
	if !errors.As(err, &trap) {
		t.Fatalf("error %v, want a trap", err)
	}
	f := &pdftest.File{}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Still here")
	d, err = e.Open(t.Context(), f.Bytes(), "")
	if err != nil {
		t.Fatalf("the file after a trap: %v", err)
	}
	defer d.Close()
	p, err := d.Page(t.Context(), 0)
	if err != nil || len(p.Glyphs) != len("Still here") {
		t.Errorf("the file after a trap: error %v", err)
	}
}

func TestInstancesAreBounded(t *testing.T) {
	e := engine(t, Options{Instances: 1})
	f := &pdftest.File{}
	f.A4().Text(60, 60, 10, pdftest.Regular, "One")
	d, err := e.Open(t.Context(), f.Bytes(), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Open(ctx, f.Bytes(), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("a second file got an instance beside the only one: %v", err)
	}
	d.Close()
	d, err = e.Open(t.Context(), f.Bytes(), "")
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
}

func TestInk(t *testing.T) {
	cases := map[string]struct {
		reason  string
		draw    func(p *pdftest.Page)
		rulings []layout.Ruling
		fills   int
	}{
		"Stroke":       {"a stroked line is a ruling", func(p *pdftest.Page) { p.Rule(50, 100, 250, 100) }, []layout.Ruling{{At: 100, From: 50, To: 250}}, 0},
		"ThinFill":     {"so is a thin filled rectangle, by its centre line", func(p *pdftest.Page) { p.Shade(50, 99, 250, 101, 0) }, []layout.Ruling{{At: 100, From: 50, To: 250}}, 0},
		"Shading":      {"a filled area has weak borders", func(p *pdftest.Page) { p.Shade(50, 100, 250, 150, 0.8) }, []layout.Ruling{{At: 100, From: 50, To: 250, Weak: true}, {At: 150, From: 50, To: 250, Weak: true}, {Vertical: true, At: 50, From: 100, To: 150, Weak: true}, {Vertical: true, At: 250, From: 100, To: 150, Weak: true}}, 1},
		"Diagonal":     {"a slanted line is none", func(p *pdftest.Page) { p.Rule(50, 100, 250, 300) }, nil, 0},
		"WhiteOnPaper": {"nobody sees a white rule on paper", func(p *pdftest.Page) { p.Raw("1 G 50 700 m 250 700 l S") }, nil, 0},
	}
	e := engine(t, Options{Instances: 1})
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f.A4())
			d, err := e.Open(t.Context(), f.Bytes(), "")
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			p, err := d.Page(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			near := func(a, b layout.Ruling) bool {
				const slack = 0.1
				d := max(a.At-b.At, b.At-a.At, a.From-b.From, b.From-a.From, a.To-b.To, b.To-a.To)
				return a.Vertical == b.Vertical && a.Weak == b.Weak && d < slack
			}
			if !slices.EqualFunc(p.Rulings, c.rulings, near) || len(p.Fills) != c.fills {
				t.Errorf("%s: rulings %v, fills %d, want %v, %d", c.reason, p.Rulings, len(p.Fills), c.rulings, c.fills)
			}
		})
	}
}
