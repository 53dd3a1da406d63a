package evaluate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Stages at which a question can fail, in the order of the data's way.
const (
	StageConfiguration = "configuration"
	StageSource        = "source"
	StageIngestion     = "ingestion"
	StageExtraction    = "extraction"
	StageChunking      = "chunking"
	StageEligibility   = "eligibility"
	StageRetrieval     = "retrieval"
	StageGather        = "gather"
	StageRerank        = "rerank"
	StageCompression   = "compression"
	StagePrompt        = "prompt"
	StageGeneration    = "generation"
	StageCitation      = "citation"
	StageGate          = "gate"
)

// Diagnoses of a missing evidence.
const (
	NotInSource      = "NotInSource"
	NotIngested      = "NotIngested"
	ExtractionFailed = "ExtractionFailed"
	WrongRevision    = "WrongRevision"
	Ineligible       = "Ineligible"
	NotRanked        = "NotRanked"
	LostInGather     = "Gather"
	LostInRerank     = "Rerank"
	LostInCompress   = "Compression"
	LostInPrompt     = "Prompt"
)

// Other reasons of failures.
const (
	RequirementNotMet   = "RequirementNotMet"
	IneligibleCandidate = "IneligibleCandidate"
	ForbiddenCandidate  = "ForbiddenCandidate"
	FilterMissing       = "FilterMissing"
	FilteredLate        = "FilteredLate"
	UnexpectedEvidence  = "UnexpectedEvidence"
	EntitiesLost        = "EntitiesLost"
	EntityCountMismatch = "EntityCountMismatch"
	RowsReordered       = "RowsReordered"
	AggregateMismatch   = "AggregateMismatch"
	AddendsLost         = "AddendsLost"
	KeysLost            = "KeysLost"
	WrongStatus         = "WrongStatus"
	FactMissing         = "FactMissing"
	DocumentNotCited    = "DocumentNotCited"
	CitationNotInPrompt = "CitationNotInPrompt"
	ThresholdMissed     = "ThresholdMissed"
	Regression          = "Regression"
)

// Failure is one thing that went wrong, at the earliest stage that shows it.
type Failure struct {
	Set      string `json:"set,omitempty"`
	Question string `json:"question,omitempty"`
	Stage    string `json:"stage"`
	Reason   string `json:"reason"`
	Detail   string `json:"detail"`
}

// order is the place of a stage on the data's way.
func order(stage string) int {
	return slices.Index([]string{
		StageConfiguration, StageSource, StageIngestion, StageExtraction, StageChunking, StageEligibility, StageRetrieval,
		StageGather, StageRerank, StageCompression, StagePrompt, StageGeneration, StageCitation, StageGate,
	}, stage)
}

// sortFailures puts the earliest stage first, and within a stage what says most:
// up to retrieval that is the diagnosis of the evidence, then the lost entities,
// afterwards the lost entities alone; what the answer got wrong comes last, as a
// consequence.
func sortFailures(fs []Failure) {
	weight := func(f Failure) int {
		switch f.Reason {
		case NotInSource, NotIngested, ExtractionFailed, WrongRevision, Ineligible, NotRanked:
			return 0
		case EntitiesLost:
			return 1
		case WrongStatus, FactMissing:
			return 3
		}
		return 2
	}
	slices.SortStableFunc(fs, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(order(a.Stage), order(b.Stage)), cmp.Compare(weight(a), weight(b)))
	})
}

// Failures lists what went wrong in the corpus' own mode, set by set: each failed
// question with its earliest failure first, then what the configuration breaks
// and what the gate says of the whole. A set that passed lists the
// questions that its thresholds let fail.
func (s *Scorecard) Failures() []Failure {
	var out []Failure
	for _, set := range s.Sets {
		var late []Failure
		add := func(f Failure, question string) {
			f.Set, f.Question = set.Name, cmp.Or(f.Question, question)
			if f.Question == "" { // what people can act on is a question; figures and requirements follow
				late = append(late, f)
				return
			}
			out = append(out, f)
		}
		for _, f := range set.Failures {
			add(f, "")
		}
		for _, q := range set.Questions {
			if len(set.Modes) > 0 && q.Mode == set.Modes[0].Mode {
				for _, f := range q.Failures {
					add(f, q.Name)
				}
			}
		}
		out = append(out, late...)
	}
	return out
}

// Message says in at most limit bytes what a person should look at first: each
// failed question with its first cliff, as "question: what happened". It is ""
// when nothing failed.
func (s *Scorecard) Message(limit int) string {
	var parts []string
	seen := map[string]bool{}
	for _, f := range s.Failures() {
		name := f.Question
		if name == "" {
			name = f.Set
		} else if len(s.Sets) > 1 {
			name = f.Set + "/" + f.Question
		}
		if f.Question != "" && seen[name] {
			continue // the first failure of a question is its earliest
		}
		seen[name] = true
		parts = append(parts, name+": "+f.Detail)
	}
	return fit(parts, limit)
}

// fit joins parts until limit bytes are full and says how many are left out.
func fit(parts []string, limit int) string {
	whole := strings.Join(parts, "; ")
	if len(whole) <= limit {
		return whole
	}
	for n := len(parts) - 1; n > 0; n-- {
		if m := fmt.Sprintf("%s; and %d more", strings.Join(parts[:n], "; "), len(parts)-n); len(m) <= limit {
			return m
		}
	}
	const more = "…"
	if limit <= len(more) {
		return ""
	}
	return strings.ToValidUTF8(parts[0][:min(len(parts[0]), limit-len(more))], "") + more
}

// names lists at most this many ids in a sentence, and counts the rest.
const names = 20

func listed(ids []string) string {
	if len(ids) <= names {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:names], ", "), len(ids)-names)
}
