package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// unprivileged has this thread look at files as nobody does, until the test ends.
func unprivileged(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	runtime.LockOSThread()
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
}

// TestWalkGoesOn: a directory that nobody may look into is told, and the rest is found.
// A listing of it is none.
func TestWalkGoesOn(t *testing.T) {
	d := folder(t, map[string]string{"a.pdf": "a", "closed/b.pdf": "b", "z.pdf": "z"})
	closed := filepath.Join(d.Path, "closed")
	for at, mode := range map[string]fs.FileMode{filepath.Dir(d.Path): 0o755, d.Path: 0o755, closed: 0} {
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) }) // so that it can be removed
	unprivileged(t)
	got := map[string]bool{}
	err := d.Walk(t.Context(), func(_ string, o rag.Object, err error) error {
		got[o.Key] = errors.Is(err, fs.ErrPermission)
		return nil
	})
	if d := cmp.Diff(map[string]bool{"a.pdf": false, "closed": true, "z.pdf": false}, got); d != "" || err != nil {
		t.Errorf("error %v; what is closed (-want +got):\n%s", err, d)
	}
	var unreachable *UnreachableError
	if l, err := d.List(context.Background()); !errors.As(err, &unreachable) {
		t.Errorf("listed %v, error %v", l, err)
	}
}
