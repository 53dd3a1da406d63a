package corpus

import (
	"cmp"
	"context"
	"slices"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
)

// succeed puts a revision into status.active; what served goes into the history,
// if it is whole.
func (v *visit) succeed(next v1alpha1.ActiveStatus) {
	st := &v.corpus.Status
	st.History = slices.DeleteFunc(st.History, func(h v1alpha1.ActiveStatus) bool { return h.Revision == next.Revision })
	if a := st.Active; a != nil && v.lost == "" && a.Revision != next.Revision {
		st.History = append(st.History, *a)
	}
	st.Active = &next
	v.trim()
}

// trim keeps as many revisions before the one that serves as the spec has it, and
// all after it, which were rolled back from.
func (v *visit) trim() {
	st := &v.corpus.Status
	slices.SortFunc(st.History, func(a, b v1alpha1.ActiveStatus) int { return cmp.Compare(a.Revision, b.Revision) })
	older := slices.IndexFunc(st.History, func(h v1alpha1.ActiveStatus) bool { return h.Revision > st.Active.Revision })
	if older < 0 {
		older = len(st.History)
	}
	if over := older - v.history(); over > 0 {
		st.History = slices.Delete(st.History, 0, over)
	}
	if len(st.History) == 0 {
		st.History = nil
	}
}

// kept finds a revision of the history; nil when it is not there.
func (v *visit) kept(n int64) *v1alpha1.ActiveStatus {
	for i := range v.corpus.Status.History {
		if h := &v.corpus.Status.History[i]; h.Revision == n {
			return h
		}
	}
	return nil
}

// served are the numbers of the revisions that are kept, the one that serves first.
func (v *visit) served() []int64 {
	st := v.corpus.Status
	var out []int64
	if st.Active != nil {
		out = append(out, st.Active.Revision)
	}
	for _, h := range st.History {
		out = append(out, h.Revision)
	}
	return out
}

// keeping are the collections of the revisions that are kept, sorted.
func (v *visit) keeping() []string {
	st := v.corpus.Status
	var out []string
	if st.Active != nil {
		out = append(out, st.Active.Collection)
	}
	for _, h := range st.History {
		out = append(out, h.Collection)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// base is the revision that a candidate is built upon: what serves, if it lies in
// the same collection and is whole; 0 for none.
func (v *visit) base(c *v1alpha1.CandidateStatus) int64 {
	if a := v.corpus.Status.Active; a != nil && a.Collection == c.Collection && v.lost == "" {
		return a.Revision
	}
	return 0
}

// displace forgets the revisions whose points go when the candidate is built:
// those that were refused, and those that were rolled back from. Their snapshots
// go first, so that no rollback can ever take what is stored then for them.
func (r *Reconciler) displace(ctx context.Context, v *visit, c *v1alpha1.CandidateStatus) error {
	st := &v.corpus.Status
	base := v.base(c)
	goes := func(h v1alpha1.ActiveStatus) bool {
		return h.Collection == c.Collection && h.Revision > base && h.Revision < c.Revision
	}
	all, err := snapshot.List(ctx, r.Client, v.corpus)
	if err != nil {
		return err
	}
	for _, n := range all {
		if n >= c.Revision || st.Active != nil && n == st.Active.Revision {
			continue
		}
		h := v.kept(n)
		refused := h == nil && (st.Active == nil || n > st.Active.Revision)
		if !refused && (h == nil || !goes(*h)) {
			continue
		}
		if err := snapshot.Delete(ctx, r.Client, v.corpus, n); err != nil {
			return err
		}
	}
	st.History = slices.DeleteFunc(st.History, goes)
	if len(st.History) == 0 {
		st.History = nil
	}
	return nil
}
