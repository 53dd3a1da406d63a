package controllers

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// moveTo changes the store of the desk's collection.
func (d *desk) moveTo(s v1alpha1.Store) {
	d.Helper()
	d.refresh(d.collection)
	d.collection.Spec.Store = s
	d.ExpectApplied(d.collection)
}

func serverAt(url v1alpha1.URL) v1alpha1.Store {
	return v1alpha1.Store{Qdrant: &v1alpha1.QdrantStore{URL: url}}
}

// ExpectMoved waits until another store serves and nothing of the move is left to do.
func (d *desk) ExpectMoved(place string) {
	d.Helper()
	d.Eventually("the points are at "+place, func() error {
		d.refresh(d.collection)
		d.refresh(d.corpus)
		c := d.collection
		if c.Place() != place || c.Status.Migration != nil || d.corpus.Status.Copy != nil || !meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ReadyCondition) {
			return fmt.Errorf("at %s: %+v, %+v, %+v", c.Place(), c.Status.Migration, d.corpus.Status.Copy, c.Status.Conditions)
		}
		return nil
	})
	d.ExpectKstatus(d.collection, status.CurrentStatus)
}

// records are all points of the collection, with their vectors, by id.
func (d *desk) records(c *store.Client) map[string]store.Record {
	d.Helper()
	d.refresh(d.collection)
	out := map[string]store.Record{}
	for p, err := range c.Scroll(d.Context(), d.collection.Status.Physical, nil, store.AllFields(), true) {
		if err != nil {
			d.Fatal(err)
		}
		out[p.ID] = p
	}
	return out
}

// sameRecords compares points; a server may change a vector's last bits.
func (d *desk) sameRecords(what string, want, got map[string]store.Record) {
	d.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		d.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestMoveToAServer moves a live collection of two generations out of the manager.
func TestMoveToAServer(t *testing.T) {
	d := served(t)
	d.bucket.Put(leave, leaveOf(31))
	d.ExpectReady(2)
	time.Sleep(2 * interval) // it is vacuumed, its points are counted
	d.refresh(d.collection)
	before, old := d.records(d.vectors()), d.vectors()
	active := d.corpus.Status.Active.DeepCopy()
	wrong := d.crowd("31 days")
	d.bucket.Forget()
	tap := newTap(t, "")
	states := d.Record(&v1alpha1.CollectionList{})

	d.moveTo(serverAt(tap.url))
	d.ExpectMoved(string(tap.url))
	d.ExpectReady(2)
	wrong()
	d.ExpectAnswer("31 days")
	d.ExpectServing(2)
	if n := d.bucket.Fetches(); len(n) > 0 {
		t.Errorf("documents were read again, so that they were embedded again: %v", n)
	}
	d.sameRecords("the points are others than before", before, d.records(d.vectors()))
	if diff := cmp.Diff(active, d.corpus.Status.Active, cmpopts.IgnoreFields(v1alpha1.ActiveStatus{}, "VerifiedAt")); diff != "" {
		t.Errorf("another revision serves (-want +got):\n%s", diff)
	}
	d.Eventually("the alias is there too", func() error {
		target, err := d.vectors().AliasTarget(t.Context(), d.namespace+".rules")
		if err == nil && target != active.Collection {
			err = fmt.Errorf("it leads to %q", target)
		}
		return err
	})
	if state, _, err := old.Inspect(t.Context(), active.Collection, d.schema("hr")); err != nil || state.Exists {
		t.Errorf("the store before was not cleared: %+v, %v", state, err)
	}
	d.ExpectEvent(d.collection, normal, v1alpha1.MigratingReason)
	d.ExpectEvent(d.collection, normal, v1alpha1.MigratedReason)
	d.expectNoEvent(d.corpus, v1alpha1.StaleAliasReason) // the move takes the alias along
	told := ""
	for _, o := range states() {
		c := meta.FindStatusCondition(o.(*v1alpha1.Collection).Status.Conditions, v1alpha1.ReconcilingCondition)
		if c != nil && c.Reason == v1alpha1.MigratingReason {
			told += c.Message + "\n"
		}
	}
	if n := len(before); !strings.Contains(told, fmt.Sprintf("%d/%d points", n, n)) {
		t.Errorf("no condition told the progress of %d points:\n%s", n, told)
	}
	time.Sleep(2 * interval)
	tap.Forget()
	d.ExpectStill(2)
	if w := tap.Writes(); len(w) > 0 {
		t.Errorf("at rest the server was written to: %v", w)
	}

	d.bucket.Put(leave, leaveOf(32)) // and it lives on there
	d.ExpectReady(3)
	d.ExpectAnswer("32 days")
	if diff := cmp.Diff(map[string]int{leave: 1}, d.bucket.Fetches()); diff != "" {
		t.Errorf("a change after the move costs that change (-want +got):\n%s", diff)
	}
}

// TestMoveKeepsAHold moves a collection whose corpus was rolled back from what had
// never served: it must not be built again, nor put into service, unasked.
func TestMoveKeepsAHold(t *testing.T) {
	d := twice(t)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Approval = v1alpha1.ApprovalManual })
	d.bucket.Put(leave, leaveOf(33))
	d.ExpectCorpus("the third waits", func(c *v1alpha1.Corpus) bool {
		return c.Status.Candidate != nil && c.Status.Candidate.Revision == 3 && c.Status.Candidate.Phase == v1alpha1.CandidateAwaitingApproval
	})
	d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
	d.expectRolledBack(1, 3)
	d.bucket.Forget()
	tap := newTap(t, "")
	d.moveTo(serverAt(tap.url))
	d.ExpectMoved(string(tap.url))
	d.expectRolledBack(1, 3)
	d.ExpectStill(2)
	d.refresh(d.corpus)
	if d.corpus.Status.Rollback.Held != nil {
		t.Errorf("it is set aside still: %+v", d.corpus.Status.Rollback)
	}
	d.Annotate(d.corpus, v1alpha1.ApproveAnnotation, "3")
	d.withoutAnnotation(v1alpha1.RollbackAnnotation)
	d.ExpectReady(3)
	d.ExpectAnswer("33 days")
	if n := d.bucket.Fetches(); len(n) > 0 {
		t.Errorf("documents were read again: %v", n)
	}
}

// TestMoveWaitsForAServer keeps serving, and ingesting, while the other store is away.
func TestMoveWaitsForAServer(t *testing.T) {
	d := served(t)
	tap := newTap(t, "")
	tap.Cut(true)
	d.moveTo(serverAt(tap.url))
	d.ExpectCondition(d.collection, v1alpha1.ReconcilingCondition, yes, v1alpha1.StoreUnreachableReason, "the wire is cut")
	d.ExpectAnswer("30 days")
	d.bucket.Put(leave, leaveOf(31))
	d.ExpectReady(2)
	d.ExpectAnswer("31 days")
	d.ExpectKstatus(d.collection, status.InProgressStatus)
	before := d.records(d.vectors())
	tap.Cut(false)
	d.ExpectMoved(string(tap.url))
	d.sameRecords("what was ingested meanwhile is there too", before, d.records(d.vectors()))
	d.ExpectAnswer("31 days")
}

// TestMoveHasToPass asks the golden sets of the copy before it may serve.
func TestMoveHasToPass(t *testing.T) {
	d := served(t)
	tap := newTap(t, "")
	d.change(func(s *v1alpha1.CorpusSpec) { s.Interval.Duration = time.Hour })
	d.ExpectReady(1)
	good := d.set.Spec.Questions
	d.stop() // the set changes in the very moment of the move
	d.changeSet(func(s *v1alpha1.GoldenSetSpec) {
		s.Questions = append(s.Questions[:len(s.Questions):len(s.Questions)], answered("false", "How many cars has the company?", "travel", "17 cars"))
	})
	d.moveTo(serverAt(tap.url))
	d.forget()
	d.run(everything()...)
	d.ExpectCondition(d.collection, v1alpha1.StalledCondition, yes, v1alpha1.MigrationFailedReason, "Corpus rules", "false")
	d.ExpectKstatus(d.collection, status.FailedStatus)
	d.ExpectEvent(d.collection, warning, v1alpha1.MigrationFailedReason)
	if d.collection.Place() != v1alpha1.EmbeddedPlace {
		t.Errorf("%s serves though its copy did not pass", d.collection.Place())
	}
	d.ExpectAnswer("30 days")
	d.ExpectCorpus("it goes on", func(c *v1alpha1.Corpus) bool { return c.Status.Copy == nil })

	d.changeSet(func(s *v1alpha1.GoldenSetSpec) { s.Questions = good })
	d.Annotate(d.collection, v1alpha1.ReconcileRequestAnnotation, "mended")
	d.ExpectMoved(string(tap.url))
	d.ExpectAnswer("30 days")
}

// TestMoveTakenBack clears what was copied.
func TestMoveTakenBack(t *testing.T) {
	d := served(t)
	tap := newTap(t, "")
	tap.Hold("Upsert")
	d.moveTo(serverAt(tap.url))
	d.ExpectCondition(d.collection, v1alpha1.ReconcilingCondition, yes, v1alpha1.MigratingReason, string(tap.url))
	d.moveTo(v1alpha1.Store{Embedded: &v1alpha1.EmbeddedStore{}})
	tap.Release()
	d.ExpectMoved(v1alpha1.EmbeddedPlace)
	d.ExpectAnswer("30 days")
	there, err := d.connect.At(t.Context(), d.collection, serverAt(tap.url), "")
	if err != nil {
		t.Fatal(err)
	}
	if state, _, err := there.Inspect(t.Context(), d.collection.Status.Physical, d.schema("hr")); err != nil || state.Exists {
		t.Errorf("the copy was not cleared: %+v, %v", state, err)
	}
}

// TestServerUnderAnotherAddress changes the url alone: with the server at both
// addresses, and with nobody at the old one. It must never be cleared.
func TestServerUnderAnotherAddress(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		gone   bool
	}{
		"both answer":      {"they are recognised as one server", false},
		"only the new one": {"what it holds is what serves", true},
	} {
		t.Run(name, func(t *testing.T) {
			behind := qdrantServer(t, "")
			tap := tapOf(t, behind)
			d := served(t, func(d *desk) { d.collection.Spec.Store = serverAt(tap.url) })
			d.refresh(d.collection)
			before := d.records(d.vectors())
			d.bucket.Forget()
			tap.Cut(tc.gone)
			d.moveTo(serverAt(v1alpha1.URL(behind)))
			d.ExpectMoved(behind)
			d.ExpectReady(1)
			d.sameRecords(tc.reason, before, d.records(d.vectors()))
			d.ExpectAnswer("30 days")
			if n := d.bucket.Fetches(); len(n) > 0 {
				t.Errorf("documents were read again: %v", n)
			}
		})
	}
}

// TestCollectionOutgrown tells of a collection that is too large for the embedded
// store, and no longer once it has moved.
func TestCollectionOutgrown(t *testing.T) {
	d := newDesk(t)
	d.outgrown = 5
	d.run(everything()...)
	d.apply()
	d.ExpectReady(1)
	d.ExpectCondition(d.collection, v1alpha1.DegradedCondition, yes, v1alpha1.OutgrownReason, "made for 5", "spec.store.qdrant")
	d.ExpectEvent(d.collection, warning, v1alpha1.OutgrownReason)
	d.ExpectKstatus(d.collection, status.CurrentStatus)
	tap := newTap(t, "")
	d.moveTo(serverAt(tap.url))
	d.ExpectMoved(string(tap.url))
	if c := meta.FindStatusCondition(d.collection.Status.Conditions, v1alpha1.DegradedCondition); c != nil {
		t.Errorf("a server outgrows nothing: %s", c.Message)
	}
}
