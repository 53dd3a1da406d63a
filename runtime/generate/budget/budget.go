// Package budget prices what a model consumes, and keeps a corpus within a day's
// budget.
//
// It wraps a generator as a stage of the same form. Before a call its dearest
// outcome is set aside, from an estimate of the prompt that is too high rather
// than too low; a call for which the day has no room is not made, and the answer
// is a holding reply that names both figures. Afterwards the true cost takes the
// place of what was set aside. A call that broke off without a bill is charged as
// estimated.
package budget

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Generator is what is priced.
type Generator interface {
	// Models are those that may be asked.
	Models() []string
	// Estimate is what an answer consumes at most.
	Estimate(rag.PromptContext) []model.Spent
	// Generate answers, and says what each call consumed, also where it fails.
	Generate(context.Context, rag.PromptContext) (rag.Answer, []model.Spent, error)
}

// Options configure the stage.
type Options struct {
	Corpus    string  // namespace/name: whose budget it is
	Prices    []Price // of every model that may be asked; none = nothing is priced
	USDPerDay float64 // 0 = no limit
	Ledger    *Ledger // shared by the process; may be nil without a limit
}

// Stage is the priced generator. It is safe for concurrent use if the generator is.
type Stage struct {
	next   Generator
	opt    Options
	prices table
	limit  nano
}

// New returns the stage. It refuses a price table that lacks a model that may be
// asked, and a budget without prices; the error names the field.
func New(opt Options, next Generator) (*Stage, error) {
	prices, err := newTable(opt.Prices)
	if err != nil {
		return nil, err
	}
	limited := opt.USDPerDay != 0
	switch {
	case math.IsNaN(opt.USDPerDay) || opt.USDPerDay < 0 || opt.USDPerDay > dearest:
		return nil, fmt.Errorf("generation.budget.usdPerDay: %v is no amount from 0 to %g", opt.USDPerDay, float64(dearest))
	case limited && opt.Ledger == nil:
		return nil, errors.New("generation.budget: no ledger to keep it in")
	case limited && opt.Corpus == "":
		return nil, errors.New("generation.budget: no corpus that it is for")
	}
	for _, m := range next.Models() {
		if _, ok := prices[m]; !ok && (limited || len(prices) > 0) {
			return nil, fmt.Errorf("generation.prices: %s has no price, and may be asked", m)
		}
	}
	return &Stage{next: next, opt: opt, prices: prices, limit: usd(opt.USDPerDay)}, nil
}

// Dearest is the most that an answer to such a prompt costs, in USD.
func (s *Stage) Dearest(in rag.PromptContext) float64 {
	return s.prices.cost(s.next.Estimate(in)).float()
}

// Left is what the day has room for, in USD; 0 where there is no limit. It fails
// where the ledger cannot be read.
func (s *Stage) Left() (float64, error) {
	if s.limit == 0 {
		return 0, nil
	}
	spent, err := s.opt.Ledger.Spent(s.opt.Corpus)
	return max(0, s.opt.USDPerDay-spent), err
}

// Apply answers within the budget. It fails as the generator does, or where the
// ledger cannot be written.
func (s *Stage) Apply(ctx context.Context, in rag.PromptContext) (rag.Answer, error) {
	most := s.prices.cost(s.next.Estimate(in))
	settle := func(nano) error { return nil }
	if s.limit > 0 && most > 0 {
		reserved, spent, err := s.opt.Ledger.reserve(s.opt.Corpus, most, s.limit)
		switch {
		case err != nil:
			return rag.Answer{}, err
		case reserved == nil:
			return model.Held(in, rag.Flag{Reason: model.BudgetExceeded, Detail: fmt.Sprintf(
				"%s are spent today and this question may cost %s: together over the budget of %s a day (UTC)", spent, most, s.limit)}), nil
		}
		settle = reserved
	}
	answer, spent, err := s.next.Generate(ctx, in)
	cost := s.prices.cost(spent)
	for _, one := range spent {
		if one.Unknown {
			cost = most
		}
	}
	answer.Usage.CostUSD = cost.float()
	return answer, errors.Join(err, settle(cost))
}
