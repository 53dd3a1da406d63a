package controllers

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// scan is the key of a PDF that is none.
const scan = "scan.pdf"

func (d *desk) putScan() {
	d.Helper()
	d.bucket.Put(scan, []byte("%PDF-1.7 and then nothing of the kind"))
}

// TestCorpusFollowsItsSource changes what is in the bucket, and nothing else.
func TestCorpusFollowsItsSource(t *testing.T) {
	d := served(t)
	t.Run("a changed document", func(t *testing.T) {
		d.bucket.Forget()
		end := d.crowd("30 days", "32 days")
		release := d.bucket.Hold(leave)
		d.bucket.Put(leave, leaveOf(32))
		d.Eventually("it is fetched", func() error {
			if n := d.bucket.Fetches(); n[leave] == 0 {
				return fmt.Errorf("fetches: %v", n)
			}
			return nil
		})
		d.ExpectServing(1)
		d.ExpectAnswer("30 days") // the old revision answers until the new one has passed
		release()
		d.ExpectReady(2)
		d.ExpectAnswer("32 days")
		end()
		if diff := cmp.Diff(map[string]int{leave: 1}, d.bucket.Fetches()); diff != "" {
			t.Errorf("a changed document costs its own reading (-want +got):\n%s", diff)
		}
	})
	t.Run("a bad PDF", func(t *testing.T) {
		d.putScan()
		d.ExpectCondition(d.corpus, v1alpha1.CandidateRejectedCondition, yes, v1alpha1.DocumentsFailedReason, scan, "spec.documents.tolerateFailures")
		d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason, "revision 2 serves", v1alpha1.CandidateRejectedCondition) // kubectl get shows this
		d.ExpectKstatus(d.corpus, status.CurrentStatus)                                                                                               // one bad file breaks no pipeline
		d.ExpectServing(2)
		d.ExpectEvent(d.corpus, warning, v1alpha1.DocumentsFailedReason)
		d.ExpectStill(2)
		d.bucket.Remove(scan)
		d.ExpectReady(2)
		d.without(v1alpha1.CandidateRejectedCondition, v1alpha1.DegradedCondition)
		if diff := cmp.Diff(&v1alpha1.DocumentsStatus{Total: 3, Ingested: 3}, d.corpus.Status.Documents); diff != "" {
			t.Errorf("it still speaks of the file that is gone (-want +got):\n%s", diff)
		}
	})
	t.Run("a removed document", func(t *testing.T) {
		d.bucket.Remove(remote)
		d.ExpectReady(4)
		if a := d.corpus.Status.Active; a.Documents != 2 || a.Ingested != 2 || d.corpus.Status.Documents.Total != 2 {
			t.Errorf("active is %+v", a)
		}
		d.ExpectAnswer("32 days")
	})
}

// TestCorpusSpecThatFails changes the spec into one that its golden set refuses.
func TestCorpusSpecThatFails(t *testing.T) {
	d := served(t)
	verified := d.corpus.Status.Active.DeepCopy()
	for name, tc := range map[string]struct {
		reason     string
		fail, mend func(s *v1alpha1.CorpusSpec)
	}{
		"no retrieval": {
			reason: "the pipeline is the spec's",
			fail:   func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.Mode = "None" },
			mend:   func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.Mode = "Hybrid" },
		},
		"a document excluded": {
			reason: "and so is what is admitted of the source, though only the listing shows it",
			fail:   func(s *v1alpha1.CorpusSpec) { s.Source.Exclude = []v1alpha1.Text{leave} },
			mend:   func(s *v1alpha1.CorpusSpec) { s.Source.Exclude = nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			end := d.crowd("30 days")
			d.change(tc.fail)
			d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason, "rules", "leave")
			d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.GoldenSetFailedReason)
			d.ExpectCondition(d.corpus, v1alpha1.VerifiedCondition, no, v1alpha1.GoldenSetFailedReason)
			d.ExpectKstatus(d.corpus, status.FailedStatus)
			d.ExpectServing(1)
			d.ExpectStill(2) // the same freeze is never run again unforced
			d.change(tc.mend)
			d.ExpectReady(1)
			end()
			if diff := cmp.Diff(verified, d.corpus.Status.Active); diff != "" {
				t.Errorf("%s: taken back, what has passed is not asked again (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestCorpusToleratesFailures lets as many documents fail as the spec admits.
func TestCorpusToleratesFailures(t *testing.T) {
	tolerate := func(v intstr.IntOrString) func(s *v1alpha1.CorpusSpec) {
		return func(s *v1alpha1.CorpusSpec) { s.Documents.TolerateFailures = &v }
	}
	d := newDesk(t, everything()...)
	d.putScan()
	tolerate(intstr.FromInt32(1))(&d.corpus.Spec)
	d.apply()
	d.ExpectReady(1)
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.DocumentFailuresReason, scan)
	want := v1alpha1.DocumentFailure{Key: scan, Stage: "extract"}
	got := d.corpus.Status.Documents
	if got.Failed != 1 || got.Ingested != 3 || len(got.Failures) != 1 || got.Failures[0].Key != want.Key || got.Failures[0].Stage != want.Stage || got.Failures[0].Message == "" {
		t.Errorf("documents are %+v, want one failure like %+v", got, want)
	}
	d.change(tolerate(intstr.FromString("24%"))) // of 4
	d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.DocumentsFailedReason, "admits 0")
	d.ExpectKstatus(d.corpus, status.FailedStatus)
	d.ExpectServing(1)
	d.change(tolerate(intstr.FromString("25%")))
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.DocumentFailuresReason, scan)
	d.ExpectReady(3)
	d.ExpectAnswer("30 days")
}

// TestCorpusFieldNotIndexed filters on a field without an index: that stalls the
// corpus, never the first query.
func TestCorpusFieldNotIndexed(t *testing.T) {
	d := served(t)
	d.change(func(s *v1alpha1.CorpusSpec) {
		s.Documents.Metadata = []v1alpha1.MetadataRule{{Set: &runtime.RawExtension{Raw: []byte(`{"status": "published"}`)}}}
		s.Eligibility = &v1alpha1.Eligibility{Constants: []v1alpha1.ConstantRule{{Field: "status", Values: []v1alpha1.Text{"published"}}}}
	})
	d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.FieldNotIndexedReason, "status (Keyword)", `"hr"`)
	d.ExpectKstatus(d.corpus, status.FailedStatus)
	d.ExpectServing(1)
	d.restart() // and what was verified before is served by the next process as well
	d.Eventually("it serves", func() error {
		if _, ok := d.ask(); !ok {
			return fmt.Errorf("conditions: %+v", d.corpus.Status.Conditions)
		}
		return nil
	})
	d.refresh(d.collection)
	d.collection.Spec.PayloadIndexes = keyword("doc_type", "status")
	d.ExpectApplied(d.collection)
	d.ExpectReady(2)
	d.ExpectAnswer("30 days")
}

// TestCorpusSuspended stops everything but serving.
func TestCorpusSuspended(t *testing.T) {
	d := served(t)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Suspend = true })
	d.ExpectReady(1)
	listings := d.bucket.Listings()
	d.bucket.Put(leave, leaveOf(32))
	d.ExpectStill(3)
	if n := d.bucket.Listings(); n > listings {
		t.Errorf("it was listed %d times", n-listings)
	}
	d.ExpectAnswer("30 days")
	d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.TopK = 4 })
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.SuspendedReason)
	d.ExpectServing(1)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Suspend = false })
	d.ExpectReady(2)
	d.ExpectAnswer("32 days")
}

// TestCorpusRequests asks for a visit long before the next is due.
func TestCorpusRequests(t *testing.T) {
	d := served(t, func(d *desk) { d.corpus.Spec.Interval = metav1.Duration{Duration: time.Hour} })
	revision := int64(1)
	for _, key := range []string{v1alpha1.FluxReconcileRequestAnnotation, v1alpha1.ReconcileRequestAnnotation} {
		t.Run(key, func(t *testing.T) {
			revision++
			d.bucket.Put(leave, leaveOf(30+int(revision)))
			value := time.Now().Format(time.RFC3339Nano)
			d.Annotate(d.corpus, key, value)
			d.ExpectReady(revision)
			if got := d.corpus.Status.LastHandledReconcileAt; got != value {
				t.Errorf("lastHandledReconcileAt is %q, want %q", got, value)
			}
			d.ExpectAnswer(fmt.Sprintf("%d days", 30+revision))
		})
	}
	t.Run("nothing has changed", func(t *testing.T) {
		verified := d.corpus.Status.Active.VerifiedAt
		time.Sleep(time.Until(verified.Add(time.Second)))
		d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, time.Now().Format(time.RFC3339Nano))
		d.ExpectCorpus("what serves is verified again", func(c *v1alpha1.Corpus) bool { return c.Status.Active.VerifiedAt.After(verified.Time) })
		d.ExpectReady(revision)
		d.ExpectStill(1)
	})
	t.Run("what was refused", func(t *testing.T) {
		d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.Mode = "None" })
		d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason)
		refused := d.corpus.Status.Candidate.RequestedAt
		time.Sleep(time.Until(refused.Add(time.Second)))
		d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, time.Now().Format(time.RFC3339Nano))
		d.ExpectCorpus("the same freeze is asked again by request", func(c *v1alpha1.Corpus) bool {
			return c.Status.Candidate != nil && c.Status.Candidate.RequestedAt.After(refused.Time) && c.Status.Candidate.Phase == v1alpha1.CandidatePhaseRejected
		})
		d.ExpectKstatus(d.corpus, status.FailedStatus)
	})
}
