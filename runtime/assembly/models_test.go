package assembly

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// chat is a server that speaks OpenAI's chat API: it quotes the canteen's first
// sentence by its handle, or fails.
type chat struct {
	calls  atomic.Int64
	broken atomic.Bool
	keys   atomic.Value // of the last request
}

func (c *chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.calls.Add(1)
	c.keys.Store(r.Header.Get("Authorization"))
	if c.broken.Load() {
		http.Error(w, `{"error":{"message":"no GPU"}}`, http.StatusInternalServerError)
		return
	}
	var in struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var all strings.Builder
	for _, m := range in.Messages {
		all.WriteString(m.Content)
	}
	text := "I know of no canteen.\nSTATUS: NEEDS_HUMAN"
	if m := regexp.MustCompile(`(?m)^(\d+\.\d+): .*noon`).FindStringSubmatch(all.String()); m != nil {
		text = fmt.Sprintf("It opens at noon [%s].\nSTATUS: ANSWERED", m[1])
	} else if !strings.Contains(all.String(), "canteen opens") && !strings.Contains(all.String(), "1.1:") {
		text = "Usually at eleven.\nSTATUS: ANSWERED" // general knowledge
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(v any) {
		data, _ := json.Marshal(v)
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	base := map[string]any{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "local-8b"}
	with := func(more map[string]any) map[string]any {
		out := map[string]any{}
		for _, m := range []map[string]any{base, more} {
			for k, v := range m {
				out[k] = v
			}
		}
		return out
	}
	event(with(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"role": "assistant", "content": text}}}}))
	event(with(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}}))
	event(with(map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": 4000, "completion_tokens": 20, "total_tokens": 4020}}))
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// TestModel answers by a model behind a server, over its whole life: priced,
// keyed, within a budget, and gone.
func TestModel(t *testing.T) {
	server := &chat{}
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	l := newLibrary(t, engine(t, t.TempDir()))
	l.ingest(1)
	l.settings.Pipeline.Generation = settings.Generation{
		OpenAI: &settings.OpenAI{BaseURL: s.URL + "/v1", Model: "local", MaxTokens: 512, Timeout: settings.Duration(60e9)},
		Prices: []settings.Price{{Model: "local", InputPerMillion: 2, OutputPerMillion: 10}},
	}
	ask := func(terms Terms, q rag.Question) (rag.Answer, error) {
		t.Helper()
		a, err := l.runtime.Asker(l.place, 1, l.settings, terms)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := a.Ask(t.Context(), q)
		return out, err
	}
	question := by("When does the canteen open?", "staff")
	terms := Terms{GenerationKey: "sk-1", USDPerDay: 0.05}

	t.Run("answers", func(t *testing.T) {
		out, err := ask(terms, question)
		if err != nil || out.Status != rag.Answered || out.Text != "It opens at noon." {
			t.Fatalf("%s %q, flags %v, %v", out.Status, out.Text, out.Flags, err)
		}
		if len(out.Citations) != 1 || out.Citations[0].Document != "canteen" {
			t.Errorf("citations %+v", out.Citations)
		}
		if want := (4000*2 + 20*10) / 1e6; math.Abs(out.Usage.CostUSD-want) > 1e-9 {
			t.Errorf("it cost $%v, want $%v", out.Usage.CostUSD, want)
		}
		if got := server.keys.Load(); got != "Bearer sk-1" {
			t.Errorf("the key sent is %q", got)
		}
	})
	t.Run("outlay", func(t *testing.T) {
		a, err := l.runtime.Asker(l.place, 1, l.settings, terms)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Outlay()
		c := l.settings.Pipeline.Compression
		least := (float64(c.MaxContextChars)/2*2 + 512*10) / 1e6 // two letters a token
		if err != nil || got.PerDay != 0.05 || math.Abs(got.Left-(0.05-0.0082)) > 1e-9 || got.PerCall < least || got.PerCall > 2*least {
			t.Errorf("%+v, %v: a call is planned at $%v and more, and $0.0082 of $0.05 are spent", got, err, least)
		}
	})
	t.Run("control", func(t *testing.T) {
		q := question
		q.Mode = rag.None
		out, err := ask(terms, q)
		if err != nil || out.Status != rag.NeedsHuman || out.Text != "Usually at eleven." {
			t.Errorf("%s %q, %v: without documents nothing is cited, so a person must see it", out.Status, out.Text, err)
		}
	})
	t.Run("gone", func(t *testing.T) {
		server.broken.Store(true)
		defer server.broken.Store(false)
		out, err := ask(terms, question)
		var failed *GeneratorError
		if !errors.As(err, &failed) || failed.Failed.Cause != model.ServerError {
			t.Errorf("error %v, want the server's", err)
		}
		if out.Status != rag.NeedsHuman || out.Text == "" || !slices.ContainsFunc(out.Flags, func(f rag.Flag) bool { return f.Reason == model.GeneratorFailed && f.Stage == "generate" }) {
			t.Errorf("%s %q, flags %v: who asks gets a holding reply that says why", out.Status, out.Text, out.Flags)
		}
	})
	t.Run("over budget", func(t *testing.T) {
		before := server.calls.Load()
		out, err := ask(Terms{GenerationKey: "sk-1", USDPerDay: 0.01}, question)
		if err != nil || out.Status != rag.NeedsHuman || !slices.ContainsFunc(out.Flags, func(f rag.Flag) bool { return f.Reason == model.BudgetExceeded }) {
			t.Errorf("%s, flags %v, %v", out.Status, out.Flags, err)
		}
		if n := server.calls.Load() - before; n != 0 {
			t.Errorf("the model was asked %d times over its budget", n)
		}
	})
}

// TestModelIsRefused names the field, before anything is asked.
func TestModelIsRefused(t *testing.T) {
	l := newLibrary(t, engine(t, ""))
	l.ingest(1)
	cases := map[string]struct {
		reason     string
		generation settings.Generation
		says       string
	}{
		"no price": {"what a model without a price spends is not known",
			settings.Generation{OpenAI: &settings.OpenAI{BaseURL: "http://127.0.0.1:1/v1", Model: "local"}}, "spec.pipeline.generation.prices"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := l.settings
			s.Pipeline.Generation = c.generation
			_, err := l.runtime.Asker(l.place, 1, s, Terms{USDPerDay: 1})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v does not name %s", c.reason, err, c.says)
			}
		})
	}
	t.Run("a file of the manager's machine", func(t *testing.T) {
		s := l.settings
		s.Pipeline.Reranking = settings.Reranking{ONNX: &settings.ONNX{URL: "file:///etc/passwd", SHA256: strings.Repeat("ab", 32)}, Depth: 20, TopK: 3, Timeout: settings.Duration(1e9), OnFailure: "Degrade"}
		_, err := l.runtime.Asker(l.place, 1, s, Terms{})
		if err == nil || !strings.Contains(err.Error(), "spec.pipeline.reranking.onnx.url") {
			t.Errorf("error %v", err)
		}
	})
}
