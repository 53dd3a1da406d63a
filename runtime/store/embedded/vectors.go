package embedded

import (
	"context"

	"github.com/qdrant/go-client/qdrant"
)

func (s *pointsService) UpdateVectors(_ context.Context, r *qdrant.UpdatePointVectors) (*qdrant.PointsOperationResponse, error) {
	var v violations
	v.name(r.GetCollectionName())
	for i, p := range r.GetPoints() {
		v.vectors(indexed("points", i)+".vectors", p.GetVectors())
	}
	v.filter("update_filter", r.GetUpdateFilter())
	if err := v.err(); err != nil {
		return nil, err
	}
	return s.updateVectors(r)
}

func (s *pointsService) updateVectors(r *qdrant.UpdatePointVectors) (*qdrant.PointsOperationResponse, error) {
	for _, p := range r.GetPoints() {
		if p.GetId() == nil {
			return nil, invalid("id is expected")
		}
		if _, err := parseID(p.GetId()); err != nil {
			return nil, err
		}
		if p.GetVectors() == nil {
			return nil, invalid("vectors is expected")
		}
	}
	guard, err := parseFilter(r.GetUpdateFilter())
	if err != nil {
		return nil, err
	}
	return s.write(r.GetCollectionName(), r.GetWait(), func(c *collection) (receipt, error) {
		changes, err := c.acceptChanges(r)
		if err != nil {
			return receipt{}, err
		}
		c.lock()
		defer c.unlock()
		known, sent, refusal := c.knownChanges(changes, r, guard)
		if len(known) == 0 {
			return receipt{}, refusal
		}
		done, err := s.server.commit(recordSetVectors, c.name, &qdrant.UpdatePointVectors{Points: sent}, func() { c.setAllVectors(known) })
		if err != nil {
			return receipt{}, err
		}
		return done, refusal
	})
}

// vectorChange is new vectors for one point.
type vectorChange struct {
	id      pointID
	vectors map[string]vector
}

func (c *collection) acceptChanges(r *qdrant.UpdatePointVectors) ([]vectorChange, error) {
	if err := c.strictUpdate(r.GetPoints()); err != nil {
		return nil, err
	}
	if err := unsharded(r.GetShardKeySelector()); err != nil {
		return nil, err
	}
	if len(r.GetPoints()) == 0 {
		return nil, badRequest("Empty update request")
	}
	return c.readChanges(r.GetPoints())
}

func (c *collection) readChanges(points []*qdrant.PointVectors) ([]vectorChange, error) {
	out := make([]vectorChange, len(points))
	for i, p := range points {
		id, err := parseID(p.GetId())
		if err != nil {
			return nil, err
		}
		vectors, err := c.readVectors(p.GetVectors(), false)
		if err != nil {
			return nil, err
		}
		out[i] = vectorChange{id, vectors}
	}
	return out, nil
}

// knownChanges leaves out the points that do not exist, of which the first is the
// refusal, and those that do not meet the guard.
func (c *collection) knownChanges(changes []vectorChange, r *qdrant.UpdatePointVectors, guard *filter) (known []vectorChange, sent []*qdrant.PointVectors, refusal error) {
	admits := c.plan(guard)
	for i, change := range changes {
		slot, exists := c.slotOf[change.id]
		switch {
		case !exists && refusal == nil:
			refusal = noPoint(change.id)
		case exists && admits.check(slot):
			known, sent = append(known, change), append(sent, r.GetPoints()[i])
		}
	}
	return known, sent, refusal
}

func (c *collection) setAllVectors(changes []vectorChange) {
	for _, change := range changes {
		c.setVectors(c.slotOf[change.id], change.vectors)
	}
}

// strictUpdate checks new vectors against strict mode.
func (c *collection) strictUpdate(points []*qdrant.PointVectors) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	strict := c.strict()
	if strict == nil {
		return nil
	}
	if err := strictLimit(uint64(len(points)), strict.UpsertMaxBatchsize, "update limit"); err != nil {
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

func (s *pointsService) DeleteVectors(_ context.Context, r *qdrant.DeletePointVectors) (*qdrant.PointsOperationResponse, error) {
	if err := named(r.GetCollectionName()); err != nil {
		return nil, err
	}
	return s.deleteVectors(r)
}

func (s *pointsService) deleteVectors(r *qdrant.DeletePointVectors) (*qdrant.PointsOperationResponse, error) {
	which, err := parseSelector(r.GetPointsSelector())
	if err != nil {
		return nil, err
	}
	if r.GetVectors() == nil {
		return nil, invalid("vectors is expected")
	}
	names := r.GetVectors().GetNames()
	return s.edit(r.GetCollectionName(), r.GetWait(), r.GetShardKeySelector(), which, func(c *collection, ids []*qdrant.PointId, slots []uint32) (receipt, error) {
		if err := c.known(vectorSelection{names: names}); err != nil {
			return receipt{}, err
		}
		m := &qdrant.DeletePointVectors{PointsSelector: qdrant.NewPointsSelectorIDs(ids), Vectors: &qdrant.VectorsSelector{Names: names}}
		return s.server.commit(recordDropVectors, c.name, m, func() { c.dropVectors(slots, names) })
	}, ignored)
}

func (c *collection) dropVectors(slots []uint32, names []string) {
	for _, slot := range slots {
		for _, name := range names {
			if d := c.dense[name]; d != nil {
				d.remove(slot)
			} else if s := c.sparse[name]; s != nil {
				s.remove(slot)
			}
		}
	}
}
