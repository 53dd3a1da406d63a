package generate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/generate"
)

// TestFixturesAsLetters puts every question of the fixtures into a letter. A letter
// may be handed on where the bare question is answered, because a person writes to
// a person; it may never be answered wrong.
func TestFixturesAsLetters(t *testing.T) {
	model := encoder(t)
	paths, err := filepath.Glob("testdata/*/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	right, all := 0, 0
	for _, path := range paths {
		f := load(t, path)
		for i := range f.cases {
			f.cases[i].question = "Subject: Question\n\nHi,\n\n" + f.cases[i].question + "\n\nThanks, Dana"
			f.cases[i].cites = -1
			f.cases[i].reason = ""
		}
		t.Run(f.name, func(t *testing.T) {
			wrong := run(t, f, generate.NewExtractive(generate.WithScorer(model)))
			for q, problem := range wrong {
				if strings.HasPrefix(problem, "held back") {
					t.Logf("%s\n\t%s", q, problem)
					continue
				}
				t.Errorf("%s\n\t%s", q, problem)
			}
			right += len(f.cases) - len(wrong)
			all += len(f.cases)
			t.Logf("%d of %d right", len(f.cases)-len(wrong), len(f.cases))
		})
	}
	t.Logf("%d of %d right", right, all)
}
