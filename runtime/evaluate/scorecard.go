package evaluate

import (
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Schema of a Scorecard's JSON. Fields may be added to it, never changed.
const Schema = "hardgate.eval/v1"

// Scorecard is the outcome of an evaluation. It holds answers and passages: what
// may be kept without them is its Receipt.
type Scorecard struct {
	Schema      string            `json:"schema"`
	Corpus      string            `json:"corpus"`
	Freeze      string            `json:"freeze"`
	Inputs      Inputs            `json:"inputs"`
	TakenAt     time.Time         `json:"takenAt"`
	Passed      bool              `json:"passed"`
	Environment map[string]string `json:"environment"`
	Documents   Documents         `json:"documents"`
	Chunks      int               `json:"chunks"`
	Sets        []SetCard         `json:"sets"`
}

// Documents counts the ledger's records.
type Documents struct {
	Total    int `json:"total"`
	Ingested int `json:"ingested"`
	Failed   int `json:"failed"`
	Skipped  int `json:"skipped,omitempty"` // objects of a type that is not read
}

// SetCard is the outcome of one golden set. Failures are those of the gate:
// empty exactly when it passed.
type SetCard struct {
	Name      string         `json:"name"`
	Passed    bool           `json:"passed"`
	Modes     []ModeCard     `json:"modes"` // the corpus' own first
	Stages    []StageCard    `json:"stages,omitempty"`
	Omitted   []Omission     `json:"omitted,omitempty"`
	Failures  []Failure      `json:"failures"`
	Questions []QuestionCard `json:"questions"` // mode by mode
}

// Omission is a compared mode that could not finish, so is not scored in part.
type Omission struct {
	Mode    rag.Mode `json:"mode"`
	Variant string   `json:"variant,omitempty"` // of the corpus' own mode
	Error   string   `json:"error"`
}

// ModeCard sums up one mode.
type ModeCard struct {
	Mode    rag.Mode `json:"mode"`
	Gate    bool     `json:"gate,omitempty"`    // the corpus' own mode, which decides
	Trivial bool     `json:"trivial,omitempty"` // no documents and no model: hands everything off
	Fusion  *Fusion  `json:"fusion,omitempty"`  // what the store was told to fuse by; nil where it fused nothing
	Tally
	PerClass map[string]Tally `json:"perClass"`
}

// Fusion is reciprocal rank fusion by the store, read back from its requests.
type Fusion struct {
	Method string `json:"method"` // RRF
	K      int    `json:"k"`      // as configured, counted from position 1
	Sent   []int  `json:"sent"`   // as the requests had it, counted from position 0 and so one more; a single value unless something is wrong
}

// Tally sums up questions. A nil figure means that nothing was required.
type Tally struct {
	Questions               int                `json:"questions"`
	Passed                  int                `json:"passed"`
	Accuracy                float64            `json:"accuracy"`
	ConfidentlyWrong        int                `json:"confidentlyWrong"`
	ConfidentlyWrongUpper95 float64            `json:"confidentlyWrongUpper95"` // exact one-sided bound on the rate
	HandOffs                HandOffs           `json:"handOffs"`
	Forbidden               int                `json:"forbidden"`  // candidates
	Ineligible              int                `json:"ineligible"` // candidates, probes included
	Degraded                int                `json:"degraded"`   // questions
	Survival                *float64           `json:"survival"`
	Citations               *float64           `json:"citations"`
	Recall                  map[string]float64 `json:"recall"`
	Completeness            map[string]float64 `json:"completeness"`
	LatencyMillis           Latency            `json:"latencyMillis"`
	Tokens                  Tokens             `json:"tokens"`
	CostUSD                 float64            `json:"costUSD"`
}

// HandOffs counts the questions whose key expects NEEDS_HUMAN.
type HandOffs struct {
	Expected int `json:"expected"`
	Correct  int `json:"correct"`
}

// Latency holds percentiles by nearest rank, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// Tokens a generator consumed.
type Tokens struct {
	Input  int `json:"input"`
	Output int `json:"output"`
}

// Asked is what a question got: everything but the verdict.
type Asked struct {
	Name          string      `json:"name,omitempty"`
	Class         string      `json:"class,omitempty"`
	Mode          rag.Mode    `json:"mode"`
	Status        rag.Status  `json:"status"`
	Answer        string      `json:"answer"`
	QueryTerms    []string    `json:"queryTerms"`
	Eligible      int         `json:"eligible"` // points that the filter admitted
	Retrieved     []Retrieved `json:"retrieved"`
	Citations     []Citation  `json:"citations"`
	Degraded      []rag.Flag  `json:"degraded"`
	ContextHash   string      `json:"contextHash"`
	LatencyMillis float64     `json:"latencyMillis"`
	Tokens        Tokens      `json:"tokens"`
	CostUSD       float64     `json:"costUSD"`
}

// Retrieved is one gathered hit.
type Retrieved struct {
	Evidence  string   `json:"evidence"`
	Document  string   `json:"document"`
	Page      int      `json:"page"`
	Score     float64  `json:"score"`
	Dense     *float64 `json:"dense"`
	Lexical   *float64 `json:"lexical"`
	Relevance *float64 `json:"relevance,omitempty"`
	Pinned    bool     `json:"pinned"`
}

// Citation is what the answer rests on. Rows are the cited rows and sentences,
// word for word; Units are their names, beside them.
type Citation struct {
	Document string   `json:"document"`
	Evidence string   `json:"evidence"`
	Page     int      `json:"page"`
	Rows     []string `json:"rows"`
	Units    []string `json:"units"`
}

// QuestionCard is one question in one mode, judged.
type QuestionCard struct {
	Asked
	Passed           bool               `json:"passed"`
	ConfidentlyWrong bool               `json:"confidentlyWrong"`
	Runs             *Runs              `json:"runs,omitempty"`
	Evidence         []Evidence         `json:"evidence"`
	Missing          []string           `json:"missing"`
	Forbidden        []Sighting         `json:"forbidden"`
	Ineligible       []Sighting         `json:"ineligible"`
	Probes           []Probe            `json:"probes"`
	Facts            []FactCard         `json:"facts"`
	Recall           map[string]float64 `json:"recall"`
	Completeness     map[string]bool    `json:"completeness"`
	Survival         *Survival          `json:"survival"`
	Aggregate        *AggregateCard     `json:"aggregate,omitempty"`
	Failures         []Failure          `json:"failures"`

	handOff  bool   // the key expects NEEDS_HUMAN
	degraded bool   // a flag that the expected hand-off doesn't explain
	complete bool   // counts towards the mode's recall and completeness
	required int    // documents that had to be cited
	cited    int    // of them
	hash     string // of question and key
	rrf      []int  // k of every fusion by the store
	prompt   int    // characters of the prompt
}

// Runs counts the repeats of a question.
type Runs struct {
	Of     int `json:"of"`
	Passed int `json:"passed"`
}

// Evidence is the fate of one evidence id. Rank is its place among the gathered
// hits; LostAt the earliest stage that hasn't got it, with the Diagnosis.
type Evidence struct {
	ID        string     `json:"id"`
	Rank      *int       `json:"rank"`
	LostAt    *string    `json:"lostAt"`
	Diagnosis *Diagnosis `json:"diagnosis"`
}

// Diagnosis says why an evidence is missing.
type Diagnosis struct {
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

// Sighting is a point that should not have been a candidate.
type Sighting struct {
	Probe    string `json:"probe,omitempty"` // "" = the question as it stands
	Channel  string `json:"channel"`         // "" = among the hits
	ID       string `json:"id"`
	Evidence string `json:"evidence"`
	Rule     string `json:"rule,omitempty"`
	Detail   string `json:"detail,omitempty"`
}

// FactCard is one fact of the key. Met is nil when the answer was handed off.
type FactCard struct {
	AnyOf []string `json:"anyOf"`
	Met   *bool    `json:"met"`
}
