package rerank_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/rerank"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

var sharedPairs = sync.OnceValues(func() (*embed.Pairs, error) {
	return embed.OpenPairs(embed.Options{Dir: settings.ModelDir(os.Getenv), Model: "testdata/cross.onnx"})
})

func pairs(tb testing.TB) *embed.Pairs {
	tb.Helper()
	p, err := sharedPairs()
	if err != nil {
		tb.Fatalf("%v: run make setup", err)
	}
	return p
}

// pair is a line of testdata/pairs.jsonl.gz, which testdata/cross.py wrote.
type pair struct {
	Question, Passage string
	Tokens            int
	Logit             float64
}

func references(tb testing.TB) map[string][]pair {
	tb.Helper()
	f, err := os.Open("testdata/pairs.jsonl.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	out := map[string][]pair{}
	for lines := json.NewDecoder(bufio.NewReader(z)); lines.More(); {
		var p pair
		if err := lines.Decode(&p); err != nil {
			tb.Fatal(err)
		}
		out[p.Question] = append(out[p.Question], p)
	}
	return out
}

func TestCrossEncoderParity(t *testing.T) {
	c, worst, n := rerank.NewCrossEncoder(pairs(t)), 0.0, 0
	for question, refs := range references(t) {
		var texts []string
		for _, r := range refs {
			texts = append(texts, r.Passage)
		}
		scores, err := c.Score(t.Context(), question, texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range refs {
			n++
			want := 1 / (1 + math.Exp(-r.Logit))
			d := math.Abs(scores[i] - want)
			worst = max(worst, d)
			if d > 1e-5 {
				t.Errorf("%q, %.40q: %.7f, want %.7f", question, r.Passage, scores[i], want)
			}
		}
	}
	t.Logf("worst of %d pairs: %.2g", n, worst)
	if n < 60 {
		t.Errorf("only %d pairs", n)
	}
}

// A passage over the window is scored in windows: what stands at its end counts
// as much as what stands at its beginning, where truncation would lose it.
func TestCrossEncoderWindows(t *testing.T) {
	c := rerank.NewCrossEncoder(pairs(t))
	const question = "What does a wait of 3 h 15 min cost?"
	filler := strings.TrimSpace(strings.Repeat("Fuel is invoiced at cost and paid within thirty days. ", 12))
	var units []rag.Unit
	for range 6 {
		units = append(units, rag.Unit{Kind: rag.Sentence, Text: filler})
	}
	units = append(units, rag.Unit{Kind: rag.Sentence, Text: "Detention is billed at $65 per hour after two free hours."})
	long := rag.Chunk{Units: units}
	if c.Fits(question, long.Search()) {
		t.Fatal("the passage fits: nothing is tested")
	}
	o := options()
	o.Timeout = time.Minute
	var shown []string
	out, err := stage(t, o, watched{c, &shown}).Apply(t.Context(), rag.Retrieved{Question: rag.Question{Text: question}, Hits: ranked(rag.Hit{Chunk: long})})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(shown); n < 2 || !strings.Contains(shown[n-1], "Detention is billed at $65") {
		t.Fatalf("%d windows, the last of them %q", n, shown[n-1])
	}
	var want float64
	for _, w := range shown {
		s, err := c.Score(t.Context(), question, []string{w})
		if err != nil {
			t.Fatal(err)
		}
		want = max(want, s[0])
	}
	if got := *out.Hits[0].Scores.Relevance; math.Abs(got-want) > 1e-5 {
		t.Errorf("relevance %.6f, want the best window's, %.6f", got, want)
	}
	if _, err := c.Score(t.Context(), question, []string{long.Search()}); err == nil || !strings.Contains(err.Error(), "window is 512") {
		t.Errorf("a pair over the window: %v, want a refusal", err)
	}
}

// watched notes what the scorer is shown.
type watched struct {
	rerank.Scorer
	shown *[]string
}

func (w watched) Score(ctx context.Context, question string, passages []string) ([]float64, error) {
	*w.shown = append(*w.shown, passages...)
	return w.Scorer.Score(ctx, question, passages)
}
