package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// maxErased is the API's bound on tombstones.
const maxErased = 1000

// erase removes the documents that the annotation names, everywhere at once. The
// tombstone is on record before anything is deleted: from then on nothing builds
// the document again, and what it took with it is no loss.
func (r *Reconciler) erase(ctx context.Context, v *visit) error {
	st := &v.corpus.Status
	asked, err := documents(v.corpus.Annotations[v1alpha1.EraseAnnotation])
	if err != nil {
		v.degrade(v1alpha1.EraseRefusedReason, "annotation %s: %v", v1alpha1.EraseAnnotation, err)
		asked = nil
	}
	fresh := slices.DeleteFunc(slices.Clone(asked), func(d string) bool { return v.tombstone(d) != nil })
	if room := maxErased - len(st.Erased); len(fresh) > room {
		v.degrade(v1alpha1.EraseRefusedReason, "annotation %s names %d more documents than the %d tombstones that are kept: take names away whose objects are gone from the source", v1alpha1.EraseAnnotation, len(fresh)-room, maxErased)
		fresh = fresh[:room]
	}
	if len(fresh) > 0 {
		return r.bury(ctx, v, fresh)
	}
	if err == nil {
		v.lift(asked)
	}
	if len(v.erasing()) > 0 {
		return r.destroy(ctx, v)
	}
	if err := r.bar(v); err != nil { // as a process that has just started has to
		return err
	}
	r.Runner.Forget(eraseKey(v)) // its result is on record
	for _, e := range st.Erased {
		if len(e.Keys) > 0 {
			v.degrade(v1alpha1.ErasedReason, "document %q was erased and isn't read again, but the source still holds it: remove %s", e.Document, strings.Join(e.Keys, ", "))
		}
	}
	return nil
}

// documents reads the annotation: names separated by commas, or a JSON list of
// names, which may hold commas themselves.
func documents(value string) ([]string, error) {
	value = strings.TrimSpace(value)
	names := strings.Split(value, ",")
	if strings.HasPrefix(value, "[") {
		names = nil
		if err := json.Unmarshal([]byte(value), &names); err != nil {
			return nil, fmt.Errorf("a value that begins with [ must be a JSON list of names: %w", err)
		}
	}
	var out []string
	for _, n := range names {
		n = strings.TrimSpace(n)
		if strings.Contains(n, "#") {
			return nil, fmt.Errorf("%q is a passage: name its document, what stands before the #", clip(n, 80))
		}
		if n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}

func (v *visit) tombstone(document string) *v1alpha1.ErasedDocument {
	for i := range v.corpus.Status.Erased {
		if e := &v.corpus.Status.Erased[i]; e.Document == document {
			return e
		}
	}
	return nil
}

// erased are the documents that have a tombstone; erasing those of them that may
// still be stored somewhere.
func (v *visit) erased() []string {
	return v.buried(func(v1alpha1.ErasedDocument) bool { return true })
}
func (v *visit) erasing() []string {
	return v.buried(func(e v1alpha1.ErasedDocument) bool { return e.Receipt == "" })
}

func (v *visit) buried(which func(v1alpha1.ErasedDocument) bool) []string {
	var out []string
	for _, e := range v.corpus.Status.Erased {
		if which(e) {
			out = append(out, e.Document)
		}
	}
	return out
}

// bury writes the tombstones, after ending whatever reads documents, and takes the
// documents off the counts by which a loss is noticed.
func (r *Reconciler) bury(ctx context.Context, v *visit, fresh []string) error {
	st := &v.corpus.Status
	for _, key := range []string{ingestKey(v), eraseKey(v)} {
		if err := r.Runner.Cancel(ctx, key); err != nil {
			return err
		}
	}
	counted := make([]*v1alpha1.ActiveStatus, 0, len(st.History)+1)
	for i := range st.History {
		counted = append(counted, &st.History[i])
	}
	if st.Active != nil {
		counted = append(counted, st.Active)
	}
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	for _, a := range counted {
		share, err := r.Runtime.Ledger(v.place(a.Collection)).Share(ctx, a.Revision, fresh)
		if err != nil && store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
		}
		a.Documents, a.Points = a.Documents-int64(share.Records), a.Points-int64(share.Chunks)
		a.Ingested = max(0, a.Ingested-int64(share.Ingested)) // 0 of a revision that was promoted before it was counted
	}
	for _, d := range fresh {
		st.Erased = append(st.Erased, v1alpha1.ErasedDocument{Document: d, RequestedAt: stamp(v.now)})
	}
	if v.held() {
		st.Candidate.SourceRevision = tombstoned(st.Candidate.SourceRevision, st.Erased)
	}
	if st.Rollback != nil && st.Rollback.Held != nil {
		st.Rollback.Held.SourceRevision = tombstoned(st.Rollback.Held.SourceRevision, st.Erased)
	}
	return outcome.Waiting(recorded, v1alpha1.ErasingReason, "erasing %s", strings.Join(fresh, ", "))
}

// lift takes away the tombstones of documents that the annotation no longer names,
// if a revision was built since and the source had no object of that name.
func (v *visit) lift(asked []string) {
	st := &v.corpus.Status
	st.Erased = slices.DeleteFunc(st.Erased, func(e v1alpha1.ErasedDocument) bool {
		return e.Receipt != "" && e.BuiltRevision > 0 && len(e.Keys) == 0 && !slices.Contains(asked, e.Document)
	})
	if len(st.Erased) == 0 {
		st.Erased = nil
	}
}

// bar keeps contexts that quote an erased document from being kept.
func (r *Reconciler) bar(v *visit) error {
	all := v.erased()
	if slices.Equal(all, v.seen.barred) {
		return nil
	}
	if _, err := r.Runtime.Bar(string(v.corpus.UID), all); err != nil {
		return err
	}
	v.seen.barred = all
	return nil
}

// passedOver notes which erased documents the source still has.
func (v *visit) passedOver(revision int64, sum ingest.Summary) {
	for i := range v.corpus.Status.Erased {
		e := &v.corpus.Status.Erased[i]
		keys := sum.Erased[e.Document]
		e.Keys, e.BuiltRevision = slices.Clone(keys[:min(len(keys), maxFailures)]), revision
	}
}

// destroy runs the erasure as a job, and takes its proof.
func (r *Reconciler) destroy(ctx context.Context, v *visit) error {
	key := eraseKey(v)
	pending := strings.Join(v.erasing(), ", ")
	s, there := r.Runner.Look(key)
	switch {
	case !there && v.seen.erasure.left(v.now) > 0:
		return outcome.Waiting(v.seen.erasure.left(v.now), v1alpha1.ErasingReason, "erasing %s: %v", pending, v.seen.erasure.err)
	case !there:
		job, err := r.erasure(ctx, v)
		if err != nil {
			return err
		}
		r.Runner.Start(key, v.corpus.DeepCopy(), job.run)
		return outcome.Waiting(0, v1alpha1.ErasingReason, "erasing %s", pending)
	case s.Running:
		return outcome.Waiting(0, v1alpha1.ErasingReason, "erasing %s", pending)
	}
	v.seen.erasure.note(s.Err, v.now)
	if s.Err != nil {
		r.Runner.Forget(key)
		return outcome.Waiting(v.seen.erasure.left(v.now), v1alpha1.ErasingReason, "erasing %s: %v", pending, s.Err)
	}
	done := s.Result.(*ErasureReceipt)
	for _, d := range done.Documents {
		if e := v.tombstone(d); e != nil {
			e.Receipt = done.name
		}
	}
	v.seen.absenceOf = ""
	v.event(normal, v1alpha1.ErasedReason, "erased %s: %d points deleted, none left; receipt %s", strings.Join(done.Documents, ", "), done.deleted(), done.name)
	if done.deleted() == 0 {
		v.event(warning, v1alpha1.ErasedReason, "nothing was stored of %s: are these the documents' names, id[-revision], as in evidence?", strings.Join(done.Documents, ", "))
	}
	return outcome.Waiting(recorded, v1alpha1.ErasingReason, "erased %s", strings.Join(done.Documents, ", "))
}

func eraseKey(v *visit) string { return "erase/" + string(v.corpus.UID) }

// everywhere are the physical collections that may hold points of the corpus.
func (v *visit) everywhere() []string {
	out := v.collections(v.collection)
	for _, h := range v.corpus.Status.History {
		out = append(out, h.Collection)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// erasure gathers what the job needs of the visit.
func (r *Reconciler) erasure(ctx context.Context, v *visit) (*erasure, error) {
	e := &erasure{Reconciler: r, corpus: v.corpus.DeepCopy(), documents: v.erasing(), all: v.erased(), store: "qdrant"}
	if v.collection.Place() == v1alpha1.EmbeddedPlace {
		e.store = "embedded"
	}
	for _, c := range v.everywhere() {
		e.places = append(e.places, v.place(c))
	}
	e.aside = r.aside(ctx, v)
	a := v.corpus.Status.Active
	if a == nil || v.lost != "" {
		return e, nil
	}
	s, terms, err := r.terms(ctx, v, a)
	if err != nil {
		return nil, err
	}
	if e.prober, err = r.Runtime.Prober(v.place(a.Collection), a.Revision, s.Settings, terms); err != nil {
		return nil, fmt.Errorf("revision %d: %w", a.Revision, err)
	}
	e.revision = a.Revision
	return e, nil
}

// aside is the store that a move of the Collection copies to, or has left; nil when
// there is none.
func (r *Reconciler) aside(ctx context.Context, v *visit) *aside {
	m := v.collection.Status.Migration
	if m == nil || m.Same {
		return nil
	}
	other := &m.Target
	if m.Phase == v1alpha1.MigrationLeaving {
		other = m.From
	}
	if other == nil {
		return nil
	}
	out := &aside{place: other.Place(), copying: m.Phase == v1alpha1.MigrationCopying}
	if out.store, out.err = r.Connect.At(ctx, v.collection, *other, "status.migration"); out.err != nil {
		return out
	}
	for _, c := range v.everywhere() {
		out.places = append(out.places, assembly.Place{Store: out.store, Collection: c, Corpus: string(v.corpus.UID)})
	}
	return out
}

// receiptName is the same for the same erasure, however often it is taken up.
func receiptName(c *v1alpha1.Corpus, documents []string) string {
	var texts []string
	for _, e := range c.Status.Erased {
		if slices.Contains(documents, e.Document) {
			texts = append(texts, e.Document, e.RequestedAt.UTC().String())
		}
	}
	return snapshot.Bounded(c.Name, 253-len("-erasure-")-12) + "-erasure-" + digest(texts)
}
