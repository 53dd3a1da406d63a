package collection

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// model decides whose vectors the collection is for: those of the Corpora that
// refer to it. Vectors of two models must never meet, even of one length, so
// that of Corpora that differ the ones it is for already go first, and the
// others wait (see Corpus, ModelMismatch). Where nobody refers to it yet, it is
// for the encoder in this process.
func (r *Reconciler) model(ctx context.Context, v *visit) error {
	users, err := r.usersOf(ctx, v.collection)
	if err != nil {
		return err
	}
	var chosen *assembly.Space
	var of []string
	for i := range users {
		corpus := &users[i]
		if string(corpus.Spec.CollectionRef.Name) != v.collection.Name || !corpus.DeletionTimestamp.IsZero() {
			continue
		}
		space, err := r.space(corpus)
		if err != nil {
			continue // its own visit tells what is wrong with it
		}
		switch {
		case chosen == nil || space.ID == v.collection.Status.Model && chosen.ID != space.ID:
			chosen, of = &space, []string{corpus.Name}
		case chosen.ID == space.ID:
			of = append(of, corpus.Name)
		}
	}
	size := v.settings.Vectors.Dense.Size
	if chosen == nil {
		space, err := r.Encoder.Space(settings.Embedding{})
		if err != nil {
			return err
		}
		if space.Dimensions != size {
			return outcome.Waiting(0, v1alpha1.ProgressingReason, "no Corpus refers to the collection yet, so that it is not known by which model of %d dimensions to make it", size)
		}
		chosen = &space
	}
	if chosen.Dimensions != size {
		return outcome.Stalled(0, v1alpha1.VectorSizeMismatchReason, "spec.vectors.dense.size is %d, the vectors of the embedding model of corpus %s have %d dimensions", size, strings.Join(of, ", "), chosen.Dimensions)
	}
	v.model = chosen.ID
	return nil
}

// space is that of a Corpus' embedding, by its spec.
func (r *Reconciler) space(corpus *v1alpha1.Corpus) (assembly.Space, error) {
	var e settings.Embedding
	data, err := json.Marshal(corpus.Spec.Pipeline.Embedding)
	if err == nil {
		err = json.Unmarshal(data, &e)
	}
	if err != nil {
		return assembly.Space{}, fmt.Errorf("embedding of corpus %q: %w", corpus.Name, err)
	}
	return r.Encoder.Space(e)
}
