package embedded

import (
	"context"
	"errors"
	"maps"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// payloadEdit changes a point's payload. touched are the paths where it can differ
// afterwards; nil is anywhere.
type payloadEdit struct {
	apply   func(fields map[string]*qdrant.Value) map[string]*qdrant.Value
	touched []path
}

// edit applies a payloadEdit to slots.
func (c *collection) edit(slots []uint32, e payloadEdit) error {
	for _, slot := range slots {
		fields := e.apply(decodePayload(c.payloads[slot]))
		encoded, err := encodePayload(fields)
		if err != nil {
			return err
		}
		c.setPayload(slot, fields, encoded, e.touched)
	}
	return nil
}

// mergeEdit merges a request's payload into the top, or into the object at its key.
func mergeEdit(r *qdrant.SetPayloadPoints) (payloadEdit, error) {
	var at path
	if r.Key != nil {
		p, err := parsePath(r.GetKey())
		if err != nil {
			return payloadEdit{}, err
		}
		at = p
	}
	payload := r.GetPayload()
	if err := checkPayload(payload); err != nil {
		return payloadEdit{}, err
	}
	touched := make([]path, 0, len(payload)+1)
	for key := range payload {
		touched = append(touched, at.join(path{{kind: keyStep, key: key}}))
	}
	if at != nil {
		// A scalar or array that stands in the way of the key is replaced, which
		// shows above and beside it.
		touched = []path{at}
	}
	return payloadEdit{touched: touched, apply: func(fields map[string]*qdrant.Value) map[string]*qdrant.Value {
		assign(at, fields, payload)
		return fields
	}}, nil
}

func overwriteEdit(payload map[string]*qdrant.Value) (payloadEdit, error) {
	return payloadEdit{apply: func(map[string]*qdrant.Value) map[string]*qdrant.Value {
		return maps.Clone(payload)
	}}, checkPayload(payload)
}

func removeEdit(keys []string) (payloadEdit, error) {
	paths := make([]path, len(keys))
	for i, key := range keys {
		p, err := parsePath(key)
		if err != nil {
			return payloadEdit{}, err
		}
		paths[i] = p
	}
	return payloadEdit{touched: paths, apply: func(fields map[string]*qdrant.Value) map[string]*qdrant.Value {
		for _, p := range paths {
			remove(p, fields)
		}
		return fields
	}}, nil
}

// commitEdit logs an edit of existing points and makes it.
func (s *pointsService) commitEdit(c *collection, kind recordKind, message proto.Message, slots []uint32, e payloadEdit) (receipt, error) {
	if len(slots) == 0 {
		return receipt{}, nil
	}
	var failed error
	done, err := s.server.commit(kind, c.name, message, func() { failed = c.edit(slots, e) })
	return done, errors.Join(err, failed)
}

func (s *pointsService) SetPayload(_ context.Context, r *qdrant.SetPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	if err := named(r.GetCollectionName()); err != nil {
		return nil, err
	}
	return s.setPayload(r)
}

func (s *pointsService) setPayload(r *qdrant.SetPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	e, err := mergeEdit(r)
	if err != nil {
		return nil, err
	}
	which, err := parseSelector(r.GetPointsSelector())
	if err != nil {
		return nil, err
	}
	return s.edit(r.GetCollectionName(), r.GetWait(), r.GetShardKeySelector(), which, func(c *collection, ids []*qdrant.PointId, slots []uint32) (receipt, error) {
		m := &qdrant.SetPayloadPoints{PointsSelector: qdrant.NewPointsSelectorIDs(ids), Payload: r.GetPayload(), Key: r.Key}
		return s.commitEdit(c, recordSetPayload, m, slots, e)
	}, told)
}

func (s *pointsService) OverwritePayload(_ context.Context, r *qdrant.SetPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	if err := named(r.GetCollectionName()); err != nil {
		return nil, err
	}
	return s.overwritePayload(r)
}

// overwritePayload replaces whole payloads; a key has no effect.
func (s *pointsService) overwritePayload(r *qdrant.SetPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	which, err := parseSelector(r.GetPointsSelector())
	if err != nil {
		return nil, err
	}
	e, err := overwriteEdit(r.GetPayload())
	if err != nil {
		return nil, err
	}
	return s.edit(r.GetCollectionName(), r.GetWait(), r.GetShardKeySelector(), which, func(c *collection, ids []*qdrant.PointId, slots []uint32) (receipt, error) {
		m := &qdrant.SetPayloadPoints{PointsSelector: qdrant.NewPointsSelectorIDs(ids), Payload: r.GetPayload()}
		return s.commitEdit(c, recordOverwrite, m, slots, e)
	}, told)
}

func (s *pointsService) DeletePayload(_ context.Context, r *qdrant.DeletePayloadPoints) (*qdrant.PointsOperationResponse, error) {
	if err := named(r.GetCollectionName()); err != nil {
		return nil, err
	}
	return s.deletePayload(r)
}

func (s *pointsService) deletePayload(r *qdrant.DeletePayloadPoints) (*qdrant.PointsOperationResponse, error) {
	e, err := removeEdit(r.GetKeys())
	if err != nil {
		return nil, err
	}
	which, err := parseSelector(r.GetPointsSelector())
	if err != nil {
		return nil, err
	}
	return s.edit(r.GetCollectionName(), r.GetWait(), r.GetShardKeySelector(), which, func(c *collection, ids []*qdrant.PointId, slots []uint32) (receipt, error) {
		m := &qdrant.DeletePayloadPoints{PointsSelector: qdrant.NewPointsSelectorIDs(ids), Keys: r.GetKeys()}
		return s.commitEdit(c, recordDeletePayload, m, slots, e)
	}, told)
}

func (s *pointsService) ClearPayload(_ context.Context, r *qdrant.ClearPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	if err := named(r.GetCollectionName()); err != nil {
		return nil, err
	}
	return s.clearPayload(r)
}

// clearPayload is logged as an overwrite with nothing.
func (s *pointsService) clearPayload(r *qdrant.ClearPayloadPoints) (*qdrant.PointsOperationResponse, error) {
	which, err := parsePointSelector(r.GetPoints())
	if err != nil {
		return nil, err
	}
	e, err := overwriteEdit(nil)
	if err != nil {
		return nil, err
	}
	return s.edit(r.GetCollectionName(), r.GetWait(), r.GetShardKeySelector(), which, func(c *collection, ids []*qdrant.PointId, slots []uint32) (receipt, error) {
		m := &qdrant.SetPayloadPoints{PointsSelector: qdrant.NewPointsSelectorIDs(ids)}
		return s.commitEdit(c, recordOverwrite, m, slots, e)
	}, told)
}
