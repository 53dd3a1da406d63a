package store

import (
	"context"
	"fmt"
	"sort"
	"strconv"

	"github.com/qdrant/go-client/qdrant"
)

// State is what a collection holds.
type State struct {
	Exists  bool
	Points  uint64       // counted
	Indexes []IndexState // by field
}

// IndexState is one payload index as found.
type IndexState struct {
	Field  string
	Type   string
	Points uint64 // points that have a value in the field, counted: the server's own figure doubles when its log is replayed
}

// DriftKind says what differs.
type DriftKind string

// Kinds of drift. Immutable needs a new collection; the others can be repaired.
const (
	MissingIndex   DriftKind = "MissingIndex"
	WrongIndexType DriftKind = "WrongIndexType"
	TenantFlag     DriftKind = "TenantFlag"
	ExtraIndex     DriftKind = "ExtraIndex"
	StrictMode     DriftKind = "StrictMode"
	Quantization   DriftKind = "Quantization"
	OnDisk         DriftKind = "OnDisk"
	Replicas       DriftKind = "Replicas"
	Modifier       DriftKind = "Modifier"
	Immutable      DriftKind = "Immutable"
)

// Drift is one difference between a schema and a collection. Field is a payload
// field, or the name of a setting.
type Drift struct {
	Kind  DriftKind
	Field string
	Want  string
	Have  string
}

// Inspect compares a collection with its schema and reports everything that
// differs. A missing collection is State.Exists false, not drift; a foreign one is
// a ForeignError.
func (c *Client) Inspect(ctx context.Context, name string, schema Schema) (State, []Drift, error) {
	schema = schema.withDefaults()
	if err := schema.validate(); err != nil {
		return State{}, nil, fmt.Errorf("inspect collection %q: %w", name, err)
	}
	info, err := c.info(ctx, name)
	if IsNotFound(err) {
		return State{}, nil, nil
	}
	if err != nil {
		return State{}, nil, err
	}
	if err := owned(name, info, schema.Owner); err != nil {
		return State{}, nil, err
	}
	state, err := c.state(ctx, name, info)
	if err != nil {
		return State{}, nil, err
	}
	return state, append(settingDrift(info, schema), indexDrift(info.GetPayloadSchema(), schema.Indexes)...), nil
}

func (c *Client) state(ctx context.Context, name string, info *qdrant.CollectionInfo) (State, error) {
	points, err := c.Count(ctx, name, nil, true)
	if err != nil {
		return State{}, err
	}
	state := State{Exists: true, Points: points}
	for field, index := range info.GetPayloadSchema() {
		present := &qdrant.Filter{MustNot: []*qdrant.Condition{qdrant.NewIsEmpty(field)}}
		n, err := c.Count(ctx, name, present, true)
		if err != nil {
			return State{}, err
		}
		state.Indexes = append(state.Indexes, IndexState{Field: field, Type: typeName(index.GetDataType()), Points: n})
	}
	sort.Slice(state.Indexes, func(i, j int) bool { return state.Indexes[i].Field < state.Indexes[j].Field })
	return state, nil
}

// settingDrift compares everything but the indexes.
func settingDrift(info *qdrant.CollectionInfo, want Schema) []Drift {
	config := info.GetConfig()
	params := config.GetParams()
	dense := params.GetVectorsConfig().GetParamsMap().GetMap()[DenseVector]
	sparse, hasSparse := params.GetSparseVectorsConfig().GetMap()[SparseVector]
	have := "none"
	if hasSparse {
		have = sparse.GetModifier().String()
	}
	quantization := dense.GetQuantizationConfig()
	if quantization == nil {
		quantization = config.GetQuantizationConfig() // of the whole collection
	}
	strict := config.GetStrictModeConfig()
	strictOn := strict != nil && strict.GetEnabled() && forbids(strict.UnindexedFilteringRetrieve) && forbids(strict.UnindexedFilteringUpdate)

	var out []Drift
	compare := func(kind DriftKind, field, want, have string) {
		if want != have {
			out = append(out, Drift{Kind: kind, Field: field, Want: want, Have: have})
		}
	}
	compare(Immutable, "size", strconv.FormatUint(want.Size, 10), strconv.FormatUint(dense.GetSize(), 10))
	compare(Immutable, "distance", want.Distance, dense.GetDistance().String())
	compare(Immutable, "shards", strconv.Itoa(int(want.Shards)), strconv.Itoa(int(params.GetShardNumber())))
	if hasSparse {
		compare(Modifier, SparseVector, qdrant.Modifier_Idf.String(), have)
	} else {
		compare(Immutable, SparseVector, qdrant.Modifier_Idf.String(), have)
	}
	compare(Replicas, "replicas", strconv.Itoa(int(want.Replicas)), strconv.Itoa(int(params.GetReplicationFactor())))
	compare(OnDisk, "onDisk", strconv.FormatBool(want.OnDisk), strconv.FormatBool(dense.GetOnDisk()))
	compare(Quantization, "quantization", want.Quantization, quantizationName(quantization))
	compare(StrictMode, "strict", strconv.FormatBool(want.Strict), strconv.FormatBool(strictOn))
	return out
}

// forbids reports whether a strict mode permission was taken away: left unset, it
// is granted.
func forbids(permission *bool) bool { return permission != nil && !*permission }

// indexDrift compares the payload indexes, in the schema's order and then by field.
func indexDrift(have map[string]*qdrant.PayloadSchemaInfo, want []Index) []Drift {
	var out []Drift
	wanted := map[string]bool{}
	for _, index := range want {
		wanted[index.Field] = true
		found, ok := have[index.Field]
		switch {
		case !ok:
			out = append(out, Drift{Kind: MissingIndex, Field: index.Field, Want: index.Type})
		case typeName(found.GetDataType()) != index.Type || !serves(found.GetParams()):
			out = append(out, Drift{Kind: WrongIndexType, Field: index.Field, Want: index.Type, Have: describe(found)})
		case isTenant(found.GetParams()) != index.Tenant:
			out = append(out, Drift{Kind: TenantFlag, Field: index.Field, Want: strconv.FormatBool(index.Tenant), Have: strconv.FormatBool(!index.Tenant)})
		}
	}
	var extra []Drift
	for field, found := range have {
		if !wanted[field] {
			extra = append(extra, Drift{Kind: ExtraIndex, Field: field, Have: typeName(found.GetDataType())})
		}
	}
	sort.Slice(extra, func(i, j int) bool { return extra[i].Field < extra[j].Field })
	return append(out, extra...)
}

// serves reports whether an index serves every filter of its type: an integer
// index can be made for look-up only or for ranges only.
func serves(params *qdrant.PayloadIndexParams) bool {
	integer := params.GetIntegerIndexParams()
	return integer == nil || (!forbids(integer.Lookup) && !forbids(integer.Range))
}

func describe(index *qdrant.PayloadSchemaInfo) string {
	name := typeName(index.GetDataType())
	if serves(index.GetParams()) {
		return name
	}
	return name + " without look-up or without range"
}

func isTenant(params *qdrant.PayloadIndexParams) bool {
	return params.GetKeywordIndexParams().GetIsTenant() || params.GetUuidIndexParams().GetIsTenant()
}
