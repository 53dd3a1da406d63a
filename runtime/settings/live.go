package settings

import "slices"

// Live is a revision's settings with what applies at once where the spec changes:
// the budget, and the prices of the models, which say what is spent and not what
// is answered. unpriced is a model of the revision that has a price in neither,
// so that the budget can't be kept for it and is left out; "" otherwise.
func (c Corpus) Live(spec Corpus) (live Corpus, unpriced string) {
	prices := slices.Clone(spec.Pipeline.Generation.Prices)
	has := func(model string) bool {
		return slices.ContainsFunc(prices, func(p Price) bool { return p.Model == model })
	}
	for _, p := range c.Pipeline.Generation.Prices {
		if !has(p.Model) {
			prices = append(prices, p)
		}
	}
	c.Budget, c.Pipeline.Generation.Prices = spec.Budget, prices
	for _, m := range c.Pipeline.Generation.Models() {
		if !has(m) {
			c.Budget, c.Pipeline.Generation.Prices = nil, nil
			if spec.Budget != nil {
				unpriced = m
			}
		}
	}
	return c, unpriced
}
