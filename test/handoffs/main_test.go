// Package handoffs hands questions to people over HTTP and lists them by
// `kubectl hardgate`: the pipeline, a real API server with its own reviews of
// tokens and access, and the shipped roles.
package handoffs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// What the package's tests share, because starting it takes seconds.
var (
	config  *rest.Config
	cluster client.Client
	options assembly.Options
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

func run(m *testing.M) (code int, err error) {
	options = assembly.Options{
		ModelDir: settings.ModelDir(os.Getenv),
		CacheDir: settings.EngineDir(os.Getenv), Version: "test",
	}
	env := &envtest.Environment{CRDDirectoryPaths: []string{"../../config/crd/bases"}, ErrorIfCRDPathMissing: true}
	if config, err = env.Start(); err != nil {
		return 0, fmt.Errorf("start the API server (run `make setup`; KUBEBUILDER_ASSETS=%q): %w", os.Getenv("KUBEBUILDER_ASSETS"), err)
	}
	defer func() { _ = env.Stop() }() // the process ends here
	config.QPS = -1
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		return 0, err
	}
	lax, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return 0, err
	}
	cluster = client.WithFieldValidation(lax, metav1.FieldValidationStrict) // as kubectl does
	if err := prepare(context.Background()); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// prepare makes namespaces and roles.
func prepare(ctx context.Context) error {
	for _, name := range []string{"hr", "north", "south"} {
		if err := cluster.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
			return err
		}
	}
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
		if err := cluster.Create(ctx, &role); err != nil {
			return err
		}
	}
	return nil
}

// sample is the payroll corpus' configuration, of its registers alone, whose
// tenants are the namespaces of those who ask.
func sample() (c settings.Corpus, coll settings.Collection, err error) {
	manifests, err := settings.ReadFiles(payroll)
	if err != nil {
		return c, coll, err
	}
	spec := func(kind string) []byte {
		i := slices.IndexFunc(manifests, func(m settings.Manifest) bool { return m.Kind == kind })
		return manifests[i].Spec
	}
	if c, err = settings.DecodeCorpus(spec("Corpus")); err != nil {
		return c, coll, err
	}
	c.Source.Include, c.Access.TenantFromNamespace = []string{"registers/*April*.pdf", "registers/*March*.pdf"}, true
	coll, err = settings.DecodeCollection(spec("Collection"))
	return c, coll, err
}
