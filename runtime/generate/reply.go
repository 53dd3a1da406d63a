package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Reasons why a question is handed to a person.
const (
	NoEvidence          = "NoEvidence"          // nothing in the prompt speaks of what was asked
	Unsupported         = "Unsupported"         // an operation that is not understood
	UnsupportedLanguage = "UnsupportedLanguage" // a language other than English
	TableIncomplete     = "TableIncomplete"     // rows of the table are missing from the prompt
	TableUnclear        = "TableUnclear"        // the table's rows cannot be told apart for certain
	AmbiguousTable      = "AmbiguousTable"      // several tables answer, differently
	AmbiguousColumn     = "AmbiguousColumn"     // several columns may be meant
	AmbiguousRow        = "AmbiguousRow"        // several rows may be meant
	AmbiguousCondition  = "AmbiguousCondition"  // a condition may be meant in several ways
	PeriodNotFound      = "PeriodNotFound"      // no document is about the period asked for
	UnknownIdentifier   = "UnknownIdentifier"   // an identifier in the question stands nowhere
	NoValue             = "NoValue"             // the cell asked for is blank
	PrintedTotalDiffers = "PrintedTotalDiffers" // the sum of the rows is not the total printed under them
	AmbiguousPassage    = "AmbiguousPassage"    // several passages answer, differently
	PriceRequest        = "PriceRequest"        // a price that is still to be made
	CaseByCase          = "CaseByCase"          // the documents leave the price to people
)

// miss says why there is no answer. A final one ends the search: the question
// was understood, and may not be answered from elsewhere.
type miss struct {
	reason, detail string
	final          bool
	near           bool   // the table speaks of something else that was asked, so this is the better reason
	nearest        string // evidence of the clause that came nearest, when no word was missing
}

func missing(reason, format string, args ...any) *miss {
	return &miss{reason: reason, detail: fmt.Sprintf(format, args...)}
}

func final(reason, format string, args ...any) *miss {
	m := missing(reason, format, args...)
	m.final = true
	return m
}

// held is the holding reply.
func held(a rag.Answer, m *miss) rag.Answer {
	a.Status = rag.NeedsHuman
	a.Text = "I cannot answer this from the documents I was given, so I am passing your question on to a colleague who will get back to you. Reason: " + m.detail + "."
	a.Flags = append(a.Flags, rag.Flag{Reason: m.reason, Detail: m.detail})
	a.Citations = nil
	return a
}

// cite groups the units used by evidence, in the order of their first use.
func cite(in rag.PromptContext, refs []grid.Ref) []rag.Citation {
	var out []rag.Citation
	seen := map[grid.Ref]bool{}
	for _, r := range refs {
		if seen[r] {
			continue
		}
		seen[r] = true
		hit, unit := in.Hits[r.Hit], in.Hits[r.Hit].Units[r.Unit]
		at := slices.IndexFunc(out, func(c rag.Citation) bool { return c.Evidence == hit.Evidence() })
		if at < 0 {
			at = len(out)
			out = append(out, rag.Citation{Evidence: hit.Evidence(), Document: hit.Document, Page: unit.Place.Page})
		}
		out[at].Units = append(out[at].Units, rag.Cited{Name: unit.Name, Kind: unit.Kind, Text: strings.Join(strings.Fields(unit.Text), " "), Place: unit.Place, Confidence: unit.Confidence})
	}
	return out
}

// list writes "a, b and c".
func list(items []string) string {
	switch len(items) {
	case 0:
		return ""
	case 1:
		return items[0]
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}
