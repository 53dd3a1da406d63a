package handoffs

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	authnv1 "k8s.io/api/authentication/v1"
	authzv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authnclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authzclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/hardgate-dev/hardgate/controllers/plugin"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/serve"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

const payroll = "../../config/samples/payroll"

// uid is the corpus'.
const uid = "0b6f2b34-0000-4000-8000-000000000001"

// desk is a runtime that serves the corpus hr/payroll over loopback.
type desk struct {
	*testing.T
	data string // its directory
	url  string
	stop func()
}

type registry map[string]serve.Corpus

// Lookup is serve.Corpora.
func (r registry) Lookup(namespace, name string) (serve.Corpus, bool) {
	c, ok := r[namespace+"/"+name]
	return c, ok
}

// start opens the runtime on a directory, as a manager does, and ingests what
// isn't there yet.
func start(t *testing.T, data string) *desk {
	t.Helper()
	o := options
	o.DataDir = data
	r, err := assembly.Open(o)
	if err != nil {
		t.Fatalf("open the runtime (run `make setup`): %v", err)
	}
	c, coll, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	corpora := registry{"hr/payroll": {UID: uid, Asker: ingested(t, r, c, coll), Revision: 1, Tenant: c.Access.Tenant, Claims: c.Eligibility.Claims()}}
	authn, err := authnclient.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	authz, err := authzclient.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(serve.New(serve.Options{
		Corpora: corpora, Handoffs: r.Handoffs(),
		Authenticator: serve.TokenReviews{Client: authn.TokenReviews()}, Authorizer: serve.AccessReviews{Client: authz.SubjectAccessReviews()},
	}))
	d := &desk{T: t, data: data, url: s.URL, stop: func() { s.Close(); _ = r.Close() }}
	return d
}

func ingested(t *testing.T, r *assembly.Runtime, c settings.Corpus, coll settings.Collection) *assembly.Asker {
	t.Helper()
	st, err := r.Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	place := assembly.Place{Store: st, Collection: "hr", Corpus: uid}
	if err := st.Ensure(t.Context(), place.Collection, assembly.Schema(coll, "test")); err != nil {
		t.Fatal(err)
	}
	docs := source.Dir{Path: filepath.Join(payroll, "documents")}
	in, err := r.Ingester(t.Context(), place, docs, c, assembly.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := source.List(t.Context(), docs, assembly.Filter(c.Source), []string{"metadata.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := in.Run(t.Context(), l, 1, nil); err != nil || sum.Failed > 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	a, err := r.Asker(place, 1, c, assembly.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// restart is the process' end and another's beginning.
func (d *desk) restart() {
	d.Helper()
	d.stop()
	*d = *start(d.T, d.data)
}

// account makes a ServiceAccount with roles in namespace hr, waits until the
// authorizer knows of them, and returns a token of it.
func account(t *testing.T, namespace, name string, roles ...string) string {
	t.Helper()
	if err := cluster.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}); err != nil {
		t.Fatal(err)
	}
	for _, role := range roles {
		rb := &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: "hr", GenerateName: name + "-"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: namespace, Name: name}},
		}
		if err := cluster.Create(t.Context(), rb); err != nil {
			t.Fatal(err)
		}
		verb, sub := "create", "query"
		if role == tracer {
			verb, sub = "list", "handoffs"
		}
		inForce(t, "system:serviceaccount:"+namespace+":"+name, verb, sub)
	}
	req := &authnv1.TokenRequest{}
	if err := cluster.SubResource("token").Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}, req); err != nil {
		t.Fatal(err)
	}
	return req.Status.Token
}

func inForce(t *testing.T, user, verb, sub string) {
	t.Helper()
	for range 600 {
		review := &authzv1.SubjectAccessReview{Spec: authzv1.SubjectAccessReviewSpec{User: user, ResourceAttributes: &authzv1.ResourceAttributes{
			Namespace: "hr", Group: "rag.hardgate.dev", Resource: "corpora", Subresource: sub, Verb: verb,
		}}}
		if err := cluster.Create(t.Context(), review); err == nil && review.Status.Allowed {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s on corpora/%s never came into force for %s", verb, sub, user)
}

// The roles that are shipped.
const (
	asker  = "hardgate-corpus-asker"
	tracer = "hardgate-corpus-tracer"
)

// ask asks and wants an answer with the status.
func (d *desk) ask(token, question string, status rag.Status) {
	d.Helper()
	body, err := json.Marshal(serve.Request{Question: question})
	if err != nil {
		d.Fatal(err)
	}
	req, err := http.NewRequestWithContext(d.Context(), http.MethodPost, d.url+"/v1/corpora/hr/payroll/query", bytes.NewReader(body))
	if err != nil {
		d.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.Fatal(err)
	}
	defer resp.Body.Close()
	var out serve.Response
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode != http.StatusOK || out.Status != status {
		d.Fatalf("%q: %d %+v, %v; want %s", question, resp.StatusCode, out, err, status)
	}
}

// kubeconfig writes a file by which somebody with a token, or without one by
// certificate the tests' administrator, reaches the API server.
func kubeconfig(t *testing.T, token string) string {
	t.Helper()
	user := &clientcmdapi.AuthInfo{Token: token}
	if token == "" {
		user = &clientcmdapi.AuthInfo{ClientCertificateData: config.CertData, ClientKeyData: config.KeyData}
	}
	c := clientcmdapi.NewConfig()
	c.Clusters["test"] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	c.AuthInfos["test"] = user
	c.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "test", Namespace: "hr"}
	c.CurrentContext = "test"
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*c, file); err != nil {
		t.Fatal(err)
	}
	return file
}

// plug runs `kubectl hardgate handoffs payroll`.
func plug(t *testing.T, kubeconfig string, args ...string) (out, note string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := plugin.Command("test", &stdout)
	c.SetErr(&stderr)
	c.SetArgs(append([]string{"--kubeconfig", kubeconfig, "handoffs", "payroll"}, args...))
	err = c.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}
