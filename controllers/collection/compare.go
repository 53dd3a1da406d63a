package collection

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// compare holds the physical collection to the schema: it is made if it is
// missing, and brought in line where it differs.
func (r *Reconciler) compare(ctx context.Context, v *visit) error {
	if err := r.inspect(ctx, v); err != nil {
		return err
	}
	if !v.state.Exists {
		if err := r.create(ctx, v); err != nil {
			return err
		}
	}
	r.count(v)
	r.grown(v)
	if len(v.drift) == 0 {
		return nil
	}
	if i := slices.IndexFunc(v.drift, func(d store.Drift) bool { return d.Kind == store.Immutable }); i >= 0 {
		d := v.drift[i]
		return outcome.Stalled(r.Options.drift(), v1alpha1.DriftDetectedReason, "%s of collection %s is %s, not %s, and can't be changed in place: "+
			"drop the collection in the store to have it made and filled anew", d.Field, v.collection.Status.Physical, d.Have, d.Want)
	}
	return r.align(ctx, v)
}

// inspect reads what the store has, and excuses what a Corpus still needs.
func (r *Reconciler) inspect(ctx context.Context, v *visit) error {
	state, found, err := v.client.Inspect(ctx, v.collection.Status.Physical, v.schema)
	if store.IsRefused(err) {
		// An index that was counted by was dropped a moment before: look again.
		return outcome.Failing(v1alpha1.StoreRefusedReason, err)
	}
	if err != nil {
		return r.fault(err)
	}
	v.state, v.drift, v.kept = state, nil, nil
	var needed needs
	if len(found) > 0 { // healthy collections cost no look at the Corpora's snapshots
		if needed, err = r.needsOf(ctx, v.users); err != nil {
			return err
		}
	}
	v.drift, v.kept = excuse(found, needed)
	v.inspected = true
	return nil
}

// create makes a collection that is missing. One that was seen before is lost,
// with all that was in it: its Corpora notice that by their own ledgers.
func (r *Reconciler) create(ctx context.Context, v *visit) error {
	physical := v.collection.Status.Physical
	if err := v.client.Ensure(ctx, physical, v.schema); err != nil {
		return r.fault(err)
	}
	if len(v.before.Status.Indexes) > 0 {
		v.event(warning, v1alpha1.StoreLostReason, "collection %s was gone from the store and is made anew, empty%s", physical, r.replaced(v))
	} else {
		v.event(normal, "Created", "collection %s was created", physical)
	}
	if err := r.inspect(ctx, v); err != nil {
		return err
	}
	if !v.state.Exists {
		return outcome.Failing(v1alpha1.StoreRefusedReason, fmt.Errorf("collection %s is missing though it was just made", physical))
	}
	return nil
}

// replaced says why the embedded store came to be empty, where that is known.
func (r *Reconciler) replaced(v *visit) string {
	if v.collection.Place() != v1alpha1.EmbeddedPlace {
		return ""
	}
	if why := r.Connect.Runtime.Replaced(); why != "" {
		return ": " + why
	}
	return ""
}

// align removes what differs: at once where the spec is new, else as the drift
// policy says; the indexes on the operator's own fields are no part of the spec
// and are mended under every policy. Drift is repaired only by the visit after
// the one that reported it, so that it is on record whatever the repair comes to.
func (r *Reconciler) align(ctx context.Context, v *visit) error {
	if !applied(v.before) {
		told := describe(v.drift)
		if err := r.repair(ctx, v, v.drift); err != nil {
			return err
		}
		v.event(normal, "SpecApplied", "the collection follows the spec: %s", told)
		return nil
	}
	mend := v.drift
	if v.collection.Spec.Drift == v1alpha1.DriftWarn {
		mend = slices.DeleteFunc(slices.Clone(mend), func(d store.Drift) bool { return !strings.HasPrefix(d.Field, store.Own+".") })
	}
	switch {
	case len(mend) == 0:
		return r.warn(ctx, v)
	case !slices.Equal(drifts(v.drift), v.before.Status.Drift):
		return outcome.Waiting(now, v1alpha1.DriftDetectedReason, "the store differs from the spec and is being repaired: %s", describe(mend))
	}
	if err := r.repair(ctx, v, mend); err != nil {
		return err
	}
	return r.warn(ctx, v)
}

// applied reports whether the spec was in force when the object was last
// visited: seen, and not held up before the store was brought in line.
func applied(c *v1alpha1.Collection) bool {
	if c.Status.ObservedGeneration != c.Generation {
		return false
	}
	for _, x := range c.Status.Conditions {
		if x.Type == v1alpha1.StalledCondition && x.Reason != v1alpha1.DriftDetectedReason && x.Reason != v1alpha1.MigrationFailedReason {
			return false
		}
	}
	return true
}

// warn leaves drift as it is, if any. What makes questions fail is no mere
// degradation.
func (r *Reconciler) warn(ctx context.Context, v *visit) error {
	if len(v.drift) == 0 {
		return nil
	}
	needed, err := r.needsOf(ctx, v.users)
	if err != nil {
		return err
	}
	if breaking := slices.DeleteFunc(slices.Clone(v.drift), func(d store.Drift) bool { return !breaks(d, needed) }); len(breaking) > 0 {
		return outcome.Stalled(r.Options.drift(), v1alpha1.DriftDetectedReason, "questions need what is missing, and spec.drift is Warn: %s", describe(breaking))
	}
	return nil
}

// repair removes the given differences, and looks whether they are gone.
func (r *Reconciler) repair(ctx context.Context, v *visit, mend []store.Drift) error {
	if err := v.client.Repair(ctx, v.collection.Status.Physical, v.schema, mend); err != nil {
		return r.fault(err)
	}
	if err := r.inspect(ctx, v); err != nil {
		return err
	}
	r.count(v)
	if stays := slices.DeleteFunc(slices.Clone(v.drift), func(d store.Drift) bool { return !slices.Contains(mend, d) }); len(stays) > 0 {
		return outcome.Failing(v1alpha1.DriftDetectedReason, fmt.Errorf("the store still differs after it was repaired: %s", describe(stays)))
	}
	return nil
}

// count decides whether counts are written. They change with every document that
// is ingested, so that alone is written only at rest, and seldom.
func (r *Reconciler) count(v *visit) {
	c := v.collection
	if !sameIndexes(c.Status.Indexes, v.state.Indexes) {
		v.counts = true
	}
	for i := range v.users {
		if x := v.users[i].Status.Candidate; x != nil && x.Phase == v1alpha1.CandidateIngesting {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Clock.Now().Sub(r.counted[c.UID]) >= r.Options.count() {
		v.counts = true
	}
	if v.counts && r.counted == nil {
		r.counted = map[types.UID]time.Time{}
	}
	if v.counts {
		r.counted[c.UID] = r.Clock.Now()
	}
}
