package controllers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

const manifest = "metadata.jsonl"

// fieldsOf are what the manifest says of a paper, with changes.
func fieldsOf(change map[string]any) map[string]any {
	f := map[string]any{"status": "published", "groups": []string{"desk", "board"}, "customer": "north", "valid_from": "2020-01-01", "valid_to": "2090-01-01"}
	for k, v := range change {
		f[k] = v
	}
	return f
}

// describe writes the manifest: all papers alike, but remote.pdf with changes.
func (d *desk) describe(change map[string]any) {
	d.Helper()
	var out strings.Builder
	for key := range papers() {
		f := fieldsOf(nil)
		if key == remote {
			f = fieldsOf(change)
		}
		f["key"] = key
		line, err := json.Marshal(f)
		if err != nil {
			d.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n", line)
	}
	d.bucket.Put(manifest, []byte(out.String()))
}

// permitted is a desk whose papers are for groups of a customer for a time.
func permitted(d *desk) {
	d.describe(nil)
	d.collection.Spec.PayloadIndexes = append(keyword("doc_type", "status", "groups", "customer"),
		v1alpha1.PayloadIndex{Field: "valid_from", Type: "Datetime"}, v1alpha1.PayloadIndex{Field: "valid_to", Type: "Datetime"})
	d.corpus.Spec.Documents.Metadata = []v1alpha1.MetadataRule{{Manifest: manifest}}
	d.corpus.Spec.Eligibility = &v1alpha1.Eligibility{
		Constants: []v1alpha1.ConstantRule{{Field: "status", Values: []v1alpha1.Text{"published"}}},
		Identity:  []v1alpha1.IdentityRule{{Field: "groups", Claim: "groups"}, {Field: "customer", Claim: "tenant"}},
		Validity:  &v1alpha1.Validity{From: "valid_from", To: "valid_to"},
	}
	for i := range d.set.Spec.Questions {
		d.set.Spec.Questions[i].As = &v1alpha1.Asker{Tenant: "north", Groups: []v1alpha1.Text{"desk"}}
	}
}

// held are the values of a field by the generations of remote.pdf's chunks in which
// they are stored.
func (d *desk) heldBy(field string) map[int64]any {
	d.Helper()
	out := map[int64]any{}
	for _, p := range d.points(d.corpus.Status.Active.Collection) {
		own, _ := p[store.Own].(map[string]any)
		if from, _ := own["from"].(int64); own["key"] == remote && own["kind"] == "chunk" {
			out[from] = p[field]
		}
	}
	return out
}

// TestCorpusWithdrawal takes permissions away while the gate is red, and while
// deletions are withheld: each is gone at once from every revision that is kept,
// though what took it away is kept out.
func TestCorpusWithdrawal(t *testing.T) {
	for name, tc := range map[string]struct {
		field string
		to    any
		want  any
	}{
		"fewer groups":       {"groups", []string{"board"}, []any{"board"}},
		"another customer":   {"customer", "south", []any{}},
		"a shorter validity": {"valid_to", "2021-01-01", "2021-01-01"},
		"withdrawn":          {"status", "withdrawn", []any{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := served(t, permitted)
			d.describe(map[string]any{"note": "a second generation"})
			d.ExpectReady(2)
			d.bucket.Put(leave, page("Annual leave", "Nothing is said of it.")) // the gate is red
			d.ExpectCondition(d.corpus, v1alpha1.CandidateRejectedCondition, yes, v1alpha1.GoldenSetFailedReason)
			refused := d.corpus.Status.Candidate.Revision
			d.describe(map[string]any{"note": "a second generation", tc.field: tc.to})
			d.ExpectCorpus("it is refused again", func(c *v1alpha1.Corpus) bool {
				return c.Status.Candidate != nil && c.Status.Candidate.Revision > refused && c.Status.Candidate.Phase == v1alpha1.CandidatePhaseRejected
			})
			got := d.heldBy(tc.field)
			if diff := cmp.Diff(map[int64]any{1: tc.want, 2: tc.want}, map[int64]any{1: got[1], 2: got[2]}); diff != "" {
				t.Errorf("in the kept revisions, by generation (-want +got):\n%s", diff)
			}
			d.ExpectServing(2)
			d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason)
			d.ExpectEvent(d.corpus, normal, "Withdrawn")
		})
	}
}

// TestCorpusWithdrawalOfTheWithheld takes a permission away from a document that is
// gone from the source, and whose deletion is withheld.
func TestCorpusWithdrawalOfTheWithheld(t *testing.T) {
	d := served(t, permitted)
	d.lose()
	d.expectWithheld("2 of 3")
	d.ExpectSettled(1, 3)
	if diff := cmp.Diff(map[int64]any{1: []any{"desk", "board"}}, d.heldBy("groups")); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	d.describe(map[string]any{"groups": []string{"board"}})
	d.ExpectCorpus("the manifest is followed", func(c *v1alpha1.Corpus) bool { return c.Status.Active.Revision == 3 })
	if diff := cmp.Diff(map[int64]any{1: []any{"board"}}, d.heldBy("groups")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.expectWithheld("2 of 3")
}
