package store

import (
	"errors"
	"fmt"

	"github.com/qdrant/go-client/qdrant"
)

// Selector says which points a write is for: IDs, or Filter. Exactly one is set;
// ByIDs and ByFilter make one.
type Selector struct {
	IDs    []string // UUIDs; empty but not nil selects nothing
	Filter *qdrant.Filter
}

// ByIDs selects points by id; none selects nothing.
func ByIDs(ids ...string) Selector {
	if ids == nil {
		ids = []string{}
	}
	return Selector{IDs: ids}
}

// ByFilter selects the points that meet a filter.
func ByFilter(filter *qdrant.Filter) Selector { return Selector{Filter: filter} }

// nothing reports whether the selector is an empty list of ids.
func (s Selector) nothing() bool { return s.Filter == nil && s.IDs != nil && len(s.IDs) == 0 }

// request converts the selector. A filter without conditions would select every
// point and is refused.
func (s Selector) request() (*qdrant.PointsSelector, error) {
	if (s.IDs != nil) == (s.Filter != nil) {
		return nil, errors.New("a selector needs ids or a filter, not both")
	}
	if s.Filter != nil {
		f := s.Filter
		if len(f.GetMust())+len(f.GetMustNot())+len(f.GetShould())+len(f.GetMinShould().GetConditions()) == 0 {
			return nil, errors.New("a selector's filter without conditions would select every point")
		}
		return qdrant.NewPointsSelectorFilter(f), nil
	}
	ids, err := pointIDs(s.IDs)
	if err != nil {
		return nil, err
	}
	return qdrant.NewPointsSelectorIDs(ids), nil
}

// Fields says which payload comes back. The zero value is none of it.
type Fields struct {
	all   bool
	names []string
}

// AllFields is the whole payload.
func AllFields() Fields { return Fields{all: true} }

// NoFields is no payload.
func NoFields() Fields { return Fields{} }

// OnlyFields is the payload at these paths.
func OnlyFields(names ...string) Fields { return Fields{names: names} }

func (f Fields) request() *qdrant.WithPayloadSelector {
	if f.all || len(f.names) == 0 {
		return qdrant.NewWithPayload(f.all)
	}
	return qdrant.NewWithPayloadInclude(f.names...)
}

func pointIDs(ids []string) ([]*qdrant.PointId, error) {
	out := make([]*qdrant.PointId, len(ids))
	for i, id := range ids {
		if id == "" {
			return nil, fmt.Errorf("point id %d of %d is empty", i, len(ids))
		}
		out[i] = qdrant.NewID(id)
	}
	return out, nil
}
