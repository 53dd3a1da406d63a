// Package label reads labelled values: "Invoice No: STL/2025-26/003", a label
// over its value, a label beside its value in a table of two columns.
//
// The units of one passage enter in document order; pairs of label and value
// leave, each with the units that say it.
package label

import (
	"regexp"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Pair is a labelled value.
type Pair struct {
	Label string
	Words []english.Token
	Value string
	Refs  []grid.Ref
	Hit   int // index into the prompt's hits
}

var colon = regexp.MustCompile(`\s*:(?:\s+|$)`)

// Pairs returns the labelled values of the prompt.
func Pairs(in rag.PromptContext) []Pair {
	var out []Pair
	for h, hit := range in.Hits {
		present := map[int]bool{}
		for _, handle := range in.Handles {
			if handle.Hit == h {
				present[handle.Unit] = true
			}
		}
		wide := 0
		for i, u := range hit.Units {
			if present[i] {
				wide = max(wide, len(u.Cells))
			}
		}
		for column := range max(1, wide) {
			var lines []line
			if column < len(hit.Header) { // a header may be a label over its value
				lines = append(lines, line{text: strings.Join(strings.Fields(hit.Header[column]), " "), header: true})
			}
			for i, u := range hit.Units {
				if text, ok := side(u, column); present[i] && ok {
					lines = append(lines, line{text: text, ref: grid.Ref{Hit: h, Unit: i}})
				}
			}
			out = append(out, read(lines, h)...)
		}
		if wide == 2 {
			out = append(out, beside(hit, h, present)...)
		} else if wide > 2 {
			out = append(out, across(hit, h, present)...)
		}
	}
	return out
}

type line struct {
	text   string
	ref    grid.Ref
	header bool // no unit: it cannot be cited, and what it says in full cannot answer
}

// side is what a unit says in one column of text; a sentence has the first only.
func side(u rag.Unit, column int) (string, bool) {
	if u.Kind == rag.Sentence || len(u.Cells) == 0 {
		return strings.Join(strings.Fields(u.Text), " "), column == 0
	}
	if column >= len(u.Cells) {
		return "", false
	}
	if len(u.Cells) > 2 && labels(u.Cells, column) {
		return "", true // its value stands beside it, not below
	}
	return strings.Join(strings.Fields(u.Cells[column]), " "), true
}

// read reads the lines of one column of text.
func read(lines []line, hit int) []Pair {
	var out []Pair
	waiting := -1 // a label whose value is still to come
	for _, l := range lines {
		lead, pairs := cut(l.text)
		if name, ok := bare(l.text); ok && waiting < 0 {
			out = append(out, Pair{Label: name, Words: english.Tokens(name), Hit: hit})
			waiting = len(out) - 1
			if !l.header {
				out[waiting].Refs = []grid.Ref{l.ref}
			}
			continue
		}
		if l.header {
			continue
		}
		if waiting >= 0 && lead != "" {
			out[waiting].Value = lead
			out[waiting].Refs = append(out[waiting].Refs, l.ref)
			waiting = -1
		}
		for _, p := range pairs {
			p.Refs, p.Hit = []grid.Ref{l.ref}, hit
			out = append(out, p)
			if p.Value == "" {
				waiting = len(out) - 1
			}
		}
	}
	kept := out[:0]
	for _, p := range out {
		if p.Value != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

// bare reports whether a line is a known label alone, whose value stands under it.
func bare(text string) (string, bool) {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > 2 || strings.Contains(text, ":") || !capital(words[0]) {
		return "", false
	}
	switch strings.ToLower(strings.Join(words, " ")) {
	case "customer", "client", "buyer", "bill to", "billed to", "sold to", "ship to", "consignee", "supplier", "vendor":
		return text, true
	}
	return "", false
}

// cut takes a line apart: what stands before the first label, and the pairs.
func cut(text string) (lead string, pairs []Pair) {
	rest, from := text, 0
	last := -1
	for {
		m := colon.FindStringIndex(rest[from:])
		if m == nil {
			break
		}
		start, ok := begin(rest[:from+m[0]], last < 0)
		if !ok {
			from += m[1]
			if from >= len(rest) {
				break
			}
			continue
		}
		before := strings.TrimRight(strings.TrimSpace(rest[:start]), ";,|")
		if last < 0 {
			lead = before
		} else {
			pairs[last].Value = strings.TrimSuffix(strings.TrimSpace(before), ".")
		}
		name := strings.TrimSpace(rest[start : from+m[0]])
		pairs = append(pairs, Pair{Label: name, Words: english.Tokens(name)})
		last = len(pairs) - 1
		rest, from = rest[from+m[1]:], 0
	}
	if last < 0 {
		return strings.TrimSpace(rest), nil
	}
	pairs[last].Value = strings.TrimSuffix(strings.TrimSpace(rest), ".")
	return lead, pairs
}

// longest is how many words a label may have.
const longest = 5

// begin finds where the label that ends at the end of text begins: at the start
// of the line, after a full stop, or where a known label does.
func begin(text string, first bool) (int, bool) {
	words := strings.Fields(text)
	if first && len(words) <= longest && len(words) > 0 && !strings.Contains(text, ". ") && english.Tokens(words[0]) != nil && !suffixKnown(words, len(words)-1) {
		return 0, true
	}
	for n := min(longest, len(words)); n > 0; n-- {
		tail := words[len(words)-n:]
		if isKnown(tail) {
			return strings.LastIndex(text, strings.Join(tail, " ")), strings.Contains(text, strings.Join(tail, " "))
		}
		if stop := len(words) - n; stop > 0 && strings.HasSuffix(words[stop-1], ".") && n <= longest && capital(tail[0]) {
			at := strings.LastIndex(text, strings.Join(tail, " "))
			return at, at >= 0
		}
	}
	return 0, first && len(words) > 0 && len(words) <= longest
}

// suffixKnown reports whether fewer than all of the words are a known label, so
// that those before it are the end of another value.
func suffixKnown(words []string, most int) bool {
	if isKnown(words) {
		return false
	}
	for n := 1; n <= most; n++ {
		if isKnown(words[len(words)-n:]) && n > 1 {
			return true
		}
	}
	return false
}

func isKnown(words []string) bool { return english.Label(strings.Join(words, " ")) }

func capital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// beside reads a table of two columns as label and value.
func beside(hit rag.Hit, h int, present map[int]bool) []Pair {
	var out []Pair
	for i, u := range hit.Units {
		if !present[i] || len(u.Cells) != 2 || strings.Contains(u.Cells[0], ":") && strings.TrimSpace(u.Cells[0])[len(strings.TrimSpace(u.Cells[0]))-1] != ':' || strings.Contains(u.Cells[1], ": ") {
			continue
		}
		name, value := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(u.Cells[0]), ":")), strings.TrimSpace(u.Cells[1])
		if name == "" || value == "" || len(strings.Fields(name)) > longest || !strings.ContainsFunc(name, func(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' }) {
			continue
		}
		out = append(out, Pair{Label: name, Words: english.Tokens(name), Value: value, Refs: []grid.Ref{{Hit: h, Unit: i}}, Hit: h})
	}
	return out
}
