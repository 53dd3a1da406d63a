package cli_test

import (
	"encoding/json"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/cli"
)

// TestExtractReadsOn: whatever lies about in a directory, the files beside it are read.
func TestExtractReadsOn(t *testing.T) {
	s := sample{t, t.TempDir()}
	s.write("z.md", "# Leave\n")
	links := map[string]string{"dangling.pdf": "nowhere", "loop.pdf": "loop.pdf", "up": ".", "torn.pdf": "/proc/self/mem"}
	for name, to := range links {
		if err := os.Symlink(to, s.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(s.path("pipe.pdf"), 0o644); err != nil {
		t.Fatal(err)
	}

	got := hardgate(t, "extract", "-o", "json", s.dir)
	if got.code != cli.ExitFailed {
		t.Errorf("exit %d, want %d: one was read, the others were not", got.code, cli.ExitFailed)
	}
	failures := map[string]string{}
	for line := range strings.Lines(got.out) {
		conforms(t, "extract", line)
		var r struct {
			Key     string
			Failure struct{ Detail string }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		failures[r.Key] = r.Failure.Detail
		if r.Failure.Detail != "" && !strings.Contains(got.err, s.path(r.Key)+": "+r.Failure.Detail+"\n") {
			t.Errorf("the error stream doesn't say of %s what JSON says: %s", r.Key, got.err)
		}
	}
	want := map[string]string{
		"dangling.pdf": "no such file or directory",
		"loop.pdf":     "too many levels of symbolic links",
		"pipe.pdf":     "it is a pipe, socket or device and no file (p---------): take it out of the directory",
		"torn.pdf":     "input/output error",
		"up":           "it is a link to a directory, which is not followed: put the directory itself there, or leave it out",
		"z.md":         "",
	}
	if d := cmp.Diff(want, failures); d != "" {
		t.Errorf("failures (-want +got):\n%s", d)
	}
}

// TestExtractPipe: nobody waits for a writer that may never come.
func TestExtractPipe(t *testing.T) {
	s := sample{t, t.TempDir()}
	s.write("rules.md", "# Rules\n")
	if err := syscall.Mkfifo(s.path("pipe.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan result, 1)
	go func() { done <- hardgate(t, "extract", s.path("pipe.md"), s.path("rules.md")) }()
	select {
	case got := <-done:
		if got.code != cli.ExitFailed || !strings.Contains(got.err, "pipe.md: it is a pipe") || !strings.Contains(got.out, "# Rules") {
			t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for a writer")
	}
}
