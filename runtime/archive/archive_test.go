package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/hardgate-dev/hardgate/runtime/store"
)

func manifest() Manifest {
	return Manifest{
		Format: Format, TakenAt: time.Date(2026, 4, 1, 10, 0, 0, 0, time.UTC), Version: "1.2.3", Cluster: "eu-1", Namespace: "hr", Collection: "hr",
		Physical: "eu-1.hr.hr.0011223344", Model: "sha256:aa", Size: 3, Spec: json.RawMessage(`{"strict":true}`),
	}
}

func corpus() Corpus {
	return Corpus{
		Name: "payroll", UID: "u1", Alias: "hr.payroll", Status: json.RawMessage(`{"active":{"revision":2}}`),
		Revisions: []Revision{{1, json.RawMessage(`{"n":1}`)}, {2, json.RawMessage(`{"n":2}`)}},
		Receipts:  []Receipt{{"r1", map[string]string{"a": "b"}, map[string]string{"c": "d"}, map[string]string{"receipt.json": "{}"}}},
	}
}

func points(n int) []store.Point {
	var out []store.Point
	for i := range n {
		p := store.Point{ID: fmt.Sprintf("%08d-0000-4000-8000-000000000000", i), Payload: map[string]any{
			"price": 2.0, "tags": []any{"a", nil}, "hardgate": map[string]any{"corpus": "u1", "kind": "chunk", "from": int64(i % 2), "to": int64(9)},
		}}
		if i%3 > 0 {
			p.Dense, p.Sparse = []float32{float32(i), -0.5, 1e-20}, &store.Sparse{Indices: []uint32{uint32(i), 1 << 31}, Values: []float32{0.25, 3}}
		}
		out = append(out, p)
	}
	return out
}

// written is a whole archive.
func written(t *testing.T, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, manifest())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{
		func() error { return w.Section(Corpora) }, func() error { return w.Corpus(corpus()) }, func() error { return w.Section(Points) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range points(n) {
		if err := w.Point(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type contents struct {
	Manifest Manifest
	Corpora  []Corpus
	Points   []store.Point
}

func read(r io.Reader) (contents, error) {
	var out contents
	x, err := NewReader(r)
	if err != nil {
		return out, err
	}
	defer x.Close()
	out.Manifest = x.Manifest
	err = x.Each(Handler{
		Corpus: func(c Corpus) error { out.Corpora = append(out.Corpora, c); return nil },
		Point:  func(p store.Point) error { out.Points = append(out.Points, p); return nil },
	})
	return out, err
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 500} {
		data := written(t, n)
		got, err := read(iotest.HalfReader(bytes.NewReader(data)))
		if err != nil {
			t.Fatal(err)
		}
		want := contents{manifest(), []Corpus{corpus()}, points(n)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d points (-want +got):\n%s", n, diff)
		}
		if !bytes.Equal(data, written(t, n)) {
			t.Error("the same contents give another archive")
		}
	}
}

// TestCutOff ends an archive after every length.
func TestCutOff(t *testing.T) {
	data := written(t, 40)
	for n := range data {
		if _, err := read(bytes.NewReader(data[:n])); !errors.Is(err, ErrTruncated) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

// TestFlipped changes each byte in turn: no archive whose contents were changed is
// read to its end. A few bits of the compression mean nothing.
func TestFlipped(t *testing.T) {
	data := written(t, 40)
	whole, err := read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1 << (i % 8)
		got, err := read(bytes.NewReader(changed))
		if err == nil && cmp.Equal(whole, got) {
			continue
		}
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrTruncated) {
			t.Fatalf("byte %d of %d: %v", i, len(data), err)
		}
	}
}

// raw is an archive of these records, hashes or not.
func raw(t *testing.T, records ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString(magic)
	z, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if _, err := io.WriteString(z, r[:1]+string(rune(len(r)-1))+r[1:]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRefused(t *testing.T) {
	whole := written(t, 3)
	const begin = `M{"format":"` + Format + `"}`
	cases := map[string]struct {
		reason string
		data   []byte
		want   error
		says   string
	}{
		"nothing":           {"an empty file was never begun", nil, ErrTruncated, ""},
		"another file":      {"what it begins with tells people what they have", []byte("%PDF-1.7\n" + strings.Repeat("x", 100)), ErrForeign, "%PDF"},
		"another version":   {"a later format may mean other things", []byte("hardgate.archive/v2\n..."), ErrForeign, "/v2"},
		"no manifest":       {"nobody knows what it is of", raw(t, "Spoints"), ErrDamaged, "manifest"},
		"unknown section":   {"it would be lost in silence", raw(t, begin, "Ssecrets", "Ex"), ErrForeign, "secrets"},
		"unknown record":    {"likewise", raw(t, begin, "Qx"), ErrDamaged, "unknown record"},
		"entry outside":     {"it belongs to nothing", raw(t, begin, "Ex"), ErrDamaged, "outside"},
		"section in one":    {"the first is not closed", raw(t, begin, "Spoints", "Spoints"), ErrDamaged, "not closed"},
		"wrong count":       {"an entry is missing", raw(t, begin, "Scorpora", `C{"section":"corpora","entries":1,"sha256":"x"}`), ErrDamaged, "has 0 entries"},
		"no such section":   {"it closes what was not begun", raw(t, begin, `C{"section":"corpora"}`), ErrDamaged, "not begun"},
		"wrong hash":        {"something was changed and everything compressed anew", raw(t, begin, `Z{"sections":0,"sha256":"00"}`), ErrDamaged, "hash"},
		"no point":          {"an entry that is none", raw(t, begin, "Spoints", "E\xff\xff"), ErrDamaged, "point 1"},
		"something follows": {"two archives in one file are one too many", append(bytes.Clone(whole), whole[len(magic):]...), ErrDamaged, "follows"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := read(bytes.NewReader(tc.data)); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: %v is not %v, or doesn't say %q", tc.reason, err, tc.want, tc.says)
			}
		})
	}
}

// TestFailed tells the reader why the writer gave up.
func TestFailed(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, manifest())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Section(Points); err != nil {
		t.Fatal(err)
	}
	if err := w.Fail(errors.New("the store went away")); err != nil {
		t.Fatal(err)
	}
	_, err = read(&out)
	var failed *FailedError
	if !errors.As(err, &failed) || failed.Reason != "the store went away" {
		t.Errorf("%v", err)
	}
}

// TestStreamFails keeps a fault of the wire apart from damage.
func TestStreamFails(t *testing.T) {
	cut := errors.New("connection reset")
	data := written(t, 100)
	_, err := read(io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(cut)))
	if !errors.Is(err, cut) || errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
}
