package embedded

import (
	"github.com/qdrant/go-client/qdrant"
)

// vector is a named vector as read from a request: dense or sparse.
type vector struct {
	dense  []float32
	sparse *sparseVector
}

// vectorsOf lists a request's vectors by name; an unnamed one has the name "".
func vectorsOf(v *qdrant.Vectors) map[string]*qdrant.Vector {
	switch k := v.GetVectorsOptions().(type) {
	case *qdrant.Vectors_Vector:
		return map[string]*qdrant.Vector{"": k.Vector}
	case *qdrant.Vectors_Vectors:
		return k.Vectors.GetVectors()
	}
	return nil
}

// readVectors checks a point's vectors against the collection and prepares them
// for storage. named says whether a wrong dimension is told with the vector's name.
func (c *collection) readVectors(v *qdrant.Vectors, named bool) (map[string]vector, error) {
	out := map[string]vector{}
	for name, raw := range vectorsOf(v) {
		read, err := c.readVector(name, raw, named)
		if err != nil {
			return nil, err
		}
		out[name] = read
	}
	return out, nil
}

func (c *collection) readVector(name string, v *qdrant.Vector, named bool) (vector, error) {
	d, s := c.dense[name], c.sparse[name]
	if d == nil && s == nil {
		return vector{}, noVector(name)
	}
	dense, sparse, err := vectorData(v)
	switch {
	case err != nil:
		return vector{}, err
	case (d == nil) != (dense == nil):
		return vector{}, wrongInput("Conversion between sparse and regular vectors failed")
	case d == nil:
		return vector{sparse: sortedSparse(sparse.indices, sparse.values)}, nil
	case len(dense) != d.dim:
		return vector{}, wrongDimension(d.dim, len(dense), name, named)
	}
	return vector{dense: d.prepared(dense)}, nil
}

func wrongDimension(want, got int, name string, named bool) error {
	if named && name != "" {
		return wrongInput("Vector dimension error: expected dim: %d, got %d for vector '%s'", want, got, name)
	}
	return wrongInput("Vector dimension error: expected dim: %d, got %d", want, got)
}

// vectorData reads either generation of the API's vectors: dense is non-nil for a
// dense one, even without components.
func vectorData(v *qdrant.Vector) (dense []float32, sparse *sparseVector, err error) {
	switch k := v.GetVector().(type) {
	case *qdrant.Vector_Dense:
		return components(k.Dense.GetData()), nil, nil
	case *qdrant.Vector_Sparse:
		return nil, &sparseVector{indices: k.Sparse.GetIndices(), values: k.Sparse.GetValues()}, nil
	case *qdrant.Vector_MultiDense:
		return nil, nil, wrongInput("Conversion between multi and regular vectors failed")
	case nil:
		if v.GetVectorsCount() > 0 {
			return nil, nil, wrongInput("Conversion between multi and regular vectors failed")
		}
		if v.GetIndices() != nil {
			return nil, &sparseVector{indices: v.GetIndices().GetData(), values: v.GetData()}, nil
		}
		return components(v.GetData()), nil, nil
	}
	return nil, nil, unserved("inference")
}

// components makes an empty vector tell from none.
func components(data []float32) []float32 {
	if data == nil {
		return []float32{}
	}
	return data
}

// output is a point's vectors as a request wants them.
func (c *collection) output(slot uint32, want vectorSelection) *qdrant.VectorsOutput {
	if !want.any {
		return nil
	}
	vectors := map[string]*qdrant.VectorOutput{}
	for name, d := range c.dense {
		if v := d.get(slot); v != nil && want.has(name) {
			data := append([]float32(nil), v...)
			vectors[name] = &qdrant.VectorOutput{Vector: &qdrant.VectorOutput_Dense{Dense: &qdrant.DenseVector{Data: data}}}
		}
	}
	for name, s := range c.sparse {
		if v := s.get(slot); v != nil && want.has(name) {
			vectors[name] = &qdrant.VectorOutput{Vector: &qdrant.VectorOutput_Sparse{Sparse: &qdrant.SparseVector{Indices: v.indices, Values: v.values}}}
		}
	}
	if v, ok := vectors[""]; ok && len(vectors) == 1 {
		return &qdrant.VectorsOutput{VectorsOptions: &qdrant.VectorsOutput_Vector{Vector: v}}
	}
	return &qdrant.VectorsOutput{VectorsOptions: &qdrant.VectorsOutput_Vectors{Vectors: &qdrant.NamedVectorsOutput{Vectors: vectors}}}
}
