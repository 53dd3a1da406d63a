package outcome_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
)

func at(minute int) metav1.Time {
	return metav1.NewTime(time.Date(2025, 5, 5, 12, minute, 0, 0, time.UTC).Local())
}

func TestTransitionTimes(t *testing.T) {
	first := outcome.Conditions{Generation: 1, Now: at(0)}
	first.Set("Ready", metav1.ConditionFalse, "Ingesting", "1 of 9")
	first.Set("Serving", metav1.ConditionTrue, "Verified", "revision 7")
	first.Set("Reconciling", metav1.ConditionTrue, "Ingesting", "1 of 9")
	cases := map[string]struct {
		reason string
		change func(*outcome.Conditions)
		want   map[string]metav1.Time // when each went over
	}{
		"the same again": {
			"an unchanged object has unchanged conditions",
			func(c *outcome.Conditions) {
				c.Set("Ready", metav1.ConditionFalse, "Ingesting", "1 of 9")
				c.Set("Reconciling", metav1.ConditionTrue, "Ingesting", "1 of 9")
			},
			map[string]metav1.Time{"Ready": at(0), "Serving": at(0), "Reconciling": at(0)},
		},
		"another message": {
			"progress and another reason are no transition",
			func(c *outcome.Conditions) { c.Set("Ready", metav1.ConditionFalse, "Verifying", "2 of 9") },
			map[string]metav1.Time{"Ready": at(0), "Serving": at(0), "Reconciling": at(0)},
		},
		"another status": {
			"is one",
			func(c *outcome.Conditions) { c.Set("Ready", metav1.ConditionTrue, "Verified", "") },
			map[string]metav1.Time{"Ready": at(5), "Serving": at(0), "Reconciling": at(0)},
		},
		"cleared": {
			"what does not hold any more goes; others stay",
			func(c *outcome.Conditions) { c.Clear("Reconciling", "Stalled") },
			map[string]metav1.Time{"Ready": at(0), "Serving": at(0)},
		},
		"set and pruned": {
			"a condition that holds again has not changed just now",
			func(c *outcome.Conditions) {
				c.Set("Reconciling", metav1.ConditionTrue, "Ingesting", "2 of 9")
				c.Prune("Reconciling", "Stalled")
			},
			map[string]metav1.Time{"Ready": at(0), "Serving": at(0), "Reconciling": at(0)},
		},
		"pruned": {
			"one that was not set in this pass does not hold",
			func(c *outcome.Conditions) { c.Prune("Reconciling", "Stalled") },
			map[string]metav1.Time{"Ready": at(0), "Serving": at(0)},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			next := outcome.Conditions{List: append([]metav1.Condition(nil), first.List...), Generation: 2, Now: at(5)}
			c.change(&next)
			got := map[string]metav1.Time{}
			for _, x := range next.List {
				got[x.Type] = x.LastTransitionTime
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestMessagesFit(t *testing.T) {
	var c outcome.Conditions
	c.Set("Ready", metav1.ConditionFalse, "GoldenSetFailed", strings.Repeat("é", 40000))
	if m := c.List[0].Message; utf8.RuneCountInString(m) > 4096 || !strings.HasSuffix(m, "é…") || !utf8.ValidString(m) {
		t.Errorf("a message is cut at a character, and says that it is: %d characters, …%q", utf8.RuneCountInString(m), m[len(m)-8:])
	}
	if !strings.HasPrefix(c.List[0].Message, "éé") || c.Has("Ready") || c.Has("Serving") {
		t.Errorf("%+v", c.List)
	}
}

func TestExplain(t *testing.T) {
	cause := errors.New("connection refused")
	cases := map[string]struct {
		err             error
		reason, message string
		stalled         bool
	}{
		"wait":    {outcome.Waiting(time.Minute, "SecretNotFound", "Secret %q does not exist", "s3"), "SecretNotFound", `Secret "s3" does not exist`, false},
		"stall":   {outcome.Stalled(0, "FieldNotIndexed", "add %s", "groups"), "FieldNotIndexed", "add groups", true},
		"retry":   {outcome.Failing("StoreUnreachable", fmt.Errorf("dial: %w", cause)), "StoreUnreachable", "dial: connection refused", false},
		"other":   {cause, "Failed", "connection refused", false},
		"wrapped": {fmt.Errorf("discover: %w", outcome.Stalled(0, "FieldNotIndexed", "add groups")), "FieldNotIndexed", "add groups", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			reason, message := outcome.Explain(c.err, "Failed")
			if reason != c.reason || message != c.message || outcome.IsStalled(c.err) != c.stalled {
				t.Errorf("got %s, %q, stalled %t; want %s, %q, %t", reason, message, outcome.IsStalled(c.err), c.reason, c.message, c.stalled)
			}
		})
	}
	if err := outcome.Failing("StoreUnreachable", cause); !errors.Is(err, cause) {
		t.Error("the cause of a fault is lost")
	}
}

func TestSettleTellsTheQueue(t *testing.T) {
	c := corpus(t, namespace(t), "payroll")
	boom := errors.New("boom")
	cases := map[string]struct {
		reason string
		err    error
		after  time.Duration
		fails  error
	}{
		"healthy":   {"looked at again after the interval", nil, time.Hour, nil},
		"wait":      {"when the step says", outcome.Waiting(time.Minute, "SecretNotFound", ""), time.Minute, nil},
		"wait long": {"a watch tells", outcome.Waiting(0, "CollectionNotFound", ""), 0, nil},
		"stall":     {"never by itself", outcome.Stalled(0, "InvalidSpec", ""), 0, nil},
		"stall but": {"where no watch tells", outcome.Stalled(time.Minute, "SecretKeyBlank", ""), time.Minute, nil},
		"retry":     {"with the queue's own backoff", outcome.Failing("StoreUnreachable", boom), 0, boom},
		"other":     {"likewise", boom, 0, boom},
		"wrapped":   {"however deep it stands", fmt.Errorf("ingest: %w", outcome.Waiting(time.Minute, "Ingesting", "")), time.Minute, nil},
	}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := outcome.Settle(t.Context(), server, c, c.DeepCopy(), x.err, time.Hour)
			if d := cmp.Diff(ctrl.Result{RequeueAfter: x.after}, got); d != "" || !errors.Is(err, x.fails) {
				t.Errorf("%s: %v (-want +got):\n%s", x.reason, err, d)
			}
		})
	}
}

// TestSettleWrites counts writes by the resource version.
func TestSettleWrites(t *testing.T) {
	c := corpus(t, namespace(t), "payroll")
	pass := func(minute int, ready metav1.ConditionStatus, message string) error {
		t.Helper()
		if err := server.Get(t.Context(), client.ObjectKeyFromObject(c), c); err != nil {
			t.Fatal(err)
		}
		before := c.DeepCopy()
		conditions := outcome.Conditions{List: c.Status.Conditions, Generation: c.Generation, Now: at(minute)}
		conditions.Set("Ready", ready, "Verified", message)
		conditions.Prune("Reconciling", "Stalled")
		c.Status.Conditions = conditions.List
		_, err := outcome.Settle(t.Context(), server, c, before, nil, 0)
		return err
	}
	version := func() string {
		t.Helper()
		var now v1alpha1.Corpus
		if err := server.Get(t.Context(), client.ObjectKeyFromObject(c), &now); err != nil {
			t.Fatal(err)
		}
		return now.ResourceVersion
	}
	last := version()
	for i, step := range []struct {
		reason  string
		ready   metav1.ConditionStatus
		message string
		writes  bool
	}{
		{"the first condition", metav1.ConditionTrue, "14 of 15", true},
		{"nothing new, minutes later", metav1.ConditionTrue, "14 of 15", false},
		{"nor later still", metav1.ConditionTrue, "14 of 15", false},
		{"another message", metav1.ConditionTrue, "15 of 15", true},
		{"another status", metav1.ConditionFalse, "15 of 15", true},
		{"nothing new", metav1.ConditionFalse, "15 of 15", false},
	} {
		if err := pass(i, step.ready, step.message); err != nil {
			t.Fatalf("%s: %v", step.reason, err)
		}
		if now := version(); (now != last) != step.writes {
			t.Errorf("%s: resource version %s after %s", step.reason, now, last)
		} else {
			last = now
		}
	}
}

func TestSettleMeetsOthers(t *testing.T) {
	ns := namespace(t)
	t.Run("changed meanwhile", func(t *testing.T) {
		c := corpus(t, ns, "changed")
		other := c.DeepCopy()
		other.Labels = map[string]string{"touched": "yes"}
		if err := server.Update(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		before := c.DeepCopy()
		c.Status.ObservedGeneration = 7
		if _, err := outcome.Settle(t.Context(), server, c, before, nil, 0); err == nil {
			t.Error("a status that was worked out from an old object was written over a new one")
		}
	})
	t.Run("deleted meanwhile", func(t *testing.T) {
		c := corpus(t, ns, "deleted")
		if err := server.Delete(t.Context(), c.DeepCopy()); err != nil {
			t.Fatal(err)
		}
		before := c.DeepCopy()
		c.Status.ObservedGeneration = 7
		if got, err := outcome.Settle(t.Context(), server, c, before, nil, time.Hour); err != nil || got.RequeueAfter != 0 {
			t.Errorf("nothing is left to settle: %+v, %v", got, err)
		}
	})
}
