package chart_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// warnings collects what the server warns of: deprecated versions, unknown fields, pod security.
type warnings struct {
	mu   sync.Mutex
	text []string
}

func (w *warnings) HandleWarningHeaderWithContext(_ context.Context, _ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, text)
}

func (w *warnings) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := w.text
	w.text = nil
	return text
}

func TestEveryObjectIsAccepted(t *testing.T) {
	heard := &warnings{}
	cluster := start(t, heard)
	tests := map[string]struct {
		reason string
		render func(*testing.T) ([]*unstructured.Unstructured, error)
		kinds  []string // that must be among the objects, so that an empty rendering can't pass
	}{
		"chart with default values": {
			reason: "what `helm install` without a values file creates",
			render: func(t *testing.T) ([]*unstructured.Unstructured, error) { return helm(t) },
			kinds:  []string{"CustomResourceDefinition", "ClusterRole", "Deployment", "Service", "PersistentVolumeClaim"},
		},
		"chart with everything on": {
			reason: "each optional block of each template, once",
			render: func(t *testing.T) ([]*unstructured.Unstructured, error) {
				return helm(t, "--values", "test/chart/testdata/all-on.yaml")
			},
			kinds: []string{"CustomResourceDefinition", "ClusterRole", "Deployment", "Service", "PersistentVolumeClaim"},
		},
		"chart with several replicas": {
			reason: "no volume, and so no Recreate",
			render: func(t *testing.T) ([]*unstructured.Unstructured, error) {
				return helm(t, "--set", "replicas=3,persistence.enabled=false,crds.install=false")
			},
			kinds: []string{"Deployment"},
		},
		"config/default": {
			reason: "what `kubectl apply -k config/default` creates",
			render: func(t *testing.T) ([]*unstructured.Unstructured, error) { return kustomize(t, "config/default") },
			kinds:  []string{"CustomResourceDefinition", "Namespace", "ClusterRole", "Deployment", "Service", "PersistentVolumeClaim"},
		},
		"config/samples/payroll": {
			reason: "the sample passes its own CRDs",
			render: func(t *testing.T) ([]*unstructured.Unstructured, error) {
				return kustomize(t, "config/samples/payroll")
			},
			kinds: []string{"Collection", "Corpus", "GoldenSet"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			objects, err := test.render(t)
			if err != nil {
				t.Fatalf("%s: %v", test.reason, err)
			}
			seen := map[string]bool{}
			for _, object := range objects {
				seen[object.GetKind()] = true
				if err := dryRun(t.Context(), cluster, object); err != nil {
					t.Errorf("%s: %v", test.reason, err)
				}
				for _, text := range heard.take() {
					t.Errorf("%s: %s %s: the server warns: %s", test.reason, object.GetKind(), object.GetName(), text)
				}
			}
			for _, kind := range test.kinds {
				if !seen[kind] {
					t.Errorf("%s: no %s was rendered", test.reason, kind)
				}
			}
		})
	}
}

func TestTheDryRunCanFail(t *testing.T) {
	heard := &warnings{}
	cluster := start(t, heard)
	tests := map[string]struct {
		reason  string
		change  func(deployment map[string]any)
		refused bool
		warned  bool
	}{
		"as rendered": {
			reason: "the unchanged Deployment passes, so the others fail by their change alone",
			change: func(map[string]any) {},
		},
		"misspelt field": {
			reason:  "a field that no schema knows is refused",
			change:  func(d map[string]any) { set(d, int64(3), "spec", "replcas") },
			refused: true,
		},
		"selector beside the labels": {
			reason:  "validation runs, not decoding alone",
			change:  func(d map[string]any) { set(d, "other", "spec", "selector", "matchLabels", "app.kubernetes.io/name") },
			refused: true,
		},
		"root": {
			reason: "pod security judges the pod template",
			change: func(d map[string]any) { set(d, false, "spec", "template", "spec", "securityContext", "runAsNonRoot") },
			warned: true,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			objects, err := helm(t)
			if err != nil {
				t.Fatal(err)
			}
			deployment := find(t, objects, "Deployment", release)
			test.change(deployment.Object)
			err = dryRun(t.Context(), cluster, deployment)
			if refused := err != nil; refused != test.refused {
				t.Errorf("%s: refused = %v (%v), want %v", test.reason, refused, err, test.refused)
			}
			text := heard.take()
			if warned := len(text) > 0; warned != test.warned {
				t.Errorf("%s: warnings = %q, want any = %v", test.reason, text, test.warned)
			}
		})
	}
}

func set(object map[string]any, value any, path ...string) {
	if err := unstructured.SetNestedField(object, value, path...); err != nil {
		panic(err) // the path runs through a scalar: an error of the test itself
	}
}

// start brings up an API server that knows the three kinds, with the namespace the objects go to.
func start(t *testing.T, handler rest.WarningHandlerWithContext) client.Client {
	t.Helper()
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{repository + "/config/crd/bases"},
		ErrorIfCRDPathMissing: true,
	}
	config, err := environment.Start()
	if err != nil {
		t.Fatalf("start the control plane: %v", err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Errorf("stop the control plane: %v", err)
		}
	})
	config.WarningHandlerWithContext = handler
	cluster, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ensureNamespace(t.Context(), cluster, namespace); err != nil {
		t.Fatal(err)
	}
	return cluster
}

// ensureNamespace creates the namespace for real: a dry run inside one that isn't there is refused.
func ensureNamespace(ctx context.Context, cluster client.Client, name string) error {
	object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name:   name,
		Labels: map[string]string{"pod-security.kubernetes.io/warn": "restricted"},
	}}
	if err := cluster.Create(ctx, object); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create namespace %q: %w", name, err)
	}
	return nil
}

func dryRun(ctx context.Context, cluster client.Client, object *unstructured.Unstructured) error {
	if in := object.GetNamespace(); in != "" {
		if err := ensureNamespace(ctx, cluster, in); err != nil {
			return err
		}
	}
	err := cluster.Apply(ctx, client.ApplyConfigurationFromUnstructured(object),
		client.DryRunAll, client.ForceOwnership, client.FieldOwner("hardgate-test"))
	if err != nil {
		return fmt.Errorf("dry run of %s %q: %w", object.GetKind(), object.GetName(), err)
	}
	return nil
}
