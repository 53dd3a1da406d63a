package durability

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

// documents is how many there are: enough that the last kill still finds some undone.
const documents = 48

// memo is a page about one item; two paragraphs, so that most have two chunks.
func memo(n int) []byte {
	f := &pdftest.File{Title: fmt.Sprintf("Memo %d", n)}
	p := f.A4()
	p.Text(60, 80, 18, pdftest.Bold, fmt.Sprintf("Memo %d", n))
	p.Text(60, 120, 11, pdftest.Regular, fmt.Sprintf("Item HG-%04d costs %d euros and weighs %d grams.", n, 10+n*7%90, 100+n*13))
	p.Text(60, 300, 18, pdftest.Bold, "Storage")
	p.Text(60, 340, 11, pdftest.Regular, fmt.Sprintf("It is kept in aisle %d of the northern hall, away from heat.", n%12))
	return f.Bytes()
}

func key(n int) string { return fmt.Sprintf("memos/memo-%03d.pdf", n) }

// desk is a corpus of memos in a namespace of its own.
type desk struct {
	*testing.T
	namespace string
	bucket    *bucket
	data      string // the manager's folder
	corpus    *v1alpha1.Corpus
}

// newDesk applies a corpus whose bucket takes a while for each object.
func newDesk(t *testing.T, pause time.Duration) *desk {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "durability-"}}
	if err := shared.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	d := &desk{T: t, namespace: ns.Name, bucket: newBucket(t, ns.Name, pause), data: filepath.Join(t.TempDir(), "data")}
	for n := range documents {
		d.bucket.put(t, key(n), memo(n))
	}
	d.corpus = &v1alpha1.Corpus{ObjectMeta: metav1.ObjectMeta{Name: "memos", Namespace: ns.Name}}
	d.corpus.Spec = v1alpha1.CorpusSpec{
		Interval: metav1.Duration{Duration: time.Hour}, CollectionRef: v1alpha1.ObjectReference{Name: "memos"},
		Source: v1alpha1.Source{S3: &v1alpha1.S3Source{
			Endpoint: v1alpha1.URL(d.bucket.wire.URL), Bucket: d.bucket.name, Prefix: "memos/", PathStyle: true, CredentialsSecretRef: &v1alpha1.ObjectReference{Name: "s3"},
		}},
		Gate: v1alpha1.Gate{GoldenSets: []v1alpha1.ObjectName{"memos"}},
	}
	set := &v1alpha1.GoldenSet{ObjectMeta: metav1.ObjectMeta{Name: "memos", Namespace: ns.Name}}
	set.Spec.Questions = []v1alpha1.GoldenQuestion{{
		Name: "price", Class: "ExactID", Question: "What does item HG-0007 cost?",
		Expect: v1alpha1.Expectation{Status: "Answered", Evidence: []v1alpha1.Evidence{"memo-007"}, Facts: []v1alpha1.Fact{{AnyOf: []v1alpha1.Wording{"59 euros"}}}},
	}}
	for _, o := range []client.Object{
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s3", Namespace: ns.Name}, Data: map[string][]byte{v1alpha1.AccessKeyIDKey: []byte(s3test.Access), v1alpha1.SecretAccessKeyKey: []byte(s3test.Secret)}},
		&v1alpha1.Collection{ObjectMeta: metav1.ObjectMeta{Name: "memos", Namespace: ns.Name}, Spec: v1alpha1.CollectionSpec{Store: v1alpha1.Store{Embedded: &v1alpha1.EmbeddedStore{}}}},
		set, d.corpus,
	} {
		if err := shared.Create(t.Context(), o); err != nil {
			t.Fatalf("create %T: %v", o, err)
		}
	}
	t.Cleanup(d.retire)
	return d
}

// retire takes the corpus out of later managers' way; nobody is there to finish it.
func (d *desk) retire() {
	for _, o := range []client.Object{&v1alpha1.Corpus{}, &v1alpha1.Collection{}, &v1alpha1.GoldenSet{}} {
		o.SetNamespace(d.namespace)
		o.SetName("memos")
		_ = shared.Patch(d.cleanupContext(), o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`))) // it may have none
		if err := client.IgnoreNotFound(shared.Delete(d.cleanupContext(), o)); err != nil {
			d.Errorf("delete %T: %v", o, err)
		}
	}
}

// ready waits until all documents serve.
func (d *desk) ready(p *process) {
	d.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		if err := shared.Get(d.Context(), client.ObjectKeyFromObject(d.corpus), d.corpus); err != nil {
			d.Fatal(err)
		}
		st := d.corpus.Status
		if st.Active != nil && st.Candidate == nil && meta.IsStatusConditionTrue(st.Conditions, v1alpha1.ReadyCondition) {
			return
		}
		if time.Now().After(deadline) {
			text, err := json.MarshalIndent(st, "", " ")
			d.Fatalf("not Ready within %s: %s (%v)\n%s", patience, text, err, p.tail())
		}
	}
}

// stored is everything in the folder's collection, read while no manager runs.
type stored struct {
	points map[string]store.Record
}

func (d *desk) read() stored {
	d.Helper()
	out := stored{points: map[string]store.Record{}}
	s, err := embedded.Open(embedded.Options{Dir: filepath.Join(d.data, "store")})
	if err != nil {
		d.Fatalf("what a kill left can't be opened: %v", err)
	}
	defer s.Close()
	c, err := store.Connect(d.Context(), store.Config{Embedded: s})
	if err != nil {
		d.Fatal(err)
	}
	defer c.Close()
	coll := &v1alpha1.Collection{}
	if err := shared.Get(d.Context(), client.ObjectKeyFromObject(d.corpus), coll); err != nil {
		d.Fatal(err)
	}
	if coll.Status.Physical == "" {
		return out // not even named yet
	}
	for r, err := range c.Scroll(d.Context(), coll.Status.Physical, nil, store.AllFields(), true) {
		if store.IsNotFound(err) {
			return out
		}
		if err != nil {
			d.Fatal(err)
		}
		out.points[r.ID] = r
	}
	return out
}

func own(r store.Record) map[string]any {
	o, _ := r.Payload[store.Own].(map[string]any)
	return o
}

// committed are the keys that have a record: what was acknowledged.
func (s stored) committed() []string {
	keys := map[string]bool{}
	for _, r := range s.points {
		if o := own(r); o["kind"] == "document" {
			keys[fmt.Sprint(o["key"])] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// faults are points that stand twice, or that belong to no record.
func (s stored) faults() []string {
	var out []string
	records, seen := map[string]int{}, map[string]int{}
	for _, r := range s.points {
		o := own(r)
		if o["kind"] == "document" {
			records[fmt.Sprint(o["key"], o["from"])]++
		}
		seen[fmt.Sprint(o["kind"], " ", o["key"], " ", o["passage"], " ", o["piece"], " ", o["from"])]++
	}
	for what, n := range seen {
		if n > 1 {
			out = append(out, fmt.Sprintf("%d times: %s", n, what))
		}
	}
	for _, r := range s.points {
		if o := own(r); records[fmt.Sprint(o["key"], o["from"])] != 1 {
			out = append(out, fmt.Sprintf("an orphan: %v of %v, generation %v", o["kind"], o["key"], o["from"]))
		}
	}
	slices.Sort(out)
	return out
}

// texts are the points without what differs between two corpora of the same
// documents: whose they are, and the versions by which the bucket names its objects.
func (s stored) texts(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, r := range s.points {
		o := own(r)
		delete(o, "corpus")
		if record, ok := o["record"].(string); ok {
			var fields map[string]any
			if err := json.Unmarshal([]byte(record), &fields); err != nil {
				t.Fatal(err)
			}
			maps.DeleteFunc(fields, func(k string, _ any) bool { return strings.EqualFold(k, "version") })
			o["record"] = fields
		}
		text, err := json.Marshal([]any{r.Payload, r.Dense, r.Sparse})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	slices.Sort(out)
	return out
}
