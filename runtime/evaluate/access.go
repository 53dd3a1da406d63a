package evaluate

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// access judges what the question as it stands was allowed to see.
func (j *judge) access(ctx context.Context) error {
	q := j.ob.question
	found := sightings(j.ob.retrieved, slices.Concat(j.ob.hits[atRetrieve], j.ob.hits[atGather]))
	bad, err := j.ineligible(ctx, q, found)
	if err != nil {
		return err
	}
	j.report("", bad)
	j.filters("", q, j.ob.retrieved)
	j.pool(j.ob.retrieved)
	return j.forbidden(ctx, found)
}

// exhaustive is the channel that ranks everything eligible: each chunk has a
// dense vector, while a chunk without a word of the question is in no other.
const exhaustive = "dense"

// pool counts what the exhaustive channel gave. Fewer candidates than are
// eligible, below the pool's size, mean that they were filtered after ranking:
// what was not eligible took the places of what was.
func (j *judge) pool(r rag.Retrieved) {
	want := min(r.Eligible, j.cfg.Settings.Pipeline.Retrieval.Candidates)
	for _, c := range r.Channels {
		if c.Name == exhaustive && len(c.Candidates) < want {
			j.fail(StageEligibility, FilteredLate, "channel %s gave %d candidates where %d of %d eligible had a place: filtered after ranking", c.Name, len(c.Candidates), want, r.Eligible)
		}
	}
}

// sightings are all points that a retrieval saw: every channel's candidates
// before fusion, then hits that came from no channel.
func sightings(r rag.Retrieved, hits []rag.Hit) []Sighting {
	var out []Sighting
	seen := map[string]bool{}
	for _, c := range r.Channels {
		for _, cand := range c.Candidates {
			out = append(out, Sighting{Channel: c.Name, ID: cand.ID, Evidence: cand.Evidence})
			seen[cand.ID] = true
		}
	}
	for _, h := range hits {
		if !seen[h.ID] {
			out = append(out, Sighting{ID: h.ID, Evidence: h.Evidence()})
			seen[h.ID] = true
		}
	}
	return out
}

// ineligible returns those sightings whose stored payload the rules refuse.
func (j *judge) ineligible(ctx context.Context, q rag.Question, found []Sighting) ([]Sighting, error) {
	var ids []string
	for _, s := range found {
		if !slices.Contains(ids, s.ID) {
			ids = append(ids, s.ID)
		}
	}
	payload, err := j.corpus.payloadOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	var bad []Sighting
	for _, s := range found {
		if v := j.predicate.Judge(q, payload[s.ID]); v != nil {
			s.Rule, s.Detail = v.Rule, v.String()
			bad = append(bad, s)
		}
	}
	return bad, nil
}

// report fails the question over ineligible candidates.
func (j *judge) report(probe string, bad []Sighting) {
	for i := range bad {
		bad[i].Probe = probe
	}
	j.card.Ineligible = append(j.card.Ineligible, bad...)
	if len(bad) == 0 {
		return
	}
	asked := "as asked"
	if probe != "" {
		asked = "probe " + probe
	}
	j.fail(StageEligibility, IneligibleCandidate, "%s: %d ineligible candidates, first %s from %s: %s", asked, len(bad), bad[0].Evidence, channel(bad[0]), bad[0].Detail)
}

func channel(s Sighting) string {
	if s.Channel == "" {
		return "the hits"
	}
	return "channel " + s.Channel
}

// filters reads back what was sent: every channel, and every prefetch inside one,
// must have carried a filter that names every field of the rules that apply.
func (j *judge) filters(probe string, q rag.Question, r rag.Retrieved) bool {
	need := j.predicate.fields(q)
	asked := ""
	if probe != "" {
		asked = "probe " + probe + ": "
	}
	ok := true
	for _, c := range r.Channels {
		for _, filter := range append([]string{c.Filter}, c.Prefetch...) {
			named := filterFields(filter)
			missing := slices.DeleteFunc(slices.Clone(need), func(f string) bool { return slices.Contains(named, f) })
			if len(missing) > 0 {
				ok = false
				j.fail(StageEligibility, FilterMissing, "%sthe filter sent with channel %s does not name %s", asked, c.Name, strings.Join(missing, ", "))
				break
			}
		}
	}
	return ok
}

// filterFields are the payload fields that a filter's JSON names. One that
// cannot be read names none.
func filterFields(filter string) []string {
	var doc any
	if json.Unmarshal([]byte(filter), &doc) != nil {
		return nil
	}
	var out []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				if s, ok := e.(string); ok && k == "key" {
					out = append(out, s)
				}
				walk(e)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(doc)
	return out
}

// forbidden looks for evidence that must not even be a candidate.
func (j *judge) forbidden(ctx context.Context, found []Sighting) error {
	for _, id := range j.it.Expect.Forbidden {
		stored, err := j.storedAs(ctx, id)
		if err != nil {
			return err
		}
		document, passage, _ := strings.Cut(id, "#")
		var seen []Sighting
		for _, s := range found {
			d, p, _ := strings.Cut(s.Evidence, "#")
			if (d == document && (passage == "" || passage == p)) || slices.ContainsFunc(stored, func(h rag.Hit) bool { return h.ID == s.ID }) {
				seen = append(seen, s)
			}
		}
		if len(seen) > 0 {
			j.fail(StageRetrieval, ForbiddenCandidate, "forbidden evidence %s is a candidate, first in %s", id, channel(seen[0]))
		}
		j.card.Forbidden = append(j.card.Forbidden, seen...)
	}
	return nil
}
