package controllers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdrant/go-client/qdrant"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
)

// twice is a desk whose second revision serves; both have passed.
func twice(t *testing.T, change ...func(d *desk)) *desk {
	t.Helper()
	d := served(t, change...)
	d.bucket.Put(leave, leaveOf(32))
	d.ExpectReady(2)
	d.bucket.Forget()
	return d
}

// expectRolledBack waits until a revision serves in place of another, which is held.
func (d *desk) expectRolledBack(to, from int64) {
	d.Helper()
	d.ExpectCorpus("it is rolled back", func(c *v1alpha1.Corpus) bool {
		h := c.Status.Candidate
		return c.Status.Active.Revision == to && h != nil && h.Revision == from && h.Phase == v1alpha1.CandidateRolledBack
	})
	d.ExpectServing(to)
}

// TestCorpusRollback puts an older revision back into service, and goes forward.
func TestCorpusRollback(t *testing.T) {
	d := twice(t)
	t.Run("back", func(t *testing.T) {
		end := d.crowd("30 days", "32 days")
		d.bucket.Cut(true) // it needs no source
		d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
		d.expectRolledBack(1, 2)
		d.ExpectAnswer("30 days")
		d.bucket.Cut(false)
		end()
		d.ExpectCondition(d.corpus, v1alpha1.SourceReachableCondition, yes, v1alpha1.SucceededReason)
		d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason) // the spec is in force, with older data
		d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.RolledBackReason, "revision 2", v1alpha1.RollbackAnnotation)
		d.ExpectEvent(d.corpus, warning, v1alpha1.RolledBackReason)
		d.ExpectKstatus(d.corpus, status.CurrentStatus)
		if got := d.aliasTarget(d.namespace + ".rules"); got != d.corpus.Status.Active.Collection {
			t.Errorf("the alias leads to %q", got)
		}
	})
	t.Run("held", func(t *testing.T) {
		d.ExpectStill(3)
		d.restart()
		d.ExpectStill(3)
		d.ExpectAnswer("30 days")
	})
	t.Run("forward", func(t *testing.T) {
		d.withoutAnnotation(v1alpha1.RollbackAnnotation)
		d.ExpectReady(2)
		d.ExpectAnswer("32 days")
		d.without(v1alpha1.DegradedCondition)
		if n := d.bucket.Fetches(); len(n) > 0 {
			t.Errorf("back and forward read documents: %v", n)
		}
	})
	t.Run("by number, forward too", func(t *testing.T) {
		d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
		d.expectRolledBack(1, 2)
		d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "2")
		d.ExpectReady(2)
		d.ExpectAnswer("32 days")
	})
	t.Run("until the source changes", func(t *testing.T) {
		d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
		d.expectRolledBack(1, 2)
		d.bucket.Put(leave, leaveOf(33))
		d.ExpectReady(3)
		d.ExpectAnswer("33 days")
		kept, err := snapshot.List(t.Context(), d, d.corpus)
		if err != nil || len(kept) != 2 || kept[0] != 1 || kept[1] != 3 {
			t.Errorf("kept are %v, %v: what was rolled back from went when another was built", kept, err)
		}
	})
	t.Run("until the spec changes", func(t *testing.T) {
		d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.TopK = 4 })
		d.ExpectReady(4)
		d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "3")
		d.expectRolledBack(3, 4)
		d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.RolledBackReason, "revision 4")
		d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.RolledBackReason) // an older spec is in force
		d.ExpectStill(2)
		d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.TopK = 3 })
		d.ExpectReady(5)
	})
}

// TestCorpusRollbackRefused asks for what can't serve.
func TestCorpusRollbackRefused(t *testing.T) {
	d := twice(t)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.Mode = "None" }) // never passes
	d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Retrieval.Mode = "Hybrid" })
	d.ExpectReady(2)
	lose := func() {
		d.deletePoints(d.corpus.Status.Active.Collection, qdrant.NewMatchInt("hardgate.from", 1), qdrant.NewMatchKeyword("hardgate.key", leave))
	}
	for _, tc := range []struct {
		name, asked, says string
		before            func()
	}{
		{"no number", "the last", "not the number", nil},
		{"unknown", "99", "is not kept; kept are: 1", nil},
		{"never passed", "3", "is not kept", nil},
		{"serves", "2", "serves already", nil},
		{"lost its points", "1", "the store holds 2 of the 3 documents", lose},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.before != nil {
				tc.before()
			}
			d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, tc.asked)
			d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.RollbackRefusedReason, tc.says)
			d.ExpectReady(2)
			d.ExpectServing(2)
		})
	}
	d.ExpectEvent(d.corpus, warning, v1alpha1.RollbackRefusedReason)
	d.withoutAnnotation(v1alpha1.RollbackAnnotation)
	d.Eventually("it is no longer told of", func() error { return d.lacks(v1alpha1.DegradedCondition) })
}

// TestCorpusRollbackToAnotherCollection asks for a revision whose collection was
// dropped, since nothing served from it.
func TestCorpusRollbackToAnotherCollection(t *testing.T) {
	tap := newTap(t, "") // the embedded store has no shards
	d := served(t, func(d *desk) { d.collection.Spec.Store = v1alpha1.Store{Qdrant: &v1alpha1.QdrantStore{URL: tap.url}} })
	old := d.corpus.Status.Active.Collection
	d.refresh(d.collection)
	d.collection.Spec.Shards = 2
	d.ExpectApplied(d.collection)
	d.ExpectReady(2)
	d.Eventually("the old collection is dropped", func() error {
		if got := d.has(d.vectors(), "hr", old); got[0] != "no collection" {
			return fmt.Errorf("it has %v", got)
		}
		return nil
	})
	d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.RollbackRefusedReason, old, "is gone from the store")
	d.ExpectReady(2)
	d.ExpectAnswer("30 days")
}

// TestPluginRollback is what people type.
func TestPluginRollback(t *testing.T) {
	d := twice(t)
	cfg := d.kubeconfig()
	run := func(want string, args ...string) {
		t.Helper()
		if out, err := d.plug(cfg, args...); err != nil || !strings.Contains(out, want) {
			t.Fatalf("%v: %v, %q", args, err, out)
		}
	}
	run("revision 1 of corpus", "rollback", "rules")
	d.expectRolledBack(1, 2)
	if _, err := d.plug(cfg, "rollback", "rules"); err == nil || !strings.Contains(err.Error(), "revisionHistoryLimit") {
		t.Errorf("nothing is before the first: %v", err)
	}
	run("goes forward", "rollback", "rules", "--forward")
	d.ExpectReady(2)
	if _, err := d.plug(cfg, "rollback", "rules", "--forward"); err == nil || !strings.Contains(err.Error(), "no rollback is in force") {
		t.Errorf("nothing is held: %v", err)
	}
	run("revision 1 of corpus", "rollback", "rules", "--to", "1")
	d.expectRolledBack(1, 2)
	if _, err := d.plug(cfg, "rollback", "rules", "--to", "9"); err == nil || !strings.Contains(err.Error(), "is not kept") {
		t.Errorf("an unknown revision: %v", err)
	}
	d.expectRolledBack(1, 2) // a slip leaves the rollback alone
	if out, err := d.plug(cfg, "receipts", "list", "absent"); err != nil || !strings.Contains(out, `no receipts of corpus "absent" in namespace`) {
		t.Errorf("an empty list: %v, %q", err, out)
	}
	if _, err := d.plug(t.TempDir()+"/absent", "receipts", "list"); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("a kubeconfig that isn't there: %v", err)
	}
}
