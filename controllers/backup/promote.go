package backup

import (
	"context"
	"fmt"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/archive"
)

// promote lets a Corpus serve what was restored, by one write of its status. The
// verdict's freeze goes along: another program or other questions than the archive's
// have it verified again, as they do of any revision.
func (r *restore) promote(ctx context.Context, x *restored, done RestoredCorpus) error {
	before := x.corpus.DeepCopy()
	st, was := &x.corpus.Status, x.status
	here := func(a v1alpha1.ActiveStatus) v1alpha1.ActiveStatus {
		a.Collection, a.Generation = r.subject.Status.Physical, x.corpus.Generation
		return a
	}
	active := here(*was.Active)
	active.Ingested = max(0, active.Ingested-(active.Documents-done.Documents)) // without those that were erased since
	active.Documents, active.Points = done.Documents, done.Chunks
	st.Active, st.Documents, st.Gate = &active, was.Documents, was.Gate
	st.History = nil
	for _, h := range was.History {
		if h.Collection == was.Active.Collection && slices.ContainsFunc(x.was.Revisions, numbered(h.Revision)) {
			st.History = append(st.History, here(h))
		}
	}
	st.Erased = slices.Clone(st.Erased)
	for _, e := range was.Erased {
		if !slices.ContainsFunc(st.Erased, func(have v1alpha1.ErasedDocument) bool { return have.Document == e.Document }) {
			st.Erased = append(st.Erased, e)
		}
	}
	if err := r.keeper.Client.Status().Patch(ctx, x.corpus, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("let Corpus %q serve what was restored: %w", x.corpus.Name, err)
	}
	note := fmt.Sprintf("revision %d was restored: %d documents, %d chunks; set spec.suspend to false to have it go on", done.Revision, done.Documents, done.Chunks)
	r.keeper.Recorder.Eventf(x.corpus, nil, "Normal", "Restored", "Restore", "%s", note)
	return nil
}

// numbered finds a revision of the archive.
func numbered(n int64) func(archive.Revision) bool {
	return func(r archive.Revision) bool { return r.Number == n }
}
