package api

import (
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// TestSamples: what users copy is admitted, by the server and the command line.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("../../config/samples/*/corpus.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		manifests, err := settings.ReadFiles(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range manifests {
			if m.Spec == nil {
				continue // not of our API
			}
			t.Run(filepath.Base(dir)+"/"+m.Kind, func(t *testing.T) { admit(t, m) })
		}
	}
}

func admit(t *testing.T, m settings.Manifest) {
	t.Helper()
	if _, err := decode(m.Kind, m.Spec); err != nil {
		t.Errorf("settings: %v", err)
	}
	o := &unstructured.Unstructured{Object: map[string]any{}}
	o.SetAPIVersion(m.APIVersion)
	o.SetKind(m.Kind)
	o.SetName(m.Name)
	o.SetNamespace("default") // the sample's own namespace doesn't exist here
	var spec map[string]any
	if err := yaml.Unmarshal(m.Spec, &spec); err != nil {
		t.Fatal(err)
	}
	o.Object["spec"] = spec
	if err := server.Create(t.Context(), o, client.DryRunAll); err != nil {
		t.Errorf("API server: %v", err)
	}
}
