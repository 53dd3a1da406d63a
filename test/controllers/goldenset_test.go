package controllers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/answerkey"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

const sample = "../../config/samples/payroll"

// read decodes a file of the sample strictly.
func (w *world) read(file string, into client.Object) {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(sample, file))
	if err == nil {
		err = yaml.UnmarshalStrict(text, into)
	}
	if err != nil {
		w.Fatalf("read %s: %v", file, err)
	}
}

// bench is the payroll sample, with the test in place of the Corpus' reconciler.
type bench struct {
	*world
	collection *v1alpha1.Collection
	corpus     *v1alpha1.Corpus
	set        *v1alpha1.GoldenSet
}

// newBench applies the sample with fewer questions, and ingests its documents as
// revision 1.
func newBench(t *testing.T, questions ...string) *bench {
	t.Helper()
	b := &bench{world: newWorld(t, collections, goldenSets), collection: &v1alpha1.Collection{}, corpus: &v1alpha1.Corpus{}, set: &v1alpha1.GoldenSet{}}
	b.read("collection.yaml", b.collection)
	b.read("corpus.yaml", b.corpus)
	b.read("goldenset.yaml", b.set)
	b.narrow(questions...)
	b.ExpectApplied(b.collection, b.corpus, b.set)
	b.ExpectKstatus(b.collection, status.CurrentStatus)
	b.ExpectKstatus(b.set, status.CurrentStatus)
	return b
}

// narrow keeps these questions of the set, and nothing that speaks of others.
func (b *bench) narrow(questions ...string) {
	b.Helper()
	var kept []v1alpha1.GoldenQuestion
	for _, name := range questions {
		found := false
		for _, q := range b.set.Spec.Questions {
			if q.Name == name {
				kept, found = append(kept, q), true
			}
		}
		if !found {
			b.Fatalf("the sample has no question %q", name)
		}
	}
	b.set.Spec.Questions, b.set.Spec.RequireClasses, b.set.Spec.PerClass, b.set.Spec.Compare = kept, nil, nil, nil
}

func (b *bench) settings() settings.Corpus {
	b.Helper()
	spec, err := yaml.Marshal(b.corpus.Spec)
	if err != nil {
		b.Fatal(err)
	}
	s, err := settings.DecodeCorpus(spec)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func (b *bench) place() assembly.Place {
	return assembly.Place{Store: b.store(), Collection: b.collection.Status.Physical, Corpus: string(b.corpus.UID)}
}

// ingest builds a revision from the sample's documents, and keeps its snapshot.
func (b *bench) ingest(revision int64) snapshot.Snapshot {
	b.Helper()
	s := b.settings()
	d := source.Dir{Path: filepath.Join(sample, "documents")}
	in, err := engine.Ingester(b.Context(), b.place(), d, s, assembly.Terms{})
	if err != nil {
		b.Fatal(err)
	}
	manifests, err := in.Manifests()
	if err != nil {
		b.Fatal(err)
	}
	listing, err := source.List(b.Context(), d, assembly.Filter(s.Source), manifests)
	if err != nil {
		b.Fatal(err)
	}
	if sum, err := in.Run(b.Context(), listing, revision, func(int, int) {}); err != nil || sum.Failed > 0 {
		b.Fatalf("ingest: %+v: %v", sum, err)
	}
	b.Eventually("the points are counted", func() error { // counts are written at rest
		n, err := b.store().Count(b.Context(), b.collection.Status.Physical, nil, true)
		b.refresh(b.collection)
		if err == nil && b.collection.Status.Points != int64(n) {
			err = fmt.Errorf("%d of %d points", b.collection.Status.Points, n)
		}
		return err
	})
	hash, err := s.Hash()
	if err != nil {
		b.Fatal(err)
	}
	snap := snapshot.Snapshot{Settings: s, SourceRevision: listing.Revision, ConfigHash: hash, Collection: b.collection.Status.Physical, Generation: b.corpus.Generation}
	if err := snapshot.Save(b.Context(), b, b.corpus, revision, snap); err != nil {
		b.Fatal(err)
	}
	return snap
}

func (b *bench) freeze(snap snapshot.Snapshot) string {
	b.Helper()
	sets, err := answerkey.Load(b.Context(), b, b.namespace, b.corpus.Spec.Gate.GoldenSets)
	if err != nil {
		b.Fatal(err)
	}
	freeze, _, err := answerkey.Freeze(engine.Version(), snap, sets)
	if err != nil {
		b.Fatal(err)
	}
	return freeze
}

// publish asks for a verdict, as a Corpus does.
func (b *bench) publish(revision int64, freeze string) {
	b.Helper()
	b.ExpectStatus(b.corpus, func() {
		b.corpus.Status.Candidate = &v1alpha1.CandidateStatus{
			Revision: revision, Freeze: freeze, Phase: v1alpha1.CandidateVerifying, Collection: b.collection.Status.Physical,
			RequestedAt: metav1.NewTime(time.Now().Truncate(time.Second)),
		}
	})
}

// ExpectResult waits for a verdict on a freeze that was finished at or after an
// instant.
func (b *bench) ExpectResult(freeze string, since time.Time) v1alpha1.GoldenResult {
	b.Helper()
	var out v1alpha1.GoldenResult
	b.Eventually("a verdict", func() error {
		b.refresh(b.set)
		for _, r := range b.set.Status.Results {
			if r.Corpus == b.corpus.Name && r.Freeze == freeze && !r.FinishedAt.Time.Before(since.Truncate(time.Second)) {
				out = r
				return nil
			}
		}
		return fmt.Errorf("status is %+v", b.set.Status)
	})
	return out
}

func (b *bench) receipt(name string) (*corev1.ConfigMap, *evaluate.Receipt) {
	b.Helper()
	m := &corev1.ConfigMap{}
	if err := b.Get(b.Context(), types.NamespacedName{Namespace: b.namespace, Name: name}, m); err != nil {
		b.Fatal(err)
	}
	r, err := evaluate.DecodeReceipt([]byte(m.Data["receipt.json"]))
	if err != nil {
		b.Fatal(err)
	}
	return m, r
}

func TestGoldenSetAnswersACandidate(t *testing.T) {
	b := newBench(t, "april-headcount", "invoice-003-customer")
	if b.set.Status.Questions != 2 || b.set.Status.Hash == "" {
		t.Errorf("status is %+v", b.set.Status)
	}
	snap := b.ingest(1)
	freeze := b.freeze(snap)
	b.publish(1, freeze)

	r := b.ExpectResult(freeze, time.Time{})
	if !r.Passed || r.QuestionsPassed != 2 || r.Questions != 2 || r.Survival != "1.00" || r.Message != "" || len(r.Failures) > 0 {
		t.Errorf("result is %+v", r)
	}
	m, receipt := b.receipt(r.Receipt)
	if !metav1.IsControlledBy(m, b.corpus) || m.Immutable == nil || !*m.Immutable || receipt.Freeze != freeze || !receipt.Passed {
		t.Errorf("receipt %s: %+v", m.Name, m.ObjectMeta)
	}
	if want := fmt.Sprintf("payroll-payroll-1-%s", freeze[len("sha256:"):][:8]); m.Name != want {
		t.Errorf("the receipt is named %q, want %q", m.Name, want)
	}
	b.ExpectEvent(b.set, normal, "GoldenSetPassed")
	b.ExpectKstatus(b.set, status.CurrentStatus)
	if len(b.set.Status.Running) > 0 {
		t.Errorf("running: %v", b.set.Status.Running)
	}
	b.ExpectRest(time.Second)

	// The same freeze is not asked again unforced.
	b.ExpectStatus(b.corpus, func() { b.corpus.Status.Candidate.Progress = "0/1" })
	b.Annotate(b.set, "test", "visit")
	time.Sleep(time.Second)
	if again := b.ExpectResult(freeze, time.Time{}); again.Receipt != r.Receipt {
		t.Errorf("asked again: %+v", again)
	}

	// A request by annotation asks once more, and overwrites no receipt.
	time.Sleep(time.Until(r.FinishedAt.Add(time.Second)))
	b.Annotate(b.set, v1alpha1.ReconcileRequestAnnotation, "now")
	b.Eventually("the request is answered", func() error {
		b.refresh(b.set)
		if b.set.Status.LastHandledReconcileAt != "now" {
			return fmt.Errorf("status is %+v", b.set.Status)
		}
		return nil
	})
	forced := b.ExpectResult(freeze, r.FinishedAt.Add(time.Second))
	if _, first := b.receipt(r.Receipt); forced.Receipt != r.Receipt+"-2" || !forced.Passed || !first.TakenAt.Equal(receipt.TakenAt) {
		t.Errorf("result is %+v; the first receipt was taken at %s", forced, first.TakenAt)
	}
	b.ExpectRest(time.Second)

	// A Corpus that asks anew gets a new verdict, whatever its manager's clock says.
	since := time.Now().Add(time.Minute)
	b.ExpectStatus(b.corpus, func() { b.corpus.Status.Candidate.RequestedAt = metav1.NewTime(since.Truncate(time.Second)) })
	b.ExpectResult(freeze, since)
	b.ExpectKstatus(b.set, status.CurrentStatus)
	b.ExpectRest(time.Second)

	// A Corpus that no longer names the set takes its results along.
	b.refresh(b.corpus)
	b.corpus.Spec.Gate.GoldenSets = nil
	b.ExpectApplied(b.corpus)
	b.Eventually("its result is dropped", func() error {
		b.refresh(b.set)
		if len(b.set.Status.Results) > 0 {
			return fmt.Errorf("results: %+v", b.set.Status.Results)
		}
		return nil
	})
}

func TestGoldenSetKeepsTheNewestReceipts(t *testing.T) {
	b := newBench(t, "invoice-003-customer")
	b.ExpectStatus(b.corpus, func() {
		b.corpus.Status.Active = &v1alpha1.ActiveStatus{Revision: 1, Collection: b.collection.Status.Physical}
	})
	owner := metav1.NewControllerRef(b.corpus, v1alpha1.GroupVersion.WithKind("Corpus"))
	baseline, err := (&evaluate.Receipt{Schema: evaluate.ReceiptSchema}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for revision := 1; revision <= 12; revision++ {
		b.ExpectApplied(&corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprintf("old-%d", revision), OwnerReferences: []metav1.OwnerReference{*owner},
				Labels:      map[string]string{"rag.hardgate.dev/golden-set": "payroll", "rag.hardgate.dev/corpus": "payroll", "rag.hardgate.dev/revision": fmt.Sprint(revision)},
				Annotations: map[string]string{"rag.hardgate.dev/taken-at": fmt.Sprintf("2026-01-%02dT00:00:00.000000Z", revision)},
			},
			Data: map[string]string{"receipt.json": string(baseline)},
		})
	}
	freeze := b.freeze(b.ingest(13))
	b.publish(13, freeze)
	r := b.ExpectResult(freeze, time.Time{})
	var all corev1.ConfigMapList
	if err := b.List(t.Context(), &all, client.InNamespace(b.namespace), client.MatchingLabels{"rag.hardgate.dev/golden-set": "payroll"}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range all.Items {
		names = append(names, m.Name)
	}
	want := []string{r.Receipt, "old-1", "old-4", "old-5", "old-6", "old-7", "old-8", "old-9", "old-10", "old-11", "old-12"}
	slices.Sort(want)
	slices.Sort(names)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("the ten newest are kept, and that of the active revision (-want +got):\n%s", diff)
	}
}

func TestAnswerKeyLoad(t *testing.T) {
	b := newBench(t, "april-headcount")
	other := &v1alpha1.GoldenSet{ObjectMeta: metav1.ObjectMeta{Name: "access"}, Spec: *b.set.Spec.DeepCopy()}
	b.ExpectApplied(other)
	load := func(names ...v1alpha1.ObjectName) ([]evaluate.Set, error) {
		return answerkey.Load(t.Context(), b, b.namespace, names)
	}
	_, err := load("payroll", "absent")
	var wait *outcome.Wait
	if !errors.As(err, &wait) || wait.Reason != v1alpha1.GoldenSetNotFoundReason || !strings.Contains(wait.Message, `"absent"`) {
		t.Errorf("GitOps applies in any order, so an absent set is waited for: %v", err)
	}
	both, err := load("payroll", "access")
	if err != nil || len(both) != 2 || both[0].Name != "access" {
		t.Fatalf("sets are sorted by name, so that their order in the spec is no change: %v, %v", both, err)
	}
	one, err := load("payroll")
	if err != nil {
		t.Fatal(err)
	}
	base := snapshot.Snapshot{ConfigHash: "c", SourceRevision: "s"}
	freeze := func(version string, s snapshot.Snapshot, sets []evaluate.Set) string {
		f, in, err := answerkey.Freeze(version, s, sets)
		if err != nil || f != in.Freeze() {
			t.Fatalf("freeze %s of %+v: %v", f, in, err)
		}
		return f
	}
	seen := map[string]string{freeze("v1", base, one): "the base"}
	for what, f := range map[string]string{
		"version":       freeze("v2", base, one),
		"configuration": freeze("v1", snapshot.Snapshot{ConfigHash: "d", SourceRevision: "s"}, one),
		"source":        freeze("v1", snapshot.Snapshot{ConfigHash: "c", SourceRevision: "t"}, one),
		"questions":     freeze("v1", base, both),
	} {
		if was, ok := seen[f]; ok {
			t.Errorf("another %s has the freeze of %s", what, was)
		}
		seen[f] = what
	}
}

func TestGoldenSetNamesWhatFails(t *testing.T) {
	b := newBench(t, "april-headcount")
	sentences := int32(3)
	b.corpus.Spec.Pipeline.Compression = v1alpha1.Compression{Mode: "TopSentences", MaxSentences: &sentences}
	b.ExpectApplied(b.corpus)
	freeze := b.freeze(b.ingest(1))
	b.publish(1, freeze)

	r := b.ExpectResult(freeze, time.Time{})
	if r.Passed || len(r.Failures) == 0 || r.Survival == "1.00" || !strings.Contains(r.Message, "april-headcount") || !strings.Contains(r.Message, "ST0") {
		t.Errorf("a table that the compression ate passed, or its ids aren't named: %+v", r)
	}
	first := r.Failures[0]
	if first.Question != "april-headcount" || first.Stage != evaluate.StageCompression || first.Reason != evaluate.EntitiesLost {
		t.Errorf("first failure is %+v", first)
	}
	b.ExpectEvent(b.set, warning, v1alpha1.GoldenSetFailedReason)
	b.ExpectKstatus(b.set, status.CurrentStatus) // of the set, not of what it found
	b.ExpectRest(time.Second)
}

func TestGoldenSetFindsRegressions(t *testing.T) {
	b := newBench(t, "april-headcount", "invoice-003-customer")
	b.set.Spec.Thresholds = v1alpha1.Thresholds{Accuracy: "0", Completeness: "0", Survival: "0", Citations: "0"}
	b.set.Spec.Thresholds.ConfidentlyWrong = new(int32)
	*b.set.Spec.Thresholds.ConfidentlyWrong = 9
	b.ExpectApplied(b.set)
	b.ExpectKstatus(b.set, status.CurrentStatus)
	freeze := b.freeze(b.ingest(1))
	b.publish(1, freeze)
	b.ExpectResult(freeze, time.Time{})
	b.ExpectStatus(b.corpus, func() {
		b.corpus.Status.Candidate = nil
		b.corpus.Status.Active = &v1alpha1.ActiveStatus{Revision: 1, Freeze: freeze, Collection: b.collection.Status.Physical}
	})

	sentences := int32(3)
	b.corpus.Spec.Pipeline.Compression = v1alpha1.Compression{Mode: "TopSentences", MaxSentences: &sentences}
	b.ExpectApplied(b.corpus)
	second := b.freeze(b.ingest(2))
	b.publish(2, second)
	r := b.ExpectResult(second, time.Time{})
	if r.Passed || !strings.Contains(r.Message, "passed under sha256:") {
		t.Errorf("thresholds let the question fail, but the active revision passes it: %+v", r)
	}
}

func TestGoldenSetWaitsForTheRightFreeze(t *testing.T) {
	b := newBench(t, "april-headcount")
	snap := b.ingest(1)
	b.publish(1, "sha256:outdated")
	b.ExpectCondition(b.set, v1alpha1.ReconcilingCondition, yes, v1alpha1.VerifyingReason, "frozen anew")
	b.ExpectKstatus(b.set, status.InProgressStatus)
	b.ExpectRest(time.Second)
	if len(b.set.Status.Results)+len(b.set.Status.Running) > 0 {
		t.Errorf("something was asked: %+v", b.set.Status)
	}
	freeze := b.freeze(snap)
	b.publish(1, freeze)
	b.ExpectResult(freeze, time.Time{})
	b.ExpectKstatus(b.set, status.CurrentStatus)
}

func TestGoldenSetUnfinishedIsNoVerdict(t *testing.T) {
	b := newBench(t, "april-headcount")
	snap := b.ingest(1)
	freeze := b.freeze(snap)
	b.stop()
	if err := b.store().DropCollection(t.Context(), b.collection.Status.Physical, b.owner(b.collection.Name)); err != nil {
		t.Fatal(err)
	}
	b.run(goldenSets) // nobody makes the collection anew
	b.publish(1, freeze)
	b.ExpectCondition(b.set, v1alpha1.ReconcilingCondition, yes, v1alpha1.EvaluationIncompleteReason, "payroll", b.collection.Status.Physical)
	b.ExpectKstatus(b.set, status.InProgressStatus)
	b.ExpectEvent(b.set, warning, v1alpha1.EvaluationIncompleteReason)
	b.Eventually("it is tried again", func() error {
		b.refresh(b.set)
		if len(b.set.Status.Results) > 0 {
			t.Fatalf("a verdict came of it: %+v", b.set.Status.Results)
		}
		if len(b.set.Status.Running) != 1 || b.set.Status.Running[0].Attempts < 2 {
			return fmt.Errorf("running: %+v", b.set.Status.Running)
		}
		return nil
	})

	b.run(collections, goldenSets)
	b.ExpectEvent(b.collection, warning, v1alpha1.StoreLostReason)
	b.ExpectKstatus(b.collection, status.CurrentStatus)
	b.ingest(1)
	if r := b.ExpectResult(freeze, time.Time{}); !r.Passed && r.Questions == 0 {
		t.Errorf("result is %+v", r)
	}
}

func TestGoldenSetQuestionsKeptElsewhere(t *testing.T) {
	w := newWorld(t, goldenSets)
	set := &v1alpha1.GoldenSet{ObjectMeta: metav1.ObjectMeta{Name: "payroll"}}
	set.Spec.QuestionsFrom = &v1alpha1.QuestionsSource{ConfigMapRef: &v1alpha1.KeyReference{Name: "questions", Key: "list"}}
	set.Spec.RequireClasses = []v1alpha1.QuestionClass{"TableCount"}
	w.ExpectApplied(set)
	w.ExpectCondition(set, v1alpha1.ReadyCondition, no, v1alpha1.ConfigMapNotFoundReason, `"questions"`)
	w.ExpectKstatus(set, status.InProgressStatus)

	kept := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "questions"}}
	const count = "- {name: count, class: TableCount, question: How many, expect: {facts: [{anyOf: [twelve]}]}}\n"
	for _, step := range []struct {
		name, list, reason, text string
	}{
		{"no key", "", v1alpha1.ConfigMapNotFoundReason, `"list"`},
		{"blank", " \n", v1alpha1.EmptyGoldenSetReason, "proves nothing"},
		{"unreadable", "- {name: [", v1alpha1.GoldenSetInvalidReason, `"questions"`},
		{"not a field", "- {name: a, klass: Semantic}", v1alpha1.GoldenSetInvalidReason, "klass"},
		{"any answer would pass", "- {name: count, class: TableCount, question: How many}", v1alpha1.GoldenSetInvalidReason, "questions[0].expect"},
		{"a required class is missing", strings.ReplaceAll(count, "TableCount", "Semantic"), v1alpha1.GoldenSetInvalidReason, "requireClasses"},
		{"two of one name", count + count, v1alpha1.GoldenSetInvalidReason, "count"},
	} {
		kept.Data = map[string]string{"other": "x"}
		if step.list != "" {
			kept.Data = map[string]string{"list": step.list}
		}
		w.ExpectApplied(kept)
		w.ExpectCondition(set, v1alpha1.StalledCondition, yes, step.reason, step.text)
		if message := w.ExpectKstatus(set, status.FailedStatus); !strings.Contains(message, "payroll") {
			t.Errorf("%s: the message doesn't name the set: %s", step.name, message)
		}
	}

	kept.Data = map[string]string{"list": count}
	w.ExpectApplied(kept)
	w.ExpectKstatus(set, status.CurrentStatus)
	if set.Status.Questions != 1 {
		t.Errorf("questions: %d", set.Status.Questions)
	}
	w.ExpectRest(time.Second)
}
