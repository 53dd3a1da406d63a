package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pipeline configures every stage. Sizes are characters unless they say otherwise.
//
// +kubebuilder:validation:XValidation:rule="!has(self.compression) || !has(self.chunking) || !has(self.retrieval) || (has(self.reranking) && (has(self.reranking.onnx) || (has(self.reranking.model) && self.reranking.model != 'None'))) || self.compression.mode != 'TableAware' || self.compression.maxContextChars >= self.chunking.size * self.retrieval.topK",fieldPath=.compression.maxContextChars,message="spec.pipeline.compression.maxContextChars must be at least chunking.size × retrieval.topK, or what was retrieved would not fit into the prompt"
// +kubebuilder:validation:XValidation:rule="!has(self.compression) || !has(self.chunking) || !has(self.reranking) || !(has(self.reranking.onnx) || (has(self.reranking.model) && self.reranking.model != 'None')) || self.compression.mode != 'TableAware' || self.compression.maxContextChars >= self.chunking.size * (has(self.reranking.topK) ? self.reranking.topK : 3)",fieldPath=.compression.maxContextChars,message="spec.pipeline.compression.maxContextChars must be at least chunking.size × reranking.topK (3 when left out), or what was retrieved would not fit into the prompt"
// +kubebuilder:validation:XValidation:rule="!has(self.reranking) || !has(self.retrieval) || !(has(self.reranking.onnx) || (has(self.reranking.model) && self.reranking.model != 'None')) || self.retrieval.mode in ['Lexical', 'Dense', 'Hybrid']",fieldPath=.reranking,message="spec.pipeline.reranking needs a retrieval.mode that ranks: Lexical, Dense or Hybrid"
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
