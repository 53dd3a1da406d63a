package ingest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// TestWithdrawalReaches takes groups away, each time from what the newest listing and
// its rules alone would not lead to.
func TestWithdrawalReaches(t *testing.T) {
	const other = "other.jsonl"
	boardOnly := published("groups", []any{"board"})
	for name, tc := range map[string]struct {
		reason string
		change func(w *world, in *Ingester)
		want   []any
	}{
		"an older revision's document": {
			reason: "a rollback would show it again",
			change: func(w *world, _ *Ingester) { delete(w.bucket.objects, "a.txt") },
			want:   []any{"board"},
		},
		"a document that nobody describes": {
			reason: "that it went altogether takes nothing away from what held it",
			change: func(w *world, _ *Ingester) { w.bucket.remove("a.txt") },
			want:   []any{"board", "staff"},
		},
		"a document that is too large now": {
			reason: "it can't be read, but the manifest can",
			change: func(w *world, _ *Ingester) { w.bucket.objects["a.txt"] = string(make([]byte, 5000)) },
			want:   []any{"board"},
		},
		"a kept revision's own rule": {
			reason: "the rules of the newest settings don't read the field any more",
			change: func(_ *world, in *Ingester) {
				in.Kept = []Terms{{in.Settings.Eligibility, in.Settings.Documents}}
				in.Settings.Eligibility.Identity = nil
			},
			want: []any{"board"},
		},
		"no rule of any": {
			reason: "nobody is admitted by the field",
			change: func(_ *world, in *Ingester) { in.Settings.Eligibility.Identity = nil },
			want:   []any{"board", "staff"},
		},
		"a kept revision's manifest that is named no more": {
			reason: "what it says isn't known, and blinding what serves is no withdrawal",
			change: func(_ *world, in *Ingester) {
				in.Kept = []Terms{{in.Settings.Eligibility, settings.Documents{ID: "{{ .Base }}", Metadata: []settings.Metadata{{Manifest: other}}}}}
				in.Settings.Eligibility.Identity = nil
			},
			want: []any{"board", "staff"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := single(t)
			w.bucket.put("a.txt", "First a.", published("groups", []any{"board", "staff"}))
			w.bucket.put("b.txt", "First b.", published("groups", []any{"board", "staff"}))
			w.run(1)
			w.bucket.fields["a.txt"] = boardOnly
			in := w.ingester()
			tc.change(w, in)
			sum, err := in.Run(t.Context(), w.list(), 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range w.sees(1) {
				want := []any{"board", "staff"}
				if h.Text == "First a." {
					want = tc.want
				}
				if diff := cmp.Diff(want, h.Fields["groups"]); diff != "" {
					t.Errorf("%s: %q in revision 1 (-want +got):\n%s", tc.reason, h.Text, diff)
				}
			}
			if narrowed := len(tc.want) == 1; (sum.Withdrawn == 1) != narrowed {
				t.Errorf("%s: %d withdrawn", tc.reason, sum.Withdrawn)
			}
		})
	}
}
