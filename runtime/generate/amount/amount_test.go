package amount_test

import (
	"errors"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
)

func TestParse(t *testing.T) {
	cases := map[string]struct {
		comma  bool
		want   string // exact value; "" = refused
		reason string
	}{
		"75,000":          {want: "75000"},
		"1,23,456.00":     {want: "123456"},
		"₹ 1,23,456.50":   {want: "123456.5"},
		"Rs. 500/-":       {want: "500"},
		"$65":             {want: "65"},
		"(1,234)":         {want: "-1234", reason: "brackets are a minus"},
		"($20.00)":        {want: "-20"},
		"-12.5":           {want: "-12.5"},
		"−12.5":           {want: "-12.5", reason: "the typographic minus"},
		"12 %":            {want: "12"},
		"152,5":           {comma: true, want: "152.5"},
		"1.234,56 €":      {comma: true, want: "1234.56"},
		"1 234,56":        {comma: true, want: "1234.56"},
		"8 hours":         {want: "8"},
		"":                {reason: "nothing"},
		"12 April 2025":   {reason: "a date has digits after its word"},
		"40s":             {reason: "a yarn count is no number"},
		"ST001":           {reason: "a code"},
		"04-04-2025":      {reason: "a date"},
		"12,34":           {reason: "no grouping that exists"},
		"STL/2025-26/003": {reason: "a code"},
		"1,2345":          {reason: "a last group of four"},
	}
	for text, c := range cases {
		t.Run(text, func(t *testing.T) {
			a, ok := amount.Parse(text, c.comma)
			if !ok {
				if c.want != "" {
					t.Fatalf("refused, want %s", c.want)
				}
				return
			}
			if got := a.Value.RatString(); c.want == "" || got != rat(c.want) {
				t.Errorf("got %s, want %q (%s)", got, c.want, c.reason)
			}
		})
	}
}

func rat(s string) string {
	a, _ := amount.Parse(s, false)
	return a.Value.RatString()
}

func TestSumInPrintedStyle(t *testing.T) {
	cases := map[string]struct {
		cells  []string
		want   string
		reason string
	}{
		"Western":   {[]string{"75,000", "45,000", "292,000"}, "412,000", "groups of three"},
		"Indian":    {[]string{"1,09,500", "65,000"}, "1,74,500", "a lakh is grouped by two"},
		"Rupees":    {[]string{"₹75,000", "₹45,000"}, "₹1,20,000", "the rupee sign means Indian groups"},
		"European":  {[]string{"3.812,50 €", "200,00 €"}, "4.012,50 €", "decimal comma, the currency after"},
		"Decimals":  {[]string{"0.1", "0.2"}, "0.3", "exact, where floating point gives 0.30000000000000004"},
		"Ungrouped": {[]string{"4200", "1850"}, "6050", "as printed"},
		"Negative":  {[]string{"100", "(250)"}, "-150", "below nought"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			comma := amount.Comma(c.cells)
			var all []amount.Amount
			for _, s := range c.cells {
				a, ok := amount.Parse(s, comma)
				if !ok {
					t.Fatalf("%q is no number", s)
				}
				all = append(all, a)
			}
			style, err := amount.StyleOf(all, comma)
			if err != nil {
				t.Fatal(err)
			}
			if got := style.Format(amount.Sum(all)); got != c.want {
				t.Errorf("got %s, want %s: %s", got, c.want, c.reason)
			}
		})
	}
}

func TestMixedUnitsHaveNoSum(t *testing.T) {
	a, _ := amount.Parse("5 kg", false)
	b, _ := amount.Parse("5 m", false)
	if _, err := amount.StyleOf([]amount.Amount{a, b}, false); !errors.Is(err, amount.ErrMixed) {
		t.Errorf("error %v, want ErrMixed", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1,23,456.00", "(1,234)", "₹ 5", "1.234,56 €", "-", "12 %", "/-"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, comma bool) {
		if a, ok := amount.Parse(s, comma); ok && a.Value == nil {
			t.Errorf("%q parsed without a value", s)
		}
	})
}
