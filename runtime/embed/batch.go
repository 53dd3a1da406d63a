//go:build cgo

package embed

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"
)

// sequence is what the model reads of one text, or of a pair of texts.
type sequence struct {
	ids    []int32 // [CLS] … [SEP], or [CLS] … [SEP] … [SEP] for a pair
	second int     // how many of them, at the end, are the pair's second text with its [SEP]
}

// batch is how many texts go into one run: 2 × 256 wordpieces already fill the
// matrix kernels, and 128 cost 1.7 × the CPU (padding, caches) and 2 GB, which
// ONNX Runtime's arena then keeps.
const batch = 2

// batches groups sequences of like length, longest first, so that little is
// spent on padding. Each group holds indexes into sequences.
func batches(sequences []sequence) [][]int {
	order := make([]int, len(sequences))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(sequences[b].ids) - len(sequences[a].ids) })
	return slices.Collect(slices.Chunk(order, batch))
}

// each calls do for every batch, as many at a time as there are slots: slots are
// shared by all calls, and waiters are served in order, so that a question isn't
// starved by an ingestion. It returns the first error, or ctx's when that ends;
// what the library panics about is an error too, not the end of the process.
func each(ctx context.Context, slots chan struct{}, sequences []sequence, do func(indexes []int, chosen []sequence) error) error {
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(cap(slots))
	for _, indexes := range batches(sequences) {
		if running.Err() != nil {
			break
		}
		chosen := make([]sequence, len(indexes))
		for k, i := range indexes {
			chosen[k] = sequences[i]
		}
		group.Go(func() (err error) {
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
			case <-running.Done():
				return running.Err()
			}
			if err := running.Err(); err != nil {
				return err
			}
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("panic while the model ran: %v", p)
				}
			}()
			return do(indexes, chosen)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx) // it may have ended between two batches
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
	normalize(v) // the mean's divisor cancels out in the norm
	return v
}

// normalize scales a vector to length 1, in place; a vector of zeros stays.
func normalize(v []float32) {
	var squares float64
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	k := float32(1 / max(math.Sqrt(squares), 1e-12))
	for d := range v {
		v[d] *= k
	}
}
