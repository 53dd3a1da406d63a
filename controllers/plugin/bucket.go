package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/archive"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

const s3Scheme = "s3://"

// partSize is how much of an upload of unknown length is held in memory.
const partSize = 16 << 20

// bucketFlags say where s3:// leads.
type bucketFlags struct {
	endpoint, region, secret string
}

func (b *bucketFlags) bind(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&b.endpoint, "s3-endpoint", "https://s3.amazonaws.com", "server of s3:// names")
	f.StringVar(&b.region, "s3-region", "us-east-1", "its region")
	f.StringVar(&b.secret, "s3-secret", "", fmt.Sprintf("Secret of the namespace with %s and %s (default: as nobody)", v1alpha1.AccessKeyIDKey, v1alpha1.SecretAccessKeyKey))
}

// object opens the bucket of an s3:// name.
func (s *session) object(ctx context.Context, name string) (c *minio.Client, bucket, key string, err error) {
	bucket, key, ok := strings.Cut(strings.TrimPrefix(name, s3Scheme), "/")
	if !ok || bucket == "" || key == "" {
		return nil, "", "", fmt.Errorf("%q is not s3://bucket/key", name)
	}
	u, err := url.Parse(s.bucket.endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, "", "", fmt.Errorf("--s3-endpoint: %q is not a URL such as https://s3.example.com", s.bucket.endpoint)
	}
	creds := credentials.NewStaticV4("", "", "")
	if !settings.Blank(s.bucket.secret) {
		var secret corev1.Secret
		if err := s.cluster.Get(ctx, types.NamespacedName{Namespace: s.namespace, Name: s.bucket.secret}, &secret); err != nil {
			return nil, "", "", fmt.Errorf("--s3-secret: %w", err)
		}
		value := func(k string) string { return strings.TrimSpace(string(secret.Data[k])) }
		if value(v1alpha1.AccessKeyIDKey) == "" || value(v1alpha1.SecretAccessKeyKey) == "" {
			return nil, "", "", fmt.Errorf("--s3-secret: Secret %q lacks %s or %s, or has it blank", s.bucket.secret, v1alpha1.AccessKeyIDKey, v1alpha1.SecretAccessKeyKey)
		}
		creds = credentials.NewStaticV4(value(v1alpha1.AccessKeyIDKey), value(v1alpha1.SecretAccessKeyKey), value(v1alpha1.SessionTokenKey))
	}
	c, err = minio.New(u.Host, &minio.Options{Creds: creds, Secure: u.Scheme == "https", Region: s.bucket.region})
	return c, bucket, key, err
}

func (s *session) upload(ctx context.Context, to string, in io.Reader) error {
	c, bucket, key, err := s.object(ctx, to)
	if err != nil {
		return err
	}
	_, err = c.PutObject(ctx, bucket, key, in, -1, minio.PutObjectOptions{PartSize: partSize, ContentType: "application/octet-stream"})
	return err
}

func (s *session) download(ctx context.Context, from string) (io.ReadCloser, error) {
	c, bucket, key, err := s.object(ctx, from)
	if err != nil {
		return nil, err
	}
	o, err := c.GetObject(ctx, bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := o.Stat(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", from, err), o.Close())
	}
	return o, nil
}

// checked passes an archive on while it is read, and ends with an error instead of
// an end if it isn't whole: who writes it then keeps nothing.
type checked struct {
	in      io.Reader
	pipe    *io.PipeWriter
	verdict chan error
	points  uint64
	bytes   int64
}

func newChecked(in io.Reader) *checked {
	r, w := io.Pipe()
	c := &checked{pipe: w, verdict: make(chan error, 1)}
	c.in = io.TeeReader(in, w)
	go func() {
		err := c.check(r)
		r.CloseWithError(err) // nil lets the writer go on to the end
		c.verdict <- err
	}()
	return c
}

func (c *checked) check(r io.Reader) error {
	a, err := archive.NewReader(r)
	if err != nil {
		return err
	}
	defer a.Close()
	err = a.Each(archive.Handler{Corpus: func(archive.Corpus) error { return nil }, Point: func(store.Point) error { return nil }})
	c.points = a.Census().Points()
	return err
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.bytes += int64(n)
	if err == nil {
		return n, nil
	}
	c.pipe.CloseWithError(err) // io.EOF is the reader's own end
	if verdict := <-c.verdict; verdict != nil {
		return n, verdict
	}
	c.verdict <- nil // asked again, it has ended again
	return n, err
}
