// Package archive writes and reads a portable copy of a collection: its points with
// vectors and payload, and what makes them revisions of corpora.
//
// An archive is a stream: a line that says what it is, then, compressed by zstd,
// records of a kind, a length and a body. A manifest comes first; sections follow,
// each closed by its count and hash; the last record has the hash of everything
// before it. So a reader that is told nothing else knows whether it has all of it:
// what is cut off, changed or of another format is an error that says which, never
// a part that looks like the whole.
package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Format is what this package writes. A reader refuses any other.
const Format = "hardgate.archive/v1"

// magic is the first line of an archive, before anything compressed.
const magic = Format + "\n"

// kind of a record.
type kind byte

const (
	kindManifest kind = 'M' // Manifest, JSON
	kindSection  kind = 'S' // the section's name
	kindEntry    kind = 'E' // what the section holds
	kindClose    kind = 'C' // closing, JSON
	kindEnd      kind = 'Z' // ending, JSON
	kindFailed   kind = 'X' // why the writer could not go on
)

// largest bounds a record, so that a damaged length is not believed. A point of
// 65,536 dimensions takes 256 KiB; a document's text may take some MiB.
const largest = 256 << 20

// Manifest says what an archive is of.
type Manifest struct {
	Format     string          `json:"format"`
	TakenAt    time.Time       `json:"takenAt"`
	Version    string          `json:"version"` // of the program
	Cluster    string          `json:"cluster"`
	Namespace  string          `json:"namespace"`
	Collection string          `json:"collection"`
	Physical   string          `json:"physical"` // where the points were
	Model      string          `json:"model"`    // sha256 of the encoder
	Size       int             `json:"size"`     // of the dense vectors
	Spec       json.RawMessage `json:"spec"`     // of the Collection
}

// Names of sections.
const (
	Corpora = "corpora" // entries are Corpus, JSON
	Points  = "points"  // entries are points, see store.EncodePoint
)

// Corpus is what makes points a corpus: what serves, its revisions and verdicts.
type Corpus struct {
	Name      string          `json:"name"`
	UID       string          `json:"uid"` // its points bear it
	Alias     string          `json:"alias,omitempty"`
	Status    json.RawMessage `json:"status"` // of the resource
	Revisions []Revision      `json:"revisions"`
	Receipts  []Receipt       `json:"receipts,omitempty"`
}

// Revision is a ControllerRevision.
type Revision struct {
	Number   int64           `json:"number"`
	Snapshot json.RawMessage `json:"snapshot"`
}

// Receipt is a golden set's verdict, as it was kept.
type Receipt struct {
	Name        string            `json:"name"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	Data        map[string]string `json:"data"`
}

// closing ends a section.
type closing struct {
	Section string `json:"section"`
	Entries int    `json:"entries"`
	SHA256  string `json:"sha256"` // of the entries' lengths and bodies
}

// ending ends an archive.
type ending struct {
	Sections int    `json:"sections"`
	SHA256   string `json:"sha256"` // of all records before
	Points   []band `json:"points"`
}

// band is a line of the census, as JSON.
type band struct {
	Corpus string `json:"corpus"`
	Kind   string `json:"kind"`
	From   int64  `json:"from"`
	Points uint64 `json:"points"`
}

func bands(c store.Census) []band {
	var out []band
	for _, g := range c.Groups() {
		out = append(out, band{g.Corpus, g.Kind, g.From, c[g]})
	}
	return out
}

// Errors of a reader, wrapped with what was found.
var (
	// ErrForeign is a file that is no archive of this format.
	ErrForeign = errors.New("not an archive of format " + Format)
	// ErrTruncated is an archive that ends before its end.
	ErrTruncated = errors.New("the archive is cut off")
	// ErrDamaged is an archive whose contents aren't what was written.
	ErrDamaged = errors.New("the archive is damaged")
)

// FailedError is an archive whose writer could not finish it, and said so.
type FailedError struct{ Reason string }

func (e *FailedError) Error() string {
	return fmt.Sprintf("the archive was given up by its writer: %s", e.Reason)
}
