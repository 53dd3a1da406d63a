package collection

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

func TestFiltered(t *testing.T) {
	got := filtered(settings.Eligibility{
		Constants: []settings.Constant{{Field: "status"}},
		Identity:  []settings.IdentityRule{{Field: "groups", Claim: "groups"}},
		Question:  []settings.QuestionRule{{Field: "product"}},
		Validity:  &settings.Validity{From: "valid_from"},
	})
	if diff := cmp.Diff([]string{"status", "groups", "product", "valid_from"}, got); diff != "" {
		t.Errorf("every rule filters on a field, an absent one on none (-want +got):\n%s", diff)
	}
}

func TestExcuse(t *testing.T) {
	extra := func(field string) store.Drift {
		return store.Drift{Kind: store.ExtraIndex, Field: field, Have: "Keyword"}
	}
	missing := store.Drift{Kind: store.MissingIndex, Field: "status", Want: "Keyword"}
	needed := needs{"status": {"a"}, "customer": {"a", "b"}}
	drift, keep := excuse([]store.Drift{missing, extra("customer"), extra("colour")}, needed)
	if diff := cmp.Diff([]store.Drift{missing, extra("colour")}, drift); diff != "" {
		t.Errorf("only an extra index that is needed is excused (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]kept{{"customer", []string{"a", "b"}}}, keep, cmp.AllowUnexported(kept{})); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

func TestBreaks(t *testing.T) {
	needed := needs{"status": {"a"}}
	for name, tc := range map[string]struct {
		reason string
		drift  store.Drift
		want   bool
	}{
		"needed":      {"strict mode refuses the filter", store.Drift{Kind: store.WrongIndexType, Field: "status"}, true},
		"not needed":  {"nothing filters on it", store.Drift{Kind: store.MissingIndex, Field: "colour"}, false},
		"tenant flag": {"slower, not wrong", store.Drift{Kind: store.TenantFlag, Field: "status"}, false},
		"setting":     {"slower or larger, not wrong", store.Drift{Kind: store.Quantization, Field: "quantization"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := breaks(tc.drift, needed); got != tc.want {
				t.Errorf("breaks is %v: %s", got, tc.reason)
			}
		})
	}
}

func TestReplace(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		before v1alpha1.CollectionStatus
		want   v1alpha1.CollectionStatus
	}{
		"first": {"nothing is superseded", v1alpha1.CollectionStatus{}, v1alpha1.CollectionStatus{Physical: "b"}},
		"change": {
			"the old one lives on; what was seen was seen of it",
			v1alpha1.CollectionStatus{Physical: "a", Points: 3, Indexes: []v1alpha1.IndexStatus{{Field: "x"}}, Drift: []v1alpha1.Drift{{Path: "x"}}},
			v1alpha1.CollectionStatus{Physical: "b", Superseded: []string{"a"}},
		},
		"and back": {"what was superseded is the current one again", v1alpha1.CollectionStatus{Physical: "a", Superseded: []string{"b", "c"}}, v1alpha1.CollectionStatus{Physical: "b", Superseded: []string{"c", "a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			replace(&tc.before, "b")
			if diff := cmp.Diff(tc.want, tc.before); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestApplied(t *testing.T) {
	with := func(observed int64, reason string) *v1alpha1.Collection {
		c := &v1alpha1.Collection{ObjectMeta: metav1.ObjectMeta{Generation: 2}, Status: v1alpha1.CollectionStatus{ObservedGeneration: observed}}
		if reason != "" {
			c.Status.Conditions = []metav1.Condition{{Type: v1alpha1.StalledCondition, Status: metav1.ConditionTrue, Reason: reason}}
		}
		return c
	}
	for name, tc := range map[string]struct {
		reason     string
		collection *v1alpha1.Collection
		want       bool
	}{
		"in force":                    {"what differs now is drift", with(2, ""), true},
		"a new generation":            {"what differs is the change", with(1, ""), false},
		"held up before it was tried": {"a Secret was blank, so the change still waits", with(2, v1alpha1.SecretKeyBlankReason), false},
		"drift under Warn":            {"it was in force, and is to stay reported", with(2, v1alpha1.DriftDetectedReason), true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := applied(tc.collection); got != tc.want {
				t.Errorf("applied is %v: %s", got, tc.reason)
			}
		})
	}
}
