package embedded

import (
	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"
)

// reader takes from a payload value what an index of this kind holds.
type reader[T any] func(*qdrant.Value) (T, bool)

// fieldIndex is the index on one payload path. Exactly the parts that its type and
// parameters call for are set; every kind also knows which points have nothing, or
// a null, at the path.
type fieldIndex struct {
	path   path
	kind   qdrant.PayloadSchemaType
	params *qdrant.PayloadIndexParams

	keywords *postings[string]
	integers *postings[int64] // integer with look-up
	truths   *postings[bool]
	uuids    *postings[uuid.UUID]
	whole    *numeric[int64] // integer with range
	numbers  *numeric[float64]
	dates    *numeric[int64] // microseconds
	words    *textIndex
	places   *column[location]
	located  int // slots with a place

	filled *roaring.Bitmap // slots where something stands
	nulls  *roaring.Bitmap // slots with a null, alone or in an array
}

func newIndex(at path, kind qdrant.PayloadSchemaType, params *qdrant.PayloadIndexParams) (*fieldIndex, error) {
	x := &fieldIndex{path: at, kind: kind, params: params, filled: roaring.New(), nulls: roaring.New()}
	switch kind {
	case qdrant.PayloadSchemaType_Keyword:
		x.keywords = newPostings(text)
	case qdrant.PayloadSchemaType_Integer:
		p := params.GetIntegerIndexParams()
		if granted(p.GetLookup(), p == nil || p.Lookup == nil) {
			x.integers = newPostings(whole)
		}
		if granted(p.GetRange(), p == nil || p.Range == nil) {
			x.whole = newNumeric(whole)
		}
	case qdrant.PayloadSchemaType_Float:
		x.numbers = newNumeric(number)
	case qdrant.PayloadSchemaType_Bool:
		x.truths = newPostings(truth)
	case qdrant.PayloadSchemaType_Datetime:
		x.dates = newNumeric(micros)
	case qdrant.PayloadSchemaType_Uuid:
		x.uuids = newPostings(readUUID)
	case qdrant.PayloadSchemaType_Text:
		words, err := newTextIndex(params.GetTextIndexParams())
		if err != nil {
			return nil, err
		}
		x.words = words
	case qdrant.PayloadSchemaType_Geo:
		x.places = &column[location]{}
	default:
		return nil, unserved("an index of this type")
	}
	return x, nil
}

// granted is a permission that is given unless it was taken away.
func granted(value, unset bool) bool { return unset || value }

func readUUID(v *qdrant.Value) (uuid.UUID, bool) {
	s, ok := text(v)
	if !ok {
		return uuid.UUID{}, false
	}
	return parseUUID(s)
}

// add takes in a point's payload.
func (x *fieldIndex) add(slot uint32, payload map[string]*qdrant.Value) {
	values := x.path.values(payload)
	if len(values) == 0 {
		return
	}
	if !empty(values) {
		x.filled.Add(slot)
	}
	for _, v := range values {
		if holdsNull(v) {
			x.nulls.Add(slot)
			break
		}
	}
	addTo(x.keywords, slot, values)
	addTo(x.integers, slot, values)
	addTo(x.truths, slot, values)
	addTo(x.uuids, slot, values)
	if x.whole != nil {
		x.whole.add(slot, extract(x.whole.read, values))
	}
	if x.numbers != nil {
		x.numbers.add(slot, extract(x.numbers.read, values))
	}
	if x.dates != nil {
		x.dates.add(slot, extract(x.dates.read, values))
	}
	if x.words != nil {
		x.words.add(slot, extract(text, values))
	}
	if x.places != nil {
		x.places.set(slot, extract(globe, values))
		if len(x.places.get(slot)) > 0 {
			x.located++
		}
	}
}

func addTo[K comparable](p *postings[K], slot uint32, values []*qdrant.Value) {
	if p != nil {
		p.add(slot, extract(p.read, values))
	}
}

func extract[T any](read reader[T], values []*qdrant.Value) []T {
	var out []T
	flat(values, func(v *qdrant.Value) bool {
		if t, ok := read(v); ok {
			out = append(out, t)
		}
		return true
	})
	return out
}

// remove forgets a slot.
func (x *fieldIndex) remove(slot uint32) {
	x.filled.Remove(slot)
	x.nulls.Remove(slot)
	removeFrom(x.keywords, slot)
	removeFrom(x.integers, slot)
	removeFrom(x.truths, slot)
	removeFrom(x.uuids, slot)
	if x.whole != nil {
		x.whole.remove(slot)
	}
	if x.numbers != nil {
		x.numbers.remove(slot)
	}
	if x.dates != nil {
		x.dates.remove(slot)
	}
	if x.words != nil {
		x.words.remove(slot)
	}
	if x.places != nil {
		if len(x.places.get(slot)) > 0 {
			x.located--
		}
		x.places.set(slot, nil)
	}
}

func removeFrom[K comparable](p *postings[K], slot uint32) {
	if p != nil {
		p.remove(slot)
	}
}

// points counts the points with at least one value of the index's type.
func (x *fieldIndex) points() int {
	switch {
	case x.keywords != nil:
		return x.keywords.count
	case x.integers != nil:
		return x.integers.count
	case x.whole != nil:
		return x.whole.count
	case x.truths != nil:
		return x.truths.count
	case x.uuids != nil:
		return x.uuids.count
	case x.numbers != nil:
		return x.numbers.count
	case x.dates != nil:
		return x.dates.count
	case x.words != nil:
		return x.words.tokens.count
	}
	return x.located
}

// info is how the collection's description tells of the index.
func (x *fieldIndex) info() *qdrant.PayloadSchemaInfo {
	n := uint64(x.points())
	return &qdrant.PayloadSchemaInfo{DataType: x.kind, Params: x.params, Points: &n}
}

// matches reports whether the index serves equality, and so groups and facets.
func (x *fieldIndex) matches() bool {
	return x.keywords != nil || x.integers != nil || x.truths != nil || x.uuids != nil
}
