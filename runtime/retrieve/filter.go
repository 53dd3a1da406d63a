package retrieve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Reasons for which a question is refused before anything is searched: no
// filter can be built that would be safe to send.
const (
	ClaimMissing      = "ClaimMissing"      // the identity lacks a claim that a rule needs
	QuestionAmbiguous = "QuestionAmbiguous" // the question names two values of a field that selects documents
	QuestionTooLong   = "QuestionTooLong"   // the question is over the encoder's window
)

// eligibility is the compiled form of the corpus' rules.
type eligibility struct {
	rules    settings.Eligibility
	patterns []*regexp.Regexp // beside rules.Question
}

func compile(rules settings.Eligibility) (*eligibility, error) {
	e := &eligibility{rules: rules}
	for i, q := range rules.Question {
		re, err := regexp.Compile(q.Pattern)
		if err != nil {
			return nil, fmt.Errorf("eligibility.question[%d].pattern: %w", i, err)
		}
		e.patterns = append(e.patterns, re)
	}
	return e, nil
}

// conditions returns the filter's conditions for one question and the question
// as it is ranked: with the values that select documents stripped where the
// rule says so. A flag instead means that nothing may be searched.
func (e *eligibility) conditions(q rag.Question) (must []*qdrant.Condition, ranking string, refused *rag.Flag) {
	for _, c := range e.rules.Constants {
		must = append(must, qdrant.NewMatchKeywords(c.Field, c.Values...))
	}
	for _, r := range e.rules.Identity {
		values := q.Identity.Claim(r.Claim)
		values = slices.DeleteFunc(slices.Clone(values), settings.Blank)
		if len(values) == 0 {
			return nil, "", &rag.Flag{Reason: ClaimMissing, Detail: fmt.Sprintf("the identity has no %q, which selects documents by %s", r.Claim, r.Field)}
		}
		must = append(must, qdrant.NewMatchKeywords(r.Field, append(values, r.Shared...)...))
	}
	ranking = q.Text
	for i, r := range e.rules.Question {
		values := named(e.patterns[i], q.Text)
		if len(values) > 1 {
			return nil, "", &rag.Flag{Reason: QuestionAmbiguous, Detail: fmt.Sprintf("the question names %s, and only one %s can be asked about at a time", strings.Join(values, " and "), r.Field)}
		}
		if len(values) == 0 {
			continue
		}
		must = append(must, qdrant.NewMatchKeywords(r.Field, values[0]))
		if r.Strip {
			ranking = strings.Join(strings.Fields(e.patterns[i].ReplaceAllString(ranking, " ")), " ")
		}
	}
	if v := e.rules.Validity; v != nil {
		must = append(must, validity(*v, q.AsOf)...)
	}
	return must, ranking, nil
}

// named returns the distinct values that a pattern finds: its first group where
// it has one, else the whole match.
func named(re *regexp.Regexp, text string) []string {
	var out []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		v := m[0]
		if len(m) > 1 && m[1] != "" {
			v = m[1]
		}
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// validity admits [from, to) at an instant. An absent from admits nothing (a
// range matches no missing value); an absent, null or empty-list to is open.
func validity(v settings.Validity, asOf time.Time) []*qdrant.Condition {
	at := timestamppb.New(asOf)
	must := []*qdrant.Condition{qdrant.NewDatetimeRange(v.From, &qdrant.DatetimeRange{Lte: at})}
	if v.To == "" {
		return must
	}
	open := &qdrant.Filter{Should: []*qdrant.Condition{
		qdrant.NewIsEmpty(v.To),
		qdrant.NewDatetimeRange(v.To, &qdrant.DatetimeRange{Gt: at}),
	}}
	return append(must, qdrant.NewFilterAsCondition(open))
}

// Scope is which points belong to the revision that answers.
type Scope struct {
	Collection string // physical name
	Corpus     string // the corpus' UID
	Revision   int64
}

// conditions admits the chunks of exactly one revision: those written at or
// before it and not superseded by it.
func (s Scope) conditions() []*qdrant.Condition {
	return append(s.Members(), qdrant.NewMatchKeyword("hardgate.kind", "chunk"))
}

// Members admits every point of the revision, ledger records included.
func (s Scope) Members() []*qdrant.Condition {
	n := float64(s.Revision)
	return []*qdrant.Condition{
		qdrant.NewMatchKeyword("hardgate.corpus", s.Corpus),
		qdrant.NewRange("hardgate.from", &qdrant.Range{Lte: &n}),
		qdrant.NewRange("hardgate.to", &qdrant.Range{Gt: &n}),
	}
}
