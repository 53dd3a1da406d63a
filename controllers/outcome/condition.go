package outcome

import (
	"errors"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxMessage bounds a condition's message, characters; the API takes 32768, and
// a person reads fewer.
const maxMessage = 4096

// Conditions is a list under change. LastTransitionTime moves only when a
// status does, so that an unchanged object compares equal.
type Conditions struct {
	List       []metav1.Condition
	Generation int64
	Now        metav1.Time

	set []string // in this pass
}

// Set sets one condition.
func (c *Conditions) Set(kind string, status metav1.ConditionStatus, reason, message string) {
	c.set = append(c.set, kind)
	if r := []rune(message); len(r) > maxMessage {
		message = string(r[:maxMessage-1]) + "…"
	}
	meta.SetStatusCondition(&c.List, metav1.Condition{
		Type: kind, Status: status, Reason: reason, Message: message, ObservedGeneration: c.Generation, LastTransitionTime: c.Now,
	})
}

// Clear removes a condition that is there only while it holds.
func (c *Conditions) Clear(kinds ...string) {
	c.List = slices.DeleteFunc(c.List, func(x metav1.Condition) bool { return slices.Contains(kinds, x.Type) })
}

// Prune removes those of the kinds that this pass did not set. A condition that
// is cleared and set again would seem to have changed just now.
func (c *Conditions) Prune(kinds ...string) {
	c.Clear(slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return slices.Contains(c.set, k) })...)
}

// Beside is what follows a message of Ready that `kubectl get` shows, so that it hides
// no condition that holds while Ready is True: "; Degraded: Outgrown". Empty where none
// of the kinds does.
func (c *Conditions) Beside(kinds ...string) string {
	out := ""
	for _, k := range kinds {
		if x := meta.FindStatusCondition(c.List, k); x != nil && x.Status == metav1.ConditionTrue {
			out += "; " + x.Type + ": " + x.Reason
		}
	}
	return out
}

// Told reports whether this pass set a condition to True. One that an earlier pass
// set may be about to go.
func (c *Conditions) Told(kind string) bool { return slices.Contains(c.set, kind) && c.Has(kind) }

// Has reports whether a condition is there and True.
func (c *Conditions) Has(kind string) bool { return meta.IsStatusConditionTrue(c.List, kind) }

// Explain reads the reason and message for a condition out of a step's error.
// Any other error is the given reason's.
func Explain(err error, otherwise string) (reason, message string) {
	var wait *Wait
	var stall *Stall
	var retry *Retry
	switch {
	case errors.As(err, &wait):
		return wait.Reason, wait.Message
	case errors.As(err, &stall):
		return stall.Reason, stall.Message
	case errors.As(err, &retry):
		return retry.Reason, strings.TrimSpace(retry.Err.Error())
	}
	return otherwise, err.Error()
}

// IsStalled reports whether nothing goes on by itself after err.
func IsStalled(err error) bool {
	var stall *Stall
	return errors.As(err, &stall)
}
