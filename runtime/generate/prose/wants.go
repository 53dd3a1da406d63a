package prose

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

// What questions of letters ask for.
var (
	costs   = regexp.MustCompile(`(?i)\b(?:how much|what)\b[^?]{0,40}\b(?:cost|charge|bill|owe|pay|price|fee|rate|penalty|fine|deposit|surcharge)s?\b`)
	amounts = regexp.MustCompile(`(?i)\b(?:what|how much)\b`)
	latest  = regexp.MustCompile(`(?i)^(?:by|until|till|within|before) (?:when|what (?:date|day|time)|which (?:date|day))\b|\b(?:how (?:long|soon|quickly|fast|late|many (?:days|weeks|hours))|deadline)\b`)
	oftens  = regexp.MustCompile(`(?i)\bhow often\b`)
	needs   = regexp.MustCompile(`(?i)\bwhat (?:else )?(?:do|would|will|does) (?:you|the \w+) (?:need|require|want)\b|\bwhat (?:papers|documents|information|details)\b|\bwhat (?:must|should|do|shall) (?:we|i) (?:have to |need to )?(?:send|give|provide|submit|bring)\b`)
	topmost = regexp.MustCompile(`(?i)\b(?:the most|at most|maximum|limit|ceiling|cap|highest)\b`)
	persons = regexp.MustCompile(`(?i)^(?:and )?(?:who|whom)\b`)
	// expletive is an "it" that speaks of nothing: "what does it cost to …".
	expletive = regexp.MustCompile(`(?i)\b(?:does|will|would|did|is) it (?:cost|take|possible|ok|okay|allowed|true)\b`)
	pronouns  = regexp.MustCompile(`(?i)\b(?:it|that|this|them|those|these|one (?:is|was|gets|has))\b`)
)

// What clauses say.
var (
	money    = regexp.MustCompile(`[$€£₹]\s?\d|\b(?:Rs\.?|INR|USD|EUR|GBP)\s?\d|\d\s?(?:percent|per cent|%)`)
	figured  = regexp.MustCompile(`[$€£₹]\s?\d[\d,]*(?:\.\d+)?`)
	duration = regexp.MustCompile(`(?i)(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|ninety|half an?|an?)\b)(?:-|\s)?(?:\w+\s)?(?:minute|hour|day|night|week|fortnight|month|quarter|year)s?\b`)
	limits   = regexp.MustCompile(`(?i)\blimit|\bat most\b|\bup to\b|\b(?:never|not|no) more than\b|\bmaximum\b|\bcap(?:ped)?\b|\bceiling\b|\bexceed|\b(?:the )?most\b`)
	requires = regexp.MustCompile(`(?i)•|\b(?:needs?|requires?|required|must|sends?|gives?|belongs?|provides?|supplies|names|is sent|are sent|asked for|quotes?)\b`)
	// defers matches clauses that say that the answer stands in another paper.
	defers = regexp.MustCompile(`(?i)\b(?:agreed|set out|set|laid down|stated|given|fixed|found|shown) in (?:each|every|the|your|its|their|a) (?:\w+ )?(?:contract|agreement|order|schedule|policy|lease)\b|\bnot the same for (?:everyone|everybody|all)\b|\bdiffers? (?:from|between|by) (?:contract|customer|one)|\bvar(?:y|ies) (?:from|by|with)\b`)
	// onRequest matches clauses that leave a price to people.
	onRequest = regexp.MustCompile(`(?i)\b(?:quoted?|priced?|prices|rates?|offers?)\b[^.]{0,60}\b(?:case by case|on request|individually|by arrangement|on application|for (?:each|one) (?:job|case|load|order) at a time)\b|\bno (?:standing|fixed|set|list|standard) prices?\b|\b(?:gives?|names?|quotes?) (?:no|a) figure\b`)
)

// Money reports whether a question asks for an amount of money.
func Money(text string) bool {
	return stanceOf(text) != neither && amounts.MatchString(text) && !latest.MatchString(text) || costs.MatchString(text)
}

// answers reports whether a clause holds the kind of thing that a question asks
// for, in a sentence that speaks of it: about are the words by which one does.
func answers(q *ask.Question, c *Clause, about []term) bool {
	text := strings.TrimSpace(q.Text)
	switch {
	case q.Want == ask.Sum, q.Want == ask.Average, q.Want == ask.Count && !q.HowMany, q.Mixed:
		return false // worked out from a table, or not at all
	case topmost.MatchString(text) && !limits.MatchString(c.Text):
		return false
	}
	holds, most := kindOf(q, text), 1
	if short := content(about); q.When && len(short) == 2 {
		most = 2 // "when do we pay an invoice": of both, or of something else
	}
	return holds == nil || slices.ContainsFunc(c.parts, func(w *window) bool { return holds(w) && speaks(w, about, most) })
}

// content are the words of a list that say something.
func content(terms []term) []term {
	return slices.DeleteFunc(slices.Clone(terms), func(t term) bool { return t.light })
}

// kindOf is what a sentence must hold; nil when anything may answer.
func kindOf(q *ask.Question, text string) func(*window) bool {
	switch {
	case q.HowMany:
		asked := terms(q)
		return func(w *window) bool {
			share, missing := said(asked, w)
			return missing == "" && share >= worded && counted(q, w) && covers(q, w)
		}
	case oftens.MatchString(text):
		return func(w *window) bool { return has(w, frequency) }
	case latest.MatchString(text):
		return func(w *window) bool { return duration.MatchString(w.text) || len(period.Find(w.text)) > 0 }
	case Money(text), stanceOf(text) == gets && amounts.MatchString(text):
		return func(w *window) bool { return money.MatchString(w.text) }
	case needs.MatchString(text):
		return func(w *window) bool { return requires.MatchString(w.text) }
	case persons.MatchString(text):
		return func(w *window) bool { return somebody(q, w) }
	case q.When:
		return timed
	}
	return nil
}

// covers reports whether a sentence is about every period of a question.
func covers(q *ask.Question, w *window) bool {
	for _, p := range q.Periods {
		if !slices.ContainsFunc(w.periods, p.Covers) {
			return false
		}
	}
	return true
}

// speaks reports whether a sentence, with its heading, says so many of the words;
// there may be none to say.
func speaks(w *window, about []term, most int) bool {
	about = content(about)
	if most > 1 { // by itself: its heading stands over other sentences too
		w = &window{words: w.words}
	}
	return len(about) == 0 || literal(w, about) >= most
}

var boundary = regexp.MustCompile(`[.;?!]["”’)]*\s+`)

// pieces are the sentences of a clause's text.
func pieces(text string) []string {
	var out []string
	from := 0
	for _, m := range boundary.FindAllStringIndex(text, -1) {
		if s := strings.TrimSpace(text[from:m[1]]); len(english.Tokens(s)) > 2 {
			out = append(out, s)
			from = m[1]
		}
	}
	if s := strings.TrimSpace(text[from:]); s != "" {
		out = append(out, s)
	}
	return out
}

// Limits are the amounts of money of sentences that speak of a limit.
func Limits(text string) []amount.Amount {
	var out []amount.Amount
	for _, s := range pieces(text) {
		if !limits.MatchString(s) {
			continue
		}
		for _, f := range figured.FindAllString(s, -1) {
			if a, ok := amount.Parse(f, false); ok {
				out = append(out, a)
			}
		}
	}
	return out
}
