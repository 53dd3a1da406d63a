//go:build cgo

package embed_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// shared is opened once: a model can't be closed.
var shared = sync.OnceValues(func() (*embed.Model, error) { return embed.Open(embed.Options{Dir: settings.ModelDir(os.Getenv)}) })

func model(tb testing.TB) *embed.Model {
	tb.Helper()
	m, err := shared()
	if err != nil {
		tb.Fatalf("%v: run make setup", err)
	}
	return m
}

type reference struct {
	Text   string
	Tokens int
	Vector []float64
}

func references(tb testing.TB) []reference {
	tb.Helper()
	f, err := os.Open("testdata/vectors.jsonl.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var out []reference
	for lines := json.NewDecoder(bufio.NewReader(z)); lines.More(); {
		var r reference
		if err := lines.Decode(&r); err != nil {
			tb.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func TestParityWithReference(t *testing.T) {
	m, refs := model(t), references(t)
	texts := make([]string, len(refs))
	for i, r := range refs {
		texts[i] = r.Text
		if got := m.Count(r.Text); got != r.Tokens {
			t.Errorf("Count(%.40q) = %d, want %d", r.Text, got, r.Tokens)
		}
	}
	vectors, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, r := range refs {
		d := distance(vectors[i], r.Vector)
		worst = max(worst, d)
		if d > 1e-6 {
			t.Errorf("%.40q: max abs difference %.2g, want ≤ 1e-6", r.Text, d)
		}
	}
	t.Logf("worst of %d texts: %.2g", len(refs), worst)
}

func distance(got []float32, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	worst := 0.0
	for d := range got {
		worst = max(worst, math.Abs(float64(got[d])-want[d]))
	}
	return worst
}

func TestAloneEqualsTogether(t *testing.T) {
	m, refs := model(t), references(t)
	for _, r := range refs[:12] {
		v, err := m.Embed(t.Context(), []string{r.Text})
		if err != nil {
			t.Fatal(err)
		}
		if d := distance(v[0], r.Vector); d > 1e-6 {
			t.Errorf("%.40q alone: max abs difference %.2g; a vector must not depend on its neighbours", r.Text, d)
		}
	}
}

func TestConcurrentCalls(t *testing.T) {
	m, refs := model(t), references(t)[:10]
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for k := range refs {
				r := refs[(k+g)%len(refs)]
				v, err := m.Embed(t.Context(), []string{r.Text})
				if err != nil {
					t.Error(err)
				} else if d := distance(v[0], r.Vector); d > 1e-6 {
					t.Errorf("%.40q among concurrent calls: off by %.2g", r.Text, d)
				}
			}
		})
	}
	wg.Wait()
}

func TestWindow(t *testing.T) {
	m := model(t)
	fits := strings.Repeat("a ", 254) // + [CLS] [SEP] = 256
	if _, err := m.Embed(t.Context(), []string{fits}); err != nil {
		t.Errorf("256 wordpieces: %v", err)
	}
	_, err := m.Embed(t.Context(), []string{"fine", fits + "a"})
	var long *embed.TooLongError
	if !errors.As(err, &long) {
		t.Fatalf("257 wordpieces: got error %v, want a TooLongError", err)
	}
	if diff := cmp.Diff(embed.TooLongError{Index: 1, Tokens: 257, Max: 256}, *long); diff != "" {
		t.Error(diff)
	}
	if m.Window() != 256 || m.Dimensions() != 384 {
		t.Errorf("window %d, dimensions %d", m.Window(), m.Dimensions())
	}
}

func TestPinnedModel(t *testing.T) {
	if m := model(t); !m.Pinned() || m.SHA256() != embed.PinnedSHA256 {
		t.Errorf("the folder holds model %s, not the pinned one: the other tests prove nothing", m.SHA256())
	}
}

func TestNothingToEmbed(t *testing.T) {
	v, err := model(t).Embed(t.Context(), nil)
	if err != nil || len(v) != 0 {
		t.Errorf("no texts: %v, %v", v, err)
	}
}

func TestCancel(t *testing.T) {
	m := model(t)
	texts := make([]string, 4000) // minutes of work
	for i := range texts {
		texts[i] = fmt.Sprintf("%d %s", i, strings.Repeat("word ", 200))
	}
	cause := errors.New("the asker went away")
	ctx, cancel := context.WithCancelCause(t.Context())
	started := time.Now()
	time.AfterFunc(300*time.Millisecond, func() { cancel(cause) })
	if _, err := m.Embed(ctx, texts); !errors.Is(err, cause) && !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled call returned %v", err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("a cancelled call came back after %v", took)
	}
	if _, err := m.Embed(t.Context(), []string{"still works"}); err != nil {
		t.Errorf("after a cancelled call: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	model(t)
	dir := settings.ModelDir(os.Getenv)
	broken := filepath.Join(t.TempDir(), "broken.onnx")
	if err := os.WriteFile(broken, []byte("not a model"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason string
		opts   embed.Options
		want   string
	}{
		"nothing":   {"an unset folder must not become the working directory", embed.Options{}, "neither Dir nor Library"},
		"model":     {"a missing model is named", embed.Options{Dir: dir, Model: "/nonexistent/model.onnx"}, "/nonexistent/model.onnx"},
		"tokenizer": {"a missing tokenizer is named", embed.Options{Dir: dir, Tokenizer: "/nonexistent/t.json"}, "/nonexistent/t.json"},
		"library":   {"one process can hold one library", embed.Options{Dir: dir, Library: "/nonexistent/ort.so"}, "already loaded"},
		"broken":    {"a damaged file fails at start, not at the first query", embed.Options{Dir: dir, Model: broken}, "broken.onnx"},
		"workers":   {"a negative count is a mistake", embed.Options{Dir: dir, Workers: -1}, "Workers is -1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := embed.Open(c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got error %v, want one with %q", c.reason, err, c.want)
			}
		})
	}
}

func BenchmarkEmbed(b *testing.B) {
	m := model(b)
	texts := make([]string, 16)
	for i := range texts {
		texts[i] = fmt.Sprintf("%d %s", i, strings.Repeat("salary register ", 90))
	}
	for b.Loop() {
		if _, err := m.Embed(b.Context(), texts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}
