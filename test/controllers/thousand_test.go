package controllers

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// TestThousandObjects lists a bucket of a thousand objects again: a page of it, and
// nothing else. One that changed costs its own chunks.
func TestThousandObjects(t *testing.T) {
	const objects = 1000
	tap := newTap(t, "")
	d := newDesk(t, everything()...)
	d.collection.Spec.Store = serverAt(tap.url)
	d.corpus.Spec.Interval.Duration = time.Hour // by request alone
	var put sync.WaitGroup
	slots := make(chan struct{}, 8)
	for n := range objects - len(papers()) {
		put.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			d.bucket.Put(fmt.Sprintf("memo-%d.pdf", n), page(fmt.Sprintf("Memo %d", n), fmt.Sprintf("Item HG-%04d is kept in aisle %d.", n, n%7)))
		})
	}
	put.Wait()
	d.apply()
	d.ExpectCorpus("all are stored and serve", func(c *v1alpha1.Corpus) bool {
		return c.Status.Active != nil && c.Status.Active.Documents == objects && c.Status.Candidate == nil
	})
	d.ExpectReady(1)
	d.refresh(d.collection)
	time.Sleep(3 * interval) // what a promotion leaves to vacuum is vacuumed

	d.bucket.Forget()
	tap.Forget()
	listings := d.bucket.Listings()
	d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, "again")
	d.ExpectCorpus("it is listed again, and judged as it was asked for", func(c *v1alpha1.Corpus) bool {
		return c.Status.LastHandledReconcileAt == "again" && c.Status.Candidate == nil
	})
	if n := d.bucket.Listings() - listings; n != 1 || len(d.bucket.Fetches()) > 0 || len(tap.Writes()) > 0 {
		t.Errorf("an unchanged resync cost %d listings, fetches %v, writes %v", n, d.bucket.Fetches(), tap.Writes())
	}

	before := d.records(d.vectors())
	d.bucket.Put(leave, leaveOf(31))
	d.Annotate(d.corpus, v1alpha1.ReconcileRequestAnnotation, "changed")
	d.ExpectReady(2)
	if diff := cmp.Diff(map[string]int{leave: 1}, d.bucket.Fetches()); diff != "" {
		t.Errorf("one changed object costs its own reading (-want +got):\n%s", diff)
	}
	for id, p := range d.records(d.vectors()) {
		own, _ := p.Payload[store.Own].(map[string]any)
		if _, was := before[id]; !was && own["key"] != leave {
			t.Errorf("a point of %v was written anew", own["key"])
		}
	}
	if n := tap.Writes()["Upsert"]; n > 2 {
		t.Errorf("one changed object cost %d writes of points", n)
	}
}
