package controllers

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// demand lets only one number of days pass.
func demand(days string) func(s *v1alpha1.GoldenSetSpec) {
	return func(s *v1alpha1.GoldenSetSpec) {
		s.Questions[0].Expect.Facts[0].AnyOf = []v1alpha1.Wording{v1alpha1.Wording(days)}
	}
}

// TestCorpusFirstRevisionFails has nothing to fall back on.
func TestCorpusFirstRevisionFails(t *testing.T) {
	d := newDesk(t, everything()...)
	demand("31 days")(&d.set.Spec)
	d.apply()
	d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason, "revision 1", "leave")
	d.ExpectCondition(d.corpus, v1alpha1.ServingCondition, no, v1alpha1.NotServingReason)
	d.ExpectCondition(d.corpus, v1alpha1.IngestedCondition, yes, v1alpha1.SucceededReason)
	d.ExpectKstatus(d.corpus, status.FailedStatus)
	if entry, ok := d.serving.Lookup(d.namespace, d.corpus.Name); !ok || entry.Asker != nil || entry.Reason == "" {
		t.Errorf("what did not pass is served, or nobody says why not: %v, %+v", ok, entry)
	}
	d.ExpectStill(2)
	d.changeSet(demand("30 days"))
	d.ExpectReady(1) // the same revision, asked by another key
	d.without(v1alpha1.StalledCondition)
}

// TestCorpusAudit lets through what no gate has passed, and says so.
func TestCorpusAudit(t *testing.T) {
	d := newDesk(t, everything()...)
	d.corpus.Spec.Gate.GoldenSets = nil
	d.apply()
	t.Run("Enforce without a golden set", func(*testing.T) {
		d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.NoGoldenSetReason, "spec.gate.goldenSets")
		d.ExpectKstatus(d.corpus, status.FailedStatus)
		d.ExpectStill(3)
		if d.refresh(d.corpus); d.corpus.Status.Active != nil || meta.IsStatusConditionTrue(d.corpus.Status.Conditions, v1alpha1.ReadyCondition) {
			t.Errorf("status is %+v", d.corpus.Status)
		}
	})
	t.Run("Audit without a golden set", func(*testing.T) {
		d.change(func(s *v1alpha1.CorpusSpec) { s.Gate.Mode = v1alpha1.GateAudit })
		d.ExpectReady(1)
		d.ExpectCondition(d.corpus, v1alpha1.VerifiedCondition, no, v1alpha1.NoGoldenSetReason)
	})
	t.Run("Audit by a set that fails", func(*testing.T) {
		d.changeSet(demand("31 days"))
		d.change(func(s *v1alpha1.CorpusSpec) { s.Gate.GoldenSets = []v1alpha1.ObjectName{"rules"} })
		d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.AuditFailedReason, "leave")
		d.ExpectReady(1)
		d.ExpectCondition(d.corpus, v1alpha1.VerifiedCondition, no, v1alpha1.AuditFailedReason)
		d.ExpectStill(3) // as long as it serves, it says so
		d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.AuditFailedReason)
		d.bucket.Put(leave, leaveOf(32))
		d.ExpectReady(2)
		d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.AuditFailedReason)
	})
	t.Run("Enforce again", func(*testing.T) {
		d.change(func(s *v1alpha1.CorpusSpec) { s.Gate.Mode = v1alpha1.GateEnforce })
		d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason, "leave")
		d.ExpectKstatus(d.corpus, status.FailedStatus)
		d.ExpectServing(2)
		d.changeSet(demand("32 days"))
		d.ExpectReady(2)
		d.without(v1alpha1.DegradedCondition, v1alpha1.StalledCondition)
	})
}

// TestCorpusApproval waits for people.
func TestCorpusApproval(t *testing.T) {
	d := newDesk(t, everything()...)
	d.corpus.Spec.Approval = v1alpha1.ApprovalManual
	d.apply()
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.AwaitingApprovalReason, v1alpha1.ApproveAnnotation+"=1")
	d.ExpectCondition(d.corpus, v1alpha1.VerifiedCondition, yes, v1alpha1.AwaitingApprovalReason)
	d.ExpectKstatus(d.corpus, status.InProgressStatus)
	d.Annotate(d.corpus, v1alpha1.ApproveAnnotation, "2")
	d.ExpectStill(2)
	d.Annotate(d.corpus, v1alpha1.ApproveAnnotation, "1")
	d.ExpectReady(1)

	d.bucket.Put(leave, leaveOf(31))
	d.ExpectCondition(d.corpus, v1alpha1.ReconcilingCondition, yes, v1alpha1.AwaitingApprovalReason)
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason)
	d.ExpectServing(1)
	d.bucket.Put(leave, leaveOf(32)) // meanwhile the source is looked at
	d.ExpectCondition(d.corpus, v1alpha1.ReconcilingCondition, yes, v1alpha1.AwaitingApprovalReason, v1alpha1.ApproveAnnotation+"=3")
	d.ExpectAnswer("30 days")
	d.Annotate(d.corpus, v1alpha1.ApproveAnnotation, "3")
	d.ExpectReady(3)
	d.ExpectAnswer("32 days")
}

// receipts are the names of what was recorded of the corpus.
func (d *desk) receipts() []string {
	d.Helper()
	var all corev1.ConfigMapList
	if err := d.List(d.Context(), &all, client.InNamespace(d.namespace), client.MatchingLabels{"rag.hardgate.dev/corpus": d.corpus.Name}); err != nil {
		d.Fatal(err)
	}
	var out []string
	for _, m := range all.Items {
		out = append(out, m.Name)
	}
	return out
}

// TestCorpusIsVerifiedAgain after the gate's interval.
func TestCorpusIsVerifiedAgain(t *testing.T) {
	d := served(t)
	long := metav1.NewTime(time.Now().Add(-25 * time.Hour).Truncate(time.Second))
	states := d.Record(&v1alpha1.CorpusList{})
	d.ExpectStatus(d.corpus, func() { d.corpus.Status.Active.VerifiedAt = long })
	d.ExpectCorpus("it is verified again", func(c *v1alpha1.Corpus) bool { return c.Status.Active.VerifiedAt.After(long.Time) })
	d.ExpectReady(1)
	if n := len(d.receipts()); n != 2 {
		t.Errorf("%d receipts, want 2", n)
	}
	for _, o := range states() {
		if c, ok := o.(*v1alpha1.Corpus); ok && !meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ReadyCondition) {
			t.Errorf("meanwhile it was not Ready: %+v", c.Status.Conditions)
		}
	}
	d.ExpectStill(2)
}

// TestCorpusRegression changes the golden set under what serves.
func TestCorpusRegression(t *testing.T) {
	d := served(t)
	// A revision that is refused and taken back must never be rolled back to.
	d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.Mode = "None" })
	d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.Mode = "Hybrid" })
	d.ExpectReady(1)
	d.bucket.Put(leave, leaveOf(32))
	d.ExpectReady(3)
	verified := d.corpus.Status.Active.DeepCopy()

	t.Run("Report", func(t *testing.T) {
		d.changeSet(demand("30 days"))
		d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason, "revision 3", "leave")
		d.ExpectKstatus(d.corpus, status.FailedStatus)
		d.ExpectServing(3)
		d.ExpectStill(2)
		known := len(d.receipts())
		d.changeSet(demand("days"))
		d.ExpectReady(3)
		if diff := cmp.Diff(verified, d.corpus.Status.Active); diff != "" || len(d.receipts()) != known {
			t.Errorf("taken back, what has passed is asked again: receipts %v (-want +got):\n%s", d.receipts(), diff)
		}
	})
	t.Run("Rollback", func(t *testing.T) {
		d.change(func(s *v1alpha1.CorpusSpec) { s.Gate.OnRegression = v1alpha1.RegressionRollback })
		d.changeSet(demand("30 days"))
		d.ExpectEvent(d.corpus, warning, v1alpha1.RolledBackReason)
		d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason, "revision 3")
		d.ExpectServing(1)
		d.ExpectAnswer("30 days")
		d.ExpectStill(2)
		d.changeSet(demand("days"))
		d.ExpectReady(3)
		d.ExpectAnswer("32 days")
	})
}
