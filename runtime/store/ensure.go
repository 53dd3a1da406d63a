package store

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
)

// Ensure creates the collection if it is absent, with its indexes, strict mode and
// owner marker. An existing one is only checked for its owner (a foreign one gives
// a ForeignError): whatever else differs is for Inspect to report and Repair to
// change. Interrupted between collection and indexes it leaves missing indexes,
// which Inspect reports likewise.
func (c *Client) Ensure(ctx context.Context, name string, schema Schema) error {
	schema = schema.withDefaults()
	if err := schema.validate(); err != nil {
		return fmt.Errorf("ensure collection %q: %w", name, err)
	}
	info, err := c.info(ctx, name)
	if err == nil {
		return owned(name, info, schema.Owner)
	}
	if !IsNotFound(err) {
		return err
	}
	create, err := creation(name, schema)
	if err != nil {
		return fmt.Errorf("create collection %q: %w", name, err)
	}
	created := true
	if _, err := c.collections.Create(ctx, create); err != nil {
		if code(err) != codes.AlreadyExists {
			return fmt.Errorf("create collection %q: %w", name, err)
		}
		created = false // somebody was faster: then it is an existing one
	}
	info, err = c.info(ctx, name)
	if err != nil {
		return err
	}
	if created && ownerOf(info) == "" {
		return fmt.Errorf("collection %q: the server does not keep collection metadata; Qdrant 1.16 or later is needed", name)
	}
	if err := owned(name, info, schema.Owner); err != nil || !created {
		return err
	}
	for _, index := range schema.Indexes {
		if err := c.createIndex(ctx, name, index); err != nil {
			return err
		}
	}
	return nil
}

// creation is the request that makes a collection of this schema.
func creation(name string, s Schema) (*qdrant.CreateCollection, error) {
	distance, err := distanceOf(s.Distance)
	if err != nil {
		return nil, err
	}
	quantization, err := quantizationOf(s.Quantization)
	if err != nil {
		return nil, err
	}
	dense := &qdrant.VectorParams{Size: s.Size, Distance: distance, QuantizationConfig: quantization}
	if s.OnDisk {
		dense.OnDisk = qdrant.PtrOf(true)
	}
	create := &qdrant.CreateCollection{
		CollectionName:      name,
		VectorsConfig:       qdrant.NewVectorsConfigMap(map[string]*qdrant.VectorParams{DenseVector: dense}),
		SparseVectorsConfig: qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{SparseVector: {Modifier: qdrant.Modifier_Idf.Enum()}}),
		ShardNumber:         &s.Shards,
		ReplicationFactor:   &s.Replicas,
		Metadata:            map[string]*qdrant.Value{ownerKey: qdrant.NewValueString(s.Owner)},
	}
	if s.Strict {
		create.StrictModeConfig = strictMode(true)
	}
	return create, nil
}

// strictMode refuses filters on unindexed fields, in reads and in writes, or
// switches all of strict mode off.
func strictMode(on bool) *qdrant.StrictModeConfig {
	if !on {
		return &qdrant.StrictModeConfig{Enabled: qdrant.PtrOf(false)}
	}
	return &qdrant.StrictModeConfig{
		Enabled:                    qdrant.PtrOf(true),
		UnindexedFilteringRetrieve: qdrant.PtrOf(false),
		UnindexedFilteringUpdate:   qdrant.PtrOf(false),
	}
}

func (c *Client) createIndex(ctx context.Context, name string, index Index) error {
	fieldType, params, err := index.fieldType()
	if err != nil {
		return err
	}
	_, err = c.points.CreateFieldIndex(ctx, &qdrant.CreateFieldIndexCollection{
		CollectionName: name, Wait: qdrant.PtrOf(true), FieldName: index.Field, FieldType: &fieldType, FieldIndexParams: params,
	})
	if err != nil {
		return fmt.Errorf("create index on %q of collection %q: %w", index.Field, name, err)
	}
	return nil
}

func (c *Client) info(ctx context.Context, name string) (*qdrant.CollectionInfo, error) {
	answer, err := c.collections.Get(ctx, &qdrant.GetCollectionInfoRequest{CollectionName: name})
	if err != nil {
		return nil, fmt.Errorf("read collection %q: %w", name, err)
	}
	return answer.GetResult(), nil
}

// ownerOf reads a collection's marker; "" without one.
func ownerOf(info *qdrant.CollectionInfo) string {
	return info.GetConfig().GetMetadata()[ownerKey].GetStringValue()
}

func owned(name string, info *qdrant.CollectionInfo, owner string) error {
	if have := ownerOf(info); have != owner {
		return &ForeignError{Collection: name, Owner: have, Want: owner}
	}
	return nil
}
