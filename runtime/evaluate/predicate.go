package evaluate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Predicate says whether a stored payload may be seen by a question. It is a
// second implementation of the corpus' rules, over values instead of filters,
// and shares no code with retrieval: an error would have to be made twice.
//
// Null, absent and the empty list hold no value, so no rule is met by them,
// except that a "to" without a value is open. An empty string is a value; it
// equals nothing that is asked for and is no date, so it fails every rule.
type Predicate struct {
	rules    settings.Eligibility
	patterns []*regexp.Regexp // beside rules.Question
}

// NewPredicate compiles the rules. The error names the rule's field.
func NewPredicate(rules settings.Eligibility) (*Predicate, error) {
	p := &Predicate{rules: rules}
	for i, r := range rules.Question {
		re, err := regexp.Compile(r.Pattern)
		if err != nil {
			return nil, fmt.Errorf("eligibility.question[%d].pattern: %w", i, err)
		}
		p.patterns = append(p.patterns, re)
	}
	return p, nil
}

// Violation is the first rule that a payload breaks.
type Violation struct {
	Rule   string   // constants | identity | question | validity | stored
	Field  string   // the payload field
	Value  any      // what is stored there; nil = nothing
	Claim  string   // identity rules: the claim
	Wanted []string // what would have been admitted
}

func (v *Violation) String() string {
	has := fmt.Sprintf("%s is %v", v.Field, v.Value)
	if v.Value == nil {
		has = v.Field + " is not set"
	}
	switch v.Rule {
	case "stored":
		return "the point is not in the store"
	case "identity":
		if len(v.Wanted) == 0 {
			return fmt.Sprintf("identity rule on %s: the identity has no claim %q", v.Field, v.Claim)
		}
		return fmt.Sprintf("identity rule: %s, which shares nothing with claim %s %v", has, v.Claim, v.Wanted)
	case "validity":
		return fmt.Sprintf("validity rule: %s, asked as of %s", has, strings.Join(v.Wanted, ""))
	}
	return fmt.Sprintf("%s rule: %s, not %s", v.Rule, has, strings.Join(v.Wanted, " or "))
}

// Judge returns the first rule that the payload breaks for the question, or nil.
// A nil payload, that of a point which isn't stored, is never eligible.
func (p *Predicate) Judge(q rag.Question, payload map[string]any) *Violation {
	if payload == nil {
		return &Violation{Rule: "stored"}
	}
	for _, r := range p.rules.Constants {
		if !shares(payload[r.Field], r.Values) {
			return &Violation{Rule: "constants", Field: r.Field, Value: payload[r.Field], Wanted: r.Values}
		}
	}
	for _, r := range p.rules.Identity {
		claim := slices.DeleteFunc(slices.Clone(q.Identity.Claim(r.Claim)), func(s string) bool { return strings.TrimSpace(s) == "" })
		// A missing claim fails closed: it opens not even what is shared with all.
		if len(claim) == 0 || !(shares(payload[r.Field], claim) || shares(payload[r.Field], r.Shared)) {
			return &Violation{Rule: "identity", Field: r.Field, Value: payload[r.Field], Claim: r.Claim, Wanted: claim}
		}
	}
	for i, r := range p.rules.Question {
		// Every value that the question names must be held: a question about
		// two products is not answered from the documents of one.
		for _, v := range p.named(i, q.Text) {
			if !shares(payload[r.Field], []string{v}) {
				return &Violation{Rule: "question", Field: r.Field, Value: payload[r.Field], Wanted: []string{v}}
			}
		}
	}
	if r := p.rules.Validity; r != nil {
		return validity(*r, q.AsOf, payload)
	}
	return nil
}

// named returns what a question rule's pattern finds: its first group where it
// has one and it took part, else the whole match.
func (p *Predicate) named(rule int, text string) []string {
	var out []string
	for _, m := range p.patterns[rule].FindAllStringSubmatch(text, -1) {
		v := m[0]
		if len(m) > 1 && m[1] != "" {
			v = m[1]
		}
		out = append(out, v)
	}
	return out
}

// fields are those that a filter for this question must name.
func (p *Predicate) fields(q rag.Question) []string {
	var out []string
	for _, r := range p.rules.Constants {
		out = append(out, r.Field)
	}
	for _, r := range p.rules.Identity {
		out = append(out, r.Field)
	}
	for i, r := range p.rules.Question {
		if len(p.named(i, q.Text)) > 0 {
			out = append(out, r.Field)
		}
	}
	if v := p.rules.Validity; v != nil {
		out = append(out, v.From)
		if v.To != "" {
			out = append(out, v.To)
		}
	}
	return out
}

// validity admits from ≤ at < to.
func validity(r settings.Validity, at time.Time, payload map[string]any) *Violation {
	asOf := []string{at.UTC().Format(time.RFC3339)}
	begun := slices.ContainsFunc(values(payload[r.From]), func(v any) bool {
		t, ok := instant(v)
		return ok && !t.After(at)
	})
	if !begun {
		return &Violation{Rule: "validity", Field: r.From, Value: payload[r.From], Wanted: asOf}
	}
	ends := values(payload[r.To])
	if r.To == "" || len(ends) == 0 {
		return nil
	}
	goesOn := slices.ContainsFunc(ends, func(v any) bool {
		t, ok := instant(v)
		return ok && t.After(at)
	})
	if !goesOn {
		return &Violation{Rule: "validity", Field: r.To, Value: payload[r.To], Wanted: asOf}
	}
	return nil
}

// values are those of a payload field: none, one, or the elements of a list.
func values(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = s
		}
		return out
	}
	return []any{v}
}

// shares reports whether a field holds any of the wanted values.
func shares(field any, wanted []string) bool {
	return slices.ContainsFunc(values(field), func(v any) bool {
		s, ok := scalar(v)
		return ok && slices.Contains(wanted, s)
	})
}

// scalar writes a value as a rule would name it.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case int:
		return strconv.Itoa(v), true
	}
	return "", false
}

// instant reads a stored date; a date alone is midnight UTC, as is a time without a zone.
func instant(v any) (time.Time, bool) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, false
	}
	return parseInstant(s)
}

func parseInstant(s string) (time.Time, bool) {
	s = strings.ToUpper(s)
	for _, layout := range []string{
		time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04:05.999999999",
		"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
