package evaluate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// expectNeedsHuman is the status by which a key expects a hand-off; any other is an answer.
const expectNeedsHuman = "NeedsHuman"

// item is one compiled golden question.
type item struct {
	settings.GoldenQuestion
	question rag.Question // without its mode
	status   rag.Status   // expected
	pattern  *regexp.Regexp
	required []string // evidence that must be found
	named    []string // required, then what is known to be missing
	hash     string   // of question and key, to tell an edited question from a regression
}

func newItem(q settings.GoldenQuestion, now time.Time) (item, error) {
	it := item{GoldenQuestion: q, status: rag.Answered}
	if q.Expect.Status == expectNeedsHuman {
		it.status = rag.NeedsHuman
	}
	asOf := now
	if q.As.AsOf != "" {
		t, ok := parseInstant(q.As.AsOf)
		if !ok {
			return it, fmt.Errorf("as.asOf: %q is neither RFC 3339 nor YYYY-MM-DD", q.As.AsOf)
		}
		asOf = t
	}
	it.question = rag.Question{Text: q.Question, AsOf: asOf, Identity: identity(q.As)}
	for _, e := range q.Expect.Evidence {
		if !slices.Contains(q.Expect.Missing, e) && !slices.Contains(it.required, e) {
			it.required = append(it.required, e)
		}
	}
	it.named = append(slices.Clone(it.required), q.Expect.Missing...)
	if e := q.Expect.Entities; e != nil && e.Pattern != "" {
		re, err := regexp.Compile(e.Pattern)
		if err != nil {
			return it, fmt.Errorf("expect.entities.pattern: %w", err)
		}
		it.pattern = re
	}
	hash, err := digest(q)
	it.hash = hash
	return it, err
}

// identity is who a golden question is asked as. A blank claim is a missing one.
func identity(as settings.As) rag.Identity {
	id := rag.Identity{User: "golden-question", Tenant: strings.TrimSpace(as.Tenant), Groups: as.Groups, Claims: maps.Clone(as.Claims)}
	if id.Claims == nil {
		id.Claims = map[string][]string{}
	}
	if id.Tenant != "" {
		id.Claims["tenant"] = []string{id.Tenant}
	}
	if len(id.Groups) > 0 {
		id.Claims["groups"] = id.Groups
	}
	return id
}

// documents are the distinct documents of evidence ids, in order.
func documents(evidence []string) []string {
	var out []string
	for _, e := range evidence {
		if d, _, _ := strings.Cut(e, "#"); !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}
