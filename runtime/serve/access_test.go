package serve_test

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	authnv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/hardgate-dev/hardgate/runtime/serve"
)

func TestWhoMayAsk(t *testing.T) {
	w := newWorld(t)
	everyone := newDesk("system:authenticated")
	w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: everyone, Revision: 3}
	w.corpora[w.namespace+"/cellar"] = serve.Corpus{Asker: everyone, Revision: 3}
	w.corpora[w.namespace+"/attic"] = serve.Corpus{Reason: "GoldenSetFailed: payroll/april-headcount"}

	ann := w.member("ann", asker)
	stranger := w.member("stranger")
	w.account("narrow")
	w.narrow("narrow", "cellar")
	narrow := w.token("narrow", audience)
	gone := w.member("gone", asker)
	if err := kube.CoreV1().ServiceAccounts(w.namespace).Delete(t.Context(), "gone", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	again := resign(t, ann, func(map[string]any) {})
	expired := resign(t, ann, func(claims map[string]any) {
		ago := time.Now().Add(-2 * time.Hour).Unix()
		claims["iat"], claims["nbf"], claims["exp"] = ago, ago, ago+3600
	})

	cases := map[string]struct {
		reason        string
		authorization string
		corpus        string
		status        int
		code          string
		says          []string
	}{
		"nobody":          {"without a token nobody is anybody", "", "canteen", 401, "Unauthenticated", []string{"bearer token"}},
		"basic":           {"a password is not a token", "Basic YTpi", "canteen", 401, "Unauthenticated", []string{"bearer token"}},
		"blank token":     {"blank is missing", "Bearer  ", "canteen", 401, "Unauthenticated", []string{"bearer token"}},
		"gibberish":       {"the API server knows no such token", "Bearer abc.def.ghi", "canteen", 401, "Unauthenticated", []string{"not valid"}},
		"expired":         {"signed by the right key, but too late", "Bearer " + expired, "canteen", 401, "Unauthenticated", []string{"expired"}},
		"other audience":  {"a token for somebody else must not be replayed here", "Bearer " + w.token("ann", "vault.test"), "canteen", 401, "Unauthenticated", []string{"not meant for this server"}},
		"API's audience":  {"nor one for the API server itself", "Bearer " + w.token("ann"), "canteen", 401, "Unauthenticated", []string{"not meant for this server"}},
		"deleted account": {"its tokens end with it", "Bearer " + gone, "canteen", 401, "Unauthenticated", nil},
		"no role":         {"known, but may not ask", "Bearer " + stranger, "canteen", 403, "Forbidden", []string{"create", "corpora/query", "canteen", w.namespace, "stranger"}},
		"other corpus":    {"resourceNames narrow the role to one corpus", "Bearer " + narrow, "canteen", 403, "Forbidden", []string{"corpora/query"}},
		"its corpus":      {"the one it was narrowed to", "Bearer " + narrow, "cellar", 200, "", nil},
		"no such corpus":  {"who may ask learns that it does not exist", "Bearer " + ann, "dungeon", 404, "NotFound", []string{w.namespace + "/dungeon"}},
		"nor a hint":      {"who may not ask does not", "Bearer " + stranger, "dungeon", 403, "Forbidden", []string{"corpora/query"}},
		"not serving":     {"nothing verified: the reason is told", "Bearer " + ann, "attic", 503, "NotServing", []string{"GoldenSetFailed: payroll/april-headcount"}},
		"member":          {"may", "Bearer " + ann, "canteen", 200, "", nil},
		"re-signed":       {"the signing in this test is the API server's own way", "Bearer " + again, "canteen", 200, "", nil},
		"small letters":   {"the scheme's case means nothing (RFC 9110)", "bearer " + ann, "canteen", 200, "", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := w.do(http.MethodPost, w.path(c.corpus, "query"), c.authorization, `{"question":"When does the canteen open?"}`)
			if got.status != c.status || got.Error.Code != c.code {
				t.Errorf("%s: got %d %s, want %d %s: %s", c.reason, got.status, got.Error.Code, c.status, c.code, got.body)
			}
			for _, s := range c.says {
				if !strings.Contains(got.Error.Message, s) {
					t.Errorf("%s: %q doesn't name %q", c.reason, got.Error.Message, s)
				}
			}
			if challenged := got.header.Get("WWW-Authenticate") != ""; challenged != (c.status == 401) {
				t.Errorf("%s: WWW-Authenticate on %d: %t", c.reason, c.status, challenged)
			}
			if retry := got.header.Get("Retry-After") != ""; retry != (c.status == 503) {
				t.Errorf("%s: Retry-After on %d: %t", c.reason, c.status, retry)
			}
		})
	}
}

// narrow lets an account ask one corpus by name.
func (w *world) narrow(account, corpus string) {
	w.Helper()
	role := &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "ask-" + corpus},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{"rag.hardgate.dev"}, Resources: []string{"corpora/query"}, Verbs: []string{"create"}, ResourceNames: []string{corpus}}},
	}
	if _, err := kube.RbacV1().Roles(w.namespace).Create(w.Context(), role, metav1.CreateOptions{}); err != nil {
		w.Fatalf("create Role: %v", err)
	}
	w.bind(rbacv1.Subject{Kind: "ServiceAccount", Namespace: w.namespace, Name: account}, "Role", role.Name)
}

// resign changes the claims of a token and signs it with the API server's key.
func resign(t *testing.T, token string, change func(map[string]any)) string {
	t.Helper()
	parts := strings.Split(token, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]any{}
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Fatal(err)
	}
	change(claims)
	if payload, err = json.Marshal(claims); err != nil {
		t.Fatal(err)
	}
	text := parts[0] + "." + base64.RawURLEncoding.EncodeToString(payload)
	data, err := os.ReadFile(signer)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(data)
	if block == nil {
		t.Fatalf("%s holds no PEM", signer)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		t.Fatalf("tokens are signed by a %T", parsed)
	}
	sum := sha256.Sum256([]byte(text))
	x, y, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	sig := make([]byte, 64) // ES256: both numbers, 32 bytes each
	x.FillBytes(sig[:32])
	y.FillBytes(sig[32:])
	return text + "." + base64.RawURLEncoding.EncodeToString(sig)
}

// client speaks to an API server at a URL without certificates.
func client(t *testing.T, url string) kubernetes.Interface {
	t.Helper()
	c, err := kubernetes.NewForConfig(&rest.Config{Host: url})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reviewer is an API server of the kind that knows nothing of audiences: it
// authenticates whoever comes, with these extra fields.
func reviewer(t *testing.T, audiences []string, extra map[string]authnv1.ExtraValue) kubernetes.Interface {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(authnv1.TokenReview{
			TypeMeta: metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "TokenReview"},
			Status: authnv1.TokenReviewStatus{
				Authenticated: true, Audiences: audiences,
				User: authnv1.UserInfo{Username: "olga", UID: "7", Groups: []string{"canteen", "system:authenticated"}, Extra: extra},
			},
		})
	}))
	t.Cleanup(s.Close)
	return client(t, s.URL)
}

func TestReviews(t *testing.T) {
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close() // nobody listens there any more
	cases := map[string]struct {
		reason string
		adjust func(*serve.Options)
		status int
		code   string
	}{
		"no token review": {
			"a review that did not come about is no verdict on the token",
			func(o *serve.Options) {
				o.Authenticator = serve.TokenReviews{Client: client(t, away.URL).AuthenticationV1().TokenReviews()}
			}, 503, "AuthenticationUnavailable",
		},
		"no access review": {
			"nor does it allow",
			func(o *serve.Options) {
				o.Authorizer = serve.AccessReviews{Client: client(t, away.URL).AuthorizationV1().SubjectAccessReviews()}
			}, 503, "AuthorizationUnavailable",
		},
		"audience ignored": {
			"a server that names no audience has not checked it",
			func(o *serve.Options) {
				o.Authenticator = serve.TokenReviews{Client: reviewer(t, nil, nil).AuthenticationV1().TokenReviews(), Audiences: []string{audience}}
			}, 401, "Unauthenticated",
		},
		"another audience": {
			"nor has one that names another",
			func(o *serve.Options) {
				o.Authenticator = serve.TokenReviews{Client: reviewer(t, []string{"vault.test"}, nil).AuthenticationV1().TokenReviews(), Audiences: []string{audience}}
			}, 401, "Unauthenticated",
		},
		"no audience asked for": {
			"the API server's own then, which needs no name; olga has no role here",
			func(o *serve.Options) {
				o.Authenticator = serve.TokenReviews{Client: reviewer(t, nil, nil).AuthenticationV1().TokenReviews()}
			}, 403, "Forbidden",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.adjust)
			d := newDesk("system:authenticated")
			w.corpora[w.namespace+"/canteen"] = serve.Corpus{Asker: d}
			got := w.ask(w.member("ann", asker), "canteen", serve.Request{Question: "When?"})
			if got.status != c.status || got.Error.Code != c.code {
				t.Errorf("%s: got %d %s, want %d %s", c.reason, got.status, got.Error.Code, c.status, c.code)
			}
			if q, asked := d.last(); asked {
				t.Errorf("%s: it was asked %q nevertheless", c.reason, q.Text)
			}
			if strings.Contains(string(got.body), "127.0.0.1") {
				t.Errorf("the answer tells strangers addresses inside: %s", got.body)
			}
		})
	}
}
