package embedded

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"
)

// TestReplace sets aside what is not a whole store, never serves anything of it,
// and leaves alone what isn't a store's at all.
func TestReplace(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		spoil  func(dir string) error
		moved  string // behind the folder's name
		stays  bool   // through Compact
	}{
		"damaged": {"its log is broken where it was acknowledged", edit("log-1", func(data []byte) []byte { data[len(data)/3] ^= 1; return data }), ".damaged", false},
		"foreign": {"its mark is gone", func(dir string) error { return os.Remove(filepath.Join(dir, markName)) }, ".foreign", true},
		"foreign again": {"what was set aside before is somebody's too", func(dir string) error {
			return errors.Join(os.Mkdir(dir+".foreign", 0o700), os.Remove(filepath.Join(dir, markName)))
		}, ".foreign-2", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			s := open(t, Options{Dir: dir})
			makeCollection(t, s, "c")
			for id := range uint64(3) {
				if _, err := (&pointsService{server: s}).Upsert(t.Context(), &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true), Points: []*qdrant.PointStruct{numbered(id)}}); err != nil {
					t.Fatal(err)
				}
			}
			shut(t, s)
			if err := tc.spoil(dir); err != nil {
				t.Fatal(err)
			}
			s, err := Open(Options{Dir: dir, Replace: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Replaced(); got == nil || got.Moved != dir+tc.moved {
				t.Errorf("%s: set aside is %+v", tc.reason, got)
			}
			if len(s.collections) > 0 {
				t.Errorf("%s: it serves %v", tc.reason, s.collections)
			}
			makeCollection(t, s, "c") // it is a store again
			if err := s.Compact(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(dir + tc.moved); (err == nil) != tc.stays {
				t.Errorf("%s: after Compact: %v", tc.reason, err)
			}
			shut(t, s)
			s = open(t, Options{Dir: dir, Replace: true})
			if s.Replaced() != nil || len(s.collections) != 1 {
				t.Errorf("%s: opened again, it is %v, %v", tc.reason, s.collections, s.Replaced())
			}
			shut(t, s)
		})
	}
	t.Run("in use", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "store")
		s := open(t, Options{Dir: dir})
		var folder *FolderError
		if _, err := Open(Options{Dir: dir, Replace: true}); !errors.As(err, &folder) || folder.Problem != InUse {
			t.Errorf("a folder that another process has is left alone: %v", err)
		}
		shut(t, s)
	})
}

// TestDiskFull refuses what does not fit, keeps what it has acknowledged, and takes
// writes again when there is room.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Options{Dir: dir})
	makeCollection(t, s, "c")
	put := func(id uint64) error {
		_, err := (&pointsService{server: s}).Upsert(t.Context(), &qdrant.UpsertPoints{CollectionName: "c", Wait: qdrant.PtrOf(true), Points: []*qdrant.PointStruct{numbered(id)}})
		return err
	}
	if err := put(0); err != nil {
		t.Fatal(err)
	}
	before := dump(s)
	restore := limitFiles(t, uint64(s.folder.journal.size())+20) // some bytes of the next record fit
	err := put(1)
	restore()
	if err == nil {
		t.Fatal("a write that does not fit was acknowledged")
	}
	if diff := cmp.Diff(before, dump(s)); diff != "" {
		t.Errorf("a refused write left something (-want +got):\n%s", diff)
	}
	if err := put(2); err != nil {
		t.Fatalf("there is room again: %v", err)
	}
	want := dump(s)
	shut(t, s)
	s = open(t, Options{Dir: dir})
	if diff := cmp.Diff(want, dump(s)); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
	shut(t, s)
}

// limitFiles bounds how large this process' files may become until it is undone.
func limitFiles(t *testing.T, most uint64) (restore func()) {
	t.Helper()
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails instead
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			t.Error(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	}
}
