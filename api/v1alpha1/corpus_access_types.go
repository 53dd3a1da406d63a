package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Eligibility becomes a filter that the store applies before it ranks. A
// document must satisfy every rule.
type Eligibility struct {
	// Constants admit documents whose field has any of the values.
	// +optional
	// +listType=map
	// +listMapKey=field
	// +kubebuilder:validation:MaxItems=32
	Constants []ConstantRule `json:"constants,omitempty"`

	// Identity rules compare a field with who asks.
	// +optional
	// +listType=map
	// +listMapKey=field
	// +kubebuilder:validation:MaxItems=32
	Identity []IdentityRule `json:"identity,omitempty"`

	// Question rules take a value from the question's own words.
	// +optional
	// +listType=map
	// +listMapKey=field
	// +kubebuilder:validation:MaxItems=16
	Question []QuestionRule `json:"question,omitempty"`

	// Validity admits documents that are valid at the instant asked about.
	// +optional
	Validity *Validity `json:"validity,omitempty"`
}

// ConstantRule admits documents whose field has any of the values.
type ConstantRule struct {
	// Field of the payload; needs a payload index.
	// +required
	Field FieldName `json:"field"`

	// Values that are admitted.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Values []Text `json:"values"`
}

// IdentityRule admits documents whose field shares a value with a claim of who
// asks. Somebody without the claim sees only documents with a shared value.
type IdentityRule struct {
	// Field of the payload; needs a payload index.
	// +required
	Field FieldName `json:"field"`

	// Claim of who asks: groups, tenant, or any other claim that the
	// authenticator gives.
	// +required
	Claim Text `json:"claim"`

	// Shared are values of the field that everybody may see.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	Shared []Text `json:"shared,omitempty"`
}

// QuestionRule admits documents whose field has the value that the question
// names. A question that names none is not restricted.
type QuestionRule struct {
	// Field of the payload; needs a payload index.
	// +required
	Field FieldName `json:"field"`

	// Pattern that finds the value in the question.
	// +required
	Pattern Regexp `json:"pattern"`

	// Strip takes the value out of the question before it is ranked.
	// +optional
	Strip bool `json:"strip,omitempty"`
}

// Validity admits documents with from ≤ asOf < to. An absent to is open; a
// document without from is never admitted.
type Validity struct {
	// From is the payload field with the first valid instant; needs a payload
	// index of type Datetime.
	// +required
	From FieldName `json:"from"`

	// To is the payload field with the first instant that is no longer valid;
	// needs a payload index of type Datetime.
	// +optional
	To FieldName `json:"to,omitempty"`
}

// Access maps who asks to a tenant, by at most one of its fields. Whoever maps
// to none, or to more than one, has no tenant.
//
// +kubebuilder:validation:XValidation:rule="[has(self.tenants) && self.tenants.size() > 0, has(self.tenantFromGroupPrefix), has(self.tenantFromNamespace) && self.tenantFromNamespace].filter(x, x).size() <= 1",message="spec.access must have at most one of tenants, tenantFromGroupPrefix and tenantFromNamespace"
type Access struct {
	// Tenants lists the groups of each tenant.
	// +optional
	// +listType=map
	// +listMapKey=tenant
	// +kubebuilder:validation:MaxItems=1000
	Tenants []Tenant `json:"tenants,omitempty"`

	// TenantFromGroupPrefix takes the tenant from the one group with this
	// prefix: with "tenant:", the group tenant:north means north.
	// +optional
	TenantFromGroupPrefix Text `json:"tenantFromGroupPrefix,omitempty"`

	// TenantFromNamespace takes the namespace of the ServiceAccount that asks.
	// +optional
	TenantFromNamespace bool `json:"tenantFromNamespace,omitempty"`
}

// Tenant is the groups that belong to one tenant.
type Tenant struct {
	// Tenant is the value of the claim "tenant".
	// +required
	Tenant Text `json:"tenant"`

	// Groups whose members belong to the tenant.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Groups []Text `json:"groups"`
}

// Gate says what a revision must pass before it serves.
type Gate struct {
	// Mode: Enforce lets only passing revisions serve, and without a golden set
	// none; Audit reports and serves.
	// +optional
	// +kubebuilder:default=Enforce
	Mode GateMode `json:"mode,omitempty"`

	// GoldenSets that must pass, by name.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=16
	GoldenSets []ObjectName `json:"goldenSets,omitempty"`

	// Interval at which what serves is verified again; at least 1m.
	// +optional
	// +kubebuilder:default="24h"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1m')",message="spec.gate.interval must be at least 1m"
	Interval metav1.Duration `json:"interval,omitempty,omitzero"`

	// OnRegression says what to do when what serves no longer passes: Rollback
	// to the last revision that did, or Report.
	// +optional
	// +kubebuilder:default=Report
	OnRegression RegressionPolicy `json:"onRegression,omitempty"`
}

// GateMode says whether the gate is binding.
//
// +kubebuilder:validation:Enum=Enforce;Audit
type GateMode string

// Gate modes.
const (
	GateEnforce GateMode = "Enforce"
	GateAudit   GateMode = "Audit"
)

// RegressionPolicy says what to do when what serves no longer passes.
//
// +kubebuilder:validation:Enum=Rollback;Report
type RegressionPolicy string

// Regression policies.
const (
	RegressionRollback RegressionPolicy = "Rollback"
	RegressionReport   RegressionPolicy = "Report"
)
