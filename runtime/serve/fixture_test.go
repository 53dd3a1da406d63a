package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	authnv1 "k8s.io/api/authentication/v1"
	authzv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// audience is the one that tokens have to be for.
const audience = "hardgate.test"

// today is when every test asks.
var today = time.Date(2025, 5, 5, 12, 0, 0, 0, time.UTC)

// clock goes on by a millisecond whenever it is read, as a real one does: what was
// now when a question came is past when it is judged.
func clock() func() time.Time {
	var reads atomic.Int64
	return func() time.Time { return today.Add(time.Duration(reads.Add(1)) * time.Millisecond) }
}

// The roles that are shipped.
const (
	asker      = "hardgate-corpus-asker"
	tracer     = "hardgate-corpus-tracer"
	forecaster = "hardgate-corpus-forecaster"
)

// corpora is a registry that does not change.
type corpora map[string]serve.Corpus

func (c corpora) Lookup(namespace, name string) (serve.Corpus, bool) {
	found, ok := c[namespace+"/"+name]
	return found, ok
}

// world is a server in front of a namespace of its own.
type world struct {
	*testing.T
	namespace string
	url       string
	corpora   corpora
	metrics   *prometheus.Registry
}

// newWorld makes a namespace and serves; adjust may replace the server's parts.
func newWorld(t *testing.T, adjust ...func(*serve.Options)) *world {
	t.Helper()
	ns, err := kube.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "serve-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("create namespace: %v", err)
	}
	w := &world{T: t, namespace: ns.Name, corpora: corpora{}, metrics: prometheus.NewRegistry()}
	o := serve.Options{
		Corpora: w.corpora, Registry: w.metrics, Now: clock(),
		Authenticator: serve.TokenReviews{Client: kube.AuthenticationV1().TokenReviews(), Audiences: []string{audience}},
		Authorizer:    serve.AccessReviews{Client: kube.AuthorizationV1().SubjectAccessReviews()},
	}
	for _, f := range adjust {
		f(&o)
	}
	s := httptest.NewServer(serve.New(o))
	t.Cleanup(s.Close)
	w.url = s.URL
	return w
}

// account makes a ServiceAccount with these roles in the world's namespace.
func (w *world) account(name string, roles ...string) {
	w.Helper()
	meta := metav1.ObjectMeta{Namespace: w.namespace, Name: name}
	if _, err := kube.CoreV1().ServiceAccounts(w.namespace).Create(w.Context(), &corev1.ServiceAccount{ObjectMeta: meta}, metav1.CreateOptions{}); err != nil {
		w.Fatalf("create ServiceAccount: %v", err)
	}
	for _, role := range roles {
		w.bind(rbacv1.Subject{Kind: "ServiceAccount", Namespace: w.namespace, Name: name}, "ClusterRole", role)
	}
}

// bind gives a role to somebody, in the world's namespace.
func (w *world) bind(who rbacv1.Subject, kind, role string) {
	w.Helper()
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: who.Name + "-" + role},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: role}, Subjects: []rbacv1.Subject{who},
	}
	if _, err := kube.RbacV1().RoleBindings(w.namespace).Create(w.Context(), binding, metav1.CreateOptions{}); err != nil {
		w.Fatalf("bind: %v", err)
	}
	w.inForce(who, kind, role)
}

// inForce waits until the API server's authorizer, which reads roles from a
// cache, has heard of a binding.
func (w *world) inForce(who rbacv1.Subject, kind, role string) {
	w.Helper()
	var rules []rbacv1.PolicyRule
	if kind == "Role" {
		got, err := kube.RbacV1().Roles(w.namespace).Get(w.Context(), role, metav1.GetOptions{})
		if err != nil {
			w.Fatalf("read role: %v", err)
		}
		rules = got.Rules
	} else {
		got, err := kube.RbacV1().ClusterRoles().Get(w.Context(), role, metav1.GetOptions{})
		if err != nil {
			w.Fatalf("read role: %v", err)
		}
		rules = got.Rules
	}
	user := who.Name
	if who.Kind == "ServiceAccount" {
		user = "system:serviceaccount:" + who.Namespace + ":" + who.Name
	}
	resource, sub, _ := strings.Cut(rules[0].Resources[0], "/")
	review := &authzv1.SubjectAccessReview{Spec: authzv1.SubjectAccessReviewSpec{User: user, ResourceAttributes: &authzv1.ResourceAttributes{
		Namespace: w.namespace, Group: rules[0].APIGroups[0], Resource: resource, Subresource: sub, Verb: rules[0].Verbs[0],
	}}}
	if names := rules[0].ResourceNames; len(names) > 0 {
		review.Spec.ResourceAttributes.Name = names[0]
	}
	for range 600 {
		got, err := kube.AuthorizationV1().SubjectAccessReviews().Create(w.Context(), review, metav1.CreateOptions{})
		if err == nil && got.Status.Allowed {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	w.Fatalf("role %s never came into force for %s", role, user)
}

// token asks the API server for a token of the ServiceAccount.
func (w *world) token(account string, audiences ...string) string {
	w.Helper()
	req := &authnv1.TokenRequest{Spec: authnv1.TokenRequestSpec{Audiences: audiences}}
	got, err := kube.CoreV1().ServiceAccounts(w.namespace).CreateToken(w.Context(), account, req, metav1.CreateOptions{})
	if err != nil {
		w.Fatalf("token of %s: %v", account, err)
	}
	return got.Status.Token
}

// member makes a ServiceAccount with these roles and returns a token of it for
// this server.
func (w *world) member(name string, roles ...string) string {
	w.Helper()
	w.account(name, roles...)
	return w.token(name, audience)
}

// reply is what a client got.
type reply struct {
	status int
	header http.Header
	body   []byte
	serve.Response
	Error struct{ Code, Message string }
}

// do sends a request with the Authorization header as given, "" for none.
func (w *world) do(method, path, authorization, body string) reply {
	w.Helper()
	req, err := http.NewRequestWithContext(w.Context(), method, w.url+path, bytes.NewBufferString(body))
	if err != nil {
		w.Fatal(err)
	}
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.Fatal(err)
	}
	defer resp.Body.Close()
	out := reply{status: resp.StatusCode, header: resp.Header}
	if out.body, err = io.ReadAll(resp.Body); err != nil {
		w.Fatal(err)
	}
	if resp.Header.Get("Content-Type") == "application/json" {
		if err := json.Unmarshal(out.body, &out); err != nil {
			w.Fatalf("%s %s: %v in %s", method, path, err, out.body)
		}
	}
	return out
}

func (w *world) path(corpus, rest string) string {
	return fmt.Sprintf("/v1/corpora/%s/%s/%s", w.namespace, corpus, rest)
}

// ask asks with a token.
func (w *world) ask(token, corpus string, q serve.Request) reply {
	w.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		w.Fatal(err)
	}
	return w.do(http.MethodPost, w.path(corpus, "query"), "Bearer "+token, string(body))
}
