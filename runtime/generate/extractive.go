// Package generate answers a question from a prompt, or hands it to a person.
//
// A rag.PromptContext enters; a rag.Answer leaves. The extractive generator
// counts, adds up, looks up and quotes from the rows and sentences that stand in
// the prompt, and from nothing else. It shows the arithmetic of every sum, cites
// each row and sentence that it used, and answers NEEDS_HUMAN with a holding
// reply and a reason when nothing there supports an answer.
//
// Being confidently wrong is the worst outcome, so every word of a question must
// be accounted for before a table answers it: a word that names no column, value,
// document or operation means that the table does not speak of what was asked.
//
// A letter is read otherwise (package letter): the sentences that ask are answered
// one by one, from the papers that it names (package record) or by quoting the
// whole clause (package prose); the rest of it is the story that tells which.
// It reads English only; a question in another language is handed on.
package generate

import (
	"context"
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/label"
	"github.com/hardgate-dev/hardgate/runtime/generate/letter"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Model is how the generator names itself in an answer's usage.
const Model = "extractive"

// Scorer turns texts into vectors of one space; sentences are ranked by cosine.
type Scorer interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Extractive is the stage. It is safe for concurrent use if its Scorer is.
type Extractive struct {
	scorer Scorer
}

// Option changes an Extractive.
type Option func(*Extractive)

// WithScorer ranks sentences by meaning as well as by words.
func WithScorer(s Scorer) Option { return func(e *Extractive) { e.scorer = s } }

// NewExtractive returns the generator. Without a scorer it goes by words alone.
func NewExtractive(options ...Option) *Extractive {
	e := &Extractive{}
	for _, o := range options {
		o(e)
	}
	return e
}

// Apply answers the question of the prompt. It fails only when ctx has ended or
// the scorer fails; not knowing is an answer, with status NEEDS_HUMAN.
func (e *Extractive) Apply(ctx context.Context, in rag.PromptContext) (rag.Answer, error) {
	if err := ctx.Err(); err != nil {
		return rag.Answer{}, err
	}
	answer := rag.Answer{ContextHash: in.Hash, Usage: rag.Usage{Model: Model}}
	question := strings.TrimSpace(in.Question.Text)
	switch {
	case question == "":
		return held(answer, &miss{reason: Unsupported, detail: "the question is empty"}), nil
	case english.Foreign(question):
		return held(answer, &miss{reason: UnsupportedLanguage, detail: "only questions in English are understood"}), nil
	case len(in.Handles) == 0 && len(in.Hits) == 0:
		return held(answer, &miss{reason: NoEvidence, detail: "no passage was found that may be used"}), nil
	}
	got, missed, err := newDesk(in, e.scorer).reply(ctx, question)
	if err != nil {
		return rag.Answer{}, fmt.Errorf("answer %q: %w", question, err)
	}
	if missed != nil {
		return held(answer, missed), nil
	}
	answer.Text = got.text
	answer.Flags = append(answer.Flags, got.flags...)
	answer.Status = rag.Answered
	answer.Citations = cite(in, got.refs)
	return answer, nil
}

// reply answers a letter, or a question in one or several parts.
func (d *desk) reply(ctx context.Context, question string) (*found, *miss, error) {
	if l, ok := letter.Read(question); ok {
		return d.byLetter(ctx, l)
	}
	got, missed, err := d.parts(ctx, ask.Split(question))
	if err != nil || missed == nil {
		return got, missed, err
	}
	if each := ask.EachCode(question); each != nil {
		if all, gap, err := d.parts(ctx, each); err == nil && gap == nil {
			return all, nil, nil
		}
	}
	return nil, missed, nil
}

// parts answers every part of a question, or says which one has no answer: half an
// answer is none.
func (d *desk) parts(ctx context.Context, parts []string) (*found, *miss, error) {
	all := &found{}
	var texts []string
	for _, p := range parts {
		got, missed, err := d.answer(ctx, ask.Parse(p))
		if err != nil || missed != nil {
			return nil, missed, err
		}
		texts = append(texts, got.text)
		all.refs = append(all.refs, got.refs...)
		all.flags = append(all.flags, got.flags...)
	}
	all.text = strings.Join(texts, " ")
	return all, nil, nil
}

// desk answers the parts of one question from one prompt.
type desk struct {
	in     rag.PromptContext
	scorer Scorer
	tables []grid.Table
	pairs  []label.Pair

	present  map[grid.Ref]bool         // units that have a handle
	contexts map[string]*match.Context // by the words of the names
}

func newDesk(in rag.PromptContext, scorer Scorer) *desk {
	present := map[grid.Ref]bool{}
	for _, h := range in.Handles {
		present[grid.Ref{Hit: h.Hit, Unit: h.Unit}] = true
	}
	return &desk{in: in, scorer: scorer, tables: grid.Tables(in), pairs: label.Pairs(in), present: present, contexts: map[string]*match.Context{}}
}

// context is what surrounds a table, or a passage that names itself as one.
func (d *desk) context(t grid.Table) *match.Context {
	key := strings.Join([]string{t.Document, t.Title, t.Heading, t.Passage}, "\x00")
	if d.contexts[key] == nil {
		d.contexts[key] = match.NewContext(&t, d.in, d.pairs)
	}
	return d.contexts[key]
}

// found is what answers a part: the words, the value by which two answers are
// told apart, and the units that support it.
type found struct {
	text  string
	value string
	refs  []grid.Ref
	flags []rag.Flag
}

// answer tries the tables, then the labelled lines, then the prose.
func (d *desk) answer(ctx context.Context, q *ask.Question) (*found, *miss, error) {
	if q.Want == ask.Sum { // a total that is printed beats one that is worked out
		if pair, unpaired := d.fromPairs(q); pair != nil || unpaired != nil && unpaired.final {
			return pair, unpaired, nil
		}
	}
	got, missed := d.fromTables(q)
	if got != nil || missed != nil && missed.final {
		return got, missed, nil
	}
	pair, unpaired := d.fromPairs(q)
	if pair != nil || unpaired != nil && unpaired.final {
		return pair, unpaired, nil
	}
	quote, unquoted, err := d.fromProse(ctx, q)
	if err != nil || quote != nil {
		return quote, nil, err
	}
	if missed != nil && (missed.near || unquoted == nil) {
		return nil, missed, nil
	}
	if unquoted != nil {
		return nil, unquoted, nil
	}
	return nil, missing(NoEvidence, "nothing in the passages found speaks of this"), nil
}
