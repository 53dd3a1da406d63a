package corpus

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	docsource "github.com/hardgate-dev/hardgate/runtime/source"
)

var (
	then = time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)
	at   = then.Add(time.Hour)
)

// inService is a visit to a corpus of which revision 7 serves, as the spec has it.
func inService(change ...func(v *visit)) *visit {
	c := &v1alpha1.Corpus{}
	c.Generation = 4
	c.Spec.Interval.Duration = 10 * time.Minute
	c.Spec.Gate.Mode = v1alpha1.GateEnforce
	c.Status.ObservedGeneration = 4
	c.Status.Active = &v1alpha1.ActiveStatus{Revision: 7, ConfigHash: "config", Collection: "physical", Documents: 3}
	c.Status.Documents = &v1alpha1.DocumentsStatus{Total: 3, Ingested: 3}
	c.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ReadyCondition, Status: metav1.ConditionTrue, Reason: v1alpha1.SucceededReason, ObservedGeneration: 4, LastTransitionTime: metav1.NewTime(then)}}
	v := &visit{
		corpus: c, now: at, serves: true,
		seen: &seen{
			listing: &docsource.Listing{Documents: make([]rag.Object, 3)}, listedAt: at, generation: 4, serves: "7",
		},
		resolved: &resolved{configHash: "config", collection: &v1alpha1.Collection{Status: v1alpha1.CollectionStatus{Physical: "physical"}}},
	}
	for _, f := range change {
		f(v)
	}
	return v
}

// fresh is a visit to a corpus of which nothing serves yet.
func fresh(change ...func(v *visit)) *visit {
	return inService(append([]func(v *visit){func(v *visit) {
		v.corpus.Status = v1alpha1.CorpusStatus{}
		v.serves, v.seen.serves = false, ""
	}}, change...)...)
}

func candidate(phase v1alpha1.CandidatePhase, trigger v1alpha1.CandidateTrigger, reason, message string) func(v *visit) {
	return func(v *visit) {
		v.corpus.Status.Candidate = &v1alpha1.CandidateStatus{
			Revision: 8, Phase: phase, Trigger: trigger, Reason: reason, Message: message, Freeze: "f",
		}
	}
}

func listingOf(n int) *docsource.Listing {
	if n < 0 {
		return nil
	}
	return &docsource.Listing{Documents: make([]rag.Object, n)}
}

// told are the conditions as a person reads them, by type.
func told(c *v1alpha1.Corpus) string {
	var out []string
	for _, x := range c.Status.Conditions {
		out = append(out, fmt.Sprintf("%s=%s %s: %s", x.Type, x.Status, x.Reason, x.Message))
	}
	slices.Sort(out)
	return strings.Join(out, "\n") + "\n"
}

const (
	ingesting = v1alpha1.CandidateIngesting
	verifying = v1alpha1.CandidateVerifying
	awaiting  = v1alpha1.CandidateAwaitingApproval
	rejected  = v1alpha1.CandidatePhaseRejected
)

type reportCase struct {
	reason string
	visit  *visit
	err    error
	want   string
}

// TestReportOfASpecNeverActedOn: a source that was away all along since the spec
// changed says nothing good of the spec, whatever serves.
func TestReportOfASpecNeverActedOn(t *testing.T) {
	v := inService(func(v *visit) { v.corpus.Generation = 5 })
	report(v, outcome.Failing(v1alpha1.SourceUnreachableReason, errors.New("no such host")))
	if got := told(v.corpus); !strings.Contains(got, "Ready=False SourceUnreachable: no such host") || !strings.Contains(got, "Serving=True") {
		t.Errorf("want Ready False and Serving True, got\n%s", got)
	}
}

func TestReport(t *testing.T) {
	for _, cases := range []map[string]reportCase{reportsOfNone(), reportsOfOne(), reportsOfCandidates(), reportsOfRefusals(), reportsOfFaults()} {
		for name, tc := range cases {
			t.Run(name, func(t *testing.T) {
				degraded := slices.Clone(tc.visit.degraded)
				report(tc.visit, tc.err)
				if diff := cmp.Diff(strings.TrimPrefix(tc.want, "\n"), told(tc.visit.corpus)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
				if got := tc.visit.corpus.Status.ObservedGeneration; got != 4 {
					t.Errorf("observed generation is %d", got)
				}
				expectStill(t, tc, degraded)
			})
		}
	}
}

// expectStill holds that the same visit an hour later writes nothing.
func expectStill(t *testing.T, tc reportCase, degraded []note) {
	t.Helper()
	was := tc.visit.corpus.Status.DeepCopy()
	tc.visit.now, tc.visit.degraded = tc.visit.now.Add(time.Hour), degraded
	report(tc.visit, tc.err)
	if diff := cmp.Diff(was, &tc.visit.corpus.Status); diff != "" {
		t.Errorf("%s: visited again, it changes (-was +is):\n%s", tc.reason, diff)
	}
}

// reportsOfNone are of corpora of which nothing serves yet.
func reportsOfNone() map[string]reportCase {
	return map[string]reportCase{
		"a Collection that isn't there": {
			reason: "GitOps applies in any order, so what is missing is waited for",
			visit:  fresh(func(v *visit) { v.seen.listing = nil; v.collection = nil }),
			err:    outcome.Waiting(0, v1alpha1.CollectionNotFoundReason, "no hr"),
			want: `
Ingested=False NotIngested: nothing is stored yet
Ready=False CollectionNotFound: no hr
Reconciling=True CollectionNotFound: no hr
Serving=False NotServing: no revision has passed its gate yet
Verified=False NotVerified: nothing was verified yet
`},
		"the first listing": {
			reason: "nothing is known of the source until it was listed",
			visit:  fresh(func(v *visit) { v.seen.listing = listingOf(-1) }),
			err:    outcome.Waiting(0, v1alpha1.ListingReason, "listing the source"),
			want: `
Ingested=False NotIngested: nothing is stored yet
Ready=False Listing: listing the source
Reconciling=True Listing: listing the source
Serving=False NotServing: no revision has passed its gate yet
Verified=False NotVerified: nothing was verified yet
`},
		"the first revision is built": {
			reason: "progress is told",
			visit:  fresh(candidate(ingesting, v1alpha1.TriggerSpec, "", ""), func(v *visit) { v.corpus.Status.Candidate.Progress = "2/3" }),
			err:    outcome.Waiting(0, v1alpha1.IngestingReason, "reading: 2/3"),
			want: `
Ingested=False Ingesting: revision 8 is being built 2/3
Ready=False Ingesting: reading: 2/3
Reconciling=True Ingesting: reading: 2/3
Serving=False NotServing: no revision has passed its gate yet
SourceReachable=True Succeeded: 3 objects listed
Verified=False NotVerified: revision 8 is not built yet
`},
		"the first revision is refused": {
			reason: "with nothing to fall back on a refusal is a failure",
			visit:  fresh(candidate(rejected, v1alpha1.TriggerSpec, "GoldenSetFailed", "payroll: april-headcount")),
			want: `
Ingested=True Succeeded: revision 8 is stored
Ready=False GoldenSetFailed: revision 8: payroll: april-headcount
Serving=False NotServing: no revision has passed its gate yet
SourceReachable=True Succeeded: 3 objects listed
Stalled=True GoldenSetFailed: revision 8: payroll: april-headcount
Verified=False GoldenSetFailed: revision 8: payroll: april-headcount
`},
		"nobody asks": {
			reason: "under Enforce a gate without golden sets lets nothing through",
			visit:  fresh(candidate(verifying, v1alpha1.TriggerSpec, "", "")),
			err:    outcome.Stalled(0, v1alpha1.NoGoldenSetReason, "name a GoldenSet"),
			want: `
Ingested=True Succeeded: revision 8 is stored
Ready=False NoGoldenSet: name a GoldenSet
Serving=False NotServing: no revision has passed its gate yet
SourceReachable=True Succeeded: 3 objects listed
Stalled=True NoGoldenSet: name a GoldenSet
Verified=False Verifying: revision 8 is being verified
`},
		"suspended before anything serves": {
			reason: "nothing is under way, and what is asked for is not there",
			visit:  fresh(func(v *visit) { v.corpus.Spec.Suspend = true }),
			want: `
Ingested=False NotIngested: nothing is stored yet
Ready=False Suspended: spec.suspend is true, and what the spec asks for does not serve
Serving=False NotServing: no revision has passed its gate yet
SourceReachable=True Succeeded: 3 objects listed
Verified=False NotVerified: nothing was verified yet
`},
	}
}

// reportsOfOne are of corpora of which revision 7 serves, and no other is asked for.
func reportsOfOne() map[string]reportCase {
	failing := func(v *visit) {
		v.corpus.Status.Documents = &v1alpha1.DocumentsStatus{Total: 3, Ingested: 2, Failed: 1, Failures: []v1alpha1.DocumentFailure{{Key: "b.pdf", Reason: "ExtractFailed", Message: "no PDF"}}}
	}
	rest := `
Ingested=True Succeeded: revision 7 is stored: 3 of 3 documents
Ready=True Succeeded: revision 7 serves
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Verified=True Succeeded: revision 7 passed its gate
`
	ready := func(beside string) string {
		const serves = "Ready=True Succeeded: revision 7 serves"
		return strings.Replace(rest, serves, serves+beside, 1)
	}
	return map[string]reportCase{
		"at rest": {reason: "all is as the spec has it", visit: inService(), want: rest},
		"suspended": {
			reason: "what serves goes on, and is what the spec asks for",
			visit:  inService(func(v *visit) { v.corpus.Spec.Suspend = true }),
			want:   ready("; Suspended"),
		},
		"suspended under another spec": {
			reason: "what serves goes on, and is not what the spec asks for",
			visit:  inService(func(v *visit) { v.corpus.Spec.Suspend = true; v.configHash = "other" }),
			want:   strings.Replace(rest, "Ready=True Succeeded: revision 7 serves", "Ready=False Suspended: spec.suspend is true, and what the spec asks for does not serve", 1),
		},
		"a tolerated failure": {
			reason: "nothing that was left out is silent",
			visit:  inService(failing),
			want: "\nDegraded=True DocumentFailures: 1 documents failed, as many as are tolerated: b.pdf (ExtractFailed: no PDF)" +
				strings.Replace(ready("; Degraded: DocumentFailures"), "3 of 3", "2 of 3", 1),
		},
		"a failure under Audit": {
			reason: "it serves, and whoever reads conditions sees that it did not pass",
			visit:  inService(func(v *visit) { v.fault(7, "payroll: april-headcount") }),
			want: "\nDegraded=True AuditFailed: revision 7 does not pass, and spec.gate.mode is Audit: payroll: april-headcount" +
				strings.Replace(ready("; Degraded: AuditFailed"), "Verified=True Succeeded: revision 7 passed its gate", "Verified=False AuditFailed: revision 7 does not pass, and spec.gate.mode is Audit: payroll: april-headcount", 1),
		},
		"deletions are withheld": {
			reason: "what kubectl get shows must not read as if all were well",
			visit: inService(func(v *visit) {
				v.corpus.Name, v.corpus.Namespace = "payroll", "hr"
				v.corpus.Status.Deletions = &v1alpha1.DeletionsStatus{Withheld: 2, Documents: 3}
				v.degrade(v1alpha1.StaleAliasReason, "it led elsewhere")
				v.degrade(v1alpha1.ErasedReason, "still there: a.pdf")
				v.degrade(v1alpha1.ErasedReason, "still there: b.pdf")
			}),
			want: "\nDegraded=True StaleAlias: it led elsewhere; still there: a.pdf; still there: b.pdf" +
				"\nDeletionsWithheld=True DeletionGuard: 2 of 3 documents (66%) are gone from the source, more than spec.source.deletionGuard admits; they stay and go on serving. Put them back, or approve their deletion: kubectl annotate --overwrite corpus/payroll -n hr rag.hardgate.dev/approve-deletions=2" +
				ready("; DeletionsWithheld: 2 of 3 documents; Degraded: StaleAlias, Erased"),
		},
		"nobody asks under Audit": {
			reason: "nothing passed, so nothing says so",
			visit:  inService(func(v *visit) { v.unpassed = &note{"", v1alpha1.NoGoldenSetReason, "nobody asked"} }),
			want:   strings.Replace(rest, "Verified=True Succeeded: revision 7 passed its gate", "Verified=False NoGoldenSet: nobody asked", 1),
		},
	}
}

// reportsOfCandidates are of corpora of which revision 7 serves while 8 is made.
func reportsOfCandidates() map[string]reportCase {
	return map[string]reportCase{
		"newer data is built": {
			reason: "what serves is what the spec asks for, so it stays Ready",
			visit:  inService(candidate(ingesting, v1alpha1.TriggerSource, "", "")),
			err:    outcome.Waiting(0, v1alpha1.IngestingReason, "reading"),
			want: `
Ingested=False Ingesting: revision 8 is being built 
Ready=True Succeeded: revision 7 serves; Reconciling: Ingesting
Reconciling=True Ingesting: reading
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Verified=False NotVerified: revision 8 is not built yet
`},
		"another spec is asked": {
			reason: "what serves isn't what the spec asks for",
			visit:  inService(candidate(verifying, v1alpha1.TriggerSpec, "", ""), func(v *visit) { v.configHash = "other" }),
			err:    outcome.Waiting(0, v1alpha1.VerifyingReason, "asking"),
			want: `
Ingested=True Succeeded: revision 8 is stored: 3 of 3 documents
Ready=False Verifying: asking
Reconciling=True Verifying: asking
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Verified=False Verifying: revision 8 is being verified
`},
		"newer data waits for approval": {
			reason: "people are waited for, and what serves is Ready",
			visit:  inService(candidate(awaiting, v1alpha1.TriggerSource, "", "")),
			err:    outcome.Waiting(0, v1alpha1.AwaitingApprovalReason, "annotate"),
			want: `
Ingested=True Succeeded: revision 8 is stored: 3 of 3 documents
Ready=True Succeeded: revision 7 serves; Reconciling: AwaitingApproval
Reconciling=True AwaitingApproval: annotate
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Verified=True AwaitingApproval: revision 8 passed its gate and waits for approval
`},
	}
}

// reportsOfRefusals are of corpora of which revision 7 serves and 8 was refused.
func reportsOfRefusals() map[string]reportCase {
	return map[string]reportCase{
		"a bad PDF": {
			reason: "one bad file must not break a pipeline that waits for Ready",
			visit:  inService(candidate(rejected, v1alpha1.TriggerSource, "DocumentsFailed", "1 of 4"), func(v *visit) { v.corpus.Status.Documents.Failed = 1 }),
			want: `
CandidateRejected=True DocumentsFailed: revision 8: 1 of 4
Ingested=False DocumentsFailed: revision 8: 1 of 4
Ready=True Succeeded: revision 7 serves; CandidateRejected: revision 8 (DocumentsFailed)
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Verified=False NotVerified: revision 8 was not asked: too many documents failed
`},
		"newer data": {
			reason: "data alone is no reason for Ready to fall",
			visit:  inService(candidate(rejected, v1alpha1.TriggerSource, "GoldenSetFailed", "payroll: x")),
			want: `
CandidateRejected=True GoldenSetFailed: revision 8: payroll: x
Ingested=True Succeeded: revision 8 is stored: 3 of 3 documents
Ready=True Succeeded: revision 7 serves; CandidateRejected: revision 8 (GoldenSetFailed)
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Verified=False GoldenSetFailed: revision 8: payroll: x
`},
		"another spec": {
			reason: "who changed the spec waits for an answer, and it is no",
			visit:  inService(candidate(rejected, v1alpha1.TriggerSpec, "GoldenSetFailed", "payroll: x"), func(v *visit) { v.configHash = "other" }),
			want: `
Ingested=True Succeeded: revision 8 is stored: 3 of 3 documents
Ready=False GoldenSetFailed: revision 8: payroll: x
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Stalled=True GoldenSetFailed: revision 8: payroll: x
Verified=False GoldenSetFailed: revision 8: payroll: x
`},
		"what serves, by another golden set": {
			reason: "it goes on serving, and is not Ready",
			visit:  inService(candidate(rejected, v1alpha1.TriggerGoldenSet, "GoldenSetFailed", "payroll: x"), func(v *visit) { v.corpus.Status.Candidate.Revision = 7 }),
			want: `
Ingested=True Succeeded: revision 7 is stored: 3 of 3 documents
Ready=False GoldenSetFailed: revision 7: payroll: x
Serving=True Succeeded: revision 7 serves
SourceReachable=True Succeeded: 3 objects listed
Stalled=True GoldenSetFailed: revision 7: payroll: x
Verified=False GoldenSetFailed: revision 7: payroll: x
`},
	}
}
