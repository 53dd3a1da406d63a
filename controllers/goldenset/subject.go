package goldenset

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// subject is a revision of a Corpus to be judged.
type subject struct {
	corpus     *v1alpha1.Corpus
	revision   int64
	freeze     string
	collection string // physical
	requested  metav1.Time
	token      string // of the request by annotation that makes it necessary; "" = the Corpus waits for it
	copied     bool   // it is asked in the store to which the Collection is being moved
}

// key tells runs apart. Equal keys are the same run, and it is run once.
func (s subject) key(set types.UID) string {
	return strings.Join([]string{"evaluate", string(set), string(s.corpus.UID), fmt.Sprint(s.revision), s.freeze, fmt.Sprint(s.requested.Unix()), s.token}, "/")
}

// subjectOf is what has to be judged of a Corpus: a candidate that waits for a
// verdict and has none, or under a request by annotation whatever there is to
// judge, once more. Of one that is suspended only a copy is asked: its Collection
// is moved all the same.
func (v *visit) subjectOf(corpus *v1alpha1.Corpus) (subject, bool) {
	s, ok := waiting(corpus)
	if corpus.Spec.Suspend && (!ok || !s.copied) {
		return subject{}, false
	}
	if ok && !answers(resultOf(v.before.Status.Results, corpus.Name), s) {
		return s, true
	}
	if !v.forced || corpus.Spec.Suspend {
		return subject{}, false
	}
	if s, ok = present(corpus); !ok {
		return subject{}, false
	}
	s.token = v.request
	return s, true
}

// waiting is the candidate that asks for a verdict.
func waiting(corpus *v1alpha1.Corpus) (subject, bool) {
	c := corpus.Status.Candidate
	if c == nil || c.Phase != v1alpha1.CandidateVerifying {
		return subject{}, false
	}
	return candidate(corpus)
}

// present is what there is to judge: the candidate once it is frozen, else what
// serves.
func present(corpus *v1alpha1.Corpus) (subject, bool) {
	if s, ok := candidate(corpus); ok {
		return s, true
	}
	a := corpus.Status.Active
	if a == nil || a.Freeze == "" {
		return subject{}, false
	}
	return subject{corpus: corpus, revision: a.Revision, freeze: a.Freeze, collection: a.Collection}, true
}

func candidate(corpus *v1alpha1.Corpus) (subject, bool) {
	c := corpus.Status.Candidate
	if c == nil || c.Freeze == "" || c.Phase == v1alpha1.CandidateIngesting {
		return subject{}, false
	}
	return subject{
		corpus: corpus, revision: c.Revision, freeze: c.Freeze, collection: c.Collection, requested: c.RequestedAt,
		copied: c.Trigger == v1alpha1.TriggerMigration,
	}, true
}

// answers reports whether a result is the verdict that a subject waits for.
func answers(result *v1alpha1.GoldenResult, s subject) bool {
	return result != nil && result.Revision == s.revision && result.Freeze == s.freeze && !result.FinishedAt.Before(&s.requested)
}

func resultOf(results []v1alpha1.GoldenResult, corpus string) *v1alpha1.GoldenResult {
	for i := range results {
		if results[i].Corpus == corpus {
			return &results[i]
		}
	}
	return nil
}

func sortByName(corpora []v1alpha1.Corpus) {
	slices.SortFunc(corpora, func(a, b v1alpha1.Corpus) int { return cmp.Compare(a.Name, b.Name) })
}

// ofCorpus names the GoldenSets of a Corpus' gate.
func ofCorpus(_ context.Context, o client.Object) []reconcile.Request {
	var out []reconcile.Request
	for _, name := range gates(o) {
		out = append(out, reconcile.Request{NamespacedName: types.NamespacedName{Namespace: o.GetNamespace(), Name: name}})
	}
	return out
}

// asks admits the changes of a Corpus after which something else is to be judged.
func asks() predicate.Predicate {
	asked := func(o client.Object) string {
		corpus, ok := o.(*v1alpha1.Corpus)
		if !ok {
			return ""
		}
		key := ""
		if s, waits := waiting(corpus); waits {
			key = s.key("")
		}
		return fmt.Sprint(corpus.Spec.Suspend, corpus.DeletionTimestamp.IsZero(), corpus.Spec.Gate.GoldenSets, key)
	}
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return asked(e.ObjectOld) != asked(e.ObjectNew) }}
}
