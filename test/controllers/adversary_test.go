package controllers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/minio/minio-go/v7"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// TestCorpusRollbackOverADeletion rolls back behind a deletion that was approved, and
// goes forward by a change of the source: what was let through stays let through,
// and costs one revision.
func TestCorpusRollbackOverADeletion(t *testing.T) {
	d := served(t, func(d *desk) { leaveOnly(&d.set.Spec) })
	d.lose()
	d.expectWithheld("2 of 3")
	d.ExpectSettled(1, 3)
	d.Annotate(d.corpus, v1alpha1.ApproveDeletionsAnnotation, "2")
	d.ExpectSettled(1, 1)
	last := d.corpus.Status.Active.Revision
	d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
	d.expectRolledBack(1, last)
	d.ExpectStill(2)
	d.bucket.Put(leave, leaveOf(35))
	d.ExpectReady(last + 1)
	d.ExpectAnswer("35 days")
	if n := d.corpus.Status.Active.Documents; n != 1 {
		t.Errorf("%d documents serve: what was deleted with approval came back", n)
	}
	d.expectNothingWithheld()
}

// TestCorpusRollbackThroughAMove rolls back twice and moves the Collection: what was
// rolled back from is still held afterwards.
func TestCorpusRollbackThroughAMove(t *testing.T) {
	d := twice(t)
	d.bucket.Put(leave, leaveOf(33))
	d.ExpectReady(3)
	d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "2")
	d.expectRolledBack(2, 3)
	d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
	d.expectRolledBack(1, 3)
	tap := newTap(t, "")
	d.moveTo(serverAt(tap.url))
	d.ExpectMoved(string(tap.url))
	d.expectRolledBack(1, 3)
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.RolledBackReason) // and the alias is there
	d.Eventually("nothing is under way", func() error { return d.lacks(v1alpha1.ReconcilingCondition) })
	d.ExpectStill(2)
	d.ExpectAnswer("30 days")
}

// TestMoveOfASuspended moves the Collection of a suspended corpus: its copy is asked,
// and nothing is listed.
func TestMoveOfASuspended(t *testing.T) {
	d := served(t)
	d.change(func(s *v1alpha1.CorpusSpec) { s.Suspend = true })
	d.ExpectReady(1)
	listings := d.bucket.Listings()
	tap := newTap(t, "")
	d.moveTo(serverAt(tap.url))
	d.ExpectMoved(string(tap.url))
	d.ExpectServing(1)
	d.ExpectAnswer("30 days")
	if n := d.bucket.Listings() - listings; n > 0 {
		t.Errorf("a suspended corpus was listed %d times", n)
	}
}

// TestCorpusHistoryTold lowers the limit: what is no longer kept is no longer named,
// though a write at the same time may have made the visit that vacuumed it void.
func TestCorpusHistoryTold(t *testing.T) {
	d := twice(t)
	d.ExpectStill(2)
	d.change(func(s *v1alpha1.CorpusSpec) { s.RevisionHistoryLimit = new(int32) })
	d.ExpectCorpus("nothing is kept", func(c *v1alpha1.Corpus) bool { return len(c.Status.History) == 0 })
	d.Annotate(d.corpus, v1alpha1.RollbackAnnotation, "1")
	d.ExpectCondition(d.corpus, v1alpha1.DegradedCondition, yes, v1alpha1.RollbackRefusedReason, "kept are: none")
	d.ExpectReady(2)
}

// TestCorpusWithdrawalTakenBack takes a permission away while the gate is red and
// gives it back with the very source that serves: what serves was narrowed, and is
// built again as its source has it.
func TestCorpusWithdrawalTakenBack(t *testing.T) {
	d := served(t, permitted)
	back, err := d.read(manifest)
	if err != nil {
		t.Fatal(err)
	}
	d.unseen(func() {
		d.bucket.Put(leave, page("Annual leave", "Nothing is said of it."))
		d.describe(map[string]any{"groups": []string{"board"}})
	})
	d.ExpectCondition(d.corpus, v1alpha1.CandidateRejectedCondition, yes, v1alpha1.GoldenSetFailedReason)
	d.unseen(func() {
		d.bucket.Put(leave, leaveOf(30))
		d.bucket.Put(manifest, back)
	})
	d.ExpectCorpus("what the source says serves", func(c *v1alpha1.Corpus) bool { return c.Status.Active.Revision > 1 && c.Status.Candidate == nil })
	got := d.heldBy("groups")[d.corpus.Status.Active.Revision]
	if diff := cmp.Diff([]any{"desk", "board"}, got); diff != "" {
		t.Errorf("the permission that was given back (-want +got):\n%s", diff)
	}
	d.ExpectStill(2)
}

// read reads an object of the bucket.
func (d *desk) read(key string) ([]byte, error) {
	o, err := d.bucket.client.GetObject(d.Context(), d.bucket.name, keyPrefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return io.ReadAll(o)
}

// TestCorpusWithdrawalByOwnRules takes a permission away by which only the revision
// that serves admits: a newer spec, without that rule, was refused.
func TestCorpusWithdrawalByOwnRules(t *testing.T) {
	d := served(t, permitted)
	d.change(func(s *v1alpha1.CorpusSpec) {
		s.Eligibility.Identity = s.Eligibility.Identity[1:] // groups no longer matter
		s.Pipeline.Retrieval.Mode = "None"                  // never passes
	})
	d.ExpectCondition(d.corpus, v1alpha1.StalledCondition, yes, v1alpha1.GoldenSetFailedReason)
	refused := d.corpus.Status.Candidate.Revision
	d.describe(map[string]any{"groups": []string{"board"}})
	d.ExpectCorpus("it is refused again", func(c *v1alpha1.Corpus) bool {
		x := c.Status.Candidate
		return x != nil && x.Revision > refused && x.Phase == v1alpha1.CandidatePhaseRejected
	})
	d.ExpectServing(1)
	if diff := cmp.Diff([]any{"board"}, d.heldBy("groups")[1]); diff != "" {
		t.Errorf("in what serves (-want +got):\n%s", diff)
	}
}

// TestCorpusEraseInACopy erases while a move has failed, whose copy has the document
// too.
func TestCorpusEraseInACopy(t *testing.T) {
	d := served(t)
	tap := newTap(t, "")
	d.stop() // the set changes in the very moment of the move
	d.changeSet(func(s *v1alpha1.GoldenSetSpec) {
		s.Questions = append(s.Questions, answered("false", "How many cars has the company?", "travel", "17 cars"))
	})
	d.moveTo(serverAt(tap.url))
	d.forget()
	d.run(everything()...)
	d.ExpectCondition(d.collection, v1alpha1.StalledCondition, yes, v1alpha1.MigrationFailedReason)
	d.Annotate(d.corpus, v1alpha1.EraseAnnotation, "remote")
	d.ExpectCorpus("it is erased", func(c *v1alpha1.Corpus) bool { return len(c.Status.Erased) == 1 && c.Status.Erased[0].Receipt != "" })
	there, err := d.connect.At(t.Context(), d.collection, serverAt(tap.url), "")
	if err != nil {
		t.Fatal(err)
	}
	for id, p := range d.records(there) {
		if own, _ := p.Payload[store.Own].(map[string]any); own["document"] == "remote" {
			t.Errorf("the copy still has its %v, %s", own["kind"], id)
		}
	}
}

// TestCorpusDataFolder starts the manager on a data folder that isn't what it left:
// nothing of it is served, and the corpus is built again from its source.
func TestCorpusDataFolder(t *testing.T) {
	shared, data := engine, t.TempDir()
	t.Cleanup(func() { engine = shared })
	folder := filepath.Join(data, "store")
	engine = openOn(t, data)
	d := newDesk(t)
	d.encoder, d.connect.Runtime = engine, engine
	d.run(everything()...)
	d.apply()
	d.ExpectReady(1)
	revision := int64(1)
	for _, tc := range []struct {
		name, reason, says string
		spoil              func() error
	}{
		{"lost", "an empty volume was mounted", "made anew", func() error { return os.RemoveAll(folder) }},
		{"foreign", "somebody else's volume was mounted", "store.foreign", func() error {
			return errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "photo.jpg"), []byte("not ours"), 0o600))
		}},
		{"damaged", "a snapshot was cut off", "store.damaged", func() error { return cutSnapshot(folder) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d.stop()
			if err := engine.Close(); err != nil {
				t.Fatal(err)
			}
			if err := tc.spoil(); err != nil {
				t.Fatal(err)
			}
			states := d.Record(&v1alpha1.CorpusList{})
			engine = openOn(t, data)
			d.encoder = engine
			d.forget()
			d.run(everything()...)
			revision++
			d.ExpectReady(revision)
			d.expectTold(states, v1alpha1.ServingCondition, no, v1alpha1.StoreLostReason)
			d.Eventually(tc.reason+" is told", func() error { return d.told(v1alpha1.StoreLostReason, tc.says) })
			d.ExpectAnswer("30 days")
			if a := d.corpus.Status.Active; a.Documents != 3 || a.Points != 3 {
				t.Errorf("%s: active is %+v", tc.reason, a)
			}
		})
	}
	if got, err := os.ReadFile(filepath.Join(folder+".foreign", "photo.jpg")); err != nil || string(got) != "not ours" {
		t.Errorf("what isn't ours: %q, %v", got, err)
	}
	d.Annotate(d.corpus, v1alpha1.EraseAnnotation, "remote")
	d.ExpectCorpus("it is erased", func(c *v1alpha1.Corpus) bool { return len(c.Status.Erased) == 1 && c.Status.Erased[0].Receipt != "" })
	for path := range holding(t, data, "may work from home") {
		t.Errorf("%s holds a sentence that was erased", path)
	}
	d.stop()
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
}

// openOn opens a runtime whose embedded store is on disk.
func openOn(t *testing.T, data string) *assembly.Runtime {
	t.Helper()
	r, err := assembly.Open(assembly.Options{ModelDir: settings.ModelDir(os.Getenv), CacheDir: settings.EngineDir(os.Getenv), Version: "test", DataDir: data})
	if err != nil {
		t.Fatalf("open the runtime (run make setup): %v", err)
	}
	return r
}

// cutSnapshot cuts the last byte off the snapshot of a store's folder.
func cutSnapshot(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "snapshot-*"))
	if err != nil || len(names) != 1 {
		return fmt.Errorf("snapshots %q: %w", names, err)
	}
	info, err := os.Stat(names[0])
	if err != nil {
		return err
	}
	return os.Truncate(names[0], info.Size()-1)
}

// told is nil when an event of a reason holds a text.
func (d *desk) told(reason, text string) error {
	var all eventsv1.EventList
	if err := d.List(d.Context(), &all, client.InNamespace(d.namespace)); err != nil {
		return err
	}
	var seen []string
	for _, e := range all.Items {
		if e.Reason != reason {
			continue
		}
		if strings.Contains(e.Note, text) {
			return nil
		}
		seen = append(seen, e.Note)
	}
	return fmt.Errorf("no event %s tells of %q: %q", reason, text, seen)
}

// holding are the files below a folder that hold a text.
func holding(t *testing.T, dir, text string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			out[path] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
