package flow

import (
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Pipeline is the account of one answer that goes out beside it: what was found
// by whom, what was kept, how long it took and what degraded.
type Pipeline struct {
	Retrieved   int             `json:"retrieved"`
	AfterRerank int             `json:"after_rerank"`
	CharsBefore int             `json:"chars_before_compression"`
	CharsAfter  int             `json:"chars_after_compression"`
	Eligible    int             `json:"eligible"`
	Ranking     string          `json:"ranking"` // the question as it was ranked
	Terms       []string        `json:"terms"`
	Identifiers []string        `json:"identifiers"`
	Hits        []HitSummary    `json:"hits"`
	Channels    []rag.Channel   `json:"channels"`
	Prompt      []string        `json:"prompt"` // names of the units that reached the prompt, document#unit
	Steps       []StepSummary   `json:"steps"`
	Usage       rag.Usage       `json:"usage"`
	Degraded    []rag.Flag      `json:"degraded"`
	Context     *ContextSummary `json:"context,omitempty"`
}

// HitSummary is one hit, in the order served.
type HitSummary struct {
	ID       string `json:"id"`
	Evidence string `json:"evidence"`
	Document string `json:"document"`
	Page     int    `json:"page"`
	Rank     int    `json:"rank"`
	rag.Scores
	UnitsFound int `json:"unitsFound"`
	UnitsKept  int `json:"unitsKept"` // after compression
}

// StepSummary is one step's time.
type StepSummary struct {
	Step   string  `json:"step"`
	Millis float64 `json:"millis"`
	Error  string  `json:"error,omitempty"`
}

// ContextSummary names the prompt context.
type ContextSummary struct {
	Hash  string `json:"hash"`
	Chars int    `json:"chars"`
}

// Summarize reads a trace.
func Summarize(t *Trace) Pipeline {
	p := Pipeline{Terms: []string{}, Identifiers: []string{}, Hits: []HitSummary{}, Channels: []rag.Channel{}, Prompt: []string{}, Steps: []StepSummary{}, Degraded: t.Flags()}
	if p.Degraded == nil {
		p.Degraded = []rag.Flag{}
	}
	if r, ok := Output[rag.Retrieved](t, Retrieve); ok {
		p.Eligible, p.Ranking, p.Channels = r.Eligible, r.Ranking, append(p.Channels, r.Channels...)
		p.Terms, p.Identifiers = append(p.Terms, r.Terms...), append(p.Identifiers, r.IDs...)
	}
	gathered, _ := Output[rag.Retrieved](t, Gather)
	kept, _ := Output[rag.Retrieved](t, Compress)
	reranked, _ := Output[rag.Retrieved](t, Rerank)
	p.Retrieved, p.AfterRerank = len(gathered.Hits), len(reranked.Hits)
	p.CharsBefore, p.CharsAfter = chars(reranked.Texts()), chars(kept.Texts())
	for _, h := range gathered.Hits {
		s := HitSummary{ID: h.ID, Evidence: h.Evidence(), Document: h.Document, Page: h.Place.Page, Rank: h.Rank, Scores: h.Scores, UnitsFound: len(h.Units)}
		for _, k := range kept.Hits {
			if k.ID == h.ID {
				s.UnitsKept += len(k.Units)
			}
		}
		p.Hits = append(p.Hits, s)
	}
	if c, ok := Output[rag.PromptContext](t, Prompt); ok {
		p.Context = &ContextSummary{Hash: c.Hash, Chars: len([]rune(c.Text))}
		for _, h := range c.Handles {
			hit := c.Hits[h.Hit]
			p.Prompt = append(p.Prompt, hit.Document+"#"+hit.Units[h.Unit].Name)
		}
	}
	if a, ok := Output[rag.Answer](t, Generate); ok {
		p.Usage = a.Usage
	}
	for _, r := range t.Records() {
		s := StepSummary{Step: r.Step, Millis: float64(r.Took.Microseconds()) / 1000}
		if r.Err != nil {
			s.Error = r.Err.Error()
		}
		p.Steps = append(p.Steps, s)
	}
	return p
}

func chars(texts []string) int {
	n := 0
	for _, t := range texts {
		n += len([]rune(t))
	}
	return n
}
