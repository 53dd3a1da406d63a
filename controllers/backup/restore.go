package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/archive"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Restored is what a restore has put back.
type Restored struct {
	TakenAt metav1.Time      `json:"takenAt"`
	Corpora []RestoredCorpus `json:"corpora"`
}

// RestoredCorpus is one Corpus of it.
type RestoredCorpus struct {
	Name      string `json:"name"`
	Revision  int64  `json:"revision"`
	Documents int64  `json:"documents"`
	Chunks    int64  `json:"chunks"`
	// Withheld points are of documents that were erased since.
	Withheld int `json:"withheld,omitempty"`
}

// restore is one under way.
type restore struct {
	keeper  *Keeper
	subject subject
	corpora map[string]*restored // by the UID in the archive
	order   []*restored
	pending []store.Point
	digest  digest
}

// restored is a Corpus that is put back.
type restored struct {
	was      archive.Corpus
	status   v1alpha1.CorpusStatus
	corpus   *v1alpha1.Corpus
	erased   map[string]bool // documents
	withheld int
}

// Restore reads an archive into a Collection. Its Corpora have to be there, by the
// names of the archive, suspended and without a revision; what they serve is set by
// one write each, after the whole archive was read and what the store has was
// compared with it. Until then nothing sees the points, and if anything fails they
// are deleted again.
func (k *Keeper) Restore(ctx context.Context, name types.NamespacedName, in io.Reader) (Restored, error) {
	s, err := k.find(ctx, name)
	if err != nil {
		return Restored{}, err
	}
	a, err := archive.NewReader(in)
	if err != nil {
		return Restored{}, err
	}
	defer a.Close()
	m := a.Manifest
	if m.Model != s.Status.Model || m.Size != int(s.Spec.Vectors.Dense.Size) {
		return Restored{}, refused("the archive's vectors are of model %s with %d dimensions, Collection %q is for %s with %d", m.Model, m.Size, s.Name, s.Status.Model, s.Spec.Vectors.Dense.Size)
	}
	r := &restore{keeper: k, subject: s, corpora: map[string]*restored{}, digest: newDigest()}
	err = a.Each(archive.Handler{
		Corpus: func(c archive.Corpus) error { return r.admit(ctx, c) },
		Point:  func(p store.Point) error { return r.point(ctx, p) },
	})
	if err == nil {
		err = r.flush(ctx)
	}
	if err == nil {
		err = r.compare(ctx)
	}
	if err != nil {
		return Restored{}, errors.Join(err, r.undo(context.WithoutCancel(ctx)))
	}
	out := Restored{TakenAt: metav1.NewTime(m.TakenAt)}
	for _, c := range r.order {
		done, err := r.serve(ctx, c)
		if err != nil {
			return out, err
		}
		out.Corpora = append(out.Corpora, done)
	}
	return out, nil
}

// admit finds the Corpus that the archive's is to become.
func (r *restore) admit(ctx context.Context, was archive.Corpus) error {
	c := &v1alpha1.Corpus{}
	err := r.keeper.Reader.Get(ctx, types.NamespacedName{Namespace: r.subject.Namespace, Name: was.Name}, c)
	switch {
	case apierrors.IsNotFound(err):
		return refused("the archive has Corpus %q, which doesn't exist here: apply it with spec.suspend: true first", was.Name)
	case err != nil:
		return fmt.Errorf("read Corpus %q: %w", was.Name, err)
	case string(c.Spec.CollectionRef.Name) != r.subject.Name:
		return refused("Corpus %q refers to Collection %q, not to %q", c.Name, c.Spec.CollectionRef.Name, r.subject.Name)
	case !c.Spec.Suspend || c.Status.ObservedGeneration != c.Generation:
		return refused("Corpus %q is not suspended: set spec.suspend to true, so that nothing is read meanwhile", c.Name)
	case c.Status.Active != nil || c.Status.Candidate != nil:
		return refused("Corpus %q has a revision already: what serves is never overwritten. Restore into a Corpus that was applied with spec.suspend: true from the beginning", c.Name)
	}
	x := &restored{was: was, corpus: c, erased: map[string]bool{}}
	if err := json.Unmarshal(was.Status, &x.status); err != nil || x.status.Active == nil {
		return errors.Join(refused("the archive says of Corpus %q nothing that could serve", was.Name), err)
	}
	for _, e := range slices.Concat(c.Status.Erased, x.status.Erased) {
		x.erased[e.Document] = true
	}
	if err := r.ledger(x).Retire(ctx); err != nil { // what an earlier restore left
		return err
	}
	r.corpora[was.UID] = x
	r.order = append(r.order, x)
	return nil
}

// point takes one in under the UID that its Corpus has here.
func (r *restore) point(ctx context.Context, p store.Point) error {
	o := own(p.Payload)
	x := r.corpora[text(o, "corpus")]
	if x == nil {
		return fmt.Errorf("%w: point %s is of a corpus that the archive doesn't describe", archive.ErrDamaged, p.ID)
	}
	if x.erased[text(o, "document")] {
		x.withheld++
		return nil
	}
	o["corpus"] = string(x.corpus.UID)
	if err := r.digest.add(p); err != nil {
		return err
	}
	r.pending = append(r.pending, p)
	if len(r.pending) < batch {
		return nil
	}
	return r.flush(ctx)
}

// batch is how many points are written at a time.
const batch = 256

func (r *restore) flush(ctx context.Context) error {
	err := r.subject.store.Upsert(ctx, r.subject.Status.Physical, r.pending)
	r.pending = r.pending[:0]
	return err
}

func (r *restore) ledger(x *restored) ledger {
	return r.keeper.Runtime.Ledger(assembly.Place{Store: r.subject.store, Collection: r.subject.Status.Physical, Corpus: string(x.corpus.UID)})
}

// ledger is what a restore asks of a corpus' part of a collection.
type ledger interface {
	Retire(ctx context.Context) error
	Count(ctx context.Context, n int64) (int, error)
	Points(ctx context.Context, n int64) (int, error)
}

// undo deletes what was written of an archive that can't be restored.
func (r *restore) undo(ctx context.Context) error {
	var errs []error
	for _, x := range r.order {
		if err := r.ledger(x).Retire(ctx); err != nil {
			errs = append(errs, fmt.Errorf("what was restored of Corpus %q could not be deleted again; nothing serves it: %w", x.corpus.Name, err))
		}
	}
	return errors.Join(errs...)
}

// serve keeps a Corpus' revisions and receipts, and lets it serve.
func (r *restore) serve(ctx context.Context, x *restored) (RestoredCorpus, error) {
	active := x.status.Active
	out := RestoredCorpus{Name: x.corpus.Name, Revision: active.Revision, Withheld: x.withheld}
	for _, step := range []func(context.Context, *restored) error{r.revisions, r.receipts} {
		if err := step(ctx, x); err != nil {
			return out, err
		}
	}
	documents, err := r.ledger(x).Count(ctx, active.Revision)
	if err != nil {
		return out, err
	}
	chunks, err := r.ledger(x).Points(ctx, active.Revision)
	if err != nil {
		return out, err
	}
	if err := r.subject.store.SetAlias(ctx, assembly.Alias(r.subject.Namespace, x.corpus.Name), r.subject.Status.Physical); err != nil {
		return out, err
	}
	out.Documents, out.Chunks = int64(documents), int64(chunks)
	return out, r.promote(ctx, x, out)
}

func (r *restore) revisions(ctx context.Context, x *restored) error {
	for _, v := range x.was.Revisions {
		var s snapshot.Snapshot
		if err := json.Unmarshal(v.Snapshot, &s); err != nil {
			return fmt.Errorf("revision %d of the archive: %w", v.Number, err)
		}
		s.Collection = r.subject.Status.Physical
		removed, err := snapshot.Renew(ctx, r.keeper.Client, r.keeper.Reader, x.corpus, v.Number, s)
		if len(removed) > 0 {
			r.keeper.Recorder.Eventf(x.corpus, nil, corev1.EventTypeNormal, v1alpha1.LeftoversRemovedReason, "Restore", "removed what a deleted Corpus of this name had left: %d ControllerRevisions", len(removed))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *restore) receipts(ctx context.Context, x *restored) error {
	immutable := true
	owner := metav1.NewControllerRef(x.corpus, v1alpha1.GroupVersion.WithKind("Corpus"))
	for _, v := range x.was.Receipts {
		m := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: x.corpus.Namespace, Name: v.Name, OwnerReferences: []metav1.OwnerReference{*owner}, Labels: v.Labels, Annotations: v.Annotations,
			},
			Immutable: &immutable, Data: v.Data,
		}
		if err := r.keeper.Client.Create(ctx, m); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("restore receipt %q: %w", v.Name, err)
		}
	}
	return nil
}
