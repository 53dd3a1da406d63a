package store

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// ForeignError says that a collection bears another owner's marker, or none.
type ForeignError struct {
	Collection string
	Owner      string // as found; "" = no marker
	Want       string
}

func (e *ForeignError) Error() string {
	if e.Owner == "" {
		return fmt.Sprintf("collection %q has no owner marker, %q is needed", e.Collection, e.Want)
	}
	return fmt.Sprintf("collection %q belongs to %q, not to %q", e.Collection, e.Owner, e.Want)
}

// ImmutableError says that a difference can only be removed by a new collection.
type ImmutableError struct {
	Collection string
	Drift      Drift
}

func (e *ImmutableError) Error() string {
	return fmt.Sprintf("collection %q: %s is %q and cannot be changed to %q in place", e.Collection, e.Drift.Field, e.Drift.Have, e.Drift.Want)
}

// IsNotFound reports whether err says that a collection, alias or point does not exist.
func IsNotFound(err error) bool { return code(err) == codes.NotFound }

// IsRefused reports whether err is the server's refusal of what was asked, such
// as a filter on an unindexed field: asking again gives the same answer.
func IsRefused(err error) bool { return code(err) == codes.InvalidArgument }

// IsUnavailable reports whether err says that the server could not be reached or
// did not answer in time: asking again may help.
func IsUnavailable(err error) bool {
	c := code(err)
	return c == codes.Unavailable || c == codes.DeadlineExceeded
}

// code is the gRPC code of an error or of what it wraps; Unknown for any other error.
func code(err error) codes.Code {
	var s interface{ GRPCStatus() *status.Status }
	if errors.As(err, &s) {
		return s.GRPCStatus().Code()
	}
	return codes.Unknown
}
