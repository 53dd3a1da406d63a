package corpus

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
)

// reportsOfFaults are of corpora of which revision 7 was put into service.
func reportsOfFaults() map[string]reportCase {
	unreachable := outcome.Waiting(time.Second, v1alpha1.SourceUnreachableReason, "connection refused")
	lost := outcome.Failing(v1alpha1.StoreUnreachableReason, errors.New("connection refused"))
	return map[string]reportCase{
		"the source is away": {
			reason: "what serves needs no source",
			visit:  inService(func(v *visit) { v.sourceErr = unreachable }),
			err:    unreachable,
			want: `
Ingested=True Succeeded: revision 7 is stored: 3 of 3 documents
Ready=True Succeeded: revision 7 serves; Reconciling: SourceUnreachable
Reconciling=True SourceUnreachable: connection refused
Serving=True Succeeded: revision 7 serves
SourceReachable=False SourceUnreachable: connection refused
Verified=True Succeeded: revision 7 passed its gate
`},
		"the source is empty": {
			reason: "an empty source is somebody's mistake, and prunes nothing",
			visit:  inService(func(v *visit) { v.seen.listing = listingOf(0) }),
			err:    outcome.Stalled(time.Minute, v1alpha1.SourceEmptyReason, "no object"),
			want: `
Ingested=True Succeeded: revision 7 is stored: 3 of 3 documents
Ready=False SourceEmpty: no object
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 0 objects listed
Stalled=True SourceEmpty: no object
Verified=True Succeeded: revision 7 passed its gate
`},
		"the store lost documents": {
			reason: "half a revision is never served",
			visit: inService(candidate(ingesting, v1alpha1.TriggerStoreLost, "", ""), func(v *visit) {
				v.lost, v.serves, v.seen.serves = "2 of 3", false, ""
			}),
			err: outcome.Waiting(0, v1alpha1.IngestingReason, "reading"),
			want: `
Ingested=False Ingesting: revision 8 is being built 
Ready=False Ingesting: reading
Reconciling=True Ingesting: reading
Serving=False StoreLost: 2 of 3
SourceReachable=True Succeeded: 3 objects listed
Verified=False NotVerified: revision 8 is not built yet
`},
		"the store is away at the start": {
			reason: "a process that could not open the revision doesn't serve it, whatever an earlier one said",
			visit: inService(func(v *visit) {
				v.serves, v.seen.serves, v.seen.listing = false, "", nil
				v.corpus.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ServingCondition, Status: metav1.ConditionTrue, Reason: "Succeeded", Message: "revision 7 serves"}}
			}),
			err: lost,
			want: `
Ingested=True Succeeded: revision 7 is stored: 3 of 3 documents
Ready=False StoreUnreachable: connection refused
Reconciling=True StoreUnreachable: connection refused
Serving=False StoreUnreachable: revision 7 can't be opened: connection refused
Verified=True Succeeded: revision 7 passed its gate
`},
		"the store lost what serves, and the source lacks some of it": {
			reason: "what stalls is said once, and what else holds is not left out",
			visit: inService(func(v *visit) {
				v.corpus.Name, v.corpus.Namespace = "payroll", "hr"
				v.corpus.Status.Deletions = &v1alpha1.DeletionsStatus{Withheld: 2, Documents: 3}
				v.lost, v.serves, v.seen.serves = "2 of 3", false, ""
			}),
			err: outcome.Stalled(0, v1alpha1.DeletionGuardReason, "not built without them"),
			want: `
DeletionsWithheld=True DeletionGuard: 2 of 3 documents (66%) are gone from the source, more than spec.source.deletionGuard admits; they stay and go on serving. Put them back, or approve their deletion: kubectl annotate --overwrite corpus/payroll -n hr rag.hardgate.dev/approve-deletions=2
Ingested=True Succeeded: revision 7 is stored: 3 of 3 documents
Ready=False DeletionGuard: not built without them; DeletionsWithheld: 2 of 3 documents
Serving=False StoreLost: 2 of 3
SourceReachable=True Succeeded: 3 objects listed
Stalled=True DeletionGuard: not built without them
Verified=True Succeeded: revision 7 passed its gate
`},
		"another field is filtered on": {
			reason: "an eligibility field without an index stalls the corpus, never the first query",
			visit:  inService(),
			err:    outcome.Stalled(0, v1alpha1.FieldNotIndexedReason, "region (Keyword)"),
			want: `
Ingested=True Succeeded: revision 7 is stored: 3 of 3 documents
Ready=False FieldNotIndexed: region (Keyword)
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Stalled=True FieldNotIndexed: region (Keyword)
Verified=True Succeeded: revision 7 passed its gate
`},
	}
}

// TestReportAfterARestart holds that a process that has just started and lists
// its sources changes nothing of what its predecessor wrote.
func TestReportAfterARestart(t *testing.T) {
	listing := outcome.Waiting(0, v1alpha1.ListingReason, "listing the source")
	for name, tc := range map[string]struct {
		reason  string
		before  *visit
		change  func(v *visit)
		writes  bool
		becomes string
	}{
		"at rest":               {reason: "a thousand corpora at rest cost no write", before: inService()},
		"a failure under Audit": {reason: "what was found by the gate is not forgotten", before: inService(func(v *visit) { v.corpus.Spec.Gate.Mode = v1alpha1.GateAudit; v.fault(7, "x") })},
		"another spec": {
			reason: "a spec that was not acted upon is under way", before: inService(),
			change: func(v *visit) { v.corpus.Status.ObservedGeneration = 3 }, writes: true, becomes: "Reconciling=True Listing",
		},
		"a request": {
			reason: "who asked for a visit sees it under way", before: inService(),
			change: func(v *visit) { v.request = "now" }, writes: true, becomes: "Reconciling=True Listing",
		},
		"a loss": {
			reason: "what the store lost meanwhile is told at once", before: inService(),
			change: func(v *visit) { v.serves, v.lost = false, "2 of 3" }, writes: true, becomes: "Serving=False StoreLost: 2 of 3",
		},
	} {
		t.Run(name, func(t *testing.T) {
			report(tc.before, nil)
			again := inService(func(v *visit) {
				v.corpus, v.now, v.seen.listing = tc.before.corpus, at.Add(time.Hour), nil
			})
			if tc.change != nil {
				tc.change(again)
			}
			was := again.corpus.Status.DeepCopy()
			report(again, listing)
			if changed := !cmp.Equal(was, &again.corpus.Status); changed != tc.writes || !strings.Contains(told(again.corpus), tc.becomes) {
				t.Errorf("%s: changed %v, now\n%s", tc.reason, changed, told(again.corpus))
			}
		})
	}
}

// TestReportKeepsWhatItDidNotSee holds that a visit that ended before the gate
// does not take back what the gate found.
func TestReportKeepsWhatItDidNotSee(t *testing.T) {
	v := inService(func(v *visit) { v.corpus.Spec.Gate.Mode = v1alpha1.GateAudit; v.fault(7, "april-headcount") })
	report(v, nil)
	away := outcome.Waiting(time.Second, v1alpha1.SourceUnreachableReason, "connection refused")
	report(inService(func(next *visit) { next.corpus, next.sourceErr = v.corpus, away }), away)
	for _, want := range []string{"Degraded=True AuditFailed", "Verified=False AuditFailed", "SourceReachable=False"} {
		if !strings.Contains(told(v.corpus), want) {
			t.Errorf("%s is missing of\n%s", want, told(v.corpus))
		}
	}
	report(inService(func(next *visit) { next.corpus, next.judged = v.corpus, true }), nil)
	if s := told(v.corpus); strings.Contains(s, "Degraded") || !strings.Contains(s, "Verified=True") {
		t.Errorf("judged anew, it still says\n%s", s)
	}
}
