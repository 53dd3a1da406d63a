package embedded

import (
	"math"

	"github.com/qdrant/go-client/qdrant"
)

// chunkVectors is how many dense vectors lie side by side: enough for a scan to
// stream through memory, few enough that growing copies little.
const chunkVectors = 256

// denseVectors holds the dense vectors of one name, by slot.
type denseVectors struct {
	dim      int
	distance qdrant.Distance
	chunks   [][]float32
	has      []bool
}

func (d *denseVectors) set(slot uint32, vector []float32) {
	for uint32(len(d.has)) <= slot {
		d.has = append(d.has, false)
	}
	for len(d.chunks) <= int(slot/chunkVectors) {
		d.chunks = append(d.chunks, nil)
	}
	chunk := &d.chunks[slot/chunkVectors]
	end := int(slot%chunkVectors+1) * d.dim
	if len(*chunk) < end {
		grown := *chunk
		if cap(grown) < end {
			grown = make([]float32, len(*chunk), min(max(end, 2*len(*chunk)), chunkVectors*d.dim))
			copy(grown, *chunk)
		}
		*chunk = grown[:end]
	}
	copy((*chunk)[end-d.dim:end], vector)
	d.has[slot] = true
}

func (d *denseVectors) remove(slot uint32) {
	if slot < uint32(len(d.has)) {
		d.has[slot] = false
	}
}

// get is the slot's vector, or nil; it is not the caller's to change or to keep.
func (d *denseVectors) get(slot uint32) []float32 {
	if slot >= uint32(len(d.has)) || !d.has[slot] {
		return nil
	}
	start := int(slot%chunkVectors) * d.dim
	return d.chunks[slot/chunkVectors][start : start+d.dim : start+d.dim]
}

// ascending reports whether smaller scores are better.
func (d *denseVectors) ascending() bool {
	return d.distance == qdrant.Distance_Euclid || d.distance == qdrant.Distance_Manhattan
}

// prepared is a vector as it is stored and compared: normalised for cosine.
func (d *denseVectors) prepared(v []float32) []float32 {
	if d.distance != qdrant.Distance_Cosine {
		return v
	}
	length := dot(v, v)
	// A zero vector stays, and so does one of length 1, lest storing it again
	// change its last bits.
	if length < epsilon || math.Abs(float64(length)-1) <= 1e-6 {
		return v
	}
	scale := float32(math.Sqrt(float64(length)))
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = x / scale
	}
	return out
}

// epsilon is the distance from 1 to the next float32.
const epsilon = 1.1920929e-7

// score compares two prepared vectors.
func (d *denseVectors) score(a, b []float32) float32 {
	switch d.distance {
	case qdrant.Distance_Euclid:
		return euclid(a, b)
	case qdrant.Distance_Manhattan:
		return manhattan(a, b)
	}
	return dot(a, b)
}

// dot is unrolled over eight accumulators, which keeps the additions from waiting
// for each other.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	i := 0
	for ; i+8 <= len(a); i += 8 {
		x, y := a[i:i+8:i+8], b[i:i+8:i+8]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		s4 += x[4] * y[4]
		s5 += x[5] * y[5]
		s6 += x[6] * y[6]
		s7 += x[7] * y[7]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}

// dots compares one vector with four. The rows of a filtered search lie apart in
// memory: four at a time, their cache misses overlap, and the query is loaded once.
func dots(query []float32, rows *[4][]float32) (out [4]float32) {
	n := len(query)
	a, b, c, d := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
	var a0, a1, b0, b1, c0, c1, d0, d1 float32
	i := 0
	for ; i+2 <= n; i += 2 {
		x, y := query[i], query[i+1]
		a0 += x * a[i]
		a1 += y * a[i+1]
		b0 += x * b[i]
		b1 += y * b[i+1]
		c0 += x * c[i]
		c1 += y * c[i+1]
		d0 += x * d[i]
		d1 += y * d[i+1]
	}
	if i < n {
		a0 += query[i] * a[i]
		b0 += query[i] * b[i]
		c0 += query[i] * c[i]
		d0 += query[i] * d[i]
	}
	return [4]float32{a0 + a1, b0 + b1, c0 + c1, d0 + d1}
}

func euclid(a, b []float32) float32 {
	b = b[:len(a)]
	var sum float32
	for i, x := range a {
		d := x - b[i]
		sum += d * d
	}
	return float32(math.Sqrt(float64(sum)))
}

func manhattan(a, b []float32) float32 {
	b = b[:len(a)]
	var sum float32
	for i, x := range a {
		sum += float32(math.Abs(float64(x - b[i])))
	}
	return sum
}
