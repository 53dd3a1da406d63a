package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/controllers/manager"
	"github.com/hardgate-dev/hardgate/controllers/serving"
	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// cluster is an API server, and the manager's reconcilers and HTTP surface in
// this process.
type cluster struct {
	client.WithWatch // uncached
	set              kubernetes.Interface
	url              string // of the HTTP surface
	closers          []func() error
}

// driftInterval is how often collections are compared with their specs here.
const driftInterval = 500 * time.Millisecond

func startCluster(ctx context.Context) (*cluster, error) {
	c := &cluster{}
	env := &envtest.Environment{CRDDirectoryPaths: []string{"../../config/crd/bases"}, ErrorIfCRDPathMissing: true}
	cfg, err := env.Start()
	if err != nil {
		return nil, fmt.Errorf("start the API server (run `make setup`; KUBEBUILDER_ASSETS=%q): %w", os.Getenv("KUBEBUILDER_ASSETS"), err)
	}
	c.closers = append(c.closers, env.Stop)
	cfg.QPS, cfg.Burst = -1, -1
	mgr, err := ctrl.NewManager(cfg, ctrl.Options{
		Scheme: manager.Scheme(), Metrics: metricsserver.Options{BindAddress: "0"}, HealthProbeBindAddress: "0",
		Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}, &corev1.ConfigMap{}, &corev1.Namespace{}}}},
	})
	if err != nil {
		return c, errors.Join(err, c.stop())
	}
	if c.WithWatch, err = client.NewWithWatch(cfg, client.Options{Scheme: mgr.GetScheme()}); err != nil {
		return c, errors.Join(err, c.stop())
	}
	if c.set, err = kubernetes.NewForConfig(cfg); err != nil {
		return c, errors.Join(err, c.stop())
	}
	if err := c.roles(ctx); err != nil {
		return c, errors.Join(err, c.stop())
	}
	if err := c.manage(ctx, mgr); err != nil {
		return c, errors.Join(err, c.stop())
	}
	return c, nil
}

// manage starts what `hardgate manager` runs, until ctx ends.
func (c *cluster) manage(ctx context.Context, mgr ctrl.Manager) error {
	registry := serving.New()
	surface := httptest.NewServer(c.surface(registry))
	c.url = surface.URL
	c.closers = append(c.closers, func() error { surface.Close(); return nil })
	o := manager.Options{ClusterID: "faults", DriftInterval: driftInterval, Endpoint: surface.URL}
	if err := manager.Setup(ctx, mgr, o, engine, registry); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	c.closers = append(c.closers, func() error { return <-ended })
	return nil
}

// surface authenticates and authorizes by the API server.
func (c *cluster) surface(registry *serving.Registry) http.Handler {
	return serve.New(serve.Options{
		Corpora:       registry,
		Authenticator: serve.TokenReviews{Client: c.set.AuthenticationV1().TokenReviews()},
		Authorizer:    serve.AccessReviews{Client: c.set.AuthorizationV1().SubjectAccessReviews()},
	})
}

// roles installs the roles that users are bound to.
func (c *cluster) roles(ctx context.Context) error {
	files, err := filepath.Glob("../../config/rbac/users/*_role.yaml")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no roles in config/rbac/users: %w", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(data, &o.Object); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		if err := c.Create(ctx, o); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
	}
	return nil
}

// stop ends what was started, last first.
func (c *cluster) stop() error {
	var errs []error
	for _, end := range slices.Backward(c.closers) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}
