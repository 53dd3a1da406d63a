package prose

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

const (
	times     = " day week month year hour minute fortnight quarter second night weekend am pm noon midnight "
	weekdays  = " monday tuesday wednesday thursday friday saturday sunday "
	ordinals  = " first second third fourth fifth sixth seventh eighth ninth tenth fifteenth twentieth last "
	frequency = " every each daily weekly monthly yearly annually quarterly once twice "
	roles     = " manager supervisor head director officer committee team desk department hr finance board employer human resources accounts secretary operator whoever contractor doctor ceo cfo chief foreman engineer executive administrator chairman owner clerk union representative "
	// things end like agents and are none.
	things = " answer number letter matter either whether however further another together rather remainder register quarter counter computer printer container trailer border paper master transfer offer" +
		" smaller larger greater higher lower longer shorter earlier later sooner cheaper former error minor major prior interior exterior motor sector floor mirror factor important relevant constant significant september october november december "
	// quantities are nouns whose value is a figure.
	quantities = " allowance rate price cost fee limit rating weight temperature pressure speed charge percentage cap ceiling fine penalty bonus salary pay wage" +
		" length width height depth capacity voltage power distance size age ratio payment subsidy deposit value discount interest minimum maximum quota "
)

func in(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// holds reports whether a window holds the kind of thing that is asked for.
func holds(q *ask.Question, w *window) bool {
	switch {
	case q.HowMany || q.Want == ask.Count:
		return counted(q, w)
	case q.HowMuch, q.Want == ask.Sum, q.Want == ask.Average, q.Percent && !percent(w):
		return numeric(w) && !(q.Percent && !percent(w))
	case q.Long:
		return numeric(w) && has(w, times) || has(w, frequency)
	case q.When:
		return timed(w)
	case q.Who:
		return somebody(q, w)
	case q.Why:
		return strings.Contains(w.text, "because") || has(w, " since due reason so order therefore ")
	case measured(q):
		return numeric(w)
	}
	return true
}

func has(w *window, list string) bool {
	for _, t := range w.words {
		if in(list, t.Stem) || in(list, t.Fold) {
			return true
		}
	}
	return false
}

func figure(t english.Token) bool {
	_, word := english.Numeral(t.Fold)
	return word || t.Kind == english.Number
}

func numeric(w *window) bool {
	for _, t := range w.words {
		if figure(t) {
			return true
		}
	}
	return false
}

// reach is how many words after a figure its noun may stand: "26 full weeks".
const reach = 4

// counted reports whether a figure counts what the question counts: "how many
// days" wants a number of days, or of another unit of time.
func counted(q *ask.Question, w *window) bool {
	if q.Noun < 0 || q.Noun >= len(q.Tokens) {
		return numeric(w)
	}
	var nouns []english.Token
	for i := q.Noun; i < len(q.Tokens); i++ {
		t := q.Tokens[i]
		if t.Kind != english.Word || english.Stop(t.Fold) {
			if len(nouns) > 0 || t.Kind != english.Word {
				break
			}
			continue
		}
		nouns = append(nouns, t)
	}
	for i, t := range w.words {
		if !figure(t) {
			continue
		}
		for j := i + 1; j <= i+reach && j < len(w.words); j++ {
			for _, n := range nouns {
				if english.Kin(n, w.words[j]) || in(times, n.Stem) && in(times, w.words[j].Stem) {
					return true
				}
			}
		}
	}
	return false
}

func percent(w *window) bool {
	for i, t := range w.words {
		if strings.HasSuffix(t.Text, "%") || t.Stem == "percent" || t.Fold == "per" && i+1 < len(w.words) && w.words[i+1].Fold == "cent" {
			return true
		}
	}
	return false
}

// timed reports whether a window says when.
func timed(w *window) bool {
	return len(period.Find(w.text)) > 0 || has(w, times) || has(w, weekdays) || has(w, ordinals) || has(w, frequency) ||
		has(w, " before after within until by date once when upon ") && len(w.words) > 3
}

// somebody reports whether a window names somebody, by role or by name,
// that the question does not name itself.
func somebody(q *ask.Question, w *window) bool {
	asked := map[string]bool{}
	for _, t := range q.Tokens {
		asked[t.Stem] = true
	}
	byName := q.Is(0, "who", "is", "the") || q.Is(0, "who", "was", "the") || q.Is(0, "who", "are", "the")
	for i, t := range w.words {
		if byName && (i == 0 || !t.Capital()) {
			continue // "who is the manager" asks for a name
		}
		if !asked[t.Stem] && t.Kind == english.Word && (in(roles, t.Stem) || in(roles, t.Fold) || agent(t.Stem) || i > 0 && t.Capital()) {
			return true
		}
	}
	return false
}

// agent reports whether a word ends as names of people in a function do.
func agent(stem string) bool {
	if len(stem) < 6 || in(things, stem) {
		return false
	}
	for _, s := range []string{"er", "or", "ist", "ician", "man", "woman", "ant"} {
		if strings.HasSuffix(stem, s) {
			return true
		}
	}
	return false
}

// measured reports whether the question asks for the value of a quantity: "what
// is the … rate".
func measured(q *ask.Question) bool {
	if q.Polar {
		return false
	}
	for i, t := range q.Tokens {
		if q.Roles[i] == ask.Open && in(quantities, t.Stem) && i > 0 && wh(q) {
			return true
		}
		if t.Fold == "of" || t.Fold == "for" || t.Fold == "if" {
			break
		}
	}
	return false
}

func wh(q *ask.Question) bool {
	return len(q.Tokens) > 0 && (q.Tokens[0].Fold == "what" || q.Tokens[0].Fold == "which" || q.Tokens[0].Fold == "whats")
}
