package settings_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// TestLive: a revision is kept within the budget of the spec as it is now.
func TestLive(t *testing.T) {
	of := func(model string, budget settings.Decimal, prices ...settings.Price) settings.Corpus {
		var c settings.Corpus
		c.Pipeline.Generation = settings.Generation{OpenAI: &settings.OpenAI{Model: model}, Prices: prices}
		if budget > 0 {
			c.Budget = &settings.Budget{USDPerDay: budget}
		}
		return c
	}
	old, dear, other := settings.Price{Model: "old", InputPerMillion: 1}, settings.Price{Model: "old", InputPerMillion: 9}, settings.Price{Model: "new", InputPerMillion: 2}
	cases := map[string]struct {
		reason         string
		revision, spec settings.Corpus
		budget         *settings.Budget
		prices         []settings.Price
		unpriced       string
	}{
		"raised":        {"the spec's figure counts", of("old", 1, old), of("old", 5, old), &settings.Budget{USDPerDay: 5}, []settings.Price{old}, ""},
		"dropped":       {"and so does none", of("old", 1, old), of("old", 0), nil, []settings.Price{old}, ""},
		"dearer":        {"a price that was corrected counts at once", of("old", 1, old), of("old", 1, dear), &settings.Budget{USDPerDay: 1}, []settings.Price{dear}, ""},
		"another model": {"the revision's model keeps its own price", of("old", 1, old), of("new", 1, other), &settings.Budget{USDPerDay: 1}, []settings.Price{other, old}, ""},
		"priced late":   {"a budget and prices that came together", of("old", 0), of("old", 1, old), &settings.Budget{USDPerDay: 1}, []settings.Price{old}, ""},
		"never priced":  {"the budget can't be kept for it, which is said", of("old", 0), of("new", 1, other), nil, nil, "old"},
		"no model":      {"what costs nothing has no budget to keep", settings.Corpus{}, of("new", 1, other), &settings.Budget{USDPerDay: 1}, []settings.Price{other}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, unpriced := c.revision.Live(c.spec)
			if unpriced != c.unpriced {
				t.Errorf("%s: unpriced %q, want %q", c.reason, unpriced, c.unpriced)
			}
			if diff := cmp.Diff(c.budget, got.Budget) + cmp.Diff(c.prices, got.Pipeline.Generation.Prices); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
