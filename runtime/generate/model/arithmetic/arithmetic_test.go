package arithmetic_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/generate/model/arithmetic"
)

const (
	rate = "Detention is billed at $65 per hour after two (2) hours of free time, capped at $520 per day."
	load = "CT-88231 | 2025-04-12 | arrived 09:10 | released 14:25 | waiting 5 h 15 min, billable 3 h 15 min"
)

func TestCheck(t *testing.T) {
	cases := map[string]struct {
		text    string
		sources []string
		counted int
		want    []string // numbers that are not accounted for
		reason  string
	}{
		"WorkedSum": {"Detention for CT-88231: 3 h 15 min × $65 = $211.25.", []string{rate, load}, 0, nil, "both operands are cited, the product holds"},
		"WrongProduct": {"3 h 15 min × $65 = $201.25.", []string{rate, load}, 0, []string{"3 h 15 min × $65 = $201.25", "$201.25"},
			"the product is 211.25"},
		"UncitedRate":        {"3 h 15 min × $65 = $211.25.", []string{load}, 0, []string{"$65", "$211.25"}, "a product of an unknown rate proves nothing"},
		"UncitedTime":        {"3 h 15 min × $65 = $211.25.", []string{rate}, 0, []string{"3 h 15 min", "$211.25"}, ""},
		"WrongIdentifier":    {"CT-88232 waited 3 h 15 min.", []string{load}, 0, []string{"CT-88232"}, "a neighbouring load"},
		"PartOfIdentifier":   {"CT-8823 waited 3 h 15 min.", []string{load}, 0, []string{"CT-8823"}, "a prefix is another load"},
		"LongerIdentifier":   {"CT-88231 waited 3 h 15 min.", []string{"CT-88231-B waited 3 h 15 min"}, 0, []string{"CT-88231"}, "another load, by its suffix"},
		"DigitsOfIdentifier": {"Load 88231 waited 3 h 15 min.", []string{load}, 0, nil, "the same load by its number"},
		"Words":              {"3 hours and 15 minutes × $65/hour = **$211.25**", []string{rate, load}, 0, nil, "units in words, a rate, emphasis"},
		"Decimal":            {"3 h 15 min = 3.25 hours; 3.25 × $65 = $211.25", []string{rate, load}, 0, nil, "a conversion, then the product"},
		"Aside":              {"3 h 15 min (3.25 h) × $65 per hour (the rate) = $211.25", []string{rate, load}, 0, nil, "what only explains is passed over"},
		"FromClock":          {"14:25 − 09:10 = 5 h 15 min, less 2 hours free: 5 h 15 min − 2 h = 3 h 15 min; 3 h 15 min x $65 = $211.25", []string{rate, load}, 0, nil, "each step rests on the one before; “two” hours"},
		"InOne":              {"(5 h 15 min − 2 h) × $65 = $211.25", []string{rate, load}, 0, nil, ""},
		"Sixty":              {"195 min ÷ 60 = 3.25 h, 3.25 h × $65 = $211.25", []string{rate, load}, 0, nil, "sixty minutes an hour need no source; 195 min are 3 h 15 min"},
		"TeX":                {`\(3.25 \times \$65 = \$211.25\)`, []string{rate, load}, 0, nil, ""},
		"ResultFirst":        {"The charge is $211.25 (3 h 15 min × $65 = $211.25).", []string{rate, load}, 0, nil, "the result may be named before it is shown"},
		"NextLine":           {"3 h 15 min × $65\n= $211.25", []string{rate, load}, 0, nil, ""},
		"PerMinute":          {"15 min × $65 = $975", []string{rate, "waited 15 min"}, 0, []string{"15 min × $65 = $975", "$975"}, "the rate is per hour in its source"},
		"MadeUpSeven":        {"7 × $65 = $455", []string{rate}, 0, []string{"7", "$455"}, "seven is days of a week, not hours that nobody cited"},
		"MadeUpSixty":        {"60 × $65 per hour = $3,900", []string{rate}, 0, []string{"60", "$3,900"}, "sixty converts, it doesn't multiply money"},
		"RateOfDay":          {"8 h × $150 per day = $1,200", []string{"$150 per day", "8 h"}, 0, []string{"8 h × $150 per day = $1,200", "$1,200"}, "hours of a daily rate"},
		"Cap":                {"8 hours × $65 = $520, which is the cap of $520.", []string{rate, "waited 8 hours"}, 0, nil, ""},
		"WrongUnit":          {"You have 65 minutes.", []string{rate}, 0, []string{"65 minutes"}, "65 are dollars there"},
		"WrongRate":          {"The rate is $65 per day.", []string{rate}, 0, []string{"$65 per day"}, "per hour there"},
		"Cents":              {"The rate is 65.00 USD per hour.", []string{rate}, 0, nil, "the same amount, printed otherwise"},
		"Separators":         {"In all $1,000,000.", []string{"limit: $1000000"}, 0, nil, ""},
		"Lakh":               {"₹1,74,500", []string{"Rs. 174500"}, 0, nil, "Indian groups, another sign of the rupee"},
		"European":           {"4.012,50 €", []string{"4012.50 EUR"}, 0, nil, ""},
		"Percent":            {"5% × $1,200 = $60", []string{"a fee of 5 percent", "invoice $1,200.00"}, 0, nil, ""},
		"PercentAsFraction":  {"$1,200 × 0.05 = $60", []string{"a fee of 5%", "invoice $1,200.00"}, 0, nil, ""},
		"Sum":                {"75,000 + 45,000 + 292,000 = 412,000", []string{"Mill | 75,000", "Yard | 45,000", "Office | 292,000"}, 0, nil, ""},
		"SumReversed":        {"$412,000 = $75,000 + $45,000 + $292,000", []string{"Mill | 75,000", "Yard | 45,000", "Office | 292,000"}, 0, nil, "the result on the left"},
		"SumShort":           {"75,000 + 45,000 = 412,000", []string{"Mill | 75,000", "Yard | 45,000", "412,000"}, 0, []string{"75,000 + 45,000 = 412,000"}, "every number is printed, and the sum is wrong"},
		"Rounded":            {"$100 ÷ 3 = $33.33", []string{"$100", "3 stops"}, 0, nil, "to cents"},
		"RoundedOff":         {"$100 ÷ 3 = $33.34", []string{"$100", "3 stops"}, 0, []string{"$100 ÷ 3 = $33.34", "$33.34"}, ""},
		"Coarse":             {"3 h 15 min × $65 = $211", []string{rate, load}, 0, []string{"3 h 15 min × $65 = $211", "$211"}, "whole dollars drop 25 cents unsaid"},
		"About":              {"3 h 15 min × $65 ≈ $211", []string{rate, load}, 0, nil, "the sign says that it is rounded"},
		"Circular":           {"$10 = $4 + $6 and $6 = $10 − $4", []string{"$4"}, 0, []string{"$10", "$6"}, "two results that rest on each other rest on nothing"},
		"Date":               {"Delivered on April 12, 2025.", []string{load}, 0, nil, "a date in another form"},
		"DateNoYear":         {"Delivered on 12 April.", []string{load}, 0, nil, ""},
		"WrongDate":          {"Delivered on April 13, 2025.", []string{load}, 0, []string{"April 13, 2025"}, ""},
		"Year":               {"In 2025.", []string{load}, 0, nil, "the year of a date"},
		"List":               {"1. Arrived 09:10\n2) Released 14:25\n- billable 3 h 15 min", []string{load}, 0, nil, "numbers of items claim nothing"},
		"Counted":            {"There are 12 employees.", []string{"ST001", "ST002"}, 12, nil, "twelve rows, each cited"},
		"Miscounted":         {"There are 13 employees.", []string{"ST001", "ST002"}, 12, []string{"13"}, ""},
		"Range":              {"Rates of $500–$750 for 10-20 pallets.", []string{"$500 to $750", "10 to 20 pallets"}, 0, nil, ""},
		"RangeWrong":         {"10-25 pallets", []string{"10 to 20 pallets"}, 0, []string{"10-25"}, ""},
		"Section":            {"See section 4.2.1.", []string{"4.2.1 Detention"}, 0, nil, ""},
		"Phone":              {"Call 800-555-0199.", []string{"call 800-555-0198"}, 0, []string{"800-555-0199"}, ""},
		"Attached":           {"a 53-foot trailer within 30 days, 48ft", []string{"53 ft trailer", "net 30", "48-foot"}, 0, nil, ""},
		"Afternoon":          {"1:15 PM − 8 a.m. = 5 h 15 min", []string{"in 8:00 AM, out 13:15"}, 0, nil, ""},
		"Nonbreaking":        {"1\u00a0234,50 €", []string{"1234.50 EUR"}, 0, nil, ""},
		"NoNumbers":          {"The carrier pays.", nil, 0, nil, ""},
		"Label":              {"Tier 2 = $500", []string{"Tier 2 | $500"}, 0, nil, "an equals sign that calculates nothing"},
		"PartOfDuration":     {"3 hours × $65 = $195", []string{rate, load}, 0, []string{"3 hours", "$195"}, "the fifteen minutes were dropped"},
		"ShortPaid":          {"INV-7719 was short-paid: $1,840.00 - $1,630.00 = $210.00, invoice of March 14, 2026.", []string{"INV-7719 | 2026-03-14 | $1,840.00 | paid $1,630.00"}, 0, nil, ""},
		"Surcharge":          {"- Linehaul: $1,500.00\n- Fuel (24%): $1,500.00 × 0.24 = $360.00\n- Total: $1,500.00 + $360.00 = **$1,860.00**", []string{"fuel surcharge 24% of linehaul", "linehaul $1,500.00"}, 0, nil, "a result carries the next line"},
		"WrittenOut":         {"9 months to file, 2 years to sue.", []string{"within nine (9) months of delivery; suit within two years"}, 0, nil, ""},
		"Million":            {"$1 million for hazmat", []string{"hazardous materials $1,000,000"}, 0, nil, ""},
		"UnknownSection":     {"See Section 7.", []string{"Section 3"}, 0, []string{"7"}, "a reference is a claim too"},
		"DivideByZero":       {"$65 ÷ 0 = $65", []string{rate, "0"}, 0, nil, "no calculation; its numbers are printed"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range arithmetic.Check(c.text, arithmetic.Sources{Texts: c.sources, Counted: c.counted}) {
				got = append(got, p.Printed)
				if !strings.Contains(p.Detail, p.Printed) {
					t.Errorf("detail %q doesn't name %q", p.Detail, p.Printed)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%q (%s): -want +got\n%s", c.text, c.reason, d)
			}
		})
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("3 h 15 min × $65 = $211.25", rate)
	f.Add("((1 + 2) × 3 = 9) ÷ = − 4:61 12.", "½ 1,2,3")
	f.Fuzz(func(t *testing.T, text, source string) {
		if got := arithmetic.Check(text, arithmetic.Sources{Texts: []string{text, source}}); len(got) > 0 {
			for _, p := range got {
				if strings.Contains(p.Detail, "stands in nothing") {
					t.Errorf("%q: %q stands in its own source", text, p.Printed)
				}
			}
		}
	})
}
