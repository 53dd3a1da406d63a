package ask

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

var (
	highest = strings.Fields("highest largest biggest maximum max most greatest best top")
	lowest  = strings.Fields("lowest smallest least minimum min fewest")
	totals  = strings.Fields("total totals sum altogether combined aggregate totalling cumulative")
	polar   = strings.Fields("is are was were do does did can could may will would has have had should must")
)

// Superlative reports whether a word asks for the top or the bottom of something.
func Superlative(fold string) bool {
	return slices.Contains(highest, fold) || slices.Contains(lowest, fold)
}

// intents finds the words that say what is wanted.
func (q *Question) intents() {
	wants := map[Want]bool{}
	first := q.opens()
	for i, t := range q.Tokens {
		if q.Roles[i] != Open {
			continue
		}
		switch {
		case q.Is(i, "how", "many"), q.Is(i, "head", "count"), q.Is(i, "how", "much"), q.Is(i, "how", "long"), q.Is(i, "how", "often"):
			q.how(i, wants)
		case q.counts(i):
			wants[Count] = true
			q.Heads = t.Fold == "headcount"
			q.Roles[i] = Intent
			if q.Is(i+1, "of") {
				q.Noun = i + 2
			}
		case q.Is(i, "in", "all"):
			q.Total = true
			q.mark(i, i+2, Intent)
		case q.comesTo(i):
			q.Total = true
			q.mark(i, i+2, Intent)
		case slices.Contains(totals, t.Fold):
			q.Total = true
			q.Roles[i] = Intent
		case t.Fold == "average" || t.Fold == "mean" && i > 0:
			wants[Average] = true
			q.Roles[i] = Intent
		case slices.Contains(highest, t.Fold) && !q.bounding(i):
			wants[Highest] = true
			q.Roles[i] = Intent
		case slices.Contains(lowest, t.Fold) && !q.bounding(i) && !q.Is(i-1, "at"):
			wants[Lowest] = true
			q.Roles[i] = Intent
		default:
			q.asks(i, t, i == first)
		}
	}
	q.settle(wants)
}

// bounding reports whether "at most" and "at least" stand at i.
func (q *Question) bounding(i int) bool { return q.Is(i-1, "at") }

// how reads "how many", "how much", "how long" at i.
func (q *Question) how(i int, wants map[Want]bool) {
	q.mark(i, i+2, Intent)
	switch q.Tokens[i+1].Fold {
	case "many":
		q.HowMany = true
		wants[Count] = true
		q.Noun = i + 2
	case "count":
		q.Heads = true
		wants[Count] = true
	case "much":
		q.HowMuch = true
	default:
		q.Long = true
	}
}

// counts reports whether the token at i asks for a count: "the number of", "a
// count of", "headcount"; but not "the invoice number of".
func (q *Question) counts(i int) bool {
	t := q.Tokens[i]
	switch t.Fold {
	case "headcount":
		return true
	case "count":
		return true
	case "number":
		return q.Is(i+1, "of") && (i == 0 || english.Filler(q.Tokens[i-1].Fold))
	}
	return false
}

// comesTo reports whether "add up" stands at i, or "come to" and "amount to" at the
// end of what is asked: "what did the advances come to in May".
func (q *Question) comesTo(i int) bool {
	if i+1 >= len(q.Tokens) || q.opens() < 0 || q.opens() > i {
		return false
	}
	switch q.Tokens[i].Fold {
	case "add", "adds", "added":
		return q.Is(i+1, "up")
	case "come", "comes", "came", "amount", "amounts", "amounted":
		return q.Is(i+1, "to") && (i+2 >= len(q.Tokens) || q.Roles[i+2] == Period || slices.Contains([]string{"in", "for", "at", "on", "altogether"}, q.Tokens[i+2].Fold))
	}
	return false
}

// opens is the first question word; later ones open a clause ("when I drive").
func (q *Question) opens() int {
	for i, t := range q.Tokens {
		switch t.Fold {
		case "what", "which", "who", "whom", "whose", "when", "where", "why", "how":
			return i
		}
	}
	return -1
}

// asks notes the question words.
func (q *Question) asks(i int, t english.Token, first bool) {
	switch t.Fold {
	case "who", "whom", "whose":
		q.Who = q.Who || first
	case "when":
		q.When = q.When || first
	case "where":
		q.Where = q.Where || first
	case "why":
		q.Why = q.Why || first
		q.Roles[i] = Intent
	case "percentage", "percent":
		q.Percent = true
	case "each", "every", "per":
		q.Each = i + 1
	}
	if i == 0 && slices.Contains(polar, t.Fold) {
		q.Polar = true
	}
}

// settle decides between the operations found. A total of a count is a count;
// any other two at once are more than one answer.
func (q *Question) settle(wants map[Want]bool) {
	if q.Total && !wants[Count] {
		wants[Sum] = true
	}
	q.Mixed = len(wants) > 1
	for w := range wants {
		q.Want = w
	}
}

// Post reports whether the question asks what somebody works as.
func (q *Question) Post() bool {
	for i := range q.Tokens {
		if (q.Is(i, "work", "as") || q.Is(i, "works", "as") || q.Is(i, "employed", "as")) && i > 0 && q.opens() >= 0 {
			return true
		}
	}
	return false
}
