package controllers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/connect"
	"github.com/hardgate-dev/hardgate/controllers/serving"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// restart ends the manager's process, as far as a test can, and starts another on
// the same store.
func (d *desk) restart() {
	d.Helper()
	d.stop()
	d.forget()
	d.run(everything()...)
}

// forget forgets all that a process knows.
func (d *desk) forget() {
	d.Helper()
	d.serving = serving.New()
	d.connect = &connect.Connector{Reader: d, Runtime: engine}
}

// TestCorpusAfterARestart serves at once, reads nothing and writes nothing.
func TestCorpusAfterARestart(t *testing.T) {
	d := served(t)
	d.stop()
	d.bucket.Forget()
	d.bucket.Cut(true) // what serves needs no source
	states := d.Record(&v1alpha1.CorpusList{})
	d.restart()
	began := time.Now()
	d.Eventually("it serves", func() error {
		if _, ok := d.ask(); !ok {
			return fmt.Errorf("not yet")
		}
		return nil
	})
	t.Logf("serves %s after the manager has started", time.Since(began).Round(time.Millisecond))
	d.ExpectAnswer("30 days")
	d.ExpectCondition(d.corpus, v1alpha1.SourceReachableCondition, no, v1alpha1.SourceUnreachableReason)
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason)
	d.bucket.Cut(false)
	d.ExpectReady(1)

	d.restart()
	written := len(states())
	listings := d.bucket.Listings()
	d.Eventually("it is listed", func() error {
		if d.bucket.Listings() < listings+2 {
			return fmt.Errorf("not yet")
		}
		return nil
	})
	if n := len(states()); n > written {
		t.Errorf("a restart with nothing to do cost %d writes", n-written)
	}
	if n := d.bucket.Fetches(); len(n) > 0 {
		t.Errorf("what is stored was fetched again: %v", n)
	}
	d.ExpectServing(1)
}

// TestCorpusKilledWhileIngesting ends the manager in the middle of an ingest.
func TestCorpusKilledWhileIngesting(t *testing.T) {
	undisturbed := served(t)
	want := undisturbed.chunks()

	d := newDesk(t, everything()...)
	release := d.bucket.Hold(travel) // the last: the others are committed before
	d.apply()
	d.Eventually("all others are committed", func() error {
		d.refresh(d.corpus)
		c := d.corpus.Status.Candidate
		if c == nil {
			return fmt.Errorf("no candidate yet")
		}
		records := 0
		for _, p := range d.points(c.Collection) {
			if own, _ := p[store.Own].(map[string]any); own["kind"] == "document" {
				records++
			}
		}
		if records < 2 || d.bucket.Fetches()[travel] == 0 {
			return fmt.Errorf("%d records, fetches %v", records, d.bucket.Fetches())
		}
		return nil
	})
	d.stop()
	release()
	d.bucket.Forget()
	d.forget()
	d.run(everything()...)
	d.ExpectReady(1)
	if diff := cmp.Diff(map[string]int{travel: 1}, d.bucket.Fetches()); diff != "" {
		t.Errorf("what was committed is fetched again (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, d.chunks()); diff != "" {
		t.Errorf("other points than without the kill (-want +got):\n%s", diff)
	}
	d.ExpectAnswer("30 days")
}

// chunks are the corpus' points without what differs between corpora.
func (d *desk) chunks() []string {
	d.Helper()
	var out []string
	for _, p := range d.points(d.corpus.Status.Active.Collection) {
		own, _ := p[store.Own].(map[string]any)
		delete(own, "corpus")
		delete(own, "record") // it has the version, by which the bucket names the object
		text, err := json.Marshal(p)
		if err != nil {
			d.Fatal(err)
		}
		out = append(out, string(text))
	}
	slices.Sort(out)
	return out
}

// TestCorpusStoreAway takes the store away from a process that serves, and from
// one that has just started.
func TestCorpusStoreAway(t *testing.T) {
	tap := newTap(t, "")
	d := served(t, func(d *desk) { d.collection.Spec.Store = v1alpha1.Store{Qdrant: &v1alpha1.QdrantStore{URL: tap.url}} })
	active := d.corpus.Status.Active.DeepCopy()
	tap.Cut(true)
	d.ExpectCondition(d.corpus, v1alpha1.ReconcilingCondition, yes, v1alpha1.StoreUnreachableReason, "the wire is cut")
	d.ExpectCondition(d.corpus, v1alpha1.ServingCondition, yes, v1alpha1.SucceededReason) // each question finds out for itself
	if a, ok := d.ask(); !ok || a.Status == rag.Answered {
		t.Errorf("%v: answered %q without a store", ok, a.Text)
	}
	d.restart()
	d.ExpectCondition(d.corpus, v1alpha1.ServingCondition, no, v1alpha1.StoreUnreachableReason, "revision 1", "the wire is cut")
	d.ExpectCondition(d.corpus, v1alpha1.ReadyCondition, no, v1alpha1.StoreUnreachableReason)
	if entry, ok := d.serving.Lookup(d.namespace, d.corpus.Name); !ok || entry.Asker != nil || !strings.Contains(entry.Reason, "the wire is cut") {
		t.Errorf("who asks isn't told why nothing serves: %v, %+v", ok, entry)
	}
	d.ExpectKstatus(d.corpus, status.InProgressStatus)
	tap.Cut(false)
	d.ExpectReady(1)
	d.ExpectAnswer("30 days")
	if diff := cmp.Diff(active, d.corpus.Status.Active); diff != "" {
		t.Errorf("a store that was away has lost nothing (-want +got):\n%s", diff)
	}
}
