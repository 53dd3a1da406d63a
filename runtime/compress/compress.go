// Package compress shrinks what was retrieved to what a generator should read.
//
// A rag.Retrieved enters, with tables whole; a rag.Retrieved leaves whose hits
// hold the kept units only. Structure outlives compression: the rows of a table
// are one unit, kept in order on a budget of their own, and never ranked
// against prose. Prose is ranked by the similarity of each sentence to the
// question, trimmed to a budget, and put back into document order. A clause that
// speaks of what was asked stays whole where it fits its share of the budget: the
// sentence beside the one that meets the question holds its condition or its limit.
//
// What it refuses: to drop anything silently. A table that does not fit is cut
// after its leading rows, the hit's Lost says by how many, and a flag names it.
package compress

import (
	"context"
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Mode is a way of compressing.
type Mode string

// Modes of compression.
const (
	None         Mode = "None"         // everything is kept
	TableAware   Mode = "TableAware"   // tables whole, prose trimmed
	TopSentences Mode = "TopSentences" // best MaxSentences units, in score order: the failure this product exists for
)

// Reasons of the flags that compression raises.
const (
	TableIncomplete   = "TableIncomplete"   // rows of a table did not reach the output
	ContextTrimmed    = "ContextTrimmed"    // a sentence over the threshold did not fit
	ContextOverBudget = "ContextOverBudget" // a passage's best sentence alone is longer than its share
)

// Options configure a Compressor. Sizes are characters (runes).
type Options struct {
	Mode              Mode
	MaxContextChars   int     // prose, over all passages
	MaxTableChars     int     // tables, over all of them, headers included
	SentenceThreshold float64 // cosine that a sentence must reach where its passage is cut, unless it is the passage's best
	MaxSentences      int     // TopSentences only
}

// Scorer turns texts into vectors of one space, so that cosine measures relevance.
type Scorer interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Compressor is the stage. It is safe for concurrent use if its Scorer is.
type Compressor struct {
	opts   Options
	scorer Scorer
}

// New returns a compressor. Mode None needs no scorer.
func New(opts Options, scorer Scorer) *Compressor {
	return &Compressor{opts: opts, scorer: scorer}
}

// Apply returns a copy of in with the kept units. Errors: an unknown mode, a
// budget that admits nothing, or a scorer that failed.
func (c *Compressor) Apply(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
	out := in
	out.Flags = append([]rag.Flag(nil), in.Flags...)
	out.Hits = unique(in.Hits)
	switch c.opts.Mode {
	case None:
		return out, nil
	case TableAware:
		return c.tableAware(ctx, out)
	case TopSentences:
		return c.topSentences(ctx, out)
	default:
		return rag.Retrieved{}, fmt.Errorf("compression mode %q is unknown", c.opts.Mode)
	}
}

// unit is what makes two units of overlapping pieces the same one.
type unit struct {
	document, passage, name string
	part                    int
}

// unique copies the hits and keeps each unit once, in the best-ranked hit that
// holds it. A hit left without units is dropped, unless it says what it lost.
func unique(hits []rag.Hit) []rag.Hit {
	seen := map[unit]bool{}
	out := make([]rag.Hit, 0, len(hits))
	for _, h := range hits {
		var kept []rag.Unit
		for _, u := range h.Units {
			k := unit{h.Document, h.Passage, u.Name, u.Part}
			if u.Name != "" && seen[k] {
				continue
			}
			seen[k] = true
			kept = append(kept, u)
		}
		h.Units = kept
		if len(kept) > 0 || h.Lost > 0 {
			out = append(out, h)
		}
	}
	return out
}
