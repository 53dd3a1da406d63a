package corpus

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
)

// was reports whether the object came in with a condition of that reason.
func (v *visit) was(kind, reason string) bool {
	c := meta.FindStatusCondition(v.corpus.Status.Conditions, kind)
	return c != nil && c.Reason == reason
}

// report writes every condition from what the visit found and how it ended.
func report(v *visit, err error) {
	st := &v.corpus.Status
	if v.serves && routine(v.corpus, v.request, err) {
		return
	}
	v.recall()
	c := &outcome.Conditions{List: st.Conditions, Generation: v.corpus.Generation, Now: stamp(v.now)}
	reportSource(c, v)
	reportServing(c, v, err)
	reportCandidate(c, v)
	reportDeletions(c, v)
	reportDegraded(c, v)
	reportReady(c, v, err)
	c.Prune(v1alpha1.CandidateRejectedCondition, v1alpha1.DeletionsWithheldCondition, v1alpha1.DegradedCondition, v1alpha1.StalledCondition, v1alpha1.ReconcilingCondition)
	st.Conditions = c.List
	st.ObservedGeneration = v.corpus.Generation
}

// routine reports whether a corpus that was at rest is merely being listed, as it
// is at its interval and by a process that has just started. That is no news.
func routine(c *v1alpha1.Corpus, request string, err error) bool {
	if err == nil || request != "" || c.Status.ObservedGeneration != c.Generation {
		return false
	}
	reason, _ := outcome.Explain(err, "")
	return reason == v1alpha1.ListingReason && meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ReadyCondition) &&
		meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ReconcilingCondition) == nil
}

// recall takes over what was said last of a revision that serves without having
// passed, where this visit did not come to judge it.
func (v *visit) recall() {
	was := meta.FindStatusCondition(v.corpus.Status.Conditions, v1alpha1.VerifiedCondition)
	if v.judged || was == nil || (was.Reason != v1alpha1.AuditFailedReason && was.Reason != v1alpha1.NoGoldenSetReason) {
		return
	}
	v.unpassed = &note{"", was.Reason, was.Message}
	if was.Reason == v1alpha1.AuditFailedReason && v.corpus.Spec.Gate.Mode == v1alpha1.GateAudit {
		v.degrade(was.Reason, "%s", was.Message)
	}
}

func reportSource(c *outcome.Conditions, v *visit) {
	switch {
	case v.sourceErr != nil:
		reason, message := outcome.Explain(v.sourceErr, v1alpha1.SourceUnreachableReason)
		c.Set(v1alpha1.SourceReachableCondition, metav1.ConditionFalse, reason, message)
	case v.seen.listing != nil:
		l := v.seen.listing
		c.Set(v1alpha1.SourceReachableCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, fmt.Sprintf("%d objects listed", len(l.Documents)))
	}
}

func reportServing(c *outcome.Conditions, v *visit, err error) {
	a := v.corpus.Status.Active
	switch {
	case a == nil:
		c.Set(v1alpha1.ServingCondition, metav1.ConditionFalse, v1alpha1.NotServingReason, "no revision has passed its gate yet")
	case v.lost != "":
		c.Set(v1alpha1.ServingCondition, metav1.ConditionFalse, v1alpha1.StoreLostReason, v.lost)
	case v.serves:
		c.Set(v1alpha1.ServingCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, fmt.Sprintf("revision %d serves", a.Revision))
	case v.seen.serves == "" && err != nil: // else what an earlier visit put into service goes on
		reason, message := outcome.Explain(err, v1alpha1.NotServingReason)
		c.Set(v1alpha1.ServingCondition, metav1.ConditionFalse, reason, fmt.Sprintf("revision %d can't be opened: %s", a.Revision, message))
	}
}

// reportCandidate writes Ingested, Verified and CandidateRejected.
func reportCandidate(c *outcome.Conditions, v *visit) {
	st := v.corpus.Status
	cand := st.Candidate
	switch {
	case cand == nil && st.Active == nil:
		c.Set(v1alpha1.IngestedCondition, metav1.ConditionFalse, v1alpha1.NotIngestedReason, "nothing is stored yet")
		c.Set(v1alpha1.VerifiedCondition, metav1.ConditionFalse, v1alpha1.NotVerifiedReason, "nothing was verified yet")
	case cand == nil:
		c.Set(v1alpha1.IngestedCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, ingestedMessage(st.Active.Revision, st.Documents))
		reportVerified(c, v)
	case cand.Phase == v1alpha1.CandidateIngesting:
		c.Set(v1alpha1.IngestedCondition, metav1.ConditionFalse, v1alpha1.IngestingReason, fmt.Sprintf("revision %d is being built %s", cand.Revision, cand.Progress))
		c.Set(v1alpha1.VerifiedCondition, metav1.ConditionFalse, v1alpha1.NotVerifiedReason, fmt.Sprintf("revision %d is not built yet", cand.Revision))
	case cand.Phase == v1alpha1.CandidateVerifying:
		c.Set(v1alpha1.IngestedCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, ingestedMessage(cand.Revision, st.Documents))
		c.Set(v1alpha1.VerifiedCondition, metav1.ConditionFalse, v1alpha1.VerifyingReason, fmt.Sprintf("revision %d is being verified", cand.Revision))
	case cand.Phase == v1alpha1.CandidateAwaitingApproval:
		c.Set(v1alpha1.IngestedCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, ingestedMessage(cand.Revision, st.Documents))
		c.Set(v1alpha1.VerifiedCondition, metav1.ConditionTrue, v1alpha1.AwaitingApprovalReason, fmt.Sprintf("revision %d passed its gate and waits for approval", cand.Revision))
	case cand.Phase == v1alpha1.CandidatePhaseRejected:
		reportRejected(c, cand, st.Documents)
	case v.held() && st.Active != nil:
		c.Set(v1alpha1.IngestedCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, fmt.Sprintf("revision %d is stored", st.Active.Revision))
		reportVerified(c, v)
	}
}

// reportDeletions says what the deletion guard holds back, whatever else this visit
// came to.
func reportDeletions(c *outcome.Conditions, v *visit) {
	if d := v.corpus.Status.Deletions; d != nil && d.Withheld > 0 {
		c.Set(v1alpha1.DeletionsWithheldCondition, metav1.ConditionTrue, v1alpha1.DeletionGuardReason, withheldMessage(v.corpus))
	}
}

// reportRollback says what is held, and which request could not be met.
func reportRollback(v *visit) {
	st := v.corpus.Status
	if v.held() && st.Active != nil {
		v.degrade(v1alpha1.RolledBackReason, "revision %d serves, and revision %d is %s", st.Active.Revision, st.Candidate.Revision, st.Candidate.Message)
	}
	if st.Rollback != nil && st.Rollback.Refused != "" {
		v.degrade(v1alpha1.RollbackRefusedReason, "%s=%s: %s", v1alpha1.RollbackAnnotation, clip(st.Rollback.Request, 80), st.Rollback.Refused)
	}
}

// reportVerified writes Verified of what serves.
func reportVerified(c *outcome.Conditions, v *visit) {
	if v.unpassed != nil {
		c.Set(v1alpha1.VerifiedCondition, metav1.ConditionFalse, v.unpassed.reason, v.unpassed.message)
		return
	}
	c.Set(v1alpha1.VerifiedCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, fmt.Sprintf("revision %d passed its gate", v.corpus.Status.Active.Revision))
}

func reportRejected(c *outcome.Conditions, cand *v1alpha1.CandidateStatus, d *v1alpha1.DocumentsStatus) {
	message := fmt.Sprintf("revision %d: %s", cand.Revision, cand.Message)
	if cand.Reason == v1alpha1.DocumentsFailedReason {
		c.Set(v1alpha1.IngestedCondition, metav1.ConditionFalse, cand.Reason, message)
		c.Set(v1alpha1.VerifiedCondition, metav1.ConditionFalse, v1alpha1.NotVerifiedReason, fmt.Sprintf("revision %d was not asked: too many documents failed", cand.Revision))
	} else {
		c.Set(v1alpha1.IngestedCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, ingestedMessage(cand.Revision, d))
		c.Set(v1alpha1.VerifiedCondition, metav1.ConditionFalse, cand.Reason, message)
	}
	if dataOnly(cand) {
		c.Set(v1alpha1.CandidateRejectedCondition, metav1.ConditionTrue, cand.Reason, message)
	}
}

// dataOnly reports whether nothing but the documents changed since the active
// revision, so that one bad file cannot break a pipeline that waits for Ready.
func dataOnly(c *v1alpha1.CandidateStatus) bool { return c.Trigger == v1alpha1.TriggerSource }

func ingestedMessage(revision int64, d *v1alpha1.DocumentsStatus) string {
	if d == nil {
		return fmt.Sprintf("revision %d is stored", revision)
	}
	return fmt.Sprintf("revision %d is stored: %d of %d documents", revision, d.Ingested, d.Total)
}

func reportDegraded(c *outcome.Conditions, v *visit) {
	if d := v.corpus.Status.Documents; d != nil && d.Failed > 0 && (v.corpus.Status.Candidate == nil) {
		v.degrade(v1alpha1.DocumentFailuresReason, "%d documents failed, as many as are tolerated: %s", d.Failed, named(d.Failures))
	}
	reportRollback(v)
	if d := v.corpus.Status.Documents; d != nil && d.Skipped > 0 && v.corpus.Status.Candidate == nil {
		v.degrade(v1alpha1.ObjectsSkippedReason, "%d objects are of a type that is not read; narrow spec.source.include, or exclude them: %s", d.Skipped, named(d.Skips))
	}
	if len(v.degraded) == 0 {
		return
	}
	var messages []string
	for _, d := range v.degraded {
		messages = append(messages, d.message)
	}
	c.Set(v1alpha1.DegradedCondition, metav1.ConditionTrue, v.degraded[0].reason, strings.Join(messages, "; "))
}

// reportReady writes Ready and the two abnormal conditions that kstatus reads.
func reportReady(c *outcome.Conditions, v *visit, err error) {
	cand := v.corpus.Status.Candidate
	rejected := cand != nil && cand.Phase == v1alpha1.CandidatePhaseRejected
	current := v.inForce()
	ready := func(status metav1.ConditionStatus, reason, message string) {
		c.Set(v1alpha1.ReadyCondition, status, reason, strings.Join(append([]string{message}, v.beside(c, status, reason)...), "; "))
	}
	serves := func() string { return fmt.Sprintf("revision %d serves", v.corpus.Status.Active.Revision) }
	switch {
	case err != nil && outcome.IsStalled(err):
		reason, message := outcome.Explain(err, v1alpha1.InvalidSpecReason)
		c.Set(v1alpha1.StalledCondition, metav1.ConditionTrue, reason, message)
		ready(metav1.ConditionFalse, reason, message)
	case err != nil:
		reason, message := outcome.Explain(err, v1alpha1.ProgressingReason)
		c.Set(v1alpha1.ReconcilingCondition, metav1.ConditionTrue, reason, message)
		if current && v.wasReady() {
			ready(metav1.ConditionTrue, v1alpha1.SucceededReason, serves())
		} else {
			ready(metav1.ConditionFalse, reason, message)
		}
	case rejected && !dataOnly(cand):
		message := fmt.Sprintf("revision %d: %s", cand.Revision, cand.Message)
		c.Set(v1alpha1.StalledCondition, metav1.ConditionTrue, cand.Reason, message)
		ready(metav1.ConditionFalse, cand.Reason, message)
	case v.held() && !current && v.lost == "":
		message := fmt.Sprintf("revision %d of an older spec serves, and revision %d is %s", v.corpus.Status.Active.Revision, cand.Revision, cand.Message)
		c.Set(v1alpha1.StalledCondition, metav1.ConditionTrue, v1alpha1.RolledBackReason, message)
		ready(metav1.ConditionFalse, v1alpha1.RolledBackReason, message)
	case v.corpus.Spec.Suspend && !current:
		ready(metav1.ConditionFalse, v1alpha1.SuspendedReason, "spec.suspend is true, and what the spec asks for does not serve")
	case current:
		ready(metav1.ConditionTrue, v1alpha1.SucceededReason, serves())
	default:
		c.Set(v1alpha1.ReconcilingCondition, metav1.ConditionTrue, v1alpha1.ProgressingReason, "work is under way")
		ready(metav1.ConditionFalse, v1alpha1.ProgressingReason, "work is under way")
	}
}

// beside is what Ready's message says after the fact itself, in the words of the
// conditions: `kubectl get` shows that message, and of a corpus that serves it would
// hide what was kept out, held back or left out.
func (v *visit) beside(c *outcome.Conditions, status metav1.ConditionStatus, reason string) []string {
	var out []string
	if c.Told(v1alpha1.CandidateRejectedCondition) {
		cand := v.corpus.Status.Candidate
		out = append(out, fmt.Sprintf("%s: revision %d (%s)", v1alpha1.CandidateRejectedCondition, cand.Revision, cand.Reason))
	}
	if c.Told(v1alpha1.DeletionsWithheldCondition) {
		out = append(out, fmt.Sprintf("%s: %d of %d documents", v1alpha1.DeletionsWithheldCondition, v.corpus.Status.Deletions.Withheld, v.corpus.Status.Deletions.Documents))
	}
	var reasons []string
	for _, d := range v.degraded {
		if d.reason != reason && !slices.Contains(reasons, d.reason) {
			reasons = append(reasons, d.reason)
		}
	}
	if len(reasons) > 0 {
		out = append(out, v1alpha1.DegradedCondition+": "+strings.Join(reasons, ", "))
	}
	if status != metav1.ConditionTrue {
		return out // the message is of what goes on, or of why nothing does
	}
	if x := meta.FindStatusCondition(c.List, v1alpha1.ReconcilingCondition); x != nil && c.Told(x.Type) {
		out = append(out, x.Type+": "+x.Reason)
	}
	if v.corpus.Spec.Suspend {
		out = append(out, v1alpha1.SuspendedReason)
	}
	return out
}

// wasReady reports whether this very spec was in force before: what then goes
// wrong with its data leaves Ready alone. Of a spec that was never acted on,
// such as one whose bucket cannot be reached, it is not known.
func (v *visit) wasReady() bool {
	c := meta.FindStatusCondition(v.corpus.Status.Conditions, v1alpha1.ReadyCondition)
	return c != nil && c.Status == metav1.ConditionTrue && c.ObservedGeneration == v.corpus.Generation
}

// inForce reports whether what serves is what the spec asks for; its documents
// may be older than the source's.
func (v *visit) inForce() bool {
	a := v.corpus.Status.Active
	if a == nil || !v.serves || v.lost != "" || v.resolved == nil || v.collection == nil {
		return false
	}
	return a.ConfigHash == v.configHash && a.Collection == v.collection.Status.Physical
}
