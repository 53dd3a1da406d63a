package chart_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestStatusEndpointLeadsToTheService(t *testing.T) {
	tests := map[string]struct {
		reason string
		set    string
		want   string
	}{
		"default":           {reason: "port 80 needs no naming", set: "service.port=80", want: "--endpoint=http://hardgate.hardgate-system.svc"},
		"another port":      {reason: "a client of the old port would hang", set: "service.port=8443", want: "--endpoint=http://hardgate.hardgate-system.svc:8443"},
		"another full name": {reason: "the Service bears the release's name", set: "fullnameOverride=rag", want: "--endpoint=http://rag.hardgate-system.svc"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			objects, err := helm(t, "--set", test.set)
			if err != nil {
				t.Fatal(err)
			}
			var args []string
			for _, object := range objects {
				if object.GetKind() == "Deployment" {
					args = arguments(t, object)
				}
			}
			if !slices.Contains(args, test.want) {
				t.Errorf("%s: the manager's arguments are %q, want %q among them", test.reason, args, test.want)
			}
		})
	}
}

// arguments returns those of the deployment's first container.
func arguments(t *testing.T, deployment *unstructured.Unstructured) []string {
	t.Helper()
	containers, _, err := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	if err != nil || len(containers) == 0 {
		t.Fatalf("no containers (%v)", err)
	}
	args, _, err := unstructured.NestedStringSlice(containers[0].(map[string]any), "args")
	if err != nil {
		t.Fatal(err)
	}
	return args
}
