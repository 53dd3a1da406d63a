package evaluate

import (
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// IncompleteError is an evaluation that could not finish for want of its
// infrastructure. It is no verdict: try again.
type IncompleteError struct {
	Set      string // "" = before any question was asked
	Mode     rag.Mode
	Question string
	Err      error
}

func (e *IncompleteError) Error() string {
	if e.Set == "" {
		return fmt.Sprintf("evaluation incomplete: %v", e.Err)
	}
	return fmt.Sprintf("evaluation incomplete at %s/%s in mode %s: %v", e.Set, e.Question, e.Mode, e.Err)
}

// Unwrap returns the cause.
func (e *IncompleteError) Unwrap() error { return e.Err }

// InvalidSetError is an answer key that cannot be judged by. Problems name the fields.
type InvalidSetError struct {
	Set      string
	Problems []string
}

func (e *InvalidSetError) Error() string {
	if e.Set == "" {
		return strings.Join(e.Problems, "; ")
	}
	return fmt.Sprintf("golden set %s: %s", e.Set, strings.Join(e.Problems, "; "))
}

// FreezeChangedError is a run whose code, configuration, questions or source are
// no longer those of the freeze that was published.
type FreezeChangedError struct{ Published, Found string }

func (e *FreezeChangedError) Error() string {
	return fmt.Sprintf("freeze changed: published %s, found %s", e.Published, e.Found)
}

// BudgetError is a run that is planned to cost more than is left. Nothing was asked.
type BudgetError struct {
	Calls  int
	Budget Budget
}

func (e *BudgetError) Error() string {
	b := e.Budget
	return fmt.Sprintf("not begun: %d calls, planned at $%.4f each (maxContextChars of prompt and maxTokens of answer), cost $%.4f, and of the budget of $%.4f a day (UTC) $%.4f are left: raise spec.budget.usdPerDay, or ask less (compare and repeat of the golden set, maxTokens of the model)",
		e.Calls, b.PerCallUSD, float64(e.Calls)*b.PerCallUSD, b.PerDayUSD, b.LeftUSD)
}

func (b Budget) check(calls int) error {
	if b.PerDayUSD > 0 && float64(calls)*b.PerCallUSD > b.LeftUSD {
		return &BudgetError{Calls: calls, Budget: b}
	}
	return nil
}
