package handoffs

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func create(t *testing.T, o client.Object) {
	t.Helper()
	if err := cluster.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// The questions: one that the registers answer, and two that nothing does.
const (
	answered = "How many employees are in the April 2025 salary register?"
	unknown  = "Who won the football cup?"
	second   = "When is \"parental leave\": paid, & how #long?\n- or not"
)

// TestHandoffs follows questions of two tenants from the asking to a golden set.
func TestHandoffs(t *testing.T) {
	d := start(t, t.TempDir())
	t.Cleanup(func() { d.stop() })
	hr, north, traces := account(t, "hr", "desk", asker), account(t, "north", "desk", asker), account(t, "hr", "reviewer", tracer)
	d.ask(hr, answered, rag.Answered)
	d.ask(hr, unknown, rag.NeedsHuman)
	d.ask(hr, "who won  the football cup?", rag.NeedsHuman)
	d.ask(north, unknown, rag.NeedsHuman) // may see nothing
	d.ask(hr, second, rag.NeedsHuman)
	cfg := kubeconfig(t, traces)
	at := func() []string { return []string{"--endpoint", d.url} }

	out, note, err := plug(t, cfg, at()...)
	if err != nil || note != "" {
		t.Fatalf("%v, %q", err, note)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 4 {
		t.Fatalf("a tenant's repeats are one line:\n%s", out)
	}
	for i, want := range [][]string{{"LAST ASKED", "REASONS", "TENANT", "QUESTION", "ID"}, {"parental leave", "hr", "or not"}, {unknown, "north"}, {"who won the football cup?", "hr"}} {
		for _, w := range want {
			if !strings.Contains(lines[i], w) {
				t.Errorf("line %d lacks %q: %s", i, w, lines[i])
			}
		}
	}
	var all []handoff.Handoff
	list(t, cfg, &all, at()...)
	if len(all) != 3 || all[2].Times != 2 || all[1].Times != 1 || all[1].As.Tenant != "north" || all[0].Question != second {
		t.Errorf("newest first: %+v", all)
	}
	if len(all[0].Documents) == 0 || len(all[1].Documents) != 0 {
		t.Errorf("documents that were found are named, and none to whom none is shown: %+v", all)
	}

	t.Run("formats", func(t *testing.T) {
		out, _, err := plug(t, cfg, append(at(), "-o", "yaml")...)
		var same []handoff.Handoff
		if err := yaml.Unmarshal([]byte(out), &same); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(all, same); diff != "" || err != nil {
			t.Errorf("JSON and YAML say the same: %v\n%s", err, diff)
		}
		out, note, err := plug(t, cfg, append(at(), "--limit", "1")...)
		if err != nil || strings.Count(out, "\n") != 2 || !strings.Contains(note, "2 older ones are left out") {
			t.Errorf("what is cut is told: %v, %q, %q", err, out, note)
		}
		if out, _, err := plug(t, cfg, append(at(), "--since", "2100-01-01")...); err != nil || !strings.Contains(out, "no hand-offs of corpus hr/payroll") {
			t.Errorf("%v, %q", err, out)
		}
		if out, _, err := plug(t, cfg, append(at(), "--since", "1h")...); err != nil || strings.Count(out, "\n") != 4 {
			t.Errorf("%v, %q", err, out)
		}
	})
	t.Run("stub", func(t *testing.T) { refusedUntilFilledIn(t, cfg, all, at()) })
	t.Run("refusals", func(t *testing.T) { refusals(t, d, all[0].ID, hr, traces) })
	t.Run("restart", func(t *testing.T) {
		d.restart()
		var after []handoff.Handoff
		list(t, cfg, &after, at()...)
		if diff := cmp.Diff(all, after); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
	t.Run("port-forward", func(t *testing.T) { forwarded(t, d, all) })
	t.Run("done", func(t *testing.T) {
		if out, _, err := plug(t, cfg, append(at(), all[0].ID, "--done")...); err != nil || !strings.Contains(out, all[0].ID) {
			t.Errorf("%v, %q", err, out)
		}
		var left []handoff.Handoff
		if list(t, cfg, &left, at()...); len(left) != 2 || left[0].ID != all[1].ID {
			t.Errorf("%+v", left)
		}
	})
}

func list(t *testing.T, cfg string, into *[]handoff.Handoff, args ...string) {
	t.Helper()
	out, _, err := plug(t, cfg, append([]string{"-o", "json"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
}

// refusedUntilFilledIn holds a stub against the API server and the command line,
// as it comes and as people would fill it in.
func refusedUntilFilledIn(t *testing.T, cfg string, all []handoff.Handoff, at []string) {
	text, _, err := plug(t, cfg, append(at, all[0].ID, all[1].ID, "-o", "goldenset")...)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason string
		edit   *strings.Replacer
		says   []string // "" = accepted
	}{
		"unedited":       {"nobody has decided anything", strings.NewReplacer(), []string{"class", "FILL-IN", "TableCount"}},
		"class alone":    {"nor whether it should be answered", strings.NewReplacer("class: FILL-IN", "class: Semantic"), []string{"status", "FILL-IN", "NeedsHuman"}},
		"nothing to see": {"any answer would pass", strings.NewReplacer("class: FILL-IN", "class: Semantic", "status: FILL-IN", "status: Answered"), []string{"must say what the answer has to show"}},
		"filled in":      {"a person has decided", strings.NewReplacer("class: FILL-IN", "class: Semantic", "status: FILL-IN", "status: Answered", "# evidence: [", "evidence: [", "# facts", "facts"), nil},
		"hands off":      {"handing off was right", strings.NewReplacer("class: FILL-IN", "class: Refusal", "status: FILL-IN", "status: NeedsHuman"), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			edited := c.edit.Replace(text)
			set := &v1alpha1.GoldenSet{}
			if err := yaml.UnmarshalStrict([]byte(edited), set); err != nil {
				t.Fatalf("%v in\n%s", err, edited)
			}
			_, errCLI := settings.DecodeGoldenSet(spec(t, edited))
			for where, err := range map[string]error{"API server": cluster.Create(t.Context(), set, client.DryRunAll), "command line": errCLI} {
				if (err == nil) != (c.says == nil) {
					t.Errorf("%s, at the %s: %v\n%s", c.reason, where, err, edited)
				}
				for _, s := range c.says {
					if err != nil && !strings.Contains(err.Error(), s) {
						t.Errorf("the %s doesn't name %q: %v", where, s, err)
					}
				}
			}
		})
	}
	var set v1alpha1.GoldenSet
	if err := yaml.Unmarshal([]byte(text), &set); err != nil {
		t.Fatal(err)
	}
	q := set.Spec.Questions
	if len(q) != 2 || set.Name != "payroll-handoffs" || set.Namespace != "hr" || q[0].Question != second || q[0].Name != "when-parental-leave-paid-long-not" || q[1].Name != "who-won-football-cup" {
		t.Errorf("%+v", set)
	}
	if as := q[0].As; as == nil || as.Tenant != "hr" || !slices.Contains(as.Groups, "system:serviceaccounts:hr") || as.AsOf == "" {
		t.Errorf("it is asked as whoever asked: %+v", as)
	}
}

func spec(t *testing.T, text string) []byte {
	t.Helper()
	m, err := settings.ReadManifests("stub", strings.NewReader(text))
	if err != nil || len(m) != 1 {
		t.Fatalf("%v in\n%s", err, text)
	}
	return m[0].Spec
}

// refusals have one thing wrong each.
func refusals(t *testing.T, d *desk, id, hr, traces string) {
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	token, certificate := kubeconfig(t, traces), kubeconfig(t, "")
	cases := map[string]struct {
		reason string
		cfg    string
		args   []string
		says   []string
	}{
		"may only ask":      {"RBAC decides", kubeconfig(t, hr), []string{"--endpoint", d.url}, []string{"Forbidden", "list", "corpora/handoffs", "payroll"}},
		"no such corpus":    {"in this namespace nobody may", token, []string{"--endpoint", d.url, "-n", "south"}, []string{"Forbidden", "south"}},
		"bad token":         {"of nobody", kubeconfig(t, "abc"), []string{"--endpoint", d.url}, []string{"Unauthenticated", "--as-service-account"}},
		"no token":          {"a certificate is none", certificate, []string{"--endpoint", d.url}, []string{"no bearer token", "--as-service-account"}},
		"no such account":   {"named", certificate, []string{"--endpoint", d.url, "--as-service-account", "hr/nobody"}, []string{"--as-service-account hr/nobody", "not found"}},
		"account's form":    {"one slash", certificate, []string{"--endpoint", d.url, "--as-service-account", "a/b/c"}, []string{"--as-service-account", "[NAMESPACE/]NAME"}},
		"audience":          {"of whose token?", token, []string{"--endpoint", d.url, "--audience", "x"}, []string{"--audience", "--as-service-account"}},
		"in the clear":      {"a token must not cross the net", token, []string{"--endpoint", "http://rag.example.com"}, []string{"--endpoint", "rag.example.com", "https"}},
		"no URL":            {"named", token, []string{"--endpoint", "payroll"}, []string{"--endpoint", "payroll"}},
		"something else":    {"that is not the manager", token, []string{"--endpoint", plain.URL}, []string{plain.URL, "404"}},
		"nobody listens":    {"told", token, []string{"--endpoint", "http://127.0.0.1:1"}, []string{"ask the manager", "127.0.0.1:1"}},
		"no corpus":         {"of which the endpoint could be read", certificate, []string{"--as-service-account", "hr/reviewer"}, []string{"payroll", "not found"}},
		"no such hand-off":  {"named", token, []string{"--endpoint", d.url, "0000"}, []string{"0000", "list"}},
		"which":             {"of a golden set", token, []string{"--endpoint", d.url, "-o", "goldenset"}, []string{"goldenset", "IDs"}},
		"which to settle":   {"likewise", token, []string{"--endpoint", d.url, "--done"}, []string{"--done", "IDs"}},
		"format":            {"unknown", token, []string{"-o", "wide"}, []string{"--output", `"wide"`, "goldenset"}},
		"limit":             {"none", token, []string{"--limit", "0"}, []string{"--limit", "1000"}},
		"since":             {"no instant", token, []string{"--since", "yesterday"}, []string{"--since", `"yesterday"`, "24h"}},
		"settled by others": {"asking is not settling", kubeconfig(t, hr), []string{"--endpoint", d.url, id, "--done"}, []string{"Forbidden"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, _, err := plug(t, c.cfg, c.args...)
			if err == nil {
				t.Fatalf("%s: %s", c.reason, out)
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%s: %q doesn't name %q", c.reason, err, s)
				}
			}
		})
	}
	t.Run("token in a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(file, []byte(traces), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg := kubeconfig(t, "elsewhere")
		text, err := os.ReadFile(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(cfg, []byte(strings.Replace(string(text), "token: elsewhere", "tokenFile: "+file, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, _, err := plug(t, cfg, "--endpoint", d.url); err != nil || !strings.Contains(out, id) {
			t.Errorf("%v, %q", err, out)
		}
	})
}

// forwarded goes the way that is the default: the Corpus says where it is asked,
// and the API server forwards a port to the pod behind that name.
func forwarded(t *testing.T, d *desk, all []handoff.Handoff) {
	certificate := kubeconfig(t, "")
	c := &v1alpha1.Corpus{
		ObjectMeta: metav1.ObjectMeta{Namespace: "hr", Name: "payroll"},
		Spec: v1alpha1.CorpusSpec{
			CollectionRef: v1alpha1.ObjectReference{Name: "hr"}, Source: v1alpha1.Source{S3: &v1alpha1.S3Source{Endpoint: "http://minio", Bucket: "hr-docs"}},
		},
	}
	create(t, c)
	args := []string{"--as-service-account", "reviewer"}
	if _, _, err := plug(t, certificate, args...); err == nil || !strings.Contains(err.Error(), "status.endpoint") {
		t.Errorf("of a corpus that was never served nothing can be reached: %v", err)
	}
	c.Status.Endpoint = "http://hardgate.hardgate-system.svc/v1/corpora/hr/payroll/query"
	if err := cluster.Status().Update(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if _, _, err := plug(t, certificate, args...); err == nil || !strings.Contains(err.Error(), "Service hardgate-system/hardgate") || !strings.Contains(err.Error(), "--endpoint") {
		t.Errorf("without the Service there is another way: %v", err)
	}
	k := node(t, d.url)
	var got []handoff.Handoff
	list(t, certificate, &got, args...)
	if diff := cmp.Diff(all, got); diff != "" {
		t.Errorf("the same list by another way (-endpoint +forwarded):\n%s", diff)
	}
	if k.opened.Load() == 0 {
		t.Error("no port was forwarded")
	}
}
