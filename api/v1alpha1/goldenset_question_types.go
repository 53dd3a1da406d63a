package v1alpha1

// QuestionClass is the kind of thing that a question asks.
//
// +kubebuilder:validation:Enum=TableCount;TableSum;ExactID;Semantic;Historical;Access;MultiDocument;Refusal
type QuestionClass string

// GoldenQuestion is one question of the key.
//
// +kubebuilder:validation:XValidation:rule="self.expect.status != 'Answered' || (has(self.expect.evidence) && self.expect.evidence.size() > 0) || (has(self.expect.missing) && self.expect.missing.size() > 0) || (has(self.expect.forbidden) && self.expect.forbidden.size() > 0) || (has(self.expect.facts) && self.expect.facts.size() > 0) || has(self.expect.entities) || has(self.expect.aggregate)",fieldPath=.expect,message="must say what the answer has to show, or status NeedsHuman: any answer would pass"
type GoldenQuestion struct {
	// Name of the question within the set.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$`
	Name string `json:"name"`

	// Class of the question.
	// +required
	Class QuestionClass `json:"class"`

	// Question as it is asked.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2000
	// +kubebuilder:validation:Pattern=`\S`
	Question string `json:"question"`

	// As is who asks, and the instant asked about.
	// +optional
	As *Asker `json:"as,omitempty"`

	// Expect is what must come true.
	// +optional
	// +kubebuilder:default={}
	Expect Expectation `json:"expect,omitempty,omitzero"`
}

// Asker is an identity and an instant.
type Asker struct {
	// Tenant claim.
	// +optional
	Tenant Text `json:"tenant,omitempty"`

	// Groups claim.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	Groups []Text `json:"groups,omitempty"`

	// Claims beside tenant and groups.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	Claims map[string]ClaimValues `json:"claims,omitempty"`

	// AsOf is the instant at which validity is judged, RFC 3339 or YYYY-MM-DD
	// (midnight UTC); left out, the time of the run.
	// +optional
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))?$`
	// +kubebuilder:validation:XValidation:rule="timestamp(self.contains('T') ? self : self + 'T00:00:00Z') >= timestamp('0001-01-01T00:00:00Z')",message="must be a date YYYY-MM-DD or an RFC 3339 time"
	AsOf string `json:"asOf,omitempty"`
}

// ClaimValues are the values of one claim.
//
// +kubebuilder:validation:MinItems=1
// +kubebuilder:validation:MaxItems=64
type ClaimValues []Text

// Expectation is what must come true of one question.
type Expectation struct {
	// Status of the answer: Answered, or NeedsHuman (declined, handed to people).
	// +optional
	// +kubebuilder:default=Answered
	// +kubebuilder:validation:Enum=Answered;NeedsHuman
	Status string `json:"status,omitempty"`

	// Evidence that must be found: document, or document#passage. All of it.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	Evidence []Evidence `json:"evidence,omitempty"`

	// Missing is evidence known not to be in this corpus: its absence passes,
	// its presence fails.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	Missing []Evidence `json:"missing,omitempty"`

	// Forbidden evidence must not even be a candidate.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	Forbidden []Evidence `json:"forbidden,omitempty"`

	// Facts that the answer must state. Case and thousands separators don't matter.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Facts []Fact `json:"facts,omitempty"`

	// Entities that must survive every stage from the file to the prompt.
	// +optional
	Entities *Entities `json:"entities,omitempty"`

	// Aggregate over a table column; each addend or key must reach the prompt.
	// +optional
	Aggregate *Aggregate `json:"aggregate,omitempty"`
}

// Evidence names a document, or a passage as document#passage.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=512
// +kubebuilder:validation:Pattern=`^[^#]*[^#\s][^#]*(#[^#\s]+)?$`
type Evidence string

// Fact is met by any of its wordings.
type Fact struct {
	// AnyOf are the wordings.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	AnyOf []Wording `json:"anyOf"`
}

// Wording is one way of stating a fact.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=1000
// +kubebuilder:validation:Pattern=`\S`
type Wording string

// Entities are values, or count distinct matches of pattern.
//
// +kubebuilder:validation:XValidation:rule="(has(self.values) && self.values.size() > 0) != has(self.pattern)",message="must have exactly one of values and pattern"
// +kubebuilder:validation:XValidation:rule="has(self.pattern) == has(self.count)",message="pattern and count must be given together"
type Entities struct {
	// Values that must survive.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=1000
	Values []Text `json:"values,omitempty"`

	// Pattern of the entities, RE2.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:Pattern=`\S`
	Pattern string `json:"pattern,omitempty"`

	// Count of distinct matches.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	Count int32 `json:"count,omitempty"`
}

// Aggregate is checked against the table as extracted.
type Aggregate struct {
	// Op: Sum of the column, or its DistinctCount.
	// +required
	// +kubebuilder:validation:Enum=Sum;DistinctCount
	Op string `json:"op"`

	// Column by its header.
	// +required
	Column Text `json:"column"`

	// Where keeps rows whose columns have these values.
	// +optional
	// +kubebuilder:validation:MaxProperties=16
	Where map[string]Text `json:"where,omitempty"`

	// Value that must come out, separators as printed.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`[0-9]`
	Value string `json:"value"`
}
