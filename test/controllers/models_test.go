package controllers

import (
	"fmt"
	"slices"
	"testing"

	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// remoteCorpus embeds by a server, whose vectors are as long as the local model's.
func remoteCorpus(name, collection, model string, dimensions int32) *v1alpha1.Corpus {
	c := corpusIn(name, collection)
	c.Spec.Pipeline.Embedding = v1alpha1.Embedding{OpenAI: &v1alpha1.RemoteEmbedding{
		BaseURL: "http://127.0.0.1:1/v1", Model: v1alpha1.Text(model), Dimensions: dimensions,
	}}
	return c
}

// TestCollectionFollowsTheModel: vectors of another model of the same length are
// another collection, and the one that serves stays until nothing serves from it.
func TestCollectionFollowsTheModel(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type")
	corpus := corpusIn("payroll", "hr")
	w.ExpectApplied(c, corpus)
	w.ExpectKstatus(c, status.CurrentStatus)
	old, local := c.Status.Physical, c.Status.Model
	w.ExpectStatus(corpus, func() { corpus.Status.Active = &v1alpha1.ActiveStatus{Revision: 1, Collection: old} })

	corpus.Spec.Pipeline.Embedding = remoteCorpus("", "", "another", 384).Spec.Pipeline.Embedding
	if err := w.Update(t.Context(), corpus); err != nil {
		t.Fatal(err)
	}
	w.Eventually("a collection of the new model takes its place", func() error {
		w.refresh(c)
		if c.Status.Physical == old || c.Status.Model == local || !slices.Equal(c.Status.Superseded, []string{old}) {
			return fmt.Errorf("physical %q, model %q, superseded %v", c.Status.Physical, c.Status.Model, c.Status.Superseded)
		}
		return nil
	})
	w.ExpectKstatus(c, status.CurrentStatus)
}

// TestCollectionOfTwoModels stays with the model that it is for, and says nothing
// of the other Corpus, whose own condition does.
func TestCollectionOfTwoModels(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type")
	w.ExpectApplied(c, corpusIn("payroll", "hr"))
	w.ExpectKstatus(c, status.CurrentStatus)
	model := c.Status.Model
	w.ExpectApplied(remoteCorpus("appraisals", "hr", "another", 384))
	w.ExpectRest(5 * driftInterval)
	w.refresh(c)
	if c.Status.Model != model || len(c.Status.Superseded) > 0 {
		t.Errorf("model %q, superseded %v; a Corpus that came later, though its name is first, must not take the collection over", c.Status.Model, c.Status.Superseded)
	}
}

// TestCollectionOfUnknownModel waits for a Corpus to say whose vectors of that
// length they are, and then for the right length.
func TestCollectionOfUnknownModel(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type")
	size := int32(1024)
	c.Spec.Vectors.Dense.Size = size
	w.ExpectApplied(c)
	w.ExpectCondition(c, v1alpha1.ReadyCondition, no, v1alpha1.ProgressingReason, "no Corpus refers to the collection yet")
	w.ExpectApplied(remoteCorpus("payroll", "hr", "voyage", size))
	w.ExpectKstatus(c, status.CurrentStatus)

	other := embeddedCollection("short", "doc_type")
	other.Spec.Vectors.Dense.Size = size
	w.ExpectApplied(other, remoteCorpus("letters", "short", "voyage", 512))
	w.ExpectCondition(other, v1alpha1.StalledCondition, yes, v1alpha1.VectorSizeMismatchReason, "corpus letters have 512 dimensions")
}
