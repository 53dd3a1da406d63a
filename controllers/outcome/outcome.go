// Package outcome says what a reconciler does next, and settles an object.
//
// Steps return an error typed by what to do: Wait when something will come about
// by itself, Stall when nothing will until somebody changes something, any
// other error when it is worth trying again with backoff. No step writes a
// condition; the kind's status.go does, from the same error.
package outcome

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Wait is progress that will go on by itself. After 0 means that a watch or a
// finished job will tell.
type Wait struct {
	Reason  string
	Message string
	After   time.Duration
}

func (w *Wait) Error() string { return w.Reason + ": " + w.Message }

// Stall is a state that only a change by somebody ends. Again is how long until
// it is looked at once more where no watch would tell of the change; 0 never.
type Stall struct {
	Reason  string
	Message string
	Again   time.Duration
}

func (s *Stall) Error() string { return s.Reason + ": " + s.Message }

// Retry is a fault of the surroundings with a reason for the condition; it is
// tried again with backoff.
type Retry struct {
	Reason string
	Err    error
}

func (r *Retry) Error() string { return r.Reason + ": " + r.Err.Error() }

// Unwrap returns the cause.
func (r *Retry) Unwrap() error { return r.Err }

// Waiting makes a Wait.
func Waiting(after time.Duration, reason, format string, args ...any) error {
	return &Wait{reason, fmt.Sprintf(format, args...), after}
}

// Stalled makes a Stall.
func Stalled(again time.Duration, reason, format string, args ...any) error {
	return &Stall{reason, fmt.Sprintf(format, args...), again}
}

// Failing makes a Retry.
func Failing(reason string, err error) error { return &Retry{reason, err} }

// Settle writes the object's status if it differs from before, and turns the
// step's error into what the queue does. healthy is when to look again at an
// object that is as it should be; 0 never.
func Settle(ctx context.Context, c client.Client, obj, before client.Object, err error, healthy time.Duration) (ctrl.Result, error) {
	if !equality.Semantic.DeepEqual(obj, before) {
		perr := c.Status().Patch(ctx, obj, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
		switch {
		case apierrors.IsNotFound(perr): // it was deleted meanwhile; there is nothing left to settle
			return ctrl.Result{}, nil
		case perr != nil:
			return ctrl.Result{}, fmt.Errorf("patch status: %w", perr)
		}
	}
	var wait *Wait
	var stall *Stall
	switch {
	case err == nil:
		return ctrl.Result{RequeueAfter: healthy}, nil
	case errors.As(err, &wait):
		return ctrl.Result{RequeueAfter: wait.After}, nil
	case errors.As(err, &stall):
		return ctrl.Result{RequeueAfter: stall.Again}, nil
	}
	return ctrl.Result{}, err
}
