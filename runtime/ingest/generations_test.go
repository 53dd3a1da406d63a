package ingest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/store"
)

func names(w *world, n int64) []string { return w.documents(n) }

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestGenerations goes through rejection, promotion, rollback and vacuum.
func TestGenerations(t *testing.T) {
	w := single(t)
	l := w.ledger()
	w.bucket.put("a.txt", "First a.", published())
	w.bucket.put("b.txt", "First b.", published())
	w.run(1)
	one := w.sees(1)

	w.bucket.objects["a.txt"] = "Second a."
	w.bucket.remove("b.txt")
	w.bucket.put("c.txt", "First c.", published())
	w.run(2)
	two := w.sees(2)
	if diff := cmp.Diff(one, w.sees(1)); diff != "" {
		t.Errorf("a candidate shows in the active revision (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "c"}, names(w, 2)); diff != "" {
		t.Errorf("revision 2 (-want +got):\n%s", diff)
	}

	do(t, l.Retract(t.Context(), 1, 3)) // 2 is rejected
	if diff := cmp.Diff(one, w.sees(3)); diff != "" {
		t.Errorf("after the rejection (-want +got):\n%s", diff)
	}
	w.run(3)
	if diff := cmp.Diff(two, w.sees(3)); diff != "" {
		t.Errorf("the next candidate (-want +got):\n%s", diff)
	}

	w.bucket.put("b.txt", "Second b.", published())
	w.run(4)
	if diff := cmp.Diff([]string{"a", "b", "c"}, names(w, 4)); diff != "" {
		t.Errorf("revision 4 (-want +got):\n%s", diff)
	}
	for n, want := range map[int64][]held{1: one, 3: two} { // a rollback is to ask for another number
		if diff := cmp.Diff(want, w.sees(n)); diff != "" {
			t.Errorf("revision %d beside 4 (-want +got):\n%s", n, diff)
		}
	}

	do(t, l.Retract(t.Context(), 3, 5)) // rolled back to 3, and on from there
	w.bucket.remove("c.txt")
	w.run(5)
	if diff := cmp.Diff([]string{"a", "b"}, names(w, 5)); diff != "" {
		t.Errorf("revision 5 (-want +got):\n%s", diff)
	}

	do(t, l.Vacuum(t.Context(), 3))
	for n, want := range map[int64][]string{3: {"a", "c"}, 5: {"a", "b"}} {
		if diff := cmp.Diff(want, names(w, n)); diff != "" {
			t.Errorf("revision %d after the vacuum (-want +got):\n%s", n, diff)
		}
	}
	for id, p := range w.points() {
		if to := p.Payload[store.Own].(map[string]any)["to"].(int64); to <= 3 {
			t.Errorf("point %s, which no revision from 3 on sees, is still there", id)
		}
	}

	do(t, l.Retire(t.Context()))
	if n := len(w.points()); n > 0 {
		t.Errorf("%d points of a retired corpus", n)
	}
}

// TestNeighbours: what is done to one corpus is not done to another in the same
// collection.
func TestNeighbours(t *testing.T) {
	client := connect(t)
	w, other := newWorld(t, client, "c", "one"), newWorld(t, client, "c", "two")
	for _, x := range []*world{w, other} {
		x.bucket.put("a.txt", "First a.", published("groups", []any{"staff", "board"}))
		x.bucket.put("b.txt", "First b.", published())
		x.run(1)
	}
	want := other.points()
	w.bucket.objects["a.txt"] = "Second a."
	w.bucket.fields["a.txt"]["groups"] = []any{"board"}
	w.bucket.remove("b.txt")
	w.run(2)
	do(t, w.ledger().Retract(t.Context(), 1, 3))
	w.run(3)
	do(t, w.ledger().Vacuum(t.Context(), 3))
	do(t, w.ledger().Retire(t.Context()))
	if diff := cmp.Diff(want, other.points()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWithdrawal holds that a permission that is taken away is gone from every kept
// revision at once, while the gate may keep the new one out, and that nothing is
// added to an older revision by it.
func TestWithdrawal(t *testing.T) {
	w := single(t)
	groups := func(n int64) any {
		t.Helper()
		all := w.sees(n)
		if len(all) != 1 {
			t.Fatalf("revision %d holds %d chunks", n, len(all))
		}
		return all[0].Fields["groups"]
	}
	w.bucket.put("a.txt", "First a.", published("groups", []any{"board"}))
	w.run(1)
	w.bucket.fields["a.txt"]["groups"] = []any{"board", "staff", "press"}
	w.run(2)
	if diff := cmp.Diff([]any{"board"}, groups(1)); diff != "" {
		t.Errorf("widening reached an older revision (-want +got):\n%s", diff)
	}
	w.bucket.fields["a.txt"]["groups"] = []any{"staff", "press", "guests"}
	if sum := w.run(3); sum.Withdrawn != 1 {
		t.Errorf("%d withdrawn, want 1", sum.Withdrawn)
	}
	for n, want := range map[int64][]any{1: {}, 2: {"staff", "press"}, 3: {"staff", "press", "guests"}} {
		if diff := cmp.Diff(want, groups(n)); diff != "" {
			t.Errorf("revision %d (-want +got):\n%s", n, diff)
		}
	}
	do(t, w.ledger().Retract(t.Context(), 2, 4)) // 3 was rejected: what was withdrawn stays so
	if diff := cmp.Diff([]any{"staff", "press"}, groups(2)); diff != "" {
		t.Errorf("after the rejection (-want +got):\n%s", diff)
	}
	records, err := w.ledger().Records(t.Context(), 2, false)
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	if diff := cmp.Diff([]any{"staff", "press"}, records[0].Fields["groups"]); diff != "" {
		t.Errorf("the ledger (-want +got):\n%s", diff)
	}
}

// TestChunks reads a document's chunks of one revision, whoever may see them.
func TestChunks(t *testing.T) {
	w := single(t)
	w.bucket.put("a.txt", april, published("groups", []any{}))
	w.run(1)
	w.bucket.objects["a.txt"] = "Other."
	w.run(2)
	for n, want := range map[int64]int{0: 0, 1: 2, 2: 1} {
		hits, err := w.ledger().Chunks(t.Context(), n, "a")
		if err != nil || len(hits) != want {
			t.Errorf("revision %d: %d chunks, %v; want %d", n, len(hits), err, want)
		}
	}
}
