package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CorpusStatus is what was last seen of the corpus.
type CorpusStatus struct {
	// ObservedGeneration is the generation of the spec that was last acted on.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// LastHandledReconcileAt echoes the last reconcile request by annotation.
	// +optional
	LastHandledReconcileAt string `json:"lastHandledReconcileAt,omitempty"`

	// Conditions of the corpus: Ready, Serving, SourceReachable, Ingested,
	// Verified, and, while they hold, Reconciling, Stalled, CandidateRejected,
	// DeletionsWithheld, Degraded.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// Source is the listing that was last seen complete.
	// +optional
	Source *SourceStatus `json:"source,omitempty"`

	// Documents of the newest revision.
	// +optional
	Documents *DocumentsStatus `json:"documents,omitempty"`

	// Candidate is the newest revision that doesn't serve: being built or
	// verified, waiting for approval, or rejected.
	// +optional
	Candidate *CandidateStatus `json:"candidate,omitempty"`

	// Active is the revision that serves.
	// +optional
	Active *ActiveStatus `json:"active,omitempty"`

	// Copy is what was found of this corpus in the store to which its Collection
	// is being moved.
	// +optional
	Copy *CopyStatus `json:"copy,omitempty"`

	// History are revisions that passed their gate and served, and are kept: what
	// can be rolled back to. Ascending by number.
	// +optional
	// +listType=map
	// +listMapKey=revision
	// +kubebuilder:validation:MaxItems=64
	History []ActiveStatus `json:"history,omitempty"`

	// Rollback is the last rollback, and what became of the last request for one.
	// +optional
	Rollback *RollbackStatus `json:"rollback,omitempty"`

	// Deletions is what the deletion guard withholds, and what was approved.
	// +optional
	Deletions *DeletionsStatus `json:"deletions,omitempty"`

	// Erased are documents that were erased by annotation. None is read again as
	// long as it stands here.
	// +optional
	// +listType=map
	// +listMapKey=document
	// +kubebuilder:validation:MaxItems=1000
	Erased []ErasedDocument `json:"erased,omitempty"`

	// Gate is the newest verdict of each golden set of the gate.
	// +optional
	// +listType=map
	// +listMapKey=goldenSet
	Gate []GateStatus `json:"gate,omitempty"`

	// Endpoint to which questions are posted, before anything serves as well.
	// +optional
	Endpoint string `json:"endpoint,omitempty"`
}

// SourceStatus describes a listing. It changes only when the listing does.
type SourceStatus struct {
	// Revision is the hash of the listing: keys, versions and sizes.
	Revision string `json:"revision"`
	// Objects listed, after include and exclude.
	Objects int64 `json:"objects"`
	// Bytes of these objects.
	Bytes int64 `json:"bytes"`
	// ChangedAt is when this listing was first seen.
	// +optional
	ChangedAt metav1.Time `json:"changedAt,omitempty,omitzero"`
}

// DocumentsStatus counts the documents of a revision.
type DocumentsStatus struct {
	// Total documents of the listing.
	Total int64 `json:"total"`
	// Ingested documents, those carried over unchanged included.
	Ingested int64 `json:"ingested"`
	// Failed documents.
	Failed int64 `json:"failed"`
	// Skipped objects: of a type that is not read. They are no failures.
	// +optional
	Skipped int64 `json:"skipped,omitempty"`
	// Skips are the first 20 of the skipped objects, by key.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +kubebuilder:validation:MaxItems=20
	Skips []DocumentFailure `json:"skips,omitempty"`
	// Failures are the first 20 of the failed documents, by key.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +kubebuilder:validation:MaxItems=20
	Failures []DocumentFailure `json:"failures,omitempty"`
}

// DocumentFailure says why one document could not be ingested.
type DocumentFailure struct {
	// Key of the object, relative to the prefix.
	Key string `json:"key"`
	// Stage that failed: fetch, extract, metadata, chunk or embed.
	Stage string `json:"stage"`
	// Reason in CamelCase.
	Reason string `json:"reason"`
	// Message for people.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`
}

// CandidatePhase is how far a candidate has come.
//
// +kubebuilder:validation:Enum=Ingesting;Verifying;AwaitingApproval;Rejected;RolledBack
type CandidatePhase string

// Phases of a candidate.
const (
	CandidateIngesting        CandidatePhase = "Ingesting"
	CandidateVerifying        CandidatePhase = "Verifying"
	CandidateAwaitingApproval CandidatePhase = "AwaitingApproval"
	CandidatePhaseRejected    CandidatePhase = "Rejected"
	CandidateRolledBack       CandidatePhase = "RolledBack" // held: an older revision was put back in its place
)

// CandidateTrigger is what made a candidate necessary.
//
// +kubebuilder:validation:Enum=Spec;GoldenSet;Source;StoreLost;Interval;Migration
type CandidateTrigger string

// Triggers of a candidate. Only Source leaves Ready alone when the gate refuses.
const (
	TriggerSpec      CandidateTrigger = "Spec"      // the spec changed, or this is the first revision
	TriggerGoldenSet CandidateTrigger = "GoldenSet" // a golden set or the program changed: what serves is verified again
	TriggerSource    CandidateTrigger = "Source"    // only the documents changed
	TriggerStoreLost CandidateTrigger = "StoreLost" // the store lost what served
	TriggerInterval  CandidateTrigger = "Interval"  // gate.interval has passed, or a reconcile was asked for
	TriggerMigration CandidateTrigger = "Migration" // what serves is verified in the store to which its Collection is being moved
)

// CandidateStatus describes a revision that doesn't serve (yet).
type CandidateStatus struct {
	// Revision is the number of the candidate; they count up from 1.
	Revision int64 `json:"revision"`
	// Freeze is the hash of code, configuration, questions and source that is
	// being verified. Only a verdict on exactly this freeze counts.
	// +optional
	Freeze string `json:"freeze,omitempty"`
	// RequestedAt is when this verification was asked for. A verdict that is
	// older doesn't count, so that the same freeze can be verified again.
	// +optional
	RequestedAt metav1.Time `json:"requestedAt,omitempty,omitzero"`
	// Phase the candidate is in.
	Phase CandidatePhase `json:"phase"`
	// Trigger is what made the candidate necessary.
	// +optional
	Trigger CandidateTrigger `json:"trigger,omitempty"`
	// Progress within the phase, as done/all.
	// +optional
	Progress string `json:"progress,omitempty"`
	// Generation of the spec that the candidate was made from.
	// +optional
	Generation int64 `json:"generation,omitempty"`
	// Collection is the physical collection that holds the candidate.
	// +optional
	Collection string `json:"collection,omitempty"`
	// SourceRevision is the listing that the candidate holds.
	// +optional
	SourceRevision string `json:"sourceRevision,omitempty"`
	// ConfigHash is the hash of the candidate's documents, pipeline and eligibility.
	// +optional
	ConfigHash string `json:"configHash,omitempty"`
	// Reason of a rejection, in CamelCase.
	// +optional
	Reason string `json:"reason,omitempty"`
	// Message of a rejection, for people.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Message string `json:"message,omitempty"`
}

// ActiveStatus describes the revision that serves.
type ActiveStatus struct {
	// Revision is its number.
	Revision int64 `json:"revision"`
	// Collection is the physical collection that holds it.
	Collection string `json:"collection"`
	// SourceRevision is the listing that it holds.
	SourceRevision string `json:"sourceRevision"`
	// ConfigHash is the hash of its documents, pipeline and eligibility.
	ConfigHash string `json:"configHash"`
	// Generation of the spec that it was made from.
	// +optional
	Generation int64 `json:"generation,omitempty"`
	// Freeze on which it was last verified.
	// +optional
	Freeze string `json:"freeze,omitempty"`
	// VerifiedAt is when its gate last passed.
	// +optional
	VerifiedAt metav1.Time `json:"verifiedAt,omitempty,omitzero"`
	// Points it holds by the ledger; a store that has fewer has lost some.
	// +optional
	Points int64 `json:"points,omitempty"`
	// Documents it holds by the ledger, those that failed or were skipped included.
	// +optional
	Documents int64 `json:"documents,omitempty"`
	// Ingested are those of them that answers come from.
	// +optional
	Ingested int64 `json:"ingested,omitempty"`
}

// RollbackStatus tells of rollbacks.
type RollbackStatus struct {
	// Request is the value of rag.hardgate.dev/rollback-to that was handled last.
	// +optional
	Request string `json:"request,omitempty"`
	// Refused says why that request was not met; absent when it was.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Refused string `json:"refused,omitempty"`
	// From is the revision that served before the last rollback.
	// +optional
	From int64 `json:"from,omitempty"`
	// To is the revision that the last rollback put back into service.
	// +optional
	To int64 `json:"to,omitempty"`
	// At is when that was.
	// +optional
	At metav1.Time `json:"at,omitempty,omitzero"`
	// Held is the candidate that a rollback holds, while a move of the Collection has
	// the candidate's place.
	// +optional
	Held *CandidateStatus `json:"held,omitempty"`
}

// DeletionsStatus tells of documents that are gone from the source.
type DeletionsStatus struct {
	// Withheld is how many documents go on serving though they are gone from the
	// source, because the deletion guard holds their deletion back.
	Withheld int64 `json:"withheld"`
	// Documents is how many the revision has that the listing was compared with.
	// +optional
	Documents int64 `json:"documents,omitempty"`
	// Keys are the first 20 of the withheld ones.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=20
	Keys []string `json:"keys,omitempty"`
	// Request is the value of rag.hardgate.dev/approve-deletions that was handled
	// last. The same value approves nothing a second time.
	// +optional
	Request string `json:"request,omitempty"`
	// Approved is the hash of the keys whose deletion that request approved;
	// absent when it approved none. Other deletions need another approval.
	// +optional
	Approved string `json:"approved,omitempty"`
	// Refused says why the request approved nothing.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Refused string `json:"refused,omitempty"`
}

// ErasedDocument is the tombstone of a document.
type ErasedDocument struct {
	// Document is its name, id[-revision], as in evidence.
	Document string `json:"document"`
	// RequestedAt is when its erasure was asked for.
	RequestedAt metav1.Time `json:"requestedAt"`
	// Receipt is the ConfigMap that proves the erasure; absent while it is under way.
	// +optional
	Receipt string `json:"receipt,omitempty"`
	// BuiltRevision is the newest revision that was built knowing of the erasure.
	// +optional
	BuiltRevision int64 `json:"builtRevision,omitempty"`
	// Keys of the source, at most 20, that still hold an object of that name. It
	// is not read; remove it.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=20
	Keys []string `json:"keys,omitempty"`
}

// GateStatus is the newest verdict of one golden set.
type GateStatus struct {
	// GoldenSet that judged.
	GoldenSet string `json:"goldenSet"`
	// Revision that was judged.
	// +optional
	Revision int64 `json:"revision,omitempty"`
	// Passed questions.
	Passed int64 `json:"passed"`
	// Total questions.
	Total int64 `json:"total"`
	// ConfidentlyWrong counts answers that were given but fail the key.
	ConfidentlyWrong int64 `json:"confidentlyWrong"`
	// Survival is the share of named entities that reached the prompt, 0 to 1.
	// +optional
	Survival string `json:"survival,omitempty"`
}
