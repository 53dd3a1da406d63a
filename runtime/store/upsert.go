package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// A batch is closed at whichever bound comes first. Both keep one request's time
// and memory small; neither is a limit of the server.
const (
	batchPoints = 256
	batchBytes  = 8 << 20
)

// Sparse is a sparse vector; both slices are of one length, indices unique.
type Sparse struct {
	Indices []uint32
	Values  []float32
}

// Point is what is stored. A nil vector is none at all; a nil payload is empty.
type Point struct {
	ID      string // UUID
	Dense   []float32
	Sparse  *Sparse
	Payload map[string]any
}

// Upsert writes points, replacing those of the same id as a whole, and returns
// when the server has them on disk. It sends them in batches: a batch is stored or
// refused as one, and those before a refused one stay.
func (c *Client) Upsert(ctx context.Context, name string, points []Point) error {
	var batch []*qdrant.PointStruct
	var size int
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		_, err := c.points.Upsert(ctx, &qdrant.UpsertPoints{CollectionName: name, Wait: qdrant.PtrOf(true), Points: batch})
		if err != nil {
			return fmt.Errorf("upsert %d points into %q: %w", len(batch), name, err)
		}
		batch, size = nil, 0
		return nil
	}
	for _, p := range points {
		converted, err := p.request()
		if err != nil {
			return fmt.Errorf("upsert into %q: %w", name, err)
		}
		batch = append(batch, converted)
		if size += proto.Size(converted); len(batch) >= batchPoints || size >= batchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func (p Point) request() (*qdrant.PointStruct, error) {
	if _, err := uuid.Parse(p.ID); err != nil {
		return nil, fmt.Errorf("point id %q: %w", p.ID, err)
	}
	payload, err := ToPayload(p.Payload)
	if err != nil {
		return nil, fmt.Errorf("point %s: %w", p.ID, err)
	}
	vectors := map[string]*qdrant.Vector{}
	if p.Dense != nil {
		vectors[DenseVector] = qdrant.NewVectorDense(p.Dense)
	}
	if p.Sparse != nil {
		vectors[SparseVector] = qdrant.NewVectorSparse(p.Sparse.Indices, p.Sparse.Values)
	}
	return &qdrant.PointStruct{Id: qdrant.NewID(p.ID), Payload: payload, Vectors: qdrant.NewVectorsMap(vectors)}, nil
}
