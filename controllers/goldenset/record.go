package goldenset

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/work"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// Reasons of the events about verdicts.
const (
	passedReason = "GoldenSetPassed"
	failedReason = v1alpha1.GoldenSetFailedReason
)

// Bounds of the status; the schema admits as much, or more.
const (
	maxFailures       = 20
	maxSummary        = 1000 // bytes: a few questions; the receipt has them all
	maxFailureMessage = 1024
)

// record puts a verdict on record: the receipt first, then the result that names
// it. Recording the same job again changes nothing.
func (r *Reconciler) record(ctx context.Context, v *visit, s subject, state work.State) error {
	card, ok := state.Result.(*evaluate.Scorecard)
	if !ok || len(card.Sets) != 1 || len(card.Sets[0].Modes) == 0 {
		return fmt.Errorf("the evaluation ended with %T, not with the scorecard of one set", state.Result)
	}
	name, err := r.save(ctx, v, s, card.Receipt())
	if err != nil {
		return err
	}
	result := resultFrom(card, s, name, state.Ended)
	if was := resultOf(v.before.Status.Results, s.corpus.Name); was == nil || was.Receipt != result.Receipt {
		v.tell(s, result)
	}
	v.put(result)
	return nil
}

func (v *visit) tell(s subject, result v1alpha1.GoldenResult) {
	if result.Passed {
		v.event(normal, passedReason, "revision %d of corpus %q: %d of %d questions passed", s.revision, s.corpus.Name, result.QuestionsPassed, result.Questions)
		return
	}
	v.event(warning, failedReason, "revision %d of corpus %q: %d of %d questions passed: %s", s.revision, s.corpus.Name, result.QuestionsPassed, result.Questions, result.Message)
}

// put replaces the result of a Corpus.
func (v *visit) put(result v1alpha1.GoldenResult) {
	if was := resultOf(v.results, result.Corpus); was != nil {
		*was = result
		return
	}
	v.results = append(v.results, result)
}

// resultFrom is the verdict as the status has it. It is never older than what
// asked for it, whatever the clocks of two managers say.
func resultFrom(card *evaluate.Scorecard, s subject, receipt string, ended time.Time) v1alpha1.GoldenResult {
	own := card.Sets[0].Modes[0]
	finished := metav1.NewTime(ended.Truncate(time.Second))
	if finished.Before(&s.requested) {
		finished = s.requested
	}
	out := v1alpha1.GoldenResult{
		Corpus: s.corpus.Name, Revision: s.revision, Freeze: s.freeze, Passed: card.Passed, Receipt: receipt,
		QuestionsPassed: int64(own.Passed), Questions: int64(own.Questions), ConfidentlyWrong: int64(own.ConfidentlyWrong),
		Survival: share(own.Survival), FinishedAt: finished,
	}
	if !card.Passed {
		out.Message = card.Message(maxSummary)
	}
	for i, f := range card.Failures() {
		if i == maxFailures {
			break
		}
		out.Failures = append(out.Failures, v1alpha1.QuestionFailure{Question: f.Question, Stage: f.Stage, Reason: f.Reason, Message: clip(f.Detail, maxFailureMessage)})
	}
	return out
}

// share writes a share with two decimals, rounded down, so that 1.00 means all.
func share(f *float64) string {
	if f == nil {
		return ""
	}
	const rounding = 1e-9 // of sums of floats
	return strconv.FormatFloat(math.Floor(*f*100+rounding)/100, 'f', 2, 64)
}
