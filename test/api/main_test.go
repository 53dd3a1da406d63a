// Package api holds the API to a real API server: what the schema and its rules
// refuse, which field the refusal names, and which defaults come back. The same
// files are read by runtime/settings, which must agree.
package api

import (
	"fmt"
	"os"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// The API server that the package's tests share, since starting one takes
// seconds: a client of it, and its address.
var (
	server client.Client
	config *rest.Config
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	env := &envtest.Environment{
		CRDDirectoryPaths:     []string{"../../config/crd/bases"},
		ErrorIfCRDPathMissing: true,
	}
	var err error
	if config, err = env.Start(); err != nil {
		return 0, fmt.Errorf("start the API server (make setup, KUBEBUILDER_ASSETS=%q): %w", os.Getenv("KUBEBUILDER_ASSETS"), err)
	}
	defer env.Stop()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return 0, fmt.Errorf("scheme: %w", err)
	}
	lax, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return 0, fmt.Errorf("client: %w", err)
	}
	server = client.WithFieldValidation(lax, metav1.FieldValidationStrict) // as kubectl does
	return m.Run(), nil
}
