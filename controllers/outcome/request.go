package outcome

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// Requested is the newer value of the two annotations that ask for a reconcile
// now; "" when there is none.
func Requested(o client.Object) string {
	a := o.GetAnnotations()
	return Newest(a[v1alpha1.ReconcileRequestAnnotation], a[v1alpha1.FluxReconcileRequestAnnotation])
}

// Newest is the later of two requests. Those who set one write the time, each in
// a zone of their own; what is no time is compared as text.
func Newest(a, b string) string {
	at, aerr := time.Parse(time.RFC3339Nano, a)
	bt, berr := time.Parse(time.RFC3339Nano, b)
	switch {
	case aerr != nil || berr != nil:
		return max(a, b)
	case at.After(bt):
		return a
	}
	return b
}
