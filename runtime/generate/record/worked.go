package record

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
)

// Worked is a row's amount as its basis has it: 3 h 15 min × $65.00 = $211.25.
type Worked struct {
	Shown string
	Rate  amount.Amount
}

var (
	basis    = regexp.MustCompile(`^(.{1,40}?)\s+(?:at|@|x|×)\s+([$€£₹]\s?\d[\d,]*(?:\.\d+)?)(?:\s*(?:an?|per|each|/)\b?.*)?$`)
	duration = regexp.MustCompile(`^(\d+)\s*(?:h|hrs?|hours?)\s*(?:and\s+)?(?:(\d+)\s*(?:m|mins?|minutes?))?$`)
	quantity = regexp.MustCompile(`^(\d[\d,]*(?:\.\d+)?)\s*[\pL]+(?:\s[\pL]+)?$`)
)

// Work shows how the amount of a row comes about, from the cell that says so. ok
// is false when no cell does; an error says that the product is another than what
// is printed.
func (w Row) Work() (worked Worked, ok bool, err error) {
	printed, has := w.Amount()
	if !has {
		return Worked{}, false, nil
	}
	for _, c := range w.Cells {
		m := basis.FindStringSubmatch(strings.Join(strings.Fields(c), " "))
		if m == nil {
			continue
		}
		n, good := measure(strings.TrimSpace(m[1]))
		rate, fine := amount.Parse(m[2], false)
		if !good || !fine {
			continue
		}
		shown := fmt.Sprintf("%s × %s = %s", strings.TrimSpace(m[1]), m[2], printed.Printed)
		if product := new(big.Rat).Mul(n, rate.Value); product.Cmp(printed.Value) != 0 {
			return Worked{}, false, fmt.Errorf("%s does not hold: the product is %s", shown, product.FloatString(2))
		}
		return Worked{Shown: shown, Rate: rate}, true, nil
	}
	return Worked{}, false, nil
}

// measure reads a quantity: hours and minutes as hours.
func measure(text string) (*big.Rat, bool) {
	if m := duration.FindStringSubmatch(text); m != nil {
		n, _ := new(big.Rat).SetString(m[1])
		if m[2] != "" {
			minutes, _ := new(big.Rat).SetString(m[2])
			n.Add(n, minutes.Quo(minutes, big.NewRat(60, 1)))
		}
		return n, true
	}
	if m := quantity.FindStringSubmatch(text); m != nil {
		return new(big.Rat).SetString(strings.ReplaceAll(m[1], ",", ""))
	}
	return nil, false
}
