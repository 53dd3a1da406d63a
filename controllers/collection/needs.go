package collection

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// usesIndex finds Corpora by the Collection that they refer to, and by the
// physical collections that they are in.
const usesIndex = "hardgate.collection"

func refers(name string) string { return "reference/" + name }
func within(name string) string { return "physical/" + name }

func uses(o client.Object) []string {
	corpus, ok := o.(*v1alpha1.Corpus)
	if !ok {
		return nil
	}
	out := []string{refers(string(corpus.Spec.CollectionRef.Name))}
	for _, physical := range holds(corpus) {
		out = append(out, within(physical))
	}
	return out
}

// holds are the physical collections that a Corpus serves from or builds in.
func holds(corpus *v1alpha1.Corpus) []string {
	var out []string
	if a := corpus.Status.Active; a != nil && a.Collection != "" {
		out = append(out, a.Collection)
	}
	if c := corpus.Status.Candidate; c != nil && c.Collection != "" && !slices.Contains(out, c.Collection) {
		out = append(out, c.Collection)
	}
	return out
}

// usersOf lists the Corpora that refer to a Collection or are in one of its
// physical collections, by name.
func (r *Reconciler) usersOf(ctx context.Context, c *v1alpha1.Collection) ([]v1alpha1.Corpus, error) {
	found := map[string]v1alpha1.Corpus{}
	keys := []string{refers(c.Name)}
	for _, physical := range append([]string{c.Status.Physical}, c.Status.Superseded...) {
		keys = append(keys, within(physical))
	}
	for _, key := range keys {
		var list v1alpha1.CorpusList
		if err := r.Client.List(ctx, &list, client.InNamespace(c.Namespace), client.MatchingFields{usesIndex: key}); err != nil {
			return nil, fmt.Errorf("list corpora of the collection: %w", err)
		}
		for _, corpus := range list.Items {
			found[corpus.Name] = corpus
		}
	}
	out := make([]v1alpha1.Corpus, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out, nil
}

// needs maps a payload field to the Corpora whose eligibility filters on it.
type needs map[string][]string

// needsOf reads what the Corpora filter on: by their spec, and by the snapshots
// of the revisions that serve or are being verified.
func (r *Reconciler) needsOf(ctx context.Context, users []v1alpha1.Corpus) (needs, error) {
	out := needs{}
	for i := range users {
		corpus := &users[i]
		rules, err := eligibility(corpus)
		if err != nil {
			return nil, err
		}
		fields := filtered(rules)
		for _, revision := range revisions(corpus) {
			s, err := snapshot.Load(ctx, r.Reader, corpus, revision)
			if apierrors.IsNotFound(err) {
				continue // a revision without a snapshot can't be asked
			}
			if err != nil {
				return nil, fmt.Errorf("corpus %q: %w", corpus.Name, err)
			}
			fields = append(fields, filtered(s.Settings.Eligibility)...)
		}
		slices.Sort(fields)
		for _, field := range slices.Compact(fields) {
			out[field] = append(out[field], corpus.Name)
		}
	}
	return out, nil
}

func eligibility(corpus *v1alpha1.Corpus) (settings.Eligibility, error) {
	var out settings.Eligibility
	data, err := json.Marshal(corpus.Spec.Eligibility)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		return out, fmt.Errorf("eligibility of corpus %q: %w", corpus.Name, err)
	}
	return out, nil
}

func revisions(corpus *v1alpha1.Corpus) []int64 {
	var out []int64
	if a := corpus.Status.Active; a != nil {
		out = append(out, a.Revision)
	}
	if c := corpus.Status.Candidate; c != nil && !slices.Contains(out, c.Revision) {
		out = append(out, c.Revision)
	}
	return out
}

// filtered are the payload fields that the rules filter on.
func filtered(e settings.Eligibility) []string {
	var out []string
	for _, rule := range e.Constants {
		out = append(out, rule.Field)
	}
	for _, rule := range e.Identity {
		out = append(out, rule.Field)
	}
	for _, rule := range e.Question {
		out = append(out, rule.Field)
	}
	if e.Validity != nil {
		out = append(out, e.Validity.From, e.Validity.To)
	}
	return slices.DeleteFunc(out, func(field string) bool { return field == "" })
}

// kept is an index that the spec no longer has and a Corpus still needs.
type kept struct {
	field   string
	corpora []string
}

// excuse parts what was found into drift and indexes that are kept.
func excuse(found []store.Drift, needed needs) (drift []store.Drift, keep []kept) {
	for _, d := range found {
		if corpora := needed[d.Field]; d.Kind == store.ExtraIndex && len(corpora) > 0 {
			keep = append(keep, kept{d.Field, corpora})
			continue
		}
		drift = append(drift, d)
	}
	return drift, keep
}

// breaks reports whether a difference makes questions fail: strict mode refuses
// a filter on a field without its index.
func breaks(d store.Drift, needed needs) bool {
	return (d.Kind == store.MissingIndex || d.Kind == store.WrongIndexType) && len(needed[d.Field]) > 0
}

// ofCorpus names the Collections that a change of a Corpus may concern.
func (r *Reconciler) ofCorpus(ctx context.Context, o client.Object) []reconcile.Request {
	corpus, ok := o.(*v1alpha1.Corpus)
	if !ok {
		return nil
	}
	var all v1alpha1.CollectionList
	if err := r.Client.List(ctx, &all, client.InNamespace(corpus.Namespace)); err != nil {
		return nil // the cache isn't there yet; every Collection is visited when it is
	}
	in := holds(corpus)
	var out []reconcile.Request
	for i := range all.Items {
		c := &all.Items[i]
		if c.Name == string(corpus.Spec.CollectionRef.Name) || slices.ContainsFunc(append(c.Status.Superseded, c.Status.Physical), func(p string) bool { return slices.Contains(in, p) }) {
			out = append(out, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(c)})
		}
	}
	return out
}

// moved admits the changes of a Corpus after which a collection or an index may
// no longer be needed, or counts are at rest.
func moved() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, ok := e.ObjectOld.(*v1alpha1.Corpus)
		is, also := e.ObjectNew.(*v1alpha1.Corpus)
		if !ok || !also {
			return false
		}
		return was.Generation != is.Generation || !slices.Equal(holds(was), holds(is)) || !slices.Equal(revisions(was), revisions(is)) || ingesting(was) != ingesting(is) ||
			!equality.Semantic.DeepEqual(was.Status.Copy, is.Status.Copy)
	}}
}

func ingesting(corpus *v1alpha1.Corpus) bool {
	c := corpus.Status.Candidate
	return c != nil && c.Phase == v1alpha1.CandidateIngesting
}
