package v1alpha1

// Fraction is a decimal from 0 to 1, written as a string so that it survives
// every JSON round trip unchanged: "0.65".
//
// +kubebuilder:validation:MaxLength=10
// +kubebuilder:validation:Pattern=`^(0(\.[0-9]{1,6})?|1(\.0{1,6})?)$`
type Fraction string

// Decimal is a decimal from 0 up to (not including) 10, written as a string: "1.2".
//
// +kubebuilder:validation:MaxLength=10
// +kubebuilder:validation:Pattern=`^[0-9](\.[0-9]{1,6})?$`
type Decimal string

// USD is an amount of US dollars, written as a string: "3.00".
//
// +kubebuilder:validation:MaxLength=16
// +kubebuilder:validation:Pattern=`^[0-9]{1,9}(\.[0-9]{1,6})?$`
type USD string

// APIURL is the base URL of an HTTP API, which may have a path:
// https://host:port/v1. Without credentials or query.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=512
// +kubebuilder:validation:Pattern=`^https?://[^/?#@\s]+(/[^?#@\s]*)?$`
type APIURL string

// FieldName names a field of the documents' payload: letters, digits, "_" and
// "-", not starting with a digit or "-". "hardgate" is the operator's own.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=63
// +kubebuilder:validation:Pattern=`^[A-Za-z_][A-Za-z0-9_-]*$`
// +kubebuilder:validation:XValidation:rule="self != 'hardgate'",message="must not be \"hardgate\": that field is the operator's own"
type FieldName string

// ObjectName is the name of an object in the same namespace.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=253
// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`
type ObjectName string

// Text is a short text that isn't blank.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=253
// +kubebuilder:validation:Pattern=`\S`
type Text string

// Regexp is a regular expression in RE2 syntax. One that doesn't compile is refused.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=512
// +kubebuilder:validation:Pattern=`\S`
// +kubebuilder:validation:XValidation:rule="'x'.matches(self) in [true, false]",message="must be a regular expression in RE2 syntax"
type Regexp string

// ObjectReference names an object of a known kind in the same namespace.
type ObjectReference struct {
	// Name of the object.
	// +required
	Name ObjectName `json:"name"`
}

// KeyReference names one key of a Secret or ConfigMap in the same namespace.
type KeyReference struct {
	// Name of the Secret or ConfigMap.
	// +required
	Name ObjectName `json:"name"`

	// Key in it. A blank value counts as a missing one.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[-._a-zA-Z0-9]+$`
	Key string `json:"key"`
}

// DeletionPolicy says what becomes of stored data when the object is deleted.
//
// +kubebuilder:validation:Enum=Delete;Retain
type DeletionPolicy string

// Deletion policies.
const (
	DeletionDelete DeletionPolicy = "Delete"
	DeletionRetain DeletionPolicy = "Retain"
)

// RetrievalMode is a way of finding passages.
//
// +kubebuilder:validation:Enum=None;Lexical;Dense;Hybrid;FullContext
type RetrievalMode string

// Retrieval modes.
const (
	RetrievalNone        RetrievalMode = "None"
	RetrievalLexical     RetrievalMode = "Lexical"
	RetrievalDense       RetrievalMode = "Dense"
	RetrievalHybrid      RetrievalMode = "Hybrid"
	RetrievalFullContext RetrievalMode = "FullContext"
)
