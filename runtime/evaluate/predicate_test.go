package evaluate

import (
	"strings"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

func TestPredicate(t *testing.T) {
	at := time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC)
	hr := rag.Identity{Tenant: "hr", Groups: []string{"staff", "ops"}}
	cases := map[string]struct {
		reason  string
		payload map[string]any
		id      *rag.Identity
		text    string
		want    string // part of the violation; "" = eligible
	}{
		"plain":                   {reason: "every rule is met", payload: published()},
		"not stored":              {reason: "what isn't stored can't be shown to be eligible", want: "not in the store"},
		"draft":                   {reason: "another value", payload: published("status", "draft"), want: "constants rule: status is draft, not published"},
		"no status":               {reason: "an absent value meets nothing", payload: published("status", nil), want: "constants rule: status is not set"},
		"empty status":            {reason: "an empty string is a value, and another one", payload: published("status", ""), want: "constants rule"},
		"groups shared":           {reason: "any shared value admits", payload: published("groups", []any{"legal", "ops"})},
		"groups empty":            {reason: "an empty list shares nothing", payload: published("groups", []any{}), want: "identity rule: groups is []"},
		"groups of null":          {reason: "a null in a list is no value", payload: published("groups", []any{nil}), want: "identity rule"},
		"groups absent":           {reason: "no groups, no access", payload: published("groups", nil), want: "identity rule: groups is not set"},
		"no claim":                {reason: "a missing claim fails closed, shared documents included", payload: published("customer", "all"), id: &rag.Identity{Groups: []string{"staff"}}, want: `no claim "tenant"`},
		"blank claim":             {reason: "blank is missing", payload: published("customer", "all"), id: &rag.Identity{Tenant: " ", Groups: []string{"staff"}}, want: `no claim "tenant"`},
		"empty group on both":     {reason: "an empty group is no shared group", payload: published("groups", []any{""}), id: &rag.Identity{Tenant: "hr", Groups: []string{"", "staff"}}, want: "identity rule"},
		"shared customer":         {reason: "shared with everybody who has the claim", payload: published("customer", "all")},
		"other customer":          {reason: "rule, value and claim are named", payload: published("customer", "south"), want: "customer is south, which shares nothing with claim tenant [hr]"},
		"no product in question":  {reason: "a question that names none is not restricted", payload: published("product", "AX-42")},
		"product matches":         {reason: "the question's product", payload: published("product", "AX-42"), text: "cool AX-42"},
		"other product":           {reason: "one character off", payload: published("product", "AX-24"), text: "cool AX-42", want: "question rule: product is AX-24, not AX-42"},
		"no product":              {reason: "a named product is not in a document without one", payload: published(), text: "cool AX-42", want: "product is not set"},
		"two products, one held":  {reason: "fails closed", payload: published("product", "AX-42"), text: "AX-42 or AX-24?", want: "not AX-24"},
		"two products, both held": {reason: "a document for both", payload: published("product", []any{"AX-24", "AX-42"}), text: "AX-42 or AX-24?"},
		"from absent":             {reason: "an absent start is no start", payload: published("valid_from", nil), want: "validity rule: valid_from is not set"},
		"from empty":              {reason: "an empty date is no date", payload: published("valid_from", ""), want: "validity rule: valid_from is"},
		"from a number":           {reason: "a number is no date", payload: published("valid_from", 20240101.0), want: "validity rule"},
		"from now":                {reason: "the start is inclusive", payload: published("valid_from", "2025-05-01")},
		"from later":              {reason: "not yet valid", payload: published("valid_from", "2025-05-01T00:00:00.000001Z"), want: "validity rule: valid_from"},
		"to null":                 {reason: "open", payload: published("valid_to", nil)},
		"to empty list":           {reason: "holds no end, so open", payload: published("valid_to", []any{})},
		"to empty":                {reason: "a value that is no date does not lie ahead", payload: published("valid_to", ""), want: "validity rule: valid_to is"},
		"to a list of null":       {reason: "unlike the empty list, the store does not call it empty", payload: published("valid_to", []any{nil}), want: "validity rule: valid_to"},
		"to now":                  {reason: "the end is exclusive", payload: published("valid_to", "2025-05-01"), want: "asked as of 2025-05-01T00:00:00Z"},
		"to with a zone":          {reason: "22:00 in New York on the eve is past midnight UTC", payload: published("valid_to", "2025-04-30T22:00:00-04:00")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := NewPredicate(rules())
			if err != nil {
				t.Fatal(err)
			}
			q := rag.Question{Text: c.text, Identity: hr, AsOf: at}
			if c.id != nil {
				q.Identity = *c.id
			}
			got := ""
			if v := p.Judge(q, c.payload); v != nil {
				got = v.String()
			}
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%s: got %q, want …%s…", c.reason, got, c.want)
			}
		})
	}
}

func TestParseInstant(t *testing.T) {
	want := time.Date(2024, 1, 1, 12, 30, 0, 0, time.UTC)
	for _, s := range []string{"2024-01-01T12:30:00Z", "2024-01-01t12:30:00z", "2024-01-01 12:30", "2024-01-01 12:30:00", "2024-01-01T14:30:00+0200", "2024-01-01T14:30:00+02"} {
		if got, ok := parseInstant(s); !ok || !got.Equal(want) {
			t.Errorf("%q: %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "2024-01", "01.02.2024", "2024-01-01T24:00:00Z"} {
		if got, ok := parseInstant(s); ok {
			t.Errorf("%q was read as %v", s, got)
		}
	}
}
