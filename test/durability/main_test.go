// Package durability kills the real program at any moment and holds what it left
// to what an undisturbed run gives: the same points, none twice, none that belongs
// to nothing, and nothing that was acknowledged done a second time.
package durability

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/hardgate-dev/hardgate/controllers/manager"
	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

var (
	kills = flag.Int("kills", 6, "how often the manager is killed while it ingests; 20 takes about a minute")
	seed  = flag.Uint64("seed", 0, "of the moments at which it is killed; 0 = another one each time")
)

// shared is what the package's tests have in common, because it takes seconds to start.
var shared struct {
	client.Client
	config     *rest.Config
	kubeconfig string
	program    string
	dir        string
	s3         *s3test.Server
}

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctrl.SetLogger(logr.Discard())
	if shared.dir, err = os.MkdirTemp("", "durability-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(shared.dir)
	env := &envtest.Environment{CRDDirectoryPaths: []string{"../../config/crd/bases"}, ErrorIfCRDPathMissing: true}
	if shared.config, err = env.Start(); err != nil {
		return 0, fmt.Errorf("start the API server (run `make setup`; KUBEBUILDER_ASSETS=%q): %w", os.Getenv("KUBEBUILDER_ASSETS"), err)
	}
	defer env.Stop()
	if shared.Client, err = client.New(shared.config, client.Options{Scheme: manager.Scheme()}); err != nil {
		return 0, err
	}
	shared.kubeconfig = filepath.Join(shared.dir, "kubeconfig")
	if err := writeKubeconfig(shared.kubeconfig, shared.config); err != nil {
		return 0, err
	}
	shared.program = filepath.Join(shared.dir, "hardgate")
	if out, err := exec.CommandContext(context.Background(), "go", "build", "-o", shared.program, "../..").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w: %s", err, out)
	}
	if shared.s3, err = s3test.Start(context.Background(), os.Getenv("VERSITYGW"), shared.dir); err != nil {
		return 0, err
	}
	defer shared.s3.Stop()
	return m.Run(), nil
}

func writeKubeconfig(path string, cfg *rest.Config) error {
	k := clientcmdapi.NewConfig()
	k.Clusters["test"] = &clientcmdapi.Cluster{Server: cfg.Host, CertificateAuthorityData: cfg.CAData}
	k.AuthInfos["test"] = &clientcmdapi.AuthInfo{ClientCertificateData: cfg.CertData, ClientKeyData: cfg.KeyData}
	k.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test"}
	k.CurrentContext = "test"
	return clientcmd.WriteToFile(*k, path)
}
