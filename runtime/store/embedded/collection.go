package embedded

import (
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// collection is a named set of points. A point sits in a slot, a small number that
// vectors, payloads and indexes share; the slot of a deleted point is used again.
type collection struct {
	name string

	// writer is held by whoever changes the points or the indexes, before mu, so that
	// an index can be filled while others read.
	writer sync.Mutex

	mu     sync.RWMutex // over everything below
	config *qdrant.CollectionConfig

	slotOf   map[pointID]uint32
	ids      []pointID // by slot
	payloads [][]byte  // by slot
	live     *roaring.Bitmap
	free     []uint32
	order    idOrder

	dense   map[string]*denseVectors
	sparse  map[string]*sparseVectors
	indexes map[string]*fieldIndex // by the path's spelling
}

func newCollection(name string, config *qdrant.CollectionConfig) *collection {
	c := &collection{
		name: name, config: config, slotOf: map[pointID]uint32{}, live: roaring.New(),
		dense: map[string]*denseVectors{}, sparse: map[string]*sparseVectors{}, indexes: map[string]*fieldIndex{},
	}
	params := config.GetParams()
	for vector, p := range denseParams(params.GetVectorsConfig()) {
		c.dense[vector] = &denseVectors{dim: int(p.GetSize()), distance: p.GetDistance()}
	}
	for vector := range params.GetSparseVectorsConfig().GetMap() {
		c.sparse[vector] = newSparseVectors()
	}
	return c
}

// lock keeps others from writing and reading, unlock lets them again.
func (c *collection) lock() {
	c.writer.Lock()
	c.mu.Lock()
}

func (c *collection) unlock() {
	c.mu.Unlock()
	c.writer.Unlock()
}

// denseParams lists the dense vectors by name; an unnamed one has the name "".
func denseParams(v *qdrant.VectorsConfig) map[string]*qdrant.VectorParams {
	if p := v.GetParams(); p != nil {
		return map[string]*qdrant.VectorParams{"": p}
	}
	return v.GetParamsMap().GetMap()
}

func (c *collection) hasVector(name string, slot uint32) bool {
	if d := c.dense[name]; d != nil {
		return d.get(slot) != nil
	}
	if s := c.sparse[name]; s != nil {
		return s.get(slot) != nil
	}
	return false
}

// idf reports whether queries of a sparse vector are weighed by IDF.
func (c *collection) idf(name string) bool {
	return c.config.GetParams().GetSparseVectorsConfig().GetMap()[name].GetModifier() == qdrant.Modifier_Idf
}

// strict is the strict mode in force, or nil.
func (c *collection) strict() *qdrant.StrictModeConfig {
	if s := c.config.GetStrictModeConfig(); s.GetEnabled() {
		return s
	}
	return nil
}

// slot finds a point, or gives it a fresh slot.
func (c *collection) slot(id pointID) uint32 {
	if slot, ok := c.slotOf[id]; ok {
		return slot
	}
	slot := uint32(len(c.ids))
	if n := len(c.free); n > 0 {
		slot, c.free = c.free[n-1], c.free[:n-1]
		c.ids[slot] = id
	} else {
		c.ids = append(c.ids, id)
		c.payloads = append(c.payloads, nil)
	}
	c.slotOf[id] = slot
	c.live.Add(slot)
	c.order.add(id)
	return slot
}

// put replaces a point as a whole.
func (c *collection) put(id pointID, vectors map[string]vector, payload map[string]*qdrant.Value, encoded []byte) {
	slot := c.slot(id)
	for name, d := range c.dense {
		if v, ok := vectors[name]; ok {
			d.set(slot, v.dense)
		} else {
			d.remove(slot)
		}
	}
	for name, s := range c.sparse {
		if v, ok := vectors[name]; ok {
			s.set(slot, v.sparse)
		} else {
			s.remove(slot)
		}
	}
	c.setPayload(slot, payload, encoded, nil)
}

// setVectors replaces the named vectors of a point and keeps the others.
func (c *collection) setVectors(slot uint32, vectors map[string]vector) {
	for name, v := range vectors {
		if v.dense != nil {
			c.dense[name].set(slot, v.dense)
		} else {
			c.sparse[name].set(slot, v.sparse)
		}
	}
}

// setPayload replaces a point's payload. touched are the paths at which it differs
// from the old one; nil is anywhere.
func (c *collection) setPayload(slot uint32, payload map[string]*qdrant.Value, encoded []byte, touched []path) {
	for _, x := range c.indexes {
		if touched == nil || slices.ContainsFunc(touched, x.path.overlaps) {
			x.remove(slot)
			x.add(slot, payload)
		}
	}
	c.payloads[slot] = encoded
}

func (c *collection) delete(id pointID) {
	slot, ok := c.slotOf[id]
	if !ok {
		return
	}
	for _, d := range c.dense {
		d.remove(slot)
	}
	for _, s := range c.sparse {
		s.remove(slot)
	}
	for _, x := range c.indexes {
		x.remove(slot)
	}
	c.payloads[slot] = nil
	delete(c.slotOf, id)
	c.live.Remove(slot)
	c.order.remove(id)
	c.free = append(c.free, slot)
}

// fill takes every point's payload into a fresh index.
func (c *collection) fill(x *fieldIndex) {
	for slot, payload := range c.payloads {
		if payload != nil {
			x.add(uint32(slot), decodePayload(payload))
		}
	}
}

// info describes the collection.
func (c *collection) info() *qdrant.CollectionInfo {
	n := uint64(len(c.slotOf))
	out := &qdrant.CollectionInfo{
		Status:              qdrant.CollectionStatus_Green,
		OptimizerStatus:     &qdrant.OptimizerStatus{Ok: true},
		SegmentsCount:       1,
		Config:              proto.CloneOf(c.config),
		PointsCount:         &n,
		IndexedVectorsCount: &n,
		PayloadSchema:       map[string]*qdrant.PayloadSchemaInfo{},
	}
	for field, x := range c.indexes {
		out.PayloadSchema[field] = x.info()
	}
	return out
}
