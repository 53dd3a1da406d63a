package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

const (
	april  = "# April wages\nWages of April are paid in May.\n# April leave\nLeave of April is counted apart."
	policy = "# Annual leave\nAnnual leave is twenty four days a year.\n# Sick leave\nSick leave needs a note from the third day."
)

// furnished is a corpus of three documents, ingested as revision 1.
func furnished(t *testing.T) *world {
	t.Helper()
	w := single(t)
	w.bucket.put("april.txt", april, published())
	w.bucket.put("policy.txt", policy, published("revision", 2))
	w.bucket.put("sub/note.txt", "A note about the canteen.", published("groups", []any{"staff", "board"}))
	w.run(1)
	w.tap.reset()
	return w
}

func TestFirstRun(t *testing.T) {
	w := single(t)
	w.bucket.put("april.txt", april, published())
	w.bucket.put("policy.txt", policy, published("revision", 2))
	w.bucket.put("sub/note.txt", "A note about the canteen.", published())
	var steps []string
	sum, err := w.ingester().Run(t.Context(), w.list(), 1, func(done, total int) { steps = append(steps, fmt.Sprint(done, "/", total)) })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Summary{Total: 3, Ingested: 3, Chunks: 5, Fetched: 3, Embedded: 5}, sum); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1/3", "2/3", "3/3"}, steps); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	want := []held{
		{"april#april-leave", "Leave of April is counted apart.", published()},
		{"april#april-wages", "Wages of April are paid in May.", published()},
		{"note#p1", "A note about the canteen.", published()},
		{"policy-2#annual-leave", "Annual leave is twenty four days a year.", published("revision", int64(2))},
		{"policy-2#sick-leave", "Sick leave needs a note from the third day.", published("revision", int64(2))},
	}
	if diff := cmp.Diff(want, w.sees(1)); diff != "" {
		t.Errorf("revision 1 (-want +got):\n%s", diff)
	}
	if got := w.sees(0); len(got) > 0 {
		t.Errorf("revision 0 sees %v", got)
	}
	if diff := cmp.Diff(w.sees(1), w.sees(7)); diff != "" {
		t.Errorf("a later revision without changes sees otherwise (-1 +7):\n%s", diff)
	}
	records, err := w.ledger().Records(t.Context(), 1, true)
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		if r.Failure != nil || r.SHA256 == "" || r.Version == "" || r.Pages != 1 || !strings.HasPrefix(r.Text, strings.TrimSpace(w.bucket.objects[r.Key])) || r.Fields["status"] != "published" {
			t.Errorf("record %+v", r)
		}
	}
	if n, err := w.ledger().Count(t.Context(), 1); err != nil || n != 3 {
		t.Errorf("%d documents, %v", n, err)
	}
}

// step is a change of the source and what revision 2 of it costs and holds.
type step struct {
	reason    string
	change    func(w *world)
	fetched   []string
	embedded  int
	writes    int      // -1 = some
	documents []string // of revision 2
	withdrawn int
	failed    []rag.Failure
	skipped   []rag.Failure
}

func steps() map[string]step {
	three := []string{"april", "note", "policy-2"}
	return map[string]step{
		"unchanged": {reason: "nothing to do is nothing written", change: func(*world) {}, documents: three},
		"one changed": {
			reason: "only what is new in the text is embedded; the rest copies its vectors",
			change: func(w *world) {
				w.bucket.objects["april.txt"] = strings.Replace(april, "paid in May", "paid in June", 1)
			},
			fetched: []string{"april.txt"}, embedded: 1, writes: -1, documents: three,
		},
		"added": {
			reason: "a new document costs itself", change: func(w *world) { w.bucket.put("may.txt", "Wages of May.", published()) },
			fetched: []string{"may.txt"}, embedded: 1, writes: -1, documents: []string{"april", "may", "note", "policy-2"},
		},
		"removed": {
			reason: "a removed document is fetched no more", change: func(w *world) { w.bucket.remove("april.txt") },
			writes: -1, documents: []string{"note", "policy-2"},
		},
		"renamed": {
			reason: "another key is another object",
			change: func(w *world) {
				w.bucket.remove("april.txt")
				w.bucket.put("sub/april.txt", april, published())
			},
			fetched: []string{"sub/april.txt"}, embedded: 2, writes: -1, documents: three,
		},
		"another field": {
			reason: "metadata that changed is payload rewritten: nothing is fetched, nothing embedded",
			change: func(w *world) { w.bucket.fields["policy.txt"]["customer"] = "all" }, writes: -1, withdrawn: 1, documents: three,
		},
		"widened": {
			reason: "likewise", change: func(w *world) { w.bucket.fields["april.txt"]["groups"] = []any{"staff", "board"} }, writes: -1, documents: three,
		},
		"narrowed": {
			reason: "a withdrawal is one change of payload and no new points",
			change: func(w *world) { w.bucket.fields["sub/note.txt"]["groups"] = []any{"board"} }, writes: 1, withdrawn: 1, documents: three,
		},
		"another title": {
			reason: "the title is part of what is embedded", change: func(w *world) { w.bucket.fields["april.txt"]["title"] = "April 2026" },
			fetched: []string{"april.txt"}, embedded: 2, writes: -1, documents: three,
		},
		"another revision": {
			reason: "the evidence ids change, so the chunks do; the texts don't", change: func(w *world) { w.bucket.fields["policy.txt"]["revision"] = 3 },
			fetched: []string{"policy.txt"}, embedded: 0, writes: -1, documents: []string{"april", "note", "policy-3"},
		},
		"another format": {
			reason: "what the chunks depend on changed: all are built, vectors of texts that stay are copied",
			change: func(w *world) { w.settings.Pipeline.Chunking.Size = 77 }, fetched: []string{"april.txt", "policy.txt", "sub/note.txt"}, writes: -1, documents: three,
		},
		"other rules": {
			reason: "eligibility is judged by the query", change: func(w *world) { w.settings.Eligibility.Constants = nil }, documents: three,
		},
		"unreadable": {
			reason: "what goes wrong with one document is recorded beside it", change: func(w *world) { w.bucket.objects["april.txt"] = "unreadable" },
			fetched: []string{"april.txt"}, writes: -1, documents: []string{"note", "policy-2"},
			failed: []rag.Failure{{Stage: "extract", Reason: "NoPages", Detail: errUnreadable.Error()}},
		},
		"foreign": {
			reason: "a file of a type that is not read is skipped: counted and named, and no failure", change: func(w *world) { w.bucket.objects["april.txt"] = "foreign" },
			fetched: []string{"april.txt"}, writes: -1, documents: []string{"note", "policy-2"},
			skipped: []rag.Failure{{Stage: "extract", Reason: "UnsupportedType", Detail: "it is a picture", Skipped: true}},
		},
		"refused": {
			reason: "so is an object that the bucket doesn't hand out",
			change: func(w *world) {
				w.bucket.objects["april.txt"] += "."
				w.bucket.refuse["april.txt"] = &source.RefusedError{Err: errors.New("access denied")}
			},
			fetched: []string{"april.txt"}, writes: -1, documents: []string{"note", "policy-2"},
			failed: []rag.Failure{{Stage: "fetch", Reason: "FetchFailed", Detail: `read object "april.txt": access denied`}},
		},
		"too large": {
			reason: "and one over the bound, which is not fetched", change: func(w *world) { w.bucket.objects["april.txt"] = strings.Repeat("x", 4001) },
			writes: -1, documents: []string{"note", "policy-2"},
			failed: []rag.Failure{{Stage: "fetch", Reason: "TooLarge", Detail: "4001 bytes; source.maxObjectBytes admits fewer"}},
		},
		"two of a name": {
			reason: "two objects that are one document both fail, the one that was there too",
			change: func(w *world) { w.bucket.put("copy/april.txt", "other", published()) }, writes: -1, documents: []string{"note", "policy-2"},
			failed: slices.Repeat([]rag.Failure{{Stage: "metadata", Reason: "DuplicateDocument", Detail: `2 objects are document "april": make documents.id or documents.revision tell them apart`}}, 2),
		},
		"beside a sheet": {
			reason: "what is skipped takes no name: the document of its name is read",
			change: func(w *world) { sheet(w, "foreign") }, fetched: []string{"april.csv.txt"}, writes: -1, documents: three,
			skipped: []rag.Failure{{Stage: "extract", Reason: "UnsupportedType", Detail: "it is a picture", Skipped: true}},
		},
		"beside a page": {
			reason: "a document under a name that says no type is one too many, and fails alone",
			change: func(w *world) { sheet(w, "other") }, fetched: []string{"april.csv.txt"}, writes: -1, documents: three,
			failed: []rag.Failure{{Stage: "metadata", Reason: "DuplicateDocument", Detail: `2 objects are document "april": make documents.id or documents.revision tell them apart`}},
		},
		"no name": {
			reason: "metadata that gives no name fails its document alone",
			change: func(w *world) {
				w.settings.Documents.ID = "{{ .Metadata.name }}"
				w.bucket.fields["april.txt"]["name"] = "wages"
			}, writes: -1,
			fetched: []string{"april.txt"}, documents: []string{"wages"},
			failed: []rag.Failure{
				{Stage: "metadata", Reason: "InvalidMetadata", Detail: `object "policy.txt": documents.id gives "", which must be neither empty nor hold a #`},
				{Stage: "metadata", Reason: "InvalidMetadata", Detail: `object "sub/note.txt": documents.id gives "", which must be neither empty nor hold a #`},
			},
		},
		"no date": {
			reason: "a validity that nobody can read would hide the document without a word",
			change: func(w *world) { w.bucket.fields["april.txt"]["valid_to"] = "soon" }, writes: -1, documents: []string{"note", "policy-2"},
			failed: []rag.Failure{{Stage: "metadata", Reason: "InvalidMetadata", Detail: `field "valid_to": "soon" is neither RFC 3339 nor YYYY-MM-DD`}},
		},
	}
}

// sheet puts an object of a type that is not read beside april.txt, by the same name.
func sheet(w *world, text string) {
	w.bucket.put("april.csv.txt", text, published())
	w.settings.Documents.ID = "{{ .Metadata.name }}"
	for key, name := range map[string]string{"april.txt": "april", "april.csv.txt": "april", "policy.txt": "policy", "sub/note.txt": "note"} {
		w.bucket.fields[key]["name"] = name
	}
}

func TestSecondRun(t *testing.T) {
	for name, test := range steps() {
		t.Run(name, func(t *testing.T) {
			w := furnished(t)
			before := w.sees(1)
			test.change(w)
			sum := w.run(2)
			fetched := []string{}
			for key := range w.bucket.opened {
				fetched = append(fetched, key)
			}
			slices.Sort(fetched)
			if diff := cmp.Diff(append([]string{}, test.fetched...), fetched); diff != "" || sum.Fetched != len(test.fetched)-refusedOf(test.failed) {
				t.Errorf("%s: %d fetched (-want +got):\n%s", test.reason, sum.Fetched, diff)
			}
			if len(w.encoder.texts) != test.embedded || sum.Embedded != test.embedded {
				t.Errorf("%s: embedded %q", test.reason, w.encoder.texts)
			}
			if n := len(w.tap.writes); test.writes >= 0 && n != test.writes || test.writes < 0 && n == 0 {
				t.Errorf("%s: writes %v", test.reason, w.tap.writes)
			}
			if diff := cmp.Diff(test.documents, w.documents(2)); diff != "" {
				t.Errorf("%s: revision 2 (-want +got):\n%s", test.reason, diff)
			}
			if test.withdrawn == 0 {
				if diff := cmp.Diff(before, w.sees(1)); diff != "" {
					t.Errorf("%s: revision 1 changed (-before +after):\n%s", test.reason, diff)
				}
			}
			failed := []rag.Failure{}
			for _, r := range sum.Failures {
				failed = append(failed, *r.Failure)
			}
			slices.SortFunc(failed, func(a, b rag.Failure) int { return strings.Compare(a.Detail, b.Detail) })
			skipped := []rag.Failure{}
			for _, r := range sum.Skips {
				skipped = append(skipped, *r.Failure)
			}
			if diff := cmp.Diff(append([]rag.Failure{}, test.skipped...), skipped); diff != "" || sum.Skipped != len(test.skipped) {
				t.Errorf("%s: %d skipped (-want +got):\n%s", test.reason, sum.Skipped, diff)
			}
			if diff := cmp.Diff(append([]rag.Failure{}, test.failed...), failed); diff != "" || sum.Failed != len(test.failed) || sum.Withdrawn != test.withdrawn {
				t.Errorf("%s: %d failed, %d withdrawn (-want +got):\n%s", test.reason, sum.Failed, sum.Withdrawn, diff)
			}
			settled(t, w, test)
		})
	}
}

func refusedOf(fs []rag.Failure) int {
	n := 0
	for _, f := range fs {
		if f.Reason == "FetchFailed" {
			n++
		}
	}
	return n
}

// settled runs the same revision once more, then the next: neither writes, nor
// fetches but what may have become readable.
func settled(t *testing.T, w *world, test step) {
	t.Helper()
	if refusedOf(test.failed) > 0 {
		return
	}
	want := w.sees(2)
	for _, n := range []int64{2, 3} {
		w.tap.reset()
		sum := w.run(n)
		if len(w.tap.writes) > 0 || len(w.bucket.opened) > 0 || len(w.encoder.texts) > 0 || sum.Withdrawn > 0 {
			t.Errorf("revision %d of an unchanged source: writes %v, fetched %v, embedded %v", n, w.tap.writes, w.bucket.opened, w.encoder.texts)
		}
		if diff := cmp.Diff(want, w.sees(n)); diff != "" {
			t.Errorf("revision %d of an unchanged source (-2 +%d):\n%s", n, n, diff)
		}
	}
}

// TestMends holds that a document which failed for something outside it is tried
// again, and one whose bytes are at fault is not.
func TestMends(t *testing.T) {
	w := furnished(t)
	w.bucket.put("may.txt", "Wages of May.", published())
	w.bucket.put("copy/april.txt", april, published())
	w.bucket.put("bad.txt", "unreadable", published())
	w.bucket.refuse["may.txt"] = &source.RefusedError{Err: errors.New("access denied")}
	if sum := w.run(2); sum.Failed != 4 {
		t.Fatalf("%d failed: %+v", sum.Failed, sum.Failures)
	}
	w.bucket.remove("copy/april.txt")
	delete(w.bucket.refuse, "may.txt")
	sum := w.run(3)
	if sum.Failed != 1 || sum.Failures[0].Key != "bad.txt" || w.bucket.opened["bad.txt"] > 0 {
		t.Errorf("%d failed: %+v; fetched %v", sum.Failed, sum.Failures, w.bucket.opened)
	}
	if diff := cmp.Diff([]string{"april", "may", "note", "policy-2"}, w.documents(3)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFailuresAreBounded: the summary names 20 and counts all.
func TestFailuresAreBounded(t *testing.T) {
	w := single(t)
	for i := range 25 {
		w.bucket.put(fmt.Sprintf("bad%02d.txt", i), "unreadable", published())
	}
	if sum := w.run(1); sum.Failed != 25 || sum.Total != 25 || len(sum.Failures) != 20 {
		t.Errorf("%d of %d failed, %d named", sum.Failed, sum.Total, len(sum.Failures))
	}
}

// TestRunEnds holds that what is wrong with the source or the manifest ends the run
// and writes nothing.
func TestRunEnds(t *testing.T) {
	tests := map[string]struct {
		reason string
		change func(w *world)
		want   string
		is     func(error) bool
	}{
		"changed": {"an object that changed after it was listed waits for the next listing", func(w *world) {
			w.bucket.put("may.txt", "Wages of May.", published())
			w.bucket.refuse["may.txt"] = source.ErrChanged
		}, `"may.txt"`, func(err error) bool { return errors.Is(err, source.ErrChanged) }},
		"no manifest": {"without its fields a document might be shown to anybody", func(w *world) {
			w.settings.Documents.Metadata = append(w.settings.Documents.Metadata, settings.Metadata{Manifest: "groups.jsonl"})
		}, `documents.metadata: manifest "groups.jsonl" is not in the source`, isManifest},
		"a bad manifest": {"the file and the line are named", func(w *world) { w.bucket.objects["x.txt"] = ""; w.bucket.fields[""] = map[string]any{} },
			`documents.metadata: metadata.jsonl line 1: no "key"`, isManifest},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := furnished(t)
			before := w.points()
			test.change(w)
			if _, err := w.try(2); err == nil || !test.is(err) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v, want %q", test.reason, err, test.want)
			}
			if diff := cmp.Diff(before, w.points()); diff != "" {
				t.Errorf("%s: points changed:\n%s", test.reason, diff)
			}
		})
	}
}

func isManifest(err error) bool {
	var m *ManifestError
	return errors.As(err, &m)
}

// TestLaterGeneration: a generation is not built under one that was never retracted.
func TestLaterGeneration(t *testing.T) {
	w := furnished(t)
	w.bucket.put("may.txt", "Wages of May.", published())
	w.run(3)
	if _, err := w.try(2); err == nil || !strings.Contains(err.Error(), "retract that first") {
		t.Errorf("revision 2 under revision 3: %v", err)
	}
}

// TestRealModel ingests with the real encoder and reads the vectors back.
func TestRealModel(t *testing.T) {
	m, err := embed.Open(embed.Options{Dir: settings.ModelDir(os.Getenv)})
	if err != nil {
		t.Fatalf("%v: run `make setup`", err)
	}
	w := single(t)
	w.tap.collection = "real"
	if err := w.tap.client.Ensure(t.Context(), "real", store.Schema{Size: uint64(m.Dimensions()), Strict: true, Owner: "test", Indexes: store.OwnIndexes()}); err != nil {
		t.Fatal(err)
	}
	w.bucket.put("april.txt", april, published())
	in := w.ingester()
	in.Encoder = m
	if _, err := in.Run(t.Context(), w.list(), 1, nil); err != nil {
		t.Fatal(err)
	}
	w.bucket.objects["april.txt"] = strings.Replace(april, "paid in May", "paid in June", 1)
	sum, err := in.Run(t.Context(), w.list(), 2, nil)
	if err != nil || sum.Embedded != 1 {
		t.Fatalf("%d embedded, %v; want 1", sum.Embedded, err)
	}
	for _, p := range w.points() {
		if own := p.Payload[store.Own].(map[string]any); own["kind"] != kindChunk {
			continue
		}
		c, err := chunkOf(p)
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.Embed(context.Background(), []string{c.Search()})
		if err != nil {
			t.Fatal(err)
		}
		for d := range want[0] {
			if x := want[0][d] - p.Dense[d]; x > 1e-6 || x < -1e-6 {
				t.Fatalf("%s is stored with another vector than its text has", c.Evidence())
			}
		}
	}
}
