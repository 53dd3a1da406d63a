// Package model holds what every generator that asks a language model shares.
//
// A rag.PromptContext and what a model made of it, a Draft, enter; a rag.Answer
// leaves. A draft becomes an answer only if the model finished it, ended it with
// its status, cited units that were in the prompt, and took every number from
// what it cites, from the question, or from a calculation that it shows. Anything
// else is a holding reply with status NEEDS_HUMAN and a flag that says why: not
// knowing is an answer. A model that could not be asked is no answer but a
// *Failed, which the caller turns into a holding reply for the asker (Held) and
// which keeps an evaluation from scoring what was never tried.
package model

import (
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Reasons of the flags of an answer.
const (
	GeneratorFailed   = "GeneratorFailed"   // the model could not be asked, or broke off
	AskedAgain        = "AskedAgain"        // the model server failed once, and answered when asked again
	RateLimited       = "RateLimited"       // the provider still refused after the one wait
	Declined          = "Declined"          // the model refused, and so did its fallback
	FallbackModel     = "FallbackModel"     // the model refused and the fallback answered
	Truncated         = "Truncated"         // the draft reached maxTokens
	Empty             = "Empty"             // the model wrote nothing
	PromptCut         = "PromptCut"         // the server read less than was sent
	UsageMissing      = "UsageMissing"      // the server doesn't say what it read, so a cut cannot be seen
	MissingStatus     = "MissingStatus"     // the draft doesn't end with its status
	HandedOff         = "HandedOff"         // the model itself asks for a person
	Uncited           = "Uncited"           // nothing that was in the prompt is cited
	UnknownHandle     = "UnknownHandle"     // a citation of something that was not in the prompt was dropped
	UnsupportedNumber = "UnsupportedNumber" // a number is neither cited nor calculated
	TableIncomplete   = "TableIncomplete"   // rows of a table that was to be counted or added up are missing
	NoEvidence        = "NoEvidence"        // no passage was found, so nobody was asked
	BudgetExceeded    = "BudgetExceeded"    // the day's budget leaves no room for the call
)

// Ref is a unit of the prompt, by the indexes of rag.Handle.
type Ref struct{ Hit, Unit int }

// Stop is why a model stopped writing.
type Stop int

// Stops.
const (
	Done     Stop = iota // it had finished
	Cut                  // it reached the most tokens that it may write
	Refused              // it, or the provider's filter, declined
	Overflow             // prompt and draft are over the model's window
)

// Draft is what a model wrote.
type Draft struct {
	Text   string // with its status line; citations resolved and taken out
	Refs   []Ref  // units that it cites, in order
	Stop   Stop
	Detail string     // of a refusal, as the provider explains it
	Usage  rag.Usage  // InputTokens 0: not reported
	Flags  []rag.Flag // of the call: AskedAgain, FallbackModel, UnknownHandle
	Sent   []string   // all texts that were sent; the server can't have read fewer tokens than Floor of them
}

// Spent is what one call to one model consumed, or at most will.
type Spent struct {
	Model        string // as asked for; providers answer with longer names
	InputTokens  int
	OutputTokens int
	Unknown      bool // the call broke off before the provider reported: the counts are no bound
}

// General reports whether the question is to be answered from general knowledge:
// the control of an evaluation, which has no passages.
func General(in rag.PromptContext) bool { return in.Question.Mode == rag.None }

// Unasked returns the answer to a question about which nothing was found: there
// is nothing to ask a model.
func Unasked(in rag.PromptContext) (rag.Answer, bool) {
	if General(in) || len(in.Handles) > 0 {
		return rag.Answer{}, false
	}
	return Held(in, rag.Flag{Reason: NoEvidence, Detail: "no passage was found that may be used"}), true
}

// holding is what the asker reads in place of an answer. It gives no reason: that
// is for those who take the question over, in the flags.
const holding = "I cannot answer this from the documents I was given, so I am passing your question on to a colleague who will get back to you."

// Held returns the holding reply, with the flag that says why.
func Held(in rag.PromptContext, why rag.Flag) rag.Answer {
	return rag.Answer{Text: holding, Status: rag.NeedsHuman, ContextHash: in.Hash, Flags: []rag.Flag{why}}
}

// Finish judges a draft.
func Finish(in rag.PromptContext, d Draft) rag.Answer {
	a := judge(in, d)
	a.ContextHash, a.Usage = in.Hash, d.Usage
	flags := append([]rag.Flag(nil), d.Flags...)
	if d.Usage.InputTokens == 0 {
		flags = append(flags, rag.Flag{Reason: UsageMissing, Detail: "the server reports no prompt tokens, so a prompt that it cut would not be noticed"})
	}
	a.Flags = append(flags, a.Flags...)
	return a
}

func judge(in rag.PromptContext, d Draft) rag.Answer {
	held := func(reason, format string, args ...any) rag.Answer {
		return Held(in, rag.Flag{Reason: reason, Detail: fmt.Sprintf(format, args...)})
	}
	switch d.Stop {
	case Refused:
		return held(Declined, "%s declined%s", d.Usage.Model, because(d.Detail))
	case Cut:
		return held(Truncated, "%s had not finished after %d tokens: raise maxTokens", d.Usage.Model, d.Usage.OutputTokens)
	case Overflow:
		return held(Truncated, "the prompt and the answer are over the window of %s", d.Usage.Model)
	}
	if least := Floor(d.Sent...); d.Usage.InputTokens > 0 && d.Usage.InputTokens < least {
		return held(PromptCut, "%s read %d tokens of a prompt of at least %d: raise the server's context length", d.Usage.Model, d.Usage.InputTokens, least)
	}
	text, status := Status(d.Text)
	switch {
	case text == "":
		return held(Empty, "%s wrote no answer", d.Usage.Model)
	case status == "":
		return held(MissingStatus, "%s did not end its answer with a status", d.Usage.Model)
	case General(in):
		return rag.Answer{Text: text, Status: status}
	}
	a := rag.Answer{Text: text, Status: status, Citations: Cite(in, d.Refs)}
	problem := unsupported(in, a.Text, d.Refs)
	switch {
	case status == rag.NeedsHuman:
		a.Flags = []rag.Flag{{Reason: HandedOff, Detail: d.Usage.Model + " found no answer in the passages"}}
		if problem != "" { // whatever it says, it says it of nothing
			a.Text, a.Citations = holding, nil
		}
		return a
	case len(d.Refs) == 0:
		return held(Uncited, "the answer of %s cites nothing that was in the prompt", d.Usage.Model)
	case problem != "":
		return held(UnsupportedNumber, "%s", problem)
	}
	if lost := incomplete(in, d.Refs); lost != "" {
		return held(TableIncomplete, "%s", lost)
	}
	return a
}

func because(detail string) string {
	if detail = strings.TrimSpace(detail); detail == "" {
		return ""
	}
	return ": " + detail
}
