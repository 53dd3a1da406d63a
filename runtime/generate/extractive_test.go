package generate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/generate"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// encoder opens the real model.
func encoder(t testing.TB) *embed.Model {
	t.Helper()
	m, err := embed.Open(embed.Options{Dir: settings.ModelDir(os.Getenv)})
	if err != nil {
		t.Fatalf("open the encoder (run make setup): %v", err)
	}
	return m
}

// TestFixtures asks the questions of testdata/dev with the real encoder.
func TestFixtures(t *testing.T) {
	model := encoder(t)
	paths, err := filepath.Glob("testdata/dev/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range paths {
		f := load(t, path)
		t.Run(f.name, func(t *testing.T) {
			wrong := run(t, f, generate.NewExtractive(generate.WithScorer(model)))
			for q, problem := range wrong {
				t.Errorf("%s\n\t%s", q, problem)
			}
			t.Logf("%d of %d right", len(f.cases)-len(wrong), len(f.cases))
		})
	}
}
