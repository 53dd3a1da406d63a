package embedded

import (
	"slices"

	"github.com/qdrant/go-client/qdrant"
)

// payloadSelection is the part of a payload that a request wants back.
type payloadSelection struct {
	mode  selectionMode
	paths []path
}

type selectionMode uint8

const (
	nothing selectionMode = iota
	everything
	including
	excluding
)

// parsePayloadSelection reads a selector; without one it is the given mode.
func parsePayloadSelection(s *qdrant.WithPayloadSelector, unset selectionMode) (payloadSelection, error) {
	var fields []string
	out := payloadSelection{mode: unset}
	switch k := s.GetSelectorOptions().(type) {
	case *qdrant.WithPayloadSelector_Enable:
		out.mode = nothing
		if k.Enable {
			out.mode = everything
		}
	case *qdrant.WithPayloadSelector_Include:
		out.mode, fields = including, k.Include.GetFields()
	case *qdrant.WithPayloadSelector_Exclude:
		out.mode, fields = excluding, k.Exclude.GetFields()
	case nil:
		if s != nil {
			return out, invalid("No PayloadSelector")
		}
	}
	for _, f := range fields {
		p, err := parsePath(f)
		if err != nil {
			return out, err
		}
		out.paths = append(out.paths, p)
	}
	return out, nil
}

// payload is the selected part of a point's payload.
func (c *collection) payload(slot uint32, want payloadSelection) map[string]*qdrant.Value {
	if want.mode == nothing || c.payloads[slot] == nil {
		return nil
	}
	fields := decodePayload(c.payloads[slot])
	switch want.mode {
	case including:
		return include(fields, want.paths)
	case excluding:
		return exclude(fields, want.paths)
	}
	return fields
}

// vectorSelection is which vectors a request wants back.
type vectorSelection struct {
	any   bool
	names []string // nil: all
}

func parseVectorSelection(s *qdrant.WithVectorsSelector) vectorSelection {
	switch k := s.GetSelectorOptions().(type) {
	case *qdrant.WithVectorsSelector_Enable:
		return vectorSelection{any: k.Enable}
	case *qdrant.WithVectorsSelector_Include:
		return vectorSelection{any: true, names: append([]string{}, k.Include.GetNames()...)}
	}
	return vectorSelection{}
}

func (v vectorSelection) has(name string) bool {
	return v.names == nil || slices.Contains(v.names, name)
}

// known refuses names that the collection does not have.
func (c *collection) known(want vectorSelection) error {
	for _, name := range want.names {
		if c.dense[name] == nil && c.sparse[name] == nil {
			return noVector(name)
		}
	}
	return nil
}
