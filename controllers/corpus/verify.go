package corpus

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/answerkey"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// verify publishes the candidate's freeze and reads what the golden sets answer
// to exactly that freeze. Where there is no candidate it asks whether what
// serves has to be verified again.
func (r *Reconciler) verify(ctx context.Context, v *visit) error {
	c := v.corpus.Status.Candidate
	if v.held() {
		return nil // until somebody goes forward
	}
	if c != nil && c.Phase == v1alpha1.CandidatePhaseRejected && c.Freeze == "" {
		return nil // refused before the gate: other documents or another spec make a new candidate
	}
	gate := v.corpus.Spec.Gate
	if len(gate.GoldenSets) == 0 {
		return r.ungated(v)
	}
	sets, err := answerkey.Load(ctx, r.Client, v.corpus.Namespace, gate.GoldenSets)
	if err != nil {
		return err
	}
	if c == nil {
		if c, err = r.reverify(ctx, v, sets); err != nil {
			return err
		}
		if c == nil {
			return r.audited(ctx, v)
		}
		v.corpus.Status.Candidate = c
	}
	if err := r.publish(ctx, v, c, sets); err != nil {
		return err
	}
	if v.corpus.Status.Candidate == nil || c.Phase == v1alpha1.CandidateAwaitingApproval {
		return nil
	}
	return r.verdicts(ctx, v, c)
}

// publish freezes the candidate, so that golden sets know what they are asked. A
// freeze that has its verdict already is published again by request only.
func (r *Reconciler) publish(ctx context.Context, v *visit, c *v1alpha1.CandidateStatus, sets []evaluate.Set) error {
	freeze, err := r.freeze(ctx, v, c.Revision, sets)
	if err != nil {
		return err
	}
	a := v.corpus.Status.Active
	if a != nil && a.Revision == c.Revision && c.Trigger == v1alpha1.TriggerGoldenSet && freeze == a.Freeze {
		v.corpus.Status.Candidate = nil // the change was taken back, and this freeze has passed
		return nil
	}
	asked := v.forced && c.Phase == v1alpha1.CandidatePhaseRejected
	if c.Freeze == freeze && !c.RequestedAt.IsZero() && !asked {
		return nil
	}
	if c.Trigger == v1alpha1.TriggerSource {
		if known, err := r.freeze(ctx, v, a.Revision, sets); err != nil {
			return err
		} else if known != a.Freeze {
			c.Trigger = v1alpha1.TriggerGoldenSet // not the documents alone have changed since
		}
	}
	c.Freeze, c.RequestedAt, c.Phase, c.Reason, c.Message = freeze, stamp(v.now), v1alpha1.CandidateVerifying, "", ""
	return nil
}

// ungated is a gate that nobody keeps: under Enforce nothing passes it.
func (r *Reconciler) ungated(v *visit) error {
	c := v.corpus.Status.Candidate
	if v.corpus.Spec.Gate.Mode == v1alpha1.GateAudit {
		v.corpus.Status.Gate = nil
		v.judged, v.unpassed = true, &note{"", v1alpha1.NoGoldenSetReason, "spec.gate.goldenSets is empty and spec.gate.mode is Audit: nobody asked"}
		return nil
	}
	if c == nil && v.corpus.Status.Active != nil {
		return outcome.Stalled(0, v1alpha1.NoGoldenSetReason, "spec.gate.goldenSets is empty and spec.gate.mode is Enforce: name a GoldenSet; what was verified before goes on serving")
	}
	return outcome.Stalled(0, v1alpha1.NoGoldenSetReason, "spec.gate.goldenSets is empty and spec.gate.mode is Enforce: nothing serves until a GoldenSet has passed it")
}

func (r *Reconciler) freeze(ctx context.Context, v *visit, revision int64, sets []evaluate.Set) (string, error) {
	s, err := snapshot.Load(ctx, r.Client, v.corpus, revision)
	if err != nil {
		return "", err
	}
	freeze, _, err := answerkey.Freeze(r.Runtime.Version(), s, sets)
	return freeze, err
}

// reverify makes what serves a candidate again when the questions or the program
// changed, the gate's interval has passed, or somebody asks for it.
func (r *Reconciler) reverify(ctx context.Context, v *visit, sets []evaluate.Set) (*v1alpha1.CandidateStatus, error) {
	a := v.corpus.Status.Active
	if a == nil || v.lost != "" {
		return nil, nil
	}
	freeze, err := r.freeze(ctx, v, a.Revision, sets)
	if err != nil {
		return nil, err
	}
	var trigger v1alpha1.CandidateTrigger
	switch {
	case freeze != a.Freeze:
		trigger = v1alpha1.TriggerGoldenSet
	case v.corpus.Spec.Gate.Mode == v1alpha1.GateEnforce && v.was(v1alpha1.VerifiedCondition, v1alpha1.AuditFailedReason):
		trigger = v1alpha1.TriggerSpec // what Audit let through isn't what Enforce does
	case v.forced || !v.now.Before(a.VerifiedAt.Add(v.corpus.Spec.Gate.Interval.Duration)):
		trigger = v1alpha1.TriggerInterval
	default:
		return nil, nil
	}
	return &v1alpha1.CandidateStatus{
		Revision: a.Revision, Phase: v1alpha1.CandidateVerifying, Generation: a.Generation, Trigger: trigger,
		Collection: a.Collection, SourceRevision: a.SourceRevision, ConfigHash: a.ConfigHash, Freeze: freeze, RequestedAt: stamp(v.now),
	}, nil
}

// verdicts collects one answer of each golden set.
func (r *Reconciler) verdicts(ctx context.Context, v *visit, c *v1alpha1.CandidateStatus) error {
	var gate []v1alpha1.GateStatus
	var failed, open []string
	for _, name := range v.corpus.Spec.Gate.GoldenSets {
		set := &v1alpha1.GoldenSet{}
		err := r.Client.Get(ctx, types.NamespacedName{Namespace: v.corpus.Namespace, Name: string(name)}, set)
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("read GoldenSet %q: %w", name, err)
		}
		result := verdict(set, v.corpus.Name, c)
		if result == nil {
			open = append(open, unanswered(set, string(name), v.corpus.Name))
			continue
		}
		gate = append(gate, v1alpha1.GateStatus{
			GoldenSet: string(name), Revision: result.Revision, Passed: result.QuestionsPassed, Total: result.Questions,
			ConfidentlyWrong: result.ConfidentlyWrong, Survival: result.Survival,
		})
		if !result.Passed {
			failed = append(failed, fmt.Sprintf("%s: %s", name, result.Message))
		}
	}
	if len(open) > 0 {
		c.Progress = progressOf(len(v.corpus.Spec.Gate.GoldenSets)-len(open), len(v.corpus.Spec.Gate.GoldenSets))
		return outcome.Waiting(0, v1alpha1.VerifyingReason, "revision %d is being asked: %s", c.Revision, strings.Join(open, "; "))
	}
	v.corpus.Status.Gate, c.Progress = gate, ""
	if len(failed) == 0 {
		if c.Phase == v1alpha1.CandidatePhaseRejected { // asked again, by force
			c.Phase, c.Reason, c.Message = v1alpha1.CandidateVerifying, "", ""
		}
		return nil
	}
	message := strings.Join(failed, "; ")
	if v.corpus.Spec.Gate.Mode == v1alpha1.GateAudit {
		v.fault(c.Revision, message)
		return nil
	}
	v.reject(c, v1alpha1.GoldenSetFailedReason, message)
	return nil
}

// fault says of a revision that it serves though it does not pass.
func (v *visit) fault(revision int64, message string) {
	v.judged, v.unpassed = true, &note{"", v1alpha1.AuditFailedReason, fmt.Sprintf("revision %d does not pass, and spec.gate.mode is Audit: %s", revision, message)}
	v.degrade(v.unpassed.reason, "%s", v.unpassed.message)
}

// audited says under Audit, as long as it serves, that a revision did not pass.
func (r *Reconciler) audited(ctx context.Context, v *visit) error {
	a := v.corpus.Status.Active
	if a == nil || v.corpus.Spec.Gate.Mode != v1alpha1.GateAudit {
		v.judged = true // under Enforce what serves has passed
		return nil
	}
	var failed []string
	for _, name := range v.corpus.Spec.Gate.GoldenSets {
		set := &v1alpha1.GoldenSet{}
		if err := r.Client.Get(ctx, types.NamespacedName{Namespace: v.corpus.Namespace, Name: string(name)}, set); err != nil {
			return fmt.Errorf("read GoldenSet %q: %w", name, err)
		}
		result := verdict(set, v.corpus.Name, &v1alpha1.CandidateStatus{Revision: a.Revision, Freeze: a.Freeze})
		if result == nil {
			return nil // the set has since been asked about another revision
		}
		if !result.Passed {
			failed = append(failed, fmt.Sprintf("%s: %s", name, result.Message))
		}
	}
	v.judged = true
	if len(failed) > 0 {
		v.fault(a.Revision, strings.Join(failed, "; "))
	}
	return nil
}

func progressOf(done, total int) string { return fmt.Sprintf("%d/%d", done, total) }

// verdict is the set's answer to exactly what the candidate asks.
func verdict(set *v1alpha1.GoldenSet, corpus string, c *v1alpha1.CandidateStatus) *v1alpha1.GoldenResult {
	for i := range set.Status.Results {
		g := &set.Status.Results[i]
		if g.Corpus == corpus && g.Revision == c.Revision && g.Freeze == c.Freeze && !g.FinishedAt.Before(&c.RequestedAt) {
			return g
		}
	}
	return nil
}

// unanswered says what a set that has no verdict yet is doing.
func unanswered(set *v1alpha1.GoldenSet, name, corpus string) string {
	for _, e := range set.Status.Running {
		if e.Corpus == corpus && e.Message != "" {
			return fmt.Sprintf("%s could not finish (attempt %d): %s", name, e.Attempts, e.Message)
		}
		if e.Corpus == corpus && e.Progress != "" {
			return name + " " + e.Progress
		}
	}
	return name
}
