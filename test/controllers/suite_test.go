// Package controllers holds the reconcilers to a real API server, a real
// encoder and a real store: admission, finalizers, watches and whole flows.
package controllers

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/collection"
	"github.com/hardgate-dev/hardgate/controllers/connect"
	"github.com/hardgate-dev/hardgate/controllers/corpus"
	"github.com/hardgate-dev/hardgate/controllers/goldenset"
	"github.com/hardgate-dev/hardgate/controllers/serving"
	"github.com/hardgate-dev/hardgate/controllers/work"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

const (
	// cluster is the id of this cluster in physical names.
	cluster = "test"
	// driftInterval is how often collections are compared here; a rest of a second
	// is then several comparisons long.
	driftInterval = 200 * time.Millisecond
)

// What the package's tests share, because starting it takes seconds.
var (
	server *rest.Config
	scheme *runtime.Scheme
	engine *assembly.Runtime // real weights; the embedded store in memory
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(aloneDir); dir != "" {
		os.Exit(storeAlone(dir, os.Getenv(aloneAddress)))
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	ctrl.SetLogger(logr.Discard())
	scheme = runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return 0, fmt.Errorf("scheme: %w", err)
		}
	}
	env := &envtest.Environment{CRDDirectoryPaths: []string{"../../config/crd/bases"}, ErrorIfCRDPathMissing: true}
	var err error
	if server, err = env.Start(); err != nil {
		return 0, fmt.Errorf("start the API server (make setup, KUBEBUILDER_ASSETS=%q): %w", os.Getenv("KUBEBUILDER_ASSETS"), err)
	}
	defer env.Stop()
	server.QPS, server.Burst = -1, -1
	engine, err = assembly.Open(assembly.Options{ModelDir: settings.ModelDir(os.Getenv), CacheDir: settings.EngineDir(os.Getenv), Version: "test"})
	if err != nil {
		return 0, fmt.Errorf("open the runtime (run make setup): %w", err)
	}
	defer engine.Close()
	defer storage.stop()
	return m.Run(), nil
}

// kind adds one reconciler to a manager.
type kind func(w *world, mgr ctrl.Manager) error

// world is one namespace, with a manager of its own that sees nothing else. A
// test names the reconcilers that it wants: what another would do, it can then
// do itself, step by step.
type world struct {
	*testing.T
	client.WithWatch // uncached

	namespace string
	ctx       context.Context
	connect   *connect.Connector
	encoder   collection.Encoder
	config    *rest.Config // as whom the manager works
	serving   *serving.Registry
	corpora   *corpus.Reconciler
	endpoint  string // base URL of the manager's HTTP surface, if there is one
	outgrown  uint64 // what the embedded store is made for; 0 = as in production
	stop      func() // ends the manager; it can be started again by run
}

// newWorld makes a namespace and starts a manager with these reconcilers; none
// starts none.
func newWorld(t *testing.T, kinds ...kind) *world {
	t.Helper()
	c, err := client.NewWithWatch(server, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatalf("client: %v", err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	if err := c.Create(t.Context(), namespace); err != nil {
		t.Fatalf("create namespace: %v", err)
	}
	w := &world{T: t, WithWatch: c, namespace: namespace.Name, ctx: t.Context(), config: server, encoder: engine, serving: serving.New(), stop: func() {}}
	w.connect = &connect.Connector{Reader: c, Runtime: engine}
	if len(kinds) > 0 {
		w.run(kinds...)
	}
	return w
}

// everything is all reconcilers, as the manager runs them.
func everything() []kind { return []kind{collections, corpora, goldenSets} }

// run starts a manager, in place of one that runs already.
func (w *world) run(kinds ...kind) {
	w.Helper()
	w.stop()
	ctx, cancel := context.WithCancel(w.Context())
	skip := true // each test has controllers of the same names
	mgr, err := ctrl.NewManager(w.config, ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}, HealthProbeBindAddress: "0",
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{w.namespace: {}}},
		Client:     client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}, &corev1.ConfigMap{}, &corev1.Namespace{}}}},
		Controller: config.Controller{SkipNameValidation: &skip},
	})
	if err != nil {
		w.Fatalf("manager: %v", err)
	}
	w.ctx = ctx
	for _, add := range kinds {
		if err := add(w, mgr); err != nil {
			w.Fatalf("set up: %v", err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	stopped := false
	w.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			w.Errorf("manager: %v", err)
		}
	}
	w.Cleanup(w.stop)
}

func collections(w *world, mgr ctrl.Manager) error {
	r := &collection.Reconciler{
		Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Connect: w.connect, Encoder: w.encoder,
		Runner: work.New(w.ctx, 1), Recorder: mgr.GetEventRecorder("collection"), Clock: clock.RealClock{},
		Options: collection.Options{ClusterID: cluster, DriftInterval: driftInterval, CountInterval: driftInterval, Drain: time.Second, Outgrown: w.outgrown},
	}
	return r.SetupWithManager(mgr)
}

func goldenSets(w *world, mgr ctrl.Manager) error {
	r := &goldenset.Reconciler{
		Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Connect: w.connect, Runtime: engine, Runner: work.New(w.ctx, 2),
		Recorder: mgr.GetEventRecorder("goldenset"), Clock: clock.RealClock{},
	}
	if w.corpora != nil {
		r.Objects = w.corpora.Objects
	}
	return r.SetupWithManager(mgr)
}

func corpora(w *world, mgr ctrl.Manager) error {
	w.corpora = &corpus.Reconciler{
		Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Connect: w.connect, Runtime: engine, Runner: work.New(w.ctx, 2), Serving: w.serving,
		Recorder: mgr.GetEventRecorder("corpus"), Clock: clock.RealClock{}, Endpoint: cmp.Or(w.endpoint, "http://hardgate.test"),
	}
	return w.corpora.SetupWithManager(mgr)
}

// store is the embedded store that all Collections without a server share.
func (w *world) store() *store.Client {
	w.Helper()
	s, err := engine.Embedded(w.Context())
	if err != nil {
		w.Fatalf("embedded store: %v", err)
	}
	return s
}
