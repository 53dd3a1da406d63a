// Package evaluate judges golden questions through any ask-flow.
//
// What enters is an answer key, the running configuration, a way to ask and a
// view of the ledger; what leaves is a Scorecard: per question which evidence
// was found, where each missing one was lost and why, which entities survived
// which stage, and per mode whether the gate opens. The flow never sees what is
// expected of it: an Asker receives a rag.Question and nothing else.
//
// It refuses to judge by vacuity (an empty set, a required class without a
// question, a key that cannot be read: InvalidSetError), under a freeze that is
// not the one that was published (FreezeChangedError) and over budget
// (BudgetError). An evaluation that the infrastructure cut short is an
// IncompleteError, never a failed one.
package evaluate

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Asker is the flow under judgement: the code path of a tenant's query.
type Asker interface {
	// Ask answers the question; the trace holds the steps of package flow.
	Ask(ctx context.Context, q rag.Question) (rag.Answer, *flow.Trace, error)
	// Retrieve runs retrieval alone, for the eligibility probes.
	Retrieve(ctx context.Context, q rag.Question) (rag.Retrieved, error)
}

// Ledger is what was really stored and listed, read without any eligibility.
type Ledger interface {
	// Records returns one record per document of the revision, with its Text.
	Records(ctx context.Context) ([]rag.Record, error)
	// Chunks returns a document's chunks in document order, ID and Fields set.
	Chunks(ctx context.Context, document string) ([]rag.Hit, error)
	// Payload returns the stored user fields of points; an unknown id is left out.
	Payload(ctx context.Context, ids []string) (map[string]map[string]any, error)
	// Objects returns every key of the source's listing, excluded and failed ones included.
	Objects(ctx context.Context) ([]string, error)
}

// Set is one named answer key.
type Set struct {
	Name string
	Key  settings.GoldenSet
}

// Config is one evaluation.
type Config struct {
	Corpus      string          // namespace/name
	Settings    settings.Corpus // as running
	Sets        []Set           // in the order in which they are reported
	Environment map[string]string
	Inputs      Inputs     // what the freeze covers; Config and Questions are computed where empty
	Freeze      string     // the freeze that was published; "" = the one computed from Inputs
	Modes       []rag.Mode // compared beside the corpus' own; nil = each set's own choice
	Variants    []Variant  // of the corpus' own mode, to see what each stage is worth; the extractive generator alone repeats the own mode for it
	Baseline    *Receipt   // a question that passed there and fails here is a regression
	Budget      Budget
	Concurrency int                   // questions in flight; 0 = 4
	Progress    func(done, total int) // called after each question, never concurrently
	Now         func() time.Time      // nil = time.Now; also the asOf of questions without one
}

// Budget bounds what a run may cost; a zero PerDayUSD sets no bound.
type Budget struct {
	PerCallUSD float64 // what one answer is planned to cost
	LeftUSD    float64 // of the day
	PerDayUSD  float64
}

// defaultConcurrency is a batch of four: enough to hide a generator's latency,
// few enough not to run into a provider's rate limit.
const defaultConcurrency = 4

// Run judges every question of every set in the corpus' own mode, which decides,
// and in the modes it is compared with, which do not.
func Run(ctx context.Context, cfg Config, asker Asker, ledger Ledger) (*Scorecard, error) {
	r, err := prepare(cfg, asker)
	if err != nil {
		return nil, err
	}
	if r.corpus, err = survey(ctx, ledger); err != nil {
		return nil, &IncompleteError{Err: err}
	}
	card := &Scorecard{
		Schema: Schema, Corpus: cfg.Corpus, Freeze: r.freeze, Passed: true,
		Environment: cfg.Environment, Inputs: r.inputs, TakenAt: r.start,
	}
	if card.Environment == nil {
		card.Environment = map[string]string{}
	}
	card.Documents, card.Chunks = r.corpus.totals()
	for i := range r.sets {
		sc, err := r.set(ctx, &r.sets[i])
		if err != nil {
			return nil, err
		}
		card.Passed = card.Passed && sc.Passed
		card.Sets = append(card.Sets, *sc)
	}
	return card, nil
}

// set runs one answer key in all its modes.
func (r *runner) set(ctx context.Context, s *set) (*SetCard, error) {
	card := &SetCard{Name: s.Name, Questions: []QuestionCard{}}
	for _, mode := range s.modes {
		questions, err := r.mode(ctx, s, way{asker: r.asker, mode: mode, gate: mode == r.own})
		var incomplete *IncompleteError
		if errors.As(err, &incomplete) && mode != r.own && ctx.Err() == nil {
			card.Omitted = append(card.Omitted, Omission{Mode: mode, Error: incomplete.Error()})
			continue
		}
		if err != nil {
			return nil, err
		}
		mc := tallyMode(mode, questions)
		mc.Gate = mode == r.own
		mc.Fusion = fused(questions, r.cfg.Settings.Pipeline.Retrieval.Fusion.K)
		mc.Trivial = mode == rag.None && r.cfg.Settings.Pipeline.Generation.Kind() == extractive
		card.Modes = append(card.Modes, mc)
		card.Questions = append(card.Questions, questions...)
	}
	if err := r.stages(ctx, s, card); err != nil {
		return nil, err
	}
	card.Failures = append([]Failure{}, r.verdict(s, card)...) // [] in JSON, not null
	card.Passed = len(card.Failures) == 0
	return card, nil
}

// extractive is the generator without a model: it answers from the prompt or not at all.
const extractive = "Extractive"

// way is how a set is asked: of whom, in which mode, and whether the verdict is
// the gate's.
type way struct {
	asker Asker
	mode  rag.Mode
	gate  bool
}

// mode asks every question in one way. The first error ends the mode: a mode
// is scored whole or not at all.
func (r *runner) mode(ctx context.Context, s *set, w way) ([]QuestionCard, error) {
	out := make([]QuestionCard, len(s.items))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(r.cfg.Concurrency)
	for i := range s.items {
		g.Go(func() error {
			var err error
			if out[i], err = r.question(gctx, &s.items[i], w, s); err != nil {
				return &IncompleteError{Set: s.Name, Mode: w.mode, Question: s.items[i].Name, Err: err}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// question asks one question as often as the set repeats it. It passes if every
// run passes; the first run that failed is the one that is shown.
func (r *runner) question(ctx context.Context, it *item, w way, s *set) (QuestionCard, error) {
	var shown QuestionCard
	var passed int
	var used rag.Usage
	for run := range s.repeat {
		card, err := r.once(ctx, it, w, s.Key.Cutoffs)
		if err != nil {
			return shown, err
		}
		used.InputTokens += card.Tokens.Input
		used.OutputTokens += card.Tokens.Output
		used.CostUSD += card.CostUSD
		if run == 0 || (shown.Passed && !card.Passed) {
			shown = card
		}
		if card.Passed {
			passed++
		}
		r.advance()
	}
	shown.Tokens, shown.CostUSD = Tokens{used.InputTokens, used.OutputTokens}, used.CostUSD
	if s.repeat > 1 {
		shown.Runs = &Runs{Of: s.repeat, Passed: passed}
	}
	return shown, nil
}

func (r *runner) advance() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if r.cfg.Progress != nil {
		r.cfg.Progress(r.done, r.total)
	}
}
