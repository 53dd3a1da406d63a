package controllers

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// TestCorpusInAnyOrder applies a corpus before everything that it refers to.
func TestCorpusInAnyOrder(t *testing.T) {
	d := newDesk(t, everything()...)
	adopted := make(chan bool, 1)
	d.bucket.onList = func() {
		c := &v1alpha1.Corpus{}
		c.Name, c.Namespace = d.corpus.Name, d.namespace
		err := d.Get(t.Context(), clientKey(c), c)
		select {
		case adopted <- err == nil && slices.Contains(c.Finalizers, v1alpha1.Finalizer):
		default:
		}
	}
	d.ExpectApplied(d.corpus)
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.CollectionNotFoundReason, `"hr"`)
	d.ExpectKstatus(d.corpus, status.InProgressStatus)
	d.ExpectApplied(d.collection)
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.SecretNotFoundReason, `"s3"`, "spec.source.s3.credentialsSecretRef")
	d.ExpectCondition(d.corpus, v1alpha1.SourceReachableCondition, no, v1alpha1.SecretNotFoundReason)
	d.ExpectKstatus(d.corpus, status.InProgressStatus)
	d.ExpectApplied(d.secret)
	d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, "now") // Secrets aren't watched
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.GoldenSetNotFoundReason, `"rules"`)
	d.ExpectKstatus(d.corpus, status.InProgressStatus)
	d.ExpectApplied(d.set)
	d.ExpectReady(1)

	if !<-adopted {
		t.Error("the source was listed before the finalizer was on record")
	}
	d.ExpectServing(1)
	d.ExpectAnswer("30 days")
	d.ExpectEvent(d.corpus, normal, v1alpha1.PromotedReason)
	s := d.corpus.Status
	if s.Source == nil || s.Source.Objects != 3 || s.Documents.Ingested != 3 || s.Active.Documents != 3 || s.Active.Points == 0 || s.LastHandledReconcileAt != "now" {
		t.Errorf("status is %+v", s)
	}
	if want := fmt.Sprintf("http://hardgate.test/v1/corpora/%s/rules/query", d.namespace); s.Endpoint != want {
		t.Errorf("endpoint is %q, want %q", s.Endpoint, want)
	}
	d.without(v1alpha1.ReconcilingCondition, v1alpha1.StalledCondition, v1alpha1.DegradedCondition, v1alpha1.CandidateRejectedCondition)
}

// TestCorpusAtRest lists an unchanged source again and again.
func TestCorpusAtRest(t *testing.T) {
	tap := newTap(t, "")
	d := served(t, func(d *desk) { d.collection.Spec.Store = v1alpha1.Store{Qdrant: &v1alpha1.QdrantStore{URL: tap.url}} })
	time.Sleep(2 * interval) // it is vacuumed, its points are counted
	d.bucket.Forget()
	listings := d.bucket.Listings()
	tap.Forget()
	const rest = 4 * interval
	d.ExpectRest(rest)
	if n := d.bucket.Listings() - listings; n < 2 || n > int(rest/interval)+1 {
		t.Errorf("%d listings in %s: an unchanged source costs one an interval", n, rest)
	}
	if n := d.bucket.Fetches(); len(n) > 0 {
		t.Errorf("an unchanged source was read: %v", n)
	}
	if w := tap.Writes(); len(w) > 0 {
		t.Errorf("a healthy corpus costs no write to the store: %v", w)
	}
}
