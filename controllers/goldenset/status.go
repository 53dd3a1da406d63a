package goldenset

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
)

// report writes the status from what the visit found and how it ended.
func report(v *visit, err error) {
	s := &v.set.Status
	c := &outcome.Conditions{List: s.Conditions, Generation: v.set.Generation, Now: metav1.NewTime(v.now.Truncate(time.Second))}
	if v.read {
		s.Questions, s.Hash = int64(len(v.key.Key.Questions)), v.hash
	}
	if v.found {
		s.Running, s.Results = v.running, v.results
	} else if !v.read {
		s.Running = nil // nothing is asked by a key that can't be read
	}
	reportReady(c, v, err)
	s.Conditions = c.List
	s.ObservedGeneration = v.set.Generation
	if v.request != "" && answered(v, err) {
		s.LastHandledReconcileAt = v.request
	}
}

// answered reports whether a reconcile request has been met: everything was
// asked once more that could be, or nothing can be.
func answered(v *visit, err error) bool {
	return !v.forced || outcome.IsStalled(err) || (err == nil && len(v.running) == 0 && v.next == 0)
}

// reportReady writes Ready, which speaks of the set and not of what it found,
// and the two abnormal conditions that kstatus reads. One that goes on holding is
// not cleared first: that would move its transition time.
func reportReady(c *outcome.Conditions, v *visit, err error) {
	if !v.read {
		reportUnread(c, err)
		return
	}
	c.Clear(v1alpha1.StalledCondition)
	switch {
	case err != nil:
		_, message := outcome.Explain(err, v1alpha1.EvaluationIncompleteReason)
		c.Set(v1alpha1.ReconcilingCondition, metav1.ConditionTrue, v1alpha1.EvaluationIncompleteReason, message)
	case len(v.troubles) > 0:
		c.Set(v1alpha1.ReconcilingCondition, metav1.ConditionTrue, v1alpha1.EvaluationIncompleteReason, strings.Join(v.troubles, "; "))
	case len(v.unended) > 0:
		c.Set(v1alpha1.ReconcilingCondition, metav1.ConditionTrue, v1alpha1.VerifyingReason, strings.Join(v.unended, "; "))
	default:
		c.Clear(v1alpha1.ReconcilingCondition)
	}
	c.Set(v1alpha1.ReadyCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, summary(v)+c.Beside(v1alpha1.ReconcilingCondition))
}

// reportUnread tells why there is no key to judge by.
func reportUnread(c *outcome.Conditions, err error) {
	abnormal, normal := v1alpha1.ReconcilingCondition, v1alpha1.StalledCondition
	if outcome.IsStalled(err) {
		abnormal, normal = normal, abnormal
	}
	reason, message := outcome.Explain(err, v1alpha1.ProgressingReason)
	c.Clear(normal)
	c.Set(v1alpha1.ReadyCondition, metav1.ConditionFalse, reason, message)
	c.Set(abnormal, metav1.ConditionTrue, reason, message)
}

// summary is the set in a sentence, for the printer column.
func summary(v *visit) string {
	out := plural(len(v.key.Key.Questions), "question")
	for _, g := range v.set.Status.Results {
		verdict := "failed"
		if g.Passed {
			verdict = "passed"
		}
		out += fmt.Sprintf("; corpus %s revision %d %s, %d of %d", g.Corpus, g.Revision, verdict, g.QuestionsPassed, g.Questions)
	}
	return out
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// readiness is the event of a change of Ready.
func readiness(before, after *v1alpha1.GoldenSet) []note {
	was := meta.FindStatusCondition(before.Status.Conditions, v1alpha1.ReadyCondition)
	is := meta.FindStatusCondition(after.Status.Conditions, v1alpha1.ReadyCondition)
	switch {
	case is == nil || (was != nil && was.Status == is.Status && was.Reason == is.Reason):
		return nil
	case is.Status == metav1.ConditionTrue:
		return []note{{normal, is.Reason, is.Message}}
	}
	return []note{{warning, is.Reason, is.Message}}
}

// clip bounds a text to so many bytes.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const more = "…"
	return strings.ToValidUTF8(s[:most-len(more)], "") + more
}
