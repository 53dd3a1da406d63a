//go:build unix

package source

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// To open a pipe waits for its writer, which no context ends.
func TestDirWithPipe(t *testing.T) {
	d := folder(t, map[string]string{"a.pdf": "a"})
	if err := syscall.Mkfifo(filepath.Join(d.Path, "b.pdf"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := d.List(t.Context())
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "b.pdf: it is a pipe") {
			t.Errorf("error %v, want one that names the pipe", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("listing waits for the pipe")
	}
}
