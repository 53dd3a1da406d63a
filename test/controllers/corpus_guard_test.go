package controllers

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// unseen makes changes to the bucket that are all in the next listing.
func (d *desk) unseen(change func()) {
	d.Helper()
	d.bucket.Cut(true)
	change()
	d.bucket.Cut(false)
}

// lose removes two of the three papers: more than the guard admits.
func (d *desk) lose() {
	d.Helper()
	d.unseen(func() {
		d.bucket.Remove(remote)
		d.bucket.Remove(travel)
	})
}

// ExpectSettled waits until what serves is of the newest listing, which has so many
// objects, and holds so many documents.
func (d *desk) ExpectSettled(objects, documents int64) {
	d.Helper()
	d.ExpectCorpus(fmt.Sprintf("%d objects make %d documents", objects, documents), func(c *v1alpha1.Corpus) bool {
		a, s := c.Status.Active, c.Status.Source
		return c.Status.Candidate == nil && a != nil && s.Objects == objects && a.Documents == documents && strings.HasPrefix(a.SourceRevision, s.Revision)
	})
}

func (d *desk) putBack() {
	d.Helper()
	for _, key := range []string{remote, travel} {
		d.bucket.Put(key, papers()[key])
	}
}

func (d *desk) expectWithheld(texts ...string) {
	d.Helper()
	d.ExpectCondition(d.corpus, v1alpha1.DeletionsWithheldCondition, yes, v1alpha1.DeletionGuardReason, texts...)
}

// expectNothingWithheld waits until the condition is gone.
func (d *desk) expectNothingWithheld() {
	d.Helper()
	d.ExpectCorpus("nothing is withheld", func(c *v1alpha1.Corpus) bool {
		return c.Status.Deletions == nil || c.Status.Deletions.Withheld == 0
	})
	d.without(v1alpha1.DeletionsWithheldCondition)
}

// leaveOnly asks the golden set of nothing but leave.
func leaveOnly(s *v1alpha1.GoldenSetSpec) { s.Questions = s.Questions[:1] }

// TestCorpusDeletionGuard loses most of a source.
func TestCorpusDeletionGuard(t *testing.T) {
	d := served(t)
	t.Run("withheld", func(t *testing.T) {
		d.bucket.Put(leave, leaveOf(32))
		d.lose()
		d.expectWithheld("2 of 3", "66%", remote, travel, "approve-deletions=2", "-n "+d.namespace)
		d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason, v1alpha1.DeletionsWithheldCondition) // kubectl get shows this
		d.ExpectEvent(d.corpus, warning, v1alpha1.DeletionGuardReason)
		d.ExpectSettled(1, 3) // what is withheld stays
		d.ExpectReady(d.corpus.Status.Active.Revision)
		d.ExpectAnswer("32 days")
		time.Sleep(2 * interval) // it is vacuumed
		d.restart()
		d.ExpectStill(3)
		d.expectWithheld("2 of 3")
	})
	t.Run("approved for fewer", func(t *testing.T) {
		d.Annotate(d.corpus, v1alpha1.ApproveDeletionsAnnotation, "1")
		d.ExpectEvent(d.corpus, warning, v1alpha1.ApprovalRefusedReason)
		d.expectWithheld("it approves 1", "would remove 2")
	})
	t.Run("back", func(t *testing.T) {
		d.putBack()
		d.expectNothingWithheld()
		d.ExpectSettled(3, 3)
	})
	t.Run("approved", func(t *testing.T) {
		d.changeSet(leaveOnly)
		d.lose()
		d.expectWithheld("2 of 3")
		d.Annotate(d.corpus, v1alpha1.ApproveDeletionsAnnotation, "2")
		d.ExpectSettled(1, 1)
		d.expectNothingWithheld()
		d.ExpectEvent(d.corpus, normal, v1alpha1.DeletionsApprovedReason)
		d.ExpectAnswer("32 days")
	})
	t.Run("used up", func(t *testing.T) {
		d.putBack()
		d.ExpectSettled(3, 3)
		d.lose()
		d.expectWithheld("2 of 3", "after taking the annotation away")
		d.ExpectSettled(1, 3)
		time.Sleep(2 * interval)
		d.ExpectStill(2) // an approval is for one deletion
	})
	t.Run("can't be read again", func(t *testing.T) {
		d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Chunking.Size = 900 })
		d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.DocumentsFailedReason, remote, travel, "Withheld")
		d.expectWithheld("2 of 3")
		d.refresh(d.corpus)
		d.ExpectServing(d.corpus.Status.Active.Revision)
		d.ExpectAnswer("32 days")
	})
	t.Run("lost by the store", func(t *testing.T) {
		d.deletePoints(d.corpus.Status.Active.Collection)
		d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.DeletionGuardReason, "is lost", "2 of 3")
		d.ExpectCondition(d.corpus, v1alpha1.ServingCondition, no, v1alpha1.StoreLostReason)
		d.putBack()
		d.ExpectSettled(3, 3)
		d.expectNothingWithheld()
		d.ExpectAnswer("32 days")
	})
}

// TestCorpusDeletionsWithin lets go what the guard admits: one of a few, what the
// spec leaves out, and what was only moved.
func TestCorpusDeletionsWithin(t *testing.T) {
	d := served(t, func(d *desk) { leaveOnly(&d.set.Spec) })
	d.unseen(func() {
		for _, key := range []string{remote, travel} { // a folder is renamed
			d.bucket.Put("moved/"+key, papers()[key])
			d.bucket.Remove(key)
		}
	})
	d.ExpectCorpus("it is moved", func(c *v1alpha1.Corpus) bool { return c.Status.Active.Revision > 1 })
	d.ExpectSettled(3, 3)
	d.expectNothingWithheld()
	d.bucket.Remove("moved/" + remote)
	d.ExpectSettled(2, 2) // one may go
	d.bucket.Put(remote, papers()[remote])
	d.ExpectSettled(3, 3)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Source.Include = []v1alpha1.Text{leave} })
	d.ExpectSettled(1, 1) // the spec says what is left out
	d.expectNothingWithheld()
}

// TestCorpusApprovalLists holds that an approval is never taken for what an old
// listing would have removed.
func TestCorpusApprovalLists(t *testing.T) {
	d := served(t, func(d *desk) { d.corpus.Spec.Interval = metav1.Duration{Duration: time.Hour} })
	d.lose()
	d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, "lost")
	d.expectWithheld("2 of 3")
	d.ExpectCorpus("it is settled", func(c *v1alpha1.Corpus) bool { return c.Status.Candidate == nil })
	d.putBack() // which nobody has listed
	listings := d.bucket.Listings()
	d.Annotate(d.corpus, v1alpha1.ApproveDeletionsAnnotation, "2")
	d.expectNothingWithheld()
	if n := d.bucket.Listings() - listings; n != 1 {
		t.Errorf("an approval costs %d listings, want 1", n)
	}
	d.ExpectCorpus("nothing is gone", func(c *v1alpha1.Corpus) bool { return c.Status.Candidate == nil && c.Status.Active.Documents == 3 })
	if got := d.corpus.Status.Deletions; got == nil || got.Request != "2" || got.Approved != "" || got.Refused == "" {
		t.Errorf("deletions are %+v", got)
	}
	d.ExpectEvent(d.corpus, warning, v1alpha1.ApprovalRefusedReason)
}
