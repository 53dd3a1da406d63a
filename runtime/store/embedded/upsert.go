package embedded

import (
	"context"

	"github.com/qdrant/go-client/qdrant"
)

func (s *pointsService) Upsert(_ context.Context, r *qdrant.UpsertPoints) (*qdrant.PointsOperationResponse, error) {
	var v violations
	v.name(r.GetCollectionName())
	v.points(r.GetPoints())
	v.filter("update_filter", r.GetUpdateFilter())
	if err := v.err(); err != nil {
		return nil, err
	}
	return s.upsert(r)
}

// upsert does the request without validating it, as an operation of a batch.
func (s *pointsService) upsert(r *qdrant.UpsertPoints) (*qdrant.PointsOperationResponse, error) {
	if err := readable(r.GetPoints()); err != nil {
		return nil, err
	}
	guard, err := parseFilter(r.GetUpdateFilter())
	if err != nil {
		return nil, err
	}
	return s.write(r.GetCollectionName(), r.GetWait(), func(c *collection) (receipt, error) {
		points, err := c.acceptUpsert(r)
		if err != nil {
			return receipt{}, err
		}
		c.lock()
		defer c.unlock()
		points, kept := c.guarded(points, r, guard)
		if len(points) == 0 {
			return receipt{}, nil
		}
		return s.server.commit(recordUpsert, c.name, &qdrant.UpsertPoints{Points: kept}, func() { c.putAll(points) })
	})
}

// acceptUpsert checks strict mode and reads the points.
func (c *collection) acceptUpsert(r *qdrant.UpsertPoints) ([]readPoint, error) {
	if err := c.strictInsert(r.GetPoints()); err != nil {
		return nil, err
	}
	if err := unsharded(r.GetShardKeySelector()); err != nil {
		return nil, err
	}
	if len(r.GetPoints()) == 0 {
		return nil, badRequest("Empty update request")
	}
	return c.readPoints(r.GetPoints())
}

func (v *violations) points(points []*qdrant.PointStruct) {
	for i, p := range points {
		v.vectors(indexed("points", i)+".vectors", p.GetVectors())
	}
}

// readable checks what needs no collection: vectors, payload and id are there and
// well formed.
func readable(points []*qdrant.PointStruct) error {
	for _, p := range points {
		if p.GetVectors() == nil {
			return invalid("Expected some vectors")
		}
		if err := checkPayload(p.GetPayload()); err != nil {
			return err
		}
		if p.GetId() == nil {
			return invalid("Empty ID is not allowed")
		}
		if _, err := parseID(p.GetId()); err != nil {
			return err
		}
	}
	return nil
}

// readPoint is a point of a request, ready to be stored.
type readPoint struct {
	id      pointID
	vectors map[string]vector
	payload map[string]*qdrant.Value
	encoded []byte
}

// readPoints prepares points; one bad vector refuses all of them. What it looks at
// never changes in a collection's life, so it needs no lock.
func (c *collection) readPoints(points []*qdrant.PointStruct) ([]readPoint, error) {
	out := make([]readPoint, len(points))
	for i, p := range points {
		id, err := parseID(p.GetId())
		if err != nil {
			return nil, err
		}
		vectors, err := c.readVectors(p.GetVectors(), true)
		if err != nil {
			return nil, err
		}
		encoded, err := encodePayload(p.GetPayload())
		if err != nil {
			return nil, err
		}
		out[i] = readPoint{id, vectors, p.GetPayload(), encoded}
	}
	return out, nil
}

func (c *collection) putAll(points []readPoint) {
	for _, p := range points {
		c.put(p.id, p.vectors, p.payload, p.encoded)
	}
}

// guarded leaves out what the request's mode or guard does not let through: an
// existing point under InsertOnly, a new one under UpdateOnly, an existing one that
// does not meet the guard. It tells nobody, as Qdrant does not. The second result
// is the same points as they were sent.
func (c *collection) guarded(points []readPoint, r *qdrant.UpsertPoints, guard *filter) ([]readPoint, []*qdrant.PointStruct) {
	mode := r.GetUpdateMode()
	if guard == nil && mode == qdrant.UpdateMode_Upsert {
		return points, r.GetPoints()
	}
	admits := c.plan(guard)
	var kept []readPoint
	var sent []*qdrant.PointStruct
	for i, p := range points {
		slot, exists := c.slotOf[p.id]
		if (exists && mode == qdrant.UpdateMode_InsertOnly) || (!exists && mode == qdrant.UpdateMode_UpdateOnly) || (exists && !admits.check(slot)) {
			continue
		}
		kept, sent = append(kept, p), append(sent, r.GetPoints()[i])
	}
	return kept, sent
}

// strictInsert checks points against strict mode.
func (c *collection) strictInsert(points []*qdrant.PointStruct) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	strict := c.strict()
	if strict == nil {
		return nil
	}
	if err := strictLimit(uint64(len(points)), strict.UpsertMaxBatchsize, "upsert limit"); err != nil {
		return err
	}
	if err := c.strictPoints(strict); err != nil {
		return err
	}
	for _, p := range points {
		if err := strictSparse(strict, p.GetVectors()); err != nil {
			return err
		}
	}
	return nil
}

// strictPoints checks whether the collection may still grow; once it is full, it
// takes not even changes.
func (c *collection) strictPoints(strict *qdrant.StrictModeConfig) error {
	if strict.MaxPointsCount != nil && uint64(len(c.slotOf)) >= strict.GetMaxPointsCount() {
		return badRequest("Max points count limit of %d reached!", strict.GetMaxPointsCount())
	}
	return nil
}

// strictSparse checks the length of sparse vectors.
func strictSparse(strict *qdrant.StrictModeConfig, vectors *qdrant.Vectors) error {
	for name, limit := range strict.GetSparseConfig().GetSparseConfig() {
		v := vectorsOf(vectors)[name]
		if v == nil || limit.MaxLength == nil {
			continue
		}
		n := len(v.GetSparse().GetIndices()) + len(v.GetIndices().GetData())
		if uint64(n) > limit.GetMaxLength() {
			return badRequest("Sparse vector '%s' has a limit of %d indices, but %d were provided!", name, limit.GetMaxLength(), n)
		}
	}
	return nil
}
