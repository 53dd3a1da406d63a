package serve_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/serve"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// handed asks for the list of hand-offs and wants it to come.
func (w *world) handed(token, corpus, query string) serve.Handed {
	w.Helper()
	got := w.do(http.MethodGet, w.path(corpus, "handoffs"+query), "Bearer "+token, "")
	var out serve.Handed
	if err := json.Unmarshal(got.body, &out); err != nil || got.status != 200 {
		w.Fatalf("%d %s: %v", got.status, got.body, err)
	}
	return out
}

// TestHandoffs asks as two tenants and looks at what was handed to people.
func TestHandoffs(t *testing.T) {
	dir := t.TempDir()
	open := func() (*world, *desk) {
		w := newWorld(t, func(o *serve.Options) { o.Handoffs = handoff.Open(dir) })
		d := newDesk("nobody's") // answers nothing
		access := settings.Access{Tenants: []settings.Tenant{
			{Tenant: "north", Groups: []string{"system:serviceaccounts:" + w.namespace}}, {Tenant: "south", Groups: []string{"system:serviceaccounts:other"}},
		}}
		w.corpora[w.namespace+"/canteen"] = serve.Corpus{UID: "uid-1", Asker: d, Revision: 3, Tenant: access.Tenant}
		return w, d
	}
	w, d := open()
	ann, tracer := w.member("ann", asker), w.member("traces", asker, tracer)
	for _, q := range []serve.Request{{Question: "Is it  slow?"}, {Question: "is it slow?"}, {Question: "When?", AsOf: "2025-05-01"}} {
		if got := w.ask(ann, "canteen", q); got.status != 200 || got.Status != rag.NeedsHuman {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	south := serve.Corpus{UID: "uid-1", Asker: d, Revision: 3, Tenant: func([]string, string) (string, error) { return "south", nil }}
	north := w.corpora[w.namespace+"/canteen"]
	w.corpora[w.namespace+"/canteen"] = south
	w.ask(ann, "canteen", serve.Request{Question: "Is it slow?"})
	w.corpora[w.namespace+"/canteen"] = north
	d.set(func(d *desk) { d.group = "system:authenticated" })
	w.ask(ann, "canteen", serve.Request{Question: "Answered?"})
	d.set(func(d *desk) { d.away = errAway })
	w.ask(ann, "canteen", serve.Request{Question: "Failed?"})

	got := w.handed(tracer, "canteen", "")
	type row struct {
		Question, Tenant string
		Times, Revision  int64
		Flags            []rag.Flag
	}
	var rows []row
	for _, h := range got.Handoffs {
		rows = append(rows, row{h.Question, h.As.Tenant, h.Times, h.Revision, h.Flags})
	}
	slow := []rag.Flag{{Stage: "retrieve", Reason: "TimedOut", Detail: "one channel"}}
	want := []row{{"Is it slow?", "south", 1, 3, slow}, {"When?", "north", 1, 3, []rag.Flag{}}, {"is it slow?", "north", 2, 3, slow}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("newest first; a tenant's repeats are one; what was answered or failed is no hand-off (-want +got):\n%s", diff)
	}
	for _, h := range got.Handoffs {
		if h.Corpus != "uid-1" || h.ContextHash == "" || len(h.As.Groups) == 0 {
			t.Errorf("%+v", h)
		}
	}
	if day := got.Handoffs[1].As.AsOf.Format(time.DateOnly); day != "2025-05-01" {
		t.Errorf("the instant that was asked about is kept: %s", day)
	}
	for _, secret := range []string{ann, ":ann\"", "canteen opens"} {
		if data, err := json.Marshal(got); err != nil || strings.Contains(string(data), secret) {
			t.Errorf("the list tells %q: %s, %v", secret, data, err)
		}
	}

	t.Run("page", func(t *testing.T) {
		if two := w.handed(tracer, "canteen", "?limit=2"); len(two.Handoffs) != 2 || two.Total != 3 || two.Handoffs[0].ID != got.Handoffs[0].ID {
			t.Errorf("%+v", two)
		}
		since := "?since=" + url.QueryEscape(got.Handoffs[1].Last.Format(time.RFC3339Nano))
		if later := w.handed(tracer, "canteen", since); later.Total != 2 {
			t.Errorf("since an instant and from it on: %+v", later)
		}
	})
	t.Run("restart", func(t *testing.T) {
		again, _ := open()
		token := again.member("traces", tracerRole)
		if diff := cmp.Diff(got, again.handed(token, "canteen", "")); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
	t.Run("settle", func(t *testing.T) {
		path := w.path("canteen", "handoffs/"+got.Handoffs[0].ID)
		if r := w.do(http.MethodDelete, path, "Bearer "+ann, ""); r.status != 403 || !strings.Contains(r.Error.Message, "delete") {
			t.Errorf("who may ask may not settle: %d %s", r.status, r.body)
		}
		if r := w.do(http.MethodDelete, path, "Bearer "+tracer, ""); r.status != 200 {
			t.Errorf("%d %s", r.status, r.body)
		}
		if r := w.do(http.MethodDelete, path, "Bearer "+tracer, ""); r.status != 404 || r.Error.Code != "NoHandoff" {
			t.Errorf("once: %d %s", r.status, r.body)
		}
		if left := w.handed(tracer, "canteen", ""); left.Total != 2 {
			t.Errorf("%+v", left)
		}
	})
}

const tracerRole = tracer

func TestWhoSeesHandoffs(t *testing.T) {
	w := newWorld(t)
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{UID: "uid-1", Reason: "rolled back"} // serves nothing
	asks, traces := w.member("asks", asker), w.member("traces", tracer)
	cases := map[string]struct {
		reason, authorization, corpus, query string
		status                               int
		code, says                           string
	}{
		"nobody":         {"a question is no less secret than an answer", "", "canteen", "", 401, "Unauthenticated", "token"},
		"only asks":      {"another tenant's question is none of an asker's business", "Bearer " + asks, "canteen", "", 403, "Forbidden", "list on corpora/handoffs"},
		"may":            {"though nothing serves", "Bearer " + traces, "canteen", "", 200, "", ""},
		"no corpus":      {"who may list learns it", "Bearer " + traces, "cellar", "", 404, "NotFound", "cellar"},
		"nor a hint":     {"who may not does not", "Bearer " + asks, "cellar", "", 403, "Forbidden", "corpora/handoffs"},
		"bad since":      {"no instant", "Bearer " + traces, "canteen", "?since=yesterday", 400, "BadRequest", `since: "yesterday"`},
		"bad limit":      {"none", "Bearer " + traces, "canteen", "?limit=0", 400, "BadRequest", `limit: "0"`},
		"over the limit": {"more than is kept", "Bearer " + traces, "canteen", "?limit=" + strconv.Itoa(handoff.Most+1), 400, "BadRequest", "limit"},
		"misspelt":       {"would list everything", "Bearer " + traces, "canteen", "?from=2025-05-05", 400, "BadRequest", "from"},
		"twice":          {"which of them?", "Bearer " + traces, "canteen", "?limit=1&limit=2", 400, "BadRequest", "limit: stands twice"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.do(http.MethodGet, w.path(c.corpus, "handoffs"+c.query), c.authorization, "")
			if got.status != c.status || got.Error.Code != c.code || !strings.Contains(got.Error.Message, c.says) {
				t.Errorf("%s: got %d %s", c.reason, got.status, got.body)
			}
		})
	}
}

// TestUnrecordedHandoff writes where nothing can be written.
func TestUnrecordedHandoff(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(o *serve.Options) { o.Handoffs = handoff.Open(file) })
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{UID: "uid-1", Asker: newDesk("board")}
	token := w.member("ann", asker, tracer)
	if got := w.ask(token, "canteen", serve.Request{Question: "When?"}); got.status != 200 || got.Status != rag.NeedsHuman {
		t.Errorf("the answer doesn't depend on it: %d %s", got.status, got.body)
	}
	want := "# HELP hardgate_handoffs_unrecorded_total Answers that were handed to people and could not be recorded as such.\n# TYPE hardgate_handoffs_unrecorded_total counter\n" +
		`hardgate_handoffs_unrecorded_total{corpus="canteen",namespace="` + w.namespace + "\"} 1\n"
	if err := testutil.GatherAndCompare(w.metrics, strings.NewReader(want), "hardgate_handoffs_unrecorded_total"); err != nil {
		t.Error(err)
	}
	if got := w.do(http.MethodGet, w.path("canteen", "handoffs"), "Bearer "+token, ""); got.status != 503 || got.Error.Code != "HandoffsUnavailable" || strings.Contains(string(got.body), file) {
		t.Errorf("what can't be read is no empty list: %d %s", got.status, got.body)
	}
}

// TestDroppedHandoffs asks more than is kept.
func TestDroppedHandoffs(t *testing.T) {
	kept := handoff.Open("")
	w := newWorld(t, func(o *serve.Options) { o.Handoffs = kept })
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{UID: "uid-1", Asker: newDesk("board")}
	for i := range handoff.Most {
		if _, err := kept.Record("uid-1", handoff.Asked{Question: rag.Question{Text: strconv.Itoa(i)}, At: today}); err != nil {
			t.Fatal(err)
		}
	}
	w.ask(w.member("ann", asker), "canteen", serve.Request{Question: "When?"})
	if n, err := testutil.GatherAndCount(w.metrics, "hardgate_handoffs_dropped_total"); err != nil || n != 1 {
		t.Errorf("dropping is counted: %d, %v", n, err)
	}
}

func TestNoSuchPath(t *testing.T) {
	w := newWorld(t)
	cases := map[string]struct {
		method, path, allow, code string
		status                    int
	}{
		"no path":          {http.MethodGet, "/v2", "", "NoSuchPath", 404},
		"no path below":    {http.MethodGet, w.path("canteen", "answer"), "", "NoSuchPath", 404},
		"query by GET":     {http.MethodGet, w.path("canteen", "query"), "POST", "MethodNotAllowed", 405},
		"handoffs by POST": {http.MethodPost, w.path("canteen", "handoffs"), "GET", "MethodNotAllowed", 405},
		"probe by DELETE":  {http.MethodDelete, "/healthz", "GET", "MethodNotAllowed", 405},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.do(c.method, c.path, "", "")
			if got.status != c.status || got.Error.Code != c.code || !strings.Contains(got.Error.Message, c.path) || got.header.Get("Allow") != c.allow {
				t.Errorf("%d %q %s", got.status, got.header.Get("Allow"), got.body)
			}
		})
	}
}

// TestGenerationMetrics asks a model that counts tokens, and one that is away.
func TestGenerationMetrics(t *testing.T) {
	w := newWorld(t)
	d := newDesk("system:serviceaccounts")
	d.usage = rag.Usage{Model: "m", InputTokens: 900, OutputTokens: 40, CostUSD: 0.25}
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{UID: "uid-1", Asker: d}
	token := w.member("ann", asker, tracer)
	first := w.ask(token, "canteen", serve.Request{Question: "When?"})
	w.do(http.MethodPost, w.path("canteen", "answers/"+first.ContextHash+"/replay"), "Bearer "+token, "")
	d.set(func(d *desk) { d.busy = &model.Failed{Cause: model.Unreachable, Detail: "connection refused"} })
	if got := w.ask(token, "canteen", serve.Request{Question: "When?"}); got.status != 200 || got.Status != rag.NeedsHuman {
		t.Errorf("a holding reply: %d %s", got.status, got.body)
	}
	want := strings.ReplaceAll(`
# HELP hardgate_generation_cost_usd_total Cost of the model for answers and replays, by spec.pipeline.generation.prices.
# TYPE hardgate_generation_cost_usd_total counter
hardgate_generation_cost_usd_total{corpus="canteen",namespace="$N"} 0.5
# HELP hardgate_generation_failures_total Answers and replays that are a holding reply because the model could not be asked, by cause.
# TYPE hardgate_generation_failures_total counter
hardgate_generation_failures_total{cause="Unreachable",corpus="canteen",namespace="$N"} 1
# HELP hardgate_generation_tokens_total Tokens of the model for answers and replays, by kind: input or output.
# TYPE hardgate_generation_tokens_total counter
hardgate_generation_tokens_total{corpus="canteen",kind="input",namespace="$N"} 1800
hardgate_generation_tokens_total{corpus="canteen",kind="output",namespace="$N"} 80
`, "$N", w.namespace)
	if err := testutil.GatherAndCompare(w.metrics, strings.NewReader(want), "hardgate_generation_cost_usd_total", "hardgate_generation_failures_total", "hardgate_generation_tokens_total"); err != nil {
		t.Error(err)
	}
}
