package source

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// S3Options address a bucket. Without keys requests are anonymous: the
// process' own cloud identity is never used for a tenant's bucket.
type S3Options struct {
	Endpoint             string // http(s)://host[:port]
	Region               string
	Bucket, Prefix       string
	PathStyle            bool
	AccessKey, SecretKey string
	SessionToken         string
	CA                   []byte // PEM, added to the system's roots; nil = the system's
}

// S3 is a bucket's prefix.
type S3 struct {
	client *minio.Client
	opt    S3Options
}

// check names the first option that is missing or malformed.
func (o S3Options) check() (*url.URL, error) {
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	switch {
	case blank(o.Endpoint):
		return nil, errors.New("source.s3.endpoint is blank")
	case blank(o.Bucket):
		return nil, errors.New("source.s3.bucket is blank")
	case blank(o.AccessKey) != blank(o.SecretKey): // which would be sent as nobody
		return nil, errors.New("source.s3.credentialsSecretRef holds one of access key and secret key; both are needed, or neither")
	}
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return nil, fmt.Errorf("source.s3.endpoint %q is not a URL such as https://s3.example.com, without path and query", o.Endpoint)
	}
	return u, nil
}

// OpenS3 checks the options; it does not connect.
func OpenS3(opt S3Options) (*S3, error) {
	u, err := opt.check()
	if err != nil {
		return nil, err
	}
	if opt.Prefix != "" && !strings.HasSuffix(opt.Prefix, "/") {
		opt.Prefix += "/"
	}
	transport, err := minio.DefaultTransport(u.Scheme == "https")
	if err != nil {
		return nil, fmt.Errorf("source.s3: %w", err)
	}
	if len(opt.CA) > 0 {
		if err := trust(transport, opt.CA); err != nil {
			return nil, err
		}
	}
	transport.ResponseHeaderTimeout = 30 * time.Second
	creds := credentials.NewStaticV4(opt.AccessKey, opt.SecretKey, opt.SessionToken)
	lookup := minio.BucketLookupAuto
	if opt.PathStyle {
		lookup = minio.BucketLookupPath
	}
	c, err := minio.New(u.Host, &minio.Options{Creds: creds, Secure: u.Scheme == "https", Region: opt.Region, BucketLookup: lookup, Transport: &listings{transport}, MaxRetries: 3})
	if err != nil {
		return nil, fmt.Errorf("source.s3: %w", err)
	}
	return &S3{c, opt}, nil
}

func trust(t *http.Transport, pem []byte) error {
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return errors.New("source.s3.caSecretRef holds no PEM certificate")
	}
	t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	return nil
}

func (s *S3) where() string {
	return fmt.Sprintf("s3://%s/%s at %s", s.opt.Bucket, s.opt.Prefix, s.opt.Endpoint)
}

// List lists every object under the prefix. Any failure on the way, of the first
// page or the last, fails the whole listing.
func (s *S3) List(ctx context.Context) ([]rag.Object, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var out []rag.Object
	for o := range s.client.ListObjects(ctx, s.opt.Bucket, minio.ListObjectsOptions{Prefix: s.opt.Prefix, Recursive: true}) {
		if o.Err != nil {
			return nil, &UnreachableError{Where: s.where(), Err: explain(o.Err)}
		}
		key := strings.TrimPrefix(o.Key, s.opt.Prefix)
		if key == "" || strings.HasSuffix(key, "/") {
			continue // a folder's marker
		}
		out = append(out, rag.Object{Key: key, Version: versionOf(o), Size: o.Size, Modified: o.LastModified})
	}
	if err := ctx.Err(); err != nil {
		return nil, &UnreachableError{Where: s.where(), Err: err}
	}
	return out, nil
}

// modifiedAt begins the version of an object of which the server has no ETag, as a
// gateway over a folder has none of a file that was put there directly. Its time has
// to do, to the second, as HTTP tells it.
const modifiedAt = "modified "

func versionOf(o minio.ObjectInfo) string {
	if etag := strings.Trim(o.ETag, `"`); etag != "" || o.LastModified.IsZero() {
		return etag
	}
	return modifiedAt + o.LastModified.UTC().Truncate(time.Second).Format(time.RFC3339)
}

// explain adds what to do to the errors that have a usual cause.
func explain(err error) error {
	switch minio.ToErrorResponse(err).Code {
	case "AccessDenied":
		return fmt.Errorf("%w (the credentials may not list this bucket: s3:ListBucket on it is needed)", err)
	case "NoSuchBucket":
		return fmt.Errorf("%w (check source.s3.bucket and source.s3.endpoint)", err)
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "XAdminUserNotFound": // the last is versitygw's word for the first
		return fmt.Errorf("%w (check the keys in source.s3.credentialsSecretRef)", err)
	}
	return err
}

// RefusedError is an object that the bucket lists and does not hand out. Asking
// again does not help; the other objects may well be readable.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// Refused marks the error as one that stays.
func (e *RefusedError) Refused() bool { return true }

// Open reads the object if it still is the version that was listed.
func (s *S3) Open(ctx context.Context, o rag.Object) (io.ReadCloser, error) {
	if o.Version == "" {
		return nil, &RefusedError{errors.New("the server lists it with neither ETag nor time, so that a change could not be seen")}
	}
	dated := strings.HasPrefix(o.Version, modifiedAt)
	opts := minio.GetObjectOptions{}
	if !dated { // of a time only the reply can be held against it: the header's seconds are before a file's fractions
		if err := opts.SetMatchETag(o.Version); err != nil {
			return nil, err
		}
	}
	// One request, so that the bytes are those of the version that was compared.
	body, got, _, err := minio.Core{Client: s.client}.GetObject(ctx, s.opt.Bucket, s.opt.Prefix+o.Key, opts)
	if err == nil && dated && versionOf(minio.ObjectInfo{LastModified: got.LastModified}) != o.Version {
		return nil, errors.Join(ErrChanged, body.Close())
	}
	if err == nil {
		return body, nil
	}
	switch r := minio.ToErrorResponse(err); {
	case r.StatusCode == http.StatusPreconditionFailed, r.Code == "NoSuchKey", r.Code == "PreconditionFailed":
		return nil, ErrChanged
	case r.Code == "AccessDenied", r.Code == "InvalidObjectState": // under a policy of its own, or archived
		return nil, &RefusedError{err}
	}
	return nil, explain(err)
}
