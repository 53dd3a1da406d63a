// Package prose finds the sentences of a prompt that answer a question about a
// rule, a term or a fact, to be quoted word for word.
//
// A question and a prompt enter; a quotation leaves, or the words that nothing
// supports. Similarity ranks sentences but never admits one: a neighbour on the
// same topic is as similar as an answer. What admits a sentence is that it, its
// heading and its document support the words of the question, and that it holds
// the kind of thing asked for: an amount, a time, a person.
//
// For a letter, Choose finds whole clauses: a rate is quoted with its condition and
// its cap. The words of the letter's story help to tell clauses apart; only those
// of the question must be supported.
package prose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Scorer turns texts into vectors of one space.
type Scorer interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Quote is what answers.
type Quote struct {
	Text string
	Refs []grid.Ref
}

// Gap says why nothing does.
type Gap struct {
	Missing   string // a word that the nearest sentence does not support; "" when the kind of answer is missing
	Nearest   string // evidence of the nearest sentence
	Rival     string // evidence of a passage that answers as well, differently
	OnRequest string // evidence of a clause that leaves the price to people
	Elsewhere bool   // the nearest clause says that the answer stands in another paper, which was not found
}

// shortlist is how many windows are compared by meaning when words alone do not
// decide: each costs an encoding, and the answer stands among the best by words
// and rank or nowhere.
const shortlist = 8

// Find returns the quotation that answers q, or the gap. Words alone decide where
// they can; the scorer is asked when they do not, and may be nil.
func Find(ctx context.Context, in rag.PromptContext, q *ask.Question, scorer Scorer) (*Quote, *Gap, error) {
	asked := terms(q)
	if !slices.ContainsFunc(asked, func(t term) bool { return !t.light }) {
		return nil, &Gap{}, nil
	}
	all := windows(in)
	if len(all) == 0 {
		return nil, &Gap{}, nil
	}
	ranked := rank(q, asked, all, nil)
	if scorer != nil && !ranked[0].certain() {
		near := make([]*window, min(shortlist, len(ranked)))
		for i := range near {
			near[i] = ranked[i].window
		}
		sense, err := newSense(ctx, scorer, q.Text, near)
		if err != nil {
			return nil, nil, err
		}
		ranked = rank(q, asked, near, sense)
	}
	best := ranked[0]
	if !best.passes() {
		return nil, &Gap{Missing: best.missing, Nearest: best.window.evidence}, nil
	}
	for _, r := range ranked[1:] {
		if r.passes() && contradicts(q, best, r) {
			return nil, &Gap{Nearest: best.window.evidence, Rival: r.window.evidence}, nil
		}
	}
	return best.window.quote(), nil, nil
}

// rank judges the windows: those that answer first, then by score.
func rank(q *ask.Question, asked []term, windows []*window, s sense) []judged {
	asked = slices.Clone(asked)
	rate(asked, windows)
	out := make([]judged, len(windows))
	for i, w := range windows {
		out[i] = judge(q, asked, w, s)
	}
	slices.SortStableFunc(out, func(a, b judged) int {
		if a.passes() != b.passes() {
			return compare(truth(b.passes()), truth(a.passes()))
		}
		return compare(b.score, a.score)
	})
	return out
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// close is how near two scores must be for two documents to be rivals.
const close = 0.05

// contradicts reports whether another document's passage of the same heading
// answers as well with other figures: two versions of one rule.
func contradicts(q *ask.Question, best, other judged) bool {
	a, b := best.window, other.window
	return a.document != b.document && a.heading == b.heading && best.score-other.score < close &&
		figures(a.text) != figures(b.text) && (q.HowMany || q.HowMuch || q.Long || q.When || q.Percent)
}

func figures(text string) string {
	var out []string
	for _, t := range english.Tokens(text) {
		if _, word := english.Numeral(t.Fold); word || t.Kind == english.Number {
			out = append(out, t.Fold)
		}
	}
	return fmt.Sprint(out)
}

// window is one sentence, or two in a row, with what stands over them.
type window struct {
	document, heading, evidence string
	text                        string
	words                       []english.Token // of the sentences
	over                        []english.Token // of the heading
	title                       []english.Token // of document and title: all its passages share them
	periods                     []period.Period // of all of these
	refs                        []grid.Ref
	parts                       int
}

func (w *window) quote() *Quote { return &Quote{Text: w.text, Refs: w.refs} }

// windows lists the sentences of the prompt, and those pairs whose second says
// "it" or "they" of the first.
func windows(in rag.PromptContext) []*window {
	present := map[grid.Ref]bool{}
	for _, h := range in.Handles {
		present[grid.Ref{Hit: h.Hit, Unit: h.Unit}] = true
	}
	var out []*window
	for h, hit := range in.Hits {
		var before *window
		for i, u := range hit.Units {
			if u.Kind != rag.Sentence || !present[grid.Ref{Hit: h, Unit: i}] {
				before = nil
				continue
			}
			w := newWindow(hit, u, grid.Ref{Hit: h, Unit: i})
			out = append(out, w)
			if before != nil && qualifies(u.Text) { // "However, …" belongs to what it restricts
				before.text += " " + w.text
				before.refs = append(before.refs, w.refs...)
			} else if before != nil && refers(u.Text) {
				out = append(out, join(before, w))
			}
			before = w
		}
	}
	return out
}

func newWindow(hit rag.Hit, u rag.Unit, ref grid.Ref) *window {
	names := strings.Join([]string{hit.Document, hit.Title, hit.Heading}, " ; ")
	text := strings.Join(strings.Fields(u.Text), " ")
	w := &window{document: hit.Document, heading: hit.Heading, evidence: hit.Evidence(), text: text, parts: 1,
		words: english.Tokens(text), over: english.Tokens(hit.Heading), title: append(english.Tokens(hit.Document+" ; "+hit.Title), english.Joined(hit.Document)...), refs: []grid.Ref{ref}}
	for _, f := range period.Find(names + " ; " + text) {
		w.periods = append(w.periods, f.Period)
	}
	return w
}

func join(a, b *window) *window {
	w := *a
	w.text = a.text + " " + b.text
	w.words = append(append([]english.Token(nil), a.words...), b.words...)
	w.periods = append(append([]period.Period(nil), a.periods...), b.periods...)
	w.refs = append(append([]grid.Ref(nil), a.refs[:1]...), b.refs...)
	w.parts = 2
	return &w
}

// qualifiers open a sentence that restricts the one before it.
var qualifiers = strings.Fields("however but except unless otherwise subject provided")

func qualifies(text string) bool {
	words := english.Tokens(text)
	return len(words) > 0 && slices.Contains(qualifiers, words[0].Fold)
}

// anaphors open a sentence that speaks of the one before it.
var anaphors = strings.Fields("it they this these those that such he she both")

func refers(text string) bool {
	words := english.Tokens(text)
	return len(words) > 0 && slices.Contains(anaphors, words[0].Fold)
}
