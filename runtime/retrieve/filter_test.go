package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// strictRules are one rule of each kind.
func strictRules() settings.Eligibility {
	return settings.Eligibility{
		Constants: []settings.Constant{{Field: "status", Values: []string{"published", "final"}}},
		Identity:  []settings.IdentityRule{{Field: "groups", Claim: "groups"}, {Field: "customer", Claim: "tenant", Shared: []string{"all"}}},
		Question:  []settings.QuestionRule{{Field: "product", Pattern: `\bAX-\d{2}\b`, Strip: true}},
		Validity:  &settings.Validity{From: "valid_from", To: "valid_to"},
	}
}

// fields are those that strictRules admit for staff of north, changed in pairs; a
// change to "-" takes the field away.
func fields(change ...any) map[string]any {
	f := map[string]any{"status": "published", "groups": []any{"staff", "board"}, "customer": "north", "valid_from": "2026-01-01"}
	for i := 0; i < len(change); i += 2 {
		if change[i+1] == "-" {
			delete(f, change[i].(string))
			continue
		}
		f[change[i].(string)] = change[i+1]
	}
	return f
}

func staff() rag.Identity { return rag.Identity{User: "u", Tenant: "north", Groups: []string{"staff"}} }

func TestEligibility(t *testing.T) {
	instant := func(s string) time.Time { return settings.Instant(s) }
	tests := map[string]struct {
		reason   string
		fields   map[string]any
		identity rag.Identity
		asOf     time.Time
		text     string
		want     bool
	}{
		"everything fits":      {reason: "the case from which the others differ", fields: fields(), want: true},
		"second constant":      {reason: "any of the values will do", fields: fields("status", "final"), want: true},
		"draft":                {reason: "another value of a constant", fields: fields("status", "draft")},
		"no status":            {reason: "a field that is absent has none of the values", fields: fields("status", "-")},
		"null status":          {reason: "nor has a null", fields: fields("status", nil)},
		"blank status":         {reason: "nor has a blank", fields: fields("status", "")},
		"empty status":         {reason: "nor has an empty list", fields: fields("status", []any{})},
		"status of other case": {reason: "values are compared as they are", fields: fields("status", "Published")},

		"another group":      {reason: "no shared group", fields: fields("groups", []any{"board"})},
		"group as one value": {reason: "a single value is a list of one", fields: fields("groups", "staff"), want: true},
		"no groups":          {reason: "a document without groups is for nobody", fields: fields("groups", "-")},
		"null groups":        {reason: "likewise", fields: fields("groups", nil)},
		"empty groups":       {reason: "likewise", fields: fields("groups", []any{})},
		"blank group":        {reason: "a blank group is no group", fields: fields("groups", []any{""}), identity: rag.Identity{Tenant: "north", Groups: []string{"staff", ""}}},
		"several of my groups": {reason: "one that is shared is enough", fields: fields("groups", []any{"board"}),
			identity: rag.Identity{Tenant: "north", Groups: []string{"staff", "board"}}, want: true},
		"part of a group's name": {reason: "a group is matched whole", fields: fields("groups", []any{"staff-north"})},

		"another customer":  {reason: "another tenant's document", fields: fields("customer", "south")},
		"shared customer":   {reason: "a document for all", fields: fields("customer", "all"), want: true},
		"no customer":       {reason: "absent is not shared", fields: fields("customer", "-")},
		"tenant named all":  {reason: "who is called like the shared value sees only that", fields: fields("customer", "north"), identity: rag.Identity{Tenant: "all", Groups: []string{"staff"}}},
		"claim beside":      {reason: "a claim named tenant does not stand for the authenticated tenant's field", fields: fields("customer", "south"), identity: rag.Identity{Tenant: "north", Groups: []string{"staff"}, Claims: map[string][]string{"tenant": {"south"}}}},
		"groups in a claim": {reason: "nor does one named groups", fields: fields("groups", []any{"board"}), identity: rag.Identity{Tenant: "north", Groups: []string{"staff"}, Claims: map[string][]string{"groups": {"board"}}}},

		"product not asked for": {reason: "a question that names none is not narrowed", fields: fields("product", "AX-42"), want: true},
		"product asked for":     {reason: "the product of the question", fields: fields("product", "AX-42"), text: "clearance of the AX-42", want: true},
		"other product":         {reason: "another product's document", fields: fields("product", "AX-24"), text: "clearance of the AX-42"},
		"no product":            {reason: "a document of no product is not the product's", fields: fields(), text: "clearance of the AX-42"},
		"product twice":         {reason: "one value said twice is one value", fields: fields("product", "AX-42"), text: "clearance: is the AX-42 an AX-42", want: true},
		"product within a word": {reason: "the pattern's own bounds decide", fields: fields("product", "AX-24"), text: "clearance of the AX-421", want: true},

		"at from":               {reason: "[from, …: the first instant counts", fields: fields("valid_from", "2026-02-01T12:00:00Z"), want: true},
		"just before from":      {reason: "and the one before doesn't", fields: fields("valid_from", "2026-02-01T12:00:00.001Z")},
		"at to":                 {reason: "…, to): the last instant doesn't count", fields: fields("valid_to", "2026-02-01T12:00:00Z")},
		"just before to":        {reason: "and the one before does", fields: fields("valid_to", "2026-02-01T12:00:00.001Z"), want: true},
		"from in another zone":  {reason: "an offset is the same instant", fields: fields("valid_from", "2026-02-01T17:30:00+05:30"), want: true},
		"to in another zone":    {reason: "likewise", fields: fields("valid_to", "2026-02-01T17:30:00+05:30")},
		"to is a day":           {reason: "a day is its midnight in UTC", fields: fields("valid_to", "2026-02-01")},
		"no from":               {reason: "an absent from is ineligible", fields: fields("valid_from", "-")},
		"null from":             {reason: "so is a null", fields: fields("valid_from", nil)},
		"blank from":            {reason: "so is a blank", fields: fields("valid_from", "")},
		"empty from":            {reason: "so is an empty list", fields: fields("valid_from", []any{})},
		"from is no date":       {reason: "so is what is no date", fields: fields("valid_from", "soon")},
		"from is a number":      {reason: "nor is a number one", fields: fields("valid_from", 20260101)},
		"null to":               {reason: "a null to is open", fields: fields("valid_to", nil), want: true},
		"empty to":              {reason: "an empty list is open", fields: fields("valid_to", []any{}), want: true},
		"blank to":              {reason: "a blank is neither a date nor absent, and fails closed", fields: fields("valid_to", "")},
		"to is no date":         {reason: "an end that nobody can read fails closed", fields: fields("valid_to", "for ever")},
		"asked about the past":  {reason: "the instant asked about counts, not today", fields: fields("valid_from", "2020-01-01", "valid_to", "2021-01-01"), asOf: instant("2020-06-01"), want: true},
		"before everything":     {reason: "nothing was valid yet", fields: fields(), asOf: instant("1900-01-01")},
		"in the far future":     {reason: "what is open stays", fields: fields(), asOf: instant("2999-01-01"), want: true},
		"upload date as a from": {reason: "no other date stands in for the validity", fields: fields("valid_from", "-", "uploaded", "2026-01-01")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(at(1, prose("d", "p1", "clearance", test.fields)))
			q := rag.Question{Text: "clearance", Identity: staff(), AsOf: test.asOf}
			if test.identity.Tenant != "" {
				q.Identity = test.identity
			}
			if test.text != "" {
				q.Text = test.text
			}
			for _, mode := range []rag.Mode{rag.Lexical, rag.Dense, rag.Hybrid} {
				q.Mode = mode
				out := w.ask(options(func(o *Options) { o.Rules = strictRules() }), q)
				if len(out.Flags) > 0 {
					t.Fatalf("%s: %v", mode, out.Flags)
				}
				if found := len(out.Hits) == 1; found != test.want || out.Eligible != len(out.Hits) {
					t.Errorf("%s: found %v, %d eligible, want %v: %s", mode, found, out.Eligible, test.want, test.reason)
				}
			}
		})
	}
}

func TestRefused(t *testing.T) {
	words := strings.Repeat("word ", hashedWindow)
	group := func(o *Options) { o.Rules.Question[0].Pattern = `(?i)product (\w+)` }
	none := func(*Options) {}
	tests := map[string]struct {
		reason string
		change func(*Options)
		q      rag.Question
		want   rag.Flag
	}{
		"no groups": {"an identity without the claim sees nothing", none, rag.Question{Text: "x", Identity: rag.Identity{Tenant: "north"}},
			rag.Flag{Reason: ClaimMissing, Detail: `the identity has no "groups", which selects documents by groups`}},
		"blank groups": {"blank is missing", none, rag.Question{Text: "x", Identity: rag.Identity{Tenant: "north", Groups: []string{"", " \t"}}},
			rag.Flag{Reason: ClaimMissing, Detail: `the identity has no "groups", which selects documents by groups`}},
		"no tenant": {"the shared value is for those who have a tenant", none, rag.Question{Text: "x", Identity: rag.Identity{Groups: []string{"staff"}}},
			rag.Flag{Reason: ClaimMissing, Detail: `the identity has no "tenant", which selects documents by customer`}},
		"blank tenant": {"blank is missing", none, rag.Question{Text: "x", Identity: rag.Identity{Tenant: " ", Groups: []string{"staff"}}},
			rag.Flag{Reason: ClaimMissing, Detail: `the identity has no "tenant", which selects documents by customer`}},
		"nobody": {"no identity at all", none, rag.Question{Text: "x"},
			rag.Flag{Reason: ClaimMissing, Detail: `the identity has no "groups", which selects documents by groups`}},
		"two products": {"one question, two values of a field that selects", none, rag.Question{Text: "is the AX-42 or the AX-24 wider", Identity: staff()},
			rag.Flag{Reason: QuestionAmbiguous, Detail: "the question names AX-42 and AX-24, and only one product can be asked about at a time"}},
		"two products by a group": {"the group is the value, not the match", group, rag.Question{Text: "product one or Product two", Identity: staff()},
			rag.Flag{Reason: QuestionAmbiguous, Detail: "the question names one and two, and only one product can be asked about at a time"}},
		"over the window": {"nothing is embedded cut off", none, rag.Question{Text: words, Identity: staff()},
			rag.Flag{Reason: QuestionTooLong, Detail: fmt.Sprintf("the question has %d tokens and the encoder reads %d: ask it shorter", hashedWindow+2, hashedWindow)}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(at(1, prose("d", "p1", "x one two", fields("customer", "all"))))
			out := w.gather(options(func(o *Options) { o.Rules = strictRules() }, test.change), test.q)
			if diff := cmp.Diff([]rag.Flag{test.want}, out.Flags); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			if len(w.sent.queries)+w.sent.counts > 0 || len(out.Hits) > 0 {
				t.Errorf("%s: %d queries and %d counts were sent", test.reason, len(w.sent.queries), w.sent.counts)
			}
		})
	}
}

// TestTooLongForLexical: a question over the encoder's window can still be asked
// by words.
func TestTooLongForLexical(t *testing.T) {
	w := newWorld(t)
	w.put(at(1, prose("d", "p1", "word", nil)))
	out := w.ask(options(func(o *Options) { o.Mode = rag.Lexical }), rag.Question{Text: strings.Repeat("word ", 100)})
	if len(out.Flags) > 0 || len(out.Hits) != 1 {
		t.Errorf("%d hits, flags %v", len(out.Hits), out.Flags)
	}
}

func TestStrip(t *testing.T) {
	tests := map[string]struct {
		reason  string
		strip   bool
		text    string
		ranking string
		terms   []string
	}{
		"stripped":        {"what selected the documents says nothing of their order", true, "What clearance does the AX-42 need?", "What clearance does the need?", []string{"what", "clearance", "does", "the", "need"}},
		"kept":            {"unless the rule doesn't say so", false, "AX-42 clearance", "AX-42 clearance", []string{"ax-42", "clearance"}},
		"nothing to take": {"a question without a value stays as it is, spaces and all", true, "What  clearance?", "What  clearance?", []string{"what", "clearance"}},
		"nothing left":    {"a question that is the value alone", true, " AX-42 ", "", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(at(1, prose("d", "p1", "clearance AX-42", map[string]any{"product": "AX-42"})))
			rules := settings.Eligibility{Question: []settings.QuestionRule{{Field: "product", Pattern: `\bAX-\d{2}\b`, Strip: test.strip}}}
			out := w.ask(options(func(o *Options) { o.Rules = rules }), rag.Question{Text: test.text})
			if out.Ranking != test.ranking || out.Question.Text != test.text {
				t.Errorf("%s: ranked as %q, asked %q", test.reason, out.Ranking, out.Question.Text)
			}
			if diff := cmp.Diff(test.terms, out.Terms); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			if test.strip && len(out.IDs) > 0 {
				t.Errorf("the stripped value is pinned: %v", out.IDs)
			}
			if len(out.Hits) != 1 {
				t.Errorf("%d hits", len(out.Hits))
			}
		})
	}
}

// TestFilterIsWhatWasSent reads the filters back from the queries, and finds the
// whole of each in every prefetch.
func TestFilterIsWhatWasSent(t *testing.T) {
	for _, method := range []string{"Weighted", "RRF"} {
		w := newWorld(t)
		w.put(at(1, prose("d", "p1", "clearance CT-88231", fields())))
		o := options(func(o *Options) { o.Rules, o.Fusion.Method, o.Fusion.K = strictRules(), method, 60 })
		out := w.ask(o, rag.Question{Text: "clearance CT-88231", Identity: staff()})
		names := []string{denseChannel, lexicalChannel, identifiersChannel}
		if method == "RRF" {
			names = append(names, fusedChannel)
		}
		var got []string
		for i, c := range out.Channels {
			got = append(got, c.Name)
			if c.Filter != sent(w.sent.queries[i].GetFilter()) {
				t.Errorf("%s: channel %s tells of another filter than was sent", method, c.Name)
			}
			for _, part := range []string{"status", "groups", "customer", "valid_from", "valid_to", "hardgate.corpus", "hardgate.kind", "hardgate.from", "hardgate.to"} {
				if !strings.Contains(c.Filter, `"`+part+`"`) {
					t.Errorf("%s: channel %s was sent without %s: %s", method, c.Name, part, c.Filter)
				}
			}
			for _, p := range w.sent.queries[i].GetPrefetch() {
				if sent(p.GetFilter()) != sent(w.sent.queries[0].GetFilter()) {
					t.Errorf("%s: a prefetch of %s has another filter", method, c.Name)
				}
			}
		}
		if diff := cmp.Diff(names, got); diff != "" {
			t.Errorf("%s channels (-want +got):\n%s", method, diff)
		}
	}
}

// TestRevisionSees holds that a revision's query sees exactly the points from its
// own generation and those before that were not superseded.
func TestRevisionSees(t *testing.T) {
	w := newWorld(t)
	w.put(stored{prose("from1", "p1", "x", nil), 1, open}, stored{prose("until3", "p1", "x", nil), 1, 3}, stored{prose("only2", "p1", "x", nil), 2, 3}, stored{prose("from3", "p1", "x", nil), 3, open})
	other := inhabit(t, w.client, w.encoder)
	other.put(at(1, prose("neighbour", "p1", "x", nil)))
	for revision, want := range map[int64][]string{
		0: {}, 1: {"from1", "until3"}, 2: {"from1", "only2", "until3"}, 3: {"from1", "from3"}, 4: {"from1", "from3"},
	} {
		for _, mode := range []rag.Mode{rag.Lexical, rag.Dense, rag.Hybrid} {
			out, err := w.retriever(options(), revision).Apply(t.Context(), rag.Question{Text: "x", AsOf: t0, Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, sorted(documents(out.Hits))); diff != "" {
				t.Errorf("%s at revision %d (-want +got):\n%s", mode, revision, diff)
			}
		}
	}
}

// TestEligibleNow re-judges points that were found before, of any revision.
func TestEligibleNow(t *testing.T) {
	w := newWorld(t)
	ids := w.put(
		stored{prose("kept", "p1", "x", fields()), 1, open}, stored{prose("superseded", "p1", "x", fields()), 1, 2},
		stored{prose("withdrawn", "p1", "x", fields("groups", []any{})), 1, open}, stored{prose("expired", "p1", "x", fields("valid_to", "2026-01-15")), 1, open})
	other := inhabit(t, w.client, w.encoder)
	foreign := other.put(at(1, prose("foreign", "p1", "x", fields())))
	r := w.retriever(options(func(o *Options) { o.Rules = strictRules() }), 2)
	all := slices.Concat(ids, foreign, []string{"00000000-0000-0000-0000-000000000001"})
	got, err := r.Eligible(context.Background(), rag.Question{Identity: staff(), AsOf: t0}, all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]bool{ids[0]: true, ids[1]: true}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err = r.Eligible(context.Background(), rag.Question{AsOf: t0}, all)
	if err != nil || len(got) > 0 {
		t.Errorf("for nobody: %v, %v", got, err)
	}
}

// TestNewRefuses names the rule's field.
func TestNewRefuses(t *testing.T) {
	_, err := New(Options{Rules: settings.Eligibility{Question: []settings.QuestionRule{{Field: "a", Pattern: "a"}, {Field: "b", Pattern: "("}}}}, Scope{}, nil, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "eligibility.question[1].pattern") {
		t.Errorf("a bad pattern: %v", err)
	}
}

// TestUnindexedField: the store's refusal is an error, never no hits.
func TestUnindexedField(t *testing.T) {
	w := newWorld(t)
	w.put(at(1, prose("d", "p1", "x", nil)))
	rules := settings.Eligibility{Constants: []settings.Constant{{Field: "colour", Values: []string{"red"}}}}
	_, err := w.retriever(options(func(o *Options) { o.Rules = rules }), 1).Apply(t.Context(), rag.Question{Text: "x", AsOf: t0})
	if err == nil || !strings.Contains(err.Error(), "colour") {
		t.Errorf("a filter on a field without an index: %v", err)
	}
}
