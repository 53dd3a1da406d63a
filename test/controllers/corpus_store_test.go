package controllers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

func conditionStatus(s string) metav1.ConditionStatus { return metav1.ConditionStatus(s) }

// TestCorpusStoreLost deletes what serves behind the operator's back: it is not
// served, is built again, and no question is answered wrongly between.
func TestCorpusStoreLost(t *testing.T) {
	d := served(t)
	keyed := func(key string) *qdrant.Condition { return qdrant.NewMatchKeyword("hardgate.key", key) }
	kind := func(k string) *qdrant.Condition { return qdrant.NewMatchKeyword("hardgate.kind", k) }
	revision := int64(1)
	for name, tc := range map[string]struct {
		reason string
		lose   func(physical string)
	}{
		"everything":     {"", func(p string) { d.deletePoints(p) }},
		"one document":   {"", func(p string) { d.deletePoints(p, keyed(leave)) }},
		"its chunks":     {"a record alone is no document", func(p string) { d.deletePoints(p, keyed(leave), kind("chunk")) }},
		"the collection": {"the Collection makes it anew, empty", func(p string) { d.drop(p) }},
	} {
		t.Run(name, func(t *testing.T) {
			states := d.Record(&v1alpha1.CorpusList{})
			end := d.crowd("30 days")
			tc.lose(d.corpus.Status.Active.Collection)
			revision++
			d.ExpectReady(revision)
			d.ExpectAnswer("30 days")
			end()
			d.expectTold(states, v1alpha1.ServingCondition, no, v1alpha1.StoreLostReason)
			d.ExpectEvent(d.corpus, warning, v1alpha1.StoreLostReason)
			if a := d.corpus.Status.Active; a.Documents != 3 || a.Points != 3 {
				t.Errorf("%s: active is %+v", tc.reason, a)
			}
		})
	}
	time.Sleep(2 * interval) // what was superseded is vacuumed
	d.ExpectStill(2)
}

// drop drops a physical collection.
func (d *desk) drop(physical string) {
	d.Helper()
	if err := d.vectors().DropCollection(d.Context(), physical, d.owner(d.collection.Name)); err != nil {
		d.Fatal(err)
	}
}

// expectTold waits until the corpus has passed through a state with a condition.
func (d *desk) expectTold(states func() []client.Object, kind string, is metav1.ConditionStatus, reason string) {
	d.Helper()
	d.Eventually(kind+" was told", func() error {
		if !slices.ContainsFunc(states(), func(o client.Object) bool {
			c, ok := o.(*v1alpha1.Corpus)
			if !ok {
				return false
			}
			x := meta.FindStatusCondition(c.Status.Conditions, kind)
			return x != nil && x.Status == is && x.Reason == reason
		}) {
			return fmt.Errorf("no state of %d had %s=%s (%s)", len(states()), kind, is, reason)
		}
		return nil
	})
}

// TestCorpusStaleAlias moves the name that people use.
func TestCorpusStaleAlias(t *testing.T) {
	d := served(t)
	other := embeddedCollection("other")
	d.ExpectApplied(other)
	d.ExpectKstatus(other, status.CurrentStatus)
	name, active := d.namespace+".rules", d.corpus.Status.Active.Collection
	if got := d.aliasTarget(name); got != active {
		t.Fatalf("alias leads to %q, want %q", got, active)
	}
	states := d.Record(&v1alpha1.CorpusList{})
	end := d.crowd("30 days")
	if err := d.vectors().SetAlias(t.Context(), name, other.Status.Physical); err != nil {
		t.Fatal(err)
	}
	d.expectTold(states, v1alpha1.DegradedCondition, yes, v1alpha1.StaleAliasReason)
	d.Eventually("it is repaired", func() error {
		if got := d.aliasTarget(name); got != active {
			return fmt.Errorf("alias leads to %q", got)
		}
		return nil
	})
	d.ExpectEvent(d.corpus, warning, v1alpha1.StaleAliasReason)
	d.Eventually("and no longer told of", func() error {
		if d.refresh(d.corpus); meta.FindStatusCondition(d.corpus.Status.Conditions, v1alpha1.DegradedCondition) != nil {
			return fmt.Errorf("conditions are %+v", d.corpus.Status.Conditions)
		}
		return nil
	})
	d.ExpectReady(1)
	if err := d.vectors().DeleteAlias(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.StaleAliasReason, "is gone")
	d.Eventually("it is made again", func() error {
		if got := d.aliasTarget(name); got != active {
			return fmt.Errorf("alias leads to %q", got)
		}
		return nil
	})
	end()
}

func (d *desk) aliasTarget(name string) string {
	d.Helper()
	target, err := d.vectors().AliasTarget(d.Context(), name)
	if err != nil {
		d.Fatal(err)
	}
	return target
}

// TestCorpusMovesToAnotherCollection changes what can't be changed in place: the
// old collection serves until the new one has passed.
func TestCorpusMovesToAnotherCollection(t *testing.T) {
	tap := newTap(t, "") // the embedded store has no shards
	d := served(t, func(d *desk) { d.collection.Spec.Store = v1alpha1.Store{Qdrant: &v1alpha1.QdrantStore{URL: tap.url}} })
	old := d.corpus.Status.Active.Collection
	release := d.bucket.Hold(leave)
	end := d.crowd("30 days")
	states := d.Record(&v1alpha1.CorpusList{})
	d.refresh(d.collection)
	d.collection.Spec.Shards = 2
	d.ExpectApplied(d.collection)
	d.ExpectCorpus("it is built in another", func(c *v1alpha1.Corpus) bool {
		return c.Status.Candidate != nil && c.Status.Candidate.Collection != old && c.Status.Candidate.Phase == v1alpha1.CandidateIngesting
	})
	d.ExpectServing(1)
	d.ExpectAnswer("30 days")
	release()
	d.ExpectReady(2)
	end()
	now := d.corpus.Status.Active.Collection
	if got := d.aliasTarget(d.namespace + ".rules"); now == old || got != now {
		t.Errorf("active is in %q, the alias leads to %q; it was %q", now, got, old)
	}
	d.Eventually("the old collection is dropped", func() error {
		if got := d.has(d.vectors(), "hr", old); got[0] != "no collection" {
			return fmt.Errorf("it has %v", got)
		}
		return nil
	})
	for _, o := range states() {
		if c, ok := o.(*v1alpha1.Corpus); ok && meta.FindStatusCondition(c.Status.Conditions, v1alpha1.DegradedCondition) != nil {
			t.Errorf("a promotion takes the alias along, and that is no drift: %+v", c.Status.Conditions)
		}
	}
	d.ExpectAnswer("30 days")
}

// TestCorpusHistory keeps as many superseded revisions as the spec has it, and
// nothing that none of them needs.
func TestCorpusHistory(t *testing.T) {
	limit := func(n int32) func(s *v1alpha1.CorpusSpec) {
		return func(s *v1alpha1.CorpusSpec) { s.RevisionHistoryLimit = &n }
	}
	d := served(t, func(d *desk) { limit(1)(&d.corpus.Spec) })
	for revision := int64(2); revision <= 3; revision++ {
		d.bucket.Put(leave, leaveOf(30+int(revision)))
		d.ExpectReady(revision)
	}
	d.expectHistory([]int64{2, 3}, []string{"32 days", "33 days"})
	d.change(limit(0))
	d.expectHistory([]int64{3}, []string{"33 days"})
	d.ExpectReady(3)
	d.ExpectAnswer("33 days")
}

// expectHistory waits until these revisions are kept, and these versions of the
// leave paper.
func (d *desk) expectHistory(revisions []int64, versions []string) {
	d.Helper()
	d.Eventually("the rest is vacuumed", func() error {
		kept, err := snapshot.List(d.Context(), d, d.corpus)
		if err != nil {
			return err
		}
		var texts []string
		for _, p := range d.points(d.corpus.Status.Active.Collection) {
			own, _ := p[store.Own].(map[string]any)
			text, _ := own["chunk"].(string)
			if i := strings.Index(text, " days of annual"); own["key"] == leave && i > 1 {
				texts = append(texts, text[i-2:i]+" days")
			}
		}
		slices.Sort(texts)
		if diff := cmp.Diff(revisions, kept) + cmp.Diff(versions, texts); diff != "" {
			return fmt.Errorf("(-want +got):\n%s", diff)
		}
		return nil
	})
}
