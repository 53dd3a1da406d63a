package v1alpha1

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// EmbeddedPlace is the place of the embedded store.
const EmbeddedPlace = "embedded"

// Place tells stores apart: "embedded", or the url of the server. Secrets are no
// part of it, since a rotated key leads to the same points.
func (s Store) Place() string {
	if s.Qdrant == nil {
		return EmbeddedPlace
	}
	return strings.TrimSuffix(string(s.Qdrant.URL), "/")
}

// Place is the place of the store that serves.
func (c *Collection) Place() string {
	if c.Status.Store != nil {
		return c.Status.Store.Place()
	}
	return c.Spec.Store.Place()
}

// MigrationPhase is how far a move has come.
//
// +kubebuilder:validation:Enum=Copying;Settling;Verifying;Leaving;Failed
type MigrationPhase string

// Phases of a move. From Settling until the other store serves, the Corpora of the
// Collection write nothing; they serve on.
const (
	MigrationCopying   MigrationPhase = "Copying"   // points are being copied, while documents may still change
	MigrationSettling  MigrationPhase = "Settling"  // Corpora hold still, the rest is copied and everything compared
	MigrationVerifying MigrationPhase = "Verifying" // golden sets are asked of the copy
	MigrationLeaving   MigrationPhase = "Leaving"   // the other store serves, the one before is being cleared
	MigrationFailed    MigrationPhase = "Failed"    // the copy did not pass; the store before goes on serving
)

// Holds reports whether Corpora have to hold still.
func (p MigrationPhase) Holds() bool { return p == MigrationSettling || p == MigrationVerifying }

// MigrationStatus tells of a move of all points to another store.
type MigrationStatus struct {
	// ID of the move. The copy bears it, so that another address of the same
	// server is not taken for another server.
	ID string `json:"id"`
	// Phase the move is in.
	Phase MigrationPhase `json:"phase"`
	// Target is where the points are copied to.
	Target Store `json:"target"`
	// From is the store that was left, once the other serves.
	// +optional
	From *Store `json:"from,omitempty"`
	// Same says that both addresses lead to one server: nothing is copied, and
	// nothing cleared afterwards.
	// +optional
	Same bool `json:"same,omitempty"`
	// Attempt counts how often Corpora were asked to hold still. What a Corpus
	// says of the copy bears the attempt.
	// +optional
	Attempt int64 `json:"attempt,omitempty"`
	// Generation of the spec that is acted on.
	// +optional
	Generation int64 `json:"generation,omitempty"`
	// Points that the store before holds.
	// +optional
	Points int64 `json:"points,omitempty"`
	// Copied points so far, those that were there already included.
	// +optional
	Copied int64 `json:"copied,omitempty"`
	// SettledAt is when Corpora were last asked to hold still, or when the other
	// store began to serve.
	// +optional
	SettledAt metav1.Time `json:"settledAt,omitempty,omitzero"`
	// Message about what went wrong last.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Message string `json:"message,omitempty"`
}

// CopyStatus is what a Corpus says of its copy in another store. While it is
// there, the Corpus writes nothing.
type CopyStatus struct {
	// Attempt of the Collection's migration for which the Corpus holds still.
	Attempt int64 `json:"attempt"`
	// Verified says that golden sets were asked of the copy, or that there is
	// nothing to ask.
	// +optional
	Verified bool `json:"verified,omitempty"`
	// Passed is their verdict.
	// +optional
	Passed bool `json:"passed,omitempty"`
	// Message about a verdict, for people.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Message string `json:"message,omitempty"`
}
