package api

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// fixture is one document of testdata. Its comments say what is expected:
//
//	# reason: why it is good or bad
//	# field:  the path that a refusal has to name
//	# says:   words that both refusals have to contain (optional)
//	# server: admits, where a schema can't judge and only the reconciler refuses
type fixture struct {
	reason, field, says string
	admitted            bool
	object              *unstructured.Unstructured
	spec                []byte
}

// fixtures reads the documents of every file whose name ends so.
func fixtures(t *testing.T, suffix string) []fixture {
	t.Helper()
	files, err := filepath.Glob("testdata/*" + suffix)
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata/*%s: %v", suffix, err)
	}
	var out []fixture
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, doc := range strings.Split(string(text), "---\n") {
			f, err := read(doc)
			if err != nil {
				t.Fatalf("%s, document %d: %v", file, i+1, err)
			}
			f.reason = filepath.Base(file) + "/" + f.reason
			out = append(out, f)
		}
	}
	return out
}

func read(doc string) (fixture, error) {
	f := fixture{object: &unstructured.Unstructured{}}
	for line := range strings.Lines(doc) {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
		value = strings.TrimSpace(value)
		switch {
		case !strings.HasPrefix(line, "#"):
		case name == "reason":
			f.reason = value
		case name == "field":
			f.field = value
		case name == "says":
			f.says = value
		case name == "server" && value == "admits":
			f.admitted = true
		default:
			return f, fmt.Errorf("unknown expectation %q", line)
		}
	}
	data, err := yaml.YAMLToJSONStrict([]byte(doc))
	if err != nil {
		return f, err
	}
	if err := f.object.UnmarshalJSON(data); err != nil {
		return f, err
	}
	f.spec, err = json.Marshal(f.object.Object["spec"])
	return f, err
}

// decode reads a spec of the kind by runtime/settings.
func decode(kind string, spec []byte) (any, error) {
	switch kind {
	case "Corpus":
		return settings.DecodeCorpus(spec)
	case "Collection":
		return settings.DecodeCollection(spec)
	case "GoldenSet":
		return settings.DecodeGoldenSet(spec)
	}
	return nil, fmt.Errorf("unknown kind %q", kind)
}
