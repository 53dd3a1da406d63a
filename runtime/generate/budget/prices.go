package budget

import (
	"fmt"
	"math"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
)

// Price is what one model costs, in USD per million tokens.
type Price struct {
	Model         string
	Input, Output float64
}

// nano counts in billionths of a US dollar: whole numbers add up without loss, and
// the cheapest token sold costs ten of them.
type nano int64

const perUSD = 1e9

// usd rounds up: a fraction of a nano is never given away.
func usd(v float64) nano { return nano(math.Ceil(v*perUSD - 1e-6)) }

func (n nano) float() float64 { return float64(n) / perUSD }

func (n nano) String() string { return fmt.Sprintf("$%.4f", n.float()) }

// table is the prices by model.
type table map[string]Price

func newTable(prices []Price) (table, error) {
	t := table{}
	for i, p := range prices {
		switch {
		case p.Model == "":
			return nil, fmt.Errorf("generation.prices[%d].model: name the model", i)
		case bad(p.Input), bad(p.Output):
			return nil, fmt.Errorf("generation.prices[%d]: a price of %s is no amount from 0 to %g USD per million tokens", i, p.Model, float64(dearest))
		case t[p.Model].Model != "":
			return nil, fmt.Errorf("generation.prices[%d].model: %s has two prices", i, p.Model)
		}
		t[p.Model] = p
	}
	return t, nil
}

// dearest is a price that no model comes near; it keeps sums within an int64.
const dearest = 1e6

func bad(v float64) bool { return math.IsNaN(v) || v < 0 || v > dearest }

// cost of what was spent; of an unpriced model nothing is known.
func (t table) cost(spent []model.Spent) nano {
	var sum nano
	for _, s := range spent {
		p := t[s.Model]
		sum += usd((float64(s.InputTokens)*p.Input + float64(s.OutputTokens)*p.Output) / 1e6)
	}
	return sum
}
