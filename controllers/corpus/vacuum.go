package corpus

import (
	"context"
	"fmt"
	"time"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
)

// vacuumSoon is how long after a promotion what it superseded is vacuumed.
const vacuumSoon = time.Second

// defaultHistory is what the API gives a spec without revisionHistoryLimit.
const defaultHistory = 3

func (v *visit) history() int {
	if l := v.corpus.Spec.RevisionHistoryLimit; l != nil {
		return int(*l)
	}
	return defaultHistory
}

// unvacuumed reports whether there may be revisions over the limit: another one
// serves, or the limit is another, or this process does not know.
func (v *visit) unvacuumed() bool {
	a := v.corpus.Status.Active
	return a != nil && v.lost == "" && v.seen.vacuumed != v.vacuumKey()
}

func (v *visit) vacuumKey() string {
	a := v.corpus.Status.Active
	return fmt.Sprintf("%d %s %d", a.Revision, a.Collection, v.history())
}

// vacuum forgets revisions over the limit, and deletes the points that no kept
// one can see. It waits until a promotion is on record: until then the revision
// before it is what serves.
func (r *Reconciler) vacuum(ctx context.Context, v *visit) error {
	a := v.corpus.Status.Active
	if a == nil || v.promoted || v.lost != "" {
		return nil
	}
	v.trim() // at every visit: the one that vacuumed may not have come on record
	if !v.unvacuumed() {
		return nil
	}
	kept, err := snapshot.List(ctx, r.Client, v.corpus)
	if err != nil {
		return err
	}
	surplus, oldest := surplus(kept, a.Revision, v.history())
	for _, n := range surplus {
		if err := snapshot.Delete(ctx, r.Client, v.corpus, n); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	if err := r.Runtime.Ledger(v.place(a.Collection)).Vacuum(ctx, oldest); err != nil {
		return outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	v.seen.vacuumed = v.vacuumKey()
	return nil
}

// surplus are the revisions before the active one that are over the limit, and
// the oldest that is kept. kept is ascending.
func surplus(kept []int64, active int64, limit int) (over []int64, oldest int64) {
	var older []int64
	for _, n := range kept {
		if n < active {
			older = append(older, n)
		}
	}
	cut := max(0, len(older)-limit)
	if cut == len(older) {
		return older, active
	}
	return older[:cut], older[cut]
}
