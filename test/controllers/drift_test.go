package controllers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// TestCollectionDriftOfEveryKind changes each setting behind the operator's back:
// Repair tells of it first and then mends it, Warn tells of it and leaves it.
func TestCollectionDriftOfEveryKind(t *testing.T) {
	indexed := func(kind string, tenant bool) func(*store.Schema) {
		return func(s *store.Schema) {
			s.Indexes = append(store.OwnIndexes(), store.Index{Field: "doc_type", Type: kind, Tenant: tenant}, store.Index{Field: "extra", Type: "Integer"})
		}
	}
	cases := map[string]struct {
		reason string
		change func(*store.Schema) // what somebody makes it
		drift  store.Drift
		want   v1alpha1.Drift
	}{
		"wrong type":   {"a filter on it would find nothing", indexed("Integer", false), store.Drift{Kind: store.WrongIndexType, Field: "doc_type"}, v1alpha1.Drift{Path: "payloadIndexes[doc_type]", Want: "Keyword", Got: "Integer"}},
		"tenant flag":  {"the store would keep tenants' points apart", indexed("Keyword", true), store.Drift{Kind: store.TenantFlag, Field: "doc_type"}, v1alpha1.Drift{Path: "payloadIndexes[doc_type].tenant", Want: "false", Got: "true"}},
		"extra index":  {"nobody asked for it", indexed("Keyword", false), store.Drift{Kind: store.MissingIndex, Field: "extra"}, v1alpha1.Drift{Path: "payloadIndexes[extra]", Want: "none", Got: "Integer"}},
		"strict mode":  {"unindexed filters would scan", func(s *store.Schema) { s.Strict = false }, store.Drift{Kind: store.StrictMode, Field: "strict"}, v1alpha1.Drift{Path: "strict", Want: "true", Got: "false"}},
		"quantization": {"scores would be others", func(s *store.Schema) { s.Quantization = "Binary" }, store.Drift{Kind: store.Quantization, Field: "quantization"}, v1alpha1.Drift{Path: "vectors.dense.quantization", Want: "Scalar", Got: "Binary"}},
		"on disk":      {"queries would wait for it", func(s *store.Schema) { s.OnDisk = true }, store.Drift{Kind: store.OnDisk, Field: "onDisk"}, v1alpha1.Drift{Path: "vectors.dense.onDisk", Want: "false", Got: "true"}},
		"replicas":     {"a node that is lost would take points along", func(s *store.Schema) { s.Replicas = 2 }, store.Drift{Kind: store.Replicas, Field: "replicas"}, v1alpha1.Drift{Path: "replicas", Want: "1", Got: "2"}},
	}
	w := newWorld(t, collections)
	url := v1alpha1.URL(qdrantServer(t, ""))
	for name, tc := range cases {
		for _, policy := range []v1alpha1.DriftPolicy{v1alpha1.DriftRepair, v1alpha1.DriftWarn} {
			t.Run(fmt.Sprintf("%s, %s", name, policy), func(t *testing.T) {
				w := &world{T: t, WithWatch: w.WithWatch, namespace: w.namespace, encoder: w.encoder, connect: w.connect}
				c := &v1alpha1.Collection{}
				c.Name = strings.ToLower(strings.ReplaceAll(name, " ", "-") + "-" + string(policy))
				c.Spec.Store, c.Spec.PayloadIndexes, c.Spec.Drift = serverAt(url), keyword("doc_type"), policy
				c.Spec.Vectors.Dense.Quantization = "Scalar"
				w.ExpectApplied(c)
				w.ExpectKstatus(c, status.CurrentStatus)
				s, err := w.connect.Store(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				spec := w.schema(c.Name, store.Index{Field: "doc_type", Type: "Keyword"})
				spec.Quantization = "Scalar"
				other := spec
				tc.change(&other)
				states := w.Record(&v1alpha1.CollectionList{})
				if err := s.Repair(t.Context(), c.Status.Physical, other, []store.Drift{tc.drift}); err != nil {
					t.Fatal(err)
				}
				if policy == v1alpha1.DriftWarn {
					w.ExpectCondition(c, v1alpha1.DegradedCondition, yes, v1alpha1.DriftDetectedReason, tc.want.Path)
					w.ExpectKstatus(c, status.CurrentStatus)
				} else {
					w.ExpectEvent(c, normal, v1alpha1.DriftRepairedReason)
					w.ExpectKstatus(c, status.CurrentStatus)
					w.expectReported(states(), []v1alpha1.Drift{tc.want})
				}
				_, drift, err := s.Inspect(t.Context(), c.Status.Physical, spec)
				if mended := len(drift) == 0; err != nil || mended != (policy == v1alpha1.DriftRepair) {
					t.Errorf("%s: under %s the store has %v: %v", tc.reason, policy, drift, err)
				}
				if policy == v1alpha1.DriftWarn && !cmp.Equal(c.Status.Drift, []v1alpha1.Drift{tc.want}) {
					t.Errorf("status tells of %v", c.Status.Drift)
				}
				w.ExpectDeleted(c)
			})
		}
	}
}
