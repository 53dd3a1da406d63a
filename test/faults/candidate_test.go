package faults

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// broken is the key of a PDF that is none.
const broken = "registers/Scan_0001.pdf"

// TestCandidateIsRefused spoils what is to serve next. What serves goes on
// answering twelve; whether the corpus stays Ready depends on who changed what.
func TestCandidateIsRefused(t *testing.T) {
	w := served(t)
	active := w.corpus().Status.Active
	for name, tc := range candidateFaults() {
		t.Run(name, func(t *testing.T) {
			end := w.desk.crowd(t)
			tc.fault(w)
			w.until("the candidate is refused", func(c *v1alpha1.Corpus) bool {
				return shows(c, tc.shown, metav1.ConditionTrue, tc.why) && c.Status.ObservedGeneration == c.Generation
			})
			expectRefused(t, tc, w, active.Revision)
			tc.mend(w)
			if c := w.ready(); c.Status.Active.Revision != active.Revision || message(c, tc.shown) != "" {
				t.Errorf("%s: taken back, the corpus is %+v", tc.reason, c.Status)
			}
			expectNoneWrong(t, tc.reason, end(), true)
		})
	}
}

type candidateFault struct {
	reason      string
	fault, mend func(w *world)
	shown, why  string // the condition that is True, and its reason
	says        []string
	ready       metav1.ConditionStatus
	kstatus     status.Status
}

func candidateFaults() map[string]candidateFault {
	return map[string]candidateFault{
		"a bad PDF": {
			reason: "one bad file must not break a pipeline that waits for Ready",
			fault:  func(w *world) { w.put(broken, []byte("%PDF-1.7 and then nothing of the kind")) },
			mend:   func(w *world) { w.remove(broken) },
			shown:  v1alpha1.CandidateRejectedCondition, why: v1alpha1.DocumentsFailedReason, says: []string{broken, "tolerateFailures"},
			ready: metav1.ConditionTrue, kstatus: status.CurrentStatus,
		},
		"data that fails the gate": {
			reason: "newer documents with a worse answer stay out",
			fault:  func(w *world) { w.putFile(april, rowsAsInk) },
			mend:   func(w *world) { w.putFile(april, samples+"/documents/"+april) },
			shown:  v1alpha1.CandidateRejectedCondition, why: v1alpha1.GoldenSetFailedReason,
			says:  []string{"april-headcount", "extraction", "ST002", "ST012"},
			ready: metav1.ConditionTrue, kstatus: status.CurrentStatus,
		},
		"a spec that fails the gate": {
			reason: "who changed the spec waits for an answer, and it is no",
			fault: func(w *world) {
				w.sample.pipeline(map[string]any{"mode": "TopSentences", "maxSentences": int64(6)}, "compression")
				w.apply("corpus.yaml")
			},
			mend: func(w *world) {
				w.sample.restore("compression")
				w.apply("corpus.yaml")
			},
			shown: v1alpha1.StalledCondition, why: v1alpha1.GoldenSetFailedReason,
			says:  []string{"april-headcount", "compression", "of 12", "ST0"},
			ready: metav1.ConditionFalse, kstatus: status.FailedStatus,
		},
	}
}

func expectRefused(t *testing.T, tc candidateFault, w *world, active int64) {
	t.Helper()
	c := w.corpus()
	for _, words := range tc.says {
		if !strings.Contains(message(c, tc.shown), words) {
			t.Errorf("%s: %s says %q, not %q", tc.reason, tc.shown, message(c, tc.shown), words)
		}
	}
	for kind, want := range map[string]metav1.ConditionStatus{
		v1alpha1.ReadyCondition: tc.ready, v1alpha1.ServingCondition: metav1.ConditionTrue, v1alpha1.SourceReachableCondition: metav1.ConditionTrue,
		v1alpha1.VerifiedCondition: metav1.ConditionFalse,
	} {
		if !slices.ContainsFunc(c.Status.Conditions, func(x metav1.Condition) bool { return x.Type == kind && x.Status == want }) {
			t.Errorf("%s: %s is not %s: %+v", tc.reason, kind, want, c.Status.Conditions)
		}
	}
	if got := w.kstatus(); got.Status != tc.kstatus {
		t.Errorf("%s: kstatus is %s (%s), want %s", tc.reason, got.Status, got.Message, tc.kstatus)
	}
	if r := w.desk.ask(t, headcount); !r.twelve() || r.Revision != active {
		t.Errorf("%s: revision %d does not go on answering: %s", tc.reason, active, r)
	}
}

// TestFailureIsTolerated lets a bad PDF pass because the spec allows one: it is
// left out, and nothing is silent about it.
func TestFailureIsTolerated(t *testing.T) {
	w := served(t)
	w.sample.edit("corpus.yaml", func(o *unstructured.Unstructured) { w.sample.set(o, int64(1), "spec", "documents", "tolerateFailures") })
	w.apply("corpus.yaml")
	w.ready()
	w.put(broken, []byte("%PDF-1.7 and then nothing of the kind"))
	c := w.until("the rest is promoted, and the failure shown", func(c *v1alpha1.Corpus) bool {
		return shows(c, v1alpha1.DegradedCondition, metav1.ConditionTrue, v1alpha1.DocumentFailuresReason) &&
			shows(c, v1alpha1.ReadyCondition, metav1.ConditionTrue, v1alpha1.SucceededReason) && c.Status.Candidate == nil
	})
	if d := c.Status.Documents; d.Failed != 1 || len(d.Failures) != 1 || d.Failures[0].Key != broken || !strings.Contains(message(c, v1alpha1.DegradedCondition), broken) {
		t.Errorf("the failed document is not named: %+v, %q", d, message(c, v1alpha1.DegradedCondition))
	}
	if r := w.desk.ask(t, headcount); !r.twelve() || r.Revision != c.Status.Active.Revision {
		t.Errorf("revision %d does not answer: %s", c.Status.Active.Revision, r)
	}
}

// kstatus is the state that tools see.
func (w *world) kstatus() *status.Result {
	w.Helper()
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Corpus"))
	if err := w.Get(w.Context(), types.NamespacedName{Namespace: w.namespace, Name: "payroll"}, u); err != nil {
		w.Fatal(err)
	}
	r, err := status.Compute(u)
	if err != nil {
		w.Fatal(err)
	}
	return r
}
