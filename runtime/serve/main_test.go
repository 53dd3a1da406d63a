package serve_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// What the package's tests share, because starting it takes seconds.
var (
	kube   kubernetes.Interface // a real API server
	signer string               // file of the key that signs its ServiceAccounts' tokens
)

// roles are the ones that are shipped for people to bind.
const roles = "../../config/rbac/users"

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	env := &envtest.Environment{}
	cfg, err := env.Start()
	if err != nil {
		return 0, fmt.Errorf("start the API server (run `make setup`; KUBEBUILDER_ASSETS=%q): %w", os.Getenv("KUBEBUILDER_ASSETS"), err)
	}
	defer func() { _ = env.Stop() }() // the process ends here
	cfg.QPS = -1
	if kube, err = kubernetes.NewForConfig(cfg); err != nil {
		return 0, err
	}
	signer = filepath.Join(env.ControlPlane.GetAPIServer().CertDir, "sa-signer.key")
	if err := applyRoles(context.Background()); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

func applyRoles(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(roles, "corpus_*_role.yaml"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no roles in %s: %w", roles, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		var role rbacv1.ClusterRole
		if err := yaml.UnmarshalStrict(text, &role); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		if _, err := kube.RbacV1().ClusterRoles().Create(ctx, &role, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// engine opens the real encoder.
func engine(t *testing.T) *assembly.Runtime {
	t.Helper()
	r, err := assembly.Open(assembly.Options{ModelDir: settings.ModelDir(os.Getenv), CacheDir: settings.EngineDir(os.Getenv), Version: "test"})
	if err != nil {
		t.Fatalf("open the runtime (run `make setup`): %v", err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}
