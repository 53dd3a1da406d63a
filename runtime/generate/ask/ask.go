// Package ask reads what a question in English wants: a count, a sum, a value, a
// list; about which period; under which bounds. It knows no table: which words
// are columns and which are values is decided against one, in package match.
package ask

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

// Role says what a token of the question does.
type Role int

// Roles of tokens.
const (
	Open    Role = iota // still to be accounted for
	Idle                // holds the sentence together
	Intent              // says what is wanted
	Period              // part of a period
	Bounded             // part of a numeric bound
)

// Want is the operation that a question asks for.
type Want int

// Operations.
const (
	Value   Want = iota // look a value up
	Count               // how many rows
	Sum                 // add up
	Average             // mean
	Highest             // the row or value at the top
	Lowest              // the row or value at the bottom
)

// Question is a question taken apart.
type Question struct {
	Text    string
	Tokens  []english.Token
	Roles   []Role // of each token
	Want    Want
	HowMany bool // "how many": a count, or the value of a column that is counted in units
	HowMuch bool
	Heads   bool // headcount: people are counted, without a noun
	Noun    int  // first token after "how many" or "number of"; -1 when none
	Total   bool
	Who     bool
	When    bool
	Where   bool
	Long    bool // how long, how often
	Percent bool
	Polar   bool // yes or no
	Why     bool
	Each    int // the word after "per" or "each", which may name a group; -1 when none
	Negated bool
	Either  bool // "or" between words
	Mixed   bool // two operations at once
	Periods []Span
	Bounds  []Bound
}

// Span is a period with the tokens that say it.
type Span struct {
	period.Period
	From, To int // tokens [From, To)
}

// Parse takes a question apart.
func Parse(text string) *Question {
	q := &Question{Text: text, Tokens: english.Tokens(text), Noun: -1, Each: -1}
	q.Roles = make([]Role, len(q.Tokens))
	q.periods()
	q.bounds()
	q.intents()
	for i, t := range q.Tokens {
		if q.Roles[i] != Open {
			continue
		}
		switch {
		case english.Negation(t.Fold) && !q.numbering(i):
			q.Negated = true
			q.Roles[i] = Idle
		case t.Fold == "or":
			q.Either = true
			q.Roles[i] = Idle
		case english.Filler(t.Fold) && (!t.Capital() || i == 0 || english.Stop(t.Fold)):
			q.Roles[i] = Idle
		}
	}
	return q
}

// numbering reports whether "no" stands for number: before a code or a figure,
// or after a word that is numbered.
func (q *Question) numbering(i int) bool {
	if q.Tokens[i].Fold != "no" {
		return false
	}
	return i+1 < len(q.Tokens) && q.Tokens[i+1].Kind != english.Word ||
		i > 0 && strings.Contains(" invoice bill order account id employee po phone ", " "+q.Tokens[i-1].Stem+" ")
}

// periods marks the tokens that say a month, a year or a day.
func (q *Question) periods() {
	for _, f := range period.Find(q.Text) {
		s := Span{Period: f.Period, From: -1}
		for i, t := range q.Tokens {
			if t.Start < f.End && f.Start < t.Start+len(t.Text) {
				if s.From < 0 {
					s.From = i
				}
				s.To = i + 1
				q.Roles[i] = Period
			}
		}
		if s.From >= 0 {
			q.Periods = append(q.Periods, s)
		}
	}
}

// Is reports whether the folded tokens from i on are the words given.
func (q *Question) Is(i int, words ...string) bool {
	if i < 0 || i+len(words) > len(q.Tokens) {
		return false
	}
	for n, w := range words {
		if q.Tokens[i+n].Fold != w {
			return false
		}
	}
	return true
}

// mark gives the tokens [from, to) a role.
func (q *Question) mark(from, to int, r Role) {
	for i := from; i < to; i++ {
		q.Roles[i] = r
	}
}
