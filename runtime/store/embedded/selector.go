package embedded

import (
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// selector is which points a write is for: ids, or a filter.
type selector struct {
	ids    []pointID
	filter *filter // nil: ids
}

// parseSelector reads the selector of a payload or vector change.
func parseSelector(s *qdrant.PointsSelector) (selector, error) {
	if s == nil {
		return selector{}, invalid("points_selector is expected")
	}
	return readSelector(s)
}

// parsePointSelector reads the selector of a deletion.
func parsePointSelector(s *qdrant.PointsSelector) (selector, error) {
	if s == nil {
		return selector{}, invalid("PointSelector is missing")
	}
	return readSelector(s)
}

func readSelector(s *qdrant.PointsSelector) (selector, error) {
	switch k := s.GetPointsSelectorOneOf().(type) {
	case *qdrant.PointsSelector_Points:
		ids, err := parseIDs(k.Points.GetIds())
		return selector{ids: ids}, err
	case *qdrant.PointsSelector_Filter:
		f, err := parseFilter(orEmpty(k.Filter))
		return selector{filter: f}, err
	}
	return selector{}, invalid("Malformed PointsSelector type")
}

// tolerance says what an unknown id means to a change.
type tolerance bool

const (
	told    tolerance = false // told as NotFound, after the known ids were changed
	ignored tolerance = true  // ignored
)

// edit runs a change of the selected points: commit gets the collection, locked,
// and the points that exist.
func (s *pointsService) edit(name string, wait bool, key *qdrant.ShardKeySelector, which selector,
	commit func(c *collection, ids []*qdrant.PointId, slots []uint32) (receipt, error), tolerance tolerance,
) (*qdrant.PointsOperationResponse, error) {
	return s.write(name, wait, func(c *collection) (receipt, error) {
		c.lock()
		defer c.unlock()
		if config := c.strict(); config != nil {
			if err := c.strictFilter(config, which.filter, config.UnindexedFilteringUpdate); err != nil {
				return receipt{}, err
			}
		}
		if err := unsharded(key); err != nil {
			return receipt{}, err
		}
		if which.filter == nil && len(which.ids) == 0 {
			return receipt{}, badRequest("Empty update request")
		}
		slots, refusal := c.selected(which)
		if tolerance == ignored {
			refusal = nil
		}
		ids := make([]*qdrant.PointId, len(slots))
		for i, slot := range slots {
			ids[i] = c.ids[slot].proto()
		}
		done, err := commit(c, ids, slots)
		if err != nil {
			return receipt{}, err
		}
		return done, refusal
	})
}

// selected lists the slots of the selected points; the refusal names the first
// unknown id.
func (c *collection) selected(which selector) (slots []uint32, refusal error) {
	if which.filter != nil {
		c.each(c.plan(which.filter), func(slot uint32) bool { slots = append(slots, slot); return true })
		return slots, nil
	}
	for _, id := range which.ids {
		if slot, ok := c.slotOf[id]; ok {
			slots = append(slots, slot)
		} else if refusal == nil {
			refusal = noPoint(id)
		}
	}
	return slots, refusal
}

// each calls yield with the slots that a predicate admits, in ascending order,
// until it returns false.
func (c *collection) each(p predicate, yield func(uint32) bool) {
	if p.known && p.size < len(c.slotOf) {
		for it := p.bitmap().Iterator(); it.HasNext(); {
			if !yield(it.Next()) {
				return
			}
		}
		return
	}
	for it := c.live.Iterator(); it.HasNext(); {
		if slot := it.Next(); p.check(slot) && !yield(slot) {
			return
		}
	}
}

// named validates a request of which only the collection's name can be wrong.
func named(name string) error {
	var v violations
	v.name(name)
	return v.err()
}

func indexed(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
