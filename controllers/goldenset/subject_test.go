package goldenset

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
)

func TestSubjectOf(t *testing.T) {
	asked := metav1.NewTime(then)
	verifying := &v1alpha1.CandidateStatus{Revision: 3, Freeze: "f", Phase: v1alpha1.CandidateVerifying, Collection: "p", RequestedAt: asked}
	phase := func(p v1alpha1.CandidatePhase) *v1alpha1.CandidateStatus {
		c := *verifying
		c.Phase = p
		return &c
	}
	copied := phase(v1alpha1.CandidateVerifying)
	copied.Trigger = v1alpha1.TriggerMigration
	active := &v1alpha1.ActiveStatus{Revision: 2, Freeze: "e", Collection: "o"}
	answer := func(revision int64, freeze string, at time.Time) []v1alpha1.GoldenResult {
		return []v1alpha1.GoldenResult{{Corpus: "c", Revision: revision, Freeze: freeze, FinishedAt: metav1.NewTime(at)}}
	}
	const none = ""
	for name, tc := range map[string]struct {
		reason    string
		candidate *v1alpha1.CandidateStatus
		active    *v1alpha1.ActiveStatus
		results   []v1alpha1.GoldenResult
		forced    bool
		suspended bool
		want      string // freeze and token
	}{
		"waits":                          {candidate: verifying, want: "f/"},
		"is answered":                    {reason: "the same freeze is never asked twice unforced", candidate: verifying, results: answer(3, "f", then), want: none},
		"was answered before it asked":   {reason: "a verdict that is older doesn't count", candidate: verifying, results: answer(3, "f", then.Add(-time.Second)), want: "f/"},
		"another freeze":                 {candidate: verifying, results: answer(3, "d", at), want: "f/"},
		"another revision":               {reason: "a corpus of the same name may have begun anew", candidate: verifying, results: answer(1, "f", at), want: "f/"},
		"is being read":                  {candidate: phase(v1alpha1.CandidateIngesting), forced: true, want: none},
		"is rejected":                    {candidate: phase(v1alpha1.CandidatePhaseRejected), results: answer(3, "f", at), want: none},
		"is rejected, by request":        {reason: "a person wants it asked once more", candidate: phase(v1alpha1.CandidatePhaseRejected), results: answer(3, "f", at), forced: true, want: "f/now"},
		"is answered, by request":        {candidate: verifying, results: answer(3, "f", at), forced: true, want: "f/now"},
		"waits, by request":              {reason: "that is one run, not two", candidate: verifying, forced: true, want: "f/"},
		"serves":                         {active: active, want: none},
		"serves, by request":             {active: active, forced: true, want: "e/now"},
		"was never frozen":               {reason: "a gate that only audits freezes nothing", active: &v1alpha1.ActiveStatus{Revision: 2}, forced: true, want: none},
		"is suspended":                   {candidate: verifying, suspended: true, want: none},
		"is suspended, by request":       {active: active, suspended: true, forced: true, want: none},
		"is suspended and moved":         {reason: "its Collection is moved all the same", candidate: copied, suspended: true, want: "f/"},
		"is suspended, moved, asked":     {candidate: copied, suspended: true, results: answer(3, "f", at), forced: true, want: none},
		"has nothing to be judged":       {forced: true, want: none},
		"reads on while another serves":  {reason: "what there is to judge is what serves", candidate: phase(v1alpha1.CandidateIngesting), active: active, forced: true, want: "e/now"},
		"waits for approval, by request": {candidate: phase(v1alpha1.CandidateAwaitingApproval), active: active, forced: true, want: "f/now"},
	} {
		t.Run(name, func(t *testing.T) {
			corpus := &v1alpha1.Corpus{ObjectMeta: metav1.ObjectMeta{Name: "c"}}
			corpus.Spec.Suspend, corpus.Status.Candidate, corpus.Status.Active = tc.suspended, tc.candidate, tc.active
			v := &visit{before: &v1alpha1.GoldenSet{Status: v1alpha1.GoldenSetStatus{Results: tc.results}}, request: "now", forced: tc.forced}
			got := none
			if s, ok := v.subjectOf(corpus); ok {
				got = s.freeze + "/" + s.token
			}
			if got != tc.want {
				t.Errorf("judges %q, want %q: %s", got, tc.want, tc.reason)
			}
		})
	}
}

func TestBackoff(t *testing.T) {
	var got []time.Duration
	for attempt := int32(0); attempt <= 10; attempt++ {
		got = append(got, backoff(attempt))
	}
	s := time.Second
	want := []time.Duration{2 * s, 2 * s, 4 * s, 8 * s, 16 * s, 32 * s, 64 * s, 128 * s, 256 * s, 300 * s, 300 * s}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("doubles from 2s to 5m (-want +got):\n%s", diff)
	}
	if backoff(1<<30) != retryMost {
		t.Error("overflows")
	}
}

func TestBounded(t *testing.T) {
	long := strings.Repeat("a.", 40)
	a, b := snapshot.Bounded(long+"x", snapshot.LongestLabel), snapshot.Bounded(long+"y", snapshot.LongestLabel)
	if errs := validation.IsValidLabelValue(a); len(errs) > 0 || a == b || len(a) > snapshot.LongestLabel {
		t.Errorf("%q and %q have to be different label values: %v", a, b, errs)
	}
	if got := snapshot.Bounded("payroll", snapshot.LongestLabel); got != "payroll" {
		t.Errorf("a name that fits is kept, not %q", got)
	}
}

func TestShare(t *testing.T) {
	for f, want := range map[float64]string{1: "1.00", 0.999: "0.99", 0.29: "0.29", 0: "0.00", 11.0 / 12: "0.91"} {
		if got := share(&f); got != want {
			t.Errorf("share of %v is %q, want %q: 1.00 has to mean all", f, got, want)
		}
	}
	if got := share(nil); got != "" {
		t.Errorf("nothing to survive is %q", got)
	}
}
