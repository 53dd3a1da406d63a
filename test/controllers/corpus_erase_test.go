package controllers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/corpus"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// asOf is now, for questions.
func asOf() time.Time { return time.Now() }

// withoutAnnotation takes an annotation away.
func (w *world) withoutAnnotation(key string) {
	w.Helper()
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:null}}}`, key)
	c := &v1alpha1.Corpus{}
	c.Name, c.Namespace = "rules", w.namespace
	if err := w.Patch(w.Context(), c, client.RawPatch("application/merge-patch+json", patch)); err != nil {
		w.Fatalf("take %s away: %v", key, err)
	}
}

// lacks is nil when a condition isn't there.
func (d *desk) lacks(kind string) error {
	d.refresh(d.corpus)
	if c := meta.FindStatusCondition(d.corpus.Status.Conditions, kind); c != nil {
		return fmt.Errorf("there is %s: %s (%s)", kind, c.Reason, c.Message)
	}
	return nil
}

// stored are the documents of which a point of any kind and generation is stored.
func (d *desk) stored() []string {
	d.Helper()
	var out []string
	for _, p := range d.points(d.corpus.Status.Active.Collection) {
		own, _ := p[store.Own].(map[string]any)
		name, _ := own["document"].(string)
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// TestCorpusErase erases a document that is in every revision, that golden sets ask
// for, and that stays in the bucket.
func TestCorpusErase(t *testing.T) {
	d := twice(t)
	a, ok := d.ask()
	if !ok || a.ContextHash == "" {
		t.Fatalf("%+v", a)
	}
	entry, _ := d.serving.Lookup(d.namespace, "rules")
	context := func() error {
		_, err := entry.Asker.Context(t.Context(), a.ContextHash, rag.Identity{}, asOf())
		return err
	}
	if err := context(); err != nil {
		t.Fatal(err)
	}
	t.Run("everywhere", func(t *testing.T) {
		d.Annotate(d.corpus, v1alpha1.EraseAnnotation, "leave")
		d.ExpectCorpus("it is erased", func(c *v1alpha1.Corpus) bool { return len(c.Status.Erased) == 1 && c.Status.Erased[0].Receipt != "" })
		d.ExpectEvent(d.corpus, normal, v1alpha1.ErasedReason)
		if diff := cmp.Diff([]string{"remote", "travel"}, d.stored()); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		if err := context(); err == nil {
			t.Error("a context that quotes it is still kept")
		}
		d.expectProof(d.corpus.Status.Erased[0].Receipt)
		d.expectUnnamed("leave")
	})
	t.Run("the gate tells", func(t *testing.T) {
		d.ExpectCondition(d.corpus, v1alpha1.CandidateRejectedCondition, yes, v1alpha1.GoldenSetFailedReason, "leave")
		d.ExpectServing(2) // what serves goes on, without it
		d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason)
		if got := d.corpus.Status.Active; got.Documents != 2 || got.Ingested != 2 || got.Points != 2 {
			t.Errorf("active is %+v", got)
		}
	})
	t.Run("the source still has it", func(t *testing.T) {
		d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.ErasedReason, leave)
		d.changeSet(func(s *v1alpha1.GoldenSetSpec) { s.Questions = s.Questions[1:] })
		d.ExpectReady(3)
		d.bucket.Put(leave, leaveOf(40)) // another version is the same document
		d.ExpectReady(4)
		d.restart()
		d.ExpectStill(3)
		if diff := cmp.Diff([]string{"remote", "travel"}, d.stored()); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.ErasedReason, leave)
	})
	t.Run("no rollback brings it back", func(t *testing.T) {
		d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
		d.expectRolledBack(1, 4)
		if got := d.corpus.Status.Active; got.Documents != 2 {
			t.Errorf("active is %+v", got)
		}
		if a, ok := d.ask(); !ok || strings.Contains(a.Text, "days of annual leave") {
			t.Errorf("answered %q", a.Text)
		}
		d.withoutAnnotation(v1alpha1.RollbackAnnotation)
		d.ExpectReady(4)
	})
	t.Run("until its object and its name are gone", func(t *testing.T) {
		d.withoutAnnotation(v1alpha1.EraseAnnotation)
		d.ExpectStill(2) // the object is still there
		d.bucket.Remove(leave)
		d.ExpectCorpus("the tombstone is lifted", func(c *v1alpha1.Corpus) bool { return len(c.Status.Erased) == 0 && c.Status.Candidate == nil })
		if err := d.lacks(v1alpha1.DegradedCondition); err != nil {
			t.Error(err)
		}
		d.bucket.Put(leave, leaveOf(41))
		d.ExpectCorpus("a new document may have the name", func(c *v1alpha1.Corpus) bool { return c.Status.Active.Documents == 3 && c.Status.Candidate == nil })
		d.ExpectAnswer("41 days")
	})
}

// expectProof reads the receipt of an erasure.
func (d *desk) expectProof(name string) {
	d.Helper()
	var m corev1.ConfigMap
	if err := d.Get(d.Context(), client.ObjectKey{Namespace: d.namespace, Name: name}, &m); err != nil {
		d.Fatal(err)
	}
	var r corpus.ErasureReceipt
	if err := json.Unmarshal([]byte(m.Data[v1alpha1.ErasureReceiptKey]), &r); err != nil {
		d.Fatal(err)
	}
	if m.Immutable == nil || !*m.Immutable || r.Revision != 2 || r.Contexts == 0 || len(r.Collections) != 1 || r.Collections[0].Deleted < 6 || r.Collections[0].Left != 0 || len(r.Receipts) == 0 || len(r.NotCovered) == 0 {
		d.Errorf("the receipt is %+v", r)
	}
	var modes []rag.Mode
	for _, a := range r.Modes {
		modes = append(modes, a.Mode)
		if a.Hits != 0 || a.Questions != 2 || a.Candidates == 0 && a.Mode != rag.Lexical || len(a.Refused) > 0 {
			d.Errorf("asked in mode %s: %+v; want its name and its title asked, and other documents found", a.Mode, a)
		}
	}
	if diff := cmp.Diff([]rag.Mode{rag.Lexical, rag.Dense, rag.Hybrid, rag.FullContext}, modes); diff != "" {
		d.Errorf("modes (-want +got):\n%s", diff)
	}
	if text := m.Data[v1alpha1.ErasureReceiptKey]; strings.Contains(text, "Annual") {
		d.Errorf("the receipt holds text of the document:\n%s", text)
	}
	if out, err := d.plug(d.kubeconfig(), "receipts", "list"); err != nil || !strings.Contains(out, name) {
		d.Errorf("receipts: %v\n%s", err, out)
	}
	if out, err := d.plug(d.kubeconfig(), "receipts", "show", name); err != nil || !strings.Contains(out, corpus.ErasureSchema) {
		d.Errorf("receipt: %v\n%s", err, out)
	}
}

// expectUnnamed fails if a receipt of a golden set from before names evidence of a
// document.
func (d *desk) expectUnnamed(document string) {
	d.Helper()
	var all corev1.ConfigMapList
	if err := d.List(d.Context(), &all, client.InNamespace(d.namespace), client.MatchingLabels{"rag.hardgate.dev/corpus": "rules"}); err != nil {
		d.Fatal(err)
	}
	redacted := 0
	for _, m := range all.Items {
		text := m.Data["receipt.json"]
		if strings.Contains(m.Name, "redacted") {
			redacted++
			if strings.Contains(text, `"id": "`+document) {
				d.Errorf("receipt %s names it:\n%s", m.Name, text)
			}
		}
	}
	if redacted != 2 {
		d.Errorf("%d receipts were written anew, want those of both revisions", redacted)
	}
}

// TestCorpusEraseRefused asks for what can't be understood, and for what isn't there.
func TestCorpusEraseRefused(t *testing.T) {
	d := served(t)
	d.Annotate(d.corpus, v1alpha1.EraseAnnotation, "leave#annual-leave")
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.EraseRefusedReason, "leave#annual-leave", "is a passage")
	d.ExpectReady(1)
	d.Annotate(d.corpus, v1alpha1.EraseAnnotation, `["leav"]`)
	d.ExpectEvent(d.corpus, warning, v1alpha1.ErasedReason)
	d.ExpectCorpus("it has a tombstone all the same", func(c *v1alpha1.Corpus) bool {
		return len(c.Status.Erased) == 1 && c.Status.Erased[0].Document == "leav" && c.Status.Candidate == nil && c.Status.Active.Documents == 3
	})
	d.ExpectAnswer("30 days")
}

// TestCorpusEraseWhileSuspended: to suspend stops listing, ingesting and verifying;
// an erasure is none of these.
func TestCorpusEraseWhileSuspended(t *testing.T) {
	d := served(t)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Suspend = true })
	d.Annotate(d.corpus, v1alpha1.EraseAnnotation, "leave, remote")
	d.ExpectCorpus("they are erased", func(c *v1alpha1.Corpus) bool {
		return len(c.Status.Erased) == 2 && c.Status.Erased[0].Receipt != "" && c.Status.Erased[1].Receipt == c.Status.Erased[0].Receipt
	})
	if diff := cmp.Diff([]string{"travel"}, d.stored()); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	d.ExpectReady(1)
	d.ExpectServing(1)
	d.ExpectStill(2)
}
