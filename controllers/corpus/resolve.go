package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// resolved is everything that the spec refers to.
type resolved struct {
	settings   settings.Corpus
	configHash string
	collection *v1alpha1.Collection
	store      *store.Client
	driver     source.Driver
}

// resolve decodes the spec and finds the store: what serving needs. GitOps
// applies in any order, so what is missing is waited for.
func (r *Reconciler) resolve(ctx context.Context, v *visit) error {
	spec, err := json.Marshal(v.corpus.Spec)
	if err != nil {
		return fmt.Errorf("encode spec: %w", err)
	}
	v.resolved = &resolved{}
	if v.settings, err = settings.DecodeCorpus(spec); err != nil {
		return outcome.Stalled(0, v1alpha1.InvalidSpecReason, "%v", err)
	}
	if v.configHash, err = v.settings.Hash(); err != nil {
		return err
	}
	return r.findCollection(ctx, v)
}

func (r *Reconciler) findCollection(ctx context.Context, v *visit) error {
	name := string(v.corpus.Spec.CollectionRef.Name)
	coll := &v1alpha1.Collection{}
	err := r.Client.Get(ctx, types.NamespacedName{Namespace: v.corpus.Namespace, Name: name}, coll)
	switch {
	case apierrors.IsNotFound(err):
		return outcome.Waiting(0, v1alpha1.CollectionNotFoundReason, "spec.collectionRef: Collection %q does not exist in namespace %q", name, v.corpus.Namespace)
	case err != nil:
		return fmt.Errorf("read Collection %q: %w", name, err)
	}
	v.collection = coll
	v.store, err = r.Connect.Store(ctx, coll)
	return err
}

// open holds the spec to its Collection and opens the source: what a new
// revision needs.
func (r *Reconciler) open(ctx context.Context, v *visit) error {
	coll := v.collection
	spec, err := json.Marshal(coll.Spec)
	if err != nil {
		return fmt.Errorf("encode Collection %q: %w", coll.Name, err)
	}
	c, err := settings.DecodeCollection(spec)
	if err != nil {
		return outcome.Waiting(0, v1alpha1.CollectionNotReadyReason, "Collection %q is not usable: %v", coll.Name, err)
	}
	if missing := assembly.Unindexed(v.settings.Eligibility, c); len(missing) > 0 {
		return outcome.Stalled(0, v1alpha1.FieldNotIndexedReason, "spec.eligibility filters on %s: add to spec.payloadIndexes of Collection %q", strings.Join(missing, ", "), coll.Name)
	}
	space, err := r.Runtime.Space(v.settings.Pipeline.Embedding)
	if err != nil {
		return outcome.Stalled(0, v1alpha1.InvalidSpecReason, "%v", err)
	}
	if coll.Status.Model != "" && coll.Status.Model != space.ID {
		return outcome.Waiting(0, v1alpha1.ModelMismatchReason, "Collection %q holds vectors of another embedding model, of a Corpus beside this one: give each model a Collection of its own", coll.Name)
	}
	if coll.Status.Physical == "" || !meta.IsStatusConditionTrue(coll.Status.Conditions, v1alpha1.ReadyCondition) && coll.Status.Points == 0 && v.corpus.Status.Active == nil {
		return outcome.Waiting(0, v1alpha1.CollectionNotReadyReason, "Collection %q is not ready yet", coll.Name)
	}
	if v.driver, err = r.Connect.Source(ctx, v.corpus); err != nil {
		v.sourceErr = err
	}
	return err
}

// place is where a revision's points are.
func (v *visit) place(collection string) assembly.Place {
	return assembly.Place{Store: v.store, Collection: collection, Corpus: string(v.corpus.UID)}
}

// storeBudget bounds the few calls that a visit makes to the store.
const storeBudget = 15 * time.Second
