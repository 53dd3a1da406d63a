package number_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract/number"
)

func TestColumn(t *testing.T) {
	const none = -0.123
	cases := map[string]struct {
		reason string
		cells  []string
		want   []float64 // none for no value
	}{
		"Point":        {"a decimal point after a group decides", []string{"1,234.56", "1,234"}, []float64{1234.56, 1234}},
		"Comma":        {"… and so does a decimal comma", []string{"1.234,56", "1.234"}, []float64{1234.56, 1234}},
		"Short":        {"two digits after a comma are no group", []string{"12,50", "1.234"}, []float64{12.5, 1234}},
		"Spaces":       {"groups parted by spaces, one of them not to be broken", []string{"1 234,56", "12 345 678"}, []float64{1234.56, 12345678}},
		"Apostrophe":   {"Swiss", []string{"1'234.50", "1’234"}, []float64{1234.5, 1234}},
		"Indian":       {"lakh and crore", []string{"₹1,23,456", "₹ 12,34,567.50", "Rs. 5,000/-"}, []float64{123456, 1234567.5, 5000}},
		"Negative":     {"brackets, a sign before, a sign after, a real minus", []string{"(1,234.00)", "-5.5", "1,200.00-", "−3", "$ (12.50)"}, []float64{-1234, -5.5, -1200, -3, -12.5}},
		"Percent":      {"the number as printed", []string{"12 %", "8.25%"}, []float64{12, 8.25}},
		"Ambiguous":    {"nothing tells a group from a fraction", []string{"1.234", "2.500"}, []float64{none, none}},
		"AmbiguousToo": {"… nor here", []string{"75,000", "9,000"}, []float64{none, none}},
		"Small":        {"a whole number below a thousand tells: a fraction would have its digits", []string{"75,000", "850"}, []float64{75000, 850}},
		"Currency":     {"rupees have a decimal point", []string{"₹75,000", "9,000"}, []float64{75000, 9000}},
		"Euro":         {"euros may have either", []string{"€ 75,000"}, []float64{none}},
		"Contradict":   {"cells that say it themselves, and one that does not", []string{"1,234.56", "1.234,56", "1,234"}, []float64{1234.56, 1234.56, none}},
		"Million":      {"two groups are no fraction", []string{"1.234.567", "2.500"}, []float64{1234567, 2500}},
		"Zero":         {"a group does not begin with a zero", []string{"0,125", "1,500"}, []float64{0.125, 1.5}},
		"None": {"dates, codes, times, ranges, versions, words, nothing", []string{"01/02/2025", "01.02.2025", "E1001", "00123", "12:30", "3-4", "1.2.3", "12 kg", "", "-", "1,23,4567", "98 765 43210"},
			[]float64{none, none, none, none, none, none, none, none, none, none, none, none}},
		"Plain": {"without separators there is nothing to tell", []string{"20", "1999"}, []float64{20, 1999}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			style := number.Evidence(c.cells)
			var got []float64
			for _, cell := range c.cells {
				v := number.Value(cell, style)
				if v == nil {
					got = append(got, none)
					continue
				}
				got = append(got, *v)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: values of %q (-want +got):\n%s", c.reason, c.cells, diff)
			}
		})
	}
}
