package assembly

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// TestGoldenQuestionsAreKept: with a data directory a restart asks the server only
// for what it has not embedded of golden sets, and what tenants ask is not kept.
func TestGoldenQuestionsAreKept(t *testing.T) {
	var sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Input) != 1 {
			http.Error(w, "one text is awaited", http.StatusBadRequest)
			return
		}
		sent.Add(1)
		json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"index": 0, "embedding": []float64{1, 2}}}, "usage": map[string]any{"total_tokens": 5}})
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	e := settings.Embedding{OpenAI: &settings.RemoteEmbedding{BaseURL: server.URL + "/v1", Model: "m", Dimensions: 2, Window: 2048}}
	steps := []struct {
		reason, text string
		golden       bool
		sends        int64
	}{
		{"it is new", "How long is the leave?", true, 1},
		{"it is kept beside its text", "How long is the leave?", true, 0},
		{"an edited question is another one", "How long is the sick leave?", true, 1},
		{"what a tenant asks is the tenant's", "Am I to be dismissed?", false, 1},
		{"and is not kept", "Am I to be dismissed?", false, 1},
	}
	for _, s := range steps {
		r := engine(t, "") // a process that remembers nothing
		r.opt.DataDir = dir
		before := sent.Load()
		q, err := r.encodesQuestions(e, Terms{Golden: s.golden, EmbeddingKey: "k"})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from memory
			if _, err := q.Embed(t.Context(), []string{s.text}); err != nil {
				t.Fatal(err)
			}
		}
		if n := sent.Load() - before; n != s.sends {
			t.Errorf("%s: %q was embedded %d times, want %d", s.reason, s.text, n, s.sends)
		}
		got := r.Embeddings()
		if len(got) != 1 || got[0].Model != "m" || got[0].Texts != s.sends || got[0].Tokens != 5*s.sends || got[0].Questions.Hits != 2-s.sends {
			t.Errorf("%s: counted %+v", s.reason, got)
		}
	}
}

// TestRotatedKeysEnd: the encoder of an old key stays as long as somebody asks by it
// and no longer, and what it was asked stays counted.
func TestRotatedKeysEnd(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"index": 0, "embedding": []float64{1, 2}}}, "usage": map[string]any{"total_tokens": 5}})
	}))
	t.Cleanup(server.Close)
	e := settings.Embedding{OpenAI: &settings.RemoteEmbedding{BaseURL: server.URL + "/v1", Model: "m", Dimensions: 2, Window: 2048}}
	r := engine(t, "")
	ask := func(key, text string) encoder {
		t.Helper()
		q, err := r.encodesQuestions(e, Terms{EmbeddingKey: key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := q.Embed(t.Context(), []string{text}); err != nil {
			t.Fatal(err)
		}
		return q
	}
	open := func(want int) {
		t.Helper()
		n := 0
		for range 200 {
			goruntime.GC()
			r.mu.Lock()
			n = len(r.servers)
			r.mu.Unlock()
			if n == want {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("%d encoders are open, want %d", n, want)
	}
	held := ask("first", "How long is the leave?")
	ask("second", "How long is the leave?")
	last := ask("third", "How long is the leave?")
	open(2)
	again := ask("first", "How long is the leave?")
	goruntime.KeepAlive(held)
	if got := r.Embeddings(); len(got) != 1 || got[0].Texts != 3 || got[0].Tokens != 15 || got[0].Questions.Hits != 1 {
		t.Errorf("counted %+v", got)
	}
	goruntime.KeepAlive(again)
	open(1)
	if got := r.Embeddings(); len(got) != 1 || got[0].Texts != 3 || got[0].Questions.Hits != 1 {
		t.Errorf("afterwards it is counted %+v", got)
	}
	goruntime.KeepAlive(last)
}
