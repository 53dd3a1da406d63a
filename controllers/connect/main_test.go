package connect_test

import (
	"os"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/controllers/apitest"
)

// What the package's tests share: a real API server, and a client of somebody who
// may read no Secret.
var (
	server    *apitest.Server
	forbidden client.Reader
)

func TestMain(m *testing.M) {
	os.Exit(apitest.Main(m, func(s *apitest.Server) (err error) {
		server = s
		forbidden, err = s.Nobody()
		return err
	}))
}

// namespace makes one for a test.
func namespace(t *testing.T) string { t.Helper(); return server.Namespace(t) }
