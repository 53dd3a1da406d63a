//go:build cgo

package embed_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/embed/wordpiece"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// crossEncoders holds the models and the logits that its cross.py wrote.
const crossEncoders = "../rerank/testdata"

func openPairs(t *testing.T, name string) (*embed.Pairs, error) {
	t.Helper()
	model(t) // so that what fails is not the library
	if !filepath.IsAbs(name) {
		name = filepath.Join(crossEncoders, name)
	}
	return embed.OpenPairs(embed.Options{Dir: settings.ModelDir(os.Getenv), Model: name})
}

func TestPairsParityWithReference(t *testing.T) {
	p, err := openPairs(t, "cross.onnx")
	if err != nil {
		t.Fatal(err)
	}
	tokenizer, err := wordpiece.Load(filepath.Join(settings.ModelDir(os.Getenv), "tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(crossEncoders, "pairs.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for lines := json.NewDecoder(bufio.NewReader(z)); lines.More(); {
		var r struct {
			Question, Passage string
			IDs               []int32
			Tokens, Second    int
			Logit             float64
		}
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		ids, second := tokenizer.Pair(r.Question, r.Passage)
		if !slices.Equal(ids, r.IDs) || second != r.Second || p.Count(r.Question, r.Passage) != r.Tokens {
			t.Errorf("%q, %.40q: %d ids, %d of the second, Count %d, want %d, %d, %d", r.Question, r.Passage,
				len(ids), second, p.Count(r.Question, r.Passage), len(r.IDs), r.Second, r.Tokens)
		}
		got, err := p.Logits(t.Context(), r.Question, []string{r.Passage})
		if err != nil {
			t.Fatal(err)
		}
		d := math.Abs(got[0] - r.Logit)
		worst = max(worst, d)
		if d > 5e-5 {
			t.Errorf("%q, %.40q: logit %.6f, want %.6f", r.Question, r.Passage, got[0], r.Logit)
		}
	}
	t.Logf("worst logit: %.2g", worst)
}

func TestPairsOfTwoClasses(t *testing.T) {
	p, err := openPairs(t, "two-labels.onnx")
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Logits(t.Context(), "a", []string{"the", "of the"})
	if err != nil {
		t.Fatal(err)
	}
	// Ids 101 1037 102 1996 102, and 1997 before the last but one: the mean ÷ 1000.
	for i, want := range []float64{3338. / 5 / 1000, 5335. / 6 / 1000} {
		if math.Abs(got[i]-want) > 1e-5 {
			t.Errorf("pair %d: %v, want the second class's logit less the first's, %v", i, got[i], want)
		}
	}
}

func TestPairsWindow(t *testing.T) {
	p, err := openPairs(t, "cross.onnx")
	if err != nil {
		t.Fatal(err)
	}
	question := "who pays" // 2 wordpieces, and 3 marks
	_, err = p.Logits(t.Context(), question, []string{"fine", strings.Repeat("a ", 507)})
	if err != nil {
		t.Errorf("512 wordpieces: %v", err)
	}
	_, err = p.Logits(t.Context(), question, []string{"fine", strings.Repeat("a ", 508)})
	var long *embed.TooLongError
	if !errors.As(err, &long) || *long != (embed.TooLongError{Index: 1, Tokens: 513, Max: 512}) {
		t.Errorf("513 wordpieces: %v, want a TooLongError", err)
	}
	if got, err := p.Logits(t.Context(), question, nil); err != nil || len(got) != 0 {
		t.Errorf("no passages: %v, %v", got, err)
	}
}

func TestOpenPairsRefuses(t *testing.T) {
	cases := map[string]struct{ reason, model, want string }{
		"three labels": {"which of them is relevance?", "three-labels.onnx", "shape [2 3] for 2 pairs, want 1 or 2 logits"},
		"no types":     {"another kind of model, of another tokenizer", "no-types.onnx", "its inputs are [attention_mask input_ids], a BERT's are"},
		"longer":       {"ids of another vocabulary mean other words, silently", "long-vocabulary.onnx", "longer than the tokenizer's 30522"},
		"shorter":      {"found now rather than by the first rare word", "short-vocabulary.onnx", "shorter than the tokenizer's 30522"},
		"an encoder":   {"hidden states are no logits", filepath.Join(settings.ModelDir(os.Getenv), "model.onnx"), "shape [2 6 384]"},
		"missing":      {"the file is named", "missing.onnx", "missing.onnx"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := openPairs(t, c.model); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want one with %q", c.reason, err, c.want)
			}
		})
	}
	if _, err := embed.OpenPairs(embed.Options{Dir: settings.ModelDir(os.Getenv)}); err == nil || !strings.Contains(err.Error(), "Model") {
		t.Errorf("without a model: %v: the encoder must not be taken for one", err)
	}
}

func TestTokenVectors(t *testing.T) {
	m := model(t)
	texts := []string{"CT-88231", "", "Detention is billed after two free hours at $65 per hour."}
	ids, vectors, err := m.TokenVectors(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	d := m.Dimensions()
	for i, text := range texts {
		if want := m.Count(text) - 2; len(ids[i]) != want || len(vectors[i]) != want*d {
			t.Fatalf("%q: %d ids, %d numbers, want %d and %d times as many", text, len(ids[i]), len(vectors[i]), want, d)
		}
		for row := range slices.Chunk(vectors[i], d) {
			if n := length(row); math.Abs(n-1) > 1e-6 {
				t.Errorf("%q: a vector of length %v", text, n)
			}
		}
		_, alone, err := m.TokenVectors(t.Context(), texts[i:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(alone[0], vectors[i]) {
			t.Errorf("%q has other vectors alone than in company", text)
		}
	}
	_, _, err = m.TokenVectors(t.Context(), []string{strings.Repeat("a ", 255)})
	var long *embed.TooLongError
	if !errors.As(err, &long) {
		t.Errorf("257 wordpieces: %v, want a TooLongError", err)
	}
}

func length(v []float32) float64 {
	s := 0.0
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	return math.Sqrt(s)
}
