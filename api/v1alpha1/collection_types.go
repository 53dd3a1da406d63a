package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CollectionSpec says where vectors live and which fields may be filtered on.
//
// +kubebuilder:validation:XValidation:rule="!has(self.store.embedded) || self.shards == 1",fieldPath=.shards,message="spec.shards must be 1 with the embedded store"
// +kubebuilder:validation:XValidation:rule="!has(self.store.embedded) || self.replicas == 1",fieldPath=.replicas,message="spec.replicas must be 1 with the embedded store"
// +kubebuilder:validation:XValidation:rule="!has(self.store.embedded) || self.vectors.dense.quantization == 'None'",fieldPath=.vectors.dense.quantization,message="spec.vectors.dense.quantization must be None with the embedded store"
type CollectionSpec struct {
	// Store holds the vectors: exactly one of its fields is set. Another store,
	// or another url, moves every point there with its vectors; the store before
	// serves until the copy is whole and has passed the golden sets.
	// +required
	Store Store `json:"store"`

	// Vectors are the named vectors that every point has. A change of size,
	// distance or modifier makes a new physical collection; the old one lives
	// until no Corpus serves from it.
	// +optional
	// +kubebuilder:default={}
	Vectors Vectors `json:"vectors,omitempty,omitzero"`

	// PayloadIndexes are the fields that questions may be filtered on. The
	// operator keeps its own fields indexed besides.
	// +optional
	// +listType=map
	// +listMapKey=field
	// +kubebuilder:validation:MaxItems=64
	PayloadIndexes []PayloadIndex `json:"payloadIndexes,omitempty"`

	// Strict makes the store refuse filters on fields without an index,
	// instead of scanning every point.
	// +optional
	// +kubebuilder:default=true
	Strict *bool `json:"strict,omitempty"`

	// Shards of the physical collection. A change makes a new one.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Shards int32 `json:"shards,omitempty"`

	// Replicas of each shard.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=16
	Replicas int32 `json:"replicas,omitempty"`

	// Drift says what to do when the store differs from this spec: report and
	// Repair, or report alone (Warn).
	// +optional
	// +kubebuilder:default=Repair
	Drift DriftPolicy `json:"drift,omitempty"`

	// DeletionPolicy says whether the physical collections are deleted with
	// this object or retained.
	// +optional
	// +kubebuilder:default=Delete
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`
}

// Store is exactly one of its fields.
//
// +kubebuilder:validation:XValidation:rule="has(self.qdrant) != has(self.embedded)",message="spec.store must have exactly one of qdrant and embedded"
type Store struct {
	// Qdrant is a Qdrant server, reached by gRPC.
	// +optional
	Qdrant *QdrantStore `json:"qdrant,omitempty"`

	// Embedded is the store inside the manager: for demonstrations, tests and
	// small corpora, with one manager.
	// +optional
	Embedded *EmbeddedStore `json:"embedded,omitempty"`
}

// QdrantStore addresses a Qdrant server.
//
// +kubebuilder:validation:XValidation:rule="!has(self.caSecretRef) || self.url.startsWith('https://')",fieldPath=.caSecretRef,message="spec.store.qdrant.caSecretRef needs an https:// url"
type QdrantStore struct {
	// URL of the server's gRPC port, for instance https://qdrant.qdrant.svc:6334.
	// +required
	URL URL `json:"url"`

	// APIKeySecretRef names the Secret key that holds the API key.
	// +optional
	APIKeySecretRef *KeyReference `json:"apiKeySecretRef,omitempty"`

	// CASecretRef names the Secret key that holds the certificate authority
	// (PEM) to trust instead of the system's.
	// +optional
	CASecretRef *KeyReference `json:"caSecretRef,omitempty"`
}

// URL is an http:// or https:// address of a server, without credentials, path
// or query.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=512
// +kubebuilder:validation:Pattern=`^https?://[^/?#@\s]+/?$`
// +kubebuilder:validation:XValidation:rule="isURL(self) && url(self).getHostname().size() > 0",message="must be a URL such as https://host:port"
type URL string

// EmbeddedStore has no settings.
type EmbeddedStore struct{}

// DriftPolicy says what to do about a store that differs from the spec.
//
// +kubebuilder:validation:Enum=Repair;Warn
type DriftPolicy string

// Drift policies.
const (
	DriftRepair DriftPolicy = "Repair"
	DriftWarn   DriftPolicy = "Warn"
)

// Vectors are the named vectors of every point.
type Vectors struct {
	// Dense is the embedding, the vector "dense".
	// +optional
	// +kubebuilder:default={}
	Dense DenseVectors `json:"dense,omitempty,omitzero"`

	// Sparse is the BM25 weighting, the vector "bm25".
	// +optional
	// +kubebuilder:default={}
	Sparse SparseVectors `json:"sparse,omitempty,omitzero"`
}

// DenseVectors configures the vector "dense".
type DenseVectors struct {
	// Size is the number of dimensions; it must be the embedding model's.
	// +optional
	// +kubebuilder:default=384
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65536
	Size int32 `json:"size,omitempty"`

	// Distance by which vectors are compared.
	// +optional
	// +kubebuilder:default=Cosine
	// +kubebuilder:validation:Enum=Cosine
	Distance string `json:"distance,omitempty"`

	// OnDisk keeps the vectors on disk rather than in memory.
	// +optional
	// +kubebuilder:default=false
	OnDisk bool `json:"onDisk,omitempty"`

	// Quantization compresses the vectors that are searched.
	// +optional
	// +kubebuilder:default=None
	// +kubebuilder:validation:Enum=None;Scalar;Binary
	Quantization string `json:"quantization,omitempty"`
}

// SparseVectors configures the vector "bm25".
type SparseVectors struct {
	// Modifier weighs terms. IDF: the store keeps document frequencies over the
	// whole collection, neighbouring corpora and superseded points included.
	// +optional
	// +kubebuilder:default=IDF
	// +kubebuilder:validation:Enum=IDF
	Modifier string `json:"modifier,omitempty"`
}

// PayloadIndex makes one payload field filterable.
//
// +kubebuilder:validation:XValidation:rule="!has(self.tenant) || !self.tenant || self.type == 'Keyword'",fieldPath=.tenant,message="tenant needs type Keyword"
type PayloadIndex struct {
	// Field of the documents' payload.
	// +required
	Field FieldName `json:"field"`

	// Type of the field's values.
	// +required
	// +kubebuilder:validation:Enum=Keyword;Integer;Float;Bool;Datetime;UUID
	Type string `json:"type"`

	// Tenant tells the store that this field separates tenants, so that it
	// keeps their points together.
	// +optional
	Tenant bool `json:"tenant,omitempty"`
}

// CollectionStatus is what was last seen of the collection.
type CollectionStatus struct {
	// ObservedGeneration is the generation of the spec that was last acted on.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// LastHandledReconcileAt echoes the last reconcile request by annotation.
	// +optional
	LastHandledReconcileAt string `json:"lastHandledReconcileAt,omitempty"`

	// Conditions of the collection: Ready, Reconciling, Stalled.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// Physical is the name of the collection in the store.
	// +optional
	Physical string `json:"physical,omitempty"`

	// Model whose vectors it holds: the sha256 of its weights, or of what names a
	// server's model. Vectors of two models never meet.
	// +optional
	Model string `json:"model,omitempty"`

	// Store is the one that serves: the spec's, or while points are moved the one
	// before.
	// +optional
	Store *Store `json:"store,omitempty"`

	// Migration is the move to another store, while there is one.
	// +optional
	Migration *MigrationStatus `json:"migration,omitempty"`

	// Superseded are older physical collections that a Corpus still serves from.
	// +optional
	// +listType=set
	Superseded []string `json:"superseded,omitempty"`

	// Points in the physical collection, superseded ones included.
	// +optional
	Points int64 `json:"points,omitempty"`

	// Indexes that the store has.
	// +optional
	// +listType=map
	// +listMapKey=field
	Indexes []IndexStatus `json:"indexes,omitempty"`

	// Drift lists where the store differed from the spec when last looked at.
	// +optional
	// +listType=map
	// +listMapKey=path
	Drift []Drift `json:"drift,omitempty"`
}

// IndexStatus is one index that the store has.
type IndexStatus struct {
	// Field of the payload.
	Field string `json:"field"`
	// Type of the index.
	Type string `json:"type"`
	// Points that have the field.
	// +optional
	Points int64 `json:"points,omitempty"`
}

// Drift is one difference between spec and store.
type Drift struct {
	// Path of what differs, for instance payloadIndexes[doc_type].
	Path string `json:"path"`
	// Want is what the spec asks for.
	Want string `json:"want"`
	// Got is what the store had.
	Got string `json:"got"`
}

// Collection is where vectors live.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=collections,singular=collection,shortName=coll,categories=rag
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Points",type=integer,JSONPath=`.status.points`
// +kubebuilder:printcolumn:name="Physical",type=string,priority=1,JSONPath=`.status.physical`
// +kubebuilder:printcolumn:name="Status",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Collection struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what is wanted.
	// +required
	Spec CollectionSpec `json:"spec"`
	// Status is what was last seen.
	// +optional
	Status CollectionStatus `json:"status,omitempty,omitzero"`
}

// GetConditions returns the conditions of the status.
func (c *Collection) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions replaces the conditions of the status.
func (c *Collection) SetConditions(conditions []metav1.Condition) { c.Status.Conditions = conditions }

// CollectionList is a list of collections.
//
// +kubebuilder:object:root=true
type CollectionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Collection `json:"items"`
}
