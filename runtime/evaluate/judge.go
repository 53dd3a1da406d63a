package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// judge holds one observation against its key.
type judge struct {
	*runner
	it      *item
	ob      *observation
	card    *QuestionCard
	control bool // mode None beside another mode: no documents, so none are required
}

// once asks a question once and judges what came back.
func (r *runner) once(ctx context.Context, it *item, w way, cutoffs []int) (QuestionCard, error) {
	ob, err := r.observe(ctx, it, w)
	if err != nil {
		return QuestionCard{}, err
	}
	card := &QuestionCard{
		Asked: ob.describe(w.mode), Evidence: []Evidence{}, Missing: []string{}, Forbidden: []Sighting{}, Ineligible: []Sighting{},
		Probes: []Probe{}, Facts: []FactCard{}, Failures: []Failure{}, handOff: it.status == rag.NeedsHuman, hash: it.hash, prompt: len([]rune(ob.prompt.Text)),
	}
	card.Name, card.Class = it.Name, it.Class
	for _, c := range ob.retrieved.Channels {
		if c.RRF != 0 {
			card.rrf = append(card.rrf, c.RRF)
		}
	}
	j := &judge{runner: r, it: it, ob: ob, card: card, control: w.control(r.own)}
	steps := []func(context.Context) error{j.access, j.evidence, j.structure, j.answer}
	if w.gate {
		steps = slices.Insert(steps, 1, j.probe)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return QuestionCard{}, err
		}
	}
	j.score(append(slices.Clone(cutoffs), r.topK))
	j.conclude()
	return *card, nil
}

// control reports the way without documents beside one with them.
func (w way) control(own rag.Mode) bool { return w.mode == rag.None && w.mode != own }

func (j *judge) fail(stage, reason, format string, args ...any) {
	j.card.Failures = append(j.card.Failures, Failure{Stage: stage, Reason: reason, Detail: fmt.Sprintf(format, args...)})
}

// lossy is the earliest stage that lost something so far, or generation when
// all that the key names was in the prompt: only then is the generator to blame.
func (j *judge) lossy() string {
	stage := StageGeneration
	for _, f := range j.card.Failures {
		if order(f.Stage) < order(stage) {
			stage = f.Stage
		}
	}
	return stage
}

// answer judges status, facts and citations.
func (j *judge) answer(context.Context) error {
	blame := j.lossy()
	status := j.card.Status
	if status != j.it.status {
		j.fail(blame, WrongStatus, "status %s, expected %s%s", status, j.it.status, j.because(blame))
	}
	if j.it.status != rag.Answered {
		return nil
	}
	said := normal(j.ob.answer.Text)
	for _, f := range j.it.Expect.Facts {
		fc := FactCard{AnyOf: f.AnyOf}
		if status == rag.Answered {
			met := slices.ContainsFunc(f.AnyOf, func(s string) bool { return states(said, normal(s), true) })
			fc.Met = &met
			if !met {
				j.fail(blame, FactMissing, "the answer says none of %q%s", f.AnyOf, j.because(blame))
			}
		}
		j.card.Facts = append(j.card.Facts, fc)
	}
	if status == rag.Answered {
		j.citations()
	}
	return nil
}

// because points from a wrong answer to what took its ground away.
func (j *judge) because(stage string) string {
	for _, f := range j.card.Failures {
		if f.Stage == stage && stage != StageGeneration {
			return fmt.Sprintf(", after %s: %s", f.Stage, f.Reason)
		}
	}
	return ""
}

// citations asks for each required document, and that what is cited was in the prompt.
func (j *judge) citations() {
	if !j.control {
		need := documents(j.it.required)
		j.card.required = len(need)
		for _, d := range need {
			if slices.ContainsFunc(j.ob.answer.Citations, func(c rag.Citation) bool { return c.Document == d }) {
				j.card.cited++
				continue
			}
			j.fail(StageCitation, DocumentNotCited, "the answer does not cite %s", d)
		}
	}
	text := squash(j.ob.prompt.Text)
	for _, c := range j.ob.answer.Citations {
		for _, u := range c.Units {
			if !strings.Contains(text, squash(u.Text)) {
				j.fail(StageCitation, CitationNotInPrompt, "%s of %s is cited and was not in the prompt", u.Name, c.Evidence)
			}
		}
	}
}

// conclude decides. An answer is confidently wrong when it is ANSWERED and fails
// the key in what the key says about the answer: it should have been handed
// off, lacks a fact, rests on less than its required evidence, does not cite a
// required document, or had something before it that it must not see. A row out
// of order or an entity lost on the way fails the question, but not on this count.
func (j *judge) conclude() {
	sortFailures(j.card.Failures)
	j.card.Passed = len(j.card.Failures) == 0
	j.card.ConfidentlyWrong = j.card.Status == rag.Answered && slices.ContainsFunc(j.card.Failures, j.againstKey)
	handedOff := j.card.handOff && j.card.Status == rag.NeedsHuman
	j.card.degraded = slices.ContainsFunc(j.ob.flags, func(f rag.Flag) bool { return f.Reason != askedAgain && (!handedOff || !explains(f)) })
}

// askedAgain is the flag of an answer that a model gave when it was asked a second
// time, after a fault of its server: the answer is as good as any.
const askedAgain = "AskedAgain"

// AskedAgain reports whether a model was asked a second time for the answer.
func (q QuestionCard) AskedAgain() bool {
	return slices.ContainsFunc(q.Degraded, func(f rag.Flag) bool { return f.Reason == askedAgain })
}

// againstKey reports a failure that the answer itself answers for.
func (j *judge) againstKey(f Failure) bool {
	switch f.Reason {
	case EntitiesLost, EntityCountMismatch, RowsReordered, AddendsLost, KeysLost, AggregateMismatch, FilterMissing, FilteredLate:
		return false
	case IneligibleCandidate: // seen by a probe only, it was not before this answer
		return slices.ContainsFunc(j.card.Ineligible, func(s Sighting) bool { return s.Probe == "" })
	}
	return true
}

// explains reports a flag that says why a question was handed off, rather than
// that something broke on the way. Where the hand-off is what the key expects,
// such a flag is no degradation.
func explains(f rag.Flag) bool {
	switch f.Reason {
	case "BelowThreshold", "ClaimMissing", "QuestionAmbiguous", "QuestionTooLong":
		return true
	}
	return f.Stage == flow.Generate
}
