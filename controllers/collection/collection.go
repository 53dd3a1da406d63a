// Package collection keeps the physical collections that Collections stand for.
//
// A visit runs ordered steps: adopt (finalizer), plan (which physical
// collection), open (the store), compare (make it, or find what differs and
// bring it in line), migrate (move it to another store), supersede (drop what
// nothing serves from); or retire. It
// writes to the store only what bears its owner's marker. Nothing here runs
// longer than a few calls to the store; conditions are written by status.go
// alone.
//
// A change of the spec is applied at once, under every drift policy. Any other
// difference is drift: a first visit reports it (Ready=False, Reconciling) and the
// next repairs it. Under Warn it stays reported: Degraded and Ready, or, where a
// Corpus' questions need what is missing, Stalled. An index that a Corpus still
// filters on is kept though the spec no longer has it: Degraded, IndexInUse.
package collection

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
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=collections,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=collections/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=collections/finalizers,verbs=update
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=corpora,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=controllerrevisions,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=secrets;namespaces,verbs=get
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Encoder is what a collection has to fit.
type Encoder interface {
	Space(e settings.Embedding) (assembly.Space, error)
}

// Options of the reconciler.
type Options struct {
	// ClusterID is part of every physical name and owner marker, so that two
	// clusters can share a store.
	ClusterID string
	// DriftInterval is how often a collection is compared with its spec; 0 = 1m.
	DriftInterval time.Duration
	// CountInterval is how often at most a change of counts alone is written;
	// 0 = 1m. While documents are ingested counts aren't written at all.
	CountInterval time.Duration
	// Drain is how long after a move the store before is left as it is; 0 = 30s.
	Drain time.Duration
	// Outgrown is how many points the embedded store is made for; 0 = embedded.Outgrown.
	Outgrown uint64
}

func (o Options) drift() time.Duration { return orMinute(o.DriftInterval) }
func (o Options) count() time.Duration { return orMinute(o.CountInterval) }

func (o Options) drain() time.Duration {
	if o.Drain <= 0 {
		return defaultDrain
	}
	return o.Drain
}

func (o Options) outgrown() uint64 {
	if o.Outgrown == 0 {
		return embedded.Outgrown
	}
	return o.Outgrown
}

func orMinute(d time.Duration) time.Duration {
	if d <= 0 {
		return time.Minute
	}
	return d
}

// Reconciler reconciles Collections.
type Reconciler struct {
	Client   client.Client
	Reader   client.Reader // uncached: snapshots, and the namespace of a deleted object
	Connect  *connect.Connector
	Encoder  Encoder
	Runner   *work.Runner // of moves to another store
	Recorder events.EventRecorder
	Clock    clock.PassiveClock
	Metrics  *Metrics // nil: none
	Options  Options

	mu      sync.Mutex
	counted map[types.UID]time.Time // when counts were last written
}

// visit is one pass over a Collection; the steps fill it.
type visit struct {
	collection, before *v1alpha1.Collection
	request            string // the reconcile request that this visit answers
	events             []note

	settings settings.Collection
	schema   store.Schema
	model    string // whose vectors it holds
	client   *store.Client
	users    []v1alpha1.Corpus // Corpora that refer to the collection, or are in it

	inspected bool
	state     store.State
	drift     []store.Drift // what differs and isn't excused
	kept      []kept        // extra indexes that a Corpus needs
	foreign   []string      // superseded names that bear another owner's marker
	counts    bool          // counts are due to be written
	outgrown  uint64        // points that the embedded store is made for
}

// note is an event.
type note struct{ kind, reason, message string }

func (v *visit) event(kind, reason, format string, args ...any) {
	v.events = append(v.events, note{kind, reason, fmt.Sprintf(format, args...)})
}

const (
	normal  = corev1.EventTypeNormal
	warning = corev1.EventTypeWarning

	// now is the shortest wait: the status is written, the cache has time to hear of
	// it, and the object is visited again.
	now = 20 * time.Millisecond

	// retryMost bounds the backoff after a fault of the store, so that its return
	// is noticed within a minute.
	retryMost = time.Minute
)

// Reconcile visits one Collection.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	c := &v1alpha1.Collection{}
	if err := r.Client.Get(ctx, req.NamespacedName, c); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	v := &visit{collection: c, before: c.DeepCopy(), request: outcome.Requested(c), outgrown: r.Options.outgrown()}
	if !c.DeletionTimestamp.IsZero() {
		return r.retire(ctx, v)
	}
	return r.settle(ctx, v, r.steps(ctx, v))
}

func (r *Reconciler) steps(ctx context.Context, v *visit) error {
	for _, step := range []func(context.Context, *visit) error{r.adopt, r.plan, r.reach, r.migrate, r.supersede} {
		if err := step(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// reach opens the store that serves and holds the collection to the schema there.
func (r *Reconciler) reach(ctx context.Context, v *visit) error {
	err := r.open(ctx, v)
	if err == nil {
		err = r.compare(ctx, v)
	}
	if err != nil {
		return r.readdress(ctx, v, err)
	}
	return nil
}

// settle reports what the visit found and tells what changed.
func (r *Reconciler) settle(ctx context.Context, v *visit, err error) (ctrl.Result, error) {
	report(v, err, r.Clock.Now())
	told := transitions(v.before, v.collection)
	result, err := outcome.Settle(ctx, r.Client, v.collection, v.before, err, r.Options.drift())
	if apierrors.IsConflict(err) {
		told = nil // seen from an outdated object; the next visit tells
	}
	for _, e := range append(v.events, told...) {
		r.emit(v.collection, e)
	}
	return result, err
}

// emit records an event. The API takes notes of 1024 bytes.
func (r *Reconciler) emit(c *v1alpha1.Collection, e note) {
	r.Recorder.Eventf(c, nil, e.kind, e.reason, "Reconcile", "%s", clip(e.message, 1024))
}

// SetupWithManager watches Collections, and the Corpora that keep indexes and
// superseded collections alive. Secrets are read at each visit instead.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.Corpus{}, usesIndex, uses); err != nil {
		return fmt.Errorf("index corpora by collection: %w", err)
	}
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](200*time.Millisecond, retryMost)
	return ctrl.NewControllerManagedBy(mgr).Named("collection").
		For(&v1alpha1.Collection{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}))).
		Watches(&v1alpha1.Corpus{}, handler.EnqueueRequestsFromMapFunc(r.ofCorpus), builder.WithPredicates(moved())).
		WatchesRawSource(source.Channel(r.Runner.Wake(), &handler.EnqueueRequestForObject{})).
		WithOptions(controller.Options{RateLimiter: limiter}).
		Complete(r)
}
