package controllers

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// providers is a server of embeddings and of a model, as OpenAI's API has them. A
// text's vector is made of its words; the model quotes the passage that shares
// most words with the question.
type providers struct {
	*httptest.Server

	mu        sync.Mutex
	key       string         // the only one that is let in
	embedding map[string]int // status by model of embeddings; 0 = it works
	chat      int            // status of the model's server
	short     bool           // vectors have half the length that was asked for
	asked     []string       // models of embeddings, in order
}

func newProviders(t *testing.T) *providers {
	t.Helper()
	p := &providers{key: "first", embedding: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/embeddings", p.embed)
	mux.HandleFunc("/v1/chat/completions", p.answer)
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func (p *providers) set(change func(p *providers)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// last is the model that embedded last.
func (p *providers) last() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.asked) == 0 {
		return ""
	}
	return p.asked[len(p.asked)-1]
}

// enter refuses with a status, and everybody with another key.
func (p *providers) enter(w http.ResponseWriter, r *http.Request, status int) bool {
	if r.Header.Get("Authorization") != "Bearer "+p.key {
		status = http.StatusUnauthorized
	}
	if status != 0 {
		http.Error(w, `{"error": {"message": "refused"}}`, status)
	}
	return status == 0
}

var word = regexp.MustCompile(`[a-z0-9]{4,}`)

func words(text string) []string { return word.FindAllString(strings.ToLower(text), -1) }

func (p *providers) embed(w http.ResponseWriter, r *http.Request) {
	var sent struct {
		Model      string
		Input      []string
		Dimensions int
	}
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.enter(w, r, p.embedding[sent.Model]) {
		return
	}
	p.asked = append(p.asked, sent.Model)
	size := sent.Dimensions
	if p.short {
		size /= 2
	}
	var data []any
	for i, text := range sent.Input {
		v := make([]float64, size)
		v[0] = 0.1
		for _, word := range words(text) {
			h := fnv.New32a()
			h.Write([]byte(sent.Model + word))
			v[h.Sum32()%uint32(size)]++
		}
		data = append(data, map[string]any{"index": i, "embedding": v})
	}
	json.NewEncoder(w).Encode(map[string]any{"data": data, "usage": map[string]any{"prompt_tokens": 7, "total_tokens": 7}})
}

var (
	unit   = regexp.MustCompile(`(?m)^(\d+\.\d+): (.*)$`)
	fenced = regexp.MustCompile(`(?s)<question-[0-9a-f]+>\n(.*)\n</question`)
)

func (p *providers) answer(w http.ResponseWriter, r *http.Request) {
	var sent struct{ Messages []struct{ Content string } }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || len(sent.Messages) != 2 {
		http.Error(w, "no conversation", http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.enter(w, r, p.chat) {
		return
	}
	user := sent.Messages[1].Content
	wanted := words(fenced.FindStringSubmatch(user)[1])
	best, most := "", -1
	for _, u := range unit.FindAllStringSubmatch(user, -1) {
		shared := 0
		for _, word := range words(u[2]) {
			if slices.Contains(wanted, word) {
				shared++
			}
		}
		if shared > most {
			best, most = u[2]+" ["+u[1]+"]", shared
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, chunk := range []any{
		map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": best + "\nSTATUS: ANSWERED"}}}},
		map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}},
		map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": 5000, "completion_tokens": 20}},
	} {
		data, err := json.Marshal(chunk)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// providedDesk is a desk that embeds and answers by the providers; its Secret
// isn't there yet.
func providedDesk(t *testing.T) (*desk, *providers, *corev1.Secret) {
	t.Helper()
	d, p := newDesk(t, everything()...), newProviders(t)
	ref := v1alpha1.KeyReference{Name: "providers", Key: "key"}
	d.collection.Spec.Vectors.Dense.Size = 64
	url := v1alpha1.APIURL(p.URL + "/v1")
	d.corpus.Spec.Pipeline.Embedding = v1alpha1.Embedding{OpenAI: &v1alpha1.RemoteEmbedding{BaseURL: url, Model: "old", Dimensions: 64, APIKeySecretRef: &ref}}
	d.corpus.Spec.Pipeline.Generation = v1alpha1.Generation{OpenAI: &v1alpha1.OpenAI{BaseURL: url, Model: "writer", APIKeySecretRef: &ref}}
	return d, p, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "providers"}, Data: map[string][]byte{"key": []byte("first")}}
}

// nudge asks for a visit now: no watch tells of a Secret.
func (d *desk) nudge() {
	d.Helper()
	d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, fmt.Sprint(time.Now().UnixNano()))
}

// soon nudges until something holds.
func (d *desk) soon(what string, holds func() error) {
	d.Helper()
	last := time.Time{}
	d.Eventually(what, func() error {
		if time.Since(last) > 2*time.Second {
			d.nudge()
			last = time.Now()
		}
		return holds()
	})
}

// ready nudges until a revision is Ready.
func (d *desk) ready(revision int64) {
	d.Helper()
	d.soon(fmt.Sprintf("revision %d is Ready", revision), func() error {
		d.refresh(d.corpus)
		if c := d.corpus; c.Status.Active != nil && c.Status.Active.Revision == revision && c.Status.Candidate == nil && meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ReadyCondition) {
			return nil
		}
		return fmt.Errorf("conditions %+v", d.corpus.Status.Conditions)
	})
}

// TestProviders takes a corpus through what may happen to the Secret and the
// servers that it depends on.
func TestProviders(t *testing.T) {
	d, p, secret := providedDesk(t)
	d.apply()
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.SecretNotFoundReason, "spec.pipeline.embedding.openai.apiKeySecretRef", `"providers"`)
	d.ExpectApplied(secret)
	d.ready(1)
	d.ExpectAnswer("30 days")

	p.set(func(p *providers) { p.key = "second" })
	if a, _ := d.ask(); a.Status != rag.NeedsHuman {
		t.Fatal("the old key is let in, so that the rest says nothing")
	}
	secret.Data["key"] = []byte("second")
	d.ExpectApplied(secret)
	d.soon("the rotated key is applied", func() error {
		if a, ok := d.ask(); !ok || a.Status != rag.Answered {
			return fmt.Errorf("%v: %s %v", ok, a.Status, a.Flags)
		}
		return nil
	})

	d.ExpectDeleted(secret)
	d.nudge()
	d.ExpectCondition(d.corpus, v1alpha1.ReconcilingCondition, yes, v1alpha1.SecretNotFoundReason, "spec.pipeline.embedding.openai.apiKeySecretRef")
	d.ExpectServing(1)
	d.ExpectAnswer("30 days")
	d.ExpectApplied(secret)
	d.ready(1)

	t.Run("the model's server is down", func(t *testing.T) {
		p.set(func(p *providers) { p.chat = http.StatusInternalServerError })
		d.changeSet(func(s *v1alpha1.GoldenSetSpec) {
			s.Questions = append(s.Questions, answered("remote", "On how many days a week may every employee work from home?", "remote", "two days"))
		})
		d.ExpectCondition(d.set, v1alpha1.ReconcilingCondition, yes, v1alpha1.EvaluationIncompleteReason, "ServerError", "500")
		d.ExpectServing(1)
		d.without(v1alpha1.StalledCondition)
		p.set(func(p *providers) { p.chat = 0 })
		d.ready(1)
	})
	t.Run("the embeddings server is down", func(t *testing.T) {
		p.set(func(p *providers) { p.embedding["old"] = http.StatusBadRequest })
		d.bucket.Put("parking.pdf", page("Parking", "Every employee may park in the yard."))
		d.nudge()
		d.ExpectCondition(d.corpus, v1alpha1.ReconcilingCondition, yes, v1alpha1.EmbeddingFailedReason, "parking.pdf", `"old"`, "400")
		d.ExpectServing(1)
		p.set(func(p *providers) { p.embedding["old"], p.short = 0, true })
		d.ExpectCondition(d.corpus, v1alpha1.ReconcilingCondition, yes, v1alpha1.EmbeddingFailedReason, "asked for 64 dimensions, got 32")
		p.set(func(p *providers) { p.short = false })
		d.ready(2)
	})
	t.Run("another model", func(t *testing.T) {
		old := d.corpus.Status.Active.Collection
		p.set(func(p *providers) { p.embedding["new"] = http.StatusNotFound })
		d.change(func(s *v1alpha1.CorpusSpec) { s.Pipeline.Embedding.OpenAI.Model = "new" })
		d.ExpectCondition(d.corpus, v1alpha1.ReconcilingCondition, yes, v1alpha1.EmbeddingFailedReason, `"new"`, "404")
		entry, _ := d.serving.Lookup(d.namespace, d.corpus.Name)
		a, _, err := entry.Asker.Ask(t.Context(), rag.Question{Text: "What does the company pay a day for meals on journeys?", AsOf: time.Now()})
		if err != nil || !strings.Contains(a.Text, "45 euros") || p.last() != "old" {
			t.Errorf("%q by %q, %v: the old revision answers by the old model", a.Text, p.last(), err)
		}
		p.set(func(p *providers) { p.embedding["new"] = 0 })
		d.ready(3)
		d.refresh(d.corpus)
		d.ExpectAnswer("30 days")
		if now := d.corpus.Status.Active.Collection; now == old || p.last() != "new" {
			t.Errorf("collection %q after %q, embedded by %q", now, old, p.last())
		}
	})
}

// TestBudgetBeforeEvaluation: nothing is asked that may not be paid, the spec's
// budget and prices apply at once, and to a revision of before as well.
func TestBudgetBeforeEvaluation(t *testing.T) {
	d, _, secret := providedDesk(t)
	cost := func(perDay v1alpha1.USD) func(s *v1alpha1.CorpusSpec) {
		return func(s *v1alpha1.CorpusSpec) {
			s.Budget = &v1alpha1.Budget{USDPerDay: perDay}
			s.Pipeline.Generation.Prices = []v1alpha1.Price{{Model: "writer", InputPerMillion: "2", OutputPerMillion: "10"}}
		}
	}
	cost("0.05")(&d.corpus.Spec)
	d.ExpectApplied(secret)
	d.apply()
	d.ExpectCondition(d.set, v1alpha1.ReconcilingCondition, yes, v1alpha1.EvaluationIncompleteReason, "2 calls, planned at $0.0", "$0.0500 a day", "spec.budget.usdPerDay")
	d.ExpectCondition(d.corpus, v1alpha1.VerifiedCondition, no, v1alpha1.VerifyingReason)
	d.change(cost("5"))
	d.ready(1)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Budget, s.Pipeline.Generation.Prices = nil, nil })
	d.ready(1)
	d.change(cost("0.000001"))
	d.soon("the budget is kept by the revision of before", func() error {
		if a, ok := d.ask(); !ok || !slices.ContainsFunc(a.Flags, func(f rag.Flag) bool { return f.Reason == "BudgetExceeded" }) {
			return fmt.Errorf("%v: %s %v", ok, a.Status, a.Flags)
		}
		return nil
	})
	d.ExpectServing(1)
}
