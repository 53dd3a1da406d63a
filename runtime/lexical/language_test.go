package lexical

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLanguage(t *testing.T) {
	cases := map[string]struct {
		reason, language, text string
		want                   []string
	}{
		"none":      {"every word counts as it is written", "", "What payment does someone get if their job is cut?", []string{"what", "payment", "does", "someone", "get", "if", "their", "job", "is", "cut"}},
		"english":   {"stop words say nothing, and forms of a word are one", English, "How many employees were listed in the registers?", []string{"mani", "employe", "list", "regist"}},
		"codes":     {"a code's spelling is its meaning", English, "invoices STL/2025-26/003 and CT-88231", []string{"invoic", "stl/2025-26/003", "ct-88231"}},
		"amounts":   {"a number is no word", English, "$65 an hour", []string{"$65", "65", "hour"}},
		"elsewhere": {"words with other letters are left alone", English, "Москва employees", []string{"москва", "employe"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e, err := New(Options{K1: 1.2, B: 0.75, AverageLength: 128, Language: c.language})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, e.Terms(c.text)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestLanguageRefused(t *testing.T) {
	if _, err := New(Options{K1: 1.2, B: 0.75, AverageLength: 128, Language: "tlh"}); err == nil {
		t.Error("a language without a stemmer must be refused, not ignored")
	}
}
