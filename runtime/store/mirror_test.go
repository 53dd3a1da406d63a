package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

const mirrored = "desk"

func mirrorSchema() Schema {
	return Schema{Size: 3, Strict: true, Owner: "test", Indexes: OwnIndexes()}
}

// fresh is an empty store with the collection.
func fresh(t *testing.T) *Client {
	t.Helper()
	s, err := embedded.Open(embedded.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	c, err := Connect(t.Context(), Config{Embedded: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Ensure(t.Context(), mirrored, mirrorSchema()); err != nil {
		t.Fatal(err)
	}
	return c
}

// several are points of two corpora, records without vectors among them.
func several(n int) []Point {
	var out []Point
	for i := range n {
		p := Point{ID: id(i), Payload: map[string]any{
			"price": 2.0, "count": int64(i), "tags": []any{"a", nil}, "nothing": nil,
			Own: map[string]any{"corpus": fmt.Sprintf("c%d", i%2), "kind": "chunk", "from": int64(1 + i%3), "to": int64(1 << 40)},
		}}
		if i%5 > 0 {
			p.Dense, p.Sparse = []float32{float32(i), 1, 2}, &Sparse{Indices: []uint32{uint32(i), 70000}, Values: []float32{0.5, 1.5}}
		}
		out = append(out, p)
	}
	return out
}

func all(t *testing.T, c *Client) map[string]Record {
	t.Helper()
	out := map[string]Record{}
	for r, err := range c.Scroll(t.Context(), mirrored, nil, AllFields(), true) {
		if err != nil {
			t.Fatal(err)
		}
		out[r.ID] = r
	}
	return out
}

// TestMirror makes copies of what differs in every way, and each is the same after.
func TestMirror(t *testing.T) {
	cases := map[string]struct {
		reason           string
		have             func(points []Point) []Point // in the copy before
		deep             bool
		written, deleted uint64
	}{
		"empty":   {"everything is copied", func([]Point) []Point { return nil }, false, 600, 0},
		"half":    {"one that was cut off is taken up where it ended", func(p []Point) []Point { return p[:400] }, false, 200, 0},
		"whole":   {"what is there is not written again", func(p []Point) []Point { return p }, true, 0, 0},
		"surplus": {"what the original has no more goes", func(p []Point) []Point { return append(p, Point{ID: id(9999)}, Point{ID: id(10_000)}) }, false, 0, 2},
		"changed": {"another payload is another point", func(p []Point) []Point {
			p[7].Payload = map[string]any{"count": int64(7)}
			return p
		}, false, 1, 0},
		"other vectors": {"a deep look sees them", func(p []Point) []Point {
			p[7].Dense, p[8].Sparse = []float32{9, 9, -9}, &Sparse{Indices: []uint32{1}, Values: []float32{1}}
			return p
		}, true, 2, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			from, to := fresh(t), fresh(t)
			if err := from.Upsert(t.Context(), mirrored, several(600)); err != nil {
				t.Fatal(err)
			}
			if err := to.Upsert(t.Context(), mirrored, tc.have(several(600))); err != nil {
				t.Fatal(err)
			}
			var told uint64
			m, err := Mirror(t.Context(), from, to, mirrored, tc.deep, func(n uint64) { told = n })
			if err != nil || m.Written != tc.written || m.Deleted != tc.deleted || told != 600 || m.Census.Points() != 600 {
				t.Errorf("%s: wrote %d of %d, deleted %d of %d, told %d: %v", tc.reason, m.Written, tc.written, m.Deleted, tc.deleted, told, err)
			}
			if diff := cmp.Diff(all(t, from), all(t, to)); diff != "" {
				t.Errorf("%s (-original +copy):\n%s", tc.reason, diff)
			}
			census, err := Compare(t.Context(), from, to, mirrored)
			if err != nil || census[Group{"c1", "chunk", 2}] != 100 {
				t.Errorf("%v, %v", census, err)
			}
		})
	}
}

// TestMirrorIsTakenUp ends a copy in the middle.
func TestMirrorIsTakenUp(t *testing.T) {
	from, to := fresh(t), fresh(t)
	if err := from.Upsert(t.Context(), mirrored, several(1000)); err != nil {
		t.Fatal(err)
	}
	ctx, cut := context.WithCancel(t.Context())
	first, err := Mirror(ctx, from, to, mirrored, false, func(n uint64) {
		if n >= 500 {
			cut()
		}
	})
	if err == nil || first.Written == 0 || first.Written == 1000 {
		t.Fatalf("wrote %d: %v", first.Written, err)
	}
	second, err := Mirror(t.Context(), from, to, mirrored, false, nil)
	if err != nil || first.Written+second.Written < 1000 || second.Written > 1000-first.Written+batchPoints {
		t.Errorf("wrote %d, then %d: %v", first.Written, second.Written, err)
	}
	if _, err := Compare(t.Context(), from, to, mirrored); err != nil {
		t.Error(err)
	}
}

func TestCompareNamesWhatDiffers(t *testing.T) {
	cases := map[string]struct {
		change func(p []Point) []Point
		says   string
	}{
		"missing":       {func(p []Point) []Point { return p[:299] }, "point " + id(299) + " is missing"},
		"besides":       {func(p []Point) []Point { return append(p, Point{ID: id(9999)}) }, "besides"},
		"payload":       {func(p []Point) []Point { p[3].Payload = nil; return p }, id(3) + " has another payload"},
		"no vector":     {func(p []Point) []Point { p[3].Dense = nil; return p }, id(3) + " has another dense"},
		"dense vector":  {func(p []Point) []Point { p[3].Dense = []float32{1, 2, 3.001}; return p }, id(3) + " has another dense"},
		"sparse vector": {func(p []Point) []Point { p[3].Sparse.Values[1] = 1.25; return p }, id(3) + " has another sparse"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			from, to := fresh(t), fresh(t)
			if err := from.Upsert(t.Context(), mirrored, several(300)); err != nil {
				t.Fatal(err)
			}
			if err := to.Upsert(t.Context(), mirrored, tc.change(several(300))); err != nil {
				t.Fatal(err)
			}
			_, err := Compare(t.Context(), from, to, mirrored)
			var mismatch *MismatchError
			if !errors.As(err, &mismatch) || !strings.Contains(mismatch.Detail, tc.says) {
				t.Errorf("%v doesn't say %q", err, tc.says)
			}
		})
	}
}

func TestMarkMove(t *testing.T) {
	c := fresh(t)
	if id, err := c.MoveOf(t.Context(), "none"); id != "" || err != nil {
		t.Errorf("a collection that isn't there: %q, %v", id, err)
	}
	if id, err := c.MoveOf(t.Context(), mirrored); id != "" || err != nil {
		t.Errorf("one that no move made: %q, %v", id, err)
	}
	if err := c.MarkMove(t.Context(), mirrored, "m1"); err != nil {
		t.Fatal(err)
	}
	if id, err := c.MoveOf(t.Context(), mirrored); id != "m1" || err != nil {
		t.Errorf("%q, %v", id, err)
	}
	if _, _, err := c.Inspect(t.Context(), mirrored, mirrorSchema()); err != nil {
		t.Errorf("the owner's marker stays: %v", err)
	}
}
