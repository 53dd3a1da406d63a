package letter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hardgate-dev/hardgate/runtime/generate/letter"
)

func TestRead(t *testing.T) {
	tests := map[string]struct {
		reason, text string
		want         *letter.Letter
	}{
		"Plain": {
			reason: "a question that is no letter is left to the other readers", text: "How many employees are there?",
		},
		"StoryAndAsk": {
			reason: "only the sentence that asks is a question; the name at the foot is none of it",
			text:   "Subject: Overcharged\n\nHi, we were charged $40.00 for cleaning on R-1042. Could you tell me why?\n\nThanks, Dana",
			want:   &letter.Letter{Subject: "Overcharged", Story: []string{"we were charged $40.00 for cleaning on R-1042."}, Asks: []letter.Ask{{Text: "why?", After: "we were charged $40.00 for cleaning on R-1042."}}},
		},
		"TwoAsks": {
			reason: "two questions of one sentence are answered one by one",
			text:   "Subject: Return\n\nHello,\n\nBy when does it have to be back, and what do you need from us?\n\nKind regards,\nAnn Lee\nLee & Sons",
			want:   &letter.Letter{Subject: "Return", Asks: []letter.Ask{{Text: "By when does it have to be back?"}, {Text: "what do you need from us?", After: "By when does it have to be back?"}}},
		},
		"NotTwo": {
			reason: "what follows and is no question of its own while no question stands before it",
			text:   "Subject: Wash\n\nDear Mr Hale,\nwe saw the trailer and how it is washed. Is that usual?",
			want:   &letter.Letter{Subject: "Wash", Story: []string{"we saw the trailer and how it is washed."}, Asks: []letter.Ask{{Text: "Is that usual?", After: "we saw the trailer and how it is washed."}}},
		},
		"Request": {
			reason: "a request asks without a question mark",
			text:   "Subject: Terms\n\nGood morning. Please confirm our payment terms.\nBest,\nJo",
			want:   &letter.Letter{Subject: "Terms", Asks: []letter.Ask{{Text: "our payment terms."}}},
		},
		"History": {
			reason: "what is quoted from an earlier letter is not asked",
			text:   "Subject: RE: Your call\n\n> What is your order number?\nIs Saturday extra?\n\nOn 3 Nov 2026 Ruth wrote:\nWhen do you need it?",
			want:   &letter.Letter{Subject: "Your call", Asks: []letter.Ask{{Text: "Is Saturday extra?"}}},
		},
		"CodeAlone": {
			reason: "an identifier alone asks what there is on it",
			text:   "Subject: R-1042\n\nR-1042",
			want:   &letter.Letter{Subject: "R-1042", Asks: []letter.Ask{{Text: "R-1042", Terse: true}}},
		},
		"TerseSubject": {
			reason: "a letter without a body asks by its subject", text: "Subject: R-1042 cleaning?\n\nDana",
			want: &letter.Letter{Subject: "R-1042 cleaning?", Asks: []letter.Ask{{Text: "R-1042 cleaning?", Terse: true}}},
		},
		"NumberFirst": {
			reason: "the number before the dash names what the question is about; it stays in the subject",
			text:   "Subject: 1042\n\n1042 - when did it come back?",
			want:   &letter.Letter{Subject: "1042", Asks: []letter.Ask{{Text: "when did it come back?"}}},
		},
		"Price": {
			reason: "a price that is still to be made is a person's to make",
			text:   "Subject: Enquiry\n\nPlease send us your best price for six weeks.",
			want:   &letter.Letter{Subject: "Enquiry", Asks: []letter.Ask{{Text: "Please send us your best price for six weeks.", Price: true}}},
		},
		"NoQuestion": {
			reason: "a sentence alone under a subject that says nothing is what is asked",
			text:   "Subject: Enquiry\n\nHello,\nnumber of towers on site.\n\nAnn",
			want:   &letter.Letter{Subject: "Enquiry", Asks: []letter.Ask{{Text: "number of towers on site."}}},
		},
		"NotTerse": {
			reason: "a question with a verb asks something of its own, however short",
			text:   "Subject: R-1042\n\nHas R-1042 been paid?",
			want:   &letter.Letter{Subject: "R-1042", Asks: []letter.Ask{{Text: "Has R-1042 been paid?"}}},
		},
		"Abbreviation": {
			reason: "the point of an abbreviation ends no sentence, nor does a line that was broken",
			text:   "Subject: Damage\n\nYour invoice no. 77123 has a line for a bent mast that nobody on our\nsite has seen. How long do we have to object?",
			want:   &letter.Letter{Subject: "Damage", Story: []string{"Your invoice no. 77123 has a line for a bent mast that nobody on our site has seen."}, Asks: []letter.Ask{{Text: "How long do we have to object?", After: "Your invoice no. 77123 has a line for a bent mast that nobody on our site has seen."}}},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := letter.Read(tc.text)
			if ok != (tc.want != nil) {
				t.Fatalf("%s: is a letter: %v", tc.reason, ok)
			}
			if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
