// Package manager runs the operator: the reconcilers, the embedded runtime and
// its HTTP surface in one process.
package manager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	authnclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authzclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/go-logr/logr"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/serving"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// +kubebuilder:rbac:groups="",resources=namespaces,verbs=get
// +kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create
// +kubebuilder:rbac:groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create

// Scheme knows the kinds that the manager handles.
func Scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(s); err != nil {
			panic(err) // two kinds of one name: a fault of the program
		}
	}
	return s
}

// Run runs until ctx ends. It returns early when something that it cannot do
// without is missing.
func Run(ctx context.Context, o Options, ro assembly.Options) error {
	logger := zap.New(zap.WriteTo(os.Stderr))
	ctrl.SetLogger(logger)
	cfg, err := config(o.Kubeconfig)
	if err != nil {
		return err
	}
	ro.DataDir = o.DataDir
	ro.ExtractWorker.Died = func(key string, page int, said string) {
		logger.Error(nil, "the process that read a file died", "key", key, "page", page, "said", said)
	}
	r, err := assembly.Open(ro)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // the process ends
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{
		Scheme: Scheme(), Logger: logger,
		Metrics:                metricsserver.Options{BindAddress: o.MetricsAddress},
		HealthProbeBindAddress: o.HealthAddress,
		LeaderElection:         o.LeaderElect, LeaderElectionID: "hardgate." + v1alpha1.Group, LeaderElectionReleaseOnCancel: true,
		Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}, &corev1.ConfigMap{}, &corev1.Namespace{}}}},
	})
	if err != nil {
		return fmt.Errorf("start manager: %w", err)
	}
	registry := serving.New()
	if err := Setup(ctx, mgr, o, r, registry); err != nil {
		return err
	}
	if err := surface(ctx, mgr, o, r, registry, slog.New(logr.ToSlogHandler(logger))); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

// config finds the API server as kubectl does, or in the cluster.
func config(kubeconfig string) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	cfg, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("--kubeconfig: %w", err)
	}
	return cfg, nil
}

// clusterID is the flag's, or from the UID of kube-system, which stays the same
// as long as the cluster lives.
func clusterID(ctx context.Context, c client.Reader, flag string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	var ns corev1.Namespace
	if err := c.Get(ctx, types.NamespacedName{Name: "kube-system"}, &ns); err != nil {
		return "", fmt.Errorf("--cluster-id is missing, and namespace kube-system cannot be read: %w", err)
	}
	return string(ns.UID)[:8], nil
}

// surface serves questions on every replica, leader or not.
func surface(ctx context.Context, mgr ctrl.Manager, o Options, r *assembly.Runtime, registry *serving.Registry, log *slog.Logger) error {
	authn, err := authnclient.NewForConfigAndClient(mgr.GetConfig(), mgr.GetHTTPClient())
	if err != nil {
		return err
	}
	authz, err := authzclient.NewForConfigAndClient(mgr.GetConfig(), mgr.GetHTTPClient())
	if err != nil {
		return err
	}
	tokens := serve.TokenReviews{Client: authn.TokenReviews(), Audiences: o.Audiences}
	handler, err := backups(ctx, mgr, o, r, tokens, authz.SubjectAccessReviews(), log, serve.New(serve.Options{
		Corpora: registry, Handoffs: r.Handoffs(), Log: log, Registry: metrics.Registry, Authenticator: tokens, Authorizer: serve.AccessReviews{Client: authz.SubjectAccessReviews()},
	}))
	if err != nil {
		return err
	}
	if err := errors.Join(mgr.AddHealthzCheck("ping", healthz.Ping), mgr.AddReadyzCheck("ping", healthz.Ping)); err != nil {
		return err
	}
	return mgr.Add(&server{address: o.ServeAddress, handler: handler})
}

// server is an HTTP server as the manager runs it.
type server struct {
	address string
	handler http.Handler
}

var _ ctrlmanager.LeaderElectionRunnable = (*server)(nil)

// NeedLeaderElection says that every replica serves.
func (*server) NeedLeaderElection() bool { return false }

// Start serves until ctx ends, then lets running requests finish.
func (s *server) Start(ctx context.Context) error {
	l, err := net.Listen("tcp", s.address)
	if err != nil {
		return fmt.Errorf("--serve-address: %w", err)
	}
	srv := &http.Server{Handler: s.handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve on %s: %w", s.address, err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	return srv.Shutdown(grace)
}
