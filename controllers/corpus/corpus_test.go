package corpus

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

func TestRequest(t *testing.T) {
	const flux, own = v1alpha1.FluxReconcileRequestAnnotation, v1alpha1.ReconcileRequestAnnotation
	for name, tc := range map[string]struct {
		reason      string
		annotations map[string]string
		handled     string
		want        string
	}{
		"none":            {reason: "nobody asked"},
		"ours":            {"any new value asks", map[string]string{own: "1"}, "", "1"},
		"flux":            {"and so it does as flux sets it", map[string]string{flux: "1"}, "", "1"},
		"handled":         {"the same value asks once", map[string]string{own: "1"}, "1", ""},
		"handled by flux": {"the annotations stay, and the older is not asked again", map[string]string{own: "2026-04-01T10:00:00Z", flux: "2026-04-01T11:00:00Z"}, "2026-04-01T11:00:00Z", ""},
		"zones": {
			"flux writes local time: 12:00+02:00 is before 10:30Z, though not as text",
			map[string]string{flux: "2026-04-01T12:00:00.5+02:00", own: "2026-04-01T10:30:00Z"}, "2026-04-01T12:00:00.5+02:00", "2026-04-01T10:30:00Z",
		},
		"fractions": {
			"a whole second sorts after its fractions as text, and comes before them as time",
			map[string]string{flux: "2026-04-01T12:00:00Z", own: "2026-04-01T12:00:00.25Z"}, "2026-04-01T12:00:00Z", "2026-04-01T12:00:00.25Z",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &v1alpha1.Corpus{ObjectMeta: metav1.ObjectMeta{Annotations: tc.annotations}}
			c.Status.LastHandledReconcileAt = tc.handled
			if got := request(c); got != tc.want {
				t.Errorf("request is %q, want %q: %s", got, tc.want, tc.reason)
			}
		})
	}
}

func TestDue(t *testing.T) {
	const interval = 10 * time.Minute
	dues := map[time.Duration]bool{}
	for _, uid := range []types.UID{"a", "b", "c", "d", "e", "f", "g", "h"} {
		v := inService(func(v *visit) { v.corpus.UID = uid })
		after := v.due().Sub(at)
		if after < interval || after >= interval+interval/10 {
			t.Errorf("corpus %s is due after %s: a listing is never early, and at most a tenth late", uid, after)
		}
		dues[after] = true
	}
	if len(dues) < 6 {
		t.Errorf("8 corpora are due at %d instants: they would all list at once", len(dues))
	}
}

func TestWhenToLookAgain(t *testing.T) {
	soon := func(v *visit) { v.seen.vacuumed = v.vacuumKey() }
	for name, tc := range map[string]struct {
		reason             string
		change             func(v *visit)
		healthy, meanwhile time.Duration // lower bounds, within a tenth
	}{
		"just listed":      {"at the next interval", soon, 10 * time.Minute, 10 * time.Minute},
		"just promoted":    {"to vacuum, once the promotion is on record", func(*visit) {}, vacuumSoon, 10 * time.Minute},
		"suspended":        {"never", func(v *visit) { soon(v); v.corpus.Spec.Suspend = true }, 0, 0},
		"overdue":          {"a listing runs and wakes; what cannot list is not polled by the second", func(v *visit) { soon(v); v.now = at.Add(time.Hour) }, time.Second, 10 * time.Minute},
		"never yet":        {"a watch or a job tells", func(v *visit) { soon(v); v.seen.listing, v.seen.listedAt = nil, time.Time{} }, time.Second, 0},
		"lost, unvacuumed": {"what is lost is not vacuumed", func(v *visit) { v.lost = "1 of 3" }, 10 * time.Minute, 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			v := inService(tc.change)
			for what, x := range map[string]struct{ got, want time.Duration }{
				"healthy": {(&Reconciler{}).healthy(v), tc.healthy}, "meanwhile": {v.meanwhile(), tc.meanwhile},
			} {
				if x.got < x.want || x.got > x.want+x.want/10 {
					t.Errorf("%s is %s, want %s: %s", what, x.got, x.want, tc.reason)
				}
			}
		})
	}
}

func TestTrigger(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		visit  *visit
		want   target
		is     v1alpha1.CandidateTrigger
	}{
		"first":              {"the spec is why there is a corpus", fresh(), target{"s", "config", "physical"}, v1alpha1.TriggerSpec},
		"another spec":       {"", inService(), target{"s", "other", "physical"}, v1alpha1.TriggerSpec},
		"another collection": {"its fingerprint is configuration", inService(), target{"s", "config", "new"}, v1alpha1.TriggerSpec},
		"other documents":    {"only the source differs", inService(), target{"s2", "config", "physical"}, v1alpha1.TriggerSource},
		"loss":               {"", inService(func(v *visit) { v.lost = "2 of 3" }), target{"s", "config", "physical"}, v1alpha1.TriggerStoreLost},
		"loss, and a spec":   {"built from nothing, whatever else changed", inService(func(v *visit) { v.lost = "2 of 3" }), target{"s", "other", "physical"}, v1alpha1.TriggerStoreLost},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.visit.trigger(tc.want); got != tc.is {
				t.Errorf("trigger is %s, want %s: %s", got, tc.is, tc.reason)
			}
		})
	}
}

func TestTainted(t *testing.T) {
	lost := func(v *visit) { v.lost = "2 of 3" }
	for name, tc := range map[string]struct {
		reason string
		visit  *visit
		want   bool
	}{
		"nothing lost":        {"", inService(candidate(verifying, v1alpha1.TriggerSpec, "", "")), false},
		"no candidate":        {"", inService(lost), false},
		"built before":        {"what was copied from the lost revision may be lost too", inService(lost, candidate(rejected, v1alpha1.TriggerSpec, "", "")), true},
		"asked again":         {"what serves is no candidate to go on with", inService(lost, candidate(verifying, v1alpha1.TriggerInterval, "", "")), true},
		"built because of it": {"else it would be built for ever", inService(lost, candidate(ingesting, v1alpha1.TriggerStoreLost, "", "")), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tc.visit.tainted(tc.visit.corpus.Status.Candidate); got != tc.want {
				t.Errorf("tainted is %v: %s", got, tc.reason)
			}
		})
	}
}

func TestTarget(t *testing.T) {
	is := target{"source", "config", "collection"}
	for name, tc := range map[string]struct {
		other target
		want  bool
	}{
		"same":       {is, true},
		"source":     {target{"x", "config", "collection"}, false},
		"config":     {target{"source", "x", "collection"}, false},
		"collection": {target{"source", "config", "x"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := &v1alpha1.ActiveStatus{SourceRevision: tc.other.source, ConfigHash: tc.other.config, Collection: tc.other.collection}
			c := &v1alpha1.CandidateStatus{SourceRevision: tc.other.source, ConfigHash: tc.other.config, Collection: tc.other.collection}
			if is.isActive(a) != tc.want || is.isCandidate(c) != tc.want {
				t.Errorf("active %v, candidate %v; want %v", is.isActive(a), is.isCandidate(c), tc.want)
			}
		})
	}
	if is.isActive(nil) || is.isCandidate(nil) {
		t.Error("what isn't there is what is asked for")
	}
}

func TestListed(t *testing.T) {
	listed := func() *visit {
		return inService(func(v *visit) {
			v.corpus.Spec.Source.S3 = &v1alpha1.S3Source{Bucket: "hr-docs"}
			v.seen.origin = v.origin()
		})
	}
	for name, tc := range map[string]struct {
		reason string
		change func(v *visit)
		want   bool
	}{
		"as it was":         {"", func(*visit) {}, true},
		"another topK":      {"the pipeline has nothing to do with what is listed", func(v *visit) { v.corpus.Spec.Pipeline.Retrieval.TopK = 9 }, true},
		"another bucket":    {"a listing of one bucket is none of another", func(v *visit) { v.corpus.Spec.Source.S3.Bucket = "other" }, false},
		"excluded":          {"what is excluded now would be built once more", func(v *visit) { v.corpus.Spec.Source.Exclude = []v1alpha1.Text{"*.tmp.pdf"} }, false},
		"another side file": {"it was not looked for", func(v *visit) { v.corpus.Spec.Documents.Metadata = []v1alpha1.MetadataRule{{Manifest: "m.jsonl"}} }, false},
		"nothing":           {"", func(v *visit) { v.seen.listing = nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := listed()
			tc.change(v)
			if v.listed() != tc.want {
				t.Errorf("listed is %v: %s", v.listed(), tc.reason)
			}
		})
	}
}

func TestSurplus(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		kept   []int64
		active int64
		limit  int
		over   []int64
		oldest int64
	}{
		"within":       {"", []int64{1, 2, 3}, 3, 3, nil, 1},
		"over":         {"the oldest go", []int64{1, 2, 3, 4}, 4, 2, []int64{1}, 2},
		"none kept":    {"what serves stays", []int64{1, 2, 3}, 3, 0, []int64{1, 2}, 3},
		"first":        {"", []int64{1}, 1, 3, nil, 1},
		"a candidate":  {"what is being built is no history", []int64{3, 4, 5}, 4, 1, nil, 3},
		"rolled back":  {"nor is what was rolled back from", []int64{1, 2, 3}, 2, 0, []int64{1}, 2},
		"disappointed": {"the active revision's own snapshot may be missing", nil, 5, 3, nil, 5},
	} {
		t.Run(name, func(t *testing.T) {
			over, oldest := surplus(tc.kept, tc.active, tc.limit)
			if diff := cmp.Diff(tc.over, over); diff != "" && len(tc.over)+len(over) > 0 || oldest != tc.oldest {
				t.Errorf("over %v, oldest %d; want %v, %d: %s", over, oldest, tc.over, tc.oldest, tc.reason)
			}
		})
	}
}

func TestTrouble(t *testing.T) {
	var x trouble
	now := at
	var waits []time.Duration
	for range 9 {
		x.note(errAway, now)
		waits = append(waits, x.left(now))
		now = now.Add(x.left(now))
	}
	s := time.Second
	if diff := cmp.Diff([]time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s, 32 * s, 60 * s, 60 * s, 60 * s}, waits); diff != "" {
		t.Errorf("a source that is away is not hammered, and its return noticed within a minute (-want +got):\n%s", diff)
	}
	if x.note(nil, now); x.left(now) != 0 || x.err != nil {
		t.Errorf("after a success it still waits %s", x.left(now))
	}
	if x.note(errAway, now); x.left(now) != s {
		t.Errorf("after a success the first attempt waits %s", x.left(now))
	}
}
