package collection

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// report writes every condition, and what was seen, from what the visit found
// and how it ended.
func report(v *visit, err error, at time.Time) {
	s := &v.collection.Status
	c := &outcome.Conditions{List: s.Conditions, Generation: v.collection.Generation, Now: metav1.NewTime(at.Truncate(time.Second))}
	reportSeen(v)
	reportDegraded(c, v, err)
	reportReady(c, v, err)
	s.Conditions = c.List
	if v.request != "" {
		s.LastHandledReconcileAt = v.request
	}
	// A spec that the store could not be held to yet isn't observed: the next visit
	// has to apply it rather than take the difference for drift.
	if err == nil || outcome.IsStalled(err) {
		s.ObservedGeneration = v.collection.Generation
	}
}

// reportSeen writes what the store holds, if the visit came to see it.
func reportSeen(v *visit) {
	if !v.inspected {
		return
	}
	s := &v.collection.Status
	s.Drift = drifts(v.drift)
	if !v.counts {
		return
	}
	s.Points, s.Indexes = int64(v.state.Points), nil
	for _, i := range v.state.Indexes {
		s.Indexes = append(s.Indexes, v1alpha1.IndexStatus{Field: i.Field, Type: i.Type, Points: int64(i.Points)})
	}
}

// reportDegraded tells what works but not as the spec has it. What the visit did
// not come to see stays as it was told last.
func reportDegraded(c *outcome.Conditions, v *visit, err error) {
	if !v.inspected {
		return
	}
	var reasons, messages []string
	tell := func(reason, format string, args ...any) {
		reasons, messages = append(reasons, reason), append(messages, fmt.Sprintf(format, args...))
	}
	if len(v.drift) > 0 && err == nil {
		tell(v1alpha1.DriftDetectedReason, "the store differs from the spec, and spec.drift is Warn: %s", describe(v.drift))
	}
	for _, k := range v.kept {
		tell(v1alpha1.IndexInUseReason, "the index on %s is kept though spec.payloadIndexes lacks it: Corpus %s filters on it", k.field, strings.Join(k.corpora, ", "))
	}
	if v.tooLarge() {
		tell(v1alpha1.OutgrownReason, "%s", v.growth())
	}
	for _, f := range v.foreign {
		tell(v1alpha1.ForeignCollectionReason, "a superseded collection is not dropped: %s", f)
	}
	if len(reasons) == 0 {
		c.Clear(v1alpha1.DegradedCondition)
		return
	}
	c.Set(v1alpha1.DegradedCondition, metav1.ConditionTrue, reasons[0], strings.Join(messages, "; "))
}

// reportReady writes Ready and the two abnormal conditions that kstatus reads. One
// that goes on holding is not cleared first: that would move its transition time.
func reportReady(c *outcome.Conditions, v *visit, err error) {
	if err == nil {
		c.Clear(v1alpha1.ReconcilingCondition, v1alpha1.StalledCondition)
		c.Set(v1alpha1.ReadyCondition, metav1.ConditionTrue, v1alpha1.SucceededReason, fmt.Sprintf("collection %s is in place", v.collection.Status.Physical)+c.Beside(v1alpha1.DegradedCondition))
		return
	}
	abnormal, normal := v1alpha1.ReconcilingCondition, v1alpha1.StalledCondition
	if outcome.IsStalled(err) {
		abnormal, normal = normal, abnormal
	}
	reason, message := outcome.Explain(err, v1alpha1.ProgressingReason)
	c.Clear(normal)
	c.Set(v1alpha1.ReadyCondition, metav1.ConditionFalse, reason, message)
	c.Set(abnormal, metav1.ConditionTrue, reason, message)
}

// transitions are the events of what changed between two states of an object.
func transitions(before, after *v1alpha1.Collection) []note {
	var out []note
	was, is := before.Status.Drift, after.Status.Drift
	switch {
	case slices.Equal(was, is):
	case len(is) > 0:
		out = append(out, note{warning, v1alpha1.DriftDetectedReason, "the store differs from the spec: " + listed(is)})
	default:
		out = append(out, note{normal, v1alpha1.DriftRepairedReason, "the store is as the spec has it again; it differed: " + listed(was)})
	}
	return append(out, readiness(before, after)...)
}

// readiness is the event of a change of Ready that nothing else has told.
func readiness(before, after *v1alpha1.Collection) []note {
	was := meta.FindStatusCondition(before.Status.Conditions, v1alpha1.ReadyCondition)
	is := meta.FindStatusCondition(after.Status.Conditions, v1alpha1.ReadyCondition)
	switch {
	case is == nil || (was != nil && was.Status == is.Status && was.Reason == is.Reason):
		return nil
	case is.Reason == v1alpha1.DriftDetectedReason || is.Reason == v1alpha1.ProgressingReason:
		return nil // told above, or not worth telling
	case is.Status == metav1.ConditionTrue:
		return []note{{normal, is.Reason, is.Message}}
	}
	return []note{{warning, is.Reason, is.Message}}
}

// drifts are the differences as the status lists them.
func drifts(found []store.Drift) []v1alpha1.Drift {
	var out []v1alpha1.Drift
	for _, d := range found {
		out = append(out, v1alpha1.Drift{Path: path(d), Want: orNone(d.Want), Got: orNone(d.Have)})
	}
	return out
}

// path is where the spec has what differs.
func path(d store.Drift) string {
	switch d.Kind {
	case store.MissingIndex, store.WrongIndexType, store.ExtraIndex:
		return fmt.Sprintf("payloadIndexes[%s]", d.Field)
	case store.TenantFlag:
		return fmt.Sprintf("payloadIndexes[%s].tenant", d.Field)
	case store.Quantization, store.OnDisk:
		return "vectors.dense." + d.Field
	case store.Modifier:
		return "vectors.sparse.modifier"
	default: // replicas, strict, and what can't be changed: fields of the spec by name
		return d.Field
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// describe is the differences in a sentence.
func describe(found []store.Drift) string { return listed(drifts(found)) }

func listed(differences []v1alpha1.Drift) string {
	var parts []string
	for _, d := range differences {
		parts = append(parts, fmt.Sprintf("%s is %s, not %s", d.Path, d.Got, d.Want))
	}
	return strings.Join(parts, "; ")
}

func sameIndexes(told []v1alpha1.IndexStatus, found []store.IndexState) bool {
	if len(told) != len(found) {
		return false
	}
	for i := range told {
		if told[i].Field != found[i].Field || told[i].Type != found[i].Type {
			return false
		}
	}
	return true
}

// clip bounds a text to so many bytes.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const more = "…"
	return strings.ToValidUTF8(s[:most-len(more)], "") + more
}
