package ingest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestDescribe(t *testing.T) {
	path := settings.Metadata{Path: `^(?P<customer>[^/]+)/(?P<doc_type>[^/]+)/`}
	manifest := settings.Metadata{Manifest: "m.jsonl"}
	set := settings.Metadata{Set: map[string]any{"status": "published", "customer": "all"}}
	manifests := map[string]Manifest{"m.jsonl": {
		"north/registers/april.v2.pdf": {"customer": "from manifest", "groups": []any{"a"}, "revision": int64(20250101)},
		"x/y/odd.pdf":                  {"revision": "v#2"},
		"x/y/own.pdf":                  {"hardgate": "mine"},
		"x/y/nested.pdf":               {"about": map[string]any{"no": int64(7)}},
	}}
	tests := map[string]struct {
		reason   string
		id, rev  string
		rules    []settings.Metadata
		key      string
		want     Description
		wantsErr string
	}{
		"base": {
			reason: "the file's name without its extension", id: "{{ .Base }}", key: "north/registers/april.v2.pdf",
			want: Description{ID: "april.v2", Fields: map[string]any{}},
		},
		"key": {
			reason: "or the whole key", id: "{{ .Key }}", key: "north/registers/april.v2.pdf",
			want: Description{ID: "north/registers/april.v2.pdf", Fields: map[string]any{}},
		},
		"named groups": {
			reason: "named groups of the path are fields", id: "{{ .Metadata.customer }}-{{ .Base }}", rules: []settings.Metadata{path}, key: "north/registers/april.v2.pdf",
			want: Description{ID: "north-april.v2", Fields: map[string]any{"customer": "north", "doc_type": "registers"}},
		},
		"a path that doesn't match": {
			reason: "gives nothing", id: "{{ .Base }}", rules: []settings.Metadata{path}, key: "april.pdf",
			want: Description{ID: "april", Fields: map[string]any{}},
		},
		"later rules win": {
			reason: "in the order in which they stand", id: "{{ .Base }}", rules: []settings.Metadata{path, manifest, set}, key: "north/registers/april.v2.pdf",
			want: Description{ID: "april.v2", Fields: map[string]any{"customer": "all", "doc_type": "registers", "groups": []any{"a"}, "revision": int64(20250101), "status": "published"}},
		},
		"earlier rules lose": {
			reason: "the same rules the other way round", id: "{{ .Base }}", rules: []settings.Metadata{set, manifest, path}, key: "north/registers/april.v2.pdf",
			want: Description{ID: "april.v2", Fields: map[string]any{"customer": "north", "doc_type": "registers", "groups": []any{"a"}, "revision": int64(20250101), "status": "published"}},
		},
		"a whole number": {
			reason: "is printed as it was written", id: "{{ .Base }}", rev: "{{ .Metadata.revision }}", rules: []settings.Metadata{manifest}, key: "north/registers/april.v2.pdf",
			want: Description{ID: "april.v2", Revision: "20250101", Fields: map[string]any{"customer": "from manifest", "groups": []any{"a"}, "revision": int64(20250101)}},
		},
		"a number of the settings": {
			reason: "likewise", id: "{{ .Base }}", rev: "v{{ .Metadata.revision }}", rules: []settings.Metadata{{Set: map[string]any{"revision": json.Number("3")}}}, key: "a.pdf",
			want: Description{ID: "a", Revision: "v3", Fields: map[string]any{"revision": json.Number("3")}},
		},
		"no such field": {
			reason: "a field that is missing is nothing, and the document has no revision", id: "{{ .Base }}", rev: "{{ .Metadata.revision }}", rules: []settings.Metadata{path}, key: "a.pdf",
			want: Description{ID: "a", Fields: map[string]any{}},
		},
		"nothing left": {
			reason: "a document needs a name", id: "{{ .Metadata.name }}", key: "a.pdf", wantsErr: `object "a.pdf": documents.id gives ""`,
		},
		"no base": {
			reason: "a file of an extension alone has none", id: "{{ .Base }}", key: "x/.pdf", wantsErr: `documents.id gives ""`,
		},
		"a # in the id": {
			reason: "which parts document and passage", id: "{{ .Base }}", key: "a#b.pdf", wantsErr: `documents.id gives "a#b"`,
		},
		"a # in the revision": {
			reason: "likewise", id: "{{ .Base }}", rev: "{{ .Metadata.revision }}", rules: []settings.Metadata{manifest}, key: "x/y/odd.pdf", wantsErr: `documents.revision gives "v#2"`,
		},
		"the operator's field": {
			reason: "a manifest that could set hardgate.to could hide or show anything", id: "{{ .Base }}", rules: []settings.Metadata{manifest}, key: "x/y/own.pdf", wantsErr: `the field "hardgate" is the operator's own`,
		},
		"the operator's field by the path": {
			reason: "likewise", id: "{{ .Base }}", rules: []settings.Metadata{{Path: `^(?P<hardgate>.)`}}, key: "a.pdf", wantsErr: `the field "hardgate" is the operator's own`,
		},
		"below a field that is missing": {
			reason: "is an error that names the object", id: "{{ .Metadata.about.no }}", key: "x/y/z.pdf", wantsErr: `object "x/y/z.pdf"`,
		},
		"below a field": {
			reason: "objects can be reached into", id: "{{ .Metadata.about.no }}", rules: []settings.Metadata{manifest}, key: "x/y/nested.pdf",
			want: Description{ID: "7", Fields: map[string]any{"about": map[string]any{"no": int64(7)}}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d, err := NewDescriber(settings.Documents{ID: test.id, Revision: test.rev, Metadata: test.rules})
			if err != nil {
				t.Fatal(err)
			}
			got, err := d.Describe(test.key, manifests)
			if test.wantsErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantsErr) {
					t.Errorf("%s: error %v, want %q", test.reason, err, test.wantsErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

// TestDescribeKeepsTheManifest: describing one document leaves the others' fields alone.
func TestDescribeKeepsTheManifest(t *testing.T) {
	d, err := NewDescriber(settings.Documents{ID: "{{ .Base }}", Metadata: []settings.Metadata{{Manifest: "m"}, {Set: map[string]any{"status": "published"}}}})
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]Manifest{"m": {"a.pdf": {"groups": "x"}}}
	first, err := d.Describe("a.pdf", m)
	if err != nil {
		t.Fatal(err)
	}
	first.Fields["groups"] = "y"
	second, err := d.Describe("b.pdf", m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]Manifest{"m": {"a.pdf": {"groups": "x"}}}, m); diff != "" || len(second.Fields) != 1 {
		t.Errorf("second %v (-want +got):\n%s", second.Fields, diff)
	}
}

func TestNewDescriberRefuses(t *testing.T) {
	tests := map[string]struct {
		documents settings.Documents
		want      string
	}{
		"id":       {settings.Documents{ID: "{{ .Base"}, "documents.id"},
		"revision": {settings.Documents{ID: "x", Revision: "{{ end }}"}, "documents.revision"},
		"path":     {settings.Documents{ID: "x", Metadata: []settings.Metadata{{Set: map[string]any{"a": "b"}}, {Path: "("}}}, "documents.metadata[1].path"},
	}
	for name, test := range tests {
		if _, err := NewDescriber(test.documents); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func TestParseManifest(t *testing.T) {
	tests := map[string]struct {
		reason   string
		text     string
		want     Manifest
		wantsErr string
	}{
		"empty": {reason: "no lines describe nothing", want: Manifest{}},
		"kinds of value": {
			reason: "every value stays what it is; whole numbers are whole",
			text:   "\n" + `{"key":"a.pdf","title":"A","n":3,"f":2.5,"big":1e300,"yes":true,"none":null,"groups":["x",["y"],1],"of":{"n":1}}` + "\r\n\n",
			want: Manifest{"a.pdf": {"title": "A", "n": int64(3), "f": 2.5, "big": 1e300, "yes": true, "none": nil, "groups": []any{"x", []any{"y"}, int64(1)},
				"of": map[string]any{"n": int64(1)}}},
		},
		"no newline at the end": {reason: "the last line counts", text: `{"key":"a"}` + "\n" + `{"key":"b"}`, want: Manifest{"a": {}, "b": {}}},
		"no key":                {reason: "whose fields would it be", text: `{"key":"a"}` + "\n" + `{"title":"b"}`, wantsErr: `side.jsonl line 2: no "key"`},
		"a key that is no text": {reason: "likewise", text: `{"key":7}`, wantsErr: `side.jsonl line 1: no "key"`},
		"twice":                 {reason: "which of them counts would be a guess", text: `{"key":"a"}` + "\n\n" + `{"key":"a"}`, wantsErr: `side.jsonl line 3: key "a" is described twice`},
		"no JSON":               {reason: "named by file and line", text: `{"key":"a"}` + "\n" + `{"key":`, wantsErr: "side.jsonl line 2: "},
		"no object":             {reason: "likewise", text: `["a"]`, wantsErr: "side.jsonl line 1: "},
		"two on a line":         {reason: "likewise", text: `{"key":"a"}{"key":"b"}`, wantsErr: "side.jsonl line 1: "},
		"null":                  {reason: "a null is no object", text: "null", wantsErr: `side.jsonl line 1: no "key"`},
		"an endless line":       {reason: "likewise", text: `{"key":"a"}` + "\n" + `{"key":"` + strings.Repeat("x", 1<<20) + `"}`, wantsErr: "side.jsonl line 2: "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseManifest("side.jsonl", []byte(test.text))
			if test.wantsErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantsErr) {
					t.Errorf("%s: error %v, want %q", test.reason, err, test.wantsErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

func TestNarrowed(t *testing.T) {
	rules := settings.Eligibility{
		Constants: []settings.Constant{{Field: "status", Values: []string{"published"}}},
		Identity:  []settings.IdentityRule{{Field: "groups", Claim: "groups"}, {Field: "customer", Claim: "tenant", Shared: []string{"all"}}},
		Question:  []settings.QuestionRule{{Field: "product", Pattern: "x"}},
		Validity:  &settings.Validity{From: "from", To: "to"},
	}
	type m = map[string]any
	tests := map[string]struct {
		reason  string
		was, is m
		want    m
	}{
		"the same":           {"nothing is taken away", m{"groups": []any{"a", "b"}, "from": "2026-01-01"}, m{"groups": []any{"b", "a"}, "from": "2026-01-01T00:00:00Z"}, m{}},
		"fewer groups":       {"what is left stays", m{"groups": []any{"a", "b"}}, m{"groups": []any{"b"}}, m{"groups": []any{"b"}}},
		"no groups":          {"nobody is left", m{"groups": []any{"a"}}, m{}, m{"groups": []any{}}},
		"null groups":        {"likewise", m{"groups": []any{"a"}}, m{"groups": nil}, m{"groups": []any{}}},
		"more groups":        {"widening waits", m{"groups": []any{"a"}}, m{"groups": []any{"a", "b"}}, m{}},
		"other groups":       {"what is new waits, what is gone goes", m{"groups": []any{"a", "b"}}, m{"groups": []any{"b", "c"}}, m{"groups": []any{"b"}}},
		"one value":          {"a single value is a list of one", m{"groups": "a"}, m{"groups": []any{"a", "b"}}, m{}},
		"a list of one":      {"likewise", m{"groups": []any{"a", "b"}}, m{"groups": "a"}, m{"groups": []any{"a"}}},
		"another customer":   {"the old one's is withdrawn at once", m{"customer": "north"}, m{"customer": "south"}, m{"customer": []any{}}},
		"no longer for all":  {"a shared value is a value", m{"customer": "all"}, m{"customer": "north"}, m{"customer": []any{}}},
		"another status":     {"withdrawn", m{"status": "published"}, m{"status": "withdrawn"}, m{"status": []any{}}},
		"another product":    {"a question's field selects too", m{"product": "AX-42"}, m{"product": "AX-24"}, m{"product": []any{}}},
		"another field":      {"what selects nothing waits", m{"title": "a"}, m{"title": "b"}, m{}},
		"a number":           {"numbers are compared as they print", m{"customer": int64(7)}, m{"customer": 7.0}, m{}},
		"a later from":       {"the validity is shorter", m{"from": "2026-01-01"}, m{"from": "2026-02-01"}, m{"from": "2026-02-01"}},
		"an earlier from":    {"longer waits", m{"from": "2026-01-01"}, m{"from": "2025-02-01"}, m{}},
		"no from":            {"an absent from admits nobody", m{"from": "2026-01-01"}, m{}, m{"from": nil}},
		"a null from":        {"nor does a null", m{"from": "2026-01-01"}, m{"from": nil}, m{"from": nil}},
		"a blank from":       {"nor does a blank", m{"from": "2026-01-01"}, m{"from": ""}, m{"from": ""}},
		"a from at last":     {"that widens", m{}, m{"from": "2026-01-01"}, m{}},
		"several froms":      {"any will do, so the first counts", m{"from": []any{"2026-01-01", "2027-01-01"}}, m{"from": []any{"2027-01-01", "2026-01-01"}}, m{}},
		"the first from":     {"without it the next counts", m{"from": []any{"2026-01-01", "2027-01-01"}}, m{"from": []any{"2027-01-01"}}, m{"from": []any{"2027-01-01"}}},
		"a to":               {"what was open ends", m{}, m{"to": "2026-01-01"}, m{"to": "2026-01-01"}},
		"a to after null":    {"likewise", m{"to": nil}, m{"to": "2026-01-01"}, m{"to": "2026-01-01"}},
		"a to after empty":   {"likewise", m{"to": []any{}}, m{"to": "2026-01-01"}, m{"to": "2026-01-01"}},
		"a blank to":         {"a blank hides, unlike an absent one", m{}, m{"to": ""}, m{"to": ""}},
		"a to after a blank": {"what was hidden is shown: widening", m{"to": ""}, m{"to": "2026-01-01"}, m{}},
		"an earlier to":      {"the validity is shorter", m{"to": "2026-03-01"}, m{"to": "2026-01-01T10:00:00+02:00"}, m{"to": "2026-01-01T10:00:00+02:00"}},
		"a later to":         {"longer waits", m{"to": "2026-03-01"}, m{"to": "2027-01-01"}, m{}},
		"no to":              {"open is longer", m{"to": "2026-03-01"}, m{}, m{}},
		"everything":         {"each field by itself", m{"groups": []any{"a"}, "status": "published", "from": "2026-01-01"}, m{"groups": []any{"b"}, "status": "draft", "from": "2026-01-02", "to": "2026-05-01"}, m{"groups": []any{}, "status": []any{}, "from": "2026-01-02", "to": "2026-05-01"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			was := fmt.Sprint(test.was)
			if diff := cmp.Diff(test.want, narrowed(rules, test.was, test.is)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			if fmt.Sprint(test.was) != was {
				t.Error("the old fields were changed")
			}
			patched(test.was, test.want)
			if again := narrowed(rules, test.was, test.is); len(again) > 0 {
				t.Errorf("once more: %v", again)
			}
		})
	}
	if got := narrowed(settings.Eligibility{}, m{"groups": "a", "from": "2026-01-01"}, m{}); len(got) > 0 {
		t.Errorf("without rules nothing selects: %v", got)
	}
}

// TestIdentify holds that every part of a point's name counts, revisions of any
// number too.
func TestIdentify(t *testing.T) {
	seen := map[string]string{}
	add := func(name string, parts ...any) {
		id := identify(parts...)
		if old, twice := seen[id]; twice {
			t.Errorf("%s and %s have one id", old, name)
		}
		seen[id] = name
	}
	for _, n := range []int64{0, 1, 2, 34, 92, 0xD7FF, 0xD800, 0xD801, 0xDFFF, 0xFFFD, 0x10FFFF, 0x110000, 0x110001, Open - 1, Open} {
		add(fmt.Sprint("revision ", n), "corpus", "document", "p1", 0, "hash", n)
	}
	for _, piece := range []int{1, 2, 10} {
		add(fmt.Sprint("piece ", piece), "corpus", "document", "p1", piece, "hash", int64(1))
	}
	add("parts", "corpus", "document", "p1 ", 0, "hash", int64(1))
	add("other parts", "corpus", "document p1", "", 0, "hash", int64(1))
	add("quoted", "corpus", `document" "p1`, 0, "hash", int64(1))
	first := identify("a", 1)
	if again := identify("a", 1); again != first {
		t.Errorf("the same name has two ids, %s and %s", first, again)
	}
}

func TestEqual(t *testing.T) {
	type m = map[string]any
	tests := map[string]struct {
		a, b m
		want bool
	}{
		"none and none":       {nil, m{}, true},
		"kinds of number":     {m{"n": int64(1)}, m{"n": json.Number("1.0")}, true},
		"other number":        {m{"n": 1.5}, m{"n": int64(1)}, false},
		"text and number":     {m{"n": "1"}, m{"n": int64(1)}, false},
		"null and absent":     {m{"n": nil}, m{}, false},
		"order of a list":     {m{"n": []any{"a", "b"}}, m{"n": []any{"b", "a"}}, false},
		"lists of other type": {m{"n": []any{"a"}}, m{"n": []string{"a"}}, true},
	}
	for name, test := range tests {
		if got := equal(test.a, test.b); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
