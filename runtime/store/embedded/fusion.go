package embedded

import (
	"math"
	"slices"
)

// defaultRRF is Qdrant's k; positions count from 0.
const defaultRRF = 2

// rrf adds up 1/(k + position) over the lists; with weights w, 1/((position+1)/w + k − 1).
// A list of weight 0 adds nothing, but its points stay.
func (c *collection) rrf(lists [][]hit, k uint32, weights []float32) []hit {
	return c.fuse(lists, func(list, position int, _ hit) float32 {
		weight := float32(1)
		if weights != nil {
			weight = weights[list]
		}
		if weight <= 0 {
			return 0
		}
		return 1 / (float32(position+1)/weight + float32(k) - 1)
	})
}

// dbsf normalises each list's scores by their mean and three standard deviations
// and adds them up.
func (c *collection) dbsf(lists [][]hit) []hit {
	low, high := make([]float32, len(lists)), make([]float32, len(lists))
	for i, list := range lists {
		if len(list) > 1 {
			mean, deviation := spread(list)
			low[i], high[i] = mean-3*deviation, mean+3*deviation
		}
	}
	return c.fuse(lists, func(list, _ int, h hit) float32 {
		if low[list] == high[list] {
			return 0.5
		}
		return (h.score - low[list]) / (high[list] - low[list])
	})
}

// spread is the mean and the sample deviation of scores, by Welford's method.
func spread(list []hit) (mean, deviation float32) {
	var sum float32
	for i, h := range list {
		before := h.score - mean
		mean += before / float32(i+1)
		sum += before * (h.score - mean)
	}
	return mean, float32(math.Sqrt(float64(sum / float32(len(list)-1))))
}

// fuse sums what a point gets in each list; equal sums are ordered by id.
func (c *collection) fuse(lists [][]hit, score func(list, position int, h hit) float32) []hit {
	at := map[uint32]int{}
	var out []hit
	for l, list := range lists {
		for position, h := range list {
			s := score(l, position, h)
			if i, ok := at[h.slot]; ok {
				out[i].score += s
				continue
			}
			at[h.slot] = len(out)
			out = append(out, hit{slot: h.slot, score: s, order: h.order})
		}
	}
	by := top{ids: c.ids}
	slices.SortFunc(out, by.better)
	return out
}
