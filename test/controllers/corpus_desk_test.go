package controllers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// interval of the corpora here: a rest of some seconds is several listings long.
const interval = time.Second

// The papers of a desk, each a page.
const (
	leave  = "leave.pdf"
	remote = "remote.pdf"
	travel = "travel.pdf"
)

// page prints a heading and a sentence.
func page(heading, sentence string) []byte {
	f := &pdftest.File{Title: heading}
	p := f.A4()
	p.Text(60, 80, 18, pdftest.Bold, heading)
	p.Text(60, 120, 11, pdftest.Regular, sentence)
	return f.Bytes()
}

// leaveOf says how long the annual leave is.
func leaveOf(days int) []byte {
	return page("Annual leave", fmt.Sprintf("Every employee has %d days of annual leave a year.", days))
}

func papers() map[string][]byte {
	return map[string][]byte{
		leave:  leaveOf(30),
		remote: page("Remote work", "Every employee may work from home on two days a week."),
		travel: page("Travel", "The company pays 45 euros a day for meals on a journey."),
	}
}

// asked is what is asked again and again.
const asked = "How many days of annual leave does every employee have?"

func answered(name, text, document, fact string) v1alpha1.GoldenQuestion {
	return v1alpha1.GoldenQuestion{
		Name: name, Class: "Semantic", Question: text,
		Expect: v1alpha1.Expectation{
			Status: "Answered", Evidence: []v1alpha1.Evidence{v1alpha1.Evidence(document)},
			Facts: []v1alpha1.Fact{{AnyOf: []v1alpha1.Wording{v1alpha1.Wording(fact)}}},
		},
	}
}

// desk is a corpus of three pages with everything that it refers to; nothing is
// applied yet.
type desk struct {
	*world
	bucket     *bucket
	secret     *corev1.Secret
	collection *v1alpha1.Collection
	set        *v1alpha1.GoldenSet
	corpus     *v1alpha1.Corpus
}

func newDesk(t *testing.T, kinds ...kind) *desk {
	t.Helper()
	d := &desk{world: newWorld(t, kinds...)}
	d.bucket = newBucket(t, d.namespace)
	for key, data := range papers() {
		d.bucket.Put(key, data)
	}
	d.secret = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s3"}, Data: map[string][]byte{v1alpha1.AccessKeyIDKey: []byte(s3test.Access), v1alpha1.SecretAccessKeyKey: []byte(s3test.Secret)}}
	d.collection = embeddedCollection("hr", "doc_type")
	d.set = &v1alpha1.GoldenSet{ObjectMeta: metav1.ObjectMeta{Name: "rules"}}
	d.set.Spec.Questions = []v1alpha1.GoldenQuestion{
		answered("leave", asked, "leave", "days"),
		answered("meals", "How much does the company pay for meals on a journey?", "travel", "45 euros"),
	}
	d.corpus = &v1alpha1.Corpus{ObjectMeta: metav1.ObjectMeta{Name: "rules"}}
	d.corpus.Spec = v1alpha1.CorpusSpec{
		Interval: metav1.Duration{Duration: interval}, CollectionRef: v1alpha1.ObjectReference{Name: "hr"},
		Source: v1alpha1.Source{S3: &v1alpha1.S3Source{
			Endpoint: v1alpha1.URL(d.bucket.wire.URL), Bucket: d.bucket.name, Prefix: keyPrefix, PathStyle: true, CredentialsSecretRef: &v1alpha1.ObjectReference{Name: "s3"},
		}},
		Gate: v1alpha1.Gate{GoldenSets: []v1alpha1.ObjectName{"rules"}},
	}
	return d
}

// served is a desk whose corpus is Ready in its first revision, after the changes.
func served(t *testing.T, change ...func(d *desk)) *desk {
	t.Helper()
	d := newDesk(t, everything()...)
	for _, f := range change {
		f(d)
	}
	d.apply()
	d.ExpectReady(1)
	return d
}

func (d *desk) apply() {
	d.Helper()
	d.ExpectApplied(d.secret, d.collection, d.set, d.corpus)
}

// change brings the corpus' spec to another state.
func (d *desk) change(f func(s *v1alpha1.CorpusSpec)) {
	d.Helper()
	d.refresh(d.corpus)
	f(&d.corpus.Spec)
	d.ExpectApplied(d.corpus)
}

// changeSet does so with the golden set.
func (d *desk) changeSet(f func(s *v1alpha1.GoldenSetSpec)) {
	d.Helper()
	d.refresh(d.set)
	f(&d.set.Spec)
	d.ExpectApplied(d.set)
}

// ExpectCorpus waits for a state of the corpus.
func (d *desk) ExpectCorpus(what string, holds func(c *v1alpha1.Corpus) bool) {
	d.Helper()
	d.Eventually(what, func() error {
		d.refresh(d.corpus)
		if holds(d.corpus) {
			return nil
		}
		u, err := d.raw(d.corpus)
		if err != nil {
			return err
		}
		return fmt.Errorf("\n%s", dump(u))
	})
}

// ExpectReady waits until a revision serves, is what is asked for, and nothing is
// under way; tools see that too.
func (d *desk) ExpectReady(revision int64) {
	d.Helper()
	d.ExpectCorpus(fmt.Sprintf("revision %d is Ready", revision), func(c *v1alpha1.Corpus) bool {
		return c.Status.ObservedGeneration == c.Generation && c.Status.Candidate == nil && c.Status.Active != nil && c.Status.Active.Revision == revision &&
			meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ReadyCondition) && meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ServingCondition)
	})
	d.ExpectKstatus(d.corpus, status.CurrentStatus)
}

// ExpectServing fails unless a revision serves now.
func (d *desk) ExpectServing(revision int64) {
	d.Helper()
	d.refresh(d.corpus)
	entry, _ := d.serving.Lookup(d.namespace, d.corpus.Name)
	if !meta.IsStatusConditionTrue(d.corpus.Status.Conditions, v1alpha1.ServingCondition) || entry.Asker == nil || entry.Revision != revision {
		d.Errorf("revision %d doesn't serve, but %d (%s); %+v", revision, entry.Revision, entry.Reason, d.corpus.Status.Conditions)
	}
}

// without asserts that a condition isn't there.
func (d *desk) without(kinds ...string) {
	d.Helper()
	d.refresh(d.corpus)
	for _, kind := range kinds {
		if c := meta.FindStatusCondition(d.corpus.Status.Conditions, kind); c != nil {
			d.Errorf("there still is %s: %s (%s)", kind, c.Reason, c.Message)
		}
	}
}

// ask asks what serves; false when nothing does.
func (d *desk) ask() (rag.Answer, bool) {
	d.Helper()
	entry, ok := d.serving.Lookup(d.namespace, d.corpus.Name)
	if !ok || entry.Asker == nil {
		return rag.Answer{}, false
	}
	a, _, err := entry.Asker.Ask(d.Context(), rag.Question{Text: asked, AsOf: time.Now()})
	if err != nil {
		return rag.Answer{Status: rag.NeedsHuman}, true
	}
	return a, true
}

// ExpectAnswer waits until what serves answers with these words: the status tells
// of a promotion a moment before the next visit hands it to the registry.
func (d *desk) ExpectAnswer(words string) {
	d.Helper()
	d.Eventually("an answer of what serves", func() error {
		if a, ok := d.ask(); !ok || a.Status != rag.Answered || !strings.Contains(a.Text, words) {
			return fmt.Errorf("asked, %v: %s %q, want %q", ok, a.Status, a.Text, words)
		}
		return nil
	})
}

// crowd asks again and again until the returned function is called, which fails
// on every answer that was given and holds none of the words, and if no question
// was answered at all.
func (d *desk) crowd(words ...string) (end func()) {
	d.Helper()
	over, done := make(chan struct{}), make(chan struct{})
	right := 0
	var wrong []string
	once := func() {
		a, ok := d.ask()
		switch {
		case !ok || a.Status != rag.Answered:
		case slices.ContainsFunc(words, func(w string) bool { return strings.Contains(a.Text, w) }):
			right++
		default:
			wrong = append(wrong, a.Text)
		}
	}
	once()
	go func() {
		defer close(done)
		for {
			select {
			case <-over:
				return
			case <-time.After(100 * time.Millisecond):
				once()
			}
		}
	}()
	return func() {
		d.Helper()
		close(over)
		<-done
		if right == 0 || len(wrong) > 0 {
			d.Errorf("%d right answers; wrong: %q", right, wrong)
		}
	}
}

// vectors is the store of the desk's collection.
func (d *desk) vectors() *store.Client {
	d.Helper()
	c, err := d.connect.Store(d.Context(), d.collection)
	if err != nil {
		d.Fatal(err)
	}
	return c
}

// ExpectStill fails if anything is written within so many intervals. Counts of
// points are written once before, when the documents have been read.
func (d *desk) ExpectStill(intervals int) {
	d.Helper()
	d.Eventually("the points are counted", func() error {
		d.refresh(d.collection)
		n, err := d.vectors().Count(d.Context(), d.collection.Status.Physical, nil, true)
		if err == nil && int64(n) != d.collection.Status.Points {
			err = fmt.Errorf("%d of %d points", d.collection.Status.Points, n)
		}
		return err
	})
	d.ExpectRest(time.Duration(intervals) * interval)
}

// points are what the store has of the corpus in a physical collection, by id.
func (d *desk) points(physical string) map[string]map[string]any {
	d.Helper()
	out := map[string]map[string]any{}
	f := &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchKeyword("hardgate.corpus", string(d.corpus.UID))}}
	for p, err := range d.vectors().Scroll(d.Context(), physical, f, store.AllFields(), false) {
		if err != nil {
			d.Fatal(err)
		}
		out[p.ID] = p.Payload
	}
	return out
}

// deletePoints deletes points of the corpus that meet these conditions too, as
// somebody with access to the store might.
func (d *desk) deletePoints(physical string, also ...*qdrant.Condition) {
	d.Helper()
	f := &qdrant.Filter{Must: append(also, qdrant.NewMatchKeyword("hardgate.corpus", string(d.corpus.UID)))}
	if err := d.vectors().DeletePoints(d.Context(), physical, store.ByFilter(f)); err != nil {
		d.Fatal(err)
	}
}
