package generate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/generate"
	"github.com/hardgate-dev/hardgate/runtime/prompt"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// rental are the papers of a van rental, as a prompt: two rules with figures for
// two sides, one that leaves a price to people, and one rental's file.
func rental() []rag.Hit {
	texts := []string{
		"late | Tariff | Late return | late",
		"The first half hour is free.",
		"After it a customer is charged $30.00 for each hour, and never more than $120.00 a day.",
		"owners | Terms for owners | Delays | delays",
		"An owner’s driver who waits receives $18.00 for each hour after the first.",
		"damage | Rules | Damage | damage",
		"Damage is reported within two days of the return.",
		"The customer sends photographs and the signed sheet when it disputes damage.",
		"special | Tariff | Special vehicles | special",
		"Cranes and low loaders have no standing price and are quoted case by case.",
		"rental-rn-4410 | Rental file RN-4410 | Charges | charges",
		"|h Charge | Basis | Amount",
		"| Late return | 2 hours at $30.00 an hour | $60.00",
		"| Total | | $60.00",
	}
	var hits []rag.Hit
	for _, t := range texts {
		switch {
		case !strings.HasPrefix(t, "|") && strings.Count(t, "|") == 3:
			hits = append(hits, hit(t, len(hits)+1))
		default:
			hits[len(hits)-1].Chunk = unit(hits[len(hits)-1].Chunk, t)
		}
	}
	return hits
}

func TestLetters(t *testing.T) {
	tests := map[string]struct {
		reason, letter string
		facts          []string // must be said; none: handed on
		cites          []string // documents that must be cited, in order
		held           string   // reason of the flag
	}{
		"WholeClause": {
			reason: "a rate without what is free and what is the most is no answer",
			letter: "Subject: Ferry\n\nHi, the ferry may be late. What will you charge us for a late return?\n\nThanks, Ann",
			facts:  []string{"first half hour is free", "$30.00", "$120.00"}, cites: []string{"late"},
		},
		"OtherSide": {
			reason: "what owners get is not what customers pay",
			letter: "Subject: Delay\n\nOur driver had to wait at your yard. What do you pay us for each hour of waiting?\n\nJo",
			facts:  []string{"$18.00"}, cites: []string{"owners"},
		},
		"Worked": {
			reason: "a charge is explained by its row, its sum and the rule that prints the rate",
			letter: "Subject: RN-4410\n\nHello,\nyou billed $60.00 on RN-4410. Could you tell me how you got to that figure?\n\nKind regards,\nAnn",
			facts:  []string{"2 hours × $30.00 = $60.00", "never more than $120.00"}, cites: []string{"rental-rn-4410", "late"},
		},
		"TwoAsks": {
			reason: "both questions are answered, and the clause is quoted once",
			letter: "Subject: Scratch\n\nWe dispute the damage. By when is damage reported, and what do you need from us to dispute the damage?",
			facts:  []string{"two days", "photographs"}, cites: []string{"damage"},
		},
		"HalfAnAnswer": {
			reason: "a letter of which one question has no answer is handed on whole",
			letter: "Subject: Scratch\n\nBy when is damage reported? Who insures the trailer?", held: generate.NoEvidence,
		},
		"UnknownRental": {
			reason: "the file of another rental says nothing of this one",
			letter: "Subject: RN-4419\n\nWhat was charged for late return on RN-4419?", held: generate.UnknownIdentifier,
		},
		"NewPrice": {
			reason: "a price that is still to be made is for people",
			letter: "Subject: Enquiry\n\nPlease send us your best price for three vans in May.", held: generate.PriceRequest,
		},
		"CaseByCase": {
			reason: "a clause that leaves the price to people is found, and answers nothing",
			letter: "Subject: Lift\n\nWhat would you charge us for a crane?", held: generate.CaseByCase,
		},
		"CodeAndTopic": {
			reason: "an identifier with a word asks for that line of its file",
			letter: "Subject: RN-4410 late return?\n\nAnn", facts: []string{"$60.00"}, cites: []string{"rental-rn-4410"},
		},
		"CodeAlone": {
			reason: "an identifier alone asks what there is on it",
			letter: "Subject: RN-4410\n\nRN-4410", facts: []string{"Total, amount $60.00"}, cites: []string{"rental-rn-4410"},
		},
		"Happened": {
			reason: "no rule says whether something has been",
			letter: "Subject: RN-4410\n\nHas the damage been reported?", held: generate.NoEvidence,
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			in, err := prompt.New(prompt.Options{}).Apply(context.Background(), rag.Retrieved{Question: rag.Question{Text: tc.letter}, Hits: rental()})
			if err != nil {
				t.Fatal(err)
			}
			a, err := generate.NewExtractive().Apply(context.Background(), in) // by words alone
			if err != nil {
				t.Fatal(err)
			}
			if tc.held != "" {
				if a.Status != rag.NeedsHuman || len(a.Flags) != 1 || a.Flags[0].Reason != tc.held {
					t.Errorf("%s: %s %q %v, want it held for %s", tc.reason, a.Status, a.Text, a.Flags, tc.held)
				}
				return
			}
			if a.Status != rag.Answered {
				t.Fatalf("%s: %q", tc.reason, a.Text)
			}
			for _, f := range tc.facts {
				if !strings.Contains(a.Text, f) {
					t.Errorf("%s: %q is not in %q", tc.reason, f, a.Text)
				}
			}
			var cited []string
			for _, c := range a.Citations {
				cited = append(cited, c.Document)
			}
			if strings.Join(cited, ",") != strings.Join(tc.cites, ",") {
				t.Errorf("%s: cites %v, want %v", tc.reason, cited, tc.cites)
			}
		})
	}
}
