// Package handoff keeps the questions that were handed to people.
//
// What enters is an answer with the status NEEDS_HUMAN as somebody got it; what
// leaves is a list of such questions, newest first, each once with how often it
// was asked. Of the answer nothing is kept but its flags, of who asked nothing
// but what decides which documents he may see, and of the documents nothing but
// their names. It refuses names that are no plain file names, and keeps at most
// 1,000 questions a corpus: the oldest go first.
package handoff

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Handoff is a question that was handed to people. Flags, context, revision and
// who asked are those of the last time.
type Handoff struct {
	ID          string     `json:"id"` // the same for the same question of the same tenant
	Question    string     `json:"question"`
	As          As         `json:"as"`
	Mode        rag.Mode   `json:"mode,omitempty"`        // where another than the corpus' own was asked for
	Flags       []rag.Flag `json:"flags"`                 // why, as far as it is known
	Documents   []string   `json:"documents"`             // whose passages were found for it, best first
	ContextHash string     `json:"contextHash,omitempty"` // of what the generator saw
	Revision    int64      `json:"revision"`
	Corpus      string     `json:"corpusUID"`
	Times       int64      `json:"times"` // from 1
	First       time.Time  `json:"first"`
	Last        time.Time  `json:"last"`
}

// As is whom and when a question was asked for, as a golden set has it.
type As struct {
	Tenant string              `json:"tenant,omitempty"`
	Groups []string            `json:"groups,omitempty"`
	Claims map[string][]string `json:"claims,omitempty"` // those that the corpus' rules read
	AsOf   time.Time           `json:"asOf"`
}

// Asked is an answer with what it answers.
type Asked struct {
	Question  rag.Question
	Dated     bool // the instant was named, and is part of the question
	Answer    rag.Answer
	Documents []string // whose passages were found, best first
	Claims    []string // names of claims that the corpus' rules read
	Revision  int64
	At        time.Time
}

// handoff is the record of one asking.
func (a Asked) handoff(corpus string) Handoff {
	q := a.Question
	h := Handoff{
		Question: q.Text, As: As{Tenant: q.Identity.Tenant, Groups: slices.Sorted(slices.Values(q.Identity.Groups)), AsOf: q.AsOf.UTC()}, Mode: q.Mode,
		Flags: slices.Clone(a.Answer.Flags), Documents: distinct(a.Documents), ContextHash: a.Answer.ContextHash,
		Revision: a.Revision, Corpus: corpus, Times: 1, First: a.At.UTC(), Last: a.At.UTC(),
	}
	for _, name := range a.Claims {
		if v := q.Identity.Claims[name]; len(v) > 0 {
			if h.As.Claims == nil {
				h.As.Claims = map[string][]string{}
			}
			h.As.Claims[name] = slices.Clone(v)
		}
	}
	if h.Flags == nil {
		h.Flags = []rag.Flag{}
	}
	h.ID = a.id(h)
	return h
}

// id is 16 hexadecimal digits over what makes a question another one: who asks,
// the words without their case and spacing, the mode, and an instant that was
// named. Who asks is the tenant; where the corpus knows none, groups and claims
// are all there is.
func (a Asked) id(h Handoff) string {
	who := As{Tenant: h.As.Tenant}
	if who.Tenant == "" {
		who.Groups, who.Claims = h.As.Groups, h.As.Claims
	}
	if a.Dated {
		who.AsOf = h.As.AsOf
	}
	words := strings.ToLower(strings.Join(strings.Fields(h.Question), " "))
	data, err := json.Marshal([]any{who, words, h.Mode})
	if err != nil { // an instant beyond the year 9999 has no JSON
		data = []byte(words)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// after is the record of a question that was asked before.
func (h Handoff) after(before Handoff) Handoff {
	h.Times, h.First = before.Times+1, before.First
	return h
}

// without drops what tells of erased documents: their names, and the details of
// flags, which may quote them. It reports whether there was any.
func (h Handoff) without(documents []string) (Handoff, bool) {
	erased := func(d string) bool { return slices.Contains(documents, d) }
	if !slices.ContainsFunc(h.Documents, erased) {
		return h, false
	}
	h.Documents = slices.DeleteFunc(slices.Clone(h.Documents), erased)
	h.Flags = slices.Clone(h.Flags)
	for i := range h.Flags {
		h.Flags[i].Detail = ""
	}
	return h, true
}

// Sort orders hand-offs by when they were asked last, newest first.
func Sort(hs []Handoff) {
	slices.SortFunc(hs, func(a, b Handoff) int { return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.ID, b.ID)) })
}

func distinct(list []string) []string {
	out := []string{}
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
