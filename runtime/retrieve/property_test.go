package retrieve

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"pgregory.net/rapid"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// known is a chunk of the model: what it is, and which revisions hold it.
type known struct {
	fields   map[string]any
	from, to int64
}

// admits judges a chunk for a question as strictRules say it, from the stored
// fields and without a filter.
func admits(k known, revision int64, q rag.Question) bool {
	value := func(field string) []string {
		switch v := k.fields[field].(type) {
		case string:
			return []string{v}
		case []any:
			var out []string
			for _, e := range v {
				if s, ok := e.(string); ok {
					out = append(out, s)
				}
			}
			return out
		}
		return nil
	}
	shares := func(field string, allowed ...string) bool {
		return slices.ContainsFunc(value(field), func(v string) bool { return slices.Contains(allowed, v) })
	}
	if k.from > revision || k.to <= revision || !shares("status", "published", "final") {
		return false
	}
	filled := func(in ...string) []string {
		return slices.DeleteFunc(slices.Clone(in), func(s string) bool { return strings.TrimSpace(s) == "" })
	}
	groups, tenant := filled(q.Identity.Groups...), filled(q.Identity.Tenant)
	if len(groups) == 0 || len(tenant) == 0 || !shares("groups", groups...) || !shares("customer", tenant[0], "all") {
		return false
	}
	products := slices.Compact(sorted(regexp.MustCompile(`\bAX-\d{2}\b`).FindAllString(q.Text, -1)))
	if len(products) > 1 || len(products) == 1 && !shares("product", products[0]) {
		return false
	}
	from, ok := day(k.fields["valid_from"])
	if !ok || from.After(q.AsOf) {
		return false
	}
	switch to := k.fields["valid_to"].(type) {
	case nil:
		return true
	case []any:
		return len(to) == 0
	default:
		end, ok := day(to)
		return ok && q.AsOf.Before(end)
	}
}

func day(v any) (time.Time, bool) {
	s, _ := v.(string)
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// absent takes a field away.
type absent struct{}

func genFields() *rapid.Generator[map[string]any] {
	list := func(names ...string) *rapid.Generator[any] {
		return rapid.Map(rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 2, rapid.ID), func(s []string) any {
			out := []any{}
			for _, v := range s {
				out = append(out, v)
			}
			return out
		})
	}
	date := rapid.SampledFrom([]any{"2025-01-01", "2026-02-01T12:00:00Z", "2026-02-01T17:30:00+05:30", "2026-02-01", "2027-01-01", "", nil, []any{}, "soon", absent{}})
	choose := map[string]*rapid.Generator[any]{
		"status":     rapid.SampledFrom([]any{"published", "published", "final", "draft", "", nil, absent{}}),
		"groups":     rapid.OneOf(list("staff", "board", ""), list("staff", "board"), rapid.SampledFrom([]any{"staff", nil, absent{}})),
		"customer":   rapid.SampledFrom([]any{"north", "south", "all", "", nil, absent{}, []any{"north", "south"}}),
		"product":    rapid.SampledFrom([]any{"AX-42", "AX-24", nil, absent{}}),
		"valid_from": rapid.OneOf(rapid.Just[any]("2025-01-01"), date),
		"valid_to":   date,
	}
	return rapid.Custom(func(t *rapid.T) map[string]any {
		out := map[string]any{}
		for _, field := range []string{"status", "groups", "customer", "product", "valid_from", "valid_to"} {
			if v := choose[field].Draw(t, field); v != (any)(absent{}) {
				out[field] = v
			}
		}
		return out
	})
}

// neighbourhood fills a corpus with documents that all say the same, so that
// nothing but eligibility keeps one from the other.
func neighbourhood(t *rapid.T, w *world) map[string]known {
	out := map[string]known{}
	var chunks []stored
	var models []known
	for i := range rapid.IntRange(1, 12).Draw(t, "documents") {
		f := genFields().Draw(t, "fields")
		from := rapid.Int64Range(1, 4).Draw(t, "from")
		to := rapid.SampledFrom([]int64{open, open, from + 1, 4}).Draw(t, "to")
		cs := []rag.Chunk{prose(fmt.Sprintf("d%d", i), "p1", "clearance of CT-88231", f)}
		if rapid.Bool().Draw(t, "table") {
			cs = register(fmt.Sprintf("d%d", i), "p1.t1", "", 6, f)
		}
		for _, c := range cs {
			chunks, models = append(chunks, stored{c, from, to}), append(models, known{f, from, to})
		}
	}
	for i, id := range w.put(chunks...) {
		out[id] = models[i]
	}
	return out
}

func genQuestion() *rapid.Generator[rag.Question] {
	return rapid.Custom(func(t *rapid.T) rag.Question {
		q := rag.Question{Text: rapid.SampledFrom([]string{"clearance of CT-88231", "clearance of the AX-42", "ST002 and AX-24", "AX-42 or AX-24", "AX-42", "ST001 ST005 CT-88231"}).Draw(t, "text")}
		q.Identity.Tenant = rapid.SampledFrom([]string{"north", "north", "south", "all", "", " "}).Draw(t, "tenant")
		q.Identity.Groups = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"staff", "board", "", " "}), 0, 3, rapid.ID).Draw(t, "groups")
		q.AsOf = rapid.SampledFrom([]time.Time{t0, t0, t0.Add(-time.Millisecond), t0.AddDate(-3, 0, 0), t0.AddDate(50, 0, 0), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}).Draw(t, "asOf")
		q.Mode = rapid.SampledFrom([]rag.Mode{rag.Lexical, rag.Dense, rag.Hybrid, rag.Hybrid, rag.FullContext}).Draw(t, "mode")
		return q
	})
}

// trespass asks, and returns the first point that left the store and may not have,
// or an eligible one that FullContext left out.
func trespass(t fails, w *world, o Options, revision int64, q rag.Question, all map[string]known) string {
	t.Helper()
	w.sent.replies = nil
	r := w.retriever(o, revision)
	found, err := r.Apply(context.Background(), q)
	if err == nil {
		_, err = r.Gather().Apply(context.Background(), found)
	}
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, reply := range w.sent.replies {
		for _, p := range reply {
			id := store.PointID(p.GetId())
			seen[id] = true
			if k, mine := all[id]; !mine || !admits(k, revision, q) {
				return fmt.Sprintf("%s left the store", id)
			}
		}
	}
	if q.Mode != rag.FullContext {
		return ""
	}
	for id, k := range all {
		if !seen[id] && admits(k, revision, q) {
			return fmt.Sprintf("%s is eligible and was not read", id)
		}
	}
	return ""
}

func anyOptions(t *rapid.T) Options {
	return options(func(o *Options) {
		o.Rules = strictRules()
		o.Candidates = rapid.IntRange(1, 20).Draw(t, "candidates")
		o.Full = Budget{Prose: 1 << 20, Tables: 1 << 20}
		o.Fusion = rapid.SampledFrom([]Fusion{
			{Method: "Weighted", Dense: .65, Lexical: .35, Normalization: "Max"}, {Method: "Weighted", Dense: .5, Lexical: .5, Normalization: "MinMax"}, {Method: "RRF", K: 60},
		}).Draw(t, "fusion")
	})
}

// TestNoTrespass: for random documents, identities, instants, revisions and ways of
// searching, no ineligible point ever leaves the store, in any reply of any stage.
func TestNoTrespass(t *testing.T) {
	client := connect(t, hashedSize)
	rapid.Check(t, func(t *rapid.T) {
		neighbourhood(t, inhabit(t, client, hashed{})) // another corpus in the same collection
		w := inhabit(t, client, hashed{})
		all := neighbourhood(t, w)
		o := anyOptions(t)
		for range 3 {
			q := genQuestion().Draw(t, "question")
			revision := rapid.Int64Range(0, 5).Draw(t, "revision")
			if s := trespass(t, w, o, revision, q, all); s != "" {
				t.Fatalf("%s, asked %+v at revision %d", s, q, revision)
			}
		}
	})
}

// TestTrespassIsSeen takes one condition of the filter away and has the property of
// TestNoTrespass fail. (A filter moved outside the prefetches changes no reply, for
// the store hands it down; that it stays inside is read from the queries sent.)
func TestTrespassIsSeen(t *testing.T) {
	w := newWorld(t)
	all := map[string]known{}
	odd := [][]any{{"status", "draft"}, {"groups", []any{"board"}}, {"customer", "south"}, {"product", "AX-24"}, {"valid_from", "2027-01-01"}, {"valid_to", "2025-06-01"}, {}}
	var chunks []stored
	var models []known
	add := func(text string, f map[string]any, from, to int64) {
		chunks, models = append(chunks, stored{prose(fmt.Sprint("d", len(chunks)), "p1", text, f), from, to}), append(models, known{f, from, to})
	}
	for _, change := range odd {
		text := "clearance" // what may not be seen fits the question best
		if len(change) == 0 {
			text = "some clearance is needed behind the rack"
		}
		add(text, fields(append([]any{"product", "AX-42"}, change...)...), 1, open)
	}
	good := fields("product", "AX-42")
	add("clearance", good, 2, open) // of a later revision
	add("clearance", good, 1, 1)    // superseded
	for i, id := range w.put(chunks...) {
		all[id] = models[i]
	}
	foreign := inhabit(t, w.client, w.encoder)
	foreign.put(at(1, prose("foreign", "p1", "clearance", good)))
	o := options(func(o *Options) { o.Rules, o.Fusion = strictRules(), Fusion{Method: "RRF", K: 60} })
	q := rag.Question{Text: "clearance of the AX-42", Identity: staff(), AsOf: t0, Mode: rag.Hybrid}
	if s := trespass(t, w, o, 1, q, all); s != "" {
		t.Fatalf("with the whole filter: %s", s)
	}
	for _, field := range []string{"hardgate.corpus", "hardgate.from", "hardgate.to", "status", "groups", "customer", "product", "valid_from", "valid_to"} {
		w.sent.change = func(query *qdrant.QueryPoints) {
			drop(query.GetFilter(), field)
			for _, p := range query.GetPrefetch() {
				drop(p.GetFilter(), field)
			}
		}
		if trespass(t, w, o, 1, q, all) == "" {
			t.Errorf("a filter without its condition on %s lets nothing through that it shouldn't: the property proves nothing of it", field)
		}
	}
}

// drop takes the condition on a field out of a filter.
func drop(f *qdrant.Filter, field string) {
	f.Must = slices.DeleteFunc(f.GetMust(), func(c *qdrant.Condition) bool {
		nested := c.GetFilter().GetShould()
		return c.GetField().GetKey() == field || len(nested) > 0 && nested[0].GetIsEmpty().GetKey() == field
	})
}
