package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pipeline configures every stage. Sizes are characters unless they say otherwise.
//
// +kubebuilder:validation:XValidation:rule="!has(self.compression) || !has(self.chunking) || !has(self.retrieval) || (has(self.reranking) && (has(self.reranking.onnx) || (has(self.reranking.model) && self.reranking.model != 'None'))) || self.compression.mode != 'TableAware' || self.compression.maxContextChars >= self.chunking.size * self.retrieval.topK",fieldPath=.compression.maxContextChars,message="spec.pipeline.compression.maxContextChars must be at least chunking.size × retrieval.topK, or what was retrieved would not fit into the prompt"
// +kubebuilder:validation:XValidation:rule="!has(self.compression) || !has(self.chunking) || !has(self.reranking) || !(has(self.reranking.onnx) || (has(self.reranking.model) && self.reranking.model != 'None')) || self.compression.mode != 'TableAware' || self.compression.maxContextChars >= self.chunking.size * (has(self.reranking.topK) ? self.reranking.topK : 3)",fieldPath=.compression.maxContextChars,message="spec.pipeline.compression.maxContextChars must be at least chunking.size × reranking.topK (3 when left out), or what was retrieved would not fit into the prompt"
type Pipeline struct {
	// Extraction of text and tables from a file.
	// +optional
	// +kubebuilder:default={}
	Extraction Extraction `json:"extraction,omitempty,omitzero"`

	// Chunking cuts documents into pieces. A table row is never cut, and no
	// piece exceeds the embedding model's window.
	// +optional
	// +kubebuilder:default={}
	Chunking Chunking `json:"chunking,omitempty,omitzero"`

	// Embedding turns pieces and questions into dense vectors.
	// +optional
	// +kubebuilder:default={}
	Embedding Embedding `json:"embedding,omitempty,omitzero"`

	// Lexical is the BM25 weighting of the sparse vectors.
	// +optional
	// +kubebuilder:default={}
	Lexical Lexical `json:"lexical,omitempty,omitzero"`

	// Retrieval finds candidates and blends the channels.
	// +optional
	// +kubebuilder:default={}
	Retrieval Retrieval `json:"retrieval,omitempty,omitzero"`

	// Reranking orders the best candidates anew before they are compressed.
	// +optional
	// +kubebuilder:default={}
	Reranking Reranking `json:"reranking,omitempty,omitzero"`

	// Compression fits what was found into the prompt.
	// +optional
	// +kubebuilder:default={}
	Compression Compression `json:"compression,omitempty,omitzero"`

	// Generation writes the answer.
	// +optional
	// +kubebuilder:default={}
	Generation Generation `json:"generation,omitempty,omitzero"`
}

// Extraction bounds the work on one document, and says how to read one that is
// encrypted or a scan.
//
// +kubebuilder:validation:XValidation:rule="!has(self.ocrLanguages) || size(self.ocrLanguages) == 0 || (has(self.ocr) && self.ocr != 'None')",fieldPath=.ocrLanguages,message="spec.pipeline.extraction.ocrLanguages needs ocr Tesseract: leave it out, or change ocr"
type Extraction struct {
	// Timeout for one document; 1s to 1h.
	// +optional
	// +kubebuilder:default="60s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('1h')",message="spec.pipeline.extraction.timeout must be from 1s to 1h"
	Timeout metav1.Duration `json:"timeout,omitempty,omitzero"`

	// MaxPages of one document; one with more fails.
	// +optional
	// +kubebuilder:default=5000
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	MaxPages int32 `json:"maxPages,omitempty"`

	// Passwords of encrypted documents: the first whose pattern matches the
	// object's key is used.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	Passwords []Password `json:"passwords,omitempty"`

	// OCR reads pages without text: Tesseract, which has to be installed where
	// documents are ingested, or None, which reports such pages.
	// +optional
	// +kubebuilder:default=None
	// +kubebuilder:validation:Enum=None;Tesseract
	OCR string `json:"ocr,omitempty"`

	// OCRLanguages as Tesseract names them; eng when left out.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:Pattern=`^[a-zA-Z][a-zA-Z0-9_]{1,30}$`
	OCRLanguages []string `json:"ocrLanguages,omitempty"`
}

// Password opens the documents whose key matches a pattern.
type Password struct {
	// Pattern is a glob on the object's key relative to the prefix: hr/**.
	// +required
	Pattern Text `json:"pattern"`

	// SecretRef names the Secret and the key that hold the password.
	// +required
	SecretRef KeyReference `json:"secretRef"`
}

// Chunking cuts documents into pieces.
//
// +kubebuilder:validation:XValidation:rule="!has(self.overlap) || !has(self.size) || self.overlap < self.size",fieldPath=.overlap,message="spec.pipeline.chunking.overlap must be smaller than size"
type Chunking struct {
	// Strategy: Recursive cuts at paragraphs, then lines, sentences and words;
	// Headings cuts at headings first.
	// +optional
	// +kubebuilder:default=Recursive
	// +kubebuilder:validation:Enum=Recursive;Headings
	Strategy string `json:"strategy,omitempty"`

	// Size is the most characters of one piece.
	// +optional
	// +kubebuilder:default=1200
	// +kubebuilder:validation:Minimum=100
	// +kubebuilder:validation:Maximum=20000
	Size int32 `json:"size,omitempty"`

	// Overlap is how many characters of prose are repeated from the piece before.
	// +optional
	// +kubebuilder:default=200
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	Overlap *int32 `json:"overlap,omitempty"`
}

// Embedding is the encoder: a model that runs here, or a server.
//
// +kubebuilder:validation:XValidation:rule="!has(self.model) || !has(self.openai)",message="spec.pipeline.embedding must have at most one of model and openai"
type Embedding struct {
	// Model that encodes pieces and questions here: 384 dimensions, a window of
	// 256 wordpieces. all-MiniLM-L6-v2 when openai is left out too.
	// +optional
	// +kubebuilder:validation:Enum=all-MiniLM-L6-v2
	Model string `json:"model,omitempty"`

	// OpenAI is a server that speaks OpenAI's embeddings API. Every document and
	// every question is sent to it.
	// +optional
	OpenAI *RemoteEmbedding `json:"openai,omitempty"`
}

// RemoteEmbedding is an encoder behind a server.
type RemoteEmbedding struct {
	// BaseURL of the API, such as https://host/v1.
	// +required
	BaseURL APIURL `json:"baseURL"`

	// Model as the server names it. Another one makes another physical collection.
	// +required
	Model Text `json:"model"`

	// Dimensions of its vectors: the Collection's spec.vectors.dense.size.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65536
	Dimensions int32 `json:"dimensions"`

	// Window: the most bytes of a text that the model is known to read whole.
	// No tokenizer is known of it; 2048 bytes are some 512 tokens of English, the
	// least that models in use read. Pieces are cut to it, a longer question is
	// refused.
	// +optional
	// +kubebuilder:default=2048
	// +kubebuilder:validation:Minimum=256
	// +kubebuilder:validation:Maximum=1000000
	Window int32 `json:"window,omitempty"`

	// APIKeySecretRef names the Secret and the key that hold the API key.
	// +optional
	APIKeySecretRef *KeyReference `json:"apiKeySecretRef,omitempty"`

	// QueryInputType is sent as input_type with questions, for models that
	// encode them unlike documents.
	// +optional
	QueryInputType Text `json:"queryInputType,omitempty"`

	// DocumentInputType is sent as input_type with documents.
	// +optional
	DocumentInputType Text `json:"documentInputType,omitempty"`
}

// Lexical is the BM25 weighting.
type Lexical struct {
	// K1 is how slowly repeats of a term saturate.
	// +optional
	// +kubebuilder:default="1.2"
	K1 Decimal `json:"k1,omitempty"`

	// B is how much the length of a piece counts, 0 to 1.
	// +optional
	// +kubebuilder:default="0.75"
	B Fraction `json:"b,omitempty"`

	// AverageLength of a piece in terms. It is configured, not measured, so that
	// a new document doesn't reweigh the old ones.
	// +optional
	// +kubebuilder:default=128
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	AverageLength int32 `json:"averageLength,omitempty"`

	// Language whose words are stemmed and whose stop words are left out: en, or
	// empty for neither. Codes and amounts are never touched.
	// +optional
	// +kubebuilder:validation:Enum="";en
	Language string `json:"language,omitempty"`
}

// Retrieval finds candidates and blends the channels.
//
// +kubebuilder:validation:XValidation:rule="!has(self.topK) || !has(self.candidates) || self.topK <= self.candidates",fieldPath=.topK,message="spec.pipeline.retrieval.topK must not exceed candidates"
type Retrieval struct {
	// Mode of retrieval: None (the question alone), Lexical, Dense, both
	// blended (Hybrid), or FullContext: everything that the asker may see, in
	// document order, refused where it is over compression's budgets.
	// +optional
	// +kubebuilder:default=Hybrid
	Mode RetrievalMode `json:"mode,omitempty"`

	// Fusion of the channels under Hybrid.
	// +optional
	// +kubebuilder:default={}
	Fusion Fusion `json:"fusion,omitempty,omitzero"`

	// Candidates taken from each channel.
	// +optional
	// +kubebuilder:default=20
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	Candidates int32 `json:"candidates,omitempty"`

	// TopK hits go on to the prompt. A table counts as one.
	// +optional
	// +kubebuilder:default=5
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	TopK int32 `json:"topK,omitempty"`

	// Identifiers of the question, such as invoice numbers: Pin puts pieces that
	// hold them first, Off leaves them to the ranking.
	// +optional
	// +kubebuilder:default=Pin
	// +kubebuilder:validation:Enum=Pin;Off
	Identifiers string `json:"identifiers,omitempty"`
}

// Fusion blends the channels.
//
// +kubebuilder:validation:XValidation:rule="has(self.dense) == has(self.lexical)",message="spec.pipeline.retrieval.fusion.dense and lexical must be given together"
// +kubebuilder:validation:XValidation:rule="!has(self.dense) || !has(self.lexical) || (double(self.dense) + double(self.lexical) > 0.9999999 && double(self.dense) + double(self.lexical) < 1.0000001)",fieldPath=.dense,message="spec.pipeline.retrieval.fusion.dense and lexical must sum to 1"
// +kubebuilder:validation:XValidation:rule="!has(self.method) || self.method == 'Weighted' || (!has(self.dense) && !has(self.lexical))",fieldPath=.dense,message="spec.pipeline.retrieval.fusion.dense and lexical need method Weighted"
// +kubebuilder:validation:XValidation:rule="!has(self.method) || self.method == 'Weighted' || !has(self.normalization)",fieldPath=.normalization,message="spec.pipeline.retrieval.fusion.normalization needs method Weighted"
// +kubebuilder:validation:XValidation:rule="!has(self.method) || self.method == 'RRF' || !has(self.k)",fieldPath=.k,message="spec.pipeline.retrieval.fusion.k needs method RRF"
type Fusion struct {
	// Method: Weighted sums the scores, RRF the reciprocal ranks.
	// +optional
	// +kubebuilder:default=Weighted
	// +kubebuilder:validation:Enum=Weighted;RRF
	Method string `json:"method,omitempty"`

	// Dense is the weight of the dense channel, "0.65" when both weights are
	// left out. The weights sum to 1. Weighted only.
	// +optional
	Dense Fraction `json:"dense,omitempty"`

	// Lexical is the weight of the lexical channel, "0.35" when both weights
	// are left out. Weighted only.
	// +optional
	Lexical Fraction `json:"lexical,omitempty"`

	// Normalization of scores before they are summed. Max (the default): cosine
	// clipped to [0,1], BM25 divided by the best. MinMax: both stretched to
	// [0,1]. Weighted only.
	// +optional
	// +kubebuilder:validation:Enum=Max;MinMax
	Normalization string `json:"normalization,omitempty"`

	// K is the constant of 1/(k + rank), ranks from 1; 60 when left out. RRF only.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10000
	K *int32 `json:"k,omitempty"`
}

// Reranking orders the best candidates anew by a closer look at question and
// passage together. Chunks that hold identifiers of the question stay first.
//
// +kubebuilder:validation:XValidation:rule="!has(self.model) || !has(self.onnx)",message="spec.pipeline.reranking must have at most one of model and onnx"
// +kubebuilder:validation:XValidation:rule="has(self.onnx) || (has(self.model) && self.model != 'None') || !has(self.depth)",fieldPath=.depth,message="spec.pipeline.reranking.depth needs a reranker: leave it out, or set model or onnx"
// +kubebuilder:validation:XValidation:rule="has(self.onnx) || (has(self.model) && self.model != 'None') || !has(self.topK)",fieldPath=.topK,message="spec.pipeline.reranking.topK needs a reranker: leave it out, or set model or onnx"
// +kubebuilder:validation:XValidation:rule="has(self.onnx) || (has(self.model) && self.model != 'None') || !has(self.threshold)",fieldPath=.threshold,message="spec.pipeline.reranking.threshold needs a reranker: leave it out, or set model or onnx"
// +kubebuilder:validation:XValidation:rule="has(self.onnx) || (has(self.model) && self.model != 'None') || !has(self.timeout)",fieldPath=.timeout,message="spec.pipeline.reranking.timeout needs a reranker: leave it out, or set model or onnx"
// +kubebuilder:validation:XValidation:rule="has(self.onnx) || (has(self.model) && self.model != 'None') || !has(self.onFailure)",fieldPath=.onFailure,message="spec.pipeline.reranking.onFailure needs a reranker: leave it out, or set model or onnx"
// +kubebuilder:validation:XValidation:rule="!has(self.topK) || self.topK <= (has(self.depth) ? self.depth : 20)",fieldPath=.topK,message="spec.pipeline.reranking.topK must not exceed depth"
// +kubebuilder:validation:XValidation:rule="!has(self.depth) || has(self.topK) || self.depth >= 3",fieldPath=.topK,message="spec.pipeline.reranking.topK, 3 when left out, must not exceed depth"
type Reranking struct {
	// Model: late-interaction compares every word of the question with every
	// word of a passage by the encoder's own vectors, and averages that with the
	// rank before. None leaves the order as it is, and is meant when onnx is left
	// out too.
	// +optional
	// +kubebuilder:validation:Enum=None;late-interaction
	Model string `json:"model,omitempty"`

	// ONNX is a BERT cross-encoder with the vocabulary of bert-base-uncased.
	// +optional
	ONNX *ONNX `json:"onnx,omitempty"`

	// Depth: how many of the best candidates are judged; 20 when left out.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Depth *int32 `json:"depth,omitempty"`

	// TopK of them go on, in place of retrieval.topK; 3 when left out.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	TopK *int32 `json:"topK,omitempty"`

	// Threshold: the least relevance, 0 to 1. Where no passage reaches it, the
	// question is handed to people.
	// +optional
	Threshold Fraction `json:"threshold,omitempty"`

	// Timeout for all candidates of one question; 2s when left out.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('10ms') && duration(self) <= duration('1m')",message="spec.pipeline.reranking.timeout must be from 10ms to 1m"
	Timeout *metav1.Duration `json:"timeout,omitempty"`

	// OnFailure of the reranker: Degrade keeps the order before and flags the
	// answer, Fail answers nothing. Degrade when left out.
	// +optional
	// +kubebuilder:validation:Enum=Degrade;Fail
	OnFailure string `json:"onFailure,omitempty"`
}

// ONNX is a model as a file.
type ONNX struct {
	// URL of the file: https or http; on the command line also file:///…
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^(https?://[^/?#@\s]+/[^?#@\s]+|file:///[^?#\s]+)$`
	URL string `json:"url"`

	// SHA256 of the file, lower case hexadecimal; a file with another one is
	// never used.
	// +required
	// +kubebuilder:validation:MinLength=64
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[0-9a-f]{64}$`
	SHA256 string `json:"sha256"`
}

// Compression fits what was found into the prompt.
//
// +kubebuilder:validation:XValidation:rule="!has(self.mode) || self.mode != 'TopSentences' || has(self.maxSentences)",fieldPath=.maxSentences,message="spec.pipeline.compression.maxSentences is required by mode TopSentences"
// +kubebuilder:validation:XValidation:rule="!has(self.mode) || self.mode == 'TopSentences' || !has(self.maxSentences)",fieldPath=.maxSentences,message="spec.pipeline.compression.maxSentences needs mode TopSentences"
type Compression struct {
	// Mode: TableAware keeps every table row and trims prose; None keeps all;
	// TopSentences keeps the best lines whatever they belong to, and so loses
	// rows of a table.
	// +optional
	// +kubebuilder:default=TableAware
	// +kubebuilder:validation:Enum=None;TableAware;TopSentences
	Mode string `json:"mode,omitempty"`

	// MaxContextChars of prose in the prompt. Under TableAware at least
	// chunking.size × retrieval.topK.
	// +optional
	// +kubebuilder:default=6000
	// +kubebuilder:validation:Minimum=100
	// +kubebuilder:validation:Maximum=2000000
	MaxContextChars int32 `json:"maxContextChars,omitempty"`

	// MaxTableChars of table rows in the prompt, a budget of their own. A
	// question that counts or sums a table that doesn't fit is handed to people.
	// +optional
	// +kubebuilder:default=20000
	// +kubebuilder:validation:Minimum=100
	// +kubebuilder:validation:Maximum=2000000
	MaxTableChars int32 `json:"maxTableChars,omitempty"`

	// SentenceThreshold is the similarity to the question under which a
	// sentence is left out, 0 to 1.
	// +optional
	// +kubebuilder:default="0.30"
	SentenceThreshold Fraction `json:"sentenceThreshold,omitempty"`

	// MaxSentences that are kept. TopSentences only, and required there.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10000
	MaxSentences *int32 `json:"maxSentences,omitempty"`
}

// Generation names who writes the answer.
//
// +kubebuilder:validation:XValidation:rule="[has(self.provider), has(self.openai), has(self.anthropic)].filter(given, given).size() <= 1",message="spec.pipeline.generation must have at most one of provider, openai and anthropic"
// +kubebuilder:validation:XValidation:rule="!has(self.prices) || size(self.prices) == 0 || has(self.openai) || has(self.anthropic)",fieldPath=.prices,message="spec.pipeline.generation.prices needs openai or anthropic: the extractive generator costs nothing"
// +kubebuilder:validation:XValidation:rule="!has(self.prices) || size(self.prices) == 0 || !has(self.openai) || self.prices.exists(p, p.model == self.openai.model)",fieldPath=.prices,message="spec.pipeline.generation.prices must have the price of every model that may be asked"
// +kubebuilder:validation:XValidation:rule="!has(self.prices) || size(self.prices) == 0 || !has(self.anthropic) || (self.prices.exists(p, p.model == self.anthropic.model) && (!has(self.anthropic.fallbackModel) || self.prices.exists(p, p.model == self.anthropic.fallbackModel)))",fieldPath=.prices,message="spec.pipeline.generation.prices must have the price of every model that may be asked"
type Generation struct {
	// Provider: Extractive counts, sums, looks up and quotes what stands in the
	// prompt, and nothing else. It is meant when no model is named either.
	// +optional
	// +kubebuilder:validation:Enum=Extractive
	Provider string `json:"provider,omitempty"`

	// OpenAI is a model behind a server that speaks OpenAI's chat API.
	// +optional
	OpenAI *OpenAI `json:"openai,omitempty"`

	// Anthropic is a model behind Anthropic's Messages API.
	// +optional
	Anthropic *Anthropic `json:"anthropic,omitempty"`

	// Prices of the models, for the cost of an answer: of all that may be asked,
	// or of none. Required by spec.budget.
	// +optional
	// +listType=map
	// +listMapKey=model
	// +kubebuilder:validation:MaxItems=16
	Prices []Price `json:"prices,omitempty"`
}

// OpenAI is a model behind a server that speaks OpenAI's chat API. Question and
// passages are sent to it.
type OpenAI struct {
	// BaseURL of the API, such as https://host/v1.
	// +required
	BaseURL APIURL `json:"baseURL"`

	// Model as the server names it.
	// +required
	Model Text `json:"model"`

	// Effort that the model is asked for; its own default when left out.
	// +optional
	// +kubebuilder:validation:Enum=minimal;low;medium;high;xhigh
	Effort string `json:"effort,omitempty"`

	// APIKeySecretRef names the Secret and the key that hold the API key.
	// +optional
	APIKeySecretRef *KeyReference `json:"apiKeySecretRef,omitempty"`

	Asked `json:",inline"`
}

// Anthropic is a model behind Anthropic's Messages API. Question and passages
// are sent to it.
//
// +kubebuilder:validation:XValidation:rule="!has(self.fallbackModel) || self.fallbackModel != self.model",fieldPath=.fallbackModel,message="spec.pipeline.generation.anthropic.fallbackModel must be another model than model"
type Anthropic struct {
	// BaseURL of the API; the provider's own when left out.
	// +optional
	BaseURL APIURL `json:"baseURL,omitempty"`

	// Model as the provider names it.
	// +required
	Model Text `json:"model"`

	// FallbackModel is asked when Model declines to answer.
	// +optional
	FallbackModel Text `json:"fallbackModel,omitempty"`

	// Effort that the model is asked for; its own default when left out.
	// +optional
	// +kubebuilder:validation:Enum=low;medium;high;xhigh;max
	Effort string `json:"effort,omitempty"`

	// APIKeySecretRef names the Secret and the key that hold the API key.
	// +required
	APIKeySecretRef KeyReference `json:"apiKeySecretRef"`

	Asked `json:",inline"`
}

// Asked is what bounds one answer of a model.
type Asked struct {
	// MaxTokens of the answer. One that was cut off is handed to people.
	// +optional
	// +kubebuilder:default=2048
	// +kubebuilder:validation:Minimum=64
	// +kubebuilder:validation:Maximum=64000
	MaxTokens int32 `json:"maxTokens,omitempty"`

	// Timeout of one answer, 1s to 10m.
	// +optional
	// +kubebuilder:default="60s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('10m')",message="spec.pipeline.generation timeout must be from 1s to 10m"
	Timeout metav1.Duration `json:"timeout,omitempty,omitzero"`
}

// Price of a model.
type Price struct {
	// Model as the provider names it.
	// +required
	Model Text `json:"model"`

	// InputPerMillion tokens, USD.
	// +required
	InputPerMillion USD `json:"inputPerMillion"`

	// OutputPerMillion tokens, USD.
	// +required
	OutputPerMillion USD `json:"outputPerMillion"`
}
