package prose

import (
	"context"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// Bounds of admission of a clause to a letter, measured on the fixtures of this
// package's callers with every question put as a letter.
const (
	worded   = 0.75 // share of the question's own words
	telltale = 0.25 // share of what tells clauses apart, beside it
	told     = 0.35 // the same where meaning must carry the rest
	sensible = 0.40 // cosine that carries it
	felt     = 0.20 // cosine under which nothing is an answer
	ahead    = 0.20 // by how much a clause must lead to be admitted on less
	complete = 0.90 // share of the question's own words where it leads
	leading  = 0.30 // of what tells clauses apart, for one that leads
	fewest   = 2    // words that it says, unless its heading is what is asked for
	hint     = 0.20 // of what tells clauses apart, beside it
	level    = 0.08 // how near two clauses are that are both quoted
)

// admits reports whether a clause answers.
func (w weighed) admits(by float64) bool {
	near := max(w.sense, w.direct)
	switch {
	case w.missing != "", !w.kind, w.against, !w.bound, near < felt && w.scored:
		return false
	case w.words < fewest && !(w.asked >= complete && w.titled):
		return false
	case w.asked >= worded && w.told >= telltale:
		return true
	case w.told >= told && near >= sensible:
		return true
	}
	return by >= ahead && (w.asked >= partly && w.told >= leading || w.told >= telltale && near >= sensible || w.asked >= complete && w.told >= hint)
}

// lead is by how much the best is ahead of the first that does not stand level with it.
func lead(fit []weighed) float64 {
	for _, w := range fit[1:] {
		if fit[0].score-w.score >= level {
			return fit[0].score - w.score
		}
	}
	return fit[0].score
}

// Choose returns the clauses that answer a matter, best first: one, or two that
// stand level, or the gap. A clause that leaves the price to people is no answer,
// and keeps others from being taken for one.
func Choose(ctx context.Context, clauses []*Clause, m Matter, scorer Scorer) ([]*Clause, *Gap, error) {
	if len(clauses) == 0 {
		return nil, &Gap{}, nil
	}
	all, err := weigh(ctx, clauses, m, scorer)
	if err != nil {
		return nil, nil, err
	}
	if on := reserved(all, m); on != nil {
		return nil, &Gap{OnRequest: on.Evidence}, nil
	}
	fit := slices.DeleteFunc(slices.Clone(all), func(w weighed) bool { return !w.kind || w.against || w.missing != "" })
	if len(fit) == 0 {
		return nil, &Gap{Missing: all[0].missing, Nearest: all[0].Evidence}, nil
	}
	if o := all[0]; !o.kind && o.missing == "" && o.score > fit[0].score {
		return nil, &Gap{}, nil // what comes nearest does not hold what is asked for
	}
	ahead := lead(fit)
	if !fit[0].admits(ahead) {
		return nil, &Gap{Nearest: fit[0].Evidence}, nil
	}
	out := []*Clause{fit[0].Clause}
	for _, w := range fit[1:] {
		if fit[0].score-w.score < level && w.admits(ahead) {
			out = append(out, w.Clause)
		}
	}
	if !slices.ContainsFunc(out, func(c *Clause) bool { return !defers.MatchString(c.Text) }) {
		return nil, &Gap{Nearest: out[0].Evidence, Elsewhere: true}, nil
	}
	if len(out) > 2 {
		return nil, &Gap{Nearest: out[0].Evidence, Rival: out[1].Evidence}, nil
	}
	return out, nil, nil
}

// reserved is the clause that leaves the price of what is asked for to people: it
// says a word of the question that the best other clause does not.
func reserved(all []weighed, m Matter) *Clause {
	if !Money(m.Ask) {
		return nil
	}
	asked := terms(ask.Parse(english.Plain(m.Ask)))
	var other *weighed
	for i := range all {
		if !all[i].OnRequest {
			other = &all[i]
			break
		}
	}
	for _, w := range all {
		if !w.OnRequest {
			continue
		}
		for _, t := range asked {
			if t.light || monetary(t) {
				continue
			}
			elsewhere := 0.0
			if other != nil {
				_, elsewhere = supports(t, other.window)
			}
			if in, _ := supports(t, w.window); in > elsewhere {
				return w.Clause
			}
		}
	}
	return nil
}

// Covers reports whether texts that are quoted already speak of all that a further
// question says: at least one word of it, and every one that matters.
func Covers(texts []string, question string) bool {
	w := &window{text: strings.Join(texts, " ")}
	w.words = english.Tokens(w.text)
	q := ask.Parse(english.Plain(question))
	asked := slices.DeleteFunc(terms(q), func(t term) bool { return t.light || monetary(t) })
	share, missing := said(asked, w)
	c := &Clause{Text: w.text, window: w, parts: sentencesOf(w)}
	return len(asked) > 0 && missing == "" && share >= covered && answers(q, c, asked)
}
