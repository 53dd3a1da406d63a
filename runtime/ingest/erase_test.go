package ingest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestErase erases a document from every generation, in one corpus of two.
func TestErase(t *testing.T) {
	client := connect(t)
	w, other := newWorld(t, client, "c", "one"), newWorld(t, client, "c", "two")
	for _, x := range []*world{w, other} {
		x.bucket.put("a.txt", "First a.", published("title", "Wages"))
		x.bucket.put("b.txt", "First b.", published())
		x.run(1)
		x.bucket.objects["a.txt"] = "Second a."
		x.run(2)
	}
	neighbour := other.points()
	l, erased := w.ledger(), []string{"a"}
	titles, err := l.Titles(t.Context(), erased)
	if err != nil || len(titles["a"]) != 2 || titles["a"][0] != "Wages" {
		t.Errorf("titles are %v, %v", titles, err)
	}
	if got, err := l.Share(t.Context(), 2, erased); got != (Share{Records: 1, Ingested: 1, Chunks: 1}) || err != nil {
		t.Errorf("of revision 2 there are %+v, %v", got, err)
	}
	counted := l
	counted.Except = erased
	count := func(l Ledger) []int {
		t.Helper()
		documents, err := l.Count(t.Context(), 2)
		do(t, err)
		points, err := l.Points(t.Context(), 2)
		do(t, err)
		return []int{documents, points}
	}
	if got := count(counted); !slices.Equal(got, []int{1, 1}) {
		t.Errorf("without what is being erased: %v", got)
	}
	do(t, l.Erase(t.Context(), erased))
	do(t, l.Erase(t.Context(), erased)) // again, as after a crash
	if n, err := l.Held(t.Context(), erased); n != 0 || err != nil {
		t.Errorf("%d points are left, %v", n, err)
	}
	if got := count(counted); !slices.Equal(got, []int{1, 1}) || !slices.Equal(count(l), got) {
		t.Errorf("afterwards: %v", got)
	}
	for n := int64(1); n <= 2; n++ {
		if diff := cmp.Diff([]string{"b"}, w.documents(n)); diff != "" {
			t.Errorf("revision %d (-want +got):\n%s", n, diff)
		}
	}
	if diff := cmp.Diff(neighbour, other.points()); diff != "" {
		t.Errorf("another corpus' document of the same name (-want +got):\n%s", diff)
	}
	in := w.ingester()
	in.Erased = erased
	sum, err := in.Run(t.Context(), w.list(), 3, nil)
	if diff := cmp.Diff(map[string][]string{"a": {"a.txt"}}, sum.Erased); diff != "" || err != nil || sum.Total != 1 || sum.Failed != 0 {
		t.Errorf("the object is still listed: %+v, %v", sum, err)
	}
}

// TestWithdrawFrom takes a permission away in a collection that nothing is ingested
// into, from what is kept there.
func TestWithdrawFrom(t *testing.T) {
	client := connect(t)
	old, now := newWorld(t, client, "old", "one"), newWorld(t, client, "new", "one")
	old.bucket.put("a.txt", "First a.", published("groups", []any{"staff", "board"}))
	old.bucket.put("gone.txt", "Removed since.", published("groups", []any{"staff", "board"}))
	old.run(1)
	now.bucket.put("a.txt", "First a.", published("groups", []any{"board"}))
	in := now.ingester()
	n, err := in.WithdrawFrom(t.Context(), old.ledger(), now.list())
	if n != 1 || err != nil {
		t.Fatalf("%d narrowed, %v; want 1", n, err)
	}
	groups := map[string]any{}
	for _, h := range old.sees(1) {
		groups[h.Text] = h.Fields["groups"]
	}
	if diff := cmp.Diff(map[string]any{"First a.": []any{"board"}, "Removed since.": []any{"staff", "board"}}, groups); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(now.points()); n > 0 {
		t.Errorf("%d points in the other collection", n)
	}
}
