package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// CorpusSpec says which documents are read, how questions about them are
// answered, who may ask, and what must be true before it serves.
//
// +kubebuilder:validation:XValidation:rule="!has(self.budget) || (has(self.pipeline) && has(self.pipeline.generation) && (has(self.pipeline.generation.openai) || has(self.pipeline.generation.anthropic)))",fieldPath=.budget,message="spec.budget needs a generator that costs something: openai or anthropic in spec.pipeline.generation"
// +kubebuilder:validation:XValidation:rule="!has(self.budget) || !has(self.pipeline) || !has(self.pipeline.generation) || !(has(self.pipeline.generation.openai) || has(self.pipeline.generation.anthropic)) || (has(self.pipeline.generation.prices) && size(self.pipeline.generation.prices) > 0)",fieldPath=.pipeline.generation.prices,message="spec.pipeline.generation.prices must have the price of every model, since spec.budget is set"
type CorpusSpec struct {
	// Suspend stops listing, ingesting and verifying. What serves goes on serving.
	// +optional
	// +kubebuilder:default=false
	Suspend bool `json:"suspend,omitempty"`

	// Interval at which the source is listed again, jittered; at least 1s.
	// +optional
	// +kubebuilder:default="10m"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s')",message="spec.interval must be at least 1s"
	Interval metav1.Duration `json:"interval,omitempty,omitzero"`

	// CollectionRef names the Collection that holds the vectors.
	// +required
	CollectionRef ObjectReference `json:"collectionRef"`

	// Source of the documents.
	// +required
	Source Source `json:"source"`

	// Documents says how objects of the source become documents, and which
	// payload fields they get.
	// +optional
	// +kubebuilder:default={}
	Documents Documents `json:"documents,omitempty,omitzero"`

	// Pipeline configures every stage from the file to the answer.
	// +optional
	// +kubebuilder:default={}
	Pipeline Pipeline `json:"pipeline,omitempty,omitzero"`

	// Eligibility says which documents a question may see at all. It is applied
	// before anything is ranked. Every field named here needs a payload index.
	// +optional
	Eligibility *Eligibility `json:"eligibility,omitempty"`

	// Access maps who asks to a tenant. It is live: a change applies at once,
	// without a new revision.
	// +optional
	Access *Access `json:"access,omitempty"`

	// Budget bounds what the generator may cost. It is live, like access.
	// +optional
	Budget *Budget `json:"budget,omitempty"`

	// Gate says which golden sets a revision must pass before it serves.
	// +optional
	// +kubebuilder:default={}
	Gate Gate `json:"gate,omitempty,omitzero"`

	// Approval of a revision that has passed its gate: Automatic, or Manual by
	// the annotation rag.hardgate.dev/approve: "<revision>".
	// +optional
	// +kubebuilder:default=Automatic
	Approval Approval `json:"approval,omitempty"`

	// RevisionHistoryLimit is how many superseded revisions are kept.
	// +optional
	// +kubebuilder:default=3
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=20
	RevisionHistoryLimit *int32 `json:"revisionHistoryLimit,omitempty"`

	// DeletionPolicy says whether the corpus' points are deleted with this
	// object or retained.
	// +optional
	// +kubebuilder:default=Delete
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`
}

// Budget of a corpus. It is checked before each call of a model: a question over
// it is handed to people, and an evaluation over it is not begun.
type Budget struct {
	// USDPerDay, a day of UTC.
	// +required
	// +kubebuilder:validation:XValidation:rule="double(self) > 0.0",message="spec.budget.usdPerDay must be more than 0: suspend the Corpus, or leave budget out"
	USDPerDay USD `json:"usdPerDay"`
}

// Approval of a verified revision.
//
// +kubebuilder:validation:Enum=Automatic;Manual
type Approval string

// Ways of approval.
const (
	ApprovalAutomatic Approval = "Automatic"
	ApprovalManual    Approval = "Manual"
)

// Corpus is a set of documents that answers questions, and serves only
// revisions that its golden sets have passed.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=corpora,singular=corpus,shortName=corp,categories=rag
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`
// +kubebuilder:printcolumn:name="Serving",type=string,JSONPath=`.status.conditions[?(@.type=="Serving")].status`
// +kubebuilder:printcolumn:name="Active",type=integer,JSONPath=`.status.active.revision`
// +kubebuilder:printcolumn:name="Documents",type=integer,JSONPath=`.status.active.ingested`
// +kubebuilder:printcolumn:name="Candidate",type=string,priority=1,JSONPath=`.status.candidate.phase`
// +kubebuilder:printcolumn:name="Collection",type=string,priority=1,JSONPath=`.spec.collectionRef.name`
// +kubebuilder:printcolumn:name="Status",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].message`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Corpus struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what is wanted.
	// +required
	Spec CorpusSpec `json:"spec"`
	// Status is what was last seen.
	// +optional
	Status CorpusStatus `json:"status,omitempty,omitzero"`
}

// GetConditions returns the conditions of the status.
func (c *Corpus) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions replaces the conditions of the status.
func (c *Corpus) SetConditions(conditions []metav1.Condition) { c.Status.Conditions = conditions }

// CorpusList is a list of corpora.
//
// +kubebuilder:object:root=true
type CorpusList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Corpus `json:"items"`
}
