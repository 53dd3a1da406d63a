package controllers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/minio/minio-go/v7"

	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

const keyPrefix = "papers/"

// gateway is the S3 server of the package, started by the first test that needs it
// and ended with the package.
type gateway struct {
	once   sync.Once
	err    error
	dir    string
	server *s3test.Server
}

var storage gateway

// start starts the server once.
func (g *gateway) start(t *testing.T) *s3test.Server {
	t.Helper()
	g.once.Do(func() {
		if g.dir, g.err = os.MkdirTemp("", "versitygw-"); g.err == nil { //nolint:usetesting // it outlives the test that needs it first
			g.server, g.err = s3test.Start(context.WithoutCancel(t.Context()), os.Getenv("VERSITYGW"), g.dir)
		}
	})
	if g.err != nil {
		t.Fatal(g.err)
	}
	return g.server
}

// stop ends the server, if one was started.
func (g *gateway) stop() {
	if g.server != nil {
		g.server.Stop()
	}
	_ = os.RemoveAll(g.dir)
}

// bucket is a bucket of the server, reached through a network that a test can cut
// or slow down, and that counts what passes.
type bucket struct {
	*testing.T
	name   string
	client *minio.Client // straight to the server
	wire   *httptest.Server

	mu       sync.Mutex
	cut      bool
	listings int
	fetches  map[string]int           // by key below the prefix
	held     map[string]chan struct{} // fetches of these keys wait
	onList   func()
}

// newBucket makes an empty bucket.
func newBucket(t *testing.T, name string) *bucket {
	t.Helper()
	server := storage.start(t)
	b := &bucket{T: t, name: name, client: server.Client, fetches: map[string]int{}, held: map[string]chan struct{}{}}
	if err := b.client.MakeBucket(t.Context(), name, minio.MakeBucketOptions{}); err != nil {
		t.Fatalf("make bucket: %v", err)
	}
	through := &httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(server.URL())
		r.Out.Host = r.In.Host // which is signed
	}}
	b.wire = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.pass(r) {
			through.ServeHTTP(w, r)
			return
		}
		panic(http.ErrAbortHandler) // the connection breaks off
	}))
	t.Cleanup(b.wire.Close)
	return b
}

// pass counts a request and reports whether the network carries it.
func (b *bucket) pass(r *http.Request) bool {
	b.mu.Lock()
	var wait chan struct{}
	var see func()
	if r.URL.Query().Has("list-type") {
		b.listings++
		see = b.onList
	} else if key, is := strings.CutPrefix(r.URL.Path, "/"+b.name+"/"+keyPrefix); is && r.Method == http.MethodGet {
		b.fetches[key]++
		wait = b.held[key]
	}
	cut := b.cut
	b.mu.Unlock()
	if see != nil {
		see()
	}
	if wait != nil {
		select {
		case <-wait:
		case <-r.Context().Done():
		}
	}
	return !cut
}

// Cut cuts the network, or mends it.
func (b *bucket) Cut(cut bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cut = cut
}

// Hold keeps whoever fetches a key waiting until the returned function is called.
func (b *bucket) Hold(key string) (release func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := make(chan struct{})
	b.held[key] = c
	var once sync.Once
	release = func() {
		once.Do(func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			delete(b.held, key)
			close(c)
		})
	}
	b.Cleanup(release)
	return release
}

// Listings is how often the bucket was listed.
func (b *bucket) Listings() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.listings
}

// Fetches is how often each key was fetched.
func (b *bucket) Fetches() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := map[string]int{}
	for k, n := range b.fetches {
		out[k] = n
	}
	return out
}

// Forget counts fetches from 0 on.
func (b *bucket) Forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fetches = map[string]int{}
}

// Put puts an object below the prefix.
func (b *bucket) Put(key string, data []byte) {
	b.Helper()
	if _, err := b.client.PutObject(b.Context(), b.name, keyPrefix+key, bytes.NewReader(data), int64(len(data)), minio.PutObjectOptions{}); err != nil {
		b.Fatalf("put %s: %v", key, err)
	}
}

// Remove removes an object below the prefix.
func (b *bucket) Remove(key string) {
	b.Helper()
	if err := b.client.RemoveObject(b.Context(), b.name, keyPrefix+key, minio.RemoveObjectOptions{}); err != nil {
		b.Fatalf("remove %s: %v", key, err)
	}
}

// Drop removes the bucket with all that is in it.
func (b *bucket) Drop(ctx context.Context) error {
	for o := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			return o.Err
		}
		if err := b.client.RemoveObject(ctx, b.name, o.Key, minio.RemoveObjectOptions{}); err != nil {
			return fmt.Errorf("remove %s: %w", o.Key, err)
		}
	}
	return b.client.RemoveBucket(ctx, b.name)
}
