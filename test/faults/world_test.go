package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	authnv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// world is one namespace with a payroll corpus of its own, small enough to be
// built in a second, and its bucket.
type world struct {
	*testing.T
	*cluster
	*bucket

	namespace string
	sample    *sample
	desk      asker // may ask, and see no trace
}

// papers are the documents of a world, and questions its golden set.
var (
	papers    = []string{april, "registers/Salary_Register_March_2025.pdf", "policies/Leave_Policy_2025.pdf"}
	questions = []string{"april-headcount", "st006-net-pay", "blood-group"}
)

// newWorld makes a namespace, a bucket and an asker, and applies nothing yet.
func newWorld(t *testing.T) *world {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "faults-"}}
	if err := shared.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, cluster: shared, bucket: newBucket(t), namespace: ns.Name, sample: newSample(t, questions...)}
	t.Cleanup(w.retire)
	w.shrink()
	w.upload(w.sample.documents())
	w.secret(readerSecret)
	w.desk = w.caller("payroll-desk", "hardgate-corpus-asker")
	w.sample.edit("corpus.yaml", func(o *unstructured.Unstructured) {
		w.sample.set(o, w.server.URL().String(), "spec", "source", "s3", "endpoint")
		w.sample.set(o, "1s", "spec", "interval") // how soon a fault of the source is seen
	})
	return w
}

// served is a world whose corpus is Ready, in its first revision.
func served(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.apply("collection.yaml", "goldenset.yaml", "corpus.yaml")
	w.ready()
	return w
}

// retire deletes what was applied, so that nothing goes on in this namespace.
func (w *world) retire() {
	for _, o := range []client.Object{&v1alpha1.Corpus{}, &v1alpha1.GoldenSet{}, &v1alpha1.Collection{}} {
		if err := w.DeleteAllOf(context.WithoutCancel(w.Context()), o, client.InNamespace(w.namespace)); err != nil {
			w.Errorf("delete %T: %v", o, err)
		}
	}
}

// shrink leaves the papers in the sample, readable to this namespace's accounts.
func (w *world) shrink() {
	w.Helper()
	kept := w.TempDir()
	for _, key := range papers {
		to := filepath.Join(kept, filepath.FromSlash(key))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			w.Fatal(err)
		}
		if err := os.Rename(filepath.Join(w.sample.documents(), filepath.FromSlash(key)), to); err != nil {
			w.Fatal(err)
		}
	}
	var lines []string
	for line := range strings.Lines(w.sample.text("documents/metadata.jsonl")) {
		if slices.ContainsFunc(papers, func(key string) bool { return strings.Contains(line, fmt.Sprintf("%q", key)) }) {
			lines = append(lines, strings.ReplaceAll(line, "system:serviceaccounts:hr", "system:serviceaccounts:"+w.namespace))
		}
	}
	if err := os.WriteFile(filepath.Join(kept, "metadata.jsonl"), []byte(strings.Join(lines, "")), 0o600); err != nil {
		w.Fatal(err)
	}
	if err := os.RemoveAll(w.sample.documents()); err != nil {
		w.Fatal(err)
	}
	if err := os.Rename(kept, w.sample.documents()); err != nil {
		w.Fatal(err)
	}
}

// secret sets the credentials that the Corpus refers to.
func (w *world) secret(secretKey string) {
	w.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "hr-s3"}}
	s.Data = map[string][]byte{v1alpha1.AccessKeyIDKey: []byte(reader), v1alpha1.SecretAccessKeyKey: []byte(secretKey)}
	if err := client.IgnoreAlreadyExists(w.Create(w.Context(), s)); err != nil {
		w.Fatal(err)
	}
	if err := w.Update(w.Context(), s); err != nil {
		w.Fatal(err)
	}
}

// apply applies files of the sample in the world's namespace, as GitOps would.
func (w *world) apply(files ...string) {
	w.Helper()
	for _, f := range files {
		o := w.sample.read(f)
		o.SetNamespace(w.namespace)
		if err := w.Apply(w.Context(), client.ApplyConfigurationFromUnstructured(o), client.FieldOwner("faults"), client.ForceOwnership); err != nil {
			w.Fatalf("apply %s: %v", f, err)
		}
	}
}

// caller is a ServiceAccount that is bound to roles.
func (w *world) caller(name string, roles ...string) asker {
	w.Helper()
	objects := []client.Object{&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}}}
	for _, role := range roles {
		objects = append(objects, &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name + "-" + role},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: w.namespace, Name: name}},
		})
	}
	for _, o := range objects {
		if err := w.Create(w.Context(), o); err != nil {
			w.Fatal(err)
		}
	}
	token, err := w.set.CoreV1().ServiceAccounts(w.namespace).CreateToken(w.Context(), name, &authnv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		w.Fatal(err)
	}
	return asker{url: w.url + "/v1/corpora/" + w.namespace + "/payroll/query", token: token.Status.Token}
}

// corpus is the Corpus as the API server has it.
func (w *world) corpus() *v1alpha1.Corpus {
	w.Helper()
	c := &v1alpha1.Corpus{}
	if err := w.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: "payroll"}, c); err != nil {
		w.Fatal(err)
	}
	return c
}

func (w *world) collection() *v1alpha1.Collection {
	w.Helper()
	c := &v1alpha1.Collection{}
	if err := w.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: "hr"}, c); err != nil {
		w.Fatal(err)
	}
	return c
}

// ready waits until what the spec asks for serves, and nothing is under way.
func (w *world) ready() *v1alpha1.Corpus {
	w.Helper()
	return w.until("the corpus is Ready", func(c *v1alpha1.Corpus) bool {
		return c.Status.ObservedGeneration == c.Generation && c.Status.Candidate == nil &&
			meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ReadyCondition)
	})
}

// until waits for a state of the Corpus.
func (w *world) until(what string, holds func(*v1alpha1.Corpus) bool) *v1alpha1.Corpus {
	w.Helper()
	var c *v1alpha1.Corpus
	eventually(w.T, what, func() error {
		if c = w.corpus(); holds(c) {
			return nil
		}
		text, err := json.MarshalIndent(c.Status, "", " ")
		return fmt.Errorf("%s %w", text, err)
	})
	return c
}

// shows reports a condition of that status and reason.
func shows(c *v1alpha1.Corpus, kind string, is metav1.ConditionStatus, reason string) bool {
	x := meta.FindStatusCondition(c.Status.Conditions, kind)
	return x != nil && x.Status == is && x.Reason == reason
}

// message is what a condition says, "" when it is not there.
func message(c *v1alpha1.Corpus, kind string) string {
	if x := meta.FindStatusCondition(c.Status.Conditions, kind); x != nil {
		return x.Message
	}
	return ""
}
