package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Variant is the running pipeline with one stage taken out or set otherwise. The
// same questions are asked of it, so that the stage's worth is a paired figure
// and not two averages.
type Variant struct {
	Stage   string // what is judged: reranking, compression, identifiers, fusion
	Instead string // what stands in its place: off, Dense alone, RRF k 60, 0.75/0.25
	Asker   Asker  // nil: the corpus' own, in Mode
	Mode    rag.Mode
}

// StageCard is what a stage brings over its variant, question by question.
type StageCard struct {
	Stage         string                `json:"stage"`
	Instead       string                `json:"instead"`
	Questions     int                   `json:"questions"`
	Better        []string              `json:"better"` // pass with the stage alone
	Worse         []string              `json:"worse"`  // pass without it alone
	Wrong         int                   `json:"wrong"`  // confidently wrong with it, less those without it
	PerClass      map[string]PairedCard `json:"perClass"`
	LatencyMillis float64               `json:"latencyMillis"` // median of the questions' differences: what the stage costs
	PromptShare   *float64              `json:"promptShare"`   // of the prompt without it; nil where that is empty
	Earns         bool                  `json:"earns"`
	Summary       string                `json:"summary"`
}

// PairedCard is the same for one class of question.
type PairedCard struct {
	Questions int `json:"questions"`
	Better    int `json:"better"`
	Worse     int `json:"worse"`
}

// Net is how many more questions pass with the stage.
func (s StageCard) Net() int { return len(s.Better) - len(s.Worse) }

// shorter is the share of the prompt below which compression saves something
// worth having: a twentieth is within what the layout adds.
const shorter = 0.95

// stages compares the corpus' own mode with every variant. A variant that could
// not finish is left out with its error, as a mode is.
func (r *runner) stages(ctx context.Context, s *set, card *SetCard) error {
	if len(r.cfg.Variants) == 0 {
		return nil
	}
	with, err := r.warm(ctx, s, card)
	if err != nil {
		return err
	}
	for _, v := range r.cfg.Variants {
		questions, err := r.without(ctx, s, card, v)
		var incomplete *IncompleteError
		if errors.As(err, &incomplete) && ctx.Err() == nil {
			card.Omitted = append(card.Omitted, Omission{Mode: r.own, Variant: v.Stage + " against " + v.Instead, Error: incomplete.Error()})
			continue
		}
		if err != nil {
			return err
		}
		card.Stages = append(card.Stages, pair(v, with, questions))
	}
	return nil
}

// warm asks the corpus' own mode once more where that costs nothing: what is
// remembered from question to question would otherwise make every variant, which
// is asked later, look the faster one.
func (r *runner) warm(ctx context.Context, s *set, card *SetCard) ([]QuestionCard, error) {
	if r.cfg.Settings.Pipeline.Generation.Kind() == extractive {
		return r.mode(ctx, s, way{asker: r.asker, mode: r.own})
	}
	return card.of(r.own), nil
}

// without asks the variant, or takes what a compared mode was asked already.
func (r *runner) without(ctx context.Context, s *set, card *SetCard, v Variant) ([]QuestionCard, error) {
	w := way{asker: v.Asker, mode: r.own}
	if v.Mode != "" {
		w.mode = v.Mode
	}
	if v.Asker == nil {
		if asked := card.of(w.mode); len(asked) > 0 {
			return asked, nil
		}
		w.asker = r.asker
	}
	return r.mode(ctx, s, w)
}

// of are the questions asked in a mode.
func (c *SetCard) of(mode rag.Mode) []QuestionCard {
	return slices.DeleteFunc(slices.Clone(c.Questions), func(q QuestionCard) bool { return q.Mode != mode })
}

// pair compares question by question.
func pair(v Variant, with, without []QuestionCard) StageCard {
	c := StageCard{Stage: v.Stage, Instead: v.Instead, Questions: len(with), Better: []string{}, Worse: []string{}, PerClass: map[string]PairedCard{}}
	var cost []float64
	var chars, of int
	for i, a := range with {
		b := without[i]
		k := c.PerClass[a.Class]
		k.Questions++
		switch {
		case a.Passed && !b.Passed:
			c.Better = append(c.Better, a.Name)
			k.Better++
		case b.Passed && !a.Passed:
			c.Worse = append(c.Worse, a.Name)
			k.Worse++
		}
		c.PerClass[a.Class] = k
		c.Wrong += count(a.ConfidentlyWrong) - count(b.ConfidentlyWrong)
		cost = append(cost, a.LatencyMillis-b.LatencyMillis)
		chars, of = chars+a.prompt, of+b.prompt
	}
	c.LatencyMillis, c.PromptShare = percentile(cost, 0.5), ratio(chars, of)
	c.Earns = c.earns()
	c.Summary = c.summary()
	return c
}

// compression is the stage whose work is a shorter prompt.
const compression = "compression"

// earns is whether the stage is worth having: it answers more, or is compression
// and answers as much from less, and is never more often confidently wrong. That
// fewer hits make a shorter prompt is nothing that reranking does: topK does it.
func (s StageCard) earns() bool {
	shortens := s.Stage == compression && s.PromptShare != nil && *s.PromptShare < shorter
	return s.Wrong <= 0 && (s.Net() > 0 || s.Net() == 0 && (shortens || s.Wrong < 0))
}

// summary is one line for people.
func (s StageCard) summary() string {
	parts := []string{fmt.Sprintf("%+d of %d", s.Net(), s.Questions)}
	if len(s.Better) > 0 && len(s.Worse) > 0 {
		parts[0] += fmt.Sprintf(" (%d better, %d worse)", len(s.Better), len(s.Worse))
	}
	if s.Wrong != 0 {
		parts = append(parts, fmt.Sprintf("%+d confidently wrong", s.Wrong))
	}
	parts = append(parts, fmt.Sprintf("%+.0f ms", s.LatencyMillis))
	if p := s.PromptShare; p != nil && (*p < shorter || *p > 1/shorter) {
		parts = append(parts, fmt.Sprintf("%+.0f %% of the prompt", (*p-1)*100))
	}
	verdict := "earning its place"
	if !s.Earns {
		verdict = "not earning its place"
	}
	return fmt.Sprintf("%s against %s: %s: %s", s.Stage, s.Instead, strings.Join(parts, ", "), verdict)
}
