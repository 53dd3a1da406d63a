package evaluate

import (
	"strings"
	"testing"
)

func TestStates(t *testing.T) {
	cases := map[string]struct {
		text, fact string
		want       bool
	}{
		"case":                            {"TWELVE Employees are listed", "twelve employees", true},
		"thousands separators":            {"capped at $1,000,000 in all", "$1000000", true},
		"and the other way":               {"capped at $1000000", "$1,000,000", true},
		"in lakhs":                        {"₹1,23,456 were paid", "123456", true},
		"no-break spaces":                 {"1\u202f234\u00a0567 pieces", "1234567 pieces", true},
		"decimal zeros":                   {"in all 412,000.00", "412,000", true},
		"one decimal":                     {"a rate of 12.50", "12.5", true},
		"a list":                          {"rooms 12, 13", "13", true},
		"a list is no thousands":          {"rooms 12,13", "1213", false},
		"line breaks":                     {"12\n  employees", "12 employees", true},
		"typographic hyphen and quote":    {"the driver’s 30‑day notice", "driver's 30-day notice", true},
		"percent with a space":            {"10 % of it", "10%", true},
		"end of a sentence":               {"It is $520.", "$520", true},
		"unit at the number":              {"65kg", "65", true},
		"plural":                          {"hazardous materials", "hazardous material", true},
		"an amount after its currency":    {"$520 per stop", "520", true},
		"an amount within a code":         {"invoice INV-7719", "7719", true},
		"later occurrence":                {"112 employees, no: 12 employees", "12 employees", true},
		"longer number":                   {"112 employees", "12 employees", false},
		"longer amount":                   {"$5200", "$520", false},
		"with cents":                      {"$520.50", "$520", false},
		"tail of a decimal":               {"1.520", "520", false},
		"negative":                        {"a balance of -520", "520", false},
		"negative currency":               {"a balance of -$520", "$520", false},
		"negative with the sign inside":   {"$-520", "520", false},
		"negative in typographic minus":   {"a balance of −520", "520", false},
		"prefix of a word":                {"inactive", "active", false},
		"head of a word":                  {"in November", "no", false},
		"head of a code":                  {"CT-88231A", "CT-88231", false},
		"not said at all":                 {"nothing", "12 employees", false},
		"empty text":                      {"", "12", false},
		"version numbers are not decimal": {"v1.10 of it", "v1.1", false},
		"addresses neither":               {"10.0.10.1", "10.0.1", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := states(normal(c.text), normal(c.fact), true); got != c.want {
				t.Errorf("%q states %q: %v, want %v (%q, %q)", c.text, c.fact, got, c.want, normal(c.text), normal(c.fact))
			}
		})
	}
}

func TestEntitiesStandAlone(t *testing.T) {
	text := normal("ST0012 | Person | ST002, ST003s STL/2025-26/003.")
	for id, want := range map[string]bool{"ST001": false, "ST002": true, "ST003": false, "STL/2025-26/003": true, "st0012": true} {
		if got := states(text, normal(id), false); got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

func TestAmount(t *testing.T) {
	for s, want := range map[string]string{
		"412,000": "412000", "1,23,456.50": "123456.50", "₹ 75,000": "75000", "(1,234)": "-1234", "1,234-": "-1234", "-$5.25": "-5.25", "−7": "-7",
		"12 %": "12", "1.234,56": "1234.56", "1.234.567": "1234567", "1 234,56": "1234.56", "0,65": "0.65", "1,234": "1234", "USD 10.5": "10.5", "1'000": "1000",
		"1,000,000": "1000000", ".5": "5", "0.10": "0.10",
	} {
		got, ok := amount(s)
		exact, _ := amount("0")
		if _, valid := exact.SetString(want); !ok || !valid || got.Cmp(exact) != 0 {
			t.Errorf("amount(%q) = %v, %v, want %s", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "none", "4 or 5", "ST001-2", "2025-05-01"} {
		if got, ok := amount(s); ok {
			t.Errorf("amount(%q) = %v, want none", s, got)
		}
	}
}

func TestFit(t *testing.T) {
	parts := []string{"a: first thing", "b: second thing", "c: third thing"}
	for max, want := range map[int]string{
		100: "a: first thing; b: second thing; c: third thing",
		46:  "a: first thing; b: second thing; and 1 more",
		30:  "a: first thing; and 2 more",
		12:  "a: first …",
		18:  "a: first thing…",
		2:   "",
	} {
		got := fit(parts, max)
		if got != want && !(max == 12 && strings.HasSuffix(got, "…")) || len(got) > max {
			t.Errorf("fit(%d) = %q (%d bytes), want %q", max, got, len(got), want)
		}
	}
	if got := fit(nil, 10); got != "" {
		t.Errorf("nothing failed: %q", got)
	}
}

func FuzzNormal(f *testing.F) {
	for _, s := range []string{"1,000,000.00", "12,13,1.5.0", "−5’0", "\xff1,00", "9.", ",1", "1,23,456"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, fact string) {
		n := normal(text)
		states(n, normal(fact), true)
		amount(text)
		if n != "" && !states(n, n, false) {
			t.Errorf("%q does not state itself", n)
		}
	})
}
