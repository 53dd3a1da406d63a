package embedded

import (
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Problem says what is the matter with a data folder.
type Problem string

// Problems of a data folder.
const (
	Foreign Problem = "Foreign" // it holds something, but not a store
	Damaged Problem = "Damaged" // a store, of which something acknowledged is missing or unreadable
	InUse   Problem = "InUse"   // another process has it open
)

// FolderError says why a data folder cannot be opened.
type FolderError struct {
	Dir     string
	Problem Problem
	Detail  string
}

func (e *FolderError) Error() string {
	return fmt.Sprintf("data folder %q: %s: %s", e.Dir, e.Problem, e.Detail)
}

// The refusals below bear Qdrant's own codes and texts.

func invalid(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}

func wrongInput(format string, args ...any) error {
	return invalid("Wrong input: "+format, args...)
}

func badRequest(format string, args ...any) error {
	return invalid("Bad request: "+format, args...)
}

func notFound(format string, args ...any) error {
	return status.Errorf(codes.NotFound, "Not found: "+format, args...)
}

func noCollection(name string) error { return notFound("Collection `%s` doesn't exist!", name) }

func noPoint(id pointID) error { return notFound("No point with id %s found", id) }

func noVector(name string) error { return wrongInput("Not existing vector name error: %s", name) }

func collectionExists(name string) error {
	return status.Errorf(codes.AlreadyExists, "Wrong input: Collection `%s` already exists!", name)
}

// refusedByStrictMode is what a strict collection answers.
func refusedByStrictMode(help, format string, args ...any) error {
	return badRequest("%s. Help: %s", fmt.Sprintf(format, args...), help)
}

// unserved is the answer to what this server deliberately does not do.
func unserved(what string) error {
	return status.Errorf(codes.Unimplemented, "%s is not served by the embedded store", what)
}
