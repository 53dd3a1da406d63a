package embedded

import (
	"context"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

func (s *collectionsService) Create(_ context.Context, r *qdrant.CreateCollection) (*qdrant.CollectionOperationResponse, error) {
	start := time.Now()
	if err := validCreate(r); err != nil {
		return nil, err
	}
	config, err := creationConfig(r)
	if err != nil {
		return nil, err
	}
	name := r.GetCollectionName()
	return s.change(start, func() (bool, receipt, error) {
		if s.server.collections[name] != nil {
			return false, receipt{}, collectionExists(name)
		}
		if _, ok := s.server.aliases[name]; ok {
			return false, receipt{}, wrongInput("Can't create collection with name %s. Alias with the same name already exists", name)
		}
		done, err := s.server.commit(recordCreate, name, config, func() {
			s.server.collections[name] = newCollection(name, config)
		})
		return true, done, err
	})
}

func validCreate(r *qdrant.CreateCollection) error {
	var v violations
	v.newName(r.GetCollectionName())
	v.hnsw("hnsw_config", r.GetHnswConfig())
	v.wal(r.GetWalConfig())
	v.optimizers(r.GetOptimizersConfig())
	v.vectorsConfig(r.GetVectorsConfig())
	v.quantization("quantization_config", r.GetQuantizationConfig())
	atLeast(&v, "shard_number", r.ShardNumber, 1)
	atLeast(&v, "replication_factor", r.ReplicationFactor, 1)
	atLeast(&v, "write_consistency_factor", r.WriteConsistencyFactor, 1)
	v.strict(r.GetStrictModeConfig())
	return v.err()
}

func (v *violations) vectorsConfig(c *qdrant.VectorsConfig) {
	if p := c.GetParams(); p != nil {
		v.vectorParams("vectors_config.config", p)
		return
	}
	for _, p := range c.GetParamsMap().GetMap() {
		before := len(*v)
		if v.vectorParams("vectors_config.config.map.[]", p); len(*v) > before {
			return // one of a map is told
		}
	}
}

// maxDimension is the largest vector that Qdrant takes.
const maxDimension = 65536

func (v *violations) vectorParams(path string, p *qdrant.VectorParams) {
	if p.GetSize() < 1 || p.GetSize() > maxDimension {
		v.add(path+".size", "value %d invalid, must be from 1 to %d", p.GetSize(), maxDimension)
	}
	v.hnsw(path+".hnsw_config", p.GetHnswConfig())
	v.quantization(path+".quantization_config", p.GetQuantizationConfig())
}

func (v *violations) quantization(path string, q *qdrant.QuantizationConfig) {
	if s := q.GetScalar(); s != nil && s.Quantile != nil && (*s.Quantile < 0.5 || *s.Quantile > 1) {
		v.add(path+".quantization.quantile", "value %s invalid, must be from 0.5 to 1.0", shortest(float64(*s.Quantile)))
	}
}

func (v *violations) hnsw(path string, h *qdrant.HnswConfigDiff) {
	if h != nil {
		atLeast(v, path+".ef_construct", h.EfConstruct, 4)
	}
}

func (v *violations) wal(w *qdrant.WalConfigDiff) {
	if w != nil {
		atLeast(v, "wal_config.wal_capacity_mb", w.WalCapacityMb, 1)
	}
}

func (v *violations) optimizers(o *qdrant.OptimizersConfigDiff) {
	if o == nil {
		return
	}
	if o.DeletedThreshold != nil && (*o.DeletedThreshold < 0 || *o.DeletedThreshold > 1) {
		v.add("optimizers_config.deleted_threshold", "value %s invalid, must be from 0.0 to 1.0", shortest(*o.DeletedThreshold))
	}
	atLeast(v, "optimizers_config.vacuum_min_vector_number", o.VacuumMinVectorNumber, 100)
	atLeast(v, "optimizers_config.max_segment_size", o.MaxSegmentSize, 1)
}

func (v *violations) strict(c *qdrant.StrictModeConfig) {
	if c == nil {
		return
	}
	atLeast(v, "strict_mode_config.max_query_limit", c.MaxQueryLimit, 1)
	atLeast(v, "strict_mode_config.max_timeout", c.MaxTimeout, 1)
	atLeast(v, "strict_mode_config.max_points_count", c.MaxPointsCount, 1)
	atLeast(v, "strict_mode_config.read_rate_limit", c.ReadRateLimit, 1)
	atLeast(v, "strict_mode_config.write_rate_limit", c.WriteRateLimit, 1)
	for _, s := range c.GetSparseConfig().GetSparseConfig() {
		if s.MaxLength != nil && *s.MaxLength < 1 {
			v.add("strict_mode_config.sparse_config.sparse_config.[].max_length", "value 0 invalid, must be 1 or larger")
			break
		}
	}
}

// creationConfig is the configuration of a new collection: the server's defaults
// under what the request says.
func creationConfig(r *qdrant.CreateCollection) (*qdrant.CollectionConfig, error) {
	dense := denseParams(r.GetVectorsConfig())
	for name, p := range dense {
		if err := servedVector(p); err != nil {
			return nil, err
		}
		if _, twice := r.GetSparseVectorsConfig().GetMap()[name]; twice {
			return nil, wrongInput("Dense and sparse vector names must be unique - duplicate found with '%s'", name)
		}
	}
	if r.GetShardingMethod() == qdrant.ShardingMethod_Custom {
		return nil, unserved("custom sharding")
	}
	config := defaultConfig()
	proto.Merge(config.HnswConfig, orEmpty(r.GetHnswConfig()))
	proto.Merge(config.OptimizerConfig, orEmpty(r.GetOptimizersConfig()))
	proto.Merge(config.WalConfig, orEmpty(r.GetWalConfig()))
	params := config.Params
	if r.GetVectorsConfig().GetConfig() != nil {
		params.VectorsConfig = r.GetVectorsConfig()
	}
	if len(r.GetSparseVectorsConfig().GetMap()) > 0 {
		params.SparseVectorsConfig = r.GetSparseVectorsConfig()
	}
	if r.ShardNumber != nil {
		params.ShardNumber = r.GetShardNumber()
	}
	if r.OnDiskPayload != nil {
		params.OnDiskPayload = r.GetOnDiskPayload()
	}
	if r.ReplicationFactor != nil {
		params.ReplicationFactor = r.ReplicationFactor
	}
	if r.WriteConsistencyFactor != nil {
		params.WriteConsistencyFactor = r.WriteConsistencyFactor
	}
	config.QuantizationConfig = r.GetQuantizationConfig()
	config.StrictModeConfig = r.GetStrictModeConfig()
	config.Metadata = r.GetMetadata()
	return config, checkPayload(r.GetMetadata())
}

// servedVector refuses vectors that this server cannot compare as Qdrant would.
func servedVector(p *qdrant.VectorParams) error {
	switch {
	case p.GetDistance() == qdrant.Distance_UnknownDistance:
		return invalid("Malformed distance parameter: UnknownDistance")
	case p.GetDistance() > qdrant.Distance_Manhattan:
		return invalid("Malformed distance parameter, unexpected value: %d", p.GetDistance())
	case p.GetMultivectorConfig() != nil:
		return unserved("a multivector")
	case p.GetDatatype() != qdrant.Datatype_Default && p.GetDatatype() != qdrant.Datatype_Float32:
		return unserved("a vector of any type but float32")
	}
	return nil
}

// orEmpty turns a nil message into an empty one, which merges to nothing.
func orEmpty[M interface {
	comparable
	proto.Message
}](m M) M {
	var none M
	if m == none {
		return none.ProtoReflect().New().Interface().(M)
	}
	return m
}

// defaultConfig is Qdrant's own. The settings of the graph, the optimizer and the
// write-ahead log are kept and told, but nothing here depends on them.
func defaultConfig() *qdrant.CollectionConfig {
	return &qdrant.CollectionConfig{
		Params: &qdrant.CollectionParams{
			ShardNumber: 1, OnDiskPayload: true, ReplicationFactor: qdrant.PtrOf(uint32(1)), WriteConsistencyFactor: qdrant.PtrOf(uint32(1)),
			VectorsConfig: qdrant.NewVectorsConfigMap(nil),
		},
		HnswConfig: &qdrant.HnswConfigDiff{
			M: qdrant.PtrOf(uint64(16)), EfConstruct: qdrant.PtrOf(uint64(100)), FullScanThreshold: qdrant.PtrOf(uint64(10000)),
			MaxIndexingThreads: qdrant.PtrOf(uint64(0)), OnDisk: qdrant.PtrOf(false),
		},
		OptimizerConfig: &qdrant.OptimizersConfigDiff{
			DeletedThreshold: qdrant.PtrOf(0.2), VacuumMinVectorNumber: qdrant.PtrOf(uint64(1000)), DefaultSegmentNumber: qdrant.PtrOf(uint64(0)),
			IndexingThreshold: qdrant.PtrOf(uint64(10000)), FlushIntervalSec: qdrant.PtrOf(uint64(5)),
			MaxOptimizationThreads: &qdrant.MaxOptimizationThreads{Variant: &qdrant.MaxOptimizationThreads_Setting_{Setting: qdrant.MaxOptimizationThreads_Auto}},
		},
		WalConfig: &qdrant.WalConfigDiff{
			WalCapacityMb: qdrant.PtrOf(uint64(32)), WalSegmentsAhead: qdrant.PtrOf(uint64(0)), WalRetainClosed: qdrant.PtrOf(uint64(1)),
		},
	}
}
