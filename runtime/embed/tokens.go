//go:build cgo

package embed

import (
	"context"
	"slices"
)

// TokenVectors returns, for each text in order, the ids of its wordpieces without
// [CLS] and [SEP] and a vector of length 1 for each, row-major: len(ids[i]) ×
// Dimensions. The vectors are the states that Embed averages, so a text costs
// what it costs to embed. It refuses and stops as Embed does.
func (m *Model) TokenVectors(ctx context.Context, texts []string) (ids [][]int32, vectors [][]float32, err error) {
	ids, vectors = make([][]int32, len(texts)), make([][]float32, len(texts))
	err = m.encode(ctx, texts, func(i int, all []int32, hidden []float32, dimensions int) {
		ids[i] = slices.Clone(all[1 : len(all)-1])
		vectors[i] = slices.Clone(hidden[dimensions : len(hidden)-dimensions])
		for row := range slices.Chunk(vectors[i], dimensions) {
			normalize(row)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return ids, vectors, nil
}
