package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// TestStoreMayChange: another store, or another address, moves the points there.
func TestStoreMayChange(t *testing.T) {
	c := &v1alpha1.Collection{
		ObjectMeta: metav1.ObjectMeta{Name: "kind", Namespace: "default"},
		Spec:       v1alpha1.CollectionSpec{Store: v1alpha1.Store{Embedded: &v1alpha1.EmbeddedStore{}}},
	}
	if err := server.Create(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]v1alpha1.Store{
		"a server of its own": {Qdrant: &v1alpha1.QdrantStore{URL: "https://old:6334"}},
		"another server":      {Qdrant: &v1alpha1.QdrantStore{URL: "https://new:6334"}},
		"back":                {Embedded: &v1alpha1.EmbeddedStore{}},
	} {
		c.Spec.Store = to
		if err := server.Update(t.Context(), c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	c.Spec.Store = v1alpha1.Store{Embedded: &v1alpha1.EmbeddedStore{}, Qdrant: &v1alpha1.QdrantStore{URL: "https://new:6334"}}
	expect(t, "API server", fixture{field: "spec.store", says: "exactly one of"}, ofServer(server.Update(t.Context(), c)))
	if err := server.Delete(t.Context(), c); err != nil {
		t.Error(err)
	}
}

// TestStatusIsASubresource: an update of the spec must not touch the status, nor
// the other way round.
func TestStatusIsASubresource(t *testing.T) {
	c := &v1alpha1.Collection{
		ObjectMeta: metav1.ObjectMeta{Name: "status", Namespace: "default"},
		Spec:       v1alpha1.CollectionSpec{Store: v1alpha1.Store{Embedded: &v1alpha1.EmbeddedStore{}}},
		Status:     v1alpha1.CollectionStatus{Points: 1},
	}
	if err := server.Create(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if c.Status.Points != 0 {
		t.Errorf("create wrote the status: %d points", c.Status.Points)
	}
	c.Status.Points, c.Spec.Drift = 2, v1alpha1.DriftWarn
	if err := server.Status().Update(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if c.Status.Points != 2 || c.Spec.Drift != v1alpha1.DriftRepair || c.Generation != 1 {
		t.Errorf("status update: %d points, drift %s, generation %d", c.Status.Points, c.Spec.Drift, c.Generation)
	}
	if err := server.Delete(t.Context(), c); err != nil {
		t.Error(err)
	}
}

// TestNames holds what people type and scripts rely on.
func TestNames(t *testing.T) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	list, err := client.ServerResourcesForGroupVersion(v1alpha1.GroupVersion.String())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, r := range list.APIResources {
		if !strings.Contains(r.Name, "/") {
			got[r.Kind] = slices.Concat([]string{r.Name, r.SingularName}, r.ShortNames, r.Categories)
		}
	}
	want := map[string][]string{
		"Collection": {"collections", "collection", "coll", "rag"},
		"Corpus":     {"corpora", "corpus", "corp", "rag"},
		"GoldenSet":  {"goldensets", "goldenset", "gs", "rag"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestColumns holds what kubectl get shows, and with -o wide.
func TestColumns(t *testing.T) {
	cases := map[string]struct {
		reason string
		want   []string
	}{
		"collections": {"drift and size at a glance", []string{"Name", "Ready", "Points", "Physical*", "Status", "Age"}},
		"corpora":     {"which revision serves, and why not", []string{"Name", "Ready", "Serving", "Active", "Documents", "Candidate*", "Collection*", "Status", "Age"}},
		"goldensets":  {"whether the key can be used", []string{"Name", "Ready", "Questions", "Status", "Age"}},
	}
	for resource, c := range cases {
		t.Run(resource, func(t *testing.T) {
			if diff := cmp.Diff(c.want, columns(table(t, resource))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// TestCellsOfWhatServes: the count is of what questions are answered from, not of the
// newest revision, which may have been kept out.
func TestCellsOfWhatServes(t *testing.T) {
	c := &v1alpha1.Corpus{
		ObjectMeta: metav1.ObjectMeta{Name: "cells", Namespace: "default"},
		Spec: v1alpha1.CorpusSpec{
			CollectionRef: v1alpha1.ObjectReference{Name: "hr"},
			Source:        v1alpha1.Source{S3: &v1alpha1.S3Source{Endpoint: "https://s3.example", Bucket: "documents"}},
		},
	}
	if err := server.Create(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Delete(context.WithoutCancel(t.Context()), c); err != nil {
			t.Error(err)
		}
	})
	c.Status.Documents = &v1alpha1.DocumentsStatus{Total: 9, Ingested: 4, Failed: 5}
	c.Status.Active = &v1alpha1.ActiveStatus{Revision: 3, Collection: "p", SourceRevision: "s", ConfigHash: "c", Documents: 8, Ingested: 7}
	c.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ReadyCondition, Status: metav1.ConditionTrue, Reason: "Succeeded", Message: "revision 3 serves; Degraded: StaleAlias", LastTransitionTime: metav1.Now()}}
	if err := server.Status().Update(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	shown := table(t, "corpora")
	cells := map[string]any{}
	for i, d := range shown.ColumnDefinitions {
		if d.Name == "Active" || d.Name == "Documents" || d.Name == "Status" {
			cells[d.Name] = shown.Rows[0].Cells[i]
		}
	}
	want := map[string]any{"Active": float64(3), "Documents": float64(7), "Status": "revision 3 serves; Degraded: StaleAlias"}
	if diff := cmp.Diff(want, cells); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// columns lists the columns of a table; those of -o wide alone bear a star.
func columns(table metav1.Table) []string {
	var out []string
	for _, d := range table.ColumnDefinitions {
		name := d.Name
		if d.Priority > 0 {
			name += "*"
		}
		out = append(out, name)
	}
	return out
}

// table is what kubectl get is sent.
func table(t *testing.T, resource string) metav1.Table {
	t.Helper()
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSuffix(config.Host, "/") + "/apis/" + v1alpha1.GroupVersion.String() + "/" + resource
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	response, err := c.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var table metav1.Table
	if err := json.NewDecoder(response.Body).Decode(&table); err != nil {
		t.Fatal(err)
	}
	return table
}
