package evaluate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// SurvivalStages are the columns of the survival plot, in order.
func SurvivalStages() []string {
	return []string{"extracted", "chunked", "retrieved", "reranked", "compressed", "prompt"}
}

// failureStage names the stage that a loss at each column is blamed on, and how
// a message says so.
func failureStage(column int) string {
	return []string{StageExtraction, StageChunking, StageRetrieval, StageRerank, StageCompression, StagePrompt}[column]
}

// Survival counts the key's entities at every stage, "retrieved" after gather.
// Lost are those lost at the first cliff.
type Survival struct {
	Extracted  int      `json:"extracted"`
	Chunked    int      `json:"chunked"`
	Retrieved  int      `json:"retrieved"`
	Reranked   int      `json:"reranked"`
	Compressed int      `json:"compressed"`
	Prompt     int      `json:"prompt"`
	Of         int      `json:"of"`
	FirstCliff *string  `json:"firstCliff"`
	Lost       []string `json:"lost"`
	Entities   []Entity `json:"entities"`
}

// Entity is one row of the survival plot; LostAt is the first stage without it.
type Entity struct {
	ID     string  `json:"id"`
	LostAt *string `json:"lostAt"`
}

// survived counts the entities that every stage has.
func (s *Survival) survived() int {
	n := 0
	for _, e := range s.Entities {
		if e.LostAt == nil {
			n++
		}
	}
	return min(n, s.Of)
}

// Grid is a survival plot: entities × stages.
type Grid struct {
	Stages []string
	Rows   []GridRow
	Totals []int // present at each stage
	Of     int
}

// GridRow says at which stages an entity is present.
type GridRow struct {
	Entity  string
	Present []bool
}

// Grid returns the question's survival plot; without entities it has no rows.
func (q *QuestionCard) Grid() Grid {
	g := Grid{Stages: SurvivalStages()}
	s := q.Survival
	if s == nil {
		return g
	}
	g.Of = s.Of
	g.Totals = []int{s.Extracted, s.Chunked, s.Retrieved, s.Reranked, s.Compressed, s.Prompt}
	for _, e := range s.Entities {
		row := GridRow{Entity: e.ID, Present: make([]bool, len(g.Stages))}
		for i, stage := range g.Stages {
			if e.LostAt != nil && *e.LostAt == stage {
				break
			}
			row.Present[i] = true
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// structure judges what no answer shows: entities, rows in order, aggregates.
func (j *judge) structure(ctx context.Context) error {
	if j.control {
		return nil
	}
	if j.it.Expect.Entities != nil {
		if err := j.survive(ctx); err != nil {
			return err
		}
	}
	if j.it.Expect.Aggregate != nil {
		if err := j.aggregate(ctx); err != nil {
			return err
		}
	}
	return j.rowOrder(ctx)
}

// survive counts entities stage by stage, inside the required documents only: an
// id that another document mentions as well must not hide that it was lost.
func (j *judge) survive(ctx context.Context) error {
	docs := documents(j.it.required)
	chunks, err := j.corpus.chunksOf(ctx, docs)
	if err != nil {
		return err
	}
	extracted := j.corpus.text(docs)
	ids := j.entities(extracted, chunks)
	in := j.scope(ids, chunks)
	texts := []string{extracted, body(filter(chunks, in))}
	for at := atGather; at < stages; at++ {
		texts = append(texts, body(filter(j.ob.hits[at], in)))
	}
	s := plot(ids, texts, j.it)
	j.card.Survival = s
	if len(ids) > s.Of {
		j.fail(StageExtraction, EntityCountMismatch, "%d distinct matches of %s were extracted, the key says %d: %s", len(ids), j.it.Expect.Entities.Pattern, s.Of, listed(ids))
	}
	if s.FirstCliff != nil {
		return j.cliff(ctx, s, filter(chunks, in))
	}
	return nil
}

// cliff fails the question over the first stage that lost entities. Where that
// is retrieval, it says which passage holds them and why it was not found.
func (j *judge) cliff(ctx context.Context, s *Survival, chunks []rag.Hit) error {
	at := slices.Index(SurvivalStages(), *s.FirstCliff)
	stage := failureStage(at)
	detail := fmt.Sprintf("%s lost %d of %d entities", stage, max(len(s.Lost), s.Of-j.card.Grid().Totals[at]), s.Of)
	if len(s.Lost) > 0 {
		detail += ": " + listed(s.Lost)
	}
	if stage == StageRetrieval {
		holders := filter(chunks, func(h rag.Hit) bool {
			has := finder(body([]rag.Hit{h}), j.it.pattern)
			return place(j.ob.hits[atGather], h.Evidence()) == 0 && slices.ContainsFunc(s.Lost, has)
		})
		if len(holders) > 0 {
			v, err := j.refused(ctx, holders)
			if err != nil {
				return err
			}
			why := j.ranks(holders)
			if v != nil {
				stage, why = StageEligibility, v.String()
			}
			detail += fmt.Sprintf(" (held by %s, %s)", holders[0].Evidence(), why)
		}
	}
	j.fail(stage, EntitiesLost, "%s", detail)
	return nil
}

// entities are the key's values, or what its pattern matches: in the required
// passages where these hold as many as the key counts, else in all that was
// extracted from and stored of the required documents.
func (j *judge) entities(extracted string, chunks []rag.Hit) []string {
	if j.it.pattern == nil {
		return distinct(j.it.Expect.Entities.Values)
	}
	matches := func(text string) []string {
		out := distinct(j.it.pattern.FindAllString(squash(text), -1))
		slices.Sort(out)
		return out
	}
	if in := matches(body(filter(chunks, j.inPassages))); len(in) == j.it.Expect.Entities.Count {
		return in
	}
	return matches(extracted + "\n" + body(chunks))
}

func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if s = squash(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// plot finds each entity in each stage's text.
func plot(ids, texts []string, it *item) *Survival {
	s := &Survival{Of: len(ids), Lost: []string{}, Entities: []Entity{}}
	if it.pattern != nil {
		s.Of = it.Expect.Entities.Count
	}
	columns := SurvivalStages()
	counts := []*int{&s.Extracted, &s.Chunked, &s.Retrieved, &s.Reranked, &s.Compressed, &s.Prompt}
	cliff := len(columns)
	if len(ids) < s.Of {
		cliff = 0 // some were never there to be named
	}
	has := make([]func(string) bool, len(texts))
	for i, t := range texts {
		has[i] = finder(t, it.pattern)
	}
	lostAt := map[string]int{}
	for _, id := range ids {
		e := Entity{ID: id}
		for i := range columns {
			if has[i](id) {
				*counts[i]++
			} else if e.LostAt == nil {
				e.LostAt, lostAt[id] = &columns[i], i
				cliff = min(cliff, i)
			}
		}
		s.Entities = append(s.Entities, e)
	}
	if cliff == len(columns) {
		return s
	}
	s.FirstCliff = &columns[cliff]
	for _, id := range ids {
		if at, lost := lostAt[id]; lost && at == cliff {
			s.Lost = append(s.Lost, id)
		}
	}
	return s
}

// finder returns whether an entity is in a text: by the pattern that found it,
// else as a phrase of its own.
func finder(text string, pattern *regexp.Regexp) func(string) bool {
	if pattern != nil {
		found := map[string]bool{}
		for _, m := range pattern.FindAllString(squash(text), -1) {
			found[squash(m)] = true
		}
		return func(id string) bool { return found[id] }
	}
	text = normal(text)
	return func(id string) bool { return states(text, normal(id), false) }
}

// scope narrows from the required documents to the required passages where the
// passages, as stored, hold every entity that the documents hold.
func (j *judge) scope(ids []string, chunks []rag.Hit) func(rag.Hit) bool {
	inDocs, inPassages := finder(body(chunks), j.it.pattern), finder(body(filter(chunks, j.inPassages)), j.it.pattern)
	elsewhere := slices.ContainsFunc(ids, func(id string) bool { return inDocs(id) && !inPassages(id) })
	if elsewhere || len(j.it.required) == 0 {
		return func(h rag.Hit) bool {
			return len(j.it.required) == 0 || slices.Contains(documents(j.it.required), h.Document)
		}
	}
	return j.inPassages
}

// inPassages reports a hit that the key requires by name.
func (j *judge) inPassages(h rag.Hit) bool {
	return slices.ContainsFunc(j.it.required, func(e string) bool { return satisfies(h.Chunk, e) })
}

func filter(hits []rag.Hit, keep func(rag.Hit) bool) []rag.Hit {
	return slices.DeleteFunc(slices.Clone(hits), func(h rag.Hit) bool { return !keep(h) })
}

// body is the text of hits, headings included.
func body(hits []rag.Hit) string {
	var b strings.Builder
	for _, h := range hits {
		b.WriteString(h.Heading + "\n" + h.Body() + "\n")
	}
	return b.String()
}
