package source

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// folder writes files, by key, and returns the directory.
func folder(t *testing.T, files map[string]string) Dir {
	t.Helper()
	d := Dir{Path: t.TempDir()}
	for key, text := range files {
		d.write(t, key, text)
	}
	return d
}

func (d Dir) write(t *testing.T, key, text string) {
	t.Helper()
	path := filepath.Join(d.Path, filepath.FromSlash(key))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func keys(objects []rag.Object) []string {
	out := []string{}
	for _, o := range objects {
		out = append(out, o.Key)
	}
	return out
}

func list(t *testing.T, d Driver, f Filter, manifests ...string) Listing {
	t.Helper()
	l, err := List(t.Context(), d, f, manifests)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestList(t *testing.T) {
	files := map[string]string{
		"b.pdf": "bb", "a.pdf": "a", "sub/c.pdf": "ccc", "sub/deep/d.pdf": "dddd", "notes.txt": "n", "metadata.jsonl": "{}",
		"drafts/e.pdf": "e", "big.pdf": strings.Repeat("x", 100), ".hidden.pdf": "h", ".git/f.pdf": "f", "UPPER.PDF": "u",
	}
	tests := map[string]struct {
		reason    string
		filter    Filter
		manifests []string
		documents []string
		large     []string
		found     []string // manifests
		bytes     int64
	}{
		"everything": {
			reason:    "no globs admit every file that isn't hidden, sorted by key",
			documents: []string{"UPPER.PDF", "a.pdf", "b.pdf", "big.pdf", "drafts/e.pdf", "metadata.jsonl", "notes.txt", "sub/c.pdf", "sub/deep/d.pdf"}, bytes: 115,
		},
		"the default": {
			reason: "**/ reaches every depth, the top included, and is case-sensitive", filter: Filter{Include: []string{"**/*.pdf"}},
			documents: []string{"a.pdf", "b.pdf", "big.pdf", "drafts/e.pdf", "sub/c.pdf", "sub/deep/d.pdf"}, bytes: 111,
		},
		"excluded": {
			reason: "an exclusion wins over an inclusion", filter: Filter{Include: []string{"**/*.pdf"}, Exclude: []string{"drafts/**", "b*.pdf"}},
			documents: []string{"a.pdf", "sub/c.pdf", "sub/deep/d.pdf"}, bytes: 8,
		},
		"several": {
			reason: "any of the globs admits", filter: Filter{Include: []string{"*.txt", "sub/*.pdf"}},
			documents: []string{"notes.txt", "sub/c.pdf"}, bytes: 4,
		},
		"too large": {
			reason: "what is over the bound is told apart, not left out", filter: Filter{Include: []string{"*.pdf"}, MaxObjectBytes: 2},
			documents: []string{"a.pdf", "b.pdf"}, large: []string{"big.pdf"}, bytes: 3,
		},
		"too large and excluded": {
			reason: "what is no document is not too large either", filter: Filter{Include: []string{"*.pdf"}, Exclude: []string{"big.pdf"}, MaxObjectBytes: 2},
			documents: []string{"a.pdf", "b.pdf"}, bytes: 3,
		},
		"a side file": {
			reason: "a manifest is metadata even where the globs admit it, or don't", filter: Filter{Exclude: []string{"**/*.pdf", "*.PDF", "metadata.jsonl"}}, manifests: []string{"metadata.jsonl", "missing.jsonl"},
			documents: []string{"notes.txt"}, found: []string{"metadata.jsonl"}, bytes: 1,
		},
		"nothing admitted": {
			reason: "an empty listing is told by its keys from an empty place", filter: Filter{Include: []string{"*.docx"}},
			documents: []string{},
		},
	}
	d := folder(t, files)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if err := test.filter.Validate(); err != nil {
				t.Fatal(err)
			}
			l := list(t, d, test.filter, test.manifests...)
			if diff := cmp.Diff(test.documents, keys(l.Documents)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			if diff := cmp.Diff(append([]string{}, test.large...), keys(l.TooLarge)); diff != "" {
				t.Errorf("%s: too large (-want +got):\n%s", test.reason, diff)
			}
			found := []string{}
			for key, o := range l.Manifests {
				if o.Key != key {
					t.Errorf("manifest %q is object %q", key, o.Key)
				}
				found = append(found, key)
			}
			if diff := cmp.Diff(append([]string{}, test.found...), found); diff != "" {
				t.Errorf("%s: manifests (-want +got):\n%s", test.reason, diff)
			}
			if l.Bytes != test.bytes || len(l.Keys) != 9 || !slices.IsSorted(l.Keys) {
				t.Errorf("%s: %d bytes, %d keys", test.reason, l.Bytes, len(l.Keys))
			}
		})
	}
}

// TestRevision holds that the listing's hash changes with what was admitted, and
// with nothing else.
func TestRevision(t *testing.T) {
	f := Filter{Include: []string{"*.pdf"}, MaxObjectBytes: 50}
	files := func() map[string]string {
		return map[string]string{"a.pdf": "a", "b.pdf": "b", "notes.txt": "n", "m.jsonl": "{}", "big.pdf": strings.Repeat("x", 99)}
	}
	first := list(t, folder(t, files()), f, "m.jsonl").Revision
	tests := map[string]struct {
		change  func(map[string]string)
		filter  Filter
		differs bool
	}{
		"the same again":     {change: func(map[string]string) {}, filter: f},
		"another text":       {change: func(m map[string]string) { m["a.pdf"] = "A" }, filter: f, differs: true},
		"another name":       {change: func(m map[string]string) { m["c.pdf"] = m["a.pdf"]; delete(m, "a.pdf") }, filter: f, differs: true},
		"one more":           {change: func(m map[string]string) { m["c.pdf"] = "c" }, filter: f, differs: true},
		"one fewer":          {change: func(m map[string]string) { delete(m, "b.pdf") }, filter: f, differs: true},
		"swapped texts":      {change: func(m map[string]string) { m["a.pdf"], m["b.pdf"] = m["b.pdf"], m["a.pdf"] }, filter: f, differs: true},
		"the manifest":       {change: func(m map[string]string) { m["m.jsonl"] = "{} " }, filter: f, differs: true},
		"what is too large":  {change: func(m map[string]string) { m["big.pdf"] += "y" }, filter: f, differs: true},
		"no document":        {change: func(m map[string]string) { m["notes.txt"] = "other"; m["more.txt"] = "" }, filter: f},
		"a glob that is new": {change: func(map[string]string) {}, filter: Filter{Include: []string{"*.pdf", "*.docx"}, MaxObjectBytes: 50}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := files()
			test.change(m)
			got := list(t, folder(t, m), test.filter, "m.jsonl").Revision
			if !strings.HasPrefix(got, "sha256:") || (got != first) != test.differs {
				t.Errorf("%s after %s; should differ: %v", got, first, test.differs)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	err := Filter{Include: []string{"*.pdf"}, Exclude: []string{"[a-"}}.Validate()
	if err == nil || !strings.Contains(err.Error(), `"[a-"`) {
		t.Errorf("a malformed glob: %v", err)
	}
}

// TestDirIsNotEmpty holds that a place that cannot be listed is never an empty one.
func TestDirIsNotEmpty(t *testing.T) {
	d := folder(t, map[string]string{"a.pdf": "a"})
	dangling := folder(t, map[string]string{"a.pdf": "a"})
	if err := os.Symlink("nowhere", filepath.Join(dangling.Path, "b.pdf")); err != nil {
		t.Fatal(err)
	}
	linked := folder(t, map[string]string{"a.pdf": "a"})
	if err := os.Symlink(d.Path, filepath.Join(linked.Path, "more")); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := map[string]struct {
		reason string
		ctx    context.Context
		dir    Dir
	}{
		"linked":    {"what a link leads to is not left out in silence", t.Context(), linked},
		"missing":   {"no such directory", t.Context(), Dir{Path: filepath.Join(d.Path, "nowhere")}},
		"no path":   {"nothing was named", t.Context(), Dir{}},
		"a file":    {"a file is not a directory of none", t.Context(), Dir{Path: filepath.Join(d.Path, "a.pdf")}},
		"cancelled": {"the listing was cut short", cancelled, d},
		"dangling":  {"a file that can't be read is not one that isn't there", t.Context(), dangling},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l, err := List(test.ctx, test.dir, Filter{}, nil)
			var unreachable *UnreachableError
			if !errors.As(err, &unreachable) || !strings.Contains(err.Error(), test.dir.Path) {
				t.Errorf("%s: listed %v, error %v", test.reason, l.Keys, err)
			}
		})
	}
}

// TestDirByLink: a link to the directory is the directory.
func TestDirByLink(t *testing.T) {
	d := folder(t, map[string]string{"a.pdf": "a", "b/c.pdf": "c"})
	link := filepath.Join(t.TempDir(), "documents")
	if err := os.Symlink(d.Path, link); err != nil {
		t.Fatal(err)
	}
	l, err := List(t.Context(), Dir{Path: link}, Filter{}, nil)
	if err != nil || !slices.Equal(l.Keys, []string{"a.pdf", "b/c.pdf"}) {
		t.Errorf("listed %v, error %v", l.Keys, err)
	}
}

// TestDirRead reads what was listed, or says that it changed.
func TestDirRead(t *testing.T) {
	tests := map[string]struct {
		reason  string
		change  func(t *testing.T, d Dir)
		changed bool
	}{
		"untouched":        {"the bytes of the listed version", func(*testing.T, Dir) {}, false},
		"longer":           {"another size", func(t *testing.T, d Dir) { d.write(t, "a.pdf", "first and more") }, true},
		"shorter":          {"another size", func(t *testing.T, d Dir) { d.write(t, "a.pdf", "fir") }, true},
		"empty":            {"another size", func(t *testing.T, d Dir) { d.write(t, "a.pdf", "") }, true},
		"of the same size": {"other bytes of the same number", func(t *testing.T, d Dir) { d.write(t, "a.pdf", "other") }, true},
		"gone": {"no bytes at all", func(t *testing.T, d Dir) {
			if err := os.Remove(filepath.Join(d.Path, "a.pdf")); err != nil {
				t.Fatal(err)
			}
		}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := folder(t, map[string]string{"a.pdf": "first"})
			o := list(t, d, Filter{}).Documents[0]
			test.change(t, d)
			data, err := Read(t.Context(), d, o)
			if errors.Is(err, ErrChanged) != test.changed || (err == nil) == test.changed {
				t.Errorf("%s: read %q, %v", test.reason, data, err)
			}
			if !test.changed && string(data) != "first" {
				t.Errorf("%s: read %q", test.reason, data)
			}
			if err != nil && !strings.Contains(err.Error(), `"a.pdf"`) {
				t.Errorf("the error does not name the object: %v", err)
			}
		})
	}
}

// TestDirCopy: the check does not depend on how the content is read.
func TestDirCopy(t *testing.T) {
	d := folder(t, map[string]string{"a.pdf": "first"})
	o := list(t, d, Filter{}).Documents[0]
	d.write(t, "a.pdf", "other")
	r, err := d.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, ErrChanged) {
		t.Errorf("copied: %v", err)
	}
}
