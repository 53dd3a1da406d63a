package store

import (
	"fmt"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// EncodePoint is a point as bytes that any version can read: Qdrant's own message.
// The same point gives the same bytes.
func EncodePoint(p Point) ([]byte, error) {
	m, err := p.request()
	if err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// DecodePoint is the reverse.
func DecodePoint(data []byte) (Point, error) {
	var m qdrant.PointStruct
	if err := proto.Unmarshal(data, &m); err != nil {
		return Point{}, fmt.Errorf("decode point: %w", err)
	}
	p := Point{ID: PointID(m.GetId()), Payload: FromPayload(m.GetPayload())}
	for name, v := range m.GetVectors().GetVectors().GetVectors() {
		switch name {
		case DenseVector:
			p.Dense = v.GetDense().GetData()
		case SparseVector:
			p.Sparse = &Sparse{Indices: v.GetSparse().GetIndices(), Values: v.GetSparse().GetValues()}
		default:
			return Point{}, fmt.Errorf("point %s has a vector %q", p.ID, name)
		}
	}
	return p, nil
}
