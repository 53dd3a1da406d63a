// Package source lists and fetches the objects that a corpus is made of.
//
// A listing is whole or it is an error: one that failed, was cut short or was
// refused never looks like an empty one. What leaves is the filtered, sorted
// listing with a hash that changes only with it, and the bytes of the very
// version that was listed.
package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// ErrChanged says that an object is no longer the version that was listed; the
// next listing will have the new one.
var ErrChanged = errors.New("the object changed after it was listed")

// UnreachableError is a listing that did not come about. Nothing may be
// concluded from it about which objects exist.
type UnreachableError struct {
	Where string // bucket and endpoint, or directory
	Err   error
}

func (e *UnreachableError) Error() string { return fmt.Sprintf("list %s: %v", e.Where, e.Err) }

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// ReadError is an object that was listed and could not be read.
type ReadError struct {
	Key string
	Err error
}

func (e *ReadError) Error() string { return fmt.Sprintf("read object %q: %v", e.Key, e.Err) }

// Unwrap returns the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// Driver is one kind of place. List returns every object under the prefix, keys
// relative to it. Open returns the bytes of the object's listed version, or an
// error that wraps ErrChanged.
type Driver interface {
	List(ctx context.Context) ([]rag.Object, error)
	Open(ctx context.Context, o rag.Object) (io.ReadCloser, error)
}

// Filter says which objects are documents.
type Filter struct {
	Include, Exclude []string // doublestar globs on the key; no Include = everything
	MaxObjectBytes   int64    // 0 = no bound
}

// Validate refuses a malformed glob, naming it.
func (f Filter) Validate() error {
	for _, g := range slices.Concat(f.Include, f.Exclude) {
		if !doublestar.ValidatePattern(g) {
			return fmt.Errorf("glob %q is malformed", g)
		}
	}
	return nil
}

// Listing is the state of a source at one instant.
type Listing struct {
	Documents []rag.Object          // admitted, sorted by key
	TooLarge  []rag.Object          // admitted by the globs, over MaxObjectBytes
	Manifests map[string]rag.Object // the side files that were asked for and exist
	Keys      []string              // of every object under the prefix, sorted
	Bytes     int64                 // of Documents
	Revision  string                // sha256:… over what was admitted and the side files
}

// List lists through a driver and filters. manifests are keys of side files that
// are metadata, not documents.
func List(ctx context.Context, d Driver, f Filter, manifests []string) (Listing, error) {
	all, err := d.List(ctx)
	if err != nil {
		return Listing{}, err
	}
	slices.SortFunc(all, func(a, b rag.Object) int { return strings.Compare(a.Key, b.Key) })
	l := Listing{Manifests: map[string]rag.Object{}}
	h := sha256.New()
	for _, o := range all {
		l.Keys = append(l.Keys, o.Key)
		side := slices.Contains(manifests, o.Key)
		switch {
		case side:
			l.Manifests[o.Key] = o
		case !f.admits(o.Key):
			continue
		case f.MaxObjectBytes > 0 && o.Size > f.MaxObjectBytes:
			l.TooLarge = append(l.TooLarge, o)
		default:
			l.Documents = append(l.Documents, o)
			l.Bytes += o.Size
		}
		fmt.Fprintf(h, "%q %q %d\n", o.Key, o.Version, o.Size)
	}
	l.Revision = "sha256:" + hex.EncodeToString(h.Sum(nil))
	return l, nil
}

func (f Filter) admits(key string) bool {
	match := func(g string) bool { return doublestar.MatchUnvalidated(g, key) }
	return (len(f.Include) == 0 || slices.ContainsFunc(f.Include, match)) && !slices.ContainsFunc(f.Exclude, match)
}

// Read returns the whole object, or a ReadError.
func Read(ctx context.Context, d Driver, o rag.Object) ([]byte, error) {
	r, err := d.Open(ctx, o)
	if err != nil {
		return nil, &ReadError{o.Key, err}
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, o.Size+1))
	if err != nil {
		return nil, &ReadError{o.Key, err}
	}
	if int64(len(b)) != o.Size {
		return nil, &ReadError{o.Key, fmt.Errorf("%d bytes where %d were listed: %w", len(b), o.Size, ErrChanged)}
	}
	return b, nil
}
