package corpus

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/serve"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// serve gives the registry the active revision, built from its snapshot, if the
// store still holds all of it. Access rules are the spec's, live.
func (r *Reconciler) serve(ctx context.Context, v *visit) error {
	c := v.corpus
	name := types.NamespacedName{Namespace: c.Namespace, Name: c.Name}
	access := v.settings.Access
	entry := serve.Corpus{UID: string(c.UID), Tenant: access.Tenant, Reason: "no revision has passed its gate yet"}
	active := c.Status.Active
	if active == nil {
		v.seen.serves = ""
		r.Serving.Put(name, entry)
		return nil
	}
	entry.Revision = active.Revision
	if err := r.intact(ctx, v, active); err != nil {
		return err
	}
	if v.lost != "" {
		entry.Reason = v.lost
		v.seen.serves = ""
		r.Serving.Put(name, entry)
		return nil
	}
	s, terms, err := r.terms(ctx, v, active)
	if err != nil {
		v.serves = v.seen.serves != "" // by what it was given before
		return err
	}
	key := fmt.Sprintf("%d %s %s %p %d %x", active.Revision, active.Collection, v.collection.Place(), v.store, c.Generation, sha256.Sum256(fmt.Append(nil, terms)))
	v.serves = true
	if v.seen.serves == key {
		return nil
	}
	asker, err := r.Runtime.Asker(v.place(active.Collection), active.Revision, s.Settings, terms)
	if err != nil {
		v.serves = false
		return outcome.Stalled(reopen, v1alpha1.InvalidSpecReason, "revision %d: %v", active.Revision, err)
	}
	entry.Asker, entry.Reason, entry.Claims = asker, "", s.Settings.Eligibility.Claims()
	r.Serving.Put(name, entry)
	v.seen.serves = key
	return nil
}

// reopen is when a revision that can't be assembled is tried again: its reranker
// may be on a server that is away, of which no watch tells.
const reopen = time.Minute

// terms are the snapshot that a revision serves by and the Secrets that it
// refers to. They are read at every visit, so that a rotated key is applied.
// Budget and prices are the spec's, live.
func (r *Reconciler) terms(ctx context.Context, v *visit, active *v1alpha1.ActiveStatus) (snapshot.Snapshot, assembly.Terms, error) {
	s, err := snapshot.Load(ctx, r.Client, v.corpus, active.Revision)
	if err != nil {
		return s, assembly.Terms{}, err
	}
	var unpriced string
	if s.Settings, unpriced = s.Settings.Live(v.settings); unpriced != "" {
		v.degrade(v1alpha1.BudgetNotKeptReason, "revision %d asks %q, of which spec.pipeline.generation.prices has no price: spec.budget isn't kept until another revision serves, or a price is added", active.Revision, unpriced)
	}
	t, err := r.Connect.Terms(ctx, v.corpus.Namespace, s.Settings)
	return s, t, err
}

// unopened says to whoever asks why a revision that was put into service isn't
// served by this process: it could not be opened since the process has started.
func (r *Reconciler) unopened(v *visit, err error) {
	a := v.corpus.Status.Active
	if a == nil || v.resolved == nil || v.serves || v.lost != "" || v.seen.serves != "" {
		return
	}
	_, message := outcome.Explain(err, v1alpha1.NotServingReason)
	name := types.NamespacedName{Namespace: v.corpus.Namespace, Name: v.corpus.Name}
	r.Serving.Put(name, serve.Corpus{UID: string(v.corpus.UID), Revision: a.Revision, Tenant: v.settings.Access.Tenant, Reason: message})
}

// intact compares the store with what was promoted: a revision of which
// documents or chunks are gone is not served, and is built again.
func (r *Reconciler) intact(ctx context.Context, v *visit, active *v1alpha1.ActiveStatus) error {
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	ledger := r.Runtime.Ledger(v.place(active.Collection))
	ledger.Except = v.erasing()
	n, err := ledger.Count(ctx, active.Revision)
	points := 0
	if err == nil {
		points, err = ledger.Points(ctx, active.Revision)
	}
	switch {
	case err != nil && store.IsNotFound(err):
		v.lost = fmt.Sprintf("collection %q is gone from the store", active.Collection)
	case err != nil:
		v.serves = v.seen.serves != "" // it is asked again by each question
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	case int64(n) != active.Documents:
		v.lost = fmt.Sprintf("the store holds %d of the %d documents of revision %d", n, active.Documents, active.Revision)
	case int64(points) != active.Points:
		v.lost = fmt.Sprintf("the store holds %d of the %d chunks of revision %d", points, active.Points, active.Revision)
	}
	if v.lost != "" && !v.was(v1alpha1.ServingCondition, v1alpha1.StoreLostReason) {
		v.event(warning, v1alpha1.StoreLostReason, "%s: not served until it is built again", v.lost)
	}
	return nil
}
