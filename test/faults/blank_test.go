package faults

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// TestSecretIsBlank gives values of white space where credentials are needed:
// blank is missing, and the condition names Secret, key and field.
func TestSecretIsBlank(t *testing.T) {
	w := newWorld(t)
	w.secret(" \n")
	w.apply("collection.yaml", "goldenset.yaml", "corpus.yaml")
	c := w.until("the corpus stalls", func(c *v1alpha1.Corpus) bool {
		return shows(c, v1alpha1.StalledCondition, metav1.ConditionTrue, v1alpha1.SecretKeyBlankReason)
	})
	names(t, message(c, v1alpha1.StalledCondition), "hr-s3", v1alpha1.SecretAccessKeyKey, "spec.source.s3.credentialsSecretRef")
	if n := w.listings(); n > 0 {
		t.Errorf("%d listings were tried without credentials", n)
	}
	w.secret(readerSecret)
	w.request()
	w.ready()
}

// TestStoreKeyIsBlank does the same with the key of a Qdrant server, which is
// never spoken to without it.
func TestStoreKeyIsBlank(t *testing.T) {
	w := newWorld(t)
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "qdrant"}, Data: map[string][]byte{"api-key": []byte("\t")}}
	if err := w.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	w.sample.edit("collection.yaml", func(o *unstructured.Unstructured) {
		ref := map[string]any{"name": "qdrant", "key": "api-key"}
		w.sample.set(o, map[string]any{"qdrant": map[string]any{"url": "http://127.0.0.1:1", "apiKeySecretRef": ref}}, "spec", "store")
	})
	w.apply("collection.yaml")
	var said string
	eventually(t, "the collection stalls", func() error {
		now := w.collection().Status.Conditions
		x := meta.FindStatusCondition(now, v1alpha1.StalledCondition)
		if x == nil || x.Reason != v1alpha1.SecretKeyBlankReason {
			return fmt.Errorf("conditions are %+v", now)
		}
		said = x.Message
		return nil
	})
	names(t, said, `"qdrant"`, "api-key", "spec.store.qdrant.apiKeySecretRef")
}

// TestNothingToJudgeBy takes the answer key away in both ways: nothing is ever
// Ready without one.
func TestNothingToJudgeBy(t *testing.T) {
	cases := map[string]struct {
		reason, shown string
		says          []string
		fault         func(w *world)
	}{
		"questions kept elsewhere, and none there": {
			reason: "an empty set proves nothing, wherever it is kept", shown: v1alpha1.EmptyGoldenSetReason, says: []string{"payroll", "questions"},
			fault: func(w *world) {
				cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "key"}, Data: map[string]string{"questions": " \n"}}
				if err := w.Create(w.Context(), cm); err != nil {
					w.Fatal(err)
				}
				w.sample.edit("goldenset.yaml", func(o *unstructured.Unstructured) {
					unstructured.RemoveNestedField(o.Object, "spec", "questions")
					w.sample.set(o, map[string]any{"name": "key", "key": "questions"}, "spec", "questionsFrom", "configMapRef")
				})
			},
		},
		"no golden set at all": {
			reason: "a gate that nobody keeps lets nothing through", shown: v1alpha1.NoGoldenSetReason, says: []string{"spec.gate.goldenSets"},
			fault: func(w *world) {
				w.sample.edit("corpus.yaml", func(o *unstructured.Unstructured) { w.sample.set(o, []any{}, "spec", "gate", "goldenSets") })
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			tc.fault(w)
			w.apply("collection.yaml", "goldenset.yaml", "corpus.yaml")
			c := w.until("the corpus stalls", func(c *v1alpha1.Corpus) bool {
				return shows(c, v1alpha1.StalledCondition, metav1.ConditionTrue, tc.shown)
			})
			names(t, message(c, v1alpha1.StalledCondition), tc.says...)
			if c.Status.Active != nil || meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ReadyCondition) {
				t.Errorf("%s: it is in service: %+v", tc.reason, c.Status)
			}
			if r := w.desk.ask(t, headcount); r.status != http.StatusServiceUnavailable {
				t.Errorf("%s: asked, it says %s", tc.reason, r)
			}
		})
	}
}

// names fails unless the message names all of these.
func names(t *testing.T, message string, words ...string) {
	t.Helper()
	for _, x := range words {
		if !strings.Contains(message, x) {
			t.Errorf("%q does not name %q", message, x)
		}
	}
}

// request asks for a reconcile by annotation.
func (w *world) request() {
	w.Helper()
	c := w.corpus()
	patch := client.MergeFrom(c.DeepCopy())
	c.Annotations = map[string]string{v1alpha1.ReconcileRequestAnnotation: time.Now().Format(time.RFC3339Nano)}
	if err := w.Patch(w.Context(), c, patch); err != nil {
		w.Fatal(err)
	}
}
