package embedded

import (
	"context"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

func (s *collectionsService) Update(_ context.Context, r *qdrant.UpdateCollection) (*qdrant.CollectionOperationResponse, error) {
	start := time.Now()
	if err := validUpdate(r); err != nil {
		return nil, err
	}
	return s.change(start, func() (bool, receipt, error) {
		c, err := s.server.find(r.GetCollectionName())
		if err != nil {
			return false, receipt{}, err
		}
		c.lock()
		defer c.unlock()
		config, err := c.updated(r)
		if err != nil {
			return false, receipt{}, err
		}
		done, err := s.server.commit(recordConfig, c.name, config, func() { c.config = config })
		return true, done, err
	})
}

func validUpdate(r *qdrant.UpdateCollection) error {
	var v violations
	v.name(r.GetCollectionName())
	v.optimizers(r.GetOptimizersConfig())
	if p := r.GetParams(); p != nil {
		atLeast(&v, "params.replication_factor", p.ReplicationFactor, 1)
		atLeast(&v, "params.write_consistency_factor", p.WriteConsistencyFactor, 1)
	}
	atLeast(&v, "timeout", r.Timeout, 1)
	v.hnsw("hnsw_config", r.GetHnswConfig())
	v.strict(r.GetStrictModeConfig())
	return v.err()
}

// updated is the collection's configuration with a request's changes, which are
// merged field by field; metadata is merged by top-level key, a null removes one.
func (c *collection) updated(r *qdrant.UpdateCollection) (*qdrant.CollectionConfig, error) {
	config := proto.CloneOf(c.config)
	if err := updateVectors(config.GetParams(), r); err != nil {
		return nil, err
	}
	proto.Merge(config.HnswConfig, orEmpty(r.GetHnswConfig()))
	proto.Merge(config.OptimizerConfig, orEmpty(r.GetOptimizersConfig()))
	if p := r.GetParams(); p != nil {
		params := config.Params
		if p.ReplicationFactor != nil {
			params.ReplicationFactor = p.ReplicationFactor
		}
		if p.WriteConsistencyFactor != nil {
			params.WriteConsistencyFactor = p.WriteConsistencyFactor
		}
		if p.OnDiskPayload != nil {
			params.OnDiskPayload = p.GetOnDiskPayload()
		}
		if p.ReadFanOutFactor != nil {
			params.ReadFanOutFactor = p.ReadFanOutFactor
		}
	}
	config.QuantizationConfig = requantized(config.QuantizationConfig, r.GetQuantizationConfig())
	if strict := r.GetStrictModeConfig(); strict != nil {
		config.StrictModeConfig = orEmpty(config.StrictModeConfig)
		proto.Merge(config.StrictModeConfig, strict)
	}
	if metadata := r.GetMetadata(); len(metadata) > 0 {
		if err := checkPayload(metadata); err != nil {
			return nil, err
		}
		if config.Metadata == nil {
			config.Metadata = map[string]*qdrant.Value{}
		}
		merge(config.Metadata, metadata)
	}
	return config, nil
}

func updateVectors(params *qdrant.CollectionParams, r *qdrant.UpdateCollection) error {
	dense := denseParams(params.GetVectorsConfig())
	diffs := r.GetVectorsConfig().GetParamsMap().GetMap()
	if single := r.GetVectorsConfig().GetParams(); single != nil {
		diffs = map[string]*qdrant.VectorParamsDiff{"": single}
	}
	for name, diff := range diffs {
		p := dense[name]
		if p == nil {
			return noVector(name)
		}
		if diff.GetHnswConfig() != nil {
			p.HnswConfig = orEmpty(p.HnswConfig)
			proto.Merge(p.HnswConfig, diff.GetHnswConfig())
		}
		p.QuantizationConfig = requantized(p.QuantizationConfig, diff.GetQuantizationConfig())
		if diff.OnDisk != nil {
			p.OnDisk = diff.OnDisk
		}
	}
	for name, diff := range r.GetSparseVectorsConfig().GetMap() {
		p := params.GetSparseVectorsConfig().GetMap()[name]
		if p == nil {
			return noVector(name)
		}
		proto.Merge(p, diff)
	}
	return nil
}

// requantized is a quantization after a change: replaced, removed, or left.
func requantized(old *qdrant.QuantizationConfig, diff *qdrant.QuantizationConfigDiff) *qdrant.QuantizationConfig {
	switch k := diff.GetQuantization().(type) {
	case *qdrant.QuantizationConfigDiff_Scalar:
		return qdrant.NewQuantizationScalar(k.Scalar)
	case *qdrant.QuantizationConfigDiff_Product:
		return qdrant.NewQuantizationProduct(k.Product)
	case *qdrant.QuantizationConfigDiff_Binary:
		return qdrant.NewQuantizationBinary(k.Binary)
	case *qdrant.QuantizationConfigDiff_Disabled:
		return nil
	}
	return old
}
