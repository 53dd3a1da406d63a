package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
