package ingest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// furnish is what revision 1 of the crash test holds; alter is what its revision 2
// makes of it: each kind of change once.
func furnish(w *world) {
	w.bucket.put("changed.txt", april, published())
	w.bucket.put("kept.txt", "Kept as it is.", published())
	w.bucket.put("removed.txt", "Removed soon.", published())
	w.bucket.put("renamed.txt", "Called otherwise.", published())
	w.bucket.put("widened.txt", policy, published())
	w.bucket.put("narrowed.txt", "Shown to fewer.", published("groups", []any{"staff", "board"}))
	w.bucket.put("fails.txt", "Fails later.", published())
}

func alter(w *world) {
	w.bucket.objects["changed.txt"] = strings.Replace(april, "paid in May", "paid in June", 1)
	w.bucket.remove("removed.txt")
	w.bucket.remove("renamed.txt")
	w.bucket.put("sub/renamed.txt", "Called otherwise.", published())
	w.bucket.fields["widened.txt"]["groups"] = []any{"staff", "board"}
	w.bucket.fields["narrowed.txt"]["groups"] = []any{"staff"}
	w.bucket.objects["fails.txt"] = "unreadable"
	w.bucket.put("added.txt", policy, published("title", "Leave"))
}

// TestCrash ends the second revision's ingestion at every call of the store, before
// it is done, half done, and done but not acknowledged; then runs it again.
// Afterwards the same points are stored as without the crash, and nothing that was
// acknowledged was fetched or embedded twice.
func TestCrash(t *testing.T) {
	client := connect(t)
	calm := newWorld(t, client, "calm", "corpus")
	furnish(calm)
	calm.run(1)
	first := calm.sees(1)
	alter(calm)
	calm.tap.reset()
	whole := calm.run(2)
	calls, want := calm.tap.calls, calm.points()
	if calls < 20 || whole.Withdrawn != 1 || whole.Failed != 1 {
		t.Fatalf("%d calls, summary %+v: the case needs more", calls, whole)
	}
	for call := 1; call <= calls; call++ {
		for _, done := range []float64{0, .5, 1} {
			t.Run(fmt.Sprintf("call %d done %.1f", call, done), func(t *testing.T) {
				w := newWorld(t, client, "crash", "corpus")
				defer func() {
					if err := client.DropCollection(t.Context(), "crash", "test"); err != nil {
						t.Fatal(err)
					}
				}()
				furnish(w)
				w.run(1)
				alter(w)
				w.tap.reset()
				w.tap.crashAt, w.tap.crashDone = call, done
				if _, err := w.try(2); !errors.Is(err, errCrash) {
					t.Fatalf("the crash is not told: %v", err)
				}
				unchanged(t, w, first)
				acked, opened, embedded := w.tap.acked, w.bucket.opened, len(w.encoder.texts)
				w.tap.reset()
				sum := w.run(2)
				if diff := cmp.Diff(want, w.points()); diff != "" {
					t.Errorf("points differ from those of an undisturbed run (-want +got):\n%s", diff)
				}
				for key := range acked {
					if opened[key]+w.bucket.opened[key] > 1 {
						t.Errorf("%s was acknowledged, and fetched again", key)
					}
				}
				if again := embedded + len(w.encoder.texts) - whole.Embedded; again > 2 { // the largest document has two texts
					t.Errorf("%d texts were embedded twice, more than one document's", again)
				}
				if sum.Total != whole.Total || sum.Ingested != whole.Ingested || sum.Chunks != whole.Chunks {
					t.Errorf("summary %+v, undisturbed %+v", sum, whole)
				}
			})
		}
	}
}

// unchanged holds that an unfinished revision leaves the one before as it was, save
// for what was withdrawn from it.
func unchanged(t *testing.T, w *world, first []held) {
	t.Helper()
	got := w.sees(1)
	for i, h := range got {
		if strings.HasPrefix(h.Evidence, "narrowed#") && i < len(first) {
			got[i].Fields = first[i].Fields
		}
	}
	if diff := cmp.Diff(first, got); diff != "" {
		t.Errorf("revision 1 while 2 is unfinished (-want +got):\n%s", diff)
	}
}

// TestCrashOfRetract ends a retraction at each of its calls and repeats it.
func TestCrashOfRetract(t *testing.T) {
	for call := 1; call <= 2; call++ {
		for _, done := range []float64{0, 1} {
			w := single(t)
			furnish(w)
			w.run(1)
			first := w.points()
			w.bucket.remove("removed.txt")
			w.bucket.objects["changed.txt"] += " More."
			w.run(2)
			w.tap.reset()
			w.tap.crashAt, w.tap.crashDone = call, done
			if err := w.ledger().Retract(t.Context(), 1, 3); !errors.Is(err, errCrash) {
				t.Fatalf("call %d: %v", call, err)
			}
			w.tap.reset()
			if err := w.ledger().Retract(t.Context(), 1, 3); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(first, w.points()); diff != "" {
				t.Errorf("call %d, done %v: retracted (-want +got):\n%s", call, done, diff)
			}
		}
	}
}

// TestLargeDocument crashes in the middle of a document whose chunks take several
// requests.
func TestLargeDocument(t *testing.T) {
	w := single(t)
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "Sentence number %d stands here by itself and is long.\n", i)
	}
	w.bucket.put("large.txt", text.String(), published())
	w.tap.crashAt, w.tap.crashDone = 5, .5
	for w.tap.writes == nil { // the first write is the chunks'
		if _, err := w.try(1); !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		if w.tap.writes == nil {
			call := w.tap.crashAt
			w.tap.reset()
			w.tap.crashAt, w.tap.crashDone = call+1, .5
		}
	}
	if n := len(w.points()); n == 0 {
		t.Fatal("nothing was written before the crash: the case needs it")
	}
	w.tap.reset()
	sum := w.run(1)
	if got := w.sees(1); len(got) != sum.Chunks || sum.Chunks < 50 {
		t.Errorf("%d chunks stored, %d told of", len(got), sum.Chunks)
	}
}
