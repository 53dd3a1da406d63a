package prose

import (
	"math"
	"math/big"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

// Bounds of admission, by words (share, inside) and by meaning (cosines of
// all-MiniLM-L6-v2). Cosines alone do not part answers from neighbours: measured
// on 42 pairs, answers lie at .39 to .71 and neighbours at .19 to .74.
const (
	covered  = 0.8  // share of the question's weight that must be supported, by words alone
	partly   = 0.55 // the same where the meaning of the whole speaks for the sentence
	meant    = 0.45 // cosine of question and sentence that speaks for it
	both     = 0.9  // what the share and half the cosine must come to then
	distinct = 0.12 // by how much a sentence must be nearer than any other passage to be admitted on a single word
	apart    = 0.15 // the same for a sentence that says most of the words
	fair     = 0.4  // its cosine
	own      = 0.4  // share that the sentence itself must support
	related  = 0.25 // cosine of question and sentence under which nothing is an answer
	kin      = 0.95 // what a word of the same family supports
)

// judged is a window with what the question makes of it.
type judged struct {
	window  *window
	share   float64 // of the question's weight, supported
	inside  float64 // supported by the sentence itself
	sense   float64 // cosine, 0 without a scorer
	margin  float64 // of the cosine, over other passages
	missing string  // a word without which there is no answer
	kind    bool    // holds the kind of thing asked for
	score   float64
	scored  bool
}

// passes reports whether a window answers. Words decide; meaning stands in for
// some of them where it is clear, and never for a word that must be there.
func (j judged) passes() bool {
	switch {
	case j.missing != "", !j.kind, j.inside == 0:
		return false
	case j.share >= covered && j.inside >= own:
		return !j.scored || j.sense >= related
	case !j.scored:
		return false
	case j.share >= partly && j.inside >= own && (j.sense >= meant && j.share+j.sense/2 >= both || j.sense >= fair && j.margin >= apart):
		return true
	}
	return j.sense >= meant && j.margin >= distinct
}

// certain reports whether the words alone say that this is the answer.
func (j judged) certain() bool { return j.passes() && j.share >= 0.99 }

// judge weighs a window.
func judge(q *ask.Question, asked []term, w *window, s sense) judged {
	j := judged{window: w, kind: holds(q, w), sense: s[w], scored: s != nil, margin: s.margin(w)}
	total, telling, all := 0.0, 0.0, 0.0
	for _, t := range asked {
		weight := t.weight()
		total += weight
		in, best := supports(t, w)
		j.inside += weight * in
		j.share += weight * best
		telling += weight * t.news * best
		all += weight * t.news
		if j.missing == "" && (t.must && best < named || best < kin && contrary(t, w)) {
			j.missing = t.Text
		}
	}
	if total > 0 {
		j.share /= total
		j.inside /= total
	}
	if all > 0 {
		j.score += telling / all
	}
	for _, p := range q.Periods {
		if !slices.ContainsFunc(w.periods, p.Covers) && j.missing == "" {
			j.missing = p.Period.String()
		}
	}
	if q.Polar && !bears(asked, w) && !(j.sense >= meant && j.margin >= apart) {
		j.kind = false
	}
	j.score += j.inside/2 + j.sense
	if j.kind {
		j.score += 0.25
	}
	if w.parts > 1 {
		j.score -= 0.1 // one sentence is the better answer
	}
	return j
}

// bears reports whether a window bears on a question of yes or no: it says two of
// its words, or all in the same form. A sentence on payment does not say whether
// something has been paid.
func bears(asked []term, w *window) bool {
	said, literal, n := 0, 0, 0
	for _, t := range asked {
		if t.light || t.Kind == english.Code {
			continue
		}
		n++
		for _, list := range [][]english.Token{w.words, w.over} {
			if slices.ContainsFunc(list, func(x english.Token) bool { return t.Stem == x.Stem || t.Root == x.Root }) {
				literal++
				break
			}
		}
		if max(support(t, w.words), support(t, w.over)) >= kin {
			said++
		}
	}
	return said >= 2 || literal == n
}

// named is what the support of a title counts: all the passages of a document
// have it, so it does not tell them apart.
const named = 0.5

// supports rates how far the sentence, and the sentence under its heading and
// title, support a term.
func supports(t term, w *window) (inside, best float64) {
	inside = support(t, w.words)
	if t.Stem == "date" && inside < kin && len(period.Find(w.text)) > 0 {
		inside = kin // "the due date": the sentence has the date itself
	}
	best = max(inside, support(t, w.over))
	title := support(t, w.title)
	if !t.exact {
		title *= named
	}
	return inside, max(best, title)
}

// rate finds out how much each term tells the windows apart.
func rate(asked []term, windows []*window) {
	for i := range asked {
		n := 0.0
		for _, w := range windows {
			_, best := supports(asked[i], w)
			n += best
		}
		asked[i].news = math.Log(1 + float64(len(windows))/(1+n))
	}
}

// support rates how far words support a term: 1 for the word itself, less for one
// of its family.
func support(t term, words []english.Token) float64 {
	best := 0.0
	for _, w := range words {
		switch {
		case same(t, w):
			return 1
		case t.exact || w.Kind != english.Word || english.Stop(w.Fold):
		case english.Kin(t.Token, w):
			best = kin
		}
	}
	return best
}

// contrary reports whether the sentence or its heading says a word that excludes
// the term: of a bicycle where a car is asked for.
func contrary(t term, w *window) bool {
	for _, list := range [][]english.Token{w.words, w.over} {
		if slices.ContainsFunc(list, func(x english.Token) bool { return english.Contrary(t.Token, x) }) {
			return true
		}
	}
	return false
}

// same reports whether a word of the passage is the term itself; figures by value.
func same(t term, w english.Token) bool {
	if w.Stem == t.Stem || w.Root == t.Root && (!t.exact || t.Kind == english.Word) {
		return true
	}
	if !t.exact {
		return false
	}
	if t.Kind == english.Code {
		return w.Kind == english.Code && english.Bare(w.Fold) == english.Bare(t.Fold)
	}
	if english.Negation(t.Fold) {
		return english.Negation(w.Fold)
	}
	a, ok := value(t.Token)
	b, too := value(w)
	return ok && too && a.Cmp(b) == 0
}

func value(t english.Token) (*big.Rat, bool) {
	if n, ok := english.Numeral(t.Fold); ok {
		return big.NewRat(int64(n), 1), true
	}
	if t.Kind != english.Number {
		return nil, false
	}
	a, ok := amount.Parse(t.Text, false)
	return a.Value, ok
}
