package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// GoldenSetSpec is the answer key: questions, what must come true of each, and
// how much of it must.
//
// +kubebuilder:validation:XValidation:rule="(has(self.questions) && self.questions.size() > 0) || has(self.questionsFrom)",fieldPath=.questions,message="spec.questions must hold at least one question (or name them by questionsFrom): an empty golden set proves nothing"
// +kubebuilder:validation:XValidation:rule="!has(self.requireClasses) || has(self.questionsFrom) || self.requireClasses.all(c, self.questions.exists(q, q.class == c))",fieldPath=.requireClasses,message="spec.requireClasses names a class without a question"
// +kubebuilder:validation:XValidation:rule="!has(self.perClass) || has(self.questionsFrom) || self.perClass.all(c, self.questions.exists(q, q.class == c))",fieldPath=.perClass,message="spec.perClass names a class without a question"
type GoldenSetSpec struct {
	// Questions of the key; at most 200, and 200 KiB together. More go into
	// questionsFrom.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=200
	Questions []GoldenQuestion `json:"questions,omitempty"`

	// QuestionsFrom adds questions that are kept elsewhere.
	// +optional
	QuestionsFrom *QuestionsSource `json:"questionsFrom,omitempty"`

	// Compare runs these modes beside the corpus' own, for comparison; they
	// don't count for the gate.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=4
	Compare []RetrievalMode `json:"compare,omitempty"`

	// Cutoffs are the ranks k at which recall and completeness of evidence are
	// reported.
	// +optional
	// +kubebuilder:default={3,5}
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=1000
	Cutoffs []int32 `json:"cutoffs,omitempty"`

	// Thresholds of the gate. One that is left out has its strictest value.
	// +optional
	// +kubebuilder:default={}
	Thresholds Thresholds `json:"thresholds,omitempty,omitzero"`

	// PerClass are thresholds that the questions of one class must reach on
	// their own. One that is left out is not judged for the class alone.
	// +optional
	// +kubebuilder:validation:MaxProperties=8
	// +kubebuilder:validation:XValidation:rule="self.all(c, c in ['TableCount', 'TableSum', 'ExactID', 'Semantic', 'Historical', 'Access', 'MultiDocument', 'Refusal'])",message="spec.perClass: a class is one of TableCount, TableSum, ExactID, Semantic, Historical, Access, MultiDocument, Refusal"
	PerClass map[string]ClassThresholds `json:"perClass,omitempty"`

	// RequireClasses are classes that must have a question.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=8
	RequireClasses []QuestionClass `json:"requireClasses,omitempty"`

	// Requires is asserted on the configuration that runs, by name of the
	// setting, for instance fusion: Weighted, dense: "0.65".
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(k, k in ['strategy', 'size', 'overlap', 'model', 'k1', 'b', 'averageLength', 'mode', 'fusion', 'dense', 'lexical', 'normalization', 'k', 'candidates', 'topK', 'identifiers', 'compression', 'maxContextChars', 'maxTableChars', 'sentenceThreshold', 'maxSentences', 'generation'])",message="spec.requires: a setting is one of strategy, size, overlap, model, k1, b, averageLength, mode, fusion, dense, lexical, normalization, k, candidates, topK, identifiers, compression, maxContextChars, maxTableChars, sentenceThreshold, maxSentences, generation"
	Requires map[string]Text `json:"requires,omitempty"`
}

// QuestionsSource is where further questions are kept.
type QuestionsSource struct {
	// ConfigMapRef names the ConfigMap key that holds a YAML list of questions,
	// each as in spec.questions.
	// +required
	ConfigMapRef *KeyReference `json:"configMapRef"`
}

// Thresholds of a gate over all questions. Shares are of the questions to which
// the measure applies.
type Thresholds struct {
	// Accuracy is the least share of questions that pass.
	// +optional
	// +kubebuilder:default="1.0"
	Accuracy Fraction `json:"accuracy,omitempty"`

	// Completeness is the least share of questions all of whose evidence was found.
	// +optional
	// +kubebuilder:default="1.0"
	Completeness Fraction `json:"completeness,omitempty"`

	// Survival is the least share of named entities that reach the prompt.
	// +optional
	// +kubebuilder:default="1.0"
	Survival Fraction `json:"survival,omitempty"`

	// Citations is the least share of answers that cite their required documents.
	// +optional
	// +kubebuilder:default="1.0"
	Citations Fraction `json:"citations,omitempty"`

	// HandOffs is the least share of questions for people that are handed to people.
	// +optional
	// +kubebuilder:default="1.0"
	HandOffs Fraction `json:"handOffs,omitempty"`

	// ConfidentlyWrong is the most answers that are given but fail the key.
	// +optional
	// +kubebuilder:default=0
	// +kubebuilder:validation:Minimum=0
	ConfidentlyWrong *int32 `json:"confidentlyWrong,omitempty"`

	// Forbidden is the most forbidden documents that become candidates.
	// +optional
	// +kubebuilder:default=0
	// +kubebuilder:validation:Minimum=0
	Forbidden *int32 `json:"forbidden,omitempty"`

	// Degraded is the most answers that carry a degraded flag.
	// +optional
	// +kubebuilder:default=0
	// +kubebuilder:validation:Minimum=0
	Degraded *int32 `json:"degraded,omitempty"`
}

// ClassThresholds of a gate over the questions of one class.
type ClassThresholds struct {
	// Accuracy is the least share of questions that pass.
	// +optional
	Accuracy Fraction `json:"accuracy,omitempty"`
	// Completeness is the least share of questions all of whose evidence was found.
	// +optional
	Completeness Fraction `json:"completeness,omitempty"`
	// Survival is the least share of named entities that reach the prompt.
	// +optional
	Survival Fraction `json:"survival,omitempty"`
	// Citations is the least share of answers that cite their required documents.
	// +optional
	Citations Fraction `json:"citations,omitempty"`
	// HandOffs is the least share of questions for people that are handed to people.
	// +optional
	HandOffs Fraction `json:"handOffs,omitempty"`
	// ConfidentlyWrong is the most answers that are given but fail the key.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ConfidentlyWrong *int32 `json:"confidentlyWrong,omitempty"`
	// Forbidden is the most forbidden documents that become candidates.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Forbidden *int32 `json:"forbidden,omitempty"`
	// Degraded is the most answers that carry a degraded flag.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Degraded *int32 `json:"degraded,omitempty"`
}

// GoldenSet is the answer key that a corpus must pass before it serves.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=goldensets,singular=goldenset,shortName=gs,categories=rag
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Questions",type=integer,JSONPath=`.status.questions`
// +kubebuilder:printcolumn:name="Status",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type GoldenSet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is the answer key.
	// +required
	Spec GoldenSetSpec `json:"spec"`
	// Status is what was found by it.
	// +optional
	Status GoldenSetStatus `json:"status,omitempty,omitzero"`
}

// GetConditions returns the conditions of the status.
func (g *GoldenSet) GetConditions() []metav1.Condition { return g.Status.Conditions }

// SetConditions replaces the conditions of the status.
func (g *GoldenSet) SetConditions(conditions []metav1.Condition) { g.Status.Conditions = conditions }

// GoldenSetList is a list of golden sets.
//
// +kubebuilder:object:root=true
type GoldenSetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []GoldenSet `json:"items"`
}
