package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/model/arithmetic"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Cite groups units by evidence, in the order of their first use.
func Cite(in rag.PromptContext, refs []Ref) []rag.Citation {
	var out []rag.Citation
	seen := map[Ref]bool{}
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
		out[at].Units = append(out[at].Units, rag.Cited{Name: unit.Name, Kind: unit.Kind, Text: OneLine(unit.Text), Place: unit.Place, Confidence: unit.Confidence})
	}
	return out
}

// OneLine is a unit's text as the prompt has it.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Caption is a passage's title and heading, each once, else its document.
func Caption(c rag.Chunk) string {
	var parts []string
	for _, s := range []string{c.Title, c.Heading} {
		if s = OneLine(s); s != "" && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return c.Document
	}
	return strings.Join(parts, " / ")
}

// Columns names a table's columns in one line, "" where it has none.
func Columns(c rag.Chunk) string {
	if len(c.Header) == 0 {
		return ""
	}
	return "columns: " + OneLine(strings.Join(c.Header, " | "))
}

var (
	counting   = regexp.MustCompile(`(?i)\bhow many\b|\bnumber of\b|\bcount\b`)
	throughout = regexp.MustCompile(`(?i)\bhow many\b|\bnumber of\b|\bcount\b|\btotals?\b|\bsum\b|\baverage\b|\bmean\b|\badd(?:s|ed)? up\b|\boverall\b|\balto?gether\b|\ball\b|\bevery\b|\bhighest\b|\blowest\b|\bmost\b|\bleast\b|\bmax(?:imum)?\b|\bmin(?:imum)?\b|\blargest\b|\bsmallest\b|\bin total\b`)
)

// unsupported names the numbers of a text that are not accounted for, "" if all
// are. A passage that is cited speaks with its title, heading and columns, and
// where the question asks how many, the rows cited of one table are a count.
func unsupported(in rag.PromptContext, text string, refs []Ref) string {
	from := arithmetic.Sources{Texts: []string{in.Question.Text}}
	rows := map[int]int{}
	seen := map[Ref]bool{}
	for _, r := range refs {
		if seen[r] {
			continue
		}
		seen[r] = true
		hit := in.Hits[r.Hit]
		unit := hit.Units[r.Unit]
		if rows[r.Hit] == 0 {
			from.Texts = append(from.Texts, strings.ReplaceAll(hit.Document, "_", " "), hit.Document, Caption(hit.Chunk), strings.Join(hit.Header, " | "))
		}
		from.Texts = append(from.Texts, OneLine(unit.Text))
		rows[r.Hit]++
		if unit.Kind == rag.RowUnit && counting.MatchString(in.Question.Text) {
			from.Counted = max(from.Counted, rows[r.Hit])
		}
	}
	var details []string
	for _, p := range arithmetic.Check(text, from) {
		details = append(details, p.Detail)
	}
	const most = 5
	if more := len(details) - most; more > 0 {
		details = append(details[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(details, "; ")
}

// incomplete names a cited table of which rows are missing, where the question
// asks for something of all of them.
func incomplete(in rag.PromptContext, refs []Ref) string {
	if !throughout.MatchString(in.Question.Text) {
		return ""
	}
	for _, r := range refs {
		if h := in.Hits[r.Hit]; h.Lost > 0 {
			return fmt.Sprintf("%d rows of %s are missing, so it cannot be counted or added up", h.Lost, h.Evidence())
		}
	}
	return ""
}
