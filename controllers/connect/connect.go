// Package connect turns references of resources into connections: Secret keys
// into values, a Collection into a store client, a Corpus into a source. Blank
// is missing: a Secret value of white space is refused with its name.
package connect

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

// again is how long a missing or blank Secret is left alone: Secrets are read
// one by one, never watched, so that the manager needs no list of them.
const again = 15 * time.Second

// Connector reads references within one namespace at a time.
type Connector struct {
	Reader  client.Reader // uncached
	Runtime *assembly.Runtime

	stores stores
}

// Secret reads one key of a Secret. field is what the message names.
func (c *Connector) Secret(ctx context.Context, namespace string, ref v1alpha1.KeyReference, field string) (string, error) {
	values, err := c.secret(ctx, namespace, string(ref.Name), field)
	if err != nil {
		return "", err
	}
	return value(values, ref, field)
}

func (c *Connector) secret(ctx context.Context, namespace, name, field string) (map[string][]byte, error) {
	var s corev1.Secret
	err := c.Reader.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, &s)
	if apierrors.IsNotFound(err) {
		return nil, outcome.Waiting(again, v1alpha1.SecretNotFoundReason, "%s: Secret %q does not exist in namespace %q", field, name, namespace)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: read Secret %q: %w", field, name, err)
	}
	return s.Data, nil
}

func value(data map[string][]byte, ref v1alpha1.KeyReference, field string) (string, error) {
	v, ok := data[ref.Key]
	if !ok {
		return "", outcome.Stalled(again, v1alpha1.SecretKeyMissingReason, "%s: Secret %q has no key %q", field, ref.Name, ref.Key)
	}
	if strings.TrimSpace(string(v)) == "" {
		return "", outcome.Stalled(again, v1alpha1.SecretKeyBlankReason, "%s: key %q of Secret %q is blank", field, ref.Key, ref.Name)
	}
	return strings.TrimSpace(string(v)), nil
}

// Source opens the source of a Corpus; it does not connect.
func (c *Connector) Source(ctx context.Context, corpus *v1alpha1.Corpus) (source.Driver, error) {
	s := corpus.Spec.Source.S3
	opt := source.S3Options{Endpoint: string(s.Endpoint), Region: string(s.Region), Bucket: s.Bucket, Prefix: s.Prefix, PathStyle: s.PathStyle}
	if ref := s.CredentialsSecretRef; ref != nil {
		const field = "spec.source.s3.credentialsSecretRef"
		data, err := c.secret(ctx, corpus.Namespace, string(ref.Name), field)
		if err != nil {
			return nil, err
		}
		if opt.AccessKey, err = value(data, v1alpha1.KeyReference{Name: ref.Name, Key: v1alpha1.AccessKeyIDKey}, field); err != nil {
			return nil, err
		}
		if opt.SecretKey, err = value(data, v1alpha1.KeyReference{Name: ref.Name, Key: v1alpha1.SecretAccessKeyKey}, field); err != nil {
			return nil, err
		}
		if _, temporary := data[v1alpha1.SessionTokenKey]; temporary {
			if opt.SessionToken, err = value(data, v1alpha1.KeyReference{Name: ref.Name, Key: v1alpha1.SessionTokenKey}, field); err != nil {
				return nil, err
			}
		}
	}
	if ref := s.CASecretRef; ref != nil {
		ca, err := c.Secret(ctx, corpus.Namespace, *ref, "spec.source.s3.caSecretRef")
		if err != nil {
			return nil, err
		}
		opt.CA = []byte(ca)
	}
	d, err := source.OpenS3(opt)
	if err != nil {
		return nil, outcome.Stalled(0, v1alpha1.InvalidSpecReason, "spec.%v", err)
	}
	return d, nil
}
