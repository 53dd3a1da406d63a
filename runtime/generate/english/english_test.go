package english_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

func TestTokens(t *testing.T) {
	cases := map[string]struct {
		want   []string
		reason string
	}{
		"What is ST004's gross?":          {[]string{"what", "is", "st004", "gross"}, "the possessive goes"},
		"invoice STL/2025-26/003, please": {[]string{"invoice", "stl/2025-26/003", "please"}, "a code stays whole"},
		"Salary_Register_April_2025":      {[]string{"salary", "register", "april", "2025"}, "a file name is its words"},
		"a 30-day take-home":              {[]string{"a", "30", "day", "take", "home"}, "hyphens join words"},
		"AX-42 at 12% or ₹75,000/-":       {[]string{"ax-42", "at", "12%", "or", "₹75,000"}, "figures keep their signs"},
	}
	for text, c := range cases {
		t.Run(text, func(t *testing.T) {
			var got []string
			for _, tok := range english.Tokens(text) {
				got = append(got, tok.Fold)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestStemKeepsApart(t *testing.T) {
	cases := map[string]struct {
		a, b   string
		same   bool
		reason string
	}{
		"Plural":       {"supervisors", "supervisor", true, "one word"},
		"Abbreviation": {"mgrs", "manager", true, "spelt out"},
		"Agent":        {"accountant", "accounts", false, "a person is no department"},
		"Office":       {"officer", "office", false, "nor a room"},
		"Gross":        {"gross", "gros", false, "not every s is a plural"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := english.Stem(c.a) == english.Stem(c.b); got != c.same {
				t.Errorf("%s and %s: same %v, want %v: %s", c.a, c.b, got, c.same, c.reason)
			}
		})
	}
}

func TestForeign(t *testing.T) {
	cases := map[string]bool{
		"How many employees are in the register?":         false,
		"net pay of EMP-1024, July 2025":                  false,
		"Wie viele Mitarbeiter sind im Register?":         true,
		"¿Cuántos empleados hay en el registro de abril?": true,
		"Combien de salariés sont dans le registre ?":     true,
		"कितने कर्मचारी हैं?":                             true,
	}
	for text, want := range cases {
		t.Run(text, func(t *testing.T) {
			if got := english.Foreign(text); got != want {
				t.Errorf("foreign %v, want %v", got, want)
			}
		})
	}
}
