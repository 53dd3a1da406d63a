package store

import (
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// Names of a point's vectors.
const (
	DenseVector  = "dense"
	SparseVector = "bm25" // weighted by IDF in the store
)

// Own is the payload key under which everything of the operator's own lives; all
// other keys belong to the user.
const Own = "hardgate"

// ownerKey is where a collection's metadata names its owner. Collection metadata
// needs Qdrant 1.16; Ensure refuses an older server, which would drop it silently.
const ownerKey = "hardgate_owner"

// Index makes a payload field filterable.
type Index struct {
	Field  string
	Type   string // Keyword | Integer | Float | Bool | Datetime | UUID | Text
	Tenant bool   // the field divides the points among tenants; Keyword and UUID only
}

// Schema is how a collection has to look.
type Schema struct {
	Size         uint64 // of the dense vector
	Distance     string // Cosine | Dot | Euclid | Manhattan; "" = Cosine
	OnDisk       bool   // dense vectors are not held in memory
	Quantization string // None | Scalar | Binary; "" = None
	Indexes      []Index
	Strict       bool   // filters on fields without an index are refused
	Shards       uint32 // 0 = 1
	Replicas     uint32 // 0 = 1
	Owner        string // marker, checked before any write; never empty
}

// OwnIndexes lists the indexes that the operator makes in every collection.
func OwnIndexes() []Index {
	return []Index{
		{Field: "hardgate.corpus", Type: "Keyword", Tenant: true},
		{Field: "hardgate.kind", Type: "Keyword"},
		{Field: "hardgate.from", Type: "Integer"},
		{Field: "hardgate.to", Type: "Integer"},
		{Field: "hardgate.document", Type: "Keyword"},
		{Field: "hardgate.passage", Type: "Keyword"},
		{Field: "hardgate.names", Type: "Keyword"},
		{Field: "hardgate.columns", Type: "Keyword"},
		{Field: "hardgate.ids", Type: "Keyword"},
		{Field: "hardgate.key", Type: "Keyword"},
	}
}

// withDefaults fills in what a schema leaves out, so that it compares with what a
// server reports.
func (s Schema) withDefaults() Schema {
	if s.Distance == "" {
		s.Distance = "Cosine"
	}
	if s.Quantization == "" {
		s.Quantization = "None"
	}
	if s.Shards == 0 {
		s.Shards = 1
	}
	if s.Replicas == 0 {
		s.Replicas = 1
	}
	return s
}

// validate refuses what no server could make.
func (s Schema) validate() error {
	if s.Owner == "" {
		return fmt.Errorf("schema without owner")
	}
	if s.Size == 0 {
		return fmt.Errorf("schema without vector size")
	}
	if _, err := distanceOf(s.Distance); err != nil {
		return err
	}
	if _, err := quantizationOf(s.Quantization); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, index := range s.Indexes {
		if seen[index.Field] {
			return fmt.Errorf("two indexes on field %q", index.Field)
		}
		seen[index.Field] = true
		if _, _, err := index.fieldType(); err != nil {
			return err
		}
	}
	return nil
}

// fieldType is how the API names the index's type and parameters.
func (i Index) fieldType() (qdrant.FieldType, *qdrant.PayloadIndexParams, error) {
	if i.Tenant && i.Type != "Keyword" && i.Type != "UUID" {
		return 0, nil, fmt.Errorf("index on %q: a tenant field is Keyword or UUID, not %s", i.Field, i.Type)
	}
	switch i.Type {
	case "Keyword":
		if i.Tenant {
			return qdrant.FieldType_FieldTypeKeyword, qdrant.NewPayloadIndexParamsKeyword(&qdrant.KeywordIndexParams{IsTenant: qdrant.PtrOf(true)}), nil
		}
		return qdrant.FieldType_FieldTypeKeyword, nil, nil
	case "UUID":
		if i.Tenant {
			return qdrant.FieldType_FieldTypeUuid, qdrant.NewPayloadIndexParamsUUID(&qdrant.UuidIndexParams{IsTenant: qdrant.PtrOf(true)}), nil
		}
		return qdrant.FieldType_FieldTypeUuid, nil, nil
	case "Integer":
		return qdrant.FieldType_FieldTypeInteger, nil, nil
	case "Float":
		return qdrant.FieldType_FieldTypeFloat, nil, nil
	case "Bool":
		return qdrant.FieldType_FieldTypeBool, nil, nil
	case "Datetime":
		return qdrant.FieldType_FieldTypeDatetime, nil, nil
	case "Text":
		return qdrant.FieldType_FieldTypeText, nil, nil
	}
	return 0, nil, fmt.Errorf("index on %q: unknown type %q", i.Field, i.Type)
}

// typeName is the reverse of fieldType, of what a server reports.
func typeName(t qdrant.PayloadSchemaType) string {
	if t == qdrant.PayloadSchemaType_Uuid {
		return "UUID"
	}
	return t.String()
}

func distanceOf(name string) (qdrant.Distance, error) {
	switch name {
	case "Cosine":
		return qdrant.Distance_Cosine, nil
	case "Dot":
		return qdrant.Distance_Dot, nil
	case "Euclid":
		return qdrant.Distance_Euclid, nil
	case "Manhattan":
		return qdrant.Distance_Manhattan, nil
	}
	return 0, fmt.Errorf("unknown distance %q", name)
}

func quantizationOf(name string) (*qdrant.QuantizationConfig, error) {
	switch name {
	case "None":
		return nil, nil
	case "Scalar":
		return qdrant.NewQuantizationScalar(&qdrant.ScalarQuantization{Type: qdrant.QuantizationType_Int8}), nil
	case "Binary":
		return qdrant.NewQuantizationBinary(&qdrant.BinaryQuantization{}), nil
	}
	return nil, fmt.Errorf("unknown quantization %q", name)
}

// quantizationName is the reverse of quantizationOf; a kind that a schema cannot
// ask for keeps the name that the server gives it.
func quantizationName(q *qdrant.QuantizationConfig) string {
	switch {
	case q.GetQuantization() == nil:
		return "None"
	case q.GetScalar() != nil:
		return "Scalar"
	case q.GetBinary() != nil:
		return "Binary"
	}
	return "Product"
}
