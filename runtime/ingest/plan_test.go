package ingest

import (
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

func TestPlan(t *testing.T) {
	object := func(key, version string) rag.Object { return rag.Object{Key: key, Version: version} }
	was := func(key, version, document string, change func(*stored)) *stored {
		s := &stored{record: rag.Record{Key: key, Version: version, Document: document, Fields: map[string]any{"title": "T", "n": int64(1)}}, from: 3, to: Open, config: "conf"}
		if change != nil {
			change(s)
		}
		return s
	}
	failed := func(stage string) func(*stored) {
		return func(s *stored) { s.record.Failure = &rag.Failure{Stage: stage, Reason: "R", Detail: "d"} }
	}
	large := &rag.Failure{Stage: "fetch", Reason: "TooLarge", Detail: "9 bytes; source.maxObjectBytes admits fewer"}
	type decision struct {
		Key    string
		Action Action
		Reason string
	}
	tests := map[string]struct {
		reason    string
		documents []rag.Object
		large     []rag.Object
		fields    map[string]any // of a.pdf; nil = title T, n 1
		known     []*stored
		withheld  []string
		erased    []string
		want      []decision
		remove    []string
		work      int
	}{
		"new":              {reason: "what is not stored is built", documents: []rag.Object{object("a.pdf", "1")}, want: []decision{{"a.pdf", Build, ""}}, work: 1},
		"as it was":        {reason: "what is stored stays", documents: []rag.Object{object("a.pdf", "1")}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Keep, ""}}},
		"another version":  {reason: "other bytes", documents: []rag.Object{object("a.pdf", "2")}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Build, ""}}, work: 1},
		"another config":   {reason: "other chunks", documents: []rag.Object{object("a.pdf", "1")}, known: []*stored{was("a.pdf", "1", "a", func(s *stored) { s.config = "old" })}, want: []decision{{"a.pdf", Build, ""}}, work: 1},
		"another name":     {reason: "other evidence ids", documents: []rag.Object{object("a.pdf", "1")}, known: []*stored{was("a.pdf", "1", "b", nil)}, want: []decision{{"a.pdf", Build, ""}}, work: 1},
		"another field":    {reason: "the payload alone", documents: []rag.Object{object("a.pdf", "1")}, fields: map[string]any{"title": "T", "n": int64(2)}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Rewrite, ""}}, work: 1},
		"a field less":     {reason: "likewise", documents: []rag.Object{object("a.pdf", "1")}, fields: map[string]any{"title": "T"}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Rewrite, ""}}, work: 1},
		"another title":    {reason: "the title is embedded", documents: []rag.Object{object("a.pdf", "1")}, fields: map[string]any{"title": "U", "n": int64(1)}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Build, ""}}, work: 1},
		"failed by itself": {reason: "the same bytes fail again", documents: []rag.Object{object("a.pdf", "1")}, known: []*stored{was("a.pdf", "1", "a", failed("extract"))}, want: []decision{{"a.pdf", Keep, ""}}},
		"failed to come":   {reason: "what failed for something outside is tried again", documents: []rag.Object{object("a.pdf", "1")}, known: []*stored{was("a.pdf", "1", "a", failed("fetch"))}, want: []decision{{"a.pdf", Build, ""}}, work: 1},
		"was not alone":    {reason: "likewise", documents: []rag.Object{object("a.pdf", "1")}, known: []*stored{was("a.pdf", "1", "a", failed("metadata"))}, want: []decision{{"a.pdf", Build, ""}}, work: 1},
		"gone":             {reason: "what is not listed goes", known: []*stored{was("b.pdf", "1", "b", nil), was("a.pdf", "1", "a", nil)}, want: []decision{}, remove: []string{"a.pdf", "b.pdf"}, work: 2},
		"too large":        {reason: "is a failure, and not gone", large: []rag.Object{{Key: "a.pdf", Version: "1", Size: 9}}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Fail, "TooLarge"}}, work: 1},
		"still too large":  {reason: "told once", large: []rag.Object{{Key: "a.pdf", Version: "1", Size: 9}}, known: []*stored{was("a.pdf", "1", "", func(s *stored) { s.record.Failure = large })}, want: []decision{{"a.pdf", Keep, "TooLarge"}}},
		"withheld":         {reason: "what is withheld stays", withheld: []string{"a.pdf"}, known: []*stored{was("b.pdf", "1", "b", nil), was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Keep, ""}}, remove: []string{"b.pdf"}, work: 1},
		"withheld, back":   {reason: "and is as any other when it is listed again", withheld: []string{"a.pdf"}, documents: []rag.Object{object("a.pdf", "2")}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Build, ""}}, work: 1},
		"withheld, field":  {reason: "its fields are what the manifest says", withheld: []string{"a.pdf"}, fields: map[string]any{"n": int64(2)}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Rewrite, ""}}, work: 1},
		"withheld, silent": {reason: "or what they were, where it says nothing any more", withheld: []string{"c.pdf"}, known: []*stored{was("c.pdf", "1", "c", nil)}, want: []decision{{"c.pdf", Keep, ""}}},
		"withheld, config": {reason: "it can't be read again: that is a failure and no silence", withheld: []string{"a.pdf"}, known: []*stored{was("a.pdf", "1", "a", func(s *stored) { s.config = "old" })}, want: []decision{{"a.pdf", Fail, WithheldReason}}, work: 1},
		"withheld, new":    {reason: "nor into another collection", withheld: []string{"a.pdf"}, want: []decision{{"a.pdf", Fail, WithheldReason}}, work: 1},
		"withheld, failed": {reason: "told once", withheld: []string{"a.pdf"}, known: []*stored{was("a.pdf", "", "", func(s *stored) { s.record.Failure = unread("a.pdf") })}, want: []decision{{"a.pdf", Keep, WithheldReason}}},
		"withheld, moved":  {reason: "an object of its name takes its place", withheld: []string{"a.pdf"}, documents: []rag.Object{object("x/a.pdf", "1")}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"x/a.pdf", Build, ""}}, remove: []string{"a.pdf"}, work: 2},
		"erased":           {reason: "is passed over", erased: []string{"a"}, documents: []rag.Object{object("a.pdf", "1"), object("b.pdf", "1")}, want: []decision{{"b.pdf", Build, ""}}, work: 1},
		"erased of two":    {reason: "and leaves no duplicate", erased: []string{"a"}, documents: []rag.Object{object("a.pdf", "1"), object("x/a.pdf", "1")}, want: []decision{}, work: 0},
		"two of a name":    {reason: "both fail, and the third doesn't", documents: []rag.Object{object("a.pdf", "1"), object("b.pdf", "1"), object("x/a.pdf", "1")}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.pdf", Fail, "DuplicateDocument"}, {"b.pdf", Build, ""}, {"x/a.pdf", Fail, "DuplicateDocument"}}, work: 3},
		"type not read":    {reason: "it takes nobody's name", documents: []rag.Object{object("a.csv", "1"), object("a.pdf", "1"), object("a.xlsx", "1")}, known: []*stored{was("a.pdf", "1", "a", nil), was("a.xlsx", "1", "a", func(s *stored) { failed("extract")(s); s.record.Fields = nil })}, want: []decision{{"a.csv", Build, ""}, {"a.pdf", Keep, ""}, {"a.xlsx", Keep, ""}}, work: 1},
		"none is read":     {reason: "nor the name of one another", documents: []rag.Object{object("a.csv", "1"), object("a.xlsx", "1")}, want: []decision{{"a.csv", Build, ""}, {"a.xlsx", Build, ""}}, work: 2},
		"read after all":   {reason: "bytes that are known to be a document, under a name that says nothing, are one too many", documents: []rag.Object{object("a.csv", "1"), object("a.pdf", "1")}, known: []*stored{was("a.csv", "1", "a", nil)}, want: []decision{{"a.csv", Fail, "DuplicateDocument"}, {"a.pdf", Build, ""}}, work: 2},
		"withheld, sheet":  {reason: "nor that of a document whose deletion is withheld", withheld: []string{"a.pdf"}, documents: []rag.Object{object("a.csv", "1")}, known: []*stored{was("a.pdf", "1", "a", nil)}, want: []decision{{"a.csv", Build, ""}, {"a.pdf", Keep, ""}}, work: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d, err := NewDescriber(settings.Documents{ID: "{{ .Base }}", Metadata: []settings.Metadata{{Manifest: "m"}}})
			if err != nil {
				t.Fatal(err)
			}
			fields := test.fields
			if fields == nil {
				fields = map[string]any{"title": "T", "n": int64(1)}
			}
			known := map[string]generations{"earlier.pdf": {was("earlier.pdf", "1", "earlier", func(s *stored) { s.to = 3 })}} // removed before
			for _, s := range test.known {
				known[s.record.Key] = append(known[s.record.Key], s)
			}
			l := source.Listing{Documents: test.documents, TooLarge: test.large}
			p := plan(l, d, settings.Eligibility{}, map[string]Manifest{"m": {"a.pdf": fields}}, known, "conf", exceptions{test.withheld, test.erased, func(key string) bool { return path.Ext(key) == ".pdf" }})
			got := []decision{}
			for _, i := range p.Items {
				reason := ""
				if i.Failure != nil {
					reason = i.Failure.Reason
				}
				got = append(got, decision{i.Object.Key, i.Action, reason})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			if diff := cmp.Diff(append([]string{}, test.remove...), append([]string{}, p.Remove...)); diff != "" {
				t.Errorf("%s: removed (-want +got):\n%s", test.reason, diff)
			}
			if p.Work() != test.work {
				t.Errorf("%s: %d to do, want %d", test.reason, p.Work(), test.work)
			}
		})
	}
}

// TestUndated tells a validity that can't be read from one that isn't given.
func TestUndated(t *testing.T) {
	rules := settings.Eligibility{Validity: &settings.Validity{From: "from", To: "to"}}
	for name, test := range map[string]struct {
		fields map[string]any
		bad    bool
	}{
		"none":           {nil, false},
		"null":           {map[string]any{"from": nil, "to": nil}, false},
		"blank":          {map[string]any{"from": "", "to": " "}, false},
		"empty":          {map[string]any{"to": []any{}}, false},
		"dates":          {map[string]any{"from": "2026-01-01", "to": "2026-01-01T00:00:00+05:30"}, false},
		"a list":         {map[string]any{"from": []any{"2026-01-01", "2027-01-01"}}, false},
		"a list with no": {map[string]any{"from": []any{"2026-01-01", "later"}}, true},
		"a word":         {map[string]any{"to": "open"}, true},
		"a number":       {map[string]any{"from": int64(20260101)}, true},
		"another order":  {map[string]any{"from": "01.02.2026"}, true},
		"no such day":    {map[string]any{"from": "2026-02-30"}, true},
	} {
		if err := undated(rules, test.fields); (err != nil) != test.bad {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := undated(settings.Eligibility{}, map[string]any{"from": "soon"}); err != nil {
		t.Errorf("without a validity: %v", err)
	}
}
