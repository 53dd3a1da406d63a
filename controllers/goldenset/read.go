package goldenset

import (
	"context"
	"errors"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/answerkey"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// readKey reads the answer key and refuses one that can't be judged by. Nothing
// is asked by such a key, so what runs is ended.
func (r *Reconciler) readKey(ctx context.Context, v *visit) error {
	var err error
	if v.key, err = answerkey.Read(ctx, r.Reader, v.set); err == nil {
		v.hash, err = evaluate.QuestionsHash([]evaluate.Set{v.key})
	}
	if err != nil {
		return errors.Join(err, r.keep(ctx, client.ObjectKeyFromObject(v.set), nil))
	}
	v.read = true
	return nil
}

// questionsIndex finds GoldenSets by the ConfigMap that keeps their questions.
const questionsIndex = "hardgate.questionsFrom"

func questionsFrom(o client.Object) []string {
	set, ok := o.(*v1alpha1.GoldenSet)
	if !ok || set.Spec.QuestionsFrom == nil || set.Spec.QuestionsFrom.ConfigMapRef == nil {
		return nil
	}
	return []string{string(set.Spec.QuestionsFrom.ConfigMapRef.Name)}
}

func (r *Reconciler) ofConfigMap(ctx context.Context, o client.Object) []reconcile.Request {
	var sets v1alpha1.GoldenSetList
	if err := r.Client.List(ctx, &sets, client.InNamespace(o.GetNamespace()), client.MatchingFields{questionsIndex: o.GetName()}); err != nil {
		return nil // the cache isn't there yet; every GoldenSet is visited when it is
	}
	var out []reconcile.Request
	for i := range sets.Items {
		out = append(out, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&sets.Items[i])})
	}
	return out
}

// gateIndex finds Corpora by the golden sets of their gate.
const gateIndex = "hardgate.gate"

func gates(o client.Object) []string {
	corpus, ok := o.(*v1alpha1.Corpus)
	if !ok {
		return nil
	}
	var out []string
	for _, name := range corpus.Spec.Gate.GoldenSets {
		out = append(out, string(name))
	}
	return out
}

// find lists the Corpora whose gate names the set.
func (r *Reconciler) find(ctx context.Context, v *visit) error {
	var list v1alpha1.CorpusList
	if err := r.Client.List(ctx, &list, client.InNamespace(v.set.Namespace), client.MatchingFields{gateIndex: v.set.Name}); err != nil {
		return fmt.Errorf("list the corpora of the golden set: %w", err)
	}
	for _, corpus := range list.Items {
		if corpus.DeletionTimestamp.IsZero() {
			v.corpora = append(v.corpora, corpus)
		}
	}
	sortByName(v.corpora)
	v.found = true
	return nil
}
