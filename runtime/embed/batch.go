//go:build cgo

package embed

import (
	"math"
	"slices"
)

// batch is how many texts go into one run: 2 × 256 wordpieces already fill the
// matrix kernels, and 128 cost 1.7 × the CPU (padding, caches) and 2 GB, which
// ONNX Runtime's arena then keeps.
const batch = 2

// batches groups sequences of like length, longest first, so that little is
// spent on padding. Each group holds indexes into sequences.
func batches(sequences [][]int32) [][]int {
	order := make([]int, len(sequences))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(sequences[b]) - len(sequences[a]) })
	return slices.Collect(slices.Chunk(order, batch))
}

// pool averages the hidden states of a text's tokens, [CLS] and [SEP] included,
// and scales the result to length 1.
func pool(hidden []float32, dimensions int) []float32 {
	v := make([]float32, dimensions)
	for row := range slices.Chunk(hidden, dimensions) {
		for d, x := range row {
			v[d] += x
		}
	}
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	// The mean's divisor cancels out in the norm.
	k := float32(1 / max(math.Sqrt(squares), 1e-12))
	for d := range v {
		v[d] *= k
	}
	return v
}
