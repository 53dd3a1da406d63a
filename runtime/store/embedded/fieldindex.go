package embedded

import (
	"context"

	"github.com/qdrant/go-client/qdrant"
)

func (s *pointsService) CreateFieldIndex(_ context.Context, r *qdrant.CreateFieldIndexCollection) (*qdrant.PointsOperationResponse, error) {
	var v violations
	v.name(r.GetCollectionName())
	v.notBlank("field_name", r.GetFieldName())
	if p := r.GetFieldIndexParams().GetIntegerIndexParams(); p != nil && p.Lookup != nil && p.Range != nil && !p.GetLookup() && !p.GetRange() {
		v.add("field_index_params.index_params.lookup", "Validation error: the 'lookup' and 'range' capabilities can't be both disabled [{}]")
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	x, err := readIndex(r)
	if err != nil {
		return nil, err
	}
	return s.write(r.GetCollectionName(), r.GetWait(), func(c *collection) (receipt, error) {
		c.writer.Lock()
		defer c.writer.Unlock()
		if err := c.prepareIndex(x); err != nil {
			return receipt{}, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		return s.server.commit(recordIndex, c.name, x.request(), func() { c.indexes[x.path.String()] = x })
	})
}

// prepareIndex fills an index while others read. The caller keeps others from writing.
func (c *collection) prepareIndex(x *fieldIndex) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if err := c.strictIndex(x); err != nil {
		return err
	}
	c.fill(x)
	return nil
}

// strictIndex checks how many indexes strict mode allows.
func (c *collection) strictIndex(x *fieldIndex) error {
	config := c.strict()
	if config == nil || config.MaxPayloadIndexCount == nil || c.indexes[x.path.String()] != nil {
		return nil
	}
	if limit := config.GetMaxPayloadIndexCount(); uint64(len(c.indexes)) >= limit {
		return refusedByStrictMode("Please delete an existing index before creating a new one.",
			"Collection already has the maximum number of payload indices (%d)", limit)
	}
	return nil
}

func (s *pointsService) DeleteFieldIndex(_ context.Context, r *qdrant.DeleteFieldIndexCollection) (*qdrant.PointsOperationResponse, error) {
	var v violations
	v.name(r.GetCollectionName())
	v.notBlank("field_name", r.GetFieldName())
	if err := v.err(); err != nil {
		return nil, err
	}
	at, err := parsePath(r.GetFieldName())
	if err != nil {
		return nil, err
	}
	return s.write(r.GetCollectionName(), r.GetWait(), func(c *collection) (receipt, error) {
		c.lock()
		defer c.unlock()
		field := at.String()
		if c.indexes[field] == nil {
			return receipt{}, nil
		}
		return s.server.commit(recordDropIndex, c.name, &qdrant.DeleteFieldIndexCollection{FieldName: field}, func() { delete(c.indexes, field) })
	})
}

// readIndex makes the empty index that a request asks for.
func readIndex(r *qdrant.CreateFieldIndexCollection) (*fieldIndex, error) {
	at, err := parsePath(r.GetFieldName())
	if err != nil {
		return nil, err
	}
	if r.FieldType == nil {
		return nil, invalid("cannot convert field_type")
	}
	kind, ok := map[qdrant.FieldType]qdrant.PayloadSchemaType{
		qdrant.FieldType_FieldTypeKeyword:  qdrant.PayloadSchemaType_Keyword,
		qdrant.FieldType_FieldTypeInteger:  qdrant.PayloadSchemaType_Integer,
		qdrant.FieldType_FieldTypeFloat:    qdrant.PayloadSchemaType_Float,
		qdrant.FieldType_FieldTypeGeo:      qdrant.PayloadSchemaType_Geo,
		qdrant.FieldType_FieldTypeText:     qdrant.PayloadSchemaType_Text,
		qdrant.FieldType_FieldTypeBool:     qdrant.PayloadSchemaType_Bool,
		qdrant.FieldType_FieldTypeDatetime: qdrant.PayloadSchemaType_Datetime,
		qdrant.FieldType_FieldTypeUuid:     qdrant.PayloadSchemaType_Uuid,
	}[r.GetFieldType()]
	if !ok {
		return nil, invalid("cannot convert field_type")
	}
	params := r.GetFieldIndexParams()
	if params.GetIndexParams() == nil {
		params = nil
	}
	if params != nil && paramsKind(params) != kind {
		return nil, invalid("field_type (%s) and field_index_params do not match", kind)
	}
	return newIndex(at, kind, params)
}

func paramsKind(p *qdrant.PayloadIndexParams) qdrant.PayloadSchemaType {
	switch p.GetIndexParams().(type) {
	case *qdrant.PayloadIndexParams_KeywordIndexParams:
		return qdrant.PayloadSchemaType_Keyword
	case *qdrant.PayloadIndexParams_IntegerIndexParams:
		return qdrant.PayloadSchemaType_Integer
	case *qdrant.PayloadIndexParams_FloatIndexParams:
		return qdrant.PayloadSchemaType_Float
	case *qdrant.PayloadIndexParams_GeoIndexParams:
		return qdrant.PayloadSchemaType_Geo
	case *qdrant.PayloadIndexParams_TextIndexParams:
		return qdrant.PayloadSchemaType_Text
	case *qdrant.PayloadIndexParams_BoolIndexParams:
		return qdrant.PayloadSchemaType_Bool
	case *qdrant.PayloadIndexParams_DatetimeIndexParams:
		return qdrant.PayloadSchemaType_Datetime
	case *qdrant.PayloadIndexParams_UuidIndexParams:
		return qdrant.PayloadSchemaType_Uuid
	}
	return qdrant.PayloadSchemaType_UnknownType
}

// request is what would make this index again.
func (x *fieldIndex) request() *qdrant.CreateFieldIndexCollection {
	kind := map[qdrant.PayloadSchemaType]qdrant.FieldType{
		qdrant.PayloadSchemaType_Keyword:  qdrant.FieldType_FieldTypeKeyword,
		qdrant.PayloadSchemaType_Integer:  qdrant.FieldType_FieldTypeInteger,
		qdrant.PayloadSchemaType_Float:    qdrant.FieldType_FieldTypeFloat,
		qdrant.PayloadSchemaType_Geo:      qdrant.FieldType_FieldTypeGeo,
		qdrant.PayloadSchemaType_Text:     qdrant.FieldType_FieldTypeText,
		qdrant.PayloadSchemaType_Bool:     qdrant.FieldType_FieldTypeBool,
		qdrant.PayloadSchemaType_Datetime: qdrant.FieldType_FieldTypeDatetime,
		qdrant.PayloadSchemaType_Uuid:     qdrant.FieldType_FieldTypeUuid,
	}[x.kind]
	return &qdrant.CreateFieldIndexCollection{FieldName: x.path.String(), FieldType: &kind, FieldIndexParams: x.params}
}
