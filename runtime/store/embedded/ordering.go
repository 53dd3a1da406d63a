package embedded

import (
	"cmp"
	"slices"

	"github.com/qdrant/go-client/qdrant"
)

// ordering is an order_by as read.
type ordering struct {
	path       path
	descending bool
	number     *float64 // start_from
	micros     *int64   // start_from, a date
}

func parseOrdering(o *qdrant.OrderBy) (*ordering, error) {
	at, err := parsePath(o.GetKey())
	if err != nil {
		return nil, err
	}
	out := &ordering{path: at, descending: o.GetDirection() == qdrant.Direction_Desc}
	switch k := o.GetStartFrom().GetValue().(type) {
	case *qdrant.StartFrom_Float:
		out.number = &k.Float
	case *qdrant.StartFrom_Integer:
		f := float64(k.Integer)
		out.number = &f
	case *qdrant.StartFrom_Timestamp:
		t := k.Timestamp.AsTime().UnixMicro()
		out.micros = &t
	case *qdrant.StartFrom_Datetime:
		t, ok := parseDate(k.Datetime)
		if !ok {
			return nil, invalid("Malformed datetime: %s", k.Datetime)
		}
		at := t.UnixMicro()
		out.micros = &at
	}
	return out, nil
}

// hit is a found point. Its score is what the search gave it.
type hit struct {
	slot  uint32
	score float32
	order *qdrant.OrderValue
}

// ordered lists up to limit values of a field in order, each with the point that
// has it: points without a value do not come, points with several come for each.
func (c *collection) ordered(o *ordering, p predicate, limit int) ([]hit, error) {
	x := c.indexes[o.path.String()]
	switch {
	case x != nil && x.whole != nil:
		return walk(x.whole, wholeStart(o), o.descending, p, limit, intOrder), nil
	case x != nil && x.dates != nil:
		return walk(x.dates, wholeStart(o), o.descending, p, limit, intOrder), nil
	case x != nil && x.numbers != nil:
		start := o.number
		if o.micros != nil {
			start = asFloat(o.micros)
		}
		return walk(x.numbers, ends(o, start), o.descending, p, limit, func(v float64) *qdrant.OrderValue {
			return &qdrant.OrderValue{Variant: &qdrant.OrderValue_Float{Float: v}}
		}), nil
	}
	return nil, wrongInput("No range index for `order_by` key: `%s`. Please create one to use `order_by`. "+
		"Check https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload schemas support Range conditions", o.path)
}

func intOrder(v int64) *qdrant.OrderValue {
	return &qdrant.OrderValue{Variant: &qdrant.OrderValue_Int{Int: v}}
}

// wholeStart is where to start among whole numbers.
func wholeStart(o *ordering) bounds[int64] {
	if o.number == nil {
		return ends(o, o.micros)
	}
	if o.descending {
		return wholeBounds(&numberRange{lte: o.number})
	}
	return wholeBounds(&numberRange{gte: o.number})
}

// ends bounds an order by its start, which is inside.
func ends[T cmp.Ordered](o *ordering, start *T) bounds[T] {
	if o.descending {
		return bounds[T]{to: start}
	}
	return bounds[T]{from: start}
}

func walk[T cmp.Ordered](n *numeric[T], b bounds[T], descending bool, p predicate, limit int, value func(T) *qdrant.OrderValue) []hit {
	if b.impossible {
		return nil
	}
	span := n.span(b)
	next := slices.All(span)
	if descending {
		next = slices.Backward(span)
	}
	var out []hit
	for _, e := range next {
		if len(out) >= limit {
			break
		}
		if p.check(e.slot) {
			out = append(out, hit{slot: e.slot, score: 1, order: value(e.value)})
		}
	}
	return out
}
