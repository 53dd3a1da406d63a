package faults

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// TestCollectionDrift changes the store behind the operator's back: the condition
// names what differs, it is repaired, and no question is answered wrongly.
func TestCollectionDrift(t *testing.T) {
	w := served(t)
	cases := map[string]struct {
		reason string
		drift  store.Drift // the repair that breaks it
		path   string      // as the status has it
	}{
		"index of a rule":       {"strict mode refuses the filter by which documents are admitted", store.Drift{Kind: store.ExtraIndex, Field: "groups"}, "payloadIndexes[groups]"},
		"the operator's index":  {"strict mode refuses the filter by which revisions are told apart", store.Drift{Kind: store.ExtraIndex, Field: "hardgate.from"}, "payloadIndexes[hardgate.from]"},
		"strict mode taken off": {"a filter without an index would be slow instead of refused", store.Drift{Kind: store.StrictMode, Field: "strict"}, "strict"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			seen := watched[*v1alpha1.Collection](t, w, &v1alpha1.CollectionList{})
			end := w.desk.crowd(t)
			lax := w.schema()
			lax.Strict = false
			if err := w.store().Repair(t.Context(), w.collection().Status.Physical, lax, []store.Drift{tc.drift}); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the drift is shown, then repaired", func() error {
				i := slices.IndexFunc(seen(), func(c *v1alpha1.Collection) bool { return drifts(c, tc.path) })
				if now := w.collection(); i < 0 || len(now.Status.Drift) > 0 || !meta.IsStatusConditionTrue(now.Status.Conditions, v1alpha1.ReadyCondition) {
					return fmt.Errorf("shown: %v, now %+v", i >= 0, now.Status)
				}
				return nil
			})
			_, left, err := w.store().Inspect(t.Context(), w.collection().Status.Physical, w.schema())
			if err != nil || len(left) > 0 {
				t.Errorf("%s: the store still has %v: %v", tc.reason, left, err)
			}
			if r := w.desk.ask(t, headcount); !r.twelve() {
				t.Errorf("%s: afterwards %s", tc.reason, r)
			}
			expectNoneWrong(t, tc.reason, end(), false)
		})
	}
}

// drifts reports whether a Collection says that this differs.
func drifts(c *v1alpha1.Collection, path string) bool {
	ready := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ReadyCondition)
	return ready != nil && ready.Status == metav1.ConditionFalse && ready.Reason == v1alpha1.DriftDetectedReason &&
		slices.ContainsFunc(c.Status.Drift, func(d v1alpha1.Drift) bool { return d.Path == path })
}

// TestStaleAlias moves the name that people use. Serving goes by the physical
// name, so that every question is answered all along.
func TestStaleAlias(t *testing.T) {
	w := served(t)
	const reason = "whoever looks by the alias would look into somebody else's collection"
	elsewhere, alias := w.namespace+".elsewhere", w.namespace+".payroll"
	schema := w.schema()
	schema.Owner = "somebody else"
	if err := w.store().Ensure(t.Context(), elsewhere, schema); err != nil {
		t.Fatal(err)
	}
	seen := watched[*v1alpha1.Corpus](t, w, &v1alpha1.CorpusList{})
	end := w.desk.crowd(t)
	if err := w.store().SetAlias(t.Context(), alias, elsewhere); err != nil {
		t.Fatal(err)
	}
	active := w.corpus().Status.Active.Collection
	eventually(t, "the stale alias is shown, then repaired", func() error {
		shown := slices.ContainsFunc(seen(), func(c *v1alpha1.Corpus) bool {
			return shows(c, v1alpha1.DegradedCondition, metav1.ConditionTrue, v1alpha1.StaleAliasReason)
		})
		target, err := w.store().AliasTarget(t.Context(), alias)
		if now := w.corpus(); err != nil || !shown || target != active || message(now, v1alpha1.DegradedCondition) != "" {
			return fmt.Errorf("shown: %v, alias %q leads to %q, %+v: %w", shown, alias, target, now.Status.Conditions, err)
		}
		return nil
	})
	for _, c := range seen() {
		if !meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ServingCondition) || c.Status.Active.Collection != active {
			t.Errorf("%s: meanwhile serving is %+v", reason, c.Status)
		}
	}
	expectNoneWrong(t, reason, end(), true)
}

// TestStoreLost drops the whole collection. What is gone is not served, and never
// answered as if there were nothing: it is built again.
func TestStoreLost(t *testing.T) {
	w := served(t)
	const reason = "an empty collection is no empty corpus"
	seen := watched[*v1alpha1.Corpus](t, w, &v1alpha1.CorpusList{})
	end := w.desk.crowd(t)
	active := w.corpus().Status.Active
	if err := w.store().DropCollection(t.Context(), active.Collection, w.schema().Owner); err != nil {
		t.Fatal(err)
	}
	c := w.until("it is built again", func(c *v1alpha1.Corpus) bool {
		return c.Status.Candidate == nil && c.Status.Active.Revision > active.Revision && shows(c, v1alpha1.ReadyCondition, metav1.ConditionTrue, v1alpha1.SucceededReason)
	})
	if !slices.ContainsFunc(seen(), func(c *v1alpha1.Corpus) bool {
		return shows(c, v1alpha1.ServingCondition, metav1.ConditionFalse, v1alpha1.StoreLostReason)
	}) {
		t.Errorf("%s: the loss was never shown", reason)
	}
	if r := w.desk.ask(t, headcount); !r.twelve() || r.Revision != c.Status.Active.Revision {
		t.Errorf("%s: afterwards %s", reason, r)
	}
	expectNoneWrong(t, reason, end(), false)
}

// store is the embedded store, by the door that the operator uses as well.
func (w *world) store() *store.Client {
	w.Helper()
	s, err := engine.Embedded(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// schema is how the world's physical collection has to look.
func (w *world) schema() store.Schema {
	w.Helper()
	c := decoded(w.T, w.sample, "Collection", settings.DecodeCollection)
	return assembly.Schema(c, "faults/"+w.namespace+"/hr")
}

// watched collects every state of the namespace's objects of a kind from now on.
func watched[T client.Object](t *testing.T, w *world, list client.ObjectList) (seen func() []T) {
	t.Helper()
	if err := w.List(t.Context(), list, client.InNamespace(w.namespace)); err != nil {
		t.Fatal(err)
	}
	from := &metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}
	watcher, err := w.Watch(t.Context(), list, client.InNamespace(w.namespace), &client.ListOptions{Raw: from})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var states []T
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range watcher.ResultChan() {
			if o, ok := e.Object.(T); ok {
				mu.Lock()
				states = append(states, o)
				mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() { watcher.Stop(); <-done })
	return func() []T {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(states)
	}
}
