package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// root is the repository's root as seen from this package.
const root = "../.."

// TestCommittedFiles compares every committed document with a fresh one, byte
// for byte, and finds files that nobody writes any more.
func TestCommittedFiles(t *testing.T) {
	for _, s := range written() {
		t.Run(s.Dir, func(t *testing.T) {
			files, err := s.Files()
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, f := range files {
				want = append(want, filepath.FromSlash(f.Path))
				committed, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
				if err != nil {
					t.Errorf("%s: %v", f.Path, err)
					continue
				}
				if !bytes.Equal(committed, f.Data) {
					t.Errorf("%s differs from what the generator writes: run go run ./hack/samples", f.Path)
				}
			}
			if diff := cmp.Diff(set(want), set(found(t, s.Dir))); diff != "" {
				t.Errorf("files written (-) and found (+):\n%s", diff)
			}
		})
	}
}

// TestDocumentsAreReproducible draws everything twice in one process: nothing
// may depend on the order of a map or on the clock.
func TestDocumentsAreReproducible(t *testing.T) {
	for _, s := range written() {
		first, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		second, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		for i := range first {
			if !bytes.Equal(first[i].Data, second[i].Data) {
				t.Errorf("%s differs between two runs", first[i].Path)
			}
		}
	}
}

// TestNamesAreUnique guards the ids: two documents of one name would both fail.
func TestNamesAreUnique(t *testing.T) {
	for _, s := range all() {
		seen := map[string]string{}
		for _, d := range s.Documents {
			if other, ok := seen[d.Name()]; ok {
				t.Errorf("%s: %s and %s have one name", s.Dir, other, d.Key)
			}
			seen[d.Name()] = d.Key
		}
	}
}

func TestAmounts(t *testing.T) {
	cases := map[string]struct {
		reason string
		got    string
		want   string
	}{
		"Lakhs":       {"Indian grouping is by two above the thousands", paise(4_71_900_00).indian(), "4,71,900"},
		"Crores":      {"and again by two", paise(1_23_45_678_90).indianDecimals(), "1,23,45,678.90"},
		"Small":       {"no comma up to three digits", paise(600_00).indian(), "600"},
		"Western":     {"by three", paise(1_234_567_05).western(), "1,234,567.05"},
		"RoundedHalf": {"half a unit goes up", paise(150_00).percent(5).indian(), "8"},
		"RoundedDown": {"less than half goes down", paise(148_00).percent(3).indian(), "4"},
		"Hundredths":  {"a share keeps hundredths", paise(3_203_10).share(20).western(), "640.62"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// found lists the files below a sample's documents folder, relative to the root.
func found(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	base := filepath.Join(root, filepath.FromSlash(dir), "documents")
	err := filepath.WalkDir(base, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		out = append(out, rel)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func set(names []string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}
