package rerank_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/rerank"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// served serves the cross-encoder and what may go wrong, and counts requests.
func served(t *testing.T) (*httptest.Server, *atomic.Int32, []byte) {
	t.Helper()
	data, err := os.ReadFile("testdata/cross.onnx")
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/model.onnx", func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write(data)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/model.onnx", http.StatusFound) })
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "272439")
		_, _ = w.Write(data[:1000])
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(data[:1000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s, &asked, data
}

func TestFetch(t *testing.T) {
	server, asked, data := served(t)
	dir := filepath.Join(t.TempDir(), "deep", "cache")
	var path string
	for range 2 {
		var err error
		if path, err = rerank.Fetch(t.Context(), server.URL+"/moved", strings.ToUpper(sum(data)), dir); err != nil {
			t.Fatal(err)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("%d downloads, want 1: the file is there", asked.Load())
	}
	if _, err := embed.OpenPairs(embed.Options{Dir: settings.ModelDir(os.Getenv), Model: path}); err != nil {
		t.Errorf("what was fetched can't be opened: %v", err)
	}
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 { // two corpora may start at once
		wg.Go(func() {
			p, err := rerank.Fetch(t.Context(), server.URL+"/model.onnx", sum(data), dir)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := os.ReadFile(p); err != nil || sum(got) != sum(data) {
				t.Errorf("a damaged file was not replaced: %d bytes, %v", len(got), err)
			}
		})
	}
	wg.Wait()
	abs, err := filepath.Abs("testdata/cross.onnx")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rerank.Fetch(t.Context(), "file://"+abs, sum(data), t.TempDir()); err != nil {
		t.Errorf("from a file: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".part*"))
	if err != nil || len(left) != 0 {
		t.Errorf("parts left behind: %v, %v", left, err)
	}
}

func TestFetchRefuses(t *testing.T) {
	server, _, data := served(t)
	other := sum([]byte("another"))
	cases := map[string]struct {
		reason, url, sum string
		want             []string
	}{
		"hash":      {"both hashes, to compare", server.URL + "/model.onnx", other, []string{sum(data), other}},
		"no hash":   {"without one, anything would be loaded", server.URL + "/model.onnx", "", []string{`sha256 is ""`}},
		"short":     {"not a sha256", server.URL + "/model.onnx", "abcd", []string{`sha256 is "abcd"`}},
		"missing":   {"an error page is no model", server.URL + "/nothing", other, []string{"404", "/nothing"}},
		"cut":       {"a transfer that breaks off", server.URL + "/cut", sum(data), []string{"unexpected EOF"}},
		"scheme":    {"what isn't supported is named", "ftp://host/model.onnx", other, []string{`"ftp"`}},
		"directory": {"no regular file", "file:///", other, []string{"no regular file"}},
		"device":    {"would never end", "file:///dev/zero", other, []string{"no regular file"}},
		"relative":  {"a file URL is absolute", "file://model.onnx", other, []string{"three slashes"}},
		"absent":    {"the file is named", "file:///nonexistent/m.onnx", other, []string{"/nonexistent/m.onnx"}},
		"password":  {"an error is shown to many", strings.Replace(server.URL, "://", "://user:secret@", 1) + "/nothing", other, []string{"404"}},
		"nobody":    {"nobody listens there", "http://127.0.0.1:1/model.onnx", other, []string{"refused"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, err := rerank.Fetch(t.Context(), c.url, c.sum, dir)
			if err == nil {
				t.Fatalf("%s: got %s", c.reason, path)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%s: error %q, want %q in it", c.reason, err, w)
				}
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the password is in %q", err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestFetchStops(t *testing.T) {
	server, _, data := served(t)
	gone := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(gone) })
	started := time.Now()
	if _, err := rerank.Fetch(ctx, server.URL+"/slow", sum(data), t.TempDir()); !errors.Is(err, gone) {
		t.Errorf("error %v, want the cause", err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}
