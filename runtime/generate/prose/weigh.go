package prose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// weighed is a clause with what a matter makes of it.
type weighed struct {
	*Clause
	asked   float64 // share of the question's own words that it supports
	told    float64 // share of the words of question and story, by what they tell apart
	sense   float64 // cosine with question and story
	direct  float64 // cosine with the question alone
	missing string  // a word of the question without which there is no answer
	words   int     // how many words of question, sentence before and subject it says
	bound   bool    // it says a word of the sentence that "it" speaks of, or none is spoken of
	titled  bool    // its heading says all that is asked for
	kind    bool
	against bool // speaks of money that goes the other way
	scored  bool // a scorer was asked
	score   float64
}

// matter is a Matter taken apart.
type matter struct {
	q       *ask.Question
	asked   []term // words of the question
	near    []term // of the sentence before
	told    []term // of subject and story
	subject []term
	lost    bool // the question says nothing itself
	points  bool // it says "it" of the sentence before
	way     stance
}

// newMatter takes a matter apart; the clauses tell how much each word tells apart.
func newMatter(m Matter, clauses []*Clause) *matter {
	r := &matter{q: ask.Parse(english.Plain(m.Ask)), near: background(m.After), subject: background(m.Subject), way: stanceOf(m.Ask)}
	r.asked = terms(r.q)
	if Money(m.Ask) {
		r.asked = slices.DeleteFunc(r.asked, monetary)
	}
	if topmost.MatchString(m.Ask) { // a limit may be said otherwise
		for i, t := range r.asked {
			r.asked[i].must = t.must && !topmost.MatchString("the "+t.Text)
		}
	}
	r.lost = vague(r.asked)
	r.points = pronouns.MatchString(expletive.ReplaceAllString(m.Ask, ""))
	r.told = slices.Clone(r.subject)
	for _, s := range m.Story {
		if s != m.After {
			r.told = append(r.told, background(s)...)
		}
	}
	whole := make([]*window, len(clauses))
	for i, c := range clauses {
		whole[i] = c.window
	}
	for _, list := range [][]term{r.asked, r.near, r.told} {
		rate(list, whole)
	}
	return r
}

// What speaks for a clause beside its words, and against it.
const (
	ofKind   = 0.2  // it holds what is asked for
	asTitled = 0.3  // its heading is what is asked for
	opposed  = 0.4  // it speaks of money that goes the other way
	perRank  = 0.02 // for each that retrieval ranks above it
)

// weigh judges every clause for a matter, best first. The scorer may be nil.
func weigh(ctx context.Context, clauses []*Clause, m Matter, scorer Scorer) ([]weighed, error) {
	r := newMatter(m, clauses)
	cosines, err := nearness(ctx, scorer, m, clauses)
	if err != nil {
		return nil, err
	}
	out := make([]weighed, len(clauses))
	for i, c := range clauses {
		w := r.read(c)
		w.direct, w.sense, w.scored = cosines[i][0], cosines[i][1], scorer != nil
		w.score = w.told + w.sense/2 + w.direct/2 + w.asked/4 - perRank*float64(c.rank)
		for _, by := range []struct {
			holds bool
			score float64
		}{{w.kind, ofKind}, {w.titled, asTitled}, {w.against, -opposed}} {
			if by.holds {
				w.score += by.score
			}
		}
		out[i] = w
	}
	slices.SortStableFunc(out, func(a, b weighed) int { return compare(b.score, a.score) })
	return out, nil
}

// read finds out how far a clause speaks of the matter, by words.
func (r *matter) read(c *Clause) weighed {
	about := r.asked
	if r.lost {
		about = slices.Concat(r.near, r.told)
	}
	w := weighed{Clause: c, kind: answers(r.q, c, about), against: r.way.against(c.window)}
	w.words = literal(c.window, r.asked, r.near, r.subject)
	w.titled = !r.lost && titled(r.asked, c.window)
	w.bound = !r.points || len(r.near) == 0 || weighty(r.near, c.window) >= spoken
	if w.asked, w.missing = said(r.asked, c.window); r.lost {
		w.asked, _ = said(r.near, c.window) // it speaks of the sentence before
	}
	for _, p := range r.q.Periods {
		if w.missing == "" && !slices.ContainsFunc(c.window.periods, p.Covers) {
			w.missing = p.Period.String()
		}
	}
	w.told = telling(c.window, share{r.asked, 1}, share{r.near, antecedent}, share{r.told, storied})
	return w
}

// monetary reports whether a word asks for money: what a clause must hold then is
// an amount, whatever it calls it.
func monetary(t term) bool {
	return t.Kind == english.Word && in(" owe owed cost costs charge charged bill billed pay paid price add added money much ", t.Fold)
}

// background are the words of a sentence of the story that a clause may speak of:
// no names and no figures.
func background(s string) []term {
	var out []term
	for i, t := range terms(ask.Parse(english.Plain(s))) {
		if t.Kind != english.Word || t.Capital() && i > 0 || english.Negation(t.Fold) {
			continue
		}
		t.exact, t.must = false, false
		out = append(out, t)
	}
	return out
}

// literal counts the different words of lists that a section says, in its text or
// over it.
func literal(w *window, lists ...[]term) int {
	seen := map[string]bool{}
	for _, t := range slices.Concat(lists...) {
		if !t.light && max(support(t, w.words), support(t, w.over)) >= kin {
			seen[t.Root] = true
		}
	}
	return len(seen)
}

// spoken is the share of the sentence before that a section must say for "it" to be
// what the section is about.
const spoken = 0.25

// weighty is the share of words, by weight, that a section says in its text or over it.
func weighty(terms []term, w *window) float64 {
	total, got := 0.0, 0.0
	for _, t := range terms {
		total += t.weight()
		if max(support(t, w.words), support(t, w.over)) >= kin {
			got += t.weight()
		}
	}
	if total == 0 {
		return 1
	}
	return got / total
}

// titled reports whether a heading is what is asked for: it says every word of the
// question, and no more than as much again.
func titled(asked []term, w *window) bool {
	said, more := 0, 0
	for _, o := range w.over {
		switch {
		case o.Kind != english.Word || english.Stop(o.Fold):
		case slices.ContainsFunc(asked, func(t term) bool { return support(t, []english.Token{o}) >= kin }):
			said++
		default:
			more++
		}
	}
	return said > 0 && more <= said && !slices.ContainsFunc(content(asked), func(t term) bool { return support(t, w.over) < kin })
}

// said is the share of the question's weight that a clause supports, and the first
// word that it must support and does not.
func said(asked []term, w *window) (share float64, missing string) {
	total := 0.0
	for _, t := range asked {
		_, best := supports(t, w)
		weight := t.weight()
		total += weight
		share += weight * best
		rare := !t.light && !english.Common(t.Token)
		if missing == "" && ((rare || t.must) && best < named && t.Fold != "no" && t.Fold != "not" || best < kin && contrary(t, w)) {
			missing = t.Text
		}
	}
	if total > 0 {
		share /= total
	}
	return share, missing
}

// What a word of the sentence before, and of the rest of the story, counts beside
// one of the question.
const (
	antecedent = 0.8
	storied    = 0.5
)

// share is a list of words with what each counts.
type share struct {
	terms []term
	by    float64
}

// telling is the share of what tells clauses apart, of question and story.
func telling(w *window, lists ...share) float64 {
	total, got := 0.0, 0.0
	for _, list := range lists {
		for _, t := range list.terms {
			weight := list.by * t.weight() * t.news
			_, best := supports(t, w)
			total += weight
			got += weight * best
		}
	}
	if total == 0 {
		return 0
	}
	return got / total
}

// Vague reports whether a question says nothing itself, so that it speaks of what
// stands before it.
func Vague(question string) bool {
	return vague(slices.DeleteFunc(terms(ask.Parse(english.Plain(question))), monetary))
}

// vague reports whether a question says nothing itself: "what do we get?".
func vague(asked []term) bool {
	return !slices.ContainsFunc(asked, func(t term) bool { return !t.light })
}

// nearness is, of each clause, the cosine with the question, and with question and
// story: that of its nearest sentence.
func nearness(ctx context.Context, scorer Scorer, m Matter, clauses []*Clause) ([][2]float64, error) {
	out := make([][2]float64, len(clauses))
	if scorer == nil {
		return out, nil
	}
	texts := []string{m.Ask, strings.Join(slices.Concat([]string{m.Subject}, m.Story, []string{m.Ask}), " ")}
	owner := []int{-1, -1}
	for i, c := range clauses {
		for _, s := range pieces(c.Text) {
			texts = append(texts, c.Heading+". "+s)
			owner = append(owner, i)
		}
	}
	vectors, err := scorer.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("score clauses: %w", err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("score clauses: %d vectors for %d texts", len(vectors), len(texts))
	}
	for n := 2; n < len(texts); n++ {
		for k := range 2 {
			out[owner[n]][k] = max(out[owner[n]][k], cosine(vectors[k], vectors[n]))
		}
	}
	return out, nil
}
