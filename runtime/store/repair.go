package store

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// Repair removes the given differences, those that Inspect reported or a part of
// them, one after the other. An index of the wrong type is dropped and built anew;
// between the two, strict mode refuses filters on the field rather than answer
// from a wrong index. An Immutable drift gives an ImmutableError before anything
// is changed.
func (c *Client) Repair(ctx context.Context, name string, schema Schema, drifts []Drift) error {
	schema = schema.withDefaults()
	if err := schema.validate(); err != nil {
		return fmt.Errorf("repair collection %q: %w", name, err)
	}
	info, err := c.info(ctx, name)
	if err != nil {
		return err
	}
	if err := owned(name, info, schema.Owner); err != nil {
		return err
	}
	for _, d := range drifts {
		if d.Kind == Immutable {
			return &ImmutableError{Collection: name, Drift: d}
		}
	}
	for _, d := range drifts {
		if err := c.repair(ctx, name, schema, d); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) repair(ctx context.Context, name string, schema Schema, d Drift) error {
	switch d.Kind {
	case MissingIndex, TenantFlag, WrongIndexType, ExtraIndex:
		return c.repairIndex(ctx, name, schema, d)
	}
	update, err := settingUpdate(name, schema, d.Kind)
	if err != nil {
		return err
	}
	if _, err := c.collections.Update(ctx, update); err != nil {
		return fmt.Errorf("repair %s of collection %q: %w", d.Field, name, err)
	}
	return nil
}

func (c *Client) repairIndex(ctx context.Context, name string, schema Schema, d Drift) error {
	if d.Kind == WrongIndexType || d.Kind == ExtraIndex {
		_, err := c.points.DeleteFieldIndex(ctx, &qdrant.DeleteFieldIndexCollection{
			CollectionName: name, Wait: qdrant.PtrOf(true), FieldName: d.Field,
		})
		if err != nil {
			return fmt.Errorf("drop index on %q of collection %q: %w", d.Field, name, err)
		}
	}
	if d.Kind == ExtraIndex {
		return nil
	}
	for _, index := range schema.Indexes {
		if index.Field == d.Field {
			return c.createIndex(ctx, name, index)
		}
	}
	return fmt.Errorf("repair %s of collection %q: the schema has no index on %q", d.Kind, name, d.Field)
}

// settingUpdate is the request that brings one setting to the schema's value.
func settingUpdate(name string, s Schema, kind DriftKind) (*qdrant.UpdateCollection, error) {
	update := &qdrant.UpdateCollection{CollectionName: name}
	dense := func(diff *qdrant.VectorParamsDiff) *qdrant.VectorsConfigDiff {
		return qdrant.NewVectorsConfigDiffMap(map[string]*qdrant.VectorParamsDiff{DenseVector: diff})
	}
	switch kind {
	case StrictMode:
		update.StrictModeConfig = strictMode(s.Strict)
	case OnDisk:
		update.VectorsConfig = dense(&qdrant.VectorParamsDiff{OnDisk: &s.OnDisk})
	case Quantization:
		diff, err := quantizationDiff(s.Quantization)
		if err != nil {
			return nil, err
		}
		update.VectorsConfig = dense(&qdrant.VectorParamsDiff{QuantizationConfig: diff})
		if s.Quantization == "None" {
			update.QuantizationConfig = diff // it may stand at the collection
		}
	case Replicas:
		update.Params = &qdrant.CollectionParamsDiff{ReplicationFactor: &s.Replicas}
	case Modifier:
		update.SparseVectorsConfig = qdrant.NewSparseVectorsConfig(map[string]*qdrant.SparseVectorParams{SparseVector: {Modifier: qdrant.Modifier_Idf.Enum()}})
	default:
		return nil, fmt.Errorf("repair collection %q: unknown drift %q", name, kind)
	}
	return update, nil
}

func quantizationDiff(name string) (*qdrant.QuantizationConfigDiff, error) {
	config, err := quantizationOf(name)
	switch {
	case err != nil:
		return nil, err
	case config == nil:
		return qdrant.NewQuantizationDiffDisabled(), nil
	case config.GetScalar() != nil:
		return qdrant.NewQuantizationDiffScalar(config.GetScalar()), nil
	}
	return qdrant.NewQuantizationDiffBinary(config.GetBinary()), nil
}
