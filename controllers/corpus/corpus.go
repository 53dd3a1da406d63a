// Package corpus brings a Corpus from its source to a verified revision that
// serves.
//
// A visit runs ordered steps: adopt, resolve, serve what is active, move with the
// Collection, erase and roll back if asked to, connect to the source, discover, guard, decide, ingest, verify,
// promote, alias, vacuum; or retire.
// No step blocks: each advances bounded work or observes a job, and says by its
// error what comes next. Serving comes before everything that can fail without
// it: a source, a Secret or a spec that is wrong stops no answer, not even after
// a restart. Conditions are written by status.go alone.
package corpus

import (
	"context"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/connect"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/serving"
	"github.com/hardgate-dev/hardgate/controllers/work"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	docsource "github.com/hardgate-dev/hardgate/runtime/source"
)

// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=corpora,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=corpora/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=corpora/finalizers,verbs=update
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=collections;goldensets,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=controllerrevisions,verbs=get;list;watch;create;delete
// +kubebuilder:rbac:groups="",resources=secrets;namespaces,verbs=get
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;create;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
// +kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create
// +kubebuilder:rbac:groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create

// Reconciler reconciles Corpora.
type Reconciler struct {
	Client   client.Client
	Reader   client.Reader // uncached
	Connect  *connect.Connector
	Runtime  *assembly.Runtime
	Runner   *work.Runner
	Serving  *serving.Registry
	Recorder events.EventRecorder
	Clock    clock.PassiveClock
	Metrics  *Metrics // nil: none
	Endpoint string   // base URL of the runtime's HTTP surface, for status.endpoint

	Concurrency int // Corpora that are visited at a time; 0 is 1

	mu   sync.Mutex
	seen map[types.UID]*seen
}

// seen is what a process remembers of a corpus between visits. Losing it costs
// one listing.
type seen struct {
	listing    *docsource.Listing
	listedAt   time.Time
	listed     trouble   // with the source
	tried      int64     // generation of the spec when it was last tried
	built      trouble   // with the candidate's documents
	building   int64     // the revision of the ingest job, if there is one
	generation int64     // of the spec that was listed
	origin     string    // what the listing is of
	serves     string    // what the registry was last given, to give it only what changed
	stale      time.Time // since when the alias has been seen to lead elsewhere; zero when it does not
	vacuumed   string    // the revision and history limit that were last vacuumed for
	approval   string    // the approval of deletions that the listing was made for
	absence    absence   // what the listing lacks
	absenceOf  string    // of which listing and revision
	erasure    trouble   // with erasing
	barred     []string  // documents of which no context is kept
}

// visit is one pass over a Corpus; the steps fill it.
type visit struct {
	corpus   *v1alpha1.Corpus
	now      time.Time
	request  string // the newest reconcile request, "" when it was handled before
	forced   bool   // a request was met by this visit
	events   []note
	degraded []note // what works, but not as the spec has it

	*resolved
	seen      *seen
	sourceErr error
	lost      string   // why the active revision cannot serve
	serves    bool     // the registry has the active revision
	promoted  bool     // another revision was put into service, and is not on record yet
	judged    bool     // the gate was asked about what serves
	source    string   // what a revision of the listing is called
	withheld  []string // keys that the listing lacks, and that stay
	unpassed  *note    // why a revision serves, or may, that no gate has passed: spec.gate.mode is Audit
}

// note is an event or a cause of degradation.
type note struct {
	kind, reason, message string
}

func (v *visit) event(kind, reason, format string, args ...any) {
	v.events = append(v.events, note{kind, reason, fmt.Sprintf(format, args...)})
}

func (v *visit) degrade(reason, format string, args ...any) {
	v.degraded = append(v.degraded, note{"", reason, fmt.Sprintf(format, args...)})
}

// Reconcile visits one Corpus.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	corpus := &v1alpha1.Corpus{}
	if err := r.Client.Get(ctx, req.NamespacedName, corpus); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	v := &visit{corpus: corpus, now: r.Clock.Now(), seen: r.remember(corpus.UID)}
	if !corpus.DeletionTimestamp.IsZero() {
		return r.retire(ctx, v)
	}
	if err := r.adopt(ctx, corpus); apierrors.IsConflict(err) {
		return ctrl.Result{RequeueAfter: recorded}, nil
	} else if err != nil {
		return ctrl.Result{}, err
	}
	before := corpus.DeepCopy()
	// Before anything serves: a restore comes to the manager by it as well.
	corpus.Status.Endpoint = fmt.Sprintf("%s/v1/corpora/%s/%s/query", r.Endpoint, corpus.Namespace, corpus.Name)
	v.request = request(corpus)
	err := r.steps(ctx, v)
	if err != nil {
		r.unopened(v, err)
	}
	report(v, err)
	result, err := outcome.Settle(ctx, r.Client, corpus, before, err, r.healthy(v))
	if err == nil && result.RequeueAfter == 0 {
		result.RequeueAfter = v.meanwhile()
	}
	if apierrors.IsConflict(err) { // seen from an outdated object; the next visit tells
		return ctrl.Result{RequeueAfter: recorded}, nil
	}
	for _, e := range v.events {
		r.Recorder.Eventf(corpus, nil, e.kind, e.reason, "Reconcile", "%s", clip(e.message, maxNote))
	}
	return result, err
}

// maxNote is the API's bound on an event's note, bytes.
const maxNote = 1024

func (r *Reconciler) steps(ctx context.Context, v *visit) error {
	for _, step := range []func(context.Context, *visit) error{r.resolve, r.serve, r.move, r.erase, r.rollback} {
		if err := step(ctx, v); err != nil {
			return err
		}
	}
	if v.corpus.Spec.Suspend {
		return nil
	}
	for _, step := range []func(context.Context, *visit) error{r.open, r.discover, r.guard, r.decide, r.ingest, r.verify, r.promote, r.alias, r.vacuum} {
		if err := step(ctx, v); err != nil {
			return err
		}
	}
	return v.sourceErr
}

// adopt persists the finalizer before anything outside is touched.
func (r *Reconciler) adopt(ctx context.Context, c *v1alpha1.Corpus) error {
	patch := client.MergeFromWithOptions(c.DeepCopy(), client.MergeFromWithOptimisticLock{})
	if !controllerutil.AddFinalizer(c, v1alpha1.Finalizer) {
		return nil
	}
	if err := r.Client.Patch(ctx, c, patch); err != nil {
		return fmt.Errorf("add finalizer: %w", err)
	}
	return nil
}

func (r *Reconciler) remember(uid types.UID) *seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil {
		r.seen = map[types.UID]*seen{}
	}
	if r.seen[uid] == nil {
		r.seen[uid] = &seen{}
	}
	return r.seen[uid]
}

// Objects returns the keys of the last listing of a corpus, nil when this
// process has not listed it.
func (r *Reconciler) Objects(uid types.UID) []string {
	s := r.remember(uid)
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.listing == nil {
		return nil
	}
	return s.listing.Keys
}

// request is the newest of the two reconcile annotations' values that has not
// been handled.
func request(c *v1alpha1.Corpus) string {
	want := outcome.Requested(c)
	if want == c.Status.LastHandledReconcileAt {
		return ""
	}
	return want
}

// healthy is when to look again at a corpus that is as it should be: when the
// source is due, and right after a promotion, to vacuum. 0 is never.
func (r *Reconciler) healthy(v *visit) time.Duration {
	switch {
	case v.corpus.Spec.Suspend:
		return 0
	case v.unvacuumed():
		return vacuumSoon
	}
	return max(v.due().Sub(v.now), time.Second)
}

// meanwhile is when to look at the source and at what serves though something
// else is waited for, which a watch or a job will tell of. 0 is never.
func (v *visit) meanwhile() time.Duration {
	if v.corpus.Spec.Suspend || v.seen.listing == nil {
		return 0
	}
	if left := v.due().Sub(v.now); left > 0 {
		return left
	}
	return v.corpus.Spec.Interval.Duration
}

// due is the instant of the next listing. Corpora are spread over a tenth of
// their interval by their UID, so that they do not all list at once.
func (v *visit) due() time.Time {
	interval := v.corpus.Spec.Interval.Duration
	h := fnv.New32a()
	_, _ = h.Write([]byte(v.corpus.UID))
	return v.seen.listedAt.Add(interval + time.Duration(h.Sum32()%1000)*interval/10000)
}

// SetupWithManager watches Corpora and what their state depends on.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](200*time.Millisecond, retryMost)
	return ctrl.NewControllerManagedBy(mgr).Named("corpus").
		For(&v1alpha1.Corpus{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}))).
		Watches(&v1alpha1.GoldenSet{}, handler.EnqueueRequestsFromMapFunc(r.ofGoldenSet)).
		Watches(&v1alpha1.Collection{}, handler.EnqueueRequestsFromMapFunc(r.ofCollection)).
		WatchesRawSource(source.Channel(r.Runner.Wake(), &handler.EnqueueRequestForObject{})).
		WithOptions(controller.Options{RateLimiter: limiter, MaxConcurrentReconciles: max(1, r.Concurrency)}).
		Complete(r)
}

func (r *Reconciler) ofGoldenSet(ctx context.Context, o client.Object) []reconcile.Request {
	return r.corporaThat(ctx, o.GetNamespace(), func(c *v1alpha1.Corpus) bool {
		for _, name := range c.Spec.Gate.GoldenSets {
			if string(name) == o.GetName() {
				return true
			}
		}
		return false
	})
}

func (r *Reconciler) ofCollection(ctx context.Context, o client.Object) []reconcile.Request {
	return r.corporaThat(ctx, o.GetNamespace(), func(c *v1alpha1.Corpus) bool {
		return string(c.Spec.CollectionRef.Name) == o.GetName()
	})
}

func (r *Reconciler) corporaThat(ctx context.Context, namespace string, match func(*v1alpha1.Corpus) bool) []reconcile.Request {
	var all v1alpha1.CorpusList
	if err := r.Client.List(ctx, &all, client.InNamespace(namespace)); err != nil {
		return nil // the cache is not there yet; every Corpus is visited when it is
	}
	var out []reconcile.Request
	for i := range all.Items {
		if match(&all.Items[i]) {
			out = append(out, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&all.Items[i])})
		}
	}
	return out
}

// stamp is a metav1.Time of whole seconds, as the API keeps it.
func stamp(t time.Time) metav1.Time { return metav1.NewTime(t.Truncate(time.Second)) }

const (
	normal  = corev1.EventTypeNormal
	warning = corev1.EventTypeWarning
)
