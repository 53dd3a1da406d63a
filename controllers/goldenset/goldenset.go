// Package goldenset asks golden sets.
//
// A Corpus publishes a candidate with a freeze; each GoldenSet of its gate
// answers with a result that bears that freeze. A visit runs ordered steps: read
// (the answer key), find (who waits for a verdict), judge (start, observe or
// record an evaluation). Evaluations are jobs; no visit waits for one. An
// evaluation that could not finish is tried again and is no verdict. The same
// freeze is not asked twice, unless the Corpus asks anew or a person does by
// annotation. Conditions are written by status.go alone.
package goldenset

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/connect"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/work"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=goldensets,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=goldensets/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=corpora;collections,verbs=get;list;watch
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=corpora/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=controllerrevisions,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;delete
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Reconciler reconciles GoldenSets.
type Reconciler struct {
	Client   client.Client
	Reader   client.Reader // uncached: ConfigMaps and snapshots, of which the manager keeps no copies
	Connect  *connect.Connector
	Runtime  *assembly.Runtime
	Runner   *work.Runner // its own: what it wakes are GoldenSets
	Recorder events.EventRecorder
	Clock    clock.PassiveClock

	// Objects returns the keys of a Corpus' last listing, those included that are
	// no documents; nil when it isn't known. Without it a diagnosis knows only the
	// keys of the ledger.
	Objects func(corpus types.UID) []string

	mu   sync.Mutex
	runs map[types.NamespacedName]map[string]*run // started jobs, by key
}

// visit is one pass over a GoldenSet; the steps fill it.
type visit struct {
	set, before *v1alpha1.GoldenSet
	now         time.Time
	request     string // the newest reconcile request
	forced      bool   // it hasn't been answered yet
	events      []note

	key      evaluate.Set // valid once read
	hash     string
	read     bool
	found    bool
	corpora  []v1alpha1.Corpus // whose gate names the set, by name
	running  []v1alpha1.Evaluation
	results  []v1alpha1.GoldenResult
	unended  []string      // what goes on, for people
	troubles []string      // what could not finish, for people
	next     time.Duration // until something is due by itself; 0 = nothing is
}

// note is an event.
type note struct{ kind, reason, message string }

func (v *visit) event(kind, reason, format string, args ...any) {
	v.events = append(v.events, note{kind, reason, fmt.Sprintf(format, args...)})
}

// again asks for a visit after d at the latest.
func (v *visit) again(d time.Duration) {
	d = max(d, time.Millisecond)
	if v.next == 0 || d < v.next {
		v.next = d
	}
}

const (
	normal  = corev1.EventTypeNormal
	warning = corev1.EventTypeWarning
)

// Reconcile visits one GoldenSet.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	set := &v1alpha1.GoldenSet{}
	err := r.Client.Get(ctx, req.NamespacedName, set)
	if apierrors.IsNotFound(err) || (err == nil && !set.DeletionTimestamp.IsZero()) {
		return ctrl.Result{}, r.keep(ctx, req.NamespacedName, nil)
	}
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("read GoldenSet: %w", err)
	}
	v := &visit{set: set, before: set.DeepCopy(), now: r.Clock.Now(), request: outcome.Requested(set)}
	v.forced = v.request != "" && v.request != set.Status.LastHandledReconcileAt
	err = r.steps(ctx, v)
	report(v, err)
	result, err := outcome.Settle(ctx, r.Client, v.set, v.before, pending(v, err), 0)
	if !apierrors.IsConflict(err) { // else it was seen from an outdated object; the next visit tells
		for _, e := range append(v.events, readiness(v.before, v.set)...) {
			r.Recorder.Eventf(v.set, nil, e.kind, e.reason, "Reconcile", "%s", clip(e.message, 1024))
		}
	}
	return result, err
}

func (r *Reconciler) steps(ctx context.Context, v *visit) error {
	for _, step := range []func(context.Context, *visit) error{r.readKey, r.find, r.judge} {
		if err := step(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// pending turns what goes on into a wait.
func pending(v *visit, err error) error {
	if err != nil || v.next == 0 {
		return err
	}
	return outcome.Waiting(v.next, v1alpha1.VerifyingReason, "evaluations go on")
}

// SetupWithManager watches GoldenSets, the Corpora that wait for their verdicts,
// and the ConfigMaps that keep their questions.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	indexer := mgr.GetFieldIndexer()
	if err := indexer.IndexField(context.Background(), &v1alpha1.Corpus{}, gateIndex, gates); err != nil {
		return fmt.Errorf("index corpora by golden set: %w", err)
	}
	if err := indexer.IndexField(context.Background(), &v1alpha1.GoldenSet{}, questionsIndex, questionsFrom); err != nil {
		return fmt.Errorf("index golden sets by ConfigMap: %w", err)
	}
	// Faults of the API server alone are retried here; an evaluation that could not
	// finish has a backoff of its own.
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](200*time.Millisecond, time.Minute)
	return ctrl.NewControllerManagedBy(mgr).Named("goldenset").
		For(&v1alpha1.GoldenSet{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}))).
		Watches(&v1alpha1.Corpus{}, handler.EnqueueRequestsFromMapFunc(ofCorpus), builder.WithPredicates(asks())).
		WatchesMetadata(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.ofConfigMap)).
		WatchesRawSource(source.Channel(r.Runner.Wake(), &handler.EnqueueRequestForObject{})).
		WithOptions(controller.Options{RateLimiter: limiter}).
		Complete(r)
}
