package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// passage is a row or sentence of the prompt with its handle.
var passage = regexp.MustCompile(`(?m)^(\d+\.\d+): (.*)$`)

// talker is a model behind OpenAI's chat API, as its wire has it: it quotes the first passage that
// speaks of the headcount, and knows nothing without passages.
type talker struct {
	asked atomic.Int64
	mute  atomic.Bool // in the control without documents
}

func (m *talker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.asked.Add(1)
	body, err := io.ReadAll(r.Body)
	var sent struct{ Messages []struct{ Content string } }
	if err != nil || json.Unmarshal(body, &sent) != nil || len(sent.Messages) != 2 {
		http.Error(w, "what is this?", http.StatusBadRequest)
		return
	}
	units := passage.FindAllStringSubmatch(sent.Messages[1].Content, -1)
	if len(units) == 0 && m.mute.Load() {
		http.Error(w, `{"error": {"message": "out of order"}}`, http.StatusInternalServerError)
		return
	}
	text := "There are 40 employees.\nSTATUS: ANSWERED"
	if len(units) > 0 {
		text = units[0][2] + " [" + units[0][1] + "]\nSTATUS: ANSWERED"
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, chunk := range []any{
		map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": text}}}},
		map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}},
		map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": len(body), "completion_tokens": 20}},
	} {
		data, err := json.Marshal(chunk)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// TestModel evaluates answers that a model writes: within its budget, over it, and
// with a mode in which the model is out of order.
func TestModel(t *testing.T) {
	model := &talker{}
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	s := newSample(t)
	s.edit("corpus.yaml", "generation: {provider: Extractive}", fmt.Sprintf(
		`generation: {openai: {baseURL: "%s/v1", model: local, maxTokens: 512}, prices: [{model: local, inputPerMillion: "2", outputPerMillion: "10"}]}`, server.URL))
	t.Run("costs", func(t *testing.T) {
		got := hardgate(t, "eval", "-f", s.dir, "-o", "json")
		conforms(t, "eval", got.out)
		for _, m := range setOf(t, got).Modes {
			if m.CostUSD <= 0 || m.Tokens.Input == 0 || m.Tokens.Output != 4*20 && m.Mode == "None" || m.Trivial {
				t.Errorf("%+v: want what it cost, and a control that a model makes no trivial one", m)
			}
			if m.Mode == "None" && m.ConfidentlyWrong != 4 {
				t.Errorf("%d confidently wrong without documents, want all 4", m.ConfidentlyWrong)
			}
		}
	})
	t.Run("a mode that failed", func(t *testing.T) {
		model.mute.Store(true)
		defer model.mute.Store(false)
		got := hardgate(t, "eval", "-f", s.dir, "-o", "json")
		conforms(t, "eval", got.out)
		set := setOf(t, got)
		if got.code != 1 || len(set.Modes) != 1 || len(set.Omitted) != 1 || set.Omitted[0].Mode != "None" || !strings.Contains(set.Omitted[0].Error, "500 Internal Server Error: out of order") {
			t.Errorf("exit %d, %+v: want None left out with its error", got.code, set)
		}
	})
	t.Run("query", func(t *testing.T) {
		got := hardgate(t, "query", "-f", s.dir, "-o", "json", "--as", "groups=hr,asOf=2025-05-05", headcount)
		if got.code != 0 || !strings.Contains(got.out, `"temperature": 0`) {
			t.Errorf("exit %d: %s", got.code, got.err)
		}
		conforms(t, "query", got.out)
	})
	t.Run("over budget", func(t *testing.T) {
		s.edit("corpus.yaml", "spec:\n", "spec:\n  budget: {usdPerDay: \"0.10\"}\n")
		before := model.asked.Load()
		got := hardgate(t, "eval", "-f", s.dir, "--modes", "None,Lexical")
		if got.code != 2 || model.asked.Load() != before {
			t.Errorf("exit %d, asked %d times: a run that may cost too much isn't begun", got.code, model.asked.Load()-before)
		}
		for _, want := range []string{"12 calls, planned at $0.0", "$0.1000 a day", "$0.1000 are left", "spec.budget.usdPerDay"} {
			if !strings.Contains(got.err, want) {
				t.Errorf("%q isn't in %s", want, got.err)
			}
		}
	})
}

// TestNobodyIsPaidForNothing: what can't be asked is said before documents are read.
func TestNobodyIsPaidForNothing(t *testing.T) {
	asked := atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "no", http.StatusTeapot)
	}))
	t.Cleanup(server.Close)
	s := newSample(t)
	s.edit("corpus.yaml", "embedding: {model: all-MiniLM-L6-v2}", fmt.Sprintf(`embedding: {openai: {baseURL: "%s/v1", model: m, dimensions: 384}}
    reranking: {onnx: {url: "file:///nowhere/cross.onnx", sha256: "%s"}}`, server.URL, strings.Repeat("0", 64)))
	got := hardgate(t, "query", "-f", s.dir, "--as", "groups=hr", headcount)
	if got.code != 2 || !strings.Contains(got.err, "spec.pipeline.reranking.onnx") || asked.Load() > 0 {
		t.Errorf("exit %d, embedded %d times: %s", got.code, asked.Load(), got.err)
	}
}

// judged is what is read here of a scorecard.
type judged struct {
	Modes []struct {
		Mode             string
		Trivial          bool
		CostUSD          float64
		ConfidentlyWrong int
		Tokens           struct{ Input, Output int }
	}
	Omitted []struct{ Mode, Error string }
}

func setOf(t *testing.T, got result) judged {
	t.Helper()
	var card struct{ Sets []judged }
	if err := json.Unmarshal([]byte(got.out), &card); err != nil || len(card.Sets) != 1 {
		t.Fatalf("%v: %s%s", err, got.err, got.out)
	}
	return card.Sets[0]
}
