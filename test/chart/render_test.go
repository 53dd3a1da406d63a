// Package chart_test holds what ships to a cluster, the Helm chart and kustomize's manifests, against a
// real API server. Nothing is applied: each object passes a server-side dry run, with strict decoding,
// admission and pod security, as it would on a cluster of the user's.
package chart_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

const (
	repository = "../.."
	release    = "hardgate"
	namespace  = "hardgate-system"
)

// tool returns the program that hack/assets.sh brought, by the variable that `make test` exports.
func tool(t *testing.T, variable, name string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Fatalf("%s is not set: run make test, or first: eval \"$(hack/assets.sh all)\"", variable)
	}
	return filepath.Join(path, name)
}

// helm renders the chart with the given extra arguments; the error carries helm's own words.
func helm(t *testing.T, args ...string) ([]*unstructured.Unstructured, error) {
	t.Helper()
	args = append([]string{"template", release, "charts/hardgate", "--namespace", namespace}, args...)
	return render(t, tool(t, "HELM", ""), args...)
}

// kustomize builds a folder with the kustomize inside kubectl, as `kubectl apply -k` does.
func kustomize(t *testing.T, folder string) ([]*unstructured.Unstructured, error) {
	t.Helper()
	return render(t, tool(t, "KUBEBUILDER_ASSETS", "kubectl"), "kustomize", folder)
}

func render(t *testing.T, program string, args ...string) ([]*unstructured.Unstructured, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = repository
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w: %s", filepath.Base(program), args, err, stderr.String())
	}
	return decode(out)
}

func decode(manifests []byte) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifests), 4096)
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("decode rendered object %d: %w", len(objects)+1, err)
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}

// find returns the one object of the kind and name among those rendered.
func find(t *testing.T, objects []*unstructured.Unstructured, kind, name string) *unstructured.Unstructured {
	t.Helper()
	for _, object := range objects {
		if object.GetKind() == kind && object.GetName() == name {
			return object
		}
	}
	t.Fatalf("no %s %q among the %d objects rendered", kind, name, len(objects))
	return nil
}
