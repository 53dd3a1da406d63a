package embedded

import (
	"fmt"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// replay makes one logged change again. It runs before anything is served, so it
// takes no locks.
func (s *Server) replay(r record) error {
	switch r.kind {
	case recordEnd:
		return nil
	case recordCreate:
		return decoded(r, &qdrant.CollectionConfig{}, func(m *qdrant.CollectionConfig) error {
			s.collections[r.name] = newCollection(r.name, m)
			return nil
		})
	case recordAlias:
		return decoded(r, &qdrant.AliasDescription{}, func(m *qdrant.AliasDescription) error {
			s.setAlias(m)
			return nil
		})
	case recordDrop:
		s.drop(r.name)
		return nil
	}
	c := s.collections[r.name]
	if c == nil {
		return fmt.Errorf("no collection %q", r.name)
	}
	return c.replay(r)
}

// decoded unmarshals a record's message and hands it on.
func decoded[M proto.Message](r record, m M, apply func(M) error) error {
	if err := proto.Unmarshal(r.message, m); err != nil {
		return err
	}
	return apply(m)
}

func (c *collection) replay(r record) error {
	switch r.kind {
	case recordConfig:
		return decoded(r, &qdrant.CollectionConfig{}, func(m *qdrant.CollectionConfig) error { c.config = m; return nil })
	case recordUpsert:
		return decoded(r, &qdrant.UpsertPoints{}, func(m *qdrant.UpsertPoints) error {
			points, err := c.readPoints(m.GetPoints())
			if err == nil {
				c.putAll(points)
			}
			return err
		})
	case recordDelete:
		return decoded(r, &qdrant.PointsIdsList{}, func(m *qdrant.PointsIdsList) error {
			ids, err := parseIDs(m.GetIds())
			for _, id := range ids {
				c.delete(id)
			}
			return err
		})
	case recordSetVectors:
		return decoded(r, &qdrant.UpdatePointVectors{}, func(m *qdrant.UpdatePointVectors) error {
			changes, err := c.readChanges(m.GetPoints())
			if err == nil {
				c.setAllVectors(changes)
			}
			return err
		})
	case recordDropVectors:
		return decoded(r, &qdrant.DeletePointVectors{}, func(m *qdrant.DeletePointVectors) error {
			slots, err := c.slotsOf(m.GetPointsSelector().GetPoints().GetIds())
			c.dropVectors(slots, m.GetVectors().GetNames())
			return err
		})
	case recordIndex:
		return decoded(r, &qdrant.CreateFieldIndexCollection{}, func(m *qdrant.CreateFieldIndexCollection) error {
			x, err := readIndex(m)
			if err == nil {
				c.fill(x)
				c.indexes[x.path.String()] = x
			}
			return err
		})
	case recordDropIndex:
		return decoded(r, &qdrant.DeleteFieldIndexCollection{}, func(m *qdrant.DeleteFieldIndexCollection) error {
			delete(c.indexes, m.GetFieldName())
			return nil
		})
	}
	return c.replayPayload(r)
}

func (c *collection) replayPayload(r record) error {
	edit := func(selector *qdrant.PointsSelector, e payloadEdit, err error) error {
		if err != nil {
			return err
		}
		slots, err := c.slotsOf(selector.GetPoints().GetIds())
		if err != nil {
			return err
		}
		return c.edit(slots, e)
	}
	switch r.kind {
	case recordSetPayload:
		return decoded(r, &qdrant.SetPayloadPoints{}, func(m *qdrant.SetPayloadPoints) error {
			e, err := mergeEdit(m)
			return edit(m.GetPointsSelector(), e, err)
		})
	case recordOverwrite:
		return decoded(r, &qdrant.SetPayloadPoints{}, func(m *qdrant.SetPayloadPoints) error {
			e, err := overwriteEdit(m.GetPayload())
			return edit(m.GetPointsSelector(), e, err)
		})
	case recordDeletePayload:
		return decoded(r, &qdrant.DeletePayloadPoints{}, func(m *qdrant.DeletePayloadPoints) error {
			e, err := removeEdit(m.GetKeys())
			return edit(m.GetPointsSelector(), e, err)
		})
	}
	return fmt.Errorf("unknown kind of record %d", r.kind)
}

// slotsOf finds the slots of logged ids; all of them exist.
func (c *collection) slotsOf(ids []*qdrant.PointId) ([]uint32, error) {
	parsed, err := parseIDs(ids)
	if err != nil {
		return nil, err
	}
	slots := make([]uint32, len(parsed))
	for i, id := range parsed {
		slot, ok := c.slotOf[id]
		if !ok {
			return nil, fmt.Errorf("no point %s", id)
		}
		slots[i] = slot
	}
	return slots, nil
}
