package snapshot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestSaveAndLoad(t *testing.T) {
	c := corpus(t, namespace(t), "payroll")
	zero := 0
	s := settings.NewCorpus()
	s.Pipeline.Retrieval.Fusion.Dense, s.Pipeline.Retrieval.Fusion.Lexical = 0, 1
	s.Pipeline.Compression.SentenceThreshold = 0
	s.Pipeline.Chunking.Overlap = &zero
	s.Documents.Metadata = []settings.Metadata{{Set: map[string]any{"status": "published", "year": 2025.0, "open": false}}}
	s.Eligibility.Validity = &settings.Validity{From: "valid_from", To: "valid_to"}
	want := snapshot.Snapshot{Settings: s, SourceRevision: "sha256:aa", ConfigHash: "sha256:bb", Collection: "k.hr.hr.12", Generation: 4}
	if err := snapshot.Save(t.Context(), server, c, 3, want); err != nil {
		t.Fatal(err)
	}
	got, err := snapshot.Load(t.Context(), server, c, 3)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("what serves is what was verified, zeros included (-saved +loaded):\n%s", d)
	}
	if before, after := hash(t, want.Settings), hash(t, got.Settings); before != after {
		t.Errorf("the hash that a freeze covers changed on the way: %s, %s", before, after)
	}

	if err := snapshot.Save(t.Context(), server, c, 3, want); err != nil {
		t.Errorf("the same again, after a crash: %v", err)
	}
	other := want
	other.SourceRevision = "sha256:cc"
	if err := snapshot.Save(t.Context(), server, c, 3, other); err == nil || !strings.Contains(err.Error(), "revision 3") {
		t.Errorf("a number was given to two contents: %v", err)
	}
	if _, err := snapshot.Load(t.Context(), server, c, 4); !apierrors.IsNotFound(err) {
		t.Errorf("a revision that was never saved: %v", err)
	}
}

func hash(t *testing.T, s settings.Corpus) string {
	t.Helper()
	h, err := s.Hash()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestSnapshotsDoNotChange(t *testing.T) {
	c := corpus(t, namespace(t), "payroll")
	if err := snapshot.Save(t.Context(), server, c, 1, snapshot.Snapshot{SourceRevision: "sha256:aa"}); err != nil {
		t.Fatal(err)
	}
	var cr appsv1.ControllerRevision
	if err := server.Get(t.Context(), types.NamespacedName{Namespace: c.Namespace, Name: snapshot.Name("payroll", 1)}, &cr); err != nil {
		t.Fatal(err)
	}
	if !metav1.IsControlledBy(&cr, c) || cr.Revision != 1 {
		t.Errorf("it goes with its Corpus: %+v", cr.ObjectMeta)
	}
	cr.Data.Raw = []byte(`{"sourceRevision":"sha256:bb"}`)
	if err := server.Update(t.Context(), &cr); !apierrors.IsInvalid(err) {
		t.Errorf("what serves was changed behind the gate: %v", err)
	}
}

func TestList(t *testing.T) {
	ns := namespace(t)
	c, other := corpus(t, ns, "payroll"), corpus(t, ns, "payroll-wide")
	long := corpus(t, ns, strings.Repeat("long-", 40)+"name")
	longest := corpus(t, ns, strings.Repeat("l", 253))
	kept := map[*v1alpha1.Corpus][]int64{c: {12, 10, 8, 6, 4, 2}, other: {9, 7}, long: {1}, longest: {1234567890123456789}}
	for of, numbers := range kept {
		for _, n := range numbers {
			if err := snapshot.Save(t.Context(), server, of, n, snapshot.Snapshot{}); err != nil {
				t.Fatalf("any name that the API server admits will do: %v", err)
			}
		}
	}
	for of, want := range kept {
		slices.Sort(want)
		got, err := snapshot.List(t.Context(), server, of)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%.20s: its own alone, ascending by number: %v (-want +got):\n%s", of.Name, err, d)
		}
	}
	for range 2 {
		if err := snapshot.Delete(t.Context(), server, c, 2); err != nil {
			t.Errorf("a missing one is removed already: %v", err)
		}
	}
	if got, err := snapshot.List(t.Context(), server, c); err != nil || len(got) != 5 {
		t.Errorf("after removing one of six: %v, %v", got, err)
	}
}

// TestNamesake deletes a Corpus and makes another of its name, before what the
// first one owned is collected (no garbage collector runs here).
func TestNamesake(t *testing.T) {
	ns := namespace(t)
	first := corpus(t, ns, "payroll")
	if err := snapshot.Save(t.Context(), server, first, 1, snapshot.Snapshot{SourceRevision: "sha256:aa"}); err != nil {
		t.Fatal(err)
	}
	if err := server.Delete(t.Context(), first.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	second := corpus(t, ns, "payroll")
	if _, err := snapshot.Load(t.Context(), server, second, 1); err == nil || !strings.Contains(err.Error(), "another corpus") {
		t.Errorf("a revision of another corpus of that name would be served: %v", err)
	}
	if err := snapshot.Save(t.Context(), server, second, 1, snapshot.Snapshot{SourceRevision: "sha256:aa"}); err == nil {
		t.Error("and taken for its own")
	}
	if got, err := snapshot.List(t.Context(), server, second); err != nil || len(got) > 0 {
		t.Errorf("and listed: %v, %v", got, err)
	}
	if err := snapshot.Delete(t.Context(), server, second, 1); err == nil || !strings.Contains(err.Error(), "another corpus") {
		t.Errorf("and deleted: %v", err)
	}
	if _, err := snapshot.Load(t.Context(), server, first, 1); err != nil {
		t.Errorf("it is gone: %v", err)
	}
}

// TestRenewAfterANamesake makes a Corpus again whose first one's revisions are still
// there (no garbage collector runs here).
func TestRenewAfterANamesake(t *testing.T) {
	aa := snapshot.Snapshot{SourceRevision: "sha256:aa"}
	for name, tc := range map[string]struct {
		reason  string
		change  func(cr *appsv1.ControllerRevision)
		saver   func(first, second *v1alpha1.Corpus) *v1alpha1.Corpus // who saves; nil is the second
		removed []string
		fails   string
	}{
		"a deleted one's": {
			reason: "nobody can come back to them", removed: []string{"payroll-1", "payroll-2"},
		},
		"nobody's": {
			reason: "a deletion that orphans takes the owner off",
			change: func(cr *appsv1.ControllerRevision) { cr.OwnerReferences = nil }, removed: []string{"payroll-1", "payroll-2"},
		},
		"somebody else's": {
			reason: "a StatefulSet has revisions of the same kind",
			change: func(cr *appsv1.ControllerRevision) {
				cr.OwnerReferences[0].APIVersion, cr.OwnerReferences[0].Kind = "apps/v1", "StatefulSet"
			},
			fails: "another corpus",
		},
		"the newer one's": {
			reason: "a cache that lags behind must not take what serves away",
			saver:  func(first, _ *v1alpha1.Corpus) *v1alpha1.Corpus { return first },
			change: func(cr *appsv1.ControllerRevision) { cr.OwnerReferences[0].UID = "of-a-third" }, fails: "made again",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ns := namespace(t)
			first := corpus(t, ns, "payroll")
			for n := int64(1); n <= 2; n++ {
				if err := snapshot.Save(t.Context(), server, first, n, aa); err != nil {
					t.Fatal(err)
				}
				var cr appsv1.ControllerRevision
				if err := server.Get(t.Context(), types.NamespacedName{Namespace: ns, Name: snapshot.Name("payroll", n)}, &cr); err != nil {
					t.Fatal(err)
				}
				if tc.change != nil {
					tc.change(&cr)
				}
				if err := server.Update(t.Context(), &cr); err != nil {
					t.Fatal(err)
				}
			}
			if err := server.Delete(t.Context(), first.DeepCopy()); err != nil {
				t.Fatal(err)
			}
			saver := corpus(t, ns, "payroll")
			if tc.saver != nil {
				saver = tc.saver(first, saver)
			}
			removed, err := snapshot.Renew(t.Context(), server, server, saver, 1, aa)
			if tc.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tc.fails) || len(removed) > 0 {
					t.Fatalf("%s: removed %v, %v", tc.reason, removed, err)
				}
				return
			}
			if d := cmp.Diff(tc.removed, removed); d != "" || err != nil {
				t.Fatalf("%s: %v (-want +got):\n%s", tc.reason, err, d)
			}
			if got, err := snapshot.List(t.Context(), server, saver); err != nil || !slices.Equal(got, []int64{1}) {
				t.Errorf("its own is there: %v, %v", got, err)
			}
		})
	}
}
