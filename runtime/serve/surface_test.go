package serve_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/hardgate-dev/hardgate/runtime/serve"
)

func TestMetrics(t *testing.T) {
	w := newWorld(t)
	d := newDesk("system:serviceaccounts")
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: d}
	token := w.member("ann", asker)
	for _, q := range []string{"When?", "When, if it is slow?"} {
		w.ask(token, "canteen", serve.Request{Question: q})
	}
	d.set(func(d *desk) { d.group = "board" })
	w.ask(token, "canteen", serve.Request{Question: "When?"})
	d.set(func(d *desk) { d.away = errAway })
	w.ask(token, "canteen", serve.Request{Question: "When?"})
	w.ask("nobody's", "canteen", serve.Request{Question: "When?"})
	w.ask(token, "canteen", serve.Request{})

	want := strings.ReplaceAll(`
# HELP hardgate_answers_total Answers given, by status.
# TYPE hardgate_answers_total counter
hardgate_answers_total{corpus="canteen",namespace="$N",status="ANSWERED"} 2
hardgate_answers_total{corpus="canteen",namespace="$N",status="NEEDS_HUMAN"} 1
# HELP hardgate_answer_failures_total Questions that could not be answered for a fault of the pipeline, by the step that failed.
# TYPE hardgate_answer_failures_total counter
hardgate_answer_failures_total{corpus="canteen",namespace="$N",step="retrieve"} 1
# HELP hardgate_degraded_total Degraded flags on answers, by reason.
# TYPE hardgate_degraded_total counter
hardgate_degraded_total{corpus="canteen",namespace="$N",reason="TimedOut"} 1
`, "$N", w.namespace)
	if err := testutil.GatherAndCompare(w.metrics, strings.NewReader(want), "hardgate_answers_total", "hardgate_answer_failures_total", "hardgate_degraded_total"); err != nil {
		t.Errorf("refusals are no answers, a failure is counted apart, a flag by its reason: %v", err)
	}
	if got := string(w.do(http.MethodGet, "/metrics", "", "").body); !strings.Contains(got, `hardgate_answer_seconds_count{corpus="canteen",namespace="`+w.namespace+`"} 3`) {
		t.Errorf("/metrics lacks the time of the three answers:\n%s", got)
	}
}

func TestProbes(t *testing.T) {
	var ready error
	w := newWorld(t, func(o *serve.Options) { o.Ready = func() error { return ready } })
	get := func(path string) reply { return w.do(http.MethodGet, path, "", "") }
	if got := get("/healthz"); got.status != 200 {
		t.Errorf("/healthz: %d", got.status)
	}
	if got := get("/readyz"); got.status != 200 {
		t.Errorf("/readyz: %d", got.status)
	}
	ready = errors.New("the informers are not synced")
	if got := get("/readyz"); got.status != 503 || !strings.Contains(string(got.body), "informers") {
		t.Errorf("/readyz of a server that can't answer: %d %s", got.status, got.body)
	}
	if got := get("/healthz"); got.status != 200 {
		t.Errorf("a server that waits is not a dead one: %d", got.status)
	}
}
