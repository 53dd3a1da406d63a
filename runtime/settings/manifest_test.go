package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

const head = "apiVersion: rag.hardgate.dev/v1alpha1\n"

func TestReadManifests(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         []string // kind namespace/name
		err          string
	}{
		"several":       {"documents without content are no objects", "---\n" + head + "kind: Corpus\nmetadata: {name: a, namespace: hr}\nspec: {}\n---\n# nothing\n--- # more\n" + head + "kind: GoldenSet\nmetadata: {name: b}\nspec: {}\n", []string{"Corpus hr/a", "GoldenSet /b"}, ""},
		"foreign":       {"files for a cluster hold other objects too", "apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: w}\ndata: [1]\n", []string{"Widget /w"}, ""},
		"json":          {"JSON is YAML", `{"apiVersion": "rag.hardgate.dev/v1alpha1", "kind": "Collection", "metadata": {"name": "c"}, "spec": {}}`, []string{"Collection /c"}, ""},
		"version":       {"a version that doesn't exist is no foreign object", "apiVersion: rag.hardgate.dev/v1\nkind: Corpus\nmetadata: {name: a}\nspec: {}\n", nil, "apiVersion"},
		"group":         {"a misspelt group would be skipped", "apiVersion: rag.hardgate.de/v1alpha1\nkind: Corpus\nmetadata: {name: a}\nspec: {}\n", nil, "apiVersion"},
		"kind":          {"a misspelt kind would be skipped", head + "kind: Goldenset\nmetadata: {name: a}\nspec: {}\n", nil, "kind"},
		"no kind":       {"what is it?", "name: a\n", nil, "apiVersion and kind are required"},
		"no name":       {"results are kept by name", head + "kind: Corpus\nspec: {}\n", nil, "metadata.name"},
		"no spec":       {"an object without a spec is a slip", head + "kind: Corpus\nmetadata: {name: a}\n", nil, "spec: is required"},
		"beside spec":   {"a field at the wrong level has no effect", head + "kind: Corpus\nmetadata: {name: a}\nspec: {}\npipeline: {}\n", nil, "pipeline: is not a field of a Corpus"},
		"which":         {"the message says which document", head + "kind: Corpus\nmetadata: {name: a}\nspec: {}\n---\n: {\n", nil, "f.yaml, document 2"},
		"twice the key": {"the last one doesn't win", head + "kind: Corpus\nkind: GoldenSet\nmetadata: {name: a}\nspec: {}\n", nil, "already set"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ms, err := settings.ReadManifests("f.yaml", strings.NewReader(c.text))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%s: want %q in %v", c.reason, c.err, err)
				}
				return
			}
			var got []string
			for _, m := range ms {
				got = append(got, m.Kind+" "+m.Namespace+"/"+m.Name)
			}
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", c.reason, err, diff)
			}
		})
	}
}

func TestReadFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"b.yaml":             head + "kind: Corpus\nmetadata: {name: b}\nspec: {}\n",
		"a.yml":              "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {questions.yaml: \"[]\"}\n",
		"kustomization.yaml": "resources: [a.yml]\n",
		"notes.txt":          "not a manifest",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := settings.ReadFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []settings.Manifest{
		{From: filepath.Join(dir, "a.yml"), APIVersion: "v1", Kind: "ConfigMap", Name: "a", Data: map[string]string{"questions.yaml": "[]"}},
		{From: filepath.Join(dir, "b.yaml"), APIVersion: settings.APIVersion, Kind: "Corpus", Name: "b", Spec: []byte("{}")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := settings.ReadFiles(t.TempDir()); err == nil {
		t.Error("a directory without manifests is a wrong path")
	}
	if _, err := settings.ReadFiles(filepath.Join(dir, "none.yaml")); err == nil {
		t.Error("a file that doesn't exist is a wrong path")
	}
}
