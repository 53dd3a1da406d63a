package ask

import (
	"regexp"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

// joint is where a second question begins in the same sentence.
var joint = regexp.MustCompile(`(?i)(?:\?\s+(?:and\s+)?|[,;]?\s+and\s+(?:also\s+)?)(how many|how much|how long|how often|what|which|who|when|where|list)\b`)

// Split takes the parts of a question apart: several questions in a row, and one
// question about several periods. A later part that names no period takes over
// that of the part before.
func Split(text string) []string {
	text = strings.TrimSpace(text)
	var parts []string
	for {
		m := joint.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		parts = append(parts, strings.TrimSpace(text[:m[0]]))
		text = text[m[2]:]
	}
	parts = append(parts, text)
	for i := 1; i < len(parts); i++ {
		if before := period.Find(parts[i-1]); len(before) > 0 && len(period.Find(parts[i])) == 0 {
			last := before[len(before)-1]
			parts[i] = strings.TrimRight(parts[i], "?. ") + " in " + parts[i-1][last.Start:last.End] + "?"
		}
	}
	for i := 1; i < len(parts); i++ {
		parts[i] = refer(parts[i], parts[i-1])
	}
	var out []string
	for _, p := range parts {
		out = append(out, each(p)...)
	}
	return out
}

var pronoun = regexp.MustCompile(`(?i)\b(it|its|he|his|him|she|her|they|their|them)\b`)

// refer puts the only identifier of the part before in the place of a pronoun:
// "whom is A-17 for and when is it due" asks when A-17 is due.
func refer(part, before string) string {
	codes := codesOf(before)
	if len(codes) != 1 || len(codesOf(part)) > 0 {
		return part
	}
	if at := pronoun.FindStringIndex(part); at != nil {
		return part[:at[0]] + codes[0].Text + part[at[1]:]
	}
	return part
}

// codesOf are the identifiers of a text.
func codesOf(text string) []english.Token {
	var out []english.Token
	for _, t := range english.Tokens(text) {
		if t.Kind == english.Code {
			out = append(out, t)
		}
	}
	return out
}

// each makes a question of its own for every period that is joined by "and".
func each(text string) []string {
	found := period.Find(text)
	if len(found) < 2 {
		return []string{text}
	}
	for i := 1; i < len(found); i++ {
		between := strings.ToLower(text[found[i-1].End:found[i].Start])
		words := strings.Fields(strings.Trim(between, ", "))
		if len(words) > 3 || i == len(found)-1 && !strings.Contains(between, "and") || strings.Contains(between, "to") {
			return []string{text}
		}
		for _, w := range words {
			if !strings.Contains(" and in for of also on , ", " "+strings.Trim(w, ",")+" ") {
				return []string{text}
			}
		}
	}
	if strings.Contains(strings.ToLower(text[:found[0].Start]), "between") {
		return []string{text}
	}
	last := found[len(found)-1]
	out := make([]string, len(found))
	for i, f := range found {
		said := text[f.Start:f.End]
		if f.Year == 0 && last.Year > 0 {
			said += " " + text[last.End-4:last.End] // "March and April 2025"
		}
		out[i] = text[:found[0].Start] + said + text[last.End:]
	}
	return out
}

// EachCode makes a question of its own for every identifier that is joined by
// "and" or a comma to the next; nil when there are not several.
func EachCode(text string) []string {
	codes := codesOf(text)
	if len(codes) < 2 {
		return nil
	}
	for i := 1; i < len(codes); i++ {
		between := strings.TrimSpace(text[codes[i-1].Start+len(codes[i-1].Text) : codes[i].Start])
		if between != "and" && between != "," && between != ", and" && between != "& " {
			return nil
		}
	}
	last := codes[len(codes)-1]
	out := make([]string, len(codes))
	for i, c := range codes {
		out[i] = text[:codes[0].Start] + c.Text + text[last.Start+len(last.Text):]
	}
	return out
}
