package period_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

func TestFind(t *testing.T) {
	cases := map[string]struct {
		want   []string
		reason string
	}{
		"the April 2025 salary register":  {want: []string{"April 2025"}},
		"Salary_Register_April_2025":      {want: []string{"April 2025"}},
		"Apr-25":                          {want: []string{"April 2025"}},
		"2025-04":                         {want: []string{"April 2025"}},
		"04/2025":                         {want: []string{"April 2025"}},
		"paid on 12 April 2025":           {want: []string{"12 April 2025"}},
		"April 12th, 2025":                {want: []string{"12 April 2025"}},
		"2024-05-02":                      {want: []string{"2 May 2024"}},
		"in March 2025 and in April 2025": {want: []string{"March 2025", "April 2025"}},
		"Q1 2025":                         {want: []string{"Q1 2025"}},
		"in 2025":                         {want: []string{"2025"}},
		"invoice STL/2025-26/003":         {reason: "the year is part of a number"},
		"Festival Bonus Register 2024-25": {reason: "a span of years is none"},
		"may I carry it forward":          {reason: "a verb"},
		"May I carry it forward":          {reason: "a verb that opens the sentence"},
		"in May":                          {want: []string{"May"}},
		"the march of the mayor, marking": {reason: "words that only begin like a month"},
		"28,000 and 2025001":              {reason: "no year"},
	}
	for text, c := range cases {
		t.Run(text, func(t *testing.T) {
			var got []string
			for _, f := range period.Find(text) {
				got = append(got, f.Period.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestSlashed(t *testing.T) {
	cases := map[string]struct {
		want   period.Period
		ok     bool
		reason string
	}{
		"18-04-2025": {period.Period{Year: 2025, Month: 4, Day: 18}, true, "no month has the number 18"},
		"04/18/2025": {period.Period{Year: 2025, Month: 4, Day: 18}, true, "month first"},
		"05/04/2025": {period.Period{}, false, "the fifth of April or the fourth of May"},
		"04-04-2025": {period.Period{Year: 2025, Month: 4, Day: 4}, true, "the same either way"},
		"31-31-2025": {period.Period{}, false, "no date"},
	}
	for text, c := range cases {
		t.Run(text, func(t *testing.T) {
			got, ok := period.Slashed(text)
			if got != c.want || ok != c.ok {
				t.Errorf("got %v %v, want %v %v: %s", got, ok, c.want, c.ok, c.reason)
			}
		})
	}
}
