package embedded

import (
	"context"
	"slices"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// groupSize is how many hits a group has if the request does not say.
const groupSize = 3

// groupRounds is how many searches may look for groups, and how many fill them.
const groupRounds = 5

// QueryGroups answers the best groups of hits that share a payload value, by their
// best hit. Like Qdrant it searches in rounds, leaving out what is found and full.
func (s *pointsService) QueryGroups(_ context.Context, r *qdrant.QueryPointGroups) (*qdrant.QueryGroupsResponse, error) {
	start := time.Now()
	if err := validGroups(r); err != nil {
		return nil, err
	}
	g, err := parseGroups(r)
	if err != nil {
		return nil, err
	}
	out := &qdrant.GroupsResult{}
	err = s.read(r.GetCollectionName(), func(c *collection) error {
		if err := c.strictGroups(g, r.Timeout); err != nil {
			return err
		}
		if err := unsharded(r.GetShardKeySelector()); err != nil {
			return err
		}
		groups, err := c.groups(g)
		for _, found := range groups {
			out.Groups = append(out.Groups, &qdrant.PointGroup{Id: found.key.proto(), Hits: c.scored(found.hits, g.query.payload, g.query.vectors)})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &qdrant.QueryGroupsResponse{Result: out, Time: elapsed(start)}, nil
}

func validGroups(r *qdrant.QueryPointGroups) error {
	var v violations
	v.name(r.GetCollectionName())
	v.prefetch("", r.GetPrefetch())
	v.query("query", r.GetQuery())
	v.notBlank("group_by", r.GetGroupBy())
	v.filter("filter", r.GetFilter())
	v.params("params", r.GetParams())
	atLeast(&v, "group_size", r.GroupSize, 1)
	atLeast(&v, "limit", r.Limit, 1)
	atLeast(&v, "timeout", r.Timeout, 1)
	return v.err()
}

type groupQuery struct {
	query *rootQuery
	by    path
	size  int
}

func parseGroups(r *qdrant.QueryPointGroups) (*groupQuery, error) {
	if r.GetWithLookup() != nil {
		return nil, unserved("a lookup of groups in another collection")
	}
	root, err := parseRoot(&qdrant.QueryPoints{
		Prefetch: r.GetPrefetch(), Query: r.GetQuery(), Using: r.Using, Filter: r.GetFilter(), Params: r.GetParams(),
		ScoreThreshold: r.ScoreThreshold, Limit: r.Limit, WithVectors: r.GetWithVectors(), WithPayload: r.GetWithPayload(), LookupFrom: r.GetLookupFrom(),
	})
	if err != nil {
		return nil, err
	}
	by, err := parsePath(r.GetGroupBy())
	if err != nil {
		return nil, err
	}
	size := groupSize
	if r.GroupSize != nil {
		size = clamp(r.GetGroupSize())
	}
	return &groupQuery{query: root, by: by, size: size}, nil
}

func (c *collection) strictGroups(g *groupQuery, timeout *uint64) error {
	config := c.strict()
	if config == nil {
		return nil
	}
	if err := c.strictTimeout(timeout); err != nil {
		return err
	}
	if forbidden := config.UnindexedFilteringRetrieve; forbidden != nil && !*forbidden {
		x := c.indexes[g.by.String()]
		if x == nil {
			return refusedByStrictMode("Create an index supporting `match` for this key.", `Index required but not found for "%s"`, g.by)
		}
		if !x.matches() {
			return refusedByStrictMode("Create an index supporting `match` for this key.", `Index of type "%s" found for "%s"`, x.kind, g.by)
		}
	}
	if err := strictLimit(uint64(g.query.limit)*uint64(g.size), config.MaxQueryLimit, "limit"); err != nil {
		return err
	}
	if err := c.strictFilter(config, g.query.filter, config.UnindexedFilteringRetrieve); err != nil {
		return err
	}
	return strictParams(config, g.query.params)
}

// groups runs the rounds.
func (c *collection) groups(g *groupQuery) ([]*group, error) {
	if err := g.query.check(); err != nil {
		return nil, err
	}
	if err := c.known(g.query.vectors); err != nil {
		return nil, err
	}
	ids, err := c.references(&g.query.stage)
	if err != nil {
		return nil, err
	}
	base := widened(&g.query.stage, g.size)
	base.limit = min(g.query.limit*g.size, len(c.ids)+1)
	base.filter = both(without(base.filter, ids), &filter{mustNot: []condition{{kind: isEmptyKind, path: g.by}}})
	found := &grouping{top: top{ids: c.ids, ascending: c.ascending(&g.query.stage)}, by: g.by, size: g.size, limit: g.query.limit, seen: map[uint32]bool{}, at: map[groupKey]*group{}}
	session := c.session()
	for round := range 2 * groupRounds {
		filling := round >= groupRounds
		next := *base
		next.filter = both(base.filter, found.exclusion(c, filling))
		hits, err := session.run(&next, nil)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			found.add(c, h)
		}
		if found.full() || (filling && len(hits) == 0) {
			break
		}
	}
	return found.best(), nil
}

// widened multiplies the limits of prefetches, so that enough is left to group.
func widened(s *stage, by int) *stage {
	out := *s
	out.prefetch = nil
	for _, p := range s.prefetch {
		inner := widened(p, by)
		inner.limit = min(inner.limit*by, 1<<31-1)
		out.prefetch = append(out.prefetch, inner)
	}
	return &out
}

// ascending reports whether a stage's smaller scores are better.
func (c *collection) ascending(s *stage) bool {
	if s.kind == orderBy {
		return !s.order.descending
	}
	d := c.dense[s.using]
	return s.kind == nearest && d != nil && d.ascending()
}

// groupKey is a payload value that groups: a string or a whole number.
type groupKey struct {
	text   string
	number int64
	isText bool
}

func (k groupKey) proto() *qdrant.GroupId {
	switch {
	case k.isText:
		return &qdrant.GroupId{Kind: &qdrant.GroupId_StringValue{StringValue: k.text}}
	case k.number < 0:
		return &qdrant.GroupId{Kind: &qdrant.GroupId_IntegerValue{IntegerValue: k.number}}
	}
	return &qdrant.GroupId{Kind: &qdrant.GroupId_UnsignedValue{UnsignedValue: uint64(k.number)}}
}

// readKey reads a key; any other kind of value is none.
func readKey(v *qdrant.Value) (groupKey, bool) {
	switch k := v.GetKind().(type) {
	case *qdrant.Value_StringValue:
		return groupKey{text: k.StringValue, isText: true}, true
	case *qdrant.Value_IntegerValue:
		return groupKey{number: k.IntegerValue}, true
	}
	return groupKey{}, false
}

type group struct {
	key  groupKey
	hits []hit
}

// grouping gathers hits into groups.
type grouping struct {
	top
	by          path
	size, limit int
	seen        map[uint32]bool
	at          map[groupKey]*group
	found       []*group
}

// add puts a hit into the group of each of its keys; a point with a value that is
// no key is in no group.
func (g *grouping) add(c *collection, h hit) {
	if g.seen[h.slot] {
		return
	}
	var keys []groupKey
	proper := flat(g.by.values(decodePayload(c.payloads[h.slot])), func(v *qdrant.Value) bool {
		k, ok := readKey(v)
		keys = append(keys, k)
		return ok
	})
	if !proper {
		return
	}
	g.seen[h.slot] = true
	for _, k := range distinct(keys) {
		found := g.at[k]
		if found == nil {
			found = &group{key: k}
			g.at[k] = found
			g.found = append(g.found, found)
		}
		found.hits = append(found.hits, h)
	}
}

// best is the best groups with their best hits.
func (g *grouping) best() []*group {
	for _, found := range g.found {
		slices.SortStableFunc(found.hits, g.better)
	}
	slices.SortStableFunc(g.found, func(a, b *group) int { return g.better(a.hits[0], b.hits[0]) })
	out := make([]*group, min(g.limit, len(g.found)))
	for i := range out {
		out[i] = &group{key: g.found[i].key, hits: g.found[i].hits[:min(g.size, len(g.found[i].hits))]}
	}
	return out
}

// full reports whether there are enough groups and all of the best are full.
func (g *grouping) full() bool {
	best := g.best()
	if len(best) < g.limit {
		return false
	}
	return !slices.ContainsFunc(best, func(found *group) bool { return len(found.hits) < g.size })
}

// exclusion is the filter of the next round: no point again; while looking for
// groups no full one, while filling only the best that are not full.
func (g *grouping) exclusion(c *collection, filling bool) *filter {
	seen := make([]pointID, 0, len(g.seen))
	for slot := range g.seen {
		seen = append(seen, c.ids[slot])
	}
	out := without(&filter{}, seen)
	listed := g.found
	if filling {
		listed = g.best()
	}
	var texts []string
	var numbers []int64
	for _, found := range listed {
		if (len(found.hits) >= g.size) == filling {
			continue
		}
		if found.key.isText {
			texts = append(texts, found.key.text)
		} else {
			numbers = append(numbers, found.key.number)
		}
	}
	textKind, numberKind := exceptStrings, exceptIntegers
	if filling {
		textKind, numberKind = matchStrings, matchIntegers
	}
	if len(texts) > 0 {
		out = both(out, g.match(ofStrings(textKind, texts)))
	}
	if len(numbers) > 0 {
		out = both(out, g.match(&matchTest{kind: numberKind, integers: numbers}))
	}
	return out
}

func (g *grouping) match(m *matchTest) *filter {
	return &filter{must: []condition{{kind: fieldKind, path: g.by, field: &fieldTest{match: m}}}}
}
