package record_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/record"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// file is the prompt of one rental's papers beside a rule and a neighbour.
func file() rag.PromptContext {
	hits := []rag.Hit{
		sentences("rental-rn-4410", "Rental file RN-4410", "What happened",
			"The van came back at 16:20 because the ferry was late.", "It was two hours late.", "Customer: Holm"),
		rows("rental-rn-4410", "Rental file RN-4410", "Charges", []string{"Charge", "Basis", "Amount"},
			[]string{"Late return", "2 hours at $30.00 an hour", "$60.00"}, []string{"Cleaning", "Flat, by the tariff", "$45.00"},
			[]string{"Fuel", "10 litres at $2.00", "$25.00"}, []string{"Total", "", "$130.00"}),
		rows("rental-rn-4410", "Rental file RN-4410", "Times", []string{"Place", "Collected", "Returned"},
			[]string{"Harbour", "09:00", "11:15"}, []string{"Airport", "12:00", "16:20"}),
		sentences("tariff", "Tariff", "Late return", "Each hour costs $30.00."),
		sentences("rental-rn-4411", "Rental file RN-4411", "What happened", "See RN-4410."),
	}
	in := rag.PromptContext{Hits: hits}
	for h, hit := range hits {
		for u := range hit.Units {
			in.Handles = append(in.Handles, rag.Handle{Name: fmt.Sprintf("%d.%d", h+1, u+1), Hit: h, Unit: u})
		}
	}
	return in
}

func sentences(document, title, heading string, texts ...string) rag.Hit {
	h := rag.Hit{Chunk: rag.Chunk{Document: document, Title: title, Heading: heading, Passage: heading}}
	for _, t := range texts {
		h.Units = append(h.Units, rag.Unit{Kind: rag.Sentence, Text: t})
	}
	return h
}

func rows(document, title, heading string, header []string, cells ...[]string) rag.Hit {
	h := rag.Hit{Chunk: rag.Chunk{Document: document, Title: title, Heading: heading, Passage: heading, Table: true, Header: header}}
	for _, c := range cells {
		h.Units = append(h.Units, rag.Unit{Kind: rag.RowUnit, Cells: c, Text: strings.Join(c, " | ")})
	}
	return h
}

func TestNamed(t *testing.T) {
	tests := map[string]struct {
		reason, ids, unknown string
		found                []string // documents of the record
	}{
		"Code":       {"the title has it; a paper that only mentions it is another's", "RN-4410", "", []string{"rental-rn-4410"}},
		"BareNumber": {"people leave the letters away", "4410", "", []string{"rental-rn-4410"}},
		"Unknown":    {"what stands nowhere must not be answered from its neighbour", "RN-4415", "RN-4415", nil},
		"Prefix":     {"a number inside another one is none", "441", "441", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r, unknown := record.Named(file(), english.Tokens(tc.ids))
			if unknown != tc.unknown {
				t.Errorf("%s: unknown %q, want %q", tc.reason, unknown, tc.unknown)
			}
			var found []string
			for _, d := range []string{"rental-rn-4410", "rental-rn-4411", "tariff"} {
				if r.Of(d) {
					found = append(found, d)
				}
			}
			if diff := cmp.Diff(tc.found, found); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestCharge(t *testing.T) {
	tests := map[string]struct{ reason, ask, background, row, shown, wrong string }{
		"ByAmount":     {reason: "the amount that the letter quotes names its row", ask: "How did you get to that?", background: "You billed $60.00.", row: "Late return", shown: "2 hours × $30.00 = $60.00"},
		"ByTopic":      {reason: "so does a word of its first cell", ask: "What do you charge for the delay?", row: "Late return", shown: "2 hours × $30.00 = $60.00"},
		"NoArithmetic": {reason: "a flat charge shows no sum", ask: "What is the cleaning for?", row: "Cleaning"},
		"WrongProduct": {reason: "a product that does not hold is not explained away", ask: "How did you work out the fuel?", row: "Fuel", wrong: "10 litres × $2.00 = $25.00 does not hold: the product is 20.00"},
		"Total":        {reason: "the total is what rows add up to, and no charge", ask: "Why $130.00?"},
		"None":         {reason: "a charge that is not on the record has no row", ask: "What is the tarping for?"},
	}
	r, _ := record.Named(file(), english.Tokens("RN-4410"))
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			row := r.Charge(tc.ask, tc.background)
			if row == nil || tc.row == "" {
				if (row == nil) != (tc.row == "") {
					t.Fatalf("%s: row %v", tc.reason, row)
				}
				return
			}
			worked, _, err := row.Work()
			wrong := ""
			if err != nil {
				wrong = err.Error()
			}
			got := []string{row.Cells[0], worked.Shown, wrong}
			if diff := cmp.Diff([]string{tc.row, tc.shown, tc.wrong}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestHours(t *testing.T) {
	row := record.Row{Cells: []string{"Waiting", "3 h 15 min at $65.00 an hour", "$211.25"}}
	worked, ok, err := row.Work()
	if !ok || err != nil || worked.Shown != "3 h 15 min × $65.00 = $211.25" {
		t.Errorf("minutes are parts of hours: %q %v %v", worked.Shown, ok, err)
	}
}

func TestTimes(t *testing.T) {
	tests := map[string]struct {
		reason, ask string
		want        []string
	}{
		"Named":    {"the place names the row", "When was it returned at the airport?", []string{"Airport, collected 12:00, returned 16:20"}},
		"AllOfFew": {"without a place, few rows are read out whole", "When was it returned?", []string{"Harbour, collected 09:00, returned 11:15", "Airport, collected 12:00, returned 16:20"}},
		"NoColumn": {"a time that no column has is not guessed", "When was it ordered?", nil},
	}
	r, _ := record.Named(file(), english.Tokens("RN-4410"))
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, w := range r.Times(record.Topics(tc.ask)) {
				got = append(got, w.Text())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestReasons(t *testing.T) {
	r, _ := record.Named(file(), english.Tokens("RN-4410"))
	if got := r.Reasons(record.Topics("Why was the van late?")); len(got) != 2 || got[0].Labeled {
		t.Errorf("the reason stands with what it explains, labels aside: %v", got)
	}
	if got := r.Reasons(record.Topics("Why is the mirror broken?")); got != nil {
		t.Errorf("a reason for something else is none: %v", got)
	}
}
