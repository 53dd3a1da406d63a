package evaluate

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// TestFiltersReadBack: a filter around prefetches is none of the prefetches' own.
func TestFiltersReadBack(t *testing.T) {
	p, err := NewPredicate(rules())
	if err != nil {
		t.Fatal(err)
	}
	q := rag.Question{Text: "anything", AsOf: time.Now()}
	var must []any
	for _, f := range p.fields(q) {
		must = append(must, map[string]any{"field": map[string]any{"key": f}})
	}
	data, err := json.Marshal(map[string]any{"must": must})
	if err != nil {
		t.Fatal(err)
	}
	whole := string(data)
	cases := map[string]struct {
		reason  string
		channel rag.Channel
		ok      bool
	}{
		"Plain":              {"every field is named", rag.Channel{Name: "dense", Filter: whole}, true},
		"Prefetched":         {"inside and around", rag.Channel{Name: "fused", Filter: whole, Prefetch: []string{whole, whole}}, true},
		"OutsideOnly":        {"what a prefetch ranks is decided inside it", rag.Channel{Name: "fused", Filter: whole, Prefetch: []string{whole, "{}"}}, false},
		"InsideOnly":         {"the last word is the outer query's", rag.Channel{Name: "fused", Filter: "{}", Prefetch: []string{whole, whole}}, false},
		"UnreadablePrefetch": {"what cannot be read names nothing", rag.Channel{Name: "fused", Filter: whole, Prefetch: []string{""}}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			j := &judge{runner: &runner{predicate: p}, card: &QuestionCard{}}
			if ok := j.filters("", q, rag.Retrieved{Channels: []rag.Channel{c.channel}}); ok != c.ok || (len(j.card.Failures) == 0) != c.ok {
				t.Errorf("%s: %v, %+v", c.reason, ok, j.card.Failures)
			}
		})
	}
}

// TestPool: the channel that ranks everything gives as many candidates as there are.
func TestPool(t *testing.T) {
	cases := map[string]struct {
		reason                string
		channel               string
		eligible, size, found int
		ok                    bool
	}{
		"Full":    {"the pool is full", "dense", 50, 20, 20, true},
		"Small":   {"all that is eligible", "dense", 7, 20, 7, true},
		"Short":   {"eligible candidates lost their places", "dense", 50, 20, 19, false},
		"Lexical": {"passages without a word of the question are in no lexical list", "lexical", 50, 20, 3, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Settings: settings.Corpus{}}
			cfg.Settings.Pipeline.Retrieval.Candidates = c.size
			j := &judge{runner: &runner{cfg: cfg}, card: &QuestionCard{}}
			j.pool(rag.Retrieved{Eligible: c.eligible, Channels: []rag.Channel{{Name: c.channel, Candidates: make([]rag.Candidate, c.found)}}})
			if ok := len(j.card.Failures) == 0; ok != c.ok {
				t.Errorf("%s: %+v", c.reason, j.card.Failures)
			}
		})
	}
}
