package snapshot_test

import (
	"fmt"
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// server is a client of a real API server, which the package's tests share.
var server client.WithWatch

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return 0, fmt.Errorf("scheme: %w", err)
		}
	}
	env := &envtest.Environment{CRDDirectoryPaths: []string{"../../config/crd/bases"}, ErrorIfCRDPathMissing: true}
	cfg, err := env.Start()
	if err != nil {
		return 0, fmt.Errorf("start the API server (run `make setup`; KUBEBUILDER_ASSETS=%q): %w", os.Getenv("KUBEBUILDER_ASSETS"), err)
	}
	defer func() { _ = env.Stop() }() // the process ends here
	cfg.QPS = -1
	if server, err = client.NewWithWatch(cfg, client.Options{Scheme: scheme}); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// namespace makes one for a test.
func namespace(t *testing.T) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "snapshot-"}}
	if err := server.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return ns.Name
}

// corpus makes a Corpus that the API server admits.
func corpus(t *testing.T, namespace, name string) *v1alpha1.Corpus {
	t.Helper()
	text, err := os.ReadFile("../../config/samples/payroll/corpus.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c v1alpha1.Corpus
	if err := yaml.UnmarshalStrict(text, &c); err != nil {
		t.Fatal(err)
	}
	c.Namespace, c.Name = namespace, name
	if err := server.Create(t.Context(), &c); err != nil {
		t.Fatal(err)
	}
	return &c
}
