package settings

// Collection is where vectors live.
type Collection struct {
	Store          Store          `json:"store"`
	Vectors        Vectors        `json:"vectors"`
	PayloadIndexes []PayloadIndex `json:"payloadIndexes,omitempty"`
	Strict         *bool          `json:"strict,omitempty"`
	Shards         int            `json:"shards,omitempty"`
	Replicas       int            `json:"replicas,omitempty"`
	Drift          string         `json:"drift,omitempty"`          // Repair | Warn
	DeletionPolicy string         `json:"deletionPolicy,omitempty"` // Delete | Retain
}

// Store is exactly one of its fields.
type Store struct {
	Qdrant   *Qdrant   `json:"qdrant,omitempty"`
	Embedded *struct{} `json:"embedded,omitempty"`
}

// Qdrant addresses a server's gRPC port.
type Qdrant struct {
	URL             string        `json:"url"`
	APIKeySecretRef *KeyReference `json:"apiKeySecretRef,omitempty"`
	CASecretRef     *KeyReference `json:"caSecretRef,omitempty"`
}

// Vectors are the named vectors of a collection.
type Vectors struct {
	Dense  DenseVectors  `json:"dense"`
	Sparse SparseVectors `json:"sparse"`
}

// DenseVectors is the vector "dense".
type DenseVectors struct {
	Size         int    `json:"size,omitempty"`
	Distance     string `json:"distance,omitempty"` // Cosine
	OnDisk       bool   `json:"onDisk,omitempty"`
	Quantization string `json:"quantization,omitempty"` // None | Scalar | Binary
}

// SparseVectors is the vector "bm25".
type SparseVectors struct {
	Modifier string `json:"modifier,omitempty"` // IDF
}

// PayloadIndex makes a field filterable.
type PayloadIndex struct {
	Field  string `json:"field"`
	Type   string `json:"type"` // Keyword | Integer | Float | Bool | Datetime | UUID
	Tenant bool   `json:"tenant,omitempty"`
}
