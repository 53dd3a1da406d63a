package faults

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const (
	headcount = "How many employees are in the April 2025 salary register?"
	april     = "registers/Salary_Register_April_2025.pdf"

	samples   = "../../config/samples/payroll"
	rowsAsInk = "testdata/hidden-rows/documents/" + april // every second row is a picture
)

// sample is a copy of the payroll sample that a test may spoil.
type sample struct {
	*testing.T
	dir string
}

// newSample copies the sample; only the named questions stay in its golden set,
// or all without a name.
func newSample(t *testing.T, questions ...string) *sample {
	t.Helper()
	s := &sample{t, t.TempDir()}
	if err := os.CopyFS(s.dir, os.DirFS(samples)); err != nil {
		t.Fatal(err)
	}
	// The gate runs the corpus' own mode; comparisons would only cost time.
	s.edit("goldenset.yaml", func(o *unstructured.Unstructured) { s.set(o, []any{}, "spec", "compare") })
	if len(questions) > 0 {
		s.keep(questions)
	}
	return s
}

// keep leaves only these questions in the golden set.
func (s *sample) keep(names []string) {
	s.Helper()
	s.edit("goldenset.yaml", func(o *unstructured.Unstructured) {
		all, _, err := unstructured.NestedSlice(o.Object, "spec", "questions")
		if err != nil {
			s.Fatal(err)
		}
		var kept []any
		for _, q := range all {
			for _, name := range names {
				if m, ok := q.(map[string]any); ok && m["name"] == name {
					kept = append(kept, q)
				}
			}
		}
		if len(kept) != len(names) {
			s.Fatalf("the sample has %d of the questions %q", len(kept), names)
		}
		s.set(o, kept, "spec", "questions")
		for _, class := range []string{"requireClasses", "perClass"} {
			unstructured.RemoveNestedField(o.Object, "spec", class)
		}
	})
}

// edit changes one of the sample's YAML files.
func (s *sample) edit(file string, change func(o *unstructured.Unstructured)) {
	s.Helper()
	path := filepath.Join(s.dir, file)
	o := s.read(file)
	change(o)
	data, err := yaml.Marshal(o.Object)
	if err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		s.Fatal(err)
	}
}

// text is a file of the sample.
func (s *sample) text(file string) string {
	s.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(file)))
	if err != nil {
		s.Fatal(err)
	}
	return string(data)
}

func (s *sample) read(file string) *unstructured.Unstructured {
	s.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(s.text(file)), &o.Object); err != nil {
		s.Fatal(err)
	}
	return o
}

func (s *sample) set(o *unstructured.Unstructured, value any, path ...string) {
	s.Helper()
	if err := unstructured.SetNestedField(o.Object, value, path...); err != nil {
		s.Fatal(err)
	}
}

// pipeline changes a field of the Corpus below spec.pipeline.
func (s *sample) pipeline(value any, path ...string) {
	s.Helper()
	s.edit("corpus.yaml", func(o *unstructured.Unstructured) { s.set(o, value, append([]string{"spec", "pipeline"}, path...)...) })
}

// restore takes a change of spec.pipeline back.
func (s *sample) restore(section string) {
	s.Helper()
	value, found, err := unstructured.NestedFieldCopy(newSample(s.T).read("corpus.yaml").Object, "spec", "pipeline", section)
	if err != nil || !found {
		s.Fatalf("the sample has no spec.pipeline.%s: %v", section, err)
	}
	s.pipeline(value, section)
}

func (s *sample) documents() string { return filepath.Join(s.dir, "documents") }

// replace puts another file in place of a document.
func (s *sample) replace(key, by string) {
	s.Helper()
	data, err := os.ReadFile(by)
	if err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.documents(), filepath.FromSlash(key)), data, 0o600); err != nil {
		s.Fatal(err)
	}
}

// remove takes a document out of the source.
func (s *sample) remove(key string) {
	s.Helper()
	if err := os.Remove(filepath.Join(s.documents(), filepath.FromSlash(key))); err != nil {
		s.Fatal(err)
	}
}
