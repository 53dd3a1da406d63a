package api

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// TestDefaults holds the defaults of the schema to those of runtime/settings,
// by what the API server makes of every good file, read back both as it is and
// through the Go types that the reconcilers use.
func TestDefaults(t *testing.T) {
	for _, f := range fixtures(t, ".good.yaml") {
		t.Run(f.reason, func(t *testing.T) {
			kind := f.object.GetKind()
			want, err := decode(kind, f.spec)
			if err != nil {
				t.Fatalf("settings: %v", err)
			}
			if err := server.Create(t.Context(), f.object, client.DryRunAll); err != nil {
				t.Fatalf("API server: %v", err)
			}
			spec, err := json.Marshal(f.object.Object["spec"])
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "as stored", kind, spec, want)
			compare(t, "through the Go type", kind, typed(t, kind, f.object.Object), want)
		})
	}
}

func compare(t *testing.T, how, kind string, spec []byte, want any) {
	t.Helper()
	got, err := decode(kind, spec)
	if err != nil {
		t.Errorf("%s: %v\n%s", how, err, spec)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-settings +API server):\n%s", how, diff)
	}
}

// typed returns the spec as the Go type of the kind writes it.
func typed(t *testing.T, kind string, object map[string]any) []byte {
	t.Helper()
	var (
		into client.Object
		spec any
	)
	switch kind {
	case "Corpus":
		o := &v1alpha1.Corpus{}
		into, spec = o, &o.Spec
	case "Collection":
		o := &v1alpha1.Collection{}
		into, spec = o, &o.Spec
	default:
		o := &v1alpha1.GoldenSet{}
		into, spec = o, &o.Spec
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, into); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
