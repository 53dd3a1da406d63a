package storetest

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// rules says what differs between two servers with the same data, and is therefore
// left out of the comparison.
type rules struct {
	cleared     map[protoreflect.FullName]bool
	placeholder map[protoreflect.FullName]string
	sorted      map[protoreflect.FullName]protoreflect.Name // lists without order: by this field
}

func recordedRules() rules {
	return rules{
		cleared: map[protoreflect.FullName]bool{
			"qdrant.UpdateResult.operation_id":            true,
			"qdrant.ScoredPoint.version":                  true,
			"qdrant.CollectionInfo.segments_count":        true,
			"qdrant.CollectionInfo.update_queue":          true,
			"qdrant.CollectionInfo.status":                true,
			"qdrant.CollectionInfo.indexed_vectors_count": true,
			"qdrant.SnapshotDescription.creation_time":    true,
			"qdrant.SnapshotDescription.size":             true,
			"qdrant.HealthCheckReply.version":             true,
			"qdrant.HealthCheckReply.commit":              true,
		},
		placeholder: map[protoreflect.FullName]string{
			"qdrant.SnapshotDescription.name":     "<name>",
			"qdrant.SnapshotDescription.checksum": "<checksum>",
		},
		sorted: map[protoreflect.FullName]protoreflect.Name{
			"qdrant.ListCollectionsResponse.collections": "name",
			"qdrant.ListAliasesResponse.aliases":         "alias_name",
		},
	}
}

// normalize applies the rules to a message and everything in it.
func (r rules) normalize(m protoreflect.Message) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		duration := fd.Name() == "time" && fd.Kind() == protoreflect.DoubleKind
		switch {
		case r.cleared[fd.FullName()] || fd.Name() == "usage" || duration:
			m.Clear(fd)
			return true
		case r.placeholder[fd.FullName()] != "":
			m.Set(fd, protoreflect.ValueOfString(r.placeholder[fd.FullName()]))
			return true
		}
		if key, ok := r.sorted[fd.FullName()]; ok {
			by := fd.Message().Fields().ByName(key)
			reorder(v.List(), func(a, b protoreflect.Message) int { return cmp.Compare(a.Get(by).String(), b.Get(by).String()) })
		}
		each(fd, v, r.normalize)
		return true
	})
}

// each calls visit with every message that a field holds.
func each(fd protoreflect.FieldDescriptor, v protoreflect.Value, visit func(protoreflect.Message)) {
	switch {
	case fd.IsMap():
		if fd.MapValue().Message() != nil {
			v.Map().Range(func(_ protoreflect.MapKey, item protoreflect.Value) bool { visit(item.Message()); return true })
		}
	case fd.Message() == nil:
	case fd.IsList():
		for i := range v.List().Len() {
			visit(v.List().Get(i).Message())
		}
	default:
		visit(v.Message())
	}
}

func reorder(list protoreflect.List, compare func(a, b protoreflect.Message) int) {
	items := messages(list)
	slices.SortStableFunc(items, compare)
	replace(list, items)
}

func messages(list protoreflect.List) []protoreflect.Message {
	items := make([]protoreflect.Message, list.Len())
	for i := range items {
		items[i] = list.Get(i).Message()
	}
	return items
}

func replace(list protoreflect.List, items []protoreflect.Message) {
	list.Truncate(0)
	for _, item := range items {
		list.Append(protoreflect.ValueOfMessage(item))
	}
}

// settle puts hits whose order is not defined into a canonical one: those of equal
// rank (order "ties"), or all of them (order "any").
func settle(m protoreflect.Message, order string) {
	if order == "" {
		return
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		each(fd, v, func(inner protoreflect.Message) { settle(inner, order) })
		if !fd.IsList() || fd.Message() == nil {
			return true
		}
		rank := ranking(fd.Message())
		if rank == nil {
			return true
		}
		if order == "any" {
			rank = func(int, protoreflect.Message) float64 { return 0 }
		}
		settleRuns(v.List(), rank)
		return true
	})
}

// settleRuns sorts each run of equal rank by its items' text.
func settleRuns(list protoreflect.List, rank func(int, protoreflect.Message) float64) {
	items := messages(list)
	for i := 0; i < len(items); {
		j := i + 1
		for j < len(items) && near(rank(j, items[j]), rank(i, items[i])) {
			j++
		}
		slices.SortStableFunc(items[i:j], func(a, b protoreflect.Message) int {
			return cmp.Compare(spelled(a.Interface()), spelled(b.Interface()))
		})
		i = j
	}
	replace(list, items)
}

// ranking tells what a kind of hit is ranked by; nil for anything but hits.
func ranking(d protoreflect.MessageDescriptor) func(int, protoreflect.Message) float64 {
	switch d.FullName() {
	case "qdrant.ScoredPoint", "qdrant.RetrievedPoint":
		return hitRank
	case "qdrant.FacetHit":
		return func(_ int, m protoreflect.Message) float64 { return float64(m.Get(d.Fields().ByName("count")).Uint()) }
	case "qdrant.PointGroup":
		return func(_ int, m protoreflect.Message) float64 { return bestHit(m) }
	}
	return nil
}

func hitRank(i int, m protoreflect.Message) float64 {
	fields := m.Descriptor().Fields()
	if value := fields.ByName("order_value"); m.Has(value) {
		return orderRank(m.Get(value).Message())
	}
	if score := fields.ByName("score"); score != nil {
		return m.Get(score).Float()
	}
	return float64(i)
}

func orderRank(m protoreflect.Message) (rank float64) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if fd.Kind() == protoreflect.DoubleKind {
			rank = v.Float()
		} else {
			rank = float64(v.Int())
		}
		return false
	})
	return rank
}

func bestHit(group protoreflect.Message) float64 {
	hits := group.Get(group.Descriptor().Fields().ByName("hits")).List()
	if hits.Len() == 0 {
		return math.Inf(-1)
	}
	return hitRank(0, hits.Get(0).Message())
}

// spelled is a message as compact JSON, for sorting and for reports.
func spelled(m proto.Message) string {
	data, err := protojson.Marshal(m)
	if err != nil {
		return err.Error()
	}
	var compact json.RawMessage
	if err := json.Unmarshal(data, &compact); err != nil {
		return err.Error()
	}
	data, err = json.Marshal(compact)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
