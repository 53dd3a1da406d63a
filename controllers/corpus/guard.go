package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// absence is what a listing lacks of what served last.
type absence struct {
	keys    []string // sorted
	unnamed int      // documents of which a store that lost its ledger can't tell the keys
	of      int      // documents that the listing was compared with
}

func (a absence) count() int { return len(a.keys) + a.unnamed }

// set identifies the deletions, so that an approval of some is none of others.
func (a absence) set() string {
	return digest(append(slices.Clone(a.keys), fmt.Sprintf("and %d", a.unnamed)))
}

func digest(texts []string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%q\n", t)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// guard holds back the deletions of a listing that would remove more documents
// than spec.source.deletionGuard admits. Additions and changes go through, and
// what is gone stays in the next revision.
//
// It is decided anew at each visit from the listing and the ledger, so that it
// outlives any process and ends by itself when the objects are back.
func (r *Reconciler) guard(ctx context.Context, v *visit) error {
	a, err := r.absent(ctx, v)
	if err != nil {
		return err
	}
	held := v.withhold(a)
	r.Metrics.sawWithheld(v.corpus.Namespace, v.corpus.Name, held)
	v.withheld = nil
	if held > 0 {
		v.withheld = a.keys
	}
	v.source = sourceOf(v.seen.listing.Revision, v.withheld, v.corpus.Status.Erased)
	if held > 0 && v.lost != "" {
		return outcome.Stalled(v.corpus.Spec.Interval.Duration, v1alpha1.DeletionGuardReason,
			"revision %d is lost and would be built again without them: %s", v.corpus.Status.Active.Revision, withheldMessage(v.corpus))
	}
	return nil
}

// absent compares the listing with the newest revision that served. The ledger is
// read once for a listing, not at each visit.
func (r *Reconciler) absent(ctx context.Context, v *visit) (absence, error) {
	if v.corpus.Status.Active == nil {
		return absence{}, nil
	}
	base := v.newest()
	key := fmt.Sprint(v.seen.listing.Revision, v.seen.origin, base.Revision, base.Collection, base.Documents, v.lost != "", len(v.corpus.Status.Erased))
	if v.seen.absenceOf == key {
		return v.seen.absence, nil
	}
	records, err := r.served(ctx, v, base)
	if err != nil {
		return absence{}, err
	}
	a := missingFrom(v.seen.listing, records, v.settings.Source.LeavesOut)
	if v.lost != "" {
		a.of = int(base.Documents)
		a.unnamed = max(0, int(base.Documents)-len(records)-unrecorded(v.seen.listing, records))
	}
	v.seen.absence, v.seen.absenceOf = a, key
	return a, nil
}

// newest is the newest revision that served and is kept: after a rollback still
// the one that was rolled back from, whose deletions had been let through.
func (v *visit) newest() *v1alpha1.ActiveStatus {
	st := &v.corpus.Status
	newest := st.Active
	for i := range st.History {
		if h := &st.History[i]; v.lost == "" && h.Revision > newest.Revision {
			newest = h
		}
	}
	return newest
}

// served reads the records of a revision; none where its collection is gone, which
// is a loss that the visit knows of already, or one of a revision that is history.
func (r *Reconciler) served(ctx context.Context, v *visit, base *v1alpha1.ActiveStatus) ([]rag.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	records, err := r.Runtime.Ledger(v.place(base.Collection)).Records(ctx, base.Revision, false)
	active := v.corpus.Status.Active
	if err != nil && store.IsNotFound(err) && base != active {
		records, err = r.Runtime.Ledger(v.place(active.Collection)).Records(ctx, active.Revision, false)
	}
	if err != nil && store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	return records, nil
}

// missingFrom are the documents that a listing lacks. One that failed is no loss,
// nor is one that the spec leaves out by name, nor one whose bytes the listing
// has under a key that is new: it was moved.
func missingFrom(l *source.Listing, records []rag.Record, leftOut func(key string) string) absence {
	recorded, present, fresh := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, r := range records {
		recorded[r.Key] = true
	}
	for _, o := range l.TooLarge {
		present[o.Key] = true
	}
	for _, o := range l.Documents {
		present[o.Key] = true
		if !recorded[o.Key] {
			fresh[o.Version]++
		}
	}
	var a absence
	slices.SortFunc(records, func(x, y rag.Record) int { return strings.Compare(x.Key, y.Key) })
	for _, r := range records {
		if f := r.Failure; f != nil && f.Reason != ingest.WithheldReason {
			continue
		}
		a.of++
		switch {
		case present[r.Key], leftOut(r.Key) != "":
		case r.Version != "" && fresh[r.Version] > 0:
			fresh[r.Version]--
		default:
			a.keys = append(a.keys, r.Key)
		}
	}
	return a
}

// unrecorded counts the listed objects that a ledger knows nothing of.
func unrecorded(l *source.Listing, records []rag.Record) int {
	known := map[string]bool{}
	for _, r := range records {
		known[r.Key] = true
	}
	n := 0
	for _, o := range slices.Concat(l.Documents, l.TooLarge) {
		if !known[o.Key] {
			n++
		}
	}
	return n
}

// sourceOf names what a revision is made of: the listing, what is kept though the
// listing lacks it, and what is left out though the listing has it.
func sourceOf(listing string, withheld []string, erased []v1alpha1.ErasedDocument) string {
	if len(withheld) > 0 {
		listing += "+withheld:" + digest(withheld)
	}
	return tombstoned(listing, erased)
}

const erasedMark = "+erased:"

// tombstoned names the source again after documents were erased.
func tombstoned(source string, erased []v1alpha1.ErasedDocument) string {
	source, _, _ = strings.Cut(source, erasedMark)
	if len(erased) == 0 {
		return source
	}
	names := make([]string, len(erased))
	for i, e := range erased {
		names[i] = e.Document
	}
	slices.Sort(names)
	return source + erasedMark + digest(names)
}

// withhold writes what is held back, and returns how many documents that are.
func (v *visit) withhold(a absence) int {
	st := &v.corpus.Status
	d := &v1alpha1.DeletionsStatus{}
	if st.Deletions != nil {
		d = st.Deletions.DeepCopy()
	}
	before := d.Withheld
	over := a.count() > v.settings.Source.DeletionGuard.Admits(a.of)
	v.approve(d, a, over)
	d.Withheld, d.Documents, d.Keys = 0, 0, nil
	if over && d.Approved == "" && !v.letThrough() {
		d.Withheld, d.Documents = int64(a.count()), int64(a.of)
		d.Keys = slices.Clone(a.keys[:min(len(a.keys), maxFailures)])
	}
	st.Deletions = d
	if d.Withheld == 0 && d.Request == "" && d.Approved == "" {
		st.Deletions = nil
	}
	if d.Withheld > 0 && d.Withheld != before {
		v.event(warning, v1alpha1.DeletionGuardReason, "%s", withheldMessage(v.corpus))
	}
	return int(d.Withheld)
}

// letThrough reports whether the candidate was begun without what this very listing
// lacks. That stands: the revision that the listing was compared with may have been
// rolled back from, and made way for the candidate since.
func (v *visit) letThrough() bool {
	c := v.corpus.Status.Candidate
	return c != nil && !v.held() && v.lost == "" && c.Generation == v.corpus.Generation && c.ConfigHash == v.configHash &&
		c.SourceRevision == sourceOf(v.seen.listing.Revision, nil, v.corpus.Status.Erased)
}

// approve takes the approval of deletions, if a listing was made for it. It holds
// for exactly those deletions, and is used up.
func (v *visit) approve(d *v1alpha1.DeletionsStatus, a absence, over bool) {
	if d.Approved != "" && (!over || d.Approved != a.set()) {
		d.Approved = "" // they are done, or there are others
	}
	asked := v.approval()
	switch {
	case asked == "":
		d.Request, d.Refused = "", ""
		return
	case asked == d.Request || v.seen.approval != asked:
		return
	}
	d.Request, d.Refused = asked, ""
	count, err := strconv.Atoi(asked)
	switch {
	case err != nil || count < 1:
		d.Refused = fmt.Sprintf("%q is not a count of documents", clip(asked, 80))
	case !over:
		d.Refused = "the listing that was made for it removes no more than spec.source.deletionGuard admits"
	case count < a.count():
		d.Refused = fmt.Sprintf("it approves %d, and the listing that was made for it would remove %d", count, a.count())
	default:
		d.Approved = a.set()
		v.event(normal, v1alpha1.DeletionsApprovedReason, "the deletion of %d documents was approved", a.count())
		return
	}
	v.event(warning, v1alpha1.ApprovalRefusedReason, "%s=%s approved nothing: %s", v1alpha1.ApproveDeletionsAnnotation, clip(asked, 80), d.Refused)
}

// approval is the value of the annotation that approves deletions.
func (v *visit) approval() string {
	return strings.TrimSpace(v.corpus.Annotations[v1alpha1.ApproveDeletionsAnnotation])
}

// approving reports whether an approval waits for the listing that it needs: it is
// never taken for what an older one would remove.
func (v *visit) approving() bool {
	asked, d := v.approval(), v.corpus.Status.Deletions
	return asked != "" && (d == nil || d.Request != asked) && v.seen.approval != asked
}

// withheldMessage says what is withheld, why, and what to do.
func withheldMessage(c *v1alpha1.Corpus) string {
	d := c.Status.Deletions
	guard := "spec.source.deletionGuard admits"
	if g := c.Spec.Source.DeletionGuard; g.Percent != nil && g.Count != nil {
		guard += fmt.Sprintf(" (%d%%, %d)", *g.Percent, *g.Count)
	}
	share := ""
	if d.Documents > 0 {
		share = fmt.Sprintf(" (%d%%)", d.Withheld*100/d.Documents)
	}
	first := ""
	if d.Request == strconv.FormatInt(d.Withheld, 10) {
		first = fmt.Sprintf(", after taking the annotation away (%s-), whose value was used", v1alpha1.ApproveDeletionsAnnotation)
	}
	refused := ""
	if d.Refused != "" {
		refused = fmt.Sprintf("; the approval of %q approved nothing: %s", clip(d.Request, 80), d.Refused)
	}
	return fmt.Sprintf("%d of %d documents%s are gone from the source, more than %s; they stay and go on serving%s. Put them back, or approve their deletion: kubectl annotate --overwrite corpus/%s -n %s %s=%d%s%s",
		d.Withheld, d.Documents, share, guard, listed(d), c.Name, c.Namespace, v1alpha1.ApproveDeletionsAnnotation, d.Withheld, first, refused)
}

// listed spells out the first keys.
func listed(d *v1alpha1.DeletionsStatus) string {
	const most = 5
	if len(d.Keys) == 0 {
		return ""
	}
	out := ": " + strings.Join(d.Keys[:min(len(d.Keys), most)], ", ")
	if more := d.Withheld - int64(min(len(d.Keys), most)); more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}
