package extract_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// TestHeavyPage: a page that takes more memory than reading has is read with half as much again, within what drawing
// has, and told in words where that is too little. The page after it is read.
func TestHeavyPage(t *testing.T) {
	f := &pdftest.File{}
	p := f.A4()
	p.Text(60, 100, 10, pdftest.Regular, "Terms of the lease")
	p.Raw(strings.Repeat("q ", 400_000))
	f.A4().Text(60, 100, 10, pdftest.Regular, "Signed in April")
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason   string
		most     uint32 // pages of memory
		lines    string
		problems []string
	}{
		"Larger":   {"there is more for it", 4096, "Terms of the lease\nSigned in April", nil},
		"TooLarge": {"there is no more", 768, "Signed in April", []string{"the page holds so much that to read it takes more than the 48 MiB of memory it may have; spread it over several pages, or leave it out"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			engine, err := extract.Open(t.Context(), extract.Options{CacheDir: filepath.Join(cache, "hardgate", "wasm"), Instances: 1, ReadingPages: 768, MemoryPages: c.most})
			if err != nil {
				t.Fatal(err)
			}
			defer engine.Close()
			d, err := extract.New(engine, extract.Limits{}).Apply(t.Context(), extract.File{Data: f.Bytes()})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(allLines(d)); got != c.lines {
				t.Errorf("%s: read %q", c.reason, got)
			}
			var said []string
			for _, p := range d.Problems {
				if p.Page != 1 || p.Reason != extract.PageTrapped {
					t.Errorf("problem %+v", p)
				}
				said = append(said, p.Detail)
			}
			if !slices.Equal(said, c.problems) {
				t.Errorf("%s: problems %q", c.reason, said)
			}
		})
	}
}
