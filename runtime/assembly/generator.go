package assembly

import (
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/generate"
	"github.com/hardgate-dev/hardgate/runtime/generate/anthropic"
	"github.com/hardgate-dev/hardgate/runtime/generate/budget"
	"github.com/hardgate-dev/hardgate/runtime/generate/openai"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// generator is the stage that writes a corpus' answers. A model is priced, and
// kept within the corpus' budget.
func (r *Runtime) generator(corpus string, s settings.Generation, t Terms) (flow.Stage[rag.PromptContext, rag.Answer], error) {
	if len(s.Models()) == 0 {
		return generate.NewExtractive(generate.WithScorer(r.score)), nil
	}
	model, err := asks(s, t.GenerationKey)
	if err != nil {
		return nil, fmt.Errorf("spec.pipeline.%w", err)
	}
	o := budget.Options{Corpus: corpus, USDPerDay: t.USDPerDay, Ledger: r.spent}
	for _, p := range s.Prices {
		o.Prices = append(o.Prices, budget.Price{Model: p.Model, Input: float64(p.InputPerMillion), Output: float64(p.OutputPerMillion)})
	}
	priced, err := budget.New(o, model)
	if err != nil {
		return nil, fmt.Errorf("spec.pipeline.%w", err)
	}
	return priced, nil
}

// asks is the client of the model that the settings name.
func asks(s settings.Generation, key string) (budget.Generator, error) {
	if o := s.OpenAI; o != nil {
		return openai.New(openai.Options{BaseURL: o.BaseURL, Model: o.Model, Effort: o.Effort, MaxTokens: o.MaxTokens, Timeout: o.Timeout.Std(), APIKey: key})
	}
	a := s.Anthropic
	return anthropic.New(anthropic.Options{
		BaseURL: a.BaseURL, Model: a.Model, FallbackModel: a.FallbackModel, Effort: a.Effort, MaxTokens: a.MaxTokens, Timeout: a.Timeout.Std(), APIKey: key,
	})
}

// Outlay is what questions may cost, in USD.
type Outlay struct {
	PerCall float64 // of one answer as planned: a prompt of maxContextChars, estimated from above, and maxTokens
	Left    float64 // of the day's budget (UTC)
	PerDay  float64 // the budget; 0 sets no bound
}

// Outlay is what asking may cost, to be looked at before many questions are asked.
// It fails where the record of what was spent cannot be read.
func (a *Asker) Outlay() (Outlay, error) { return a.outlay() }

func outlay(generator flow.Stage[rag.PromptContext, rag.Answer], l settings.Pipeline, t Terms) func() (Outlay, error) {
	return func() (Outlay, error) {
		priced, ok := generator.(*budget.Stage)
		if !ok {
			return Outlay{}, nil
		}
		left, err := priced.Left()
		return Outlay{PerCall: priced.Dearest(planned(l.Compression)), Left: left, PerDay: t.USDPerDay}, err
	}
}

// planned is a prompt of prose as long as compression lets through. Tables, which
// have an allowance of their own and rarely come near it, are left out: maxTokens,
// which answers rarely come near either, is far more than they cost.
func planned(c settings.Compression) rag.PromptContext {
	text := strings.Repeat("a", c.MaxContextChars)
	return rag.PromptContext{
		Question: rag.Question{Mode: rag.Hybrid}, Text: text, Handles: []rag.Handle{{Name: "1.1"}},
		Hits: []rag.Hit{{Chunk: rag.Chunk{Units: []rag.Unit{{Text: text}}}}},
	}
}
