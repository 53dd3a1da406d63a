// Package changes holds ingestion to "only what changed" over the freight desk's
// fourteen PDFs: what is fetched, what is embedded, what the next revision holds,
// and that the one before goes on serving as it did. Everything runs on the real
// parts; the encoder is wrapped in one that notes what it is asked for.
package changes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// step is a change of the source and what the next revision costs.
type step struct {
	name, reason string
	change       func(d *desk)
	fetched      []string                     // keys
	embedded     func(next revision) []string // texts that must be encoded, of the next revision's
	gone, come   []string                     // documents
}

func steps() []step {
	none := func(revision) []string { return nil }
	of := func(document string) func(revision) []string {
		return func(next revision) []string {
			return next.texts(func(p passage) bool { return p.document == document })
		}
	}
	return []step{
		{name: "unchanged", reason: "nothing to do is nothing done", change: func(*desk) {}, embedded: none},
		{
			name: "edited", reason: "of an edited document only the section that says something else is encoded",
			change:  func(d *desk) { d.edit("procedures/detention-procedure.pdf", "$65.00 an", "$70.00 an") },
			fetched: []string{"procedures/detention-procedure.pdf"},
			embedded: func(next revision) []string {
				return next.texts(func(p passage) bool {
					return p.document == "detention-procedure" && strings.Contains(p.text, "$70.00 an")
				})
			},
		},
		{
			name: "added", reason: "a new document costs its own sections",
			change: func(d *desk) {
				d.copy("contracts/peachtree-contract.pdf", "contracts/mapletree-contract.pdf", "mapletree")
				d.edit("contracts/mapletree-contract.pdf", "Peachtree", "Mapletree")
			},
			fetched: []string{"contracts/mapletree-contract.pdf"}, embedded: of("mapletree-contract"), come: []string{"mapletree-contract"},
		},
		{
			name: "renamed", reason: "another key is another document: its sections are encoded again, and the old ones are gone",
			change:  func(d *desk) { d.rename("procedures/claims-procedure.pdf", "procedures/cargo-claims.pdf") },
			fetched: []string{"procedures/cargo-claims.pdf"}, embedded: of("cargo-claims"), gone: []string{"claims-procedure"}, come: []string{"cargo-claims"},
		},
		{
			name: "removed", reason: "a document that went away costs nothing and is gone",
			change: func(d *desk) { d.remove("loads/load-ct-88519.pdf") }, embedded: none, gone: []string{"load-ct-88519"},
		},
	}
}

func TestOnlyWhatChanged(t *testing.T) {
	d := open(t)
	first := d.ingest(1)
	if len(first.documents()) != 14 {
		t.Fatalf("the desk has %d documents, want 14", len(first.documents()))
	}
	if diff := cmp.Diff(first.texts(func(passage) bool { return true }), first.embedded); diff != "" {
		t.Fatalf("the first revision encodes every section once (-want +got):\n%s", diff)
	}
	before := first
	for i, s := range steps() {
		s.change(d)
		next := d.ingest(int64(i) + 2)
		if diff := cmp.Diff(sorted(s.fetched), next.fetched); diff != "" {
			t.Errorf("%s: fetched (-want +got):\n%s", s.name, diff)
		}
		want := s.embedded(next)
		if diff := cmp.Diff(want, next.embedded); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", s.name, s.reason, diff)
		}
		if (len(s.fetched) > 0) != (len(want) > 0) {
			t.Errorf("%s: of %v, %d texts were to be encoded", s.name, s.fetched, len(want))
		}
		documents := slices.DeleteFunc(append(before.documents(), s.come...), func(name string) bool { return slices.Contains(s.gone, name) })
		if diff := cmp.Diff(sorted(documents), next.documents()); diff != "" {
			t.Errorf("%s: documents (-want +got):\n%s", s.name, diff)
		}
		kept(t, s.name, before, next)
		if diff := cmp.Diff(before.passages, d.read(int64(i)+1).passages, exact); diff != "" {
			t.Errorf("%s: revision %d, which serves meanwhile, changed (-before +after):\n%s", s.name, i+1, diff)
		}
		before = next
	}
}

// kept holds passages whose text stayed to the very vector that they had.
func kept(t *testing.T, name string, before, next revision) {
	t.Helper()
	for key, p := range next.passages {
		old, ok := before.passages[key]
		if !ok || old.text != p.text {
			continue
		}
		if !slices.Equal(old.vector, p.vector) {
			t.Errorf("%s: %s kept its text and not its vector", name, key)
		}
	}
}

// TestAnotherChunking builds every document anew, as a new generation in the same
// collection: the revision before answers as it did, and a text that both have
// is not encoded again.
func TestAnotherChunking(t *testing.T) {
	d := open(t)
	before := d.ingest(1)
	question := "A driver reports 90 minutes at a dock. Whom does the desk write to?"
	found := d.find(1, question)
	serving := d.settings
	d.settings.Pipeline.Chunking.Size = 500
	next := d.ingest(2)
	if diff := cmp.Diff(sorted(slices.Collect(maps.Values(d.keys))), next.fetched); diff != "" {
		t.Errorf("every document is built anew (-want +got):\n%s", diff)
	}
	if len(next.passages) <= len(before.passages) {
		t.Errorf("%d pieces of at most 500 characters, %d of at most 1,200", len(next.passages), len(before.passages))
	}
	had := map[string]bool{}
	for _, p := range before.passages {
		had[p.document+"\n"+p.text] = true
	}
	want := next.texts(func(p passage) bool { return !had[p.document+"\n"+p.text] })
	if diff := cmp.Diff(want, next.embedded); diff != "" {
		t.Errorf("only texts that are new are encoded (-want +got):\n%s", diff)
	}
	if len(want) == 0 || len(want) == len(next.passages) {
		t.Fatalf("%d of %d texts are new: the test shows nothing", len(want), len(next.passages))
	}
	kept(t, "another chunking", before, next)
	if diff := cmp.Diff(before.passages, d.read(1).passages, exact); diff != "" {
		t.Errorf("revision 1, which serves meanwhile, changed (-before +after):\n%s", diff)
	}
	d.settings = serving
	if diff := cmp.Diff(found, d.find(1, question)); diff != "" || len(found) == 0 {
		t.Errorf("revision 1 found %d hits, and now (-before +after):\n%s", len(found), diff)
	}
}
