package chart_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestBadValuesAreRefused(t *testing.T) {
	tests := map[string]struct {
		reason string
		set    string
		want   string // in helm's message, so that whoever reads it knows what to change
	}{
		"unknown name":          {reason: "a misspelt value must not be ignored", set: "replica=2", want: "replica"},
		"negative replicas":     {reason: "below the minimum", set: "replicas=-1", want: "replicas"},
		"empty repository":      {reason: "blank is missing", set: "image.repository=", want: "repository"},
		"port beyond the range": {reason: "not a TCP port", set: "service.port=70000", want: "port"},
		"flag without dashes":   {reason: "an argument that isn't a flag would be taken for a command", set: "extraArgs={demo}", want: "extraArgs"},
		"replicas that share a volume": {
			reason: "an embedded store belongs to one manager",
			set:    "replicas=2", want: "persistence.enabled",
		},
		"no service account": {
			reason: "the default account must not get the manager's role by accident",
			set:    "serviceAccount.create=false", want: "serviceAccount.name",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := helm(t, "--set", test.set)
			if err == nil {
				t.Fatalf("%s: --set %s was accepted", test.reason, test.set)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: the message doesn't name %q: %v", test.reason, test.want, err)
			}
		})
	}
}

// The chart and kustomize's manifests are written twice where Helm needs its templates; here they can't drift apart.
func TestChartAndKustomizeAgree(t *testing.T) {
	chart, err := helm(t)
	if err != nil {
		t.Fatal(err)
	}
	config, err := kustomize(t, "config/default")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		reason string
		kind   string
		name   string
		path   []string
		drop   func(pod map[string]any)
	}{
		"pod":              {reason: "same flags, probes, volumes and security", kind: "Deployment", name: "hardgate", path: []string{"spec", "template", "spec"}, drop: dropImage},
		"strategy":         {reason: "one manager at a time on the volume", kind: "Deployment", name: "hardgate", path: []string{"spec", "strategy"}},
		"ports":            {reason: "the same address to ask", kind: "Service", name: "hardgate", path: []string{"spec", "ports"}},
		"claim":            {reason: "the same volume", kind: "PersistentVolumeClaim", name: "hardgate-data", path: []string{"spec"}},
		"manager's role":   {reason: "a marker in the code reaches both", kind: "ClusterRole", name: "hardgate-manager", path: []string{"rules"}},
		"leader election":  {reason: "the same lease", kind: "Role", name: "hardgate-leader-election", path: []string{"rules"}},
		"corpus asker":     {reason: "the verb that asking takes", kind: "ClusterRole", name: "hardgate-corpus-asker", path: []string{"rules"}},
		"corpus tracer":    {reason: "the verb that a trace takes", kind: "ClusterRole", name: "hardgate-corpus-tracer", path: []string{"rules"}},
		"forecaster":       {reason: "the verb that a later asOf takes", kind: "ClusterRole", name: "hardgate-corpus-forecaster", path: []string{"rules"}},
		"viewer":           {reason: "aggregated to view", kind: "ClusterRole", name: "hardgate-viewer", path: []string{"rules"}},
		"editor":           {reason: "aggregated to edit", kind: "ClusterRole", name: "hardgate-editor", path: []string{"rules"}},
		"collections' CRD": {reason: "the generated one, unharmed by templating", kind: "CustomResourceDefinition", name: "collections.rag.hardgate.dev", path: []string{"spec"}},
		"corpora's CRD":    {reason: "its descriptions hold braces that Helm would expand", kind: "CustomResourceDefinition", name: "corpora.rag.hardgate.dev", path: []string{"spec"}},
		"golden sets' CRD": {reason: "the generated one, unharmed by templating", kind: "CustomResourceDefinition", name: "goldensets.rag.hardgate.dev", path: []string{"spec"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			want := part(t, config, test.kind, test.name, test.path)
			got := part(t, chart, test.kind, test.name, test.path)
			if test.drop != nil {
				test.drop(want.(map[string]any))
				test.drop(got.(map[string]any))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: -config +chart:\n%s", test.reason, diff)
			}
		})
	}
}

func TestCRDsOutliveTheRelease(t *testing.T) {
	objects, err := helm(t)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, object := range objects {
		if object.GetKind() != "CustomResourceDefinition" {
			continue
		}
		count++
		if got := object.GetAnnotations()["helm.sh/resource-policy"]; got != "keep" {
			t.Errorf("%s: resource policy %q: an uninstall would delete every object of this kind", object.GetName(), got)
		}
	}
	if count != 3 {
		t.Errorf("%d CRDs rendered, want 3", count)
	}
}

func part(t *testing.T, objects []*unstructured.Unstructured, kind, name string, path []string) any {
	t.Helper()
	value, found, err := unstructured.NestedFieldCopy(find(t, objects, kind, name).Object, path...)
	if err != nil || !found {
		t.Fatalf("%s %q: no %s (%v)", kind, name, strings.Join(path, "."), err)
	}
	return value
}

// dropImage removes what is meant to differ: the image, which each route names by its own version, and how it is pulled.
func dropImage(pod map[string]any) {
	for _, container := range pod["containers"].([]any) {
		delete(container.(map[string]any), "image")
		delete(container.(map[string]any), "imagePullPolicy")
	}
}
