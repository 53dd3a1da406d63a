// Package apitest gives the tests of a package a real API server, which they share.
package apitest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// Server is an API server with our kinds.
type Server struct {
	client.WithWatch
	scheme *apiruntime.Scheme
	env    *envtest.Environment
}

// Main runs a package's tests once use has got the server, and returns the exit code.
func Main(m *testing.M, use func(*Server) error) int {
	s, err := start()
	if s != nil {
		defer func() { _ = s.env.Stop() }() // the process ends here
	}
	if err == nil {
		err = use(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func start() (*Server, error) {
	s := &Server{scheme: apiruntime.NewScheme()}
	for _, add := range []func(*apiruntime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(s.scheme); err != nil {
			return nil, fmt.Errorf("scheme: %w", err)
		}
	}
	s.env = &envtest.Environment{CRDDirectoryPaths: []string{root("config", "crd", "bases")}, ErrorIfCRDPathMissing: true}
	cfg, err := s.env.Start()
	if err != nil {
		return nil, fmt.Errorf("start the API server (run `make setup`; KUBEBUILDER_ASSETS names it): %w", err)
	}
	cfg.QPS = -1
	s.WithWatch, err = client.NewWithWatch(cfg, client.Options{Scheme: s.scheme})
	return s, err
}

// root is a path below the project's folder, wherever the tests run.
func root(parts ...string) string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(append([]string{filepath.Dir(file), "..", ".."}, parts...)...)
}

// Nobody is a client of somebody who may do nothing.
func (s *Server) Nobody() (client.Reader, error) {
	user, err := s.env.AddUser(envtest.User{Name: "nobody"}, nil)
	if err != nil {
		return nil, err
	}
	return client.New(user.Config(), client.Options{Scheme: s.scheme})
}

// Namespace makes one for a test.
func (s *Server) Namespace(t *testing.T) string {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	if err := s.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	return ns.Name
}

// Corpus makes a Corpus that the API server admits.
func (s *Server) Corpus(t *testing.T, namespace, name string) *v1alpha1.Corpus {
	t.Helper()
	text, err := os.ReadFile(root("config", "samples", "payroll", "corpus.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var c v1alpha1.Corpus
	if err := yaml.UnmarshalStrict(text, &c); err != nil {
		t.Fatal(err)
	}
	c.Namespace, c.Name = namespace, name
	if err := s.Create(t.Context(), &c); err != nil {
		t.Fatal(err)
	}
	return &c
}
