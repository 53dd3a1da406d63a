package outcome_test

import (
	"os"
	"testing"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/apitest"
)

// server is a real API server, which the package's tests share.
var server *apitest.Server

func TestMain(m *testing.M) {
	os.Exit(apitest.Main(m, func(s *apitest.Server) error { server = s; return nil }))
}

// namespace makes one for a test.
func namespace(t *testing.T) string { t.Helper(); return server.Namespace(t) }

// corpus makes a Corpus that the API server admits.
func corpus(t *testing.T, namespace, name string) *v1alpha1.Corpus {
	t.Helper()
	return server.Corpus(t, namespace, name)
}
