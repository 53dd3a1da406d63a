package assembly

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestPhysical(t *testing.T) {
	name := func(change func(*settings.Collection), args ...string) string {
		t.Helper()
		c := collection(t)
		change(&c)
		in := append(args, []string{"cluster", "hr", "docs", "model"}[len(args):]...)
		got, err := Physical(in[0], in[1], in[2], c, in[3])
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	same := func(*settings.Collection) {}
	first := name(same)
	if !strings.HasPrefix(first, "cluster.hr.docs.") {
		t.Errorf("name %q", first)
	}
	tests := map[string]struct {
		reason  string
		change  func(*settings.Collection)
		args    []string
		differs bool
	}{
		"the same":          {"the same collection has the same name", same, nil, false},
		"size":              {"vectors of another length don't fit", func(c *settings.Collection) { c.Vectors.Dense.Size = 768 }, nil, true},
		"distance":          {"nor do those compared otherwise", func(c *settings.Collection) { c.Vectors.Dense.Distance = "Dot" }, nil, true},
		"modifier":          {"nor sparse ones weighted otherwise", func(c *settings.Collection) { c.Vectors.Sparse.Modifier = "None" }, nil, true},
		"shards":            {"shards are cut once", func(c *settings.Collection) { c.Shards = 3 }, nil, true},
		"another model":     {"vectors of two models never meet", same, []string{"cluster", "hr", "docs", "other"}, true},
		"another cluster":   {"two clusters may share a store", same, []string{"other"}, true},
		"another namespace": {"and two namespaces a cluster", same, []string{"cluster", "it"}, true},
		"quantization":      {"what can be changed in place is", func(c *settings.Collection) { c.Vectors.Dense.Quantization = "Binary" }, nil, false},
		"on disk":           {"likewise", func(c *settings.Collection) { c.Vectors.Dense.OnDisk = true }, nil, false},
		"an index":          {"likewise", func(c *settings.Collection) { c.PayloadIndexes = nil }, nil, false},
		"strict":            {"likewise", func(c *settings.Collection) { no := false; c.Strict = &no }, nil, false},
		"replicas":          {"likewise", func(c *settings.Collection) { c.Replicas = 3 }, nil, false},
	}
	for what, test := range tests {
		if got := name(test.change, test.args...); (got != first) != test.differs {
			t.Errorf("%s: %q after %q: %s", what, got, first, test.reason)
		}
	}
}

func TestSchema(t *testing.T) {
	c := collection(t)
	no := false
	c.Strict = &no
	c.PayloadIndexes = append(c.PayloadIndexes, settings.PayloadIndex{Field: "customer", Type: "Keyword", Tenant: true})
	s := Schema(c, "me")
	if s.Owner != "me" || s.Strict || s.Size != 384 || s.Shards != 1 || s.Replicas != 1 || s.Distance != "Cosine" {
		t.Errorf("schema %+v", s)
	}
	fields := map[string]string{}
	tenant := map[string]bool{}
	for _, i := range s.Indexes {
		fields[i.Field], tenant[i.Field] = i.Type, i.Tenant
	}
	for field, kind := range map[string]string{"status": "Keyword", "valid_to": "Datetime", "customer": "Keyword", "hardgate.corpus": "Keyword", "hardgate.from": "Integer", "hardgate.key": "Keyword"} {
		if fields[field] != kind {
			t.Errorf("index on %s is %q, want %q", field, fields[field], kind)
		}
	}
	if !tenant["customer"] || tenant["status"] {
		t.Errorf("tenant fields %v", tenant)
	}
	c.Strict = nil
	if !Schema(c, "me").Strict {
		t.Error("a collection is strict unless it says otherwise")
	}
}

func TestUnindexed(t *testing.T) {
	rules := settings.Eligibility{
		Constants: []settings.Constant{{Field: "status"}},
		Identity:  []settings.IdentityRule{{Field: "groups"}, {Field: "customer"}},
		Question:  []settings.QuestionRule{{Field: "product"}, {Field: "customer"}},
		Validity:  &settings.Validity{From: "valid_from", To: "valid_to"},
	}
	index := func(pairs ...string) settings.Collection {
		var c settings.Collection
		for i := 0; i < len(pairs); i += 2 {
			c.PayloadIndexes = append(c.PayloadIndexes, settings.PayloadIndex{Field: pairs[i], Type: pairs[i+1]})
		}
		return c
	}
	tests := map[string]struct {
		reason string
		rules  settings.Eligibility
		in     settings.Collection
		want   []string
	}{
		"all there":  {"nothing is missing", rules, index("status", "Keyword", "groups", "Keyword", "customer", "Keyword", "product", "Keyword", "valid_from", "Datetime", "valid_to", "Datetime"), nil},
		"none":       {"each field once, with the type it needs", rules, index(), []string{"status (Keyword)", "groups (Keyword)", "customer (Keyword)", "product (Keyword)", "valid_from (Datetime)", "valid_to (Datetime)"}},
		"wrong type": {"an index of another type serves no such filter", rules, index("status", "Integer", "groups", "Keyword", "customer", "UUID", "product", "Keyword", "valid_from", "Keyword", "valid_to", "Datetime"), []string{"status (Keyword)", "customer (Keyword)", "valid_from (Datetime)"}},
		"open end":   {"a validity without an end needs none", settings.Eligibility{Validity: &settings.Validity{From: "valid_from"}}, index("valid_from", "Datetime"), nil},
		"no rules":   {"no rules need nothing", settings.Eligibility{}, index(), nil},
	}
	for name, test := range tests {
		if diff := gocmp.Diff(test.want, Unindexed(test.rules, test.in)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, test.reason, diff)
		}
	}
}

func TestFilter(t *testing.T) {
	f := Filter(settings.Source{Include: []string{"*.pdf"}, Exclude: []string{"b*"}, MaxObjectBytes: 7})
	if diff := gocmp.Diff([]any{[]string{"*.pdf"}, []string{"b*"}, int64(7)}, []any{f.Include, f.Exclude, f.MaxObjectBytes}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(Options{ModelDir: dir}); err == nil || !strings.Contains(err.Error(), "model.onnx") || !strings.Contains(err.Error(), "make setup") {
		t.Errorf("an empty model directory: %v", err)
	}
}

func TestFresh(t *testing.T) {
	a, b := engine(t, ""), engine(t, "")
	l := newLibrary(t, a)
	l.ingest(1)
	client, err := b.Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Count(t.Context(), l.place.Collection, nil, true); err == nil {
		t.Error("two runtimes share one store")
	}
	if again, err := b.Embedded(t.Context()); err != nil || again != client {
		t.Errorf("the store is opened twice: %v", err)
	}
}

// TestView reads a revision as it is stored, whoever may see it.
func TestView(t *testing.T) {
	l := newLibrary(t, engine(t, ""))
	l.ingest(1)
	v := l.runtime.View(l.place, 1, l.listing.Keys)
	records, err := v.Records(t.Context())
	if err != nil || len(records) != 4 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	slices.SortFunc(records, func(a, b rag.Record) int { return cmp.Compare(a.Key, b.Key) })
	if r := records[0]; r.Key != "bonus.pdf" || !strings.Contains(r.Text, "ten percent") || r.Fields["status"] != "published" {
		t.Errorf("record %+v", r)
	}
	chunks, err := v.Chunks(t.Context(), "register")
	if err != nil || len(chunks) < 2 || !slices.IsSortedFunc(chunks, func(a, b rag.Hit) int { return cmp.Compare(a.Ordinal, b.Ordinal) }) {
		t.Errorf("%d chunks, %v", len(chunks), err)
	}
	payload, err := v.Payload(t.Context(), []string{chunks[0].ID, "00000000-0000-0000-0000-000000000001"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(map[string]map[string]any{chunks[0].ID: staff()}, payload); diff != "" {
		t.Errorf("payload (-want +got):\n%s", diff)
	}
	if objects, err := v.Objects(t.Context()); err != nil || !slices.Contains(objects, "metadata.jsonl") || len(objects) != 5 {
		t.Errorf("objects %v, %v", objects, err)
	}
	if later, err := l.runtime.View(l.place, 0, nil).Records(t.Context()); err != nil || len(later) > 0 {
		t.Errorf("revision 0 has %d records, %v", len(later), err)
	}
}

// sample is a context with something in every field that is kept.
func sample(hash string) rag.PromptContext {
	dense := .5
	return rag.PromptContext{
		Question: rag.Question{Text: "how many", AsOf: may, Identity: rag.Identity{User: "u", Tenant: "t", Groups: []string{"g"}, Claims: map[string][]string{"c": {"d"}}}},
		Hits: []rag.Hit{{ID: "id", Rank: 1, Lost: 2, Scores: rag.Scores{Dense: &dense, Fused: .7, Pinned: 1}, Chunk: rag.Chunk{
			Document: "reg", Title: "T", Passage: "p1.t1", Aliases: []string{"april"}, Heading: "April", Piece: 1, Pieces: 2, Ordinal: 3, Table: true, Header: []string{"Id"}, IDs: []string{"st001"},
			Units: []rag.Unit{{Name: "r1", Kind: rag.RowUnit, Text: "ST001", Cells: []string{"ST001"}, Order: 4, Place: rag.Place{Page: 2, Box: rag.Box{X0: 1, Y0: 2, X1: 3.25, Y1: 4}}}}, Place: rag.Place{Page: 2},
		}}},
		Handles: []rag.Handle{{Name: "1.1", Hit: 0, Unit: 0}}, Text: "text", Hash: hash, Flags: []rag.Flag{{Stage: "gather", Reason: "TableIncomplete", Detail: "d"}},
	}
}

// TestContexts holds both ways of keeping contexts to the same.
func TestContexts(t *testing.T) {
	for name, keep := range map[string]contexts{"memory": newContexts(""), "files": newContexts(t.TempDir())} {
		t.Run(name, func(t *testing.T) {
			want := sample("sha256:ab")
			if err := keep.put("one", want); err != nil {
				t.Fatal(err)
			}
			got, err := keep.get("one", "sha256:ab")
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("read back (-want +got):\n%s", diff)
			}
			for _, other := range [][2]string{{"one", "sha256:cd"}, {"two", "sha256:ab"}, {"", "sha256:ab"}, {"one", ""}, {"one/..", "sha256:ab"}, {".", "one/sha256:ab"}} {
				if c, err := keep.get(other[0], other[1]); !errors.Is(err, ErrNoContext) || c.Text != "" {
					t.Errorf("%q of %q: %v", other[1], other[0], err)
				}
			}
			if err := keep.put("two", sample("sha256:ef")); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := keep.forget("one"); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := keep.get("one", "sha256:ab"); !errors.Is(err, ErrNoContext) {
				t.Errorf("a forgotten one: %v", err)
			}
			if _, err := keep.get("two", "sha256:ef"); err != nil {
				t.Errorf("another corpus' one: %v", err)
			}
		})
	}
}

// TestContextsAreBounded: the oldest go first, of that corpus alone.
func TestContextsAreBounded(t *testing.T) {
	dir := t.TempDir()
	for name, keep := range map[string]contexts{"memory": newContexts(""), "files": newContexts(dir)} {
		t.Run(name, func(t *testing.T) {
			if err := keep.put("other", sample("sha256:ab")); err != nil {
				t.Fatal(err)
			}
			for i := range maxContexts {
				hash := fmt.Sprintf("h%04d", i)
				if err := keep.put("one", rag.PromptContext{Hash: hash}); err != nil {
					t.Fatal(err)
				}
				if name == "files" { // a file's age is read from its clock, which may stand still between two of them
					age := may.Add(time.Duration(i) * time.Second)
					if err := os.Chtimes(filepath.Join(dir, "contexts", "one", hash+".json"), age, age); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := keep.put("one", rag.PromptContext{Hash: "newest"}); err != nil {
				t.Fatal(err)
			}
			if _, err := keep.get("one", "h0000"); !errors.Is(err, ErrNoContext) {
				t.Errorf("the oldest of %d: %v", maxContexts+1, err)
			}
			for _, hash := range []string{"newest", fmt.Sprintf("h%04d", maxContexts-1), fmt.Sprintf("h%04d", maxContexts/2)} {
				if _, err := keep.get("one", hash); err != nil {
					t.Errorf("%s: %v", hash, err)
				}
			}
			if _, err := keep.get("other", "sha256:ab"); err != nil {
				t.Errorf("another corpus': %v", err)
			}
		})
	}
}

// TestContextFiles outlive the process, and are told from broken ones.
func TestContextFiles(t *testing.T) {
	dir := t.TempDir()
	if err := newContexts(dir).put("one", sample("sha256:ab")); err != nil {
		t.Fatal(err)
	}
	reopened := newContexts(dir)
	if c, err := reopened.get("one", "sha256:ab"); err != nil || c.Text != "text" {
		t.Errorf("after a restart: %q, %v", c.Text, err)
	}
	path := filepath.Join(dir, "contexts", "one", "sha256:ab.json")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file %v, %v", info, err)
	}
	if err := os.WriteFile(path, []byte(`{"Text":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := reopened.get("one", "sha256:ab"); err == nil || errors.Is(err, ErrNoContext) {
		t.Errorf("half a file: %v", err)
	}
	if err := reopened.put("a/b", sample("sha256:ab")); err == nil {
		t.Error("a corpus named like a path is accepted")
	}
}
