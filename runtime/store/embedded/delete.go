package embedded

import (
	"context"

	"github.com/qdrant/go-client/qdrant"
)

func (s *pointsService) Delete(_ context.Context, r *qdrant.DeletePoints) (*qdrant.PointsOperationResponse, error) {
	if err := named(r.GetCollectionName()); err != nil {
		return nil, err
	}
	return s.deletePoints(r)
}

func (s *pointsService) deletePoints(r *qdrant.DeletePoints) (*qdrant.PointsOperationResponse, error) {
	which, err := parsePointSelector(r.GetPoints())
	if err != nil {
		return nil, err
	}
	return s.edit(r.GetCollectionName(), r.GetWait(), r.GetShardKeySelector(), which, func(c *collection, ids []*qdrant.PointId, slots []uint32) (receipt, error) {
		if len(slots) == 0 {
			return receipt{}, nil
		}
		return s.server.commit(recordDelete, c.name, &qdrant.PointsIdsList{Ids: ids}, func() {
			for _, slot := range slots {
				c.delete(c.ids[slot])
			}
		})
	}, ignored)
}
