// Package settings is the configuration of a corpus as the runtime reads it:
// the same field names and shapes as the spec of the resources, so that one
// YAML file serves the cluster and the command line. Decode is strict, applies
// the defaults, and names the field that is wrong, by the same rules as the API
// server.
package settings

import (
	"encoding/json"
	"slices"
)

// Corpus is a Corpus' spec.
type Corpus struct {
	Cluster
	Source      Source      `json:"source"`
	Documents   Documents   `json:"documents"`
	Pipeline    Pipeline    `json:"pipeline"`
	Eligibility Eligibility `json:"eligibility"`
	Gate        Gate        `json:"gate"`
}

// Cluster is the part of a Corpus' spec that says how it is kept rather than
// what it holds; no revision depends on it.
type Cluster struct {
	Suspend              bool      `json:"suspend,omitempty"`
	Interval             Duration  `json:"interval,omitempty"`
	CollectionRef        Reference `json:"collectionRef"`
	Access               Access    `json:"access"`
	Budget               *Budget   `json:"budget,omitempty"`
	Approval             string    `json:"approval,omitempty"` // Automatic | Manual
	RevisionHistoryLimit *int      `json:"revisionHistoryLimit,omitempty"`
	DeletionPolicy       string    `json:"deletionPolicy,omitempty"` // Delete | Retain
}

// Reference names an object in the same namespace.
type Reference struct {
	Name string `json:"name"`
}

// KeyReference names one key of a Secret or ConfigMap in the same namespace.
type KeyReference struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// Source says which objects are listed.
type Source struct {
	S3             *S3      `json:"s3,omitempty"`
	Include        []string `json:"include,omitempty"` // doublestar globs on the key relative to the prefix
	Exclude        []string `json:"exclude,omitempty"`
	MaxObjectBytes Bytes    `json:"maxObjectBytes,omitempty"`

	DeletionGuard DeletionGuard `json:"deletionGuard"`
}

// DeletionGuard bounds how many documents a listing may remove at once.
type DeletionGuard struct {
	Percent int `json:"percent"` // of the documents that are served
	Count   int `json:"count"`
}

// Admits is how many of so many documents may go at once: no more than either
// bound. Percentages are rounded down, but one document may always go, so that
// a corpus of three pages can lose one; 0 in either bound admits none.
func (g DeletionGuard) Admits(documents int) int {
	if g.Percent == 0 || g.Count == 0 {
		return 0
	}
	return min(g.Count, max(1, documents*g.Percent/100))
}

// S3 addresses a bucket.
type S3 struct {
	Endpoint             string        `json:"endpoint"`
	Region               string        `json:"region,omitempty"`
	Bucket               string        `json:"bucket"`
	Prefix               string        `json:"prefix,omitempty"`
	PathStyle            bool          `json:"pathStyle,omitempty"`
	CredentialsSecretRef *Reference    `json:"credentialsSecretRef,omitempty"`
	CASecretRef          *KeyReference `json:"caSecretRef,omitempty"`
}

// Documents says how objects become documents and payload.
type Documents struct {
	ID               string     `json:"id,omitempty"`       // Go template
	Revision         string     `json:"revision,omitempty"` // Go template; "" → none
	Metadata         []Metadata `json:"metadata,omitempty"` // later rules win
	TolerateFailures Allowance  `json:"tolerateFailures,omitempty"`
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
	Reranking   Reranking   `json:"reranking"`
	Compression Compression `json:"compression"`
	Generation  Generation  `json:"generation"`
}

// Extraction bounds one document, and says how to read one that is closed or a scan.
type Extraction struct {
	Timeout      Duration   `json:"timeout,omitempty"`
	MaxPages     int        `json:"maxPages,omitempty"`
	Passwords    []Password `json:"passwords,omitempty"`    // each whose pattern matches the key is tried
	OCR          string     `json:"ocr,omitempty"`          // None | Tesseract
	OCRLanguages []string   `json:"ocrLanguages,omitempty"` // Tesseract's names; eng when left out
}

// Password opens the encrypted documents whose key matches a glob.
type Password struct {
	Pattern   string       `json:"pattern"`
	SecretRef KeyReference `json:"secretRef"`
}

// Chunking cuts documents; sizes are characters.
type Chunking struct {
	Strategy string `json:"strategy,omitempty"` // Recursive | Headings
	Size     int    `json:"size,omitempty"`
	Overlap  *int   `json:"overlap,omitempty"`
}

// Embedding is the encoder: a model in this process, or a server. Decoded, it
// has exactly one of the two.
type Embedding struct {
	Model  string           `json:"model,omitempty"` // all-MiniLM-L6-v2
	OpenAI *RemoteEmbedding `json:"openai,omitempty"`
}

// RemoteEmbedding addresses a server that speaks OpenAI's embeddings API.
type RemoteEmbedding struct {
	BaseURL           string        `json:"baseURL"`
	Model             string        `json:"model"`
	Dimensions        int           `json:"dimensions"`
	Window            int           `json:"window,omitempty"` // bytes that the model reads whole
	APIKeySecretRef   *KeyReference `json:"apiKeySecretRef,omitempty"`
	QueryInputType    string        `json:"queryInputType,omitempty"` // input_type of questions, of documents
	DocumentInputType string        `json:"documentInputType,omitempty"`
}

// Lexical is the BM25 weighting of documents.
type Lexical struct {
	K1            Decimal `json:"k1"`
	B             Decimal `json:"b"`
	AverageLength int     `json:"averageLength,omitempty"` // terms
	Language      string  `json:"language,omitempty"`      // "" = none, or en: stemming and stop words
}

// Retrieval finds candidates and blends the channels.
type Retrieval struct {
	Mode        string `json:"mode,omitempty"` // None | Lexical | Dense | Hybrid
	Fusion      Fusion `json:"fusion"`
	Candidates  int    `json:"candidates,omitempty"` // per channel
	TopK        int    `json:"topK,omitempty"`
	Identifiers string `json:"identifiers,omitempty"` // Pin | Off
}

// Reranking orders the best candidates anew. Decoded, Model is "" where ONNX is
// set, and without a reranker the other fields are zero.
type Reranking struct {
	Model     string   `json:"model,omitempty"` // None | late-interaction
	ONNX      *ONNX    `json:"onnx,omitempty"`
	Depth     int      `json:"depth,omitempty"`     // candidates that are judged
	TopK      int      `json:"topK,omitempty"`      // hits that go on
	Threshold *Decimal `json:"threshold,omitempty"` // least relevance, 0 to 1
	Timeout   Duration `json:"timeout,omitempty"`
	OnFailure string   `json:"onFailure,omitempty"` // Degrade | Fail
}

// ONNX is a BERT cross-encoder as a file.
type ONNX struct {
	URL    string `json:"url"`
	SHA256 string `json:"sha256"` // hex
}

// On reports whether there is a reranker.
func (r Reranking) On() bool { return r.ONNX != nil || r.Model == LateInteraction }

// LateInteraction is the reranker over the encoder's own token vectors.
const LateInteraction = "late-interaction"

// Kept is how many hits go on to compression.
func (l Pipeline) Kept() int {
	if l.Reranking.On() {
		return l.Reranking.TopK
	}
	return l.Retrieval.TopK
}

// Fusion blends the channels. Decoded, it has the weights and the normalization
// under Weighted, and K under RRF, never both.
type Fusion struct {
	Method        string  `json:"method,omitempty"` // Weighted | RRF
	Dense         Decimal `json:"dense,omitempty"`
	Lexical       Decimal `json:"lexical,omitempty"`
	Normalization string  `json:"normalization,omitempty"` // Max | MinMax
	K             int     `json:"k,omitempty"`             // RRF
}

// MarshalJSON writes the settings of the method alone, a weight of zero included.
func (f Fusion) MarshalJSON() ([]byte, error) {
	if f.Method == "RRF" {
		return json.Marshal(map[string]any{"method": f.Method, "k": f.K})
	}
	return json.Marshal(map[string]any{"method": f.Method, "dense": f.Dense, "lexical": f.Lexical, "normalization": f.Normalization})
}

// Compression trims prose and keeps tables; sizes are characters.
type Compression struct {
	Mode              string  `json:"mode,omitempty"` // None | TableAware | TopSentences
	MaxContextChars   int     `json:"maxContextChars,omitempty"`
	MaxTableChars     int     `json:"maxTableChars,omitempty"`
	SentenceThreshold Decimal `json:"sentenceThreshold"`
	MaxSentences      int     `json:"maxSentences,omitempty"` // TopSentences only
}

// Generation names who writes the answer. Decoded, it has exactly one of
// Provider, OpenAI and Anthropic.
type Generation struct {
	Provider  string     `json:"provider,omitempty"` // Extractive
	OpenAI    *OpenAI    `json:"openai,omitempty"`
	Anthropic *Anthropic `json:"anthropic,omitempty"`
	Prices    []Price    `json:"prices,omitempty"`
}

// OpenAI is a model behind a server that speaks OpenAI's chat API.
type OpenAI struct {
	BaseURL         string        `json:"baseURL"`
	Model           string        `json:"model"`
	Effort          string        `json:"effort,omitempty"`
	MaxTokens       int           `json:"maxTokens,omitempty"`
	Timeout         Duration      `json:"timeout,omitempty"`
	APIKeySecretRef *KeyReference `json:"apiKeySecretRef,omitempty"`
}

// Anthropic is a model behind Anthropic's Messages API.
type Anthropic struct {
	BaseURL         string       `json:"baseURL,omitempty"` // "" = the provider's own
	Model           string       `json:"model"`
	FallbackModel   string       `json:"fallbackModel,omitempty"` // asked when the first one declines
	Effort          string       `json:"effort,omitempty"`
	MaxTokens       int          `json:"maxTokens,omitempty"`
	Timeout         Duration     `json:"timeout,omitempty"`
	APIKeySecretRef KeyReference `json:"apiKeySecretRef"`
}

// Price is what a model costs, in USD a million tokens.
type Price struct {
	Model            string  `json:"model"`
	InputPerMillion  Decimal `json:"inputPerMillion"`
	OutputPerMillion Decimal `json:"outputPerMillion"`
}

// Kind says who generates: Extractive, openai or anthropic.
func (g Generation) Kind() string {
	switch {
	case g.OpenAI != nil:
		return "openai"
	case g.Anthropic != nil:
		return "anthropic"
	}
	return g.Provider
}

// Models are the models that may be asked, the one that is asked first first.
func (g Generation) Models() []string {
	switch {
	case g.OpenAI != nil:
		return []string{g.OpenAI.Model}
	case g.Anthropic != nil && g.Anthropic.FallbackModel != "":
		return []string{g.Anthropic.Model, g.Anthropic.FallbackModel}
	case g.Anthropic != nil:
		return []string{g.Anthropic.Model}
	}
	return nil
}

// Budget bounds what a corpus may spend on its generator.
type Budget struct {
	USDPerDay Decimal `json:"usdPerDay"` // a day of UTC
}

// Eligibility becomes a filter inside every prefetch.
type Eligibility struct {
	Constants []Constant     `json:"constants,omitempty"`
	Identity  []IdentityRule `json:"identity,omitempty"`
	Question  []QuestionRule `json:"question,omitempty"`
	Validity  *Validity      `json:"validity,omitempty"`
}

// Claims are the names of the claims that the rules read, tenant and groups
// among them, sorted.
func (e Eligibility) Claims() []string {
	var out []string
	for _, r := range e.Identity {
		out = append(out, r.Claim)
	}
	slices.Sort(out)
	return slices.Compact(out)
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
	Mode         string   `json:"mode,omitempty"` // Enforce | Audit
	GoldenSets   []string `json:"goldenSets,omitempty"`
	Interval     Duration `json:"interval,omitempty"`
	OnRegression string   `json:"onRegression,omitempty"` // Rollback | Report
}
