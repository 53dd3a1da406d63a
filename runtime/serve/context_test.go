package serve_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hardgate-dev/hardgate/runtime/serve"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestKeptContext(t *testing.T) {
	w := newWorld(t)
	desk := newDesk("system:serviceaccounts:" + w.namespace)
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: desk, Revision: 3}
	traces := w.member("traces", asker, tracer)
	first := w.ask(traces, "canteen", serve.Request{Question: "When does the canteen open?", AsOf: "2025-05-01"})
	second := w.ask(traces, "canteen", serve.Request{Question: "When, by other means?", Mode: "Dense"})
	if first.status != 200 || second.status != 200 {
		t.Fatalf("%s\n%s", first.body, second.body)
	}
	kept := w.path("canteen", "answers/"+first.ContextHash)

	t.Run("read", func(t *testing.T) {
		got := w.do(http.MethodGet, kept, "Bearer "+traces, "")
		var c map[string]string
		if err := json.Unmarshal(got.body, &c); err != nil {
			t.Fatalf("%d %s: %v", got.status, got.body, err)
		}
		want := map[string]string{"contextHash": first.ContextHash, "text": "The canteen opens at noon.", "question": "When does the canteen open?", "asOf": "2025-05-01T00:00:00Z"}
		if d := cmp.Diff(want, c); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	})
	t.Run("replay", func(t *testing.T) {
		for name, asked := range map[string]reply{"as it was asked": first, "in a mode that nobody verified": second} {
			got := w.do(http.MethodPost, w.path("canteen", "answers/"+asked.ContextHash+"/replay"), "Bearer "+traces, "")
			if got.status != 200 {
				t.Fatalf("%s: %d %s", name, got.status, got.body)
			}
			if d := cmp.Diff(asked.Response, got.Response, cmpopts.IgnoreFields(serve.Response{}, "Pipeline")); d != "" {
				t.Errorf("%s: the same context gives the same answer, with the same marks (-want +got):\n%s", name, d)
			}
		}
	})

	cases := map[string]struct {
		reason        string
		authorization string
		path          string
		status        int
		code          string
	}{
		"nobody":       {"a passage is no less secret than an answer", "", kept, 401, "Unauthenticated"},
		"only asks":    {"asking is not tracing", "Bearer " + w.member("asks", asker), kept, 403, "Forbidden"},
		"unknown hash": {"nothing is kept under it", "Bearer " + traces, w.path("canteen", "answers/sha256:00"), 404, "NoContext"},
		"no corpus":    {"nor where no corpus is", "Bearer " + traces, w.path("cellar", "answers/"+first.ContextHash), 404, "NotFound"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for method, path := range map[string]string{http.MethodGet: c.path, http.MethodPost: c.path + "/replay"} {
				got := w.do(method, path, c.authorization, "")
				if got.status != c.status || got.Error.Code != c.code {
					t.Errorf("%s: %s got %d %s, want %d %s", c.reason, method, got.status, got.Error.Code, c.status, c.code)
				}
			}
		})
	}
}

// TestContextIsJudgedNow asks again for what was seen before, after something
// about the caller, the document or the corpus has changed.
func TestContextIsJudgedNow(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(w *world, d *desk)
		status int
		code   string
	}{
		"nothing":          {"may be seen again", func(*world, *desk) {}, 200, ""},
		"withdrawn":        {"the document is for others now", func(_ *world, d *desk) { d.set(func(d *desk) { d.group = "board" }) }, 404, "NoContext"},
		"store away":       {"what can't be checked isn't shown, and is not called missing", func(_ *world, d *desk) { d.set(func(d *desk) { d.away = errAway }) }, 503, "StoreUnavailable"},
		"no longer served": {"nothing verified any more", func(w *world, _ *desk) { w.corpora[w.namespace+"/canteen"] = serve.Corpus{Reason: "RolledBack"} }, 503, "NotServing"},
		"two tenants": {"the access rules are live", func(w *world, d *desk) {
			rule := settings.Access{Tenants: []settings.Tenant{{Tenant: "north", Groups: []string{"system:authenticated"}}, {Tenant: "south", Groups: []string{"system:serviceaccounts"}}}}
			w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: d, Tenant: rule.Tenant}
		}, 403, "NoTenant"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			d := newDesk("system:serviceaccounts")
			w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: d, Revision: 3}
			token := w.member("traces", asker, tracer)
			asked := w.ask(token, "canteen", serve.Request{Question: "When?"})
			if asked.status != 200 {
				t.Fatalf("%s", asked.body)
			}
			c.change(w, d)
			for method, path := range map[string]string{http.MethodGet: "", http.MethodPost: "/replay"} {
				got := w.do(method, w.path("canteen", "answers/"+asked.ContextHash+path), "Bearer "+token, "")
				if got.status != c.status || got.Error.Code != c.code {
					t.Errorf("%s: %s got %d %s, want %d %s", c.reason, method, got.status, got.Error.Code, c.status, c.code)
				}
				if c.status != 200 && strings.Contains(string(got.body), "noon") {
					t.Errorf("%s: the passage is in the refusal: %s", c.reason, got.body)
				}
			}
		})
	}
}
