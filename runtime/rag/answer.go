package rag

import "time"

// Identity is who asks, as authenticated; it is never taken from a request body.
// A missing claim is an absent key, not an empty value, and fails closed.
type Identity struct {
	User   string
	Tenant string
	Groups []string
	Claims map[string][]string // tenant and groups included, under those names
}

// Claim returns the values of a claim; "tenant" and "groups" read those fields.
func (i Identity) Claim(name string) []string {
	switch name {
	case "tenant":
		if i.Tenant != "" {
			return []string{i.Tenant}
		}
	case "groups":
		return i.Groups
	}
	return i.Claims[name]
}

// Mode is a way of retrieving.
type Mode string

// Retrieval modes.
const (
	None        Mode = "None"
	Lexical     Mode = "Lexical"
	Dense       Mode = "Dense"
	Hybrid      Mode = "Hybrid"
	FullContext Mode = "FullContext"
)

// Question is one request, with whom and when it is asked for.
type Question struct {
	Text     string
	Identity Identity
	AsOf     time.Time // the instant at which validity is judged; never zero inside the flow
	Mode     Mode      // "" = the corpus's own
}

// Flag marks an answer as degraded: something fell back, was cut or skipped.
type Flag struct {
	Stage  string `json:"stage,omitempty"` // filled in by the flow
	Reason string `json:"reason"`          // CamelCase, e.g. TableIncomplete, EntitiesLost, BelowThreshold
	Detail string `json:"detail,omitempty"`
}

// Scores are what each channel said of a hit; nil where the channel did not score it.
type Scores struct {
	Dense     *float64 `json:"dense"`   // cosine, clipped to [0,1]
	Lexical   *float64 `json:"lexical"` // BM25 ÷ the best of this question (raw under RRF)
	Fused     float64  `json:"fused"`
	Pinned    int      `json:"pinned,omitempty"` // how many of the question's identifiers the chunk holds
	Relevance *float64 `json:"relevance,omitempty"`
}

// Hit is a chunk that was found.
type Hit struct {
	Chunk
	ID     string // point id
	Scores Scores
	Rank   int // from 1, in the order of the list it stands in
	Lost   int // rows of the whole table that could not be fetched or did not fit; 0 = complete
}

// Candidate is one entry of one channel's reply, before fusion.
type Candidate struct {
	ID       string  `json:"id"`
	Evidence string  `json:"evidence"`
	Score    float64 `json:"score"`
}

// Channel is the reply of one retrieval channel, with the filter that was sent.
type Channel struct {
	Name       string      `json:"name"` // dense, lexical, identifiers
	Candidates []Candidate `json:"candidates"`
	Filter     string      `json:"filter"`             // read back from the request that was sent, protojson
	Prefetch   []string    `json:"prefetch,omitempty"` // likewise, the filters inside its prefetches
	RRF        int         `json:"rrf,omitempty"`      // likewise, the k of a fusion by the store, which counts positions from 0
}

// Retrieved is a question with what was found for it, best first.
type Retrieved struct {
	Question Question
	Ranking  string   // the question as ranked: after strip
	Terms    []string // query terms of the lexical channel
	IDs      []string // identifiers pinned
	Channels []Channel
	Hits     []Hit
	Eligible int // points that the filter admits
	Flags    []Flag
}

// Notes returns the flags for the flow to record.
func (r Retrieved) Notes() []Flag { return r.Flags }

// Texts returns the text of every hit, for counting what survives.
func (r Retrieved) Texts() []string { return hitTexts(r.Hits) }

func hitTexts(hits []Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.Body()
	}
	return out
}

// PromptContext is exactly what the generator sees. Handles name every unit in
// Text; the hash covers Text, and the question where the context is kept.
type PromptContext struct {
	Question Question
	Hits     []Hit // kept units only, document order within each
	Handles  []Handle
	Text     string
	Hash     string // sha256:…
	Flags    []Flag
}

// Handle ties a name in the prompt to a unit of a hit.
type Handle struct {
	Name      string // e.g. 1.3: third unit of the first passage
	Hit, Unit int    // indexes into Hits and Hits[Hit].Units
}

// Notes returns the flags for the flow to record.
func (p PromptContext) Notes() []Flag { return p.Flags }

// Texts returns the prompt's text.
func (p PromptContext) Texts() []string { return []string{p.Text} }

// Status of an answer.
type Status string

// Statuses. An answer without a status is NEEDS_HUMAN.
const (
	Answered   Status = "ANSWERED"
	NeedsHuman Status = "NEEDS_HUMAN"
)

// Citation points at units that were in the prompt.
type Citation struct {
	Evidence string  `json:"evidence"` // document#passage
	Document string  `json:"document"`
	Page     int     `json:"page"` // of the first unit cited
	Units    []Cited `json:"units"`
}

// Cited is one row or sentence, word for word as it stood in the prompt.
type Cited struct {
	Name  string   `json:"name"`
	Kind  UnitKind `json:"kind"`
	Text  string   `json:"text"`
	Place Place    `json:"place"`
	// Confidence of text that was recognised from an image, as Unit.Confidence.
	Confidence *float64 `json:"confidence,omitempty"`
}

// Usage is what a generator consumed.
type Usage struct {
	Model        string  `json:"model,omitempty"`
	InputTokens  int     `json:"inputTokens,omitempty"`
	OutputTokens int     `json:"outputTokens,omitempty"`
	CostUSD      float64 `json:"costUSD,omitempty"`
	// Temperature is what was sent; nil where the model takes none, or none was asked.
	Temperature *float64 `json:"temperature,omitempty"`
}

// Answer is what the asker gets.
type Answer struct {
	Text        string
	Status      Status
	Citations   []Citation
	ContextHash string
	Usage       Usage
	Flags       []Flag
}

// Notes returns the flags for the flow to record.
func (a Answer) Notes() []Flag { return a.Flags }
