// Package settings is the configuration of a corpus as the runtime reads it:
// the same field names and shapes as the spec of the resources, so that one
// YAML file serves the cluster and the command line. Decode is strict, applies
// the defaults, and Validate names the field that is wrong.
package settings

// Corpus is what a revision is built from: a Corpus' spec without what only a
// cluster needs.
type Corpus struct {
	Source      Source      `json:"source"`
	Documents   Documents   `json:"documents"`
	Pipeline    Pipeline    `json:"pipeline"`
	Eligibility Eligibility `json:"eligibility"`
	Gate        Gate        `json:"gate"`
}

// Source says which objects are listed.
type Source struct {
	S3             *S3            `json:"s3,omitempty"`
	Include        []string       `json:"include,omitempty"` // doublestar globs on the key relative to the prefix
	Exclude        []string       `json:"exclude,omitempty"`
	MaxObjectBytes Bytes          `json:"maxObjectBytes,omitempty"`
	DeletionGuard  *DeletionGuard `json:"deletionGuard,omitempty"`
}

// S3 addresses a bucket.
type S3 struct {
	Endpoint  string `json:"endpoint"`
	Region    string `json:"region,omitempty"`
	Bucket    string `json:"bucket"`
	Prefix    string `json:"prefix,omitempty"`
	PathStyle bool   `json:"pathStyle,omitempty"`
}

// DeletionGuard withholds deletions over either bound.
type DeletionGuard struct {
	Percent int `json:"percent,omitempty"`
	Count   int `json:"count,omitempty"`
}

// Documents says how objects become documents and payload.
type Documents struct {
	ID               string     `json:"id,omitempty"`       // Go template
	Revision         string     `json:"revision,omitempty"` // Go template; "" → none
	Metadata         []Metadata `json:"metadata,omitempty"` // later rules win
	TolerateFailures string     `json:"tolerateFailures,omitempty"`
}

// Metadata is one rule; exactly one field is set.
type Metadata struct {
	Path     string         `json:"path,omitempty"`     // RE2 with named groups on the key
	Manifest string         `json:"manifest,omitempty"` // object of JSON lines beside the files
	Set      map[string]any `json:"set,omitempty"`
}

// Pipeline is every stage's configuration.
type Pipeline struct {
	Extraction  Extraction  `json:"extraction"`
	Chunking    Chunking    `json:"chunking"`
	Embedding   Embedding   `json:"embedding"`
	Lexical     Lexical     `json:"lexical"`
	Retrieval   Retrieval   `json:"retrieval"`
	Compression Compression `json:"compression"`
	Generation  Generation  `json:"generation"`
}

// Extraction bounds one document.
type Extraction struct {
	Timeout  Duration `json:"timeout,omitempty"`
	MaxPages int      `json:"maxPages,omitempty"`
}

// Chunking cuts documents; sizes are characters.
type Chunking struct {
	Strategy string `json:"strategy,omitempty"` // Recursive
	Size     int    `json:"size,omitempty"`
	Overlap  *int   `json:"overlap,omitempty"`
}

// Embedding names the encoder.
type Embedding struct {
	Model string `json:"model,omitempty"`
}

// Lexical is the BM25 weighting of documents.
type Lexical struct {
	K1            Decimal `json:"k1,omitempty"`
	B             Decimal `json:"b,omitempty"`
	AverageLength int     `json:"averageLength,omitempty"` // terms
}

// Retrieval finds candidates and blends the channels.
type Retrieval struct {
	Mode        string `json:"mode,omitempty"` // None | Lexical | Dense | Hybrid
	Fusion      Fusion `json:"fusion"`
	Candidates  int    `json:"candidates,omitempty"` // per channel
	TopK        int    `json:"topK,omitempty"`
	Identifiers string `json:"identifiers,omitempty"` // Pin | Off
}

// Fusion blends the channels.
type Fusion struct {
	Method        string  `json:"method,omitempty"` // Weighted | RRF
	Dense         Decimal `json:"dense,omitempty"`
	Lexical       Decimal `json:"lexical,omitempty"`
	Normalization string  `json:"normalization,omitempty"` // Max | MinMax
	K             int     `json:"k,omitempty"`             // RRF
}

// Compression trims prose and keeps tables; sizes are characters.
type Compression struct {
	Mode              string  `json:"mode,omitempty"` // None | TableAware | TopSentences
	MaxContextChars   int     `json:"maxContextChars,omitempty"`
	MaxTableChars     int     `json:"maxTableChars,omitempty"`
	SentenceThreshold Decimal `json:"sentenceThreshold,omitempty"`
	MaxSentences      int     `json:"maxSentences,omitempty"` // TopSentences only
}

// Generation names who writes the answer.
type Generation struct {
	Provider string `json:"provider,omitempty"` // Extractive
}

// Eligibility becomes a filter inside every prefetch.
type Eligibility struct {
	Constants []Constant     `json:"constants,omitempty"`
	Identity  []IdentityRule `json:"identity,omitempty"`
	Question  []QuestionRule `json:"question,omitempty"`
	Validity  *Validity      `json:"validity,omitempty"`
}

// Constant admits documents whose field has any of the values.
type Constant struct {
	Field  string   `json:"field"`
	Values []string `json:"values"`
}

// IdentityRule admits documents whose field shares a value with a claim, or has a shared value.
type IdentityRule struct {
	Field  string   `json:"field"`
	Claim  string   `json:"claim"`
	Shared []string `json:"shared,omitempty"`
}

// QuestionRule takes a value of a field from the question's text.
type QuestionRule struct {
	Field   string `json:"field"`
	Pattern string `json:"pattern"` // RE2
	Strip   bool   `json:"strip,omitempty"`
}

// Validity admits documents with from ≤ asOf < to; an absent to is open, an absent from ineligible.
type Validity struct {
	From string `json:"from"`
	To   string `json:"to,omitempty"`
}

// Gate says which golden sets must pass.
type Gate struct {
	Mode       string   `json:"mode,omitempty"` // Enforce | Audit
	GoldenSets []string `json:"goldenSets,omitempty"`
}

// Collection is where vectors live.
type Collection struct {
	Store          Store          `json:"store"`
	Vectors        Vectors        `json:"vectors"`
	PayloadIndexes []PayloadIndex `json:"payloadIndexes,omitempty"`
	Strict         *bool          `json:"strict,omitempty"`
	Shards         int            `json:"shards,omitempty"`
	Replicas       int            `json:"replicas,omitempty"`
}

// Store is exactly one of its fields.
type Store struct {
	Qdrant   *Qdrant   `json:"qdrant,omitempty"`
	Embedded *struct{} `json:"embedded,omitempty"`
}

// Qdrant addresses a server's gRPC port.
type Qdrant struct {
	URL string `json:"url"`
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

// GoldenSet is the answer key.
type GoldenSet struct {
	Questions      []GoldenQuestion      `json:"questions,omitempty"`
	Compare        []string              `json:"compare,omitempty"`
	Cutoffs        []int                 `json:"cutoffs,omitempty"`
	Thresholds     Thresholds            `json:"thresholds"`
	PerClass       map[string]Thresholds `json:"perClass,omitempty"`
	RequireClasses []string              `json:"requireClasses,omitempty"`
	Requires       map[string]string     `json:"requires,omitempty"` // asserted on the running config
	Repeat         int                   `json:"repeat,omitempty"`
}

// GoldenQuestion is one question of the key.
type GoldenQuestion struct {
	Name     string `json:"name"`
	Class    string `json:"class"`
	Question string `json:"question"`
	As       As     `json:"as"`
	Expect   Expect `json:"expect"`
}

// As is the identity and instant a golden question is asked with.
type As struct {
	Tenant string              `json:"tenant,omitempty"`
	Groups []string            `json:"groups,omitempty"`
	Claims map[string][]string `json:"claims,omitempty"`
	AsOf   string              `json:"asOf,omitempty"` // RFC 3339 or YYYY-MM-DD
}

// Expect is what must come true.
type Expect struct {
	Status    string     `json:"status,omitempty"` // Answered | NeedsHuman
	Evidence  []string   `json:"evidence,omitempty"`
	Missing   []string   `json:"missing,omitempty"`
	Forbidden []string   `json:"forbidden,omitempty"`
	Facts     []Fact     `json:"facts,omitempty"`
	Entities  *Entities  `json:"entities,omitempty"`
	Aggregate *Aggregate `json:"aggregate,omitempty"`
}

// Fact is met by any of its wordings.
type Fact struct {
	AnyOf []string `json:"anyOf"`
}

// Entities must survive every stage: Values, or Count distinct matches of Pattern.
type Entities struct {
	Values  []string `json:"values,omitempty"`
	Pattern string   `json:"pattern,omitempty"`
	Count   int      `json:"count,omitempty"`
}

// Aggregate is checked against the extracted table: each addend or key must reach the prompt.
type Aggregate struct {
	Op     string            `json:"op"` // Sum | DistinctCount
	Column string            `json:"column"`
	Where  map[string]string `json:"where,omitempty"`
	Value  string            `json:"value"`
}

// Thresholds of a gate; one left out is its strictest value.
type Thresholds struct {
	Accuracy         *Decimal `json:"accuracy,omitempty"`
	Completeness     *Decimal `json:"completeness,omitempty"`
	Survival         *Decimal `json:"survival,omitempty"`
	Citations        *Decimal `json:"citations,omitempty"`
	HandOffs         *Decimal `json:"handOffs,omitempty"`
	ConfidentlyWrong *int     `json:"confidentlyWrong,omitempty"`
	Forbidden        *int     `json:"forbidden,omitempty"`
	Degraded         *int     `json:"degraded,omitempty"`
}
