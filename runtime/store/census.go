package store

import (
	"cmp"
	"fmt"
	"slices"
)

// Group is what points are counted by: whose they are, what they are (a chunk, a
// document's record, a text), and the generation that they came with.
type Group struct {
	Corpus, Kind string
	From         int64
}

func (g Group) String() string {
	return fmt.Sprintf("%q of corpus %s, generation %d", g.Kind, g.Corpus, g.From)
}

// Census counts points by group.
type Census map[Group]uint64

// Add counts a point by its payload.
func (c Census) Add(payload map[string]any) {
	own, _ := payload[Own].(map[string]any)
	var g Group
	g.Corpus, _ = own["corpus"].(string)
	g.Kind, _ = own["kind"].(string)
	g.From, _ = own["from"].(int64)
	c[g]++
}

// Points is how many there are in all.
func (c Census) Points() uint64 {
	var n uint64
	for _, k := range c {
		n += k
	}
	return n
}

// Groups are the groups in order.
func (c Census) Groups() []Group {
	out := make([]Group, 0, len(c))
	for g := range c {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Corpus, b.Corpus), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.From, b.From))
	})
	return out
}

// Differ names the first group of which the other has more or fewer points; ""
// when they are the same.
func (c Census) Differ(other Census) string {
	union := Census{}
	for g := range c {
		union[g] = 0
	}
	for g := range other {
		union[g] = 0
	}
	for _, g := range union.Groups() {
		if c[g] != other[g] {
			return fmt.Sprintf("%d and %d points, %s", c[g], other[g], g)
		}
	}
	return ""
}
