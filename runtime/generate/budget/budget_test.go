package budget_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/generate/budget"
	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/generate/model/modeltest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// scripted is a generator that may consume 1,000 tokens in and 500 out, and then
// consumes what it says.
type scripted struct {
	spent []model.Spent
	err   error
	calls int
	gate  chan struct{} // closed to let calls go on; nil = at once
	mu    sync.Mutex
}

func (*scripted) Models() []string { return []string{"big"} }

func (*scripted) Estimate(rag.PromptContext) []model.Spent {
	return []model.Spent{{Model: "big", InputTokens: 1000, OutputTokens: 500}}
}

func (s *scripted) Generate(ctx context.Context, _ rag.PromptContext) (rag.Answer, []model.Spent, error) {
	s.mu.Lock()
	s.calls++
	s.mu.Unlock()
	if s.gate != nil {
		<-s.gate
	}
	return rag.Answer{Text: "a", Status: rag.Answered}, s.spent, s.err
}

// $5 in, $25 out: at most 0.0175 a question.
var prices = []budget.Price{{Model: "big", Input: 5, Output: 25}}

func open(t *testing.T, dir string, now func() time.Time) *budget.Ledger {
	t.Helper()
	l, err := budget.Open(dir, now)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func stage(t *testing.T, l *budget.Ledger, perDay float64, g budget.Generator) *budget.Stage {
	t.Helper()
	s, err := budget.New(budget.Options{Corpus: "hr/payroll", Prices: prices, USDPerDay: perDay, Ledger: l}, g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func apply(t *testing.T, s *budget.Stage) rag.Answer {
	t.Helper()
	a, err := s.Apply(t.Context(), modeltest.Prompt())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func spent(t *testing.T, l *budget.Ledger, want float64) {
	t.Helper()
	if got, err := l.Spent("hr/payroll"); err != nil || math.Abs(got-want) > 1e-9 {
		t.Errorf("spent %v, %v, want %v", got, err, want)
	}
}

var small = []model.Spent{{Model: "big", InputTokens: 800, OutputTokens: 40}} // $0.005

func TestCostOfRealUsage(t *testing.T) {
	l := open(t, "", nil)
	a := apply(t, stage(t, l, 1, &scripted{spent: small}))
	if a.Usage.CostUSD != 0.005 {
		t.Errorf("cost %v", a.Usage.CostUSD)
	}
	spent(t, l, 0.005)
}

func TestCostWithoutBudget(t *testing.T) {
	if a := apply(t, stage(t, nil, 0, &scripted{spent: small})); a.Usage.CostUSD != 0.005 {
		t.Errorf("cost %v", a.Usage.CostUSD)
	}
}

func TestExceededBeforeTheCall(t *testing.T) {
	l := open(t, "", nil)
	g := &scripted{spent: small}
	s := stage(t, l, 0.02, g)
	apply(t, s) // 0 + 0.0175 fits; 0.005 are left behind
	a := apply(t, s)
	if a.Status != rag.NeedsHuman || g.calls != 1 {
		t.Fatalf("status %s after %d calls: 0.005 + 0.0175 are over 0.02", a.Status, g.calls)
	}
	f := a.Flags[0]
	if f.Reason != model.BudgetExceeded || !strings.Contains(f.Detail, "$0.0050") || !strings.Contains(f.Detail, "$0.0175") || !strings.Contains(f.Detail, "$0.0200") {
		t.Errorf("flag %+v", f)
	}
	spent(t, l, 0.005)
}

// Calls under way count as if they cost the most that they may.
func TestConcurrentCallsReserve(t *testing.T) {
	l := open(t, "", nil)
	g := &scripted{spent: small, gate: make(chan struct{})}
	s := stage(t, l, 0.04, g) // room for two of 0.0175
	answers := make(chan rag.Answer, 8)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			a, err := s.Apply(t.Context(), modeltest.Prompt())
			if err != nil {
				t.Error(err)
			}
			answers <- a
		})
	}
	for range 6 { // those that are held don't wait
		if a := <-answers; a.Status != rag.NeedsHuman {
			t.Errorf("status %s with two calls under way", a.Status)
		}
	}
	close(g.gate)
	all.Wait()
	if g.calls != 2 {
		t.Errorf("%d calls, want 2", g.calls)
	}
	spent(t, l, 0.01)
}

func TestSurvivesRestart(t *testing.T) {
	dir := t.TempDir()
	apply(t, stage(t, open(t, dir, nil), 1, &scripted{spent: small}))
	spent(t, open(t, dir, nil), 0.005)
}

// A process that dies in a call doesn't say what the call cost.
func TestCrashChargesTheReservation(t *testing.T) {
	dir := t.TempDir()
	g := &scripted{spent: small, gate: make(chan struct{})}
	s := stage(t, open(t, dir, nil), 1, g)
	done := make(chan struct{})
	go func() { defer close(done); _, _ = s.Apply(context.Background(), modeltest.Prompt()) }()
	for {
		g.mu.Lock()
		n := g.calls
		g.mu.Unlock()
		if n == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	spent(t, open(t, dir, nil), 0.0175)
	close(g.gate)
	<-done
}

// An unbilled failure costs nothing; one in mid-answer is charged as estimated.
func TestFailures(t *testing.T) {
	cases := map[string]struct {
		spent []model.Spent
		want  float64
	}{
		"Refused":  {nil, 0},
		"BrokeOff": {[]model.Spent{{Model: "big", Unknown: true}}, 0.0175},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l := open(t, "", nil)
			failure := &model.Failed{Cause: model.StreamCut}
			_, err := stage(t, l, 1, &scripted{spent: c.spent, err: failure}).Apply(t.Context(), modeltest.Prompt())
			if !errors.Is(err, failure) {
				t.Errorf("error %v", err)
			}
			spent(t, l, c.want)
		})
	}
}

func TestNewDay(t *testing.T) {
	now := time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)
	l := open(t, t.TempDir(), func() time.Time { return now })
	s := stage(t, l, 0.02, &scripted{spent: small})
	apply(t, s)
	if a := apply(t, s); a.Status != rag.NeedsHuman {
		t.Fatal("the budget isn't used up")
	}
	now = now.Add(2 * time.Minute)
	if a := apply(t, s); a.Status != rag.Answered {
		t.Errorf("flags %v on the next day", a.Flags)
	}
	spent(t, l, 0.005)
}

func TestBrokenLedgerIsNoBudget(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hr%2Fpayroll.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := &scripted{spent: small}
	_, err := stage(t, open(t, dir, nil), 1, g).Apply(t.Context(), modeltest.Prompt())
	if err == nil || !strings.Contains(err.Error(), "hr%2Fpayroll.json") || g.calls != 0 {
		t.Errorf("error %v after %d calls", err, g.calls)
	}
}

func TestNew(t *testing.T) {
	l := open(t, "", nil)
	cases := map[string]struct {
		opt  budget.Options
		want string
	}{
		"NoPrice":      {budget.Options{Corpus: "c", USDPerDay: 5, Ledger: l}, "generation.prices: big has no price"},
		"OtherPrice":   {budget.Options{Prices: []budget.Price{{Model: "small"}}}, "generation.prices: big has no price"},
		"Negative":     {budget.Options{Prices: []budget.Price{{Model: "big", Input: -1}}}, "generation.prices[0]"},
		"Twice":        {budget.Options{Prices: []budget.Price{{Model: "big"}, {Model: "big"}}}, "generation.prices[1].model"},
		"NegativeDay":  {budget.Options{Prices: prices, USDPerDay: -5}, "generation.budget.usdPerDay"},
		"NoLedger":     {budget.Options{Corpus: "c", Prices: prices, USDPerDay: 5}, "no ledger"},
		"NoCorpusName": {budget.Options{Prices: prices, USDPerDay: 5, Ledger: l}, "no corpus"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := budget.New(c.opt, &scripted{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}
