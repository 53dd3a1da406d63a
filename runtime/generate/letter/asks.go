package letter

import (
	"regexp"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

var (
	// polite opens a request; what is left of it is the question.
	polite = regexp.MustCompile(`(?i)^(?:(?:so|and|also|then|but|now|ok|okay)[, ]+)?(?:please|kindly|(?:could|can|would|will) (?:you|somebody|someone|anyone)(?: please| kindly)?|may i|i(?:'d| would) (?:like|need|want) (?:you )?to|i(?:'d| would) be grateful if you (?:could|would)|i want to|we want to|we need to|we would like to)[, ]+(?:please )?(?:(?:tell|let|remind|inform|advise|explain to|show|send|give|confirm to) (?:me|us)(?: know)?(?: of| about)?|explain|confirm|clarify|check|state|say|advise|know|ask|ascertain)\b\s*`)
	// wondering opens an indirect question.
	wondering = regexp.MustCompile(`(?i)^(?:(?:i|we) (?:was|were|am|are|'m) wondering|(?:i|we) wonder|do you know|any idea|let (?:me|us) know|tell (?:me|us)|please)\b[, ]*(?:if |whether )?`)
	// asking are the words that open a question without a question mark.
	asking = regexp.MustCompile(`(?i)^(?:what|when|where|which|who|whom|whose|why|how)\b`)
	// next is where another question begins in the same sentence.
	next = regexp.MustCompile(`(?i),?\s+(?:and|or)\s+(?:if so,?\s+)?(?:also\s+)?(?:(?:by |until |up to |for |from |at |in |on |to )?(?:what|when|which|whom)|how|why|who|where|is there|are there|do|does|can|may|must|will|would|should|could)\b`)
	// before are prepositions that belong to the next question.
	conjunction = regexp.MustCompile(`(?i)^,?\s+(?:and|or)\s+(?:if so,?\s+)?(?:also\s+)?`)
	aside       = regexp.MustCompile(`^[^?]{0,60}\s[-–—:]\s+`)
)

// asksOf returns the questions of a sentence; none when it only tells.
func asksOf(s string) []Ask {
	if terse(s) && strings.Contains(s, "?") {
		return []Ask{{Text: s, Terse: true}}
	}
	text, asks := s, strings.HasSuffix(strings.TrimRight(s, " \"”’)"), "?")
	if m := aside.FindStringIndex(text); m != nil && asking.MatchString(text[m[1]:]) && only(text[:m[1]]) {
		text = text[m[1]:] // "88407 - when did the truck …"
	}
	if prices(text) {
		return []Ask{{Text: text, Price: true}}
	}
	for _, opening := range []*regexp.Regexp{polite, wondering} {
		if m := opening.FindStringIndex(text); m != nil && m[1] < len(text) {
			text, asks = strings.TrimLeft(text[m[1]:], " ,"), true
			break
		}
	}
	if !asks && asking.MatchString(text) && len(strings.Fields(text)) > 2 && !strings.Contains(text, ",") {
		asks = true // a question mark forgotten
	}
	if !asks {
		return nil
	}
	var out []Ask
	for _, part := range parts(text) {
		out = append(out, Ask{Text: part, Terse: terse(part)})
	}
	return out
}

// only reports whether a text is an identifier and nothing else.
func only(text string) bool {
	for _, t := range english.Tokens(text) {
		if t.Kind == english.Word {
			return false
		}
	}
	return true
}

// parts cuts a sentence where another question begins.
func parts(text string) []string {
	var out []string
	for {
		at := -1
		for _, m := range next.FindAllStringIndex(text, -1) {
			if len(strings.Fields(text[:m[0]])) >= 2 && questions(text[:m[0]]) {
				at = m[0]
				break
			}
		}
		if at < 0 {
			break
		}
		out = append(out, strings.TrimRight(strings.TrimSpace(text[:at]), ",")+"?")
		text = conjunction.ReplaceAllString(text[at:], "")
	}
	return append(out, strings.TrimSpace(text))
}

var opens = regexp.MustCompile(`(?i)(?:^|[,:;]\s+|^(?:by|until|up to|for|from|at|in|on|to|of|after|if)\s+[^,]{0,80})\b(?:what|when|where|which|who|whom|whose|why|how|is|are|was|were|do|does|did|can|could|may|must|will|would|should|has|have)\b`)

// questions reports whether the text before a joint is a question itself: in "the
// trailer and how it is washed" it is none.
func questions(text string) bool { return opens.MatchString(text) }

// verbal opens a sentence that asks with a verb.
var verbal = regexp.MustCompile(`(?i)^(?:what|when|where|which|who|whom|whose|why|how|is|are|was|were|do|does|did|can|could|may|must|will|would|should|has|have|had)\b`)

// few is how many words beside its identifier a terse question has.
const few = 3

// terse reports whether a text is an identifier with a word or two: "CT-88231
// detention?".
func terse(s string) bool {
	if verbal.MatchString(s) {
		return false
	}
	words, codes := 0, 0
	for _, t := range english.Tokens(s) {
		switch {
		case Identifier(t):
			codes++
		case english.Filler(t.Fold): // "on", "the"
		default:
			words++
		}
	}
	return codes > 0 && words <= few && words+codes <= few+1 && len(strings.Fields(s)) <= few+2
}

// fewest is how many digits an identifier has: "A43" is a road, "3t" a weight.
const fewest = 3

// Identifier reports whether a token names a paper: a code with three digits, or a
// bare number of four or more that is no year and no amount.
func Identifier(t english.Token) bool {
	digits := 0
	for _, r := range t.Text {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	switch t.Kind {
	case english.Code:
		return digits >= fewest && strings.ContainsFunc(t.Text, letter)
	case english.Number:
		return digits > fewest && digits == len(t.Text) && !(digits == 4 && (t.Text[:2] == "19" || t.Text[:2] == "20"))
	}
	return false
}

func letter(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' }

var price = regexp.MustCompile(`(?i)\b(?:quote|quotation|offer us|best (?:price|rate|offer)|(?:give|send|make|let) (?:us|me) (?:have )?(?:a|an|your|the)(?: \w+)? (?:price|rate|offer|quote)|(?:price|rate|cost) (?:request|estimate|enquiry|inquiry))\b`)

// prices reports whether a text asks for a price to be made.
func prices(text string) bool { return price.MatchString(text) }
