package durability

import (
	"bytes"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

const patience = 90 * time.Second

// bucket is a bucket behind a wire that counts what is fetched, and takes its time.
type bucket struct {
	name   string
	client *minio.Client
	wire   *httptest.Server
	pause  time.Duration // before each object is given

	mu      sync.Mutex
	fetches map[string]int
	seen    chan struct{} // told of each fetch, if somebody listens
}

func newBucket(t *testing.T, name string, pause time.Duration) *bucket {
	t.Helper()
	server, c := shared.s3.URL(), shared.s3.Client
	if err := c.MakeBucket(t.Context(), name, minio.MakeBucketOptions{}); err != nil {
		t.Fatalf("make bucket: %v", err)
	}
	b := &bucket{name: name, client: c, pause: pause, fetches: map[string]int{}, seen: make(chan struct{}, 1)}
	through := &httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(server)
		r.Out.Host = r.In.Host // which is signed
	}}
	b.wire = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.count(r)
		through.ServeHTTP(w, r)
	}))
	b.wire.Config.ErrorLog = log.New(io.Discard, "", 0) // whoever asked was killed
	t.Cleanup(b.wire.Close)
	return b
}

func (b *bucket) count(r *http.Request) {
	key, is := strings.CutPrefix(r.URL.Path, "/"+b.name+"/")
	b.mu.Lock()
	switch {
	case is && !r.URL.Query().Has("list-type") && r.Method == http.MethodGet && key != "":
		b.fetches[key]++
	default:
		is = false
	}
	b.mu.Unlock()
	if is && key != "" {
		select {
		case b.seen <- struct{}{}:
		default:
		}
		time.Sleep(b.pause)
	}
}

// forget returns the fetches so far and counts from 0 on.
func (b *bucket) forget() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	was := b.fetches
	b.fetches = map[string]int{}
	select {
	case <-b.seen: // of whoever was killed
	default:
	}
	return was
}

func (b *bucket) put(t *testing.T, key string, data []byte) {
	t.Helper()
	if _, err := b.client.PutObject(t.Context(), b.name, key, bytes.NewReader(data), int64(len(data)), minio.PutObjectOptions{}); err != nil {
		t.Fatalf("put %s: %v", key, err)
	}
}

// process is the manager, in a process of its own.
type process struct {
	command *exec.Cmd
	log     string
	ended   chan struct{}
}

// start starts the manager on a data folder.
func start(t *testing.T, data string) *process {
	t.Helper()
	serve, err := s3test.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{log: filepath.Join(data, "..", "manager.log"), ended: make(chan struct{})}
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p.command = exec.Command(shared.program, "manager", "--kubeconfig", shared.kubeconfig, "--data-dir", data, "--model-dir", settings.ModelDir(os.Getenv),
		"--extract-cache-dir", settings.EngineDir(os.Getenv), "--serve-address", serve, "--metrics-address", "0", "--health-address", "0",
		"--endpoint", "http://"+serve, "--cluster-id", "durability", "--drift-interval", "1s")
	p.command.Stdout, p.command.Stderr = out, out
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.command.Wait() // killed, mostly
		close(p.ended)
	}()
	t.Cleanup(func() { p.kill(); <-p.ended })
	return p
}

// kill ends it as a power cut would.
func (p *process) kill() {
	if err := p.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		panic(err)
	}
	<-p.ended
}

// tail is the end of its log, for a failure.
func (p *process) tail() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-3000):])
}
