package plugin

import (
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

var noon = time.Date(2025, 5, 5, 12, 0, 0, 0, time.UTC)

func TestTable(t *testing.T) {
	long := "Which of our carriers may take hazmat\n over the \x1b[31mbridge, and until when?"
	hs := []handoff.Handoff{
		{ID: "0123456789abcdef", Question: long, As: handoff.As{Tenant: "north"}, Times: 12, Last: noon, Flags: []rag.Flag{{Reason: "NoEvidence"}, {Reason: "TimedOut"}, {Reason: "NoEvidence"}}},
		{ID: "fedcba9876543210", Question: "Warum?", Times: 1, Last: noon},
	}
	cases := map[string]struct {
		reason string
		width  int
		want   []string
	}{
		"no terminal": {"nothing is cut, and nothing can move the cursor", 0, []string{"Which of our carriers may take hazmat over the [31mbridge, and until when?   0123456789abcdef"}},
		"wide":        {"what fits is left as it is", 400, []string{"until when?   0123456789abcdef"}},
		"narrow":      {"the question gives way, the ID doesn't", 110, []string{"2025-05-05 12:00:00   12      NoEvidence,TimedOut   north    Which of our c", "…   0123456789abcdef"}},
		"too narrow":  {"something is shown all the same", 20, []string{"Which of our carriers m…   0123456789abcdef", "Warum?                     fedcba9876543210"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := table(&b, hs, c.width); err != nil {
				t.Fatal(err)
			}
			for _, w := range c.want {
				if !strings.Contains(b.String(), w) {
					t.Errorf("%s: no %q in\n%s", c.reason, w, b.String())
				}
			}
			for l := range strings.Lines(b.String()) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); c.width > 100 && n > c.width {
					t.Errorf("%s: a line of %d columns: %q", c.reason, n, l)
				}
			}
		})
	}
}

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"How many employees are in the April 2025 salary register?": "many-employees-april-2025-salary-register",
		"What is it?": "what-is-it",
		"CT-88231":    "ct-88231",
		"¿Cuánto cuesta la espera máxima de 520 $?": "cu-nto-cuesta-la-espera-m-xima-de-520",
		"何人ですか":                 "",
		"?":                     "",
		strings.Repeat("a", 90): strings.Repeat("a", 44),
	} {
		if got := slug(text); got != want {
			t.Errorf("%q is called %q, not %q", text, got, want)
		}
	}
}

func TestJoin(t *testing.T) {
	at := func(id string, first, last int, times int64, revision int64) handoff.Handoff {
		return handoff.Handoff{ID: id, First: noon.Add(time.Duration(first) * time.Minute), Last: noon.Add(time.Duration(last) * time.Minute), Times: times, Revision: revision}
	}
	var all []handoff.Handoff
	for _, h := range []handoff.Handoff{at("a", 5, 9, 2, 4), at("b", 1, 1, 1, 3), at("a", 1, 7, 3, 3), at("b", 0, 2, 1, 4)} {
		all = join(all, h)
	}
	if d := cmp.Diff([]handoff.Handoff{at("a", 1, 9, 5, 4), at("b", 0, 2, 2, 4)}, all); d != "" {
		t.Errorf("what two replicas have is one, as it was last (-want +got):\n%s", d)
	}
}

func TestServiceOf(t *testing.T) {
	for text, want := range map[string]service{
		"http://hardgate.hardgate-system.svc":                {"hardgate-system", "hardgate", "80"},
		"https://hardgate.rag.svc.cluster.local:8443/prefix": {"rag", "hardgate", "8443"},
		"https://hardgate.rag.svc":                           {"rag", "hardgate", "443"},
		"https://rag.example.com":                            {},
		"http://127.0.0.1:8080":                              {},
	} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := serviceOf(u); got != want || ok != (want != service{}) {
			t.Errorf("%s: %+v, %t", text, got, ok)
		}
	}
}

// TestOwnToken reads the kubeconfig's token as the API server would get it.
func TestOwnToken(t *testing.T) {
	program := &clientcmdapi.ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1", Command: "sh", InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
		Args: []string{"-c", `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"printed"}}'`},
	}
	broken := program.DeepCopy()
	broken.Args = []string{"-c", "exit 3"}
	cases := map[string]struct {
		reason, want string
		cfg          rest.Config
		fails        bool
	}{
		"field":    {"as it is", "plain", rest.Config{BearerToken: "plain"}, false},
		"program":  {"clouds have programs that print one", "printed", rest.Config{Host: "https://127.0.0.1:1", ExecProvider: program}, false},
		"broken":   {"one that fails is told of", "", rest.Config{Host: "https://127.0.0.1:1", ExecProvider: broken}, true},
		"password": {"is none", "", rest.Config{Username: "a", Password: "b"}, false},
		"nothing":  {"say a certificate", "", rest.Config{}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := own(t.Context(), &c.cfg)
			if got != c.want || (err != nil) != c.fails {
				t.Errorf("%s: %q, %v", c.reason, got, err)
			}
		})
	}
	r := reach{}
	if _, err := r.token(t.Context(), &rest.Config{BearerToken: "t", Impersonate: rest.ImpersonationConfig{UserName: "bob"}}, "hr"); err == nil || !strings.Contains(err.Error(), "--as-service-account") {
		t.Errorf("the manager would take bob's double for bob: %v", err)
	}
}
