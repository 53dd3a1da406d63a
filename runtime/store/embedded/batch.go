package embedded

import (
	"context"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// UpdateBatch runs the operations one after another. A failing one ends it, and
// those before it stay.
func (s *pointsService) UpdateBatch(_ context.Context, r *qdrant.UpdateBatchPoints) (*qdrant.UpdateBatchResponse, error) {
	start := time.Now()
	var v violations
	v.name(r.GetCollectionName())
	if len(r.GetOperations()) == 0 {
		v.add("operations", "value [] invalid, must be at least 1 characters")
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	out := &qdrant.UpdateBatchResponse{}
	for _, operation := range r.GetOperations() {
		answer, err := s.operation(r, operation)
		if err != nil {
			return nil, err
		}
		out.Result = append(out.Result, answer.GetResult())
	}
	out.Time = elapsed(start)
	return out, nil
}

func (s *pointsService) operation(r *qdrant.UpdateBatchPoints, operation *qdrant.PointsUpdateOperation) (*qdrant.PointsOperationResponse, error) {
	name, wait := r.GetCollectionName(), r.Wait
	switch k := operation.GetOperation().(type) {
	case *qdrant.PointsUpdateOperation_Upsert:
		return s.upsert(&qdrant.UpsertPoints{
			CollectionName: name, Wait: wait, Points: k.Upsert.GetPoints(), ShardKeySelector: k.Upsert.GetShardKeySelector(),
			UpdateFilter: k.Upsert.GetUpdateFilter(), UpdateMode: k.Upsert.UpdateMode,
		})
	case *qdrant.PointsUpdateOperation_DeletePoints_:
		return s.deletePoints(&qdrant.DeletePoints{
			CollectionName: name, Wait: wait, Points: k.DeletePoints.GetPoints(), ShardKeySelector: k.DeletePoints.GetShardKeySelector(),
		})
	case *qdrant.PointsUpdateOperation_SetPayload_:
		return s.setPayload(&qdrant.SetPayloadPoints{
			CollectionName: name, Wait: wait, Payload: k.SetPayload.GetPayload(), PointsSelector: k.SetPayload.GetPointsSelector(),
			ShardKeySelector: k.SetPayload.GetShardKeySelector(), Key: k.SetPayload.Key,
		})
	case *qdrant.PointsUpdateOperation_OverwritePayload_:
		return s.overwritePayload(&qdrant.SetPayloadPoints{
			CollectionName: name, Wait: wait, Payload: k.OverwritePayload.GetPayload(), PointsSelector: k.OverwritePayload.GetPointsSelector(),
			ShardKeySelector: k.OverwritePayload.GetShardKeySelector(),
		})
	case *qdrant.PointsUpdateOperation_DeletePayload_:
		return s.deletePayload(&qdrant.DeletePayloadPoints{
			CollectionName: name, Wait: wait, Keys: k.DeletePayload.GetKeys(), PointsSelector: k.DeletePayload.GetPointsSelector(),
			ShardKeySelector: k.DeletePayload.GetShardKeySelector(),
		})
	case *qdrant.PointsUpdateOperation_ClearPayload_:
		return s.clearPayload(&qdrant.ClearPayloadPoints{
			CollectionName: name, Wait: wait, Points: k.ClearPayload.GetPoints(), ShardKeySelector: k.ClearPayload.GetShardKeySelector(),
		})
	case *qdrant.PointsUpdateOperation_UpdateVectors_:
		return s.updateVectors(&qdrant.UpdatePointVectors{
			CollectionName: name, Wait: wait, Points: k.UpdateVectors.GetPoints(), ShardKeySelector: k.UpdateVectors.GetShardKeySelector(),
			UpdateFilter: k.UpdateVectors.GetUpdateFilter(),
		})
	case *qdrant.PointsUpdateOperation_DeleteVectors_:
		return s.deleteVectors(&qdrant.DeletePointVectors{
			CollectionName: name, Wait: wait, PointsSelector: k.DeleteVectors.GetPointsSelector(), Vectors: k.DeleteVectors.GetVectors(),
			ShardKeySelector: k.DeleteVectors.GetShardKeySelector(),
		})
	case *qdrant.PointsUpdateOperation_DeleteDeprecated:
		return s.deletePoints(&qdrant.DeletePoints{CollectionName: name, Wait: wait, Points: k.DeleteDeprecated})
	case *qdrant.PointsUpdateOperation_ClearPayloadDeprecated:
		return s.clearPayload(&qdrant.ClearPayloadPoints{CollectionName: name, Wait: wait, Points: k.ClearPayloadDeprecated})
	}
	return nil, invalid("Operation is missing")
}
