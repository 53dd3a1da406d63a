package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Source says which objects are documents. Names are matched and sizes are
// compared on the listing, before anything is downloaded.
type Source struct {
	// S3 is a bucket of any S3-compatible server.
	// +required
	S3 *S3Source `json:"s3"`

	// Include are glob patterns (`**` spans folders) on the key relative to the
	// prefix; an object must match one.
	// +optional
	// +kubebuilder:default={"**/*.pdf"}
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Include []Text `json:"include,omitempty"`

	// Exclude are glob patterns; an object that matches one is left out.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	Exclude []Text `json:"exclude,omitempty"`

	// MaxObjectBytes is the size over which an object fails instead of being
	// downloaded: whole bytes, or with a suffix k, M, G, Ki, Mi or Gi; at most 4Gi.
	// +optional
	// +kubebuilder:default="200Mi"
	// +kubebuilder:validation:XValidation:rule="string(self).matches('^[1-9][0-9]{0,9}(k|M|G|Ki|Mi|Gi)?$') && quantity(string(self)).compareTo(quantity('4Gi')) <= 0",message="spec.source.maxObjectBytes must be a whole size such as 200Mi, at most 4Gi"
	MaxObjectBytes *resource.Quantity `json:"maxObjectBytes,omitempty"`

	// DeletionGuard bounds how many documents a listing may remove at once. One
	// that would remove more withholds all its deletions, until they are approved
	// by the annotation rag.hardgate.dev/approve-deletions: "<count>".
	// +optional
	// +kubebuilder:default={}
	DeletionGuard DeletionGuard `json:"deletionGuard,omitempty,omitzero"`
}

// DeletionGuard is two bounds; a listing that is over either is held back. One
// document may always go, unless a bound is 0.
type DeletionGuard struct {
	// Percent of the documents that are served which a listing may remove. 0
	// withholds every deletion, 100 bounds nothing.
	// +optional
	// +kubebuilder:default=15
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	Percent *int32 `json:"percent,omitempty"`

	// Count of documents that a listing may remove. 0 withholds every deletion.
	// +optional
	// +kubebuilder:default=50
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000000
	Count *int32 `json:"count,omitempty"`
}

// Keys of the Secret that S3Source.CredentialsSecretRef names.
const (
	AccessKeyIDKey     = "accessKeyID"
	SecretAccessKeyKey = "secretAccessKey"
	SessionTokenKey    = "sessionToken" // optional
)

// S3Source addresses a bucket.
//
// +kubebuilder:validation:XValidation:rule="!has(self.caSecretRef) || self.endpoint.startsWith('https://')",fieldPath=.caSecretRef,message="spec.source.s3.caSecretRef needs an https:// endpoint"
type S3Source struct {
	// Endpoint of the server, for instance http://minio.storage:9000.
	// +required
	Endpoint URL `json:"endpoint"`

	// Region that requests are signed for.
	// +optional
	// +kubebuilder:default=us-east-1
	Region Text `json:"region,omitempty"`

	// Bucket to list.
	// +required
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9][a-z0-9.-]*[a-z0-9]$`
	Bucket string `json:"bucket"`

	// Prefix of the keys that are listed; left out, the whole bucket.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^([^/\s].*)?$`
	Prefix string `json:"prefix,omitempty"`

	// PathStyle puts the bucket into the path rather than into the host name.
	// +optional
	// +kubebuilder:default=false
	PathStyle bool `json:"pathStyle,omitempty"`

	// CredentialsSecretRef names a Secret with the keys accessKeyID,
	// secretAccessKey and, for temporary credentials, sessionToken. Left out,
	// requests are not signed: the bucket must be public.
	// +optional
	CredentialsSecretRef *ObjectReference `json:"credentialsSecretRef,omitempty"`

	// CASecretRef names the Secret key that holds the certificate authority
	// (PEM) to trust instead of the system's.
	// +optional
	CASecretRef *KeyReference `json:"caSecretRef,omitempty"`
}

// Documents says how objects become documents and payload.
type Documents struct {
	// ID of a document: a Go template over .Key, .Base (the file's name without
	// its extension) and .Metadata.<field>.
	// +optional
	// +kubebuilder:default="{{ .Base }}"
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`\S`
	ID string `json:"id,omitempty"`

	// Revision of a document: a Go template like id. Empty means none. Evidence
	// is named id[-revision]#passage; two objects with one name both fail.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	Revision string `json:"revision,omitempty"`

	// Metadata rules in order, later ones win. All they find becomes payload.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Metadata []MetadataRule `json:"metadata,omitempty"`

	// TolerateFailures is how many documents may fail before the revision
	// fails: a number, or a percentage of all documents such as "5%".
	// +optional
	// +kubebuilder:default=0
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^([0-9]|[1-9][0-9]|100)%$`
	// +kubebuilder:validation:XValidation:rule="type(self) == string || int(self) >= 0",message="spec.documents.tolerateFailures must not be negative"
	TolerateFailures *intstr.IntOrString `json:"tolerateFailures,omitempty"`
}

// MetadataRule is exactly one of its fields.
//
// +kubebuilder:validation:XValidation:rule="[has(self.path), has(self.manifest), has(self.set)].filter(x, x).size() == 1",message="must have exactly one of path, manifest and set"
type MetadataRule struct {
	// Path is a regular expression on the key relative to the prefix; its named
	// groups become fields.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.contains('(?P<') || self.contains('(?<')",message="must name at least one group: (?P<field>…)"
	Path Regexp `json:"path,omitempty"`

	// Manifest is the key, relative to the prefix, of an object of JSON lines:
	// each has "key" and the fields of that object.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^[^/\s]`
	Manifest string `json:"manifest,omitempty"`

	// Set gives every document these fields: strings, numbers, booleans, or
	// lists of them.
	// +optional
	// +kubebuilder:validation:Type=object
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=64
	Set *runtime.RawExtension `json:"set,omitempty"`
}
