package manager

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/embed/remote"
)

func TestEmbeddings(t *testing.T) {
	asked := []assembly.Embedding{{
		Server: "http://voyage.test/v1", Model: "large",
		Usage:     remote.Usage{Requests: 3, Texts: 96, Tokens: 4000, Waits: 1, Retries: 2},
		Questions: remote.Counts{Hits: 7, Misses: 5, Corrupt: 1, Unwritten: 1},
	}}
	r := prometheus.NewRegistry()
	r.MustRegister(newEmbeddings(func() []assembly.Embedding { return asked }))
	want := `
# HELP hardgate_embedding_tokens_total Tokens that an embeddings server reports as used; some report none.
# TYPE hardgate_embedding_tokens_total counter
hardgate_embedding_tokens_total{model="large",server="http://voyage.test/v1"} 4000
# HELP hardgate_embedding_requests_total Requests to an embeddings server, answered or not.
# TYPE hardgate_embedding_requests_total counter
hardgate_embedding_requests_total{model="large",server="http://voyage.test/v1"} 3
# HELP hardgate_embedding_unkept_total Vectors of golden questions that could not be kept on disk, or were damaged there: they are embedded again.
# TYPE hardgate_embedding_unkept_total counter
hardgate_embedding_unkept_total{model="large",server="http://voyage.test/v1"} 2
`
	if err := testutil.GatherAndCompare(r, strings.NewReader(want), "hardgate_embedding_tokens_total", "hardgate_embedding_requests_total", "hardgate_embedding_unkept_total"); err != nil {
		t.Error(err)
	}
	if n, err := testutil.GatherAndCount(r); err != nil || n != 7 {
		t.Errorf("%d series, %v, want one of each of the seven", n, err)
	}
}
