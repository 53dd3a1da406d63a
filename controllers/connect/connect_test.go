package connect_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/connect"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// secret makes or replaces a Secret.
func secret(t *testing.T, namespace, name string, data map[string]string) {
	t.Helper()
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, StringData: data}
	_ = server.Delete(t.Context(), s.DeepCopy()) // there may be none yet
	if err := server.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// kind says what a step's error asks for.
func kind(err error) string {
	var wait *outcome.Wait
	var stall *outcome.Stall
	var retry *outcome.Retry
	switch {
	case err == nil:
		return ""
	case errors.As(err, &wait) && wait.After > 0:
		return "wait"
	case errors.As(err, &stall) && stall.Again > 0:
		return "stall, look again"
	case errors.As(err, &stall):
		return "stall"
	case errors.As(err, &retry):
		return "retry"
	}
	return "error"
}

func TestSecret(t *testing.T) {
	ns := namespace(t)
	secret(t, ns, "qdrant", map[string]string{"key": "  s3cr3t\n", "blank": " \n\t", "empty": ""})
	const field = "spec.store.qdrant.apiKeySecretRef"
	cases := map[string]struct {
		reason    string
		name, key string
		value     string
		does, why string
		says      []string
	}{
		"there":      {"without the line end that an editor left", "qdrant", "key", "s3cr3t", "", "", nil},
		"no Secret":  {"GitOps applies in any order, so it may still come", "other", "key", "", "wait", v1alpha1.SecretNotFoundReason, []string{field, `"other"`, ns}},
		"no key":     {"nobody else will add it; no watch tells when somebody does", "qdrant", "api-key", "", "stall, look again", v1alpha1.SecretKeyMissingReason, []string{field, `"qdrant"`, `"api-key"`}},
		"blank":      {"blank is missing", "qdrant", "blank", "", "stall, look again", v1alpha1.SecretKeyBlankReason, []string{field, `"qdrant"`, `"blank"`}},
		"empty":      {"and so is empty", "qdrant", "empty", "", "stall, look again", v1alpha1.SecretKeyBlankReason, []string{field, `"qdrant"`, `"empty"`}},
		"not a name": {"whatever the API server says is an error", "q/x", "key", "", "error", "", []string{field, `"q/x"`}},
	}
	c := &connect.Connector{Reader: server}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := c.Secret(t.Context(), ns, v1alpha1.KeyReference{Name: v1alpha1.ObjectName(x.name), Key: x.key}, field)
			if got != x.value || kind(err) != x.does {
				t.Fatalf("%s: %q, %s: %v", x.reason, got, kind(err), err)
			}
			if err == nil {
				return
			}
			reason, message := outcome.Explain(err, "")
			if reason != x.why {
				t.Errorf("%s: reason %q, want %q", x.reason, reason, x.why)
			}
			for _, s := range x.says {
				if !strings.Contains(message, s) {
					t.Errorf("%s: %q doesn't name %s", x.reason, message, s)
				}
			}
		})
	}
	t.Run("other namespace", func(t *testing.T) {
		if _, err := c.Secret(t.Context(), namespace(t), v1alpha1.KeyReference{Name: "qdrant", Key: "key"}, field); kind(err) != "wait" {
			t.Errorf("a reference stays inside its namespace: %v", err)
		}
	})
	t.Run("forbidden", func(t *testing.T) {
		c := &connect.Connector{Reader: forbidden}
		_, err := c.Secret(t.Context(), ns, v1alpha1.KeyReference{Name: "qdrant", Key: "key"}, field)
		if kind(err) != "error" || !strings.Contains(err.Error(), field) || !strings.Contains(err.Error(), "nobody") {
			t.Errorf("a Secret that may not be read is not a missing one: %s: %v", kind(err), err)
		}
	})
}

// qdrant serves an empty store on a port, by an API key.
func qdrant(t *testing.T, key string) string {
	t.Helper()
	s, err := embedded.Open(embedded.Options{APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), <-done); err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

func collection(namespace, url string) *v1alpha1.Collection {
	c := &v1alpha1.Collection{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "hr"}}
	c.Spec.Store.Qdrant = &v1alpha1.QdrantStore{URL: v1alpha1.URL(url), APIKeySecretRef: &v1alpha1.KeyReference{Name: "qdrant", Key: "key"}}
	return c
}

func TestStoreFollowsItsSecret(t *testing.T) {
	ns := namespace(t)
	url := qdrant(t, "new")
	c, coll := &connect.Connector{Reader: server}, collection(ns, url)
	if _, err := c.Store(t.Context(), coll); kind(err) != "wait" {
		t.Errorf("the Secret is still to come: %s: %v", kind(err), err)
	}
	secret(t, ns, "qdrant", map[string]string{"key": " "})
	if _, err := c.Store(t.Context(), coll); kind(err) != "stall, look again" || !strings.Contains(err.Error(), "spec.store.qdrant.apiKeySecretRef") {
		t.Errorf("blank is missing: %s: %v", kind(err), err)
	}
	secret(t, ns, "qdrant", map[string]string{"key": "old"})
	old, err := c.Store(t.Context(), coll)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := old.AliasTarget(t.Context(), "hr.payroll"); err == nil {
		t.Error("the store lets a wrong key in, so this test says nothing")
	}
	if again, err := c.Store(t.Context(), coll); err != nil || again != old {
		t.Errorf("a second reconcile opened a second connection: %v", err)
	}
	secret(t, ns, "qdrant", map[string]string{"key": "new"})
	rotated, err := c.Store(t.Context(), coll)
	if err != nil {
		t.Fatal(err)
	}
	if rotated == old {
		t.Error("the key was rotated, and the old one is still sent")
	}
	if _, err := rotated.AliasTarget(t.Context(), "hr.payroll"); err != nil {
		t.Errorf("with the new key: %v", err)
	}
	other, err := c.Store(t.Context(), collection(ns, qdrant(t, "new")))
	if err != nil || other == rotated {
		t.Errorf("another server is another connection: %v", err)
	}
}

func TestStoreAway(t *testing.T) {
	ns := namespace(t)
	secret(t, ns, "qdrant", map[string]string{"key": "k", "ca": "no certificate"})
	c, coll := &connect.Connector{Reader: server}, collection(ns, "http://127.0.0.1:1")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := c.Store(ctx, coll)
	if reason, _ := outcome.Explain(err, ""); kind(err) != "retry" || reason != v1alpha1.StoreUnreachableReason {
		t.Errorf("it may be back soon: %s: %v", kind(err), err)
	}
	coll.Spec.Store.Qdrant.URL, coll.Spec.Store.Qdrant.CASecretRef = "https://127.0.0.1:1", &v1alpha1.KeyReference{Name: "qdrant", Key: "none"}
	if _, err := c.Store(t.Context(), coll); kind(err) != "stall, look again" || !strings.Contains(err.Error(), "spec.store.qdrant.caSecretRef") {
		t.Errorf("the certificate's key is missing: %s: %v", kind(err), err)
	}
}

// authority is a self-signed certificate.
func authority(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func TestSource(t *testing.T) {
	ns := namespace(t)
	secret(t, ns, "whole", map[string]string{"accessKeyID": "a", "secretAccessKey": "s"})
	secret(t, ns, "temporary", map[string]string{"accessKeyID": "a", "secretAccessKey": "s", "sessionToken": "t"})
	secret(t, ns, "half", map[string]string{"accessKeyID": "a"})
	secret(t, ns, "blank", map[string]string{"accessKeyID": "a", "secretAccessKey": " "})
	secret(t, ns, "token", map[string]string{"accessKeyID": "a", "secretAccessKey": "s", "sessionToken": ""})
	secret(t, ns, "ca", map[string]string{"good": authority(t), "bad": "no certificate"})
	const field = "spec.source.s3.credentialsSecretRef"
	cases := map[string]struct {
		reason      string
		credentials string
		ca          string
		does        string
		says        []string
	}{
		"whole":           {"", "whole", "", "", nil},
		"temporary":       {"with a session's token", "temporary", "", "", nil},
		"anonymous":       {"no Secret, no key; never the manager's own", "", "", "", nil},
		"still to come":   {"", "later", "", "wait", []string{field, `"later"`}},
		"half":            {"one key without the other", "half", "", "stall, look again", []string{field, `"secretAccessKey"`, `"half"`}},
		"blank":           {"blank is missing", "blank", "", "stall, look again", []string{field, `"secretAccessKey"`, `"blank"`}},
		"blank token":     {"a token that is there and blank would be left out in silence", "token", "", "stall, look again", []string{field, `"sessionToken"`, `"token"`}},
		"certificate":     {"", "whole", "good", "", nil},
		"no certificate":  {"what is no PEM stays none", "whole", "bad", "stall", []string{"spec.source.s3.caSecretRef"}},
		"certificate key": {"", "whole", "none", "stall, look again", []string{"spec.source.s3.caSecretRef", `"none"`}},
	}
	c := &connect.Connector{Reader: server}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			corpus := &v1alpha1.Corpus{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "payroll"}}
			corpus.Spec.Source.S3 = &v1alpha1.S3Source{Endpoint: "https://s3.test", Region: "us-east-1", Bucket: "papers"}
			if x.credentials != "" {
				corpus.Spec.Source.S3.CredentialsSecretRef = &v1alpha1.ObjectReference{Name: v1alpha1.ObjectName(x.credentials)}
			}
			if x.ca != "" {
				corpus.Spec.Source.S3.CASecretRef = &v1alpha1.KeyReference{Name: "ca", Key: x.ca}
			}
			got, err := c.Source(t.Context(), corpus)
			if kind(err) != x.does || (err == nil) != (got != nil) {
				t.Fatalf("%s: %s: %v", x.reason, kind(err), err)
			}
			for _, s := range x.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%s: %q doesn't name %s", x.reason, err, s)
				}
			}
			if _, isS3 := got.(*source.S3); err == nil && !isS3 {
				t.Errorf("%s: it is a %T", x.reason, got)
			}
		})
	}
}
