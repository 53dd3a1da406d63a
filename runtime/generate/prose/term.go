package prose

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// term is a word of the question that a passage should support.
type term struct {
	english.Token
	light bool    // says little: neither asked for nor missed
	exact bool    // figures, codes, names: support is the word itself
	must  bool    // without support there is no answer
	news  float64 // how much it tells passages apart: less the more of them support it
}

// weight of a term: everyday words can be said otherwise, so they count half.
func (t term) weight() float64 {
	switch {
	case t.light:
		return 0
	case t.exact || !english.Common(t.Token):
		return 1
	}
	return 0.5
}

// lights are words of questions that say little about their subject.
const lights = " customer client buyer went come came company organisation organization firm policy rule document someone anyone anybody somebody everyone thing kind type sort way case" +
	" give get take make do go use apply happen ask able allow permit entitle entitled eligible must have keep let need require want know get receive granted" +
	" person people employee staff member worker i we you they he she amount number time much many long exactly " +
	" too value against toward towards" +
	" after before during without off other others used under between among per each every any during possible usual usually normal normally still ever already yet mean work working worked works set put bring does am "

// terms picks the words of a question that a passage should support. Periods are
// judged apart.
func terms(q *ask.Question) []term {
	var out []term
	from, to := focus(q)
	aside := clause(q)
	for i, t := range q.Tokens {
		if silent(q, i) {
			continue
		}
		superlative := q.Roles[i] == ask.Intent
		x := term{Token: t}
		x.exact = t.Kind != english.Word || t.Capital() && i > 0 || english.Negation(t.Fold) && t.Fold != "without"
		if _, word := english.Numeral(t.Fold); word {
			x.exact = true
		}
		x.light = !x.exact && (strings.Contains(lights, " "+t.Fold+" ") || strings.Contains(lights, " "+t.Stem+" "))
		x.must = x.exact || superlative || !x.light && i >= from && i < to || !x.light && !english.Common(t) && i < aside
		out = append(out, x)
	}
	return out
}

// silent reports whether a word says nothing that a passage could support: it
// holds the sentence together, asks, or is part of a period or of a comparison.
func silent(q *ask.Question, i int) bool {
	t := q.Tokens[i]
	switch q.Roles[i] {
	case ask.Period:
		return true
	case ask.Intent:
		return !ask.Superlative(t.Fold)
	case ask.Bounded:
		_, numeral := english.Numeral(t.Fold)
		return t.Kind != english.Number && !numeral
	}
	return english.Filler(t.Fold)
}

// linking words may stand between a question word and the noun asked for, or
// inside that noun's phrase.
const linking = " is are was were the a an of s any our my your their its there "

// focus is the phrase that says what is asked for: "study leave" of "how many days
// of study leave can I take". Its words must all be supported: a neighbour of
// another kind is no answer.
func focus(q *ask.Question) (from, to int) {
	at := -1
	for i, t := range q.Tokens {
		if t.Fold == "what" || t.Fold == "which" || t.Fold == "whats" {
			at = i + 1
			break
		}
		if (t.Fold == "many" || t.Fold == "much") && i > 0 && q.Tokens[i-1].Fold == "how" {
			at = i + 1
			break
		}
	}
	if at < 0 {
		return 0, 0
	}
	if at < len(q.Tokens) && strings.Contains(" is are was were ", " "+q.Tokens[at].Fold+" ") && !article(q, at+1) {
		return 0, 0 // "how much is paid": a verb follows
	}
	end := at
	for ; end < len(q.Tokens); end++ {
		t := q.Tokens[end]
		if english.Stop(t.Fold) && !strings.Contains(linking, " "+t.Fold+" ") {
			break
		}
	}
	return at, end
}

// article reports whether a determiner stands at i.
func article(q *ask.Question, i int) bool {
	return i < len(q.Tokens) && strings.Contains(" the a an my our your their its any s ", " "+q.Tokens[i].Fold+" ")
}

// clause is where a clause of circumstance begins ("… when my boss treats me
// unfairly"): its words may be said otherwise. It is the end of the question when
// there is none.
func clause(q *ask.Question) int {
	for i, t := range q.Tokens {
		if i > 1 && (t.Fold == "if" || t.Fold == "when" || t.Fold == "because" || t.Fold == "once") {
			return i
		}
	}
	return len(q.Tokens)
}
