package worker

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// peak is the most that a process had in memory, in MB of 1000 kB.
func peak(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	var kib int
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(after, &kib); err != nil {
		t.Fatal(err)
	}
	return kib * 1024 / 1_000_000
}

// What a worker takes does not depend on how long a file is, nor on how large: of
// one it holds a few pages and a few pieces.
func TestMemoryIsBounded(t *testing.T) {
	const pages = 250
	long := &pdftest.File{}
	long.Register("Register", pdftest.RegisterRows(24*pages), pdftest.Look{RowRules: true, ColumnRules: true, Repeat: true})
	large := &pdftest.File{}
	large.Add("ballast", "", make([]byte, 150<<20)) // nothing on the page
	large.A4().Text(60, 100, 10, pdftest.Regular, "Terms of the lease")
	bomb := &pdftest.File{}
	page := bomb.A4()
	page.Text(60, 100, 10, pdftest.Regular, "Terms of the lease")
	page.Raw(strings.Repeat("q ", 2_000_000))
	cases := map[string]struct {
		reason string
		file   *pdftest.File
		pages  int // 0 = it fails
		most   int // MB
	}{
		"Long":  {"a table on hundreds of pages", long, pages, 160},
		"Large": {"150 MB of which nothing is read", large, 1, 140},
		"Bomb":  {"the engine is stopped", bomb, 0, 200},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := pool(t, "real", 1)
			doc, err := p.Apply(t.Context(), extract.Limits{}, extract.File{Data: c.file.Bytes()})
			if (err != nil) != (c.pages == 0) || len(doc.Pages) != c.pages {
				t.Fatalf("%s: %d pages, %v", c.reason, len(doc.Pages), err)
			}
			if got := peak(t, p.idle[0].cmd.Process.Pid); got > c.most {
				t.Errorf("%s: the worker took %d MB, want at most %d", c.reason, got, c.most)
			}
		})
	}
}
