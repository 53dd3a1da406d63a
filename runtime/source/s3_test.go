package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"

	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

const testBucket = "hr-docs"

// gateway is a real S3 server over a folder.
type gateway struct {
	*s3test.Server
}

// serve starts the server with an empty bucket.
func serve(t *testing.T) *gateway {
	t.Helper()
	server, err := s3test.Start(t.Context(), os.Getenv("VERSITYGW"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	if err := server.Client.MakeBucket(t.Context(), testBucket, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	return &gateway{server}
}

// nobody is the URL of a server that isn't there.
func nobody(t *testing.T) string {
	t.Helper()
	address, err := s3test.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + address
}

func (g *gateway) put(t *testing.T, key, text string) {
	t.Helper()
	if _, err := g.Client.PutObject(context.Background(), testBucket, key, strings.NewReader(text), int64(len(text)), minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
}

// fill puts n small objects under many/.
func (g *gateway) fill(t *testing.T, n int) {
	t.Helper()
	var group errgroup.Group
	group.SetLimit(8)
	for i := range n {
		group.Go(func() error {
			_, err := g.Client.PutObject(context.Background(), testBucket, fmt.Sprintf("many/%05d.pdf", i), strings.NewReader("x"), 1, minio.PutObjectOptions{})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// options are those that work, changed.
func (g *gateway) options(change ...func(*S3Options)) S3Options {
	o := S3Options{Endpoint: g.URL().String(), Region: "us-east-1", Bucket: testBucket, PathStyle: true, AccessKey: s3test.Access, SecretKey: s3test.Secret}
	for _, c := range change {
		c(&o)
	}
	return o
}

func open(t *testing.T, o S3Options) *S3 {
	t.Helper()
	s, err := OpenS3(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOpenS3(t *testing.T) {
	good := S3Options{Endpoint: "https://s3.example.com:9000", Bucket: "hr-docs", AccessKey: "a", SecretKey: "s"}
	tests := map[string]struct {
		reason string
		change func(*S3Options)
		want   string // "" = accepted
	}{
		"good":             {"the case from which the others differ", func(*S3Options) {}, ""},
		"anonymous":        {"no keys at all are nobody's", func(o *S3Options) { o.AccessKey, o.SecretKey = "", "" }, ""},
		"a slash":          {"a URL may end in one", func(o *S3Options) { o.Endpoint += "/" }, ""},
		"no endpoint":      {"blank is missing", func(o *S3Options) { o.Endpoint = "" }, "source.s3.endpoint is blank"},
		"blank endpoint":   {"blank is missing", func(o *S3Options) { o.Endpoint = " \n" }, "source.s3.endpoint is blank"},
		"no bucket":        {"blank is missing", func(o *S3Options) { o.Bucket = "" }, "source.s3.bucket is blank"},
		"blank bucket":     {"blank is missing", func(o *S3Options) { o.Bucket = "\t" }, "source.s3.bucket is blank"},
		"blank secret":     {"half a pair of keys would be sent as nobody", func(o *S3Options) { o.SecretKey = " " }, "source.s3.credentialsSecretRef"},
		"blank access":     {"likewise", func(o *S3Options) { o.AccessKey = "" }, "source.s3.credentialsSecretRef"},
		"no scheme":        {"whether to use TLS must be said", func(o *S3Options) { o.Endpoint = "s3.example.com" }, "source.s3.endpoint"},
		"no host":          {"nothing to connect to", func(o *S3Options) { o.Endpoint = "http://:9000" }, "source.s3.endpoint"},
		"another scheme":   {"no S3 there", func(o *S3Options) { o.Endpoint = "ftp://s3.example.com" }, "source.s3.endpoint"},
		"a path":           {"it would be left out without a word", func(o *S3Options) { o.Endpoint += "/hr-docs" }, "source.s3.endpoint"},
		"a query":          {"likewise", func(o *S3Options) { o.Endpoint += "?region=x" }, "source.s3.endpoint"},
		"a CA of no bytes": {"a certificate that is none", func(o *S3Options) { o.CA = []byte("not PEM") }, "source.s3.caSecretRef"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := good
			test.change(&o)
			_, err := OpenS3(o)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", test.reason, err, test.want)
			}
		})
	}
}

// TestS3 lists and reads a bucket of a real S3 server.
func TestS3(t *testing.T) {
	g := serve(t)
	for key, text := range map[string]string{
		"registers/april.pdf": "april", "registers/2025/may.pdf": "may", "registers/with space & ü.pdf": "odd", "registers/metadata.jsonl": "{}",
		"registers-old/march.pdf": "march", "top.pdf": "top", "registers/folder/": "",
	} {
		g.put(t, key, text)
	}
	t.Run("prefix", func(t *testing.T) {
		for _, prefix := range []string{"registers/", "registers"} {
			s := open(t, g.options(func(o *S3Options) { o.Prefix = prefix }))
			l := list(t, s, Filter{Include: []string{"**/*.pdf"}}, "metadata.jsonl")
			if diff := cmp.Diff([]string{"2025/may.pdf", "april.pdf", "with space & ü.pdf"}, keys(l.Documents)); diff != "" {
				t.Errorf("prefix %q (-want +got):\n%s", prefix, diff)
			}
			for _, o := range append(l.Documents, l.Manifests["metadata.jsonl"]) {
				data, err := Read(t.Context(), s, o)
				if err != nil || int64(len(data)) != o.Size || o.Version == "" || o.Modified.IsZero() {
					t.Errorf("%+v: read %q, %v", o, data, err)
				}
			}
		}
	})
	t.Run("no prefix", func(t *testing.T) {
		l := list(t, open(t, g.options()), Filter{MaxObjectBytes: 3})
		if diff := cmp.Diff([]string{"registers/2025/may.pdf", "registers/metadata.jsonl", "registers/with space & ü.pdf", "top.pdf"}, keys(l.Documents)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"registers-old/march.pdf", "registers/april.pdf"}, keys(l.TooLarge)); diff != "" {
			t.Errorf("too large (-want +got):\n%s", diff)
		}
	})
	t.Run("an empty prefix", func(t *testing.T) {
		l := list(t, open(t, g.options(func(o *S3Options) { o.Prefix = "nothing/here" })), Filter{})
		if len(l.Keys) > 0 {
			t.Errorf("keys %v", l.Keys)
		}
	})
	t.Run("changed", func(t *testing.T) { testChanged(t, g) })
	t.Run("refused", func(t *testing.T) { testRefusedListing(t, g) })
}

// testChanged reads objects that are no longer what was listed.
func testChanged(t *testing.T, g *gateway) {
	s := open(t, g.options(func(o *S3Options) { o.Prefix = "changing/" }))
	for name, change := range map[string]func(key string){
		"of another size":  func(key string) { g.put(t, key, "second version") },
		"of the same size": func(key string) { g.put(t, key, "other") },
		"gone": func(key string) {
			if err := g.Client.RemoveObject(t.Context(), testBucket, key, minio.RemoveObjectOptions{}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		g.put(t, "changing/a.pdf", "first")
		o := list(t, s, Filter{}).Documents[0]
		change("changing/a.pdf")
		if data, err := Read(t.Context(), s, o); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), `"a.pdf"`) {
			t.Errorf("%s: read %q, %v", name, data, err)
		}
	}
}

// testRefusedListing holds that a bucket that may not be listed, or isn't there,
// is never an empty one, and that the error says what to do.
func testRefusedListing(t *testing.T, g *gateway) {
	closed := nobody(t)
	tests := map[string]struct {
		reason string
		change func(*S3Options)
		want   string
	}{
		"wrong secret":   {"the keys are wrong", func(o *S3Options) { o.SecretKey = "other" }, "credentialsSecretRef"},
		"unknown access": {"the keys are wrong", func(o *S3Options) { o.AccessKey = "nobody" }, "credentialsSecretRef"},
		"nobody":         {"without keys", func(o *S3Options) { o.AccessKey, o.SecretKey = "", "" }, "s3:ListBucket"},
		"no bucket":      {"a bucket that isn't there", func(o *S3Options) { o.Bucket = "missing-bucket" }, "source.s3.bucket"},
		"no server":      {"nobody listens", func(o *S3Options) { o.Endpoint = closed }, "connection refused"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := g.options(test.change)
			l, err := List(t.Context(), open(t, o), Filter{}, nil)
			var unreachable *UnreachableError
			if !errors.As(err, &unreachable) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), o.Bucket) {
				t.Errorf("%s: listed %d keys, error %v; want %q", test.reason, len(l.Keys), err, test.want)
			}
		})
	}
}

// TestS3Pages lists more than a page of objects, and loses the server in between.
func TestS3Pages(t *testing.T) {
	const n = 1050 // a page is 1000
	g := serve(t)
	g.fill(t, n)
	prefix := func(o *S3Options) { o.Prefix = "many/" }
	l := list(t, open(t, g.options(prefix)), Filter{})
	if len(l.Documents) != n || l.Documents[n-1].Key != fmt.Sprintf("%05d.pdf", n-1) || l.Bytes != n {
		t.Fatalf("listed %d of %d objects, %d bytes", len(l.Documents), n, l.Bytes)
	}
	reply := func(status int, body string) func(http.ResponseWriter, *http.Request, func()) {
		return func(w http.ResponseWriter, _ *http.Request, _ func()) {
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	tests := map[string]struct {
		reason string
		answer func(w http.ResponseWriter, r *http.Request, pass func())
	}{
		"cut off":            {"the connection ends", func(w http.ResponseWriter, _ *http.Request, _ func()) { hangUp(w) }},
		"half a page":        {"the answer ends early", halved},
		"server gone":        {"the server ends", func(w http.ResponseWriter, _ *http.Request, _ func()) { g.Stop(); hangUp(w) }},
		"forbidden":          {"permission is withdrawn on the way", reply(http.StatusForbidden, `<Error><Code>AccessDenied</Code></Error>`)},
		"an internal error":  {"the server fails", reply(http.StatusInternalServerError, "")},
		"an error as 200":    {"some servers send errors with a status of success", reply(http.StatusOK, `<?xml version="1.0"?><Error><Code>InternalError</Code></Error>`)},
		"a page of a proxy":  {"what is no listing decodes as an empty one", reply(http.StatusOK, `<html><head><title>Sign in</title></head><body></body></html>`)},
		"nothing as 200":     {"an empty answer is not an empty bucket", reply(http.StatusOK, "")},
		"a listing of no S3": {"nor is a root that only begins alike", reply(http.StatusOK, `<ListBucketResul></ListBucketResul>`)},
	}
	for name, test := range tests {
		if name == "server gone" {
			continue // the last one: nothing answers after it
		}
		t.Run(name, func(t *testing.T) { testLost(t, g, test.reason, test.answer) })
	}
	t.Run("server gone", func(t *testing.T) { testLost(t, g, tests["server gone"].reason, tests["server gone"].answer) })
}

// testLost lists through a proxy that answers the first page and, from then on, as
// told.
func testLost(t *testing.T, g *gateway, reason string, answer func(http.ResponseWriter, *http.Request, func())) {
	t.Helper()
	target := g.URL()
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }}
	var pages atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pass := func() { forward.ServeHTTP(w, r) }
		if r.URL.Query().Get("list-type") == "2" && pages.Add(1) > 1 {
			answer(w, r, pass)
			return
		}
		pass()
	}))
	defer proxy.Close()
	s := open(t, g.options(func(o *S3Options) { o.Endpoint, o.Prefix = proxy.URL, "many/" }))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	l, err := List(ctx, s, Filter{}, nil)
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || len(l.Keys) > 0 {
		t.Errorf("%s: listed %d keys, error %v", reason, len(l.Keys), err)
	}
	if pages.Load() < 2 {
		t.Fatalf("the listing took %d pages: the case needs two", pages.Load())
	}
}

func hangUp(w http.ResponseWriter) {
	if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = c.Close()
	}
}

// halved answers with the first half of a page.
func halved(w http.ResponseWriter, _ *http.Request, _ func()) {
	_, _ = io.WriteString(w, `<?xml version="1.0"?><ListBucketResult><Name>hr-docs</Name><IsTruncated>false</IsTruncated><Contents><Key>many/01000.pdf</Key>`)
}

// TestS3CancelledListing: a listing that was given up is no short one.
func TestS3CancelledListing(t *testing.T) {
	g := serve(t)
	g.put(t, "a.pdf", "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l, err := List(ctx, open(t, g.options()), Filter{}, nil)
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) {
		t.Errorf("listed %v, %v", l.Keys, err)
	}
}

// TestS3RefusedObject holds that one object which may not be read is told from a
// bucket that can't be reached.
func TestS3RefusedObject(t *testing.T) {
	g := serve(t)
	g.put(t, "a.pdf", "a")
	o := list(t, open(t, g.options()), Filter{}).Documents[0]
	var refused interface{ Refused() bool }
	_, err := Read(t.Context(), open(t, g.options(func(o *S3Options) { o.AccessKey, o.SecretKey = "", "" })), o)
	if !errors.As(err, &refused) || !refused.Refused() || !strings.Contains(err.Error(), `"a.pdf"`) {
		t.Errorf("an object that nobody may read: %v", err)
	}
	for name, o2 := range map[string]S3Options{
		"wrong keys": g.options(func(o *S3Options) { o.SecretKey = "other" }),
		"no server":  g.options(func(o *S3Options) { o.Endpoint = nobody(t) }),
	} {
		if _, err := Read(t.Context(), open(t, o2), o); err == nil || errors.As(err, &refused) || errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v is the object's own fault", name, err)
		}
	}
}
