package main

import (
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// corpusSpec is as much of a Corpus' spec as refers to the other two kinds.
type corpusSpec struct {
	settings.Corpus
	CollectionRef struct {
		Name string `json:"name"`
	} `json:"collectionRef"`
}

// TestResourcesAgree checks what spans the three files of a sample: references,
// namespaces, and that every field of eligibility has a payload index.
func TestResourcesAgree(t *testing.T) {
	for _, s := range all() {
		for _, v := range s.variants() {
			t.Run(s.Dir+v, func(t *testing.T) {
				collection := read[settings.Collection](t, s, "collection.yaml", yaml.UnmarshalStrict)
				corpus := read[corpusSpec](t, s, "corpus"+v+".yaml", yaml.Unmarshal)
				golden := read[settings.GoldenSet](t, s, "goldenset"+v+".yaml", yaml.UnmarshalStrict)
				for _, n := range []string{collection.Metadata.Namespace, golden.Metadata.Namespace} {
					if n != corpus.Metadata.Namespace {
						t.Errorf("namespace %q beside %q", n, corpus.Metadata.Namespace)
					}
				}
				if corpus.Spec.CollectionRef.Name != collection.Metadata.Name {
					t.Errorf("collectionRef %q names no collection", corpus.Spec.CollectionRef.Name)
				}
				if !slices.Equal(corpus.Spec.Gate.GoldenSets, []string{golden.Metadata.Name}) {
					t.Errorf("gate names %v, the set is %q", corpus.Spec.Gate.GoldenSets, golden.Metadata.Name)
				}
				for _, f := range filtered(corpus.Spec.Eligibility) {
					if !slices.ContainsFunc(collection.Spec.PayloadIndexes, func(i settings.PayloadIndex) bool { return i.Field == f }) {
						t.Errorf("field %q has no payload index", f)
					}
				}
			})
		}
	}
}

// filtered lists the payload fields that an eligibility reads.
func filtered(e settings.Eligibility) []string {
	var out []string
	for _, c := range e.Constants {
		out = append(out, c.Field)
	}
	for _, i := range e.Identity {
		out = append(out, i.Field)
	}
	for _, q := range e.Question {
		out = append(out, q.Field)
	}
	if e.Validity != nil {
		out = append(out, e.Validity.From)
		if e.Validity.To != "" {
			out = append(out, e.Validity.To)
		}
	}
	return out
}
