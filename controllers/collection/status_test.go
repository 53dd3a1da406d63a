package collection

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

var (
	then = time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)
	at   = then.Add(time.Hour)
)

func condition(kind string, status metav1.ConditionStatus, reason, message string, since time.Time) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message, ObservedGeneration: 2, LastTransitionTime: metav1.NewTime(since)}
}

func visited(status v1alpha1.CollectionStatus) *visit {
	c := &v1alpha1.Collection{ObjectMeta: metav1.ObjectMeta{Name: "hr", Generation: 2}, Status: status}
	return &visit{collection: c, before: c.DeepCopy()}
}

func TestReport(t *testing.T) {
	const (
		ready, reconciling, stalled, degraded = v1alpha1.ReadyCondition, v1alpha1.ReconcilingCondition, v1alpha1.StalledCondition, v1alpha1.DegradedCondition
		yes, no                               = metav1.ConditionTrue, metav1.ConditionFalse
	)
	inPlace := condition(ready, yes, "Succeeded", "collection p is in place", then)
	inPlaceBut := func(reason string) metav1.Condition {
		return condition(ready, yes, "Succeeded", "collection p is in place; Degraded: "+reason, then) // as kubectl get shows it
	}
	missing := store.Drift{Kind: store.MissingIndex, Field: "doc_type", Want: "Keyword"}
	told := v1alpha1.Drift{Path: "payloadIndexes[doc_type]", Want: "Keyword", Got: "none"}
	for name, tc := range map[string]struct {
		reason string
		before v1alpha1.CollectionStatus
		visit  func(v *visit)
		err    error
		want   v1alpha1.CollectionStatus
	}{
		"healthy and unchanged": {
			reason: "nothing may be written: not even a transition time moves",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Conditions: []metav1.Condition{inPlace}},
			visit:  func(v *visit) { v.inspected = true },
			want:   v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Conditions: []metav1.Condition{inPlace}},
		},
		"seen for the first time": {
			reason: "counts and indexes are written when they are due",
			before: v1alpha1.CollectionStatus{Physical: "p"},
			visit: func(v *visit) {
				v.inspected, v.counts = true, true
				v.state = store.State{Exists: true, Points: 3, Indexes: []store.IndexState{{Field: "doc_type", Type: "Keyword", Points: 2}}}
			},
			want: v1alpha1.CollectionStatus{
				ObservedGeneration: 2, Physical: "p", Points: 3, Indexes: []v1alpha1.IndexStatus{{Field: "doc_type", Type: "Keyword", Points: 2}},
				Conditions: []metav1.Condition{condition(ready, yes, "Succeeded", "collection p is in place", at)},
			},
		},
		"counts are not due": {
			reason: "points change with every document that is ingested",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Points: 1, Conditions: []metav1.Condition{inPlace}},
			visit:  func(v *visit) { v.inspected, v.state.Points = true, 99 },
			want:   v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Points: 1, Conditions: []metav1.Condition{inPlace}},
		},
		"drift is reported before it is repaired": {
			reason: "kstatus has to see that the spec isn't in force",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Conditions: []metav1.Condition{inPlace}},
			visit:  func(v *visit) { v.inspected, v.drift = true, []store.Drift{missing} },
			err:    outcome.Waiting(now, v1alpha1.DriftDetectedReason, "differs"),
			want: v1alpha1.CollectionStatus{
				ObservedGeneration: 2, Physical: "p", Drift: []v1alpha1.Drift{told},
				Conditions: []metav1.Condition{condition(ready, no, "DriftDetected", "differs", at), condition(reconciling, yes, "DriftDetected", "differs", at)},
			},
		},
		"drift was repaired": {
			reason: "what is no longer so is no longer told",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Drift: []v1alpha1.Drift{told}, Conditions: []metav1.Condition{
				condition(ready, no, "DriftDetected", "differs", then), condition(reconciling, yes, "DriftDetected", "differs", then),
			}},
			visit: func(v *visit) { v.inspected = true },
			want: v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Conditions: []metav1.Condition{
				condition(ready, yes, "Succeeded", "collection p is in place", at),
			}},
		},
		"drift that is only warned of": {
			reason: "it works, but not as the spec has it",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Conditions: []metav1.Condition{inPlace}},
			visit:  func(v *visit) { v.inspected, v.drift = true, []store.Drift{missing} },
			want: v1alpha1.CollectionStatus{
				ObservedGeneration: 2, Physical: "p", Drift: []v1alpha1.Drift{told},
				Conditions: []metav1.Condition{inPlaceBut("DriftDetected"), condition(degraded, yes, "DriftDetected",
					"the store differs from the spec, and spec.drift is Warn: payloadIndexes[doc_type] is none, not Keyword", at)},
			},
		},
		"index in use and foreign leftovers": {
			reason: "one condition tells all of it, each with a name to look for",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 2, Physical: "p", Conditions: []metav1.Condition{inPlace}},
			visit: func(v *visit) {
				v.inspected, v.kept, v.foreign = true, []kept{{"customer", []string{"a", "b"}}}, []string{"o belongs to x"}
			},
			want: v1alpha1.CollectionStatus{
				ObservedGeneration: 2, Physical: "p",
				Conditions: []metav1.Condition{inPlaceBut("IndexInUse"), condition(degraded, yes, "IndexInUse",
					"the index on customer is kept though spec.payloadIndexes lacks it: Corpus a, b filters on it; a superseded collection is not dropped: o belongs to x", at)},
			},
		},
		"the store is away": {
			reason: "drift and degradation stay as last told: nobody looked; the spec isn't observed before it is in force",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 1, Physical: "p", Drift: []v1alpha1.Drift{told}, Conditions: []metav1.Condition{
				inPlace, condition(degraded, yes, "DriftDetected", "d", then),
			}},
			err: outcome.Failing(v1alpha1.StoreUnreachableReason, errors.New("refused")),
			want: v1alpha1.CollectionStatus{
				ObservedGeneration: 1, Physical: "p", Drift: []v1alpha1.Drift{told},
				Conditions: []metav1.Condition{
					condition(ready, no, "StoreUnreachable", "refused", at), condition(degraded, yes, "DriftDetected", "d", then),
					condition(reconciling, yes, "StoreUnreachable", "refused", at),
				},
			},
		},
		"stalled and still stalled": {
			reason: "an abnormal condition that goes on keeps its transition time, else every visit would be a write",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 2, Conditions: []metav1.Condition{
				condition(ready, no, "SecretKeyBlank", "blank", then), condition(stalled, yes, "SecretKeyBlank", "blank", then),
			}},
			err: outcome.Stalled(0, v1alpha1.SecretKeyBlankReason, "blank"),
			want: v1alpha1.CollectionStatus{ObservedGeneration: 2, Conditions: []metav1.Condition{
				condition(ready, no, "SecretKeyBlank", "blank", then), condition(stalled, yes, "SecretKeyBlank", "blank", then),
			}},
		},
		"from reconciling to stalled": {
			reason: "never both: kstatus would read the first",
			before: v1alpha1.CollectionStatus{Conditions: []metav1.Condition{
				condition(ready, no, "SecretNotFound", "none", then), condition(reconciling, yes, "SecretNotFound", "none", then),
			}},
			err: outcome.Stalled(0, v1alpha1.SecretKeyBlankReason, "blank"),
			want: v1alpha1.CollectionStatus{ObservedGeneration: 2, Conditions: []metav1.Condition{
				condition(ready, no, "SecretKeyBlank", "blank", then), condition(stalled, yes, "SecretKeyBlank", "blank", at),
			}},
		},
		"a fault without a reason": {
			reason: "it is tried again, so it is progress of a kind",
			err:    errors.New("list corpora: timeout"),
			want: v1alpha1.CollectionStatus{Conditions: []metav1.Condition{
				condition(ready, no, "Progressing", "list corpora: timeout", at), condition(reconciling, yes, "Progressing", "list corpora: timeout", at),
			}},
		},
		"a reconcile request": {
			reason: "its value is echoed",
			before: v1alpha1.CollectionStatus{ObservedGeneration: 2, LastHandledReconcileAt: "1", Physical: "p", Conditions: []metav1.Condition{inPlace}},
			visit:  func(v *visit) { v.request = "2" },
			want:   v1alpha1.CollectionStatus{ObservedGeneration: 2, LastHandledReconcileAt: "2", Physical: "p", Conditions: []metav1.Condition{inPlace}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := visited(tc.before)
			if tc.visit != nil {
				tc.visit(v)
			}
			report(v, tc.err, at)
			if diff := cmp.Diff(tc.want, v.collection.Status); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestTransitions(t *testing.T) {
	with := func(status metav1.ConditionStatus, reason string, drift ...v1alpha1.Drift) *v1alpha1.Collection {
		c := &v1alpha1.Collection{}
		c.Status.Drift = drift
		c.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ReadyCondition, Status: status, Reason: reason, Message: "m"}}
		return c
	}
	d := v1alpha1.Drift{Path: "strict", Want: "true", Got: "false"}
	for name, tc := range map[string]struct {
		reason        string
		before, after *v1alpha1.Collection
		want          []note
	}{
		"first ready":      {"", &v1alpha1.Collection{}, with(metav1.ConditionTrue, "Succeeded"), []note{{normal, "Succeeded", "m"}}},
		"nothing changed":  {"no event without a transition", with(metav1.ConditionTrue, "Succeeded"), with(metav1.ConditionTrue, "Succeeded"), nil},
		"drift":            {"once, not for Ready too", with(metav1.ConditionTrue, "Succeeded"), with(metav1.ConditionFalse, "DriftDetected", d), []note{{warning, "DriftDetected", "the store differs from the spec: strict is false, not true"}}},
		"same drift again": {"", with(metav1.ConditionFalse, "DriftDetected", d), with(metav1.ConditionFalse, "DriftDetected", d), nil},
		"repaired": {"", with(metav1.ConditionFalse, "DriftDetected", d), with(metav1.ConditionTrue, "Succeeded"),
			[]note{{normal, "DriftRepaired", "the store is as the spec has it again; it differed: strict is false, not true"}, {normal, "Succeeded", "m"}}},
		"the store is away": {"", with(metav1.ConditionTrue, "Succeeded"), with(metav1.ConditionFalse, "StoreUnreachable"), []note{{warning, "StoreUnreachable", "m"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, transitions(tc.before, tc.after), cmp.AllowUnexported(note{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
