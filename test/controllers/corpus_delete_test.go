package controllers

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/corpus"
	"github.com/hardgate-dev/hardgate/controllers/work"
)

// TestCorpusDeletion deletes a corpus, and what it refers to in any order.
func TestCorpusDeletion(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		policy v1alpha1.DeletionPolicy
		kept   bool
	}{
		"Delete": {"the points go with the object", v1alpha1.DeletionDelete, false},
		"Retain": {"the points stay", v1alpha1.DeletionRetain, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := served(t, func(d *desk) { d.corpus.Spec.DeletionPolicy = tc.policy })
			physical, alias := d.corpus.Status.Active.Collection, d.namespace+".rules"
			d.ExpectDeleted(d.corpus)
			d.ExpectGone(d.corpus)
			if _, ok := d.serving.Lookup(d.namespace, "rules"); ok {
				t.Error("it still serves")
			}
			if n := len(d.points(physical)); (n > 0) != tc.kept {
				t.Errorf("%d points are left: %s", n, tc.reason)
			}
			if target := d.aliasTarget(alias); (target != "") != tc.kept {
				t.Errorf("alias leads to %q: %s", target, tc.reason)
			}
		})
	}
}

// TestCorpusMadeAgain deletes a Corpus and applies it again at once, while what the
// first one owned is still there: no garbage collector runs here.
func TestCorpusMadeAgain(t *testing.T) {
	d := served(t)
	again := &v1alpha1.Corpus{ObjectMeta: metav1.ObjectMeta{Name: d.corpus.Name}, Spec: *d.corpus.Spec.DeepCopy()}
	d.ExpectDeleted(d.corpus)
	d.ExpectGone(d.corpus)
	d.corpus = again
	d.ExpectApplied(d.corpus)
	d.ExpectReady(1)
	d.ExpectEvent(d.corpus, normal, v1alpha1.LeftoversRemovedReason)
	d.ExpectAnswer("30 days")
}

// TestCorpusDeletionDuringIngest deletes a corpus whose documents are being read.
func TestCorpusDeletionDuringIngest(t *testing.T) {
	d := newDesk(t, everything()...)
	d.bucket.Hold(leave)
	d.apply()
	d.ExpectCorpus("it is being built", func(c *v1alpha1.Corpus) bool {
		return c.Status.Candidate != nil && c.Status.Candidate.Phase == v1alpha1.CandidateIngesting
	})
	physical := d.corpus.Status.Candidate.Collection
	d.ExpectDeleted(d.corpus)
	d.ExpectGone(d.corpus)
	if n := len(d.points(physical)); n > 0 {
		t.Errorf("%d points are left", n)
	}
}

// TestCorpusDoesNotHoldItsNamespace deletes first what leads to the store.
func TestCorpusDoesNotHoldItsNamespace(t *testing.T) {
	tap := newTap(t, "open sesame")
	key := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "qdrant"}, StringData: map[string]string{"api-key": "open sesame"}}
	d := served(t, func(d *desk) {
		d.ExpectApplied(key)
		d.collection.Spec.Store = v1alpha1.Store{Qdrant: &v1alpha1.QdrantStore{URL: tap.url, APIKeySecretRef: &v1alpha1.KeyReference{Name: "qdrant", Key: "api-key"}}}
	})
	d.ExpectDeleted(d.collection)
	d.ExpectDeleted(d.set)
	d.ExpectDeleted(key)
	d.ExpectDeleted(d.secret)
	if err := d.Delete(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: d.namespace}}); err != nil {
		t.Fatal(err)
	}
	d.ExpectDeleted(d.corpus) // as the namespace's controller would; there is none here
	d.ExpectGone(d.corpus)
	d.ExpectGone(d.collection)
}

// late is the corpus' reconciler by a clock that is some minutes ahead.
func late(w *world, mgr ctrl.Manager) error {
	w.corpora = &corpus.Reconciler{
		Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Connect: w.connect, Runtime: engine, Runner: work.New(w.ctx, 2), Serving: w.serving,
		Recorder: mgr.GetEventRecorder("corpus"), Clock: clocktesting.NewFakePassiveClock(time.Now().Add(3 * time.Minute)),
	}
	return w.corpora.SetupWithManager(mgr)
}

// TestCorpusOfAStoreThatIsGone deletes a namespace whose store can't be reached,
// as if it had been in that namespace.
func TestCorpusOfAStoreThatIsGone(t *testing.T) {
	tap := newTap(t, "")
	d := served(t, func(d *desk) { d.collection.Spec.Store = v1alpha1.Store{Qdrant: &v1alpha1.QdrantStore{URL: tap.url}} })
	tap.Cut(true)
	d.ExpectDeleted(d.corpus)
	d.ExpectEvent(d.corpus, warning, v1alpha1.StoreUnreachableReason)
	if err := d.Get(t.Context(), clientKey(d.corpus), d.corpus); err != nil {
		t.Fatalf("it went though its points could not be deleted: %v", err)
	}
	if err := d.Delete(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: d.namespace}}); err != nil {
		t.Fatal(err)
	}
	d.run(late)
	d.ExpectGone(d.corpus)
}
