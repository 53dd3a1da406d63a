package goldenset

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

var (
	then = time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)
	at   = then.Add(time.Hour)
)

func condition(kind string, status metav1.ConditionStatus, reason, message string, since time.Time) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message, ObservedGeneration: 2, LastTransitionTime: metav1.NewTime(since)}
}

func TestReport(t *testing.T) {
	const (
		ready, reconciling, stalled = v1alpha1.ReadyCondition, v1alpha1.ReconcilingCondition, v1alpha1.StalledCondition
		yes, no                     = metav1.ConditionTrue, metav1.ConditionFalse
	)
	result := v1alpha1.GoldenResult{Corpus: "c", Revision: 3, Freeze: "f", QuestionsPassed: 1, Questions: 2}
	running := v1alpha1.Evaluation{Corpus: "c", Revision: 3, Freeze: "f", Attempts: 1}
	valid := condition(ready, yes, "Succeeded", "1 question", then)
	validBut := func(reason string) metav1.Condition {
		return condition(ready, yes, "Succeeded", "1 question; Reconciling: "+reason, then) // as kubectl get shows it
	}
	base := v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Questions: 1, Hash: "h", Conditions: []metav1.Condition{valid}}
	asked := func(v *visit) {
		v.read, v.found, v.hash, v.key.Key.Questions = true, true, "h", make([]settings.GoldenQuestion, 1)
	}
	for name, tc := range map[string]struct {
		reason string
		before v1alpha1.GoldenSetStatus
		visit  func(v *visit)
		err    error
		want   v1alpha1.GoldenSetStatus
	}{
		"at rest": {"nothing may be written", base, nil, nil, base},
		"a verdict that failed": {
			reason: "Ready speaks of the set, not of what it found; the printer column shows both",
			before: base,
			visit:  func(v *visit) { v.results = []v1alpha1.GoldenResult{result} },
			want: v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Questions: 1, Hash: "h", Results: []v1alpha1.GoldenResult{result}, Conditions: []metav1.Condition{
				condition(ready, yes, "Succeeded", "1 question; corpus c revision 3 failed, 1 of 2", then),
			}},
		},
		"an evaluation goes on": {
			reason: "kstatus has to see progress",
			before: base,
			visit: func(v *visit) {
				v.running, v.unended = []v1alpha1.Evaluation{running}, []string{"asking"}
			},
			want: v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Questions: 1, Hash: "h", Running: []v1alpha1.Evaluation{running}, Conditions: []metav1.Condition{
				validBut("Verifying"), condition(reconciling, yes, "Verifying", "asking", at),
			}},
		},
		"an evaluation could not finish": {
			reason: "reconciling, never stalled, and no result",
			before: base,
			visit: func(v *visit) {
				v.running, v.troubles, v.unended = []v1alpha1.Evaluation{running}, []string{"store away"}, []string{"asking another"}
			},
			want: v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Questions: 1, Hash: "h", Running: []v1alpha1.Evaluation{running}, Conditions: []metav1.Condition{
				validBut("EvaluationIncomplete"), condition(reconciling, yes, "EvaluationIncomplete", "store away", at),
			}},
		},
		"a receipt could not be saved": {
			reason: "the set itself is as it should be",
			before: base,
			visit:  func(v *visit) { v.running = nil },
			err:    errors.New("save receipt: timeout"),
			want: v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Questions: 1, Hash: "h", Conditions: []metav1.Condition{
				validBut("EvaluationIncomplete"), condition(reconciling, yes, "EvaluationIncomplete", "save receipt: timeout", at),
			}},
		},
		"it ended": {
			reason: "abnormal conditions go when they no longer hold",
			before: v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Questions: 1, Hash: "h", Running: []v1alpha1.Evaluation{running}, Conditions: []metav1.Condition{
				valid, condition(reconciling, yes, "Verifying", "asking", then),
			}},
			want: base,
		},
		"invalid": {
			reason: "nothing is asked by such a key; results of the earlier one stay on record",
			before: v1alpha1.GoldenSetStatus{ObservedGeneration: 1, Questions: 1, Hash: "h", Running: []v1alpha1.Evaluation{running}, Results: []v1alpha1.GoldenResult{result}, Conditions: []metav1.Condition{valid}},
			visit:  func(v *visit) { v.read, v.found = false, false },
			err:    outcome.Stalled(0, v1alpha1.GoldenSetInvalidReason, "questions[a].class"),
			want: v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Questions: 1, Hash: "h", Results: []v1alpha1.GoldenResult{result}, Conditions: []metav1.Condition{
				condition(ready, no, "GoldenSetInvalid", "questions[a].class", at), condition(stalled, yes, "GoldenSetInvalid", "questions[a].class", at),
			}},
		},
		"its ConfigMap isn't there yet": {
			reason: "GitOps applies in any order",
			visit:  func(v *visit) { v.read, v.found = false, false },
			err:    outcome.Waiting(0, v1alpha1.ConfigMapNotFoundReason, "none"),
			want: v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Conditions: []metav1.Condition{
				condition(ready, no, "ConfigMapNotFound", "none", at), condition(reconciling, yes, "ConfigMapNotFound", "none", at),
			}},
		},
		"a request is answered when all is asked": {
			reason: "its echo says that it was done, not that it was seen",
			before: base,
			visit:  func(v *visit) { v.request, v.forced = "now", true },
			want:   v1alpha1.GoldenSetStatus{ObservedGeneration: 2, LastHandledReconcileAt: "now", Questions: 1, Hash: "h", Conditions: []metav1.Condition{valid}},
		},
		"a request is open while anything runs": {
			before: base,
			visit: func(v *visit) {
				v.request, v.forced, v.running = "now", true, []v1alpha1.Evaluation{running}
			},
			want: v1alpha1.GoldenSetStatus{ObservedGeneration: 2, Questions: 1, Hash: "h", Running: []v1alpha1.Evaluation{running}, Conditions: []metav1.Condition{valid}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			set := &v1alpha1.GoldenSet{ObjectMeta: metav1.ObjectMeta{Name: "s", Generation: 2}, Status: *tc.before.DeepCopy()}
			v := &visit{set: set, before: set.DeepCopy(), now: at}
			asked(v)
			if tc.visit != nil {
				tc.visit(v)
			}
			report(v, tc.err)
			if diff := cmp.Diff(tc.want, set.Status); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
