package remote

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	key        = "sk-test-4f1b9c77"
	dimensions = 8
)

// asking is a request as it came over the wire.
type asking struct {
	Path          string
	Authorization string
	Model         string   `json:"model"`
	Input         []string `json:"input"`
	InputType     string   `json:"input_type"`
	Dimensions    int      `json:"dimensions"`
	Output        int      `json:"output_dimension"`
	Encoding      string   `json:"encoding_format"`
}

// server is an embeddings server on the loopback: it speaks the wire format and
// embeds by hash. play, where set, may answer a request itself.
type server struct {
	*httptest.Server
	base64 bool
	play   func(n int, a asking, w http.ResponseWriter) (played bool) // n counts from 1

	mu    sync.Mutex
	asked []asking
}

func serve(t *testing.T) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := asking{Path: r.Method + " " + r.URL.Path, Authorization: r.Header.Get("Authorization")}
	if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, a)
	n := len(s.asked)
	s.mu.Unlock()
	if s.play == nil || !s.play(n, a, w) {
		s.answer(w, a)
	}
}

// requests are those so far.
func (s *server) requests() []asking {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asking{}, s.asked...)
}

// answer embeds, in an order of its own, with vectors of length 3.
func (s *server) answer(w http.ResponseWriter, a asking) {
	size := max(a.Dimensions, a.Output)
	if size == 0 {
		size = dimensions
	}
	data, tokens := []map[string]any{}, 0
	for _, i := range rand.Perm(len(a.Input)) {
		var v any = hashed(a.InputType+a.Input[i], size)
		if s.base64 {
			v = packed(v.([]float32))
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": v})
		tokens += len(strings.Fields(a.Input[i]))
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": a.Model, "data": data, "usage": map[string]any{"prompt_tokens": tokens, "total_tokens": tokens}})
}

func packed(v []float32) string {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// hashed is the vector that the server gives a text, of length 3.
func hashed(text string, size int) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	rng := rand.New(rand.NewPCG(h.Sum64(), 7))
	v, squares := make([]float32, size), 0.0
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		squares += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] *= float32(3 / math.Sqrt(squares))
	}
	return v
}

// near reports whether got is the text's vector, scaled to length 1.
func near(got []float32, text string) bool {
	want := hashed(text, len(got))
	for i := range got {
		if math.Abs(float64(got[i]-want[i]/3)) > 1e-6 {
			return false
		}
	}
	return len(got) > 0
}

func refuse(w http.ResponseWriter, status int, message string) bool {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "code": nil}})
	return true
}

// write answers with a body as it stands.
func write(w http.ResponseWriter, body string) bool {
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprint(w, body)
	return true
}

// client is one of the server that doesn't sleep: waits records how long it would have.
func (s *server) client(t *testing.T, change func(*Options)) (c *Client, waits *[]time.Duration) {
	t.Helper()
	o := Options{BaseURL: s.URL + "/v1/", Model: "minnow", Dimensions: dimensions, APIKey: key}
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	waits = &[]time.Duration{}
	var mu sync.Mutex
	c.wait = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		*waits = append(*waits, d)
		return ctx.Err()
	}
	return c, waits
}

func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("clause %d of the carrier agreement", i)
	}
	return out
}
