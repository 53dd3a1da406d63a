package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Indexes into observation.hits: the stages that hold passages.
const (
	atRetrieve = iota
	atGather
	atRerank
	atCompress
	atPrompt
	stages
)

// stageOf names the failure stage of each index.
func stageOf(at int) string {
	return [stages]string{StageRetrieval, StageGather, StageRerank, StageCompression, StagePrompt}[at]
}

// budgetExceeded is the flag of an answer for which the model was not asked.
const budgetExceeded = "BudgetExceeded"

// observation is what one question got from the flow.
type observation struct {
	question  rag.Question
	answer    rag.Answer
	took      time.Duration
	flags     []rag.Flag
	retrieved rag.Retrieved
	prompt    rag.PromptContext
	hits      [stages][]rag.Hit
}

// observe asks the question. The corpus' own mode is asked for by no mode at
// all, which is how a tenant asks. Without documents nothing can be cited, so
// the control is judged by what the generator itself said of its answer.
func (r *runner) observe(ctx context.Context, it *item, w way) (*observation, error) {
	q := it.question
	if w.mode != r.own {
		q.Mode = w.mode
	}
	began := r.cfg.Now()
	answer, trace, err := w.asker.Ask(ctx, q)
	took := r.cfg.Now().Sub(began)
	if err != nil {
		return nil, err
	}
	if trace == nil {
		return nil, errors.New("the flow returned no trace")
	}
	for _, f := range trace.Flags() {
		if f.Reason == budgetExceeded { // a holding reply does for a tenant; here it would be scored though nobody was asked
			return nil, fmt.Errorf("%s: %s: %s", f.Stage, f.Reason, f.Detail)
		}
	}
	if said, ok := flow.Output[rag.Answer](trace, flow.Generate); ok && w.control(r.own) {
		answer.Status = said.Status
	}
	return read(q, answer, trace, took), nil
}

// read takes from a trace what is judged. A step that did not run is a bypass
// where a later one ran, and lost everything where the flow ended before it.
func read(q rag.Question, a rag.Answer, t *flow.Trace, took time.Duration) *observation {
	ob := &observation{question: q, answer: a, took: took, flags: t.Flags()}
	ob.retrieved, _ = flow.Output[rag.Retrieved](t, flow.Retrieve)
	var ran [stages]bool
	for at, step := range []string{flow.Retrieve, flow.Gather, flow.Rerank, flow.Compress} {
		var out rag.Retrieved
		out, ran[at] = flow.Output[rag.Retrieved](t, step)
		ob.hits[at] = out.Hits
	}
	ob.prompt, ran[atPrompt] = flow.Output[rag.PromptContext](t, flow.Prompt)
	ob.hits[atPrompt] = printed(ob.prompt)
	for at := atGather; at < atPrompt; at++ {
		if !ran[at] && slices.Contains(ran[at:], true) {
			ob.hits[at] = ob.hits[at-1]
		}
	}
	return ob
}

// printed reduces the hits of a prompt to what its text really holds: units
// that a handle names and whose text stands there word for word.
func printed(p rag.PromptContext) []rag.Hit {
	text := squash(p.Text)
	named := make(map[[2]int]bool, len(p.Handles))
	for _, h := range p.Handles {
		named[[2]int{h.Hit, h.Unit}] = true
	}
	var out []rag.Hit
	for i, h := range p.Hits {
		var units []rag.Unit
		for n, u := range h.Units {
			if (len(named) == 0 || named[[2]int{i, n}]) && u.Text != "" && strings.Contains(text, squash(u.Text)) {
				units = append(units, u)
			}
		}
		if len(units) == 0 {
			continue
		}
		if !strings.Contains(text, squash(h.Heading)) {
			h.Heading = ""
		}
		if !strings.Contains(text, squash(strings.Join(h.Header, " | "))) {
			h.Header = nil
		}
		h.Units = units
		out = append(out, h)
	}
	return out
}

// squash folds white space, which is no part of what a row says.
func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

// Describe is a question's record without a verdict, as `hardgate query` shows it.
func Describe(q rag.Question, mode rag.Mode, a rag.Answer, t *flow.Trace, took time.Duration) Asked {
	return read(q, a, t, took).describe(mode)
}

func (ob *observation) describe(mode rag.Mode) Asked {
	a := Asked{
		Mode: mode, Status: ob.answer.Status, Answer: ob.answer.Text,
		QueryTerms: orEmpty(ob.retrieved.Terms), Eligible: ob.retrieved.Eligible,
		Retrieved: []Retrieved{}, Citations: []Citation{}, Degraded: orEmpty(ob.flags), ContextHash: ob.answer.ContextHash,
		LatencyMillis: millis(ob.took), Tokens: Tokens{ob.answer.Usage.InputTokens, ob.answer.Usage.OutputTokens}, CostUSD: ob.answer.Usage.CostUSD,
	}
	if a.Status == "" {
		a.Status = rag.NeedsHuman
	}
	if a.ContextHash == "" {
		a.ContextHash = ob.prompt.Hash
	}
	for _, h := range ob.hits[atGather] {
		a.Retrieved = append(a.Retrieved, Retrieved{
			Evidence: h.Evidence(), Document: h.Document, Page: h.Place.Page, Score: h.Scores.Fused,
			Dense: h.Scores.Dense, Lexical: h.Scores.Lexical, Relevance: h.Scores.Relevance, Pinned: h.Scores.Pinned > 0,
		})
	}
	for _, c := range ob.answer.Citations {
		out := Citation{Document: c.Document, Evidence: c.Evidence, Page: c.Page, Rows: []string{}, Units: []string{}}
		for _, u := range c.Units {
			out.Rows, out.Units = append(out.Rows, u.Text), append(out.Units, u.Name)
		}
		a.Citations = append(a.Citations, out)
	}
	return a
}

// millis rounds to a tenth of a millisecond.
func millis(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Millisecond)*10) / 10
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
