package evidence

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// passage is a chunk as evidence: its names and words, without its place in the store.
type passage struct {
	Evidence string
	Aliases  []string
	Units    []string
	Body     string
}

// TestPassagesKeepTheirNames ingests files whose bytes changed and whose text did
// not, beside a document that went away: every passage is called as before, and
// nothing is embedded again.
func TestPassagesKeepTheirNames(t *testing.T) {
	l := theLab(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(sample, "documents"))); err != nil {
		t.Fatal(err)
	}
	const uid = "again"
	first, err := l.ingest(t.Context(), uid, dir, 1, l.full.settings)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"rack-guide-v2", "maintenance-guide-v1", "returns-v1"}
	before := map[string][]passage{}
	for _, n := range names {
		before[n] = passages(t, l, first, 1, n)
	}
	for _, file := range []string{"guides/rack-guide-v2.pdf", "guides/maintenance-guide-v1.pdf", "policies/returns-v1.pdf"} {
		alter(t, filepath.Join(dir, filepath.FromSlash(file)), func(b []byte) []byte { return append(b, "\n% touched\n"...) })
	}
	if err := os.Remove(filepath.Join(dir, "guides", "rack-guide-v1.pdf")); err != nil {
		t.Fatal(err)
	}
	second, err := l.ingest(t.Context(), uid, dir, 2, l.full.settings)
	if err != nil {
		t.Fatal(err)
	}
	if s := second.summary; s.Fetched != 3 || s.Embedded != 0 {
		t.Errorf("%d objects were fetched and %d texts embedded; three files changed, and no text", s.Fetched, s.Embedded)
	}
	for _, n := range names {
		if d := cmp.Diff(before[n], passages(t, l, second, 2, n)); d != "" {
			t.Errorf("%s (-before +after):\n%s", n, d)
		}
	}
	parts := before["maintenance-guide-v1"]
	if i := slices.IndexFunc(parts, func(p passage) bool { return p.Evidence == "maintenance-guide-v1#p1.t1" }); i < 0 || !slices.Contains(parts[i].Aliases, "spare-parts") {
		t.Errorf("the table answers to its place and to its heading: %+v", parts)
	}
	if left := passages(t, l, second, 2, "rack-guide-v1"); len(left) > 0 {
		t.Errorf("a document that went away still has %v", left)
	}
	if kept := passages(t, l, first, 1, "rack-guide-v1"); len(kept) == 0 {
		t.Error("the revision that served before has lost its document")
	}
}

func passages(t *testing.T, l *lab, d documents, revision int64, document string) []passage {
	t.Helper()
	hits, err := l.runtime.View(d.place, revision, nil).Chunks(t.Context(), document)
	if err != nil {
		t.Fatal(err)
	}
	var out []passage
	for _, h := range hits {
		out = append(out, passage{h.Evidence(), h.Aliases, unitNames(h.Chunk), h.Body()})
	}
	return out
}

func unitNames(c rag.Chunk) []string {
	var out []string
	for _, u := range c.Units {
		out = append(out, u.Name)
	}
	return out
}
