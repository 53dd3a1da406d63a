package v1alpha1

// Annotations that people set.
const (
	// ReconcileRequestAnnotation asks for a reconcile now; any new value does.
	ReconcileRequestAnnotation = Group + "/requestedAt"
	// FluxReconcileRequestAnnotation asks for the same, as `flux reconcile` sets it.
	FluxReconcileRequestAnnotation = "reconcile.fluxcd.io/requestedAt"
	// ApproveAnnotation on a Corpus approves the revision it names, under
	// approval: Manual.
	ApproveAnnotation = Group + "/approve"
	// ApproveDeletionsAnnotation on a Corpus approves up to so many deletions that
	// the deletion guard withholds.
	ApproveDeletionsAnnotation = Group + "/approve-deletions"
	// RollbackAnnotation on a Corpus puts the kept revision that it names back into
	// service.
	RollbackAnnotation = Group + "/rollback-to"
	// EraseAnnotation on a Corpus names documents that are to be erased everywhere,
	// separated by commas, or as a JSON list.
	EraseAnnotation = Group + "/erase"
)

// ErasureReceiptKey is the key of an erasure's receipt in its ConfigMap.
const ErasureReceiptKey = "erasure.json"

// Finalizer keeps an object until what it made in the store is dealt with.
const Finalizer = Group + "/finalizer"

// Condition types. Those in the first group are always present once an object
// was reconciled; those in the second only while they hold.
const (
	// ReadyCondition says that the spec is in force. It speaks of what serves:
	// a change of data alone that fails the gate leaves it True.
	ReadyCondition = "Ready"
	// ServingCondition says that a verified revision answers questions.
	ServingCondition = "Serving"
	// SourceReachableCondition says that the last listing was complete.
	SourceReachableCondition = "SourceReachable"
	// IngestedCondition says that the newest listing is stored.
	IngestedCondition = "Ingested"
	// VerifiedCondition says that the newest revision passed its gate.
	VerifiedCondition = "Verified"

	// ReconcilingCondition says that work is under way or will be tried again.
	ReconcilingCondition = "Reconciling"
	// StalledCondition says that nothing more happens until somebody changes something.
	StalledCondition = "Stalled"
	// CandidateRejectedCondition says that newer data failed the gate, and an
	// older revision goes on serving.
	CandidateRejectedCondition = "CandidateRejected"
	// DeletionsWithheldCondition says that removals of the source wait for approval.
	DeletionsWithheldCondition = "DeletionsWithheld"
	// DegradedCondition says that something works, but not as the spec has it.
	DegradedCondition = "Degraded"
)

// Reasons of normal states.
const (
	SucceededReason        = "Succeeded"        // all is as the spec has it
	ProgressingReason      = "Progressing"      // work is under way
	ListingReason          = "Listing"          // the source is being listed
	IngestingReason        = "Ingesting"        // documents are being read
	VerifyingReason        = "Verifying"        // golden sets are being asked
	PromotedReason         = "Promoted"         // a revision was put into service
	RolledBackReason       = "RolledBack"       // an older revision was put back into service, and what it replaced is held
	RollbackRefusedReason  = "RollbackRefused"  // the revision to roll back to isn't there (any more)
	ErasingReason          = "Erasing"          // documents are being erased
	ErasedReason           = "Erased"           // documents were erased; an object of their name may still be in the source
	EraseRefusedReason     = "EraseRefused"     // the erase annotation can't be understood
	AwaitingApprovalReason = "AwaitingApproval" // approval: Manual, and not approved yet
	SuspendedReason        = "Suspended"        // spec.suspend is true
	LeftoversRemovedReason = "LeftoversRemoved" // an event: revisions of a deleted Corpus of the same name were removed
	NotServingReason       = "NotServing"       // no revision has been promoted yet
	NotVerifiedReason      = "NotVerified"      // no verdict on the newest revision yet
	NotIngestedReason      = "NotIngested"      // the newest listing isn't stored yet
)

// Reasons of the gate.
const (
	GoldenSetFailedReason      = "GoldenSetFailed"      // a completed evaluation didn't pass
	EvaluationIncompleteReason = "EvaluationIncomplete" // an evaluation could not finish; it will be tried again
	NoGoldenSetReason          = "NoGoldenSet"          // the gate names no golden set
	EmptyGoldenSetReason       = "EmptyGoldenSet"       // a golden set has no question
	GoldenSetNotFoundReason    = "GoldenSetNotFound"    // the gate names a golden set that doesn't exist
	GoldenSetInvalidReason     = "GoldenSetInvalid"     // a golden set can't be used; its own condition says why
	AuditFailedReason          = "AuditFailed"          // a golden set failed, and the gate only audits
)

// Reasons about the spec and what it refers to.
const (
	InvalidSpecReason        = "InvalidSpec"        // the message names the field
	SecretNotFoundReason     = "SecretNotFound"     // a Secret doesn't exist
	SecretKeyMissingReason   = "SecretKeyMissing"   // a Secret lacks the key
	SecretKeyBlankReason     = "SecretKeyBlank"     // the key of a Secret has a blank value
	ConfigMapNotFoundReason  = "ConfigMapNotFound"  // questionsFrom names a ConfigMap or key that doesn't exist
	CollectionNotFoundReason = "CollectionNotFound" // the Collection doesn't exist (yet)
	CollectionNotReadyReason = "CollectionNotReady" // the Collection isn't Ready
	FieldNotIndexedReason    = "FieldNotIndexed"    // an eligibility field has no (fitting) payload index
	VectorSizeMismatchReason = "VectorSizeMismatch" // the Collection's vectors don't have the model's size
	ModelMismatchReason      = "ModelMismatch"      // the Collection holds vectors of another model
	EmbeddingFailedReason    = "EmbeddingFailed"    // texts could not be embedded: the server is away, refuses, or answers what it should not
	BudgetNotKeptReason      = "BudgetNotKept"      // a revision serves by a model of which no price is known
)

// Reasons about the source and its documents.
const (
	SourceUnreachableReason = "SourceUnreachable" // the listing failed or was cut short
	SourceForbiddenReason   = "SourceForbidden"   // the source refused the credentials
	BucketNotFoundReason    = "BucketNotFound"    // the bucket doesn't exist
	SourceEmptyReason       = "SourceEmpty"       // a complete listing holds no object that is included
	DocumentsFailedReason   = "DocumentsFailed"   // more documents failed than are tolerated
	ObjectsSkippedReason    = "ObjectsSkipped"    // the source has objects of a type that is not read
	DocumentFailuresReason  = "DocumentFailures"  // documents failed, no more than are tolerated
	DuplicateDocumentReason = "DuplicateDocument" // two objects have the same id and revision

	DeletionGuardReason     = "DeletionGuard"     // a listing would remove more than spec.source.deletionGuard admits
	DeletionsApprovedReason = "DeletionsApproved" // withheld deletions were approved
	ApprovalRefusedReason   = "ApprovalRefused"   // an approval of deletions approved nothing
)

// Reasons about the store.
const (
	StoreUnreachableReason  = "StoreUnreachable"  // the store doesn't answer
	StoreRefusedReason      = "StoreRefused"      // the store refused a request for good
	StoreLostReason         = "StoreLost"         // the store holds fewer points than the ledger; they are being rebuilt
	StaleAliasReason        = "StaleAlias"        // the alias pointed elsewhere
	IndexInUseReason        = "IndexInUse"        // an index that a Corpus needs isn't in the spec; it is kept
	ForeignCollectionReason = "ForeignCollection" // a collection of that name belongs to somebody else
	CollectionInUseReason   = "CollectionInUse"   // a Corpus still uses the Collection that is to be deleted
	DriftDetectedReason     = "DriftDetected"     // the store differs from the spec
	DriftRepairedReason     = "DriftRepaired"     // the store differed from the spec and was repaired
	MigratingReason         = "Migrating"         // points are being moved to another store; the one before serves
	MigratedReason          = "Migrated"          // the other store serves
	MigrationFailedReason   = "MigrationFailed"   // the copy did not pass, or could not be verified; the store before goes on serving
	OutgrownReason          = "Outgrown"          // the embedded store holds more points than it is made for
)
