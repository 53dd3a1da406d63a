package generate_test

import (
	"context"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/generate"
	"github.com/hardgate-dev/hardgate/runtime/prompt"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// BenchmarkCount is one count over a prompt of seven passages, by words alone.
func BenchmarkCount(b *testing.B) {
	f := load(b, "testdata/dev/payroll.txt")
	in, err := prompt.New(prompt.Options{}).Apply(context.Background(), rag.Retrieved{
		Question: rag.Question{Text: "How many employees are in the April 2025 salary register?"}, Hits: f.hits})
	if err != nil {
		b.Fatal(err)
	}
	g := generate.NewExtractive()
	for b.Loop() {
		if a, err := g.Apply(context.Background(), in); err != nil || a.Status != rag.Answered {
			b.Fatal(a, err)
		}
	}
}
