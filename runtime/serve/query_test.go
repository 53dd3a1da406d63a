package serve_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	authnv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/serve"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestWhatIsShown(t *testing.T) {
	w := newWorld(t)
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: newDesk("system:authenticated"), Revision: 3}
	tokens := map[string]string{
		"asks": w.member("asks", asker), "traces": w.member("traces", asker, tracer), "forecasts": w.member("forecasts", asker, forecaster),
	}
	cases := map[string]struct {
		reason     string
		who        string
		request    serve.Request
		status     int
		names      string // verb and resource that the refusal has to name
		pipeline   bool
		unverified bool
	}{
		"clean":                {"who may only ask gets the answer and nothing about its making", "asks", serve.Request{}, 200, "", false, false},
		"with its pipeline":    {"who may trace sees how it came about", "traces", serve.Request{}, 200, "", true, false},
		"mode":                 {"another mode than the verified one is for those who may trace", "asks", serve.Request{Mode: "Lexical"}, 403, "get on corpora/trace", false, false},
		"mode of a tracer":     {"and marks the answer", "traces", serve.Request{Mode: "Lexical"}, 200, "", true, true},
		"tomorrow":             {"what is not valid yet is not for everyone", "asks", serve.Request{AsOf: "2025-05-06"}, 403, "create on corpora/asof", false, false},
		"in a second":          {"one second ahead is ahead", "asks", serve.Request{AsOf: "2025-05-05T12:00:01Z"}, 403, "create on corpora/asof", false, false},
		"tomorrow's tracer":    {"tracing is not forecasting", "traces", serve.Request{AsOf: "2025-05-06"}, 403, "create on corpora/asof", false, false},
		"tomorrow's forecast":  {"may", "forecasts", serve.Request{AsOf: "2025-05-06"}, 200, "", false, false},
		"now":                  {"now is not later than now", "asks", serve.Request{AsOf: "2025-05-05T12:00:00Z"}, 200, "", false, false},
		"yesterday":            {"the past is open", "asks", serve.Request{AsOf: "2025-05-04"}, 200, "", false, false},
		"elsewhere it is late": {"an instant is compared, not its digits", "asks", serve.Request{AsOf: "2025-05-05T23:00:00+14:00"}, 200, "", false, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.request.Question = "When does the canteen open?"
			got := w.ask(tokens[c.who], "canteen", c.request)
			if got.status != c.status || !strings.Contains(strings.Replace(got.Error.Message, "the verb ", "", 1), c.names) {
				t.Fatalf("%s: got %d %s, want %d naming %q", c.reason, got.status, got.body, c.status, c.names)
			}
			if c.status != 200 {
				return
			}
			want := serve.Response{
				Answer: "The canteen opens at noon.", Status: rag.Answered, Degraded: []rag.Flag{}, Revision: 3, Unverified: c.unverified,
				Citations: []rag.Citation{{Evidence: "Canteen#p1", Document: "Canteen", Page: 1, Units: []rag.Cited{{Name: "p1.s1", Kind: rag.Sentence, Text: "The canteen opens at noon.", Place: rag.Place{Page: 1}}}}},
			}
			if d := cmp.Diff(want, got.Response, cmpopts.IgnoreFields(serve.Response{}, "ContextHash", "Pipeline")); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if (got.Pipeline != nil) != c.pipeline {
				t.Errorf("%s: pipeline is %v", c.reason, got.Pipeline)
			}
			if c.pipeline && (got.Pipeline.Eligible != 1 || len(got.Pipeline.Steps) != 3) {
				t.Errorf("the pipeline says nothing of the answer: %+v", got.Pipeline)
			}
			if !strings.HasPrefix(got.ContextHash, "sha256:") {
				t.Errorf("context hash is %q", got.ContextHash)
			}
			if got.header.Get("Cache-Control") != "no-store" {
				t.Error("an answer must not be kept by a proxy")
			}
		})
	}
}

func TestBody(t *testing.T) {
	w := newWorld(t)
	d := newDesk("system:authenticated")
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: d}
	token := w.member("ann", asker, tracer)
	cases := map[string]struct {
		reason string
		body   string
		says   []string // nothing: it is answered
	}{
		"tenant":       {"the tenant is the token's", `{"question":"q","tenant":"north"}`, []string{`"tenant"`}},
		"groups":       {"so are the groups", `{"question":"q","groups":["hr"]}`, []string{`"groups"`}},
		"identity":     {"and all else about who asks", `{"question":"q","identity":{"tenant":"north"}}`, []string{`"identity"`}},
		"two values":   {"a second value would be dropped in silence", `{"question":"q"}{"question":"r"}`, []string{"more than one"}},
		"half a value": {"so would what follows", `{"question":"q"} x`, []string{"more than one"}},
		"list":         {"one question at a time", `[{"question":"q"}]`, []string{"question, asOf?, mode?"}},
		"nothing":      {"an empty body asks nothing", ``, []string{"question, asOf?, mode?"}},
		"cut off":      {"nor does half of one", `{"question":"q`, []string{"question, asOf?, mode?"}},
		"not a text":   {"a question is text", `{"question":5}`, []string{"question"}},
		"oversize":     {"64 KiB are far over what the encoder reads", `{"question":"` + strings.Repeat("a", 64<<10) + `"}`, []string{"65536 bytes"}},
		"no question":  {"", `{}`, []string{"question", "blank"}},
		"blank":        {"blank is missing", `{"question":" \t\n "}`, []string{"question", "blank"}},
		"bad date":     {"a date that is none must not become now", `{"question":"q","asOf":"05/05/2025"}`, []string{"asOf", "05/05/2025", "RFC 3339"}},
		"no such day":  {"nor the day after", `{"question":"q","asOf":"2025-02-30"}`, []string{"asOf"}},
		"bad mode":     {"nor an unknown mode the corpus' own", `{"question":"q","mode":"hybrid"}`, []string{"mode", `"hybrid"`, "Hybrid"}},
		"white space":  {"around a value is fine", " \n{\"question\":\" q \"}\n ", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d.set(func(d *desk) { d.asked = nil })
			got := w.do(http.MethodPost, w.path("canteen", "query"), "Bearer "+token, c.body)
			if c.says == nil {
				if q, _ := d.last(); got.status != 200 || q.Text != "q" {
					t.Errorf("%s: got %d and asked %q", c.reason, got.status, q.Text)
				}
				return
			}
			if got.status != 400 || got.Error.Code != "BadRequest" {
				t.Errorf("%s: got %d %s", c.reason, got.status, got.body)
			}
			for _, s := range c.says {
				if !strings.Contains(got.Error.Message, s) {
					t.Errorf("%s: %q doesn't name %q", c.reason, got.Error.Message, s)
				}
			}
			if q, asked := d.last(); asked {
				t.Errorf("%s: it was asked %q nevertheless", c.reason, q.Text)
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	w := newWorld(t)
	d := newDesk("system:authenticated")
	own := "system:serviceaccounts:" + w.namespace
	rules := map[string]settings.Access{
		"none":      {},
		"namespace": {TenantFromNamespace: true},
		"groups":    {Tenants: []settings.Tenant{{Tenant: "north", Groups: []string{own}}}},
		"prefix":    {TenantFromGroupPrefix: "system:serviceaccounts:"},
		"elsewhere": {Tenants: []settings.Tenant{{Tenant: "north", Groups: []string{"north-desk"}}}},
		"two":       {Tenants: []settings.Tenant{{Tenant: "north", Groups: []string{own}}, {Tenant: "south", Groups: []string{"system:authenticated"}}}},
	}
	for name, rule := range rules {
		w.corpora[w.namespace+"/"+name] = serve.Corpus{Asker: d, Tenant: rule.Tenant}
	}
	w.corpora[w.namespace+"/unruled"] = serve.Corpus{Asker: d}
	token := w.member("ann", asker)
	cases := map[string]struct {
		reason string
		corpus string
		tenant string
	}{
		"no access rule":  {"no rule, no tenant", "none", ""},
		"no rules at all": {"nor where access is not ruled", "unruled", ""},
		"by namespace":    {"a ServiceAccount's own", "namespace", w.namespace},
		"by group":        {"what the groups map to", "groups", "north"},
		"by prefix":       {"what follows the prefix", "prefix", w.namespace},
		"nobody's":        {"a stranger has none, which matches no document", "elsewhere", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := w.ask(token, c.corpus, serve.Request{Question: "When?"}); got.status != 200 {
				t.Fatalf("%s: %d %s", c.reason, got.status, got.body)
			}
			q, _ := d.last()
			want := rag.Identity{User: "system:serviceaccount:" + w.namespace + ":ann", Tenant: c.tenant, Groups: []string{"system:authenticated", "system:serviceaccounts", own}}
			slices.Sort(q.Identity.Groups)
			if diff := cmp.Diff(want, q.Identity, cmpopts.IgnoreFields(rag.Identity{}, "Claims")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
			if since := q.AsOf.Sub(today); since <= 0 || since > time.Second {
				t.Errorf("asked as of %s, want the server's now", q.AsOf)
			}
		})
	}
	t.Run("two tenants", func(t *testing.T) {
		d.set(func(d *desk) { d.asked = nil })
		got := w.ask(token, "two", serve.Request{Question: "When?"})
		if got.status != 403 || got.Error.Code != "NoTenant" || !strings.Contains(got.Error.Message, "north, south") {
			t.Errorf("guessing would show one tenant's documents to another: %d %s", got.status, got.body)
		}
		if _, asked := d.last(); asked {
			t.Error("it was asked nevertheless")
		}
	})
}

// TestExtraClaims has an authenticator vouch for fields that sound like what the
// access rules decide.
func TestExtraClaims(t *testing.T) {
	extra := map[string]authnv1.ExtraValue{"tenant": {"north"}, "groups": {"hr"}, "region": {"eu", "us"}}
	w := newWorld(t, func(o *serve.Options) {
		o.Authenticator = serve.TokenReviews{Client: reviewer(t, []string{audience}, extra).AuthenticationV1().TokenReviews(), Audiences: []string{audience}}
	})
	w.bind(rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: "User", Name: "olga"}, "ClusterRole", asker)
	d := newDesk("canteen")
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: d, Tenant: settings.Access{}.Tenant}
	if got := w.ask("any", "canteen", serve.Request{Question: "When?"}); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	q, _ := d.last()
	want := rag.Identity{User: "olga", Groups: []string{"canteen", "system:authenticated"}, Claims: map[string][]string{"region": {"eu", "us"}}}
	if diff := cmp.Diff(want, q.Identity); diff != "" {
		t.Errorf("tenant and groups are what access rules and the review say, never an extra of that name (-want +got):\n%s", diff)
	}
}

func TestFailureIsNoAnswer(t *testing.T) {
	w := newWorld(t)
	d := newDesk("system:authenticated")
	d.away = errAway
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: d}
	got := w.ask(w.member("ann", asker, tracer), "canteen", serve.Request{Question: "When?"})
	if got.status != http.StatusBadGateway || got.Error.Code != "PipelineFailed" || got.Answer != "" {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if strings.Contains(string(got.body), "10.0.0.7") {
		t.Errorf("the answer tells addresses inside: %s", got.body)
	}
}
