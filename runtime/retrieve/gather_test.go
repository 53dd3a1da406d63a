package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// register is a table of n employees in pieces of three rows, with the heading's
// slug as its other name.
func register(document, passage, heading string, n int, fields map[string]any) []rag.Chunk {
	var out []rag.Chunk
	pieces, first := (n+2)/3, 100*int(passage[1]-'0') // by its page
	for p := range pieces {
		c := rag.Chunk{Document: document, Passage: passage, Heading: heading, Piece: p, Pieces: pieces, Ordinal: first + p, Table: true,
			Header: []string{"Emp ID", "Name", "Gross"}, Place: rag.Place{Page: 1}, Fields: fields}
		if heading != "" {
			c.Aliases = []string{strings.ToLower(heading)}
		}
		for r := 3 * p; r < min(3*p+3, n); r++ {
			cells := []string{fmt.Sprintf("ST%03d", r+1), fmt.Sprintf("Person %d", r+1), fmt.Sprintf("%d,000", 40+r)}
			c.Units = append(c.Units, rag.Unit{Name: fmt.Sprintf("%s.r%d", passage, r+1), Kind: rag.RowUnit, Order: r, Cells: cells, Text: strings.Join(cells, " | "), Place: rag.Place{Page: 1}})
		}
		out = append(out, c)
	}
	return out
}

func current(cs []rag.Chunk) []stored {
	var out []stored
	for _, c := range cs {
		out = append(out, at(1, c))
	}
	return out
}

func unitNames(h rag.Hit) []string {
	out := []string{}
	for _, u := range h.Units {
		out = append(out, u.Name)
	}
	return out
}

func rowNames(passage string, n int) []string {
	out := []string{}
	for r := range n {
		out = append(out, fmt.Sprintf("%s.r%d", passage, r+1))
	}
	return out
}

// summary is what gathering decides of a hit.
type summary struct {
	Evidence    string
	Rank, Units int
	Lost        int
}

func summaries(hits []rag.Hit) []summary {
	out := []summary{}
	for _, h := range hits {
		out = append(out, summary{h.Evidence(), h.Rank, len(h.Units), h.Lost})
	}
	return out
}

func TestGather(t *testing.T) {
	section := func(document, heading, text string) rag.Chunk {
		c := prose(document, strings.ToLower(heading), text, nil)
		c.Heading = heading
		return c
	}
	lexical := func(o *Options) { o.Mode = rag.Lexical }
	tests := map[string]struct {
		reason   string
		chunks   []stored
		question string
		change   []func(*Options)
		want     []summary
		flags    []string
	}{
		"one row": {
			reason: "a question about one row brings the whole table, in order",
			chunks: current(register("reg", "p1.t1", "", 12, nil)), question: "ST011", change: []func(*Options){lexical},
			want: []summary{{"reg#p1.t1", 1, 12, 0}}, flags: []string{},
		},
		"several rows": {
			reason: "pieces of one table are one hit, at the rank of the best piece",
			chunks: append(current(register("reg", "p1.t1", "", 12, nil)), at(1, prose("memo", "p1", "ST001 is Person of the month", nil))), question: "ST001 person", change: []func(*Options){lexical},
			want: []summary{{"memo#p1", 1, 1, 0}, {"reg#p1.t1", 2, 12, 0}}, flags: []string{},
		},
		"one piece": {
			reason: "a table of one piece is whole as it is",
			chunks: current(register("reg", "p1.t1", "", 3, nil)), question: "ST002", change: []func(*Options){lexical},
			want: []summary{{"reg#p1.t1", 1, 3, 0}}, flags: []string{},
		},
		"a section's table": {
			reason:   "text under a heading brings the heading's tables behind it, with its rank, not counted in topK",
			chunks:   append(current(register("reg", "p1.t1", "April", 6, nil)), at(1, section("reg", "April", "wages of the spinning mill")), at(1, prose("other", "p1", "the mill", nil))),
			question: "spinning mill", change: []func(*Options){lexical, func(o *Options) { o.TopK = 2 }},
			want: []summary{{"reg#april", 1, 1, 0}, {"reg#p1.t1", 1, 6, 0}, {"other#p1", 2, 1, 0}}, flags: []string{},
		},
		"found twice": {
			reason:   "a table that is a hit itself stays there, once, in the place of its section",
			chunks:   append(current(register("reg", "p1.t1", "April", 6, nil)), at(1, section("reg", "April", "spinning wages ST001 ST001"))),
			question: "ST001", change: []func(*Options){lexical},
			want: []summary{{"reg#april", 1, 1, 0}, {"reg#p1.t1", 1, 6, 0}}, flags: []string{},
		},
		"the same columns": {
			reason:   "a document's tables of the same columns may be parts of one: all come, behind the one that was found",
			chunks:   append(append(current(register("reg", "p1.t1", "", 4, nil)), current(register("reg", "p2.t1", "", 9, nil))...), current(register("reg2", "p1.t1", "", 6, nil))...),
			question: "ST008", change: []func(*Options){lexical},
			want: []summary{{"reg#p2.t1", 1, 9, 0}, {"reg#p1.t1", 1, 4, 0}}, flags: []string{},
		},
		"another document's table": {
			reason:   "a heading of the same name in another document is another section",
			chunks:   append(current(register("reg2", "p1.t1", "April", 6, nil)), at(1, section("reg", "April", "spinning"))),
			question: "spinning", change: []func(*Options){lexical},
			want: []summary{{"reg#april", 1, 1, 0}}, flags: []string{},
		},
		"a piece is missing": {
			reason: "rows that could not be had are told, never passed over",
			chunks: current(register("reg", "p1.t1", "", 12, nil))[1:], question: "ST011", change: []func(*Options){lexical},
			want: []summary{{"reg#p1.t1", 1, 9, 1}}, flags: []string{TableIncomplete},
		},
		"a superseded piece": {
			reason: "the pieces of another revision do not fill in",
			chunks: append(current(register("reg", "p1.t1", "", 6, nil))[:1], stored{register("reg", "p1.t1", "", 6, nil)[1], 2, open}), question: "ST001", change: []func(*Options){lexical},
			want: []summary{{"reg#p1.t1", 1, 3, 1}}, flags: []string{TableIncomplete},
		},
		"a section's table misses a piece": {
			reason: "a table that comes along is no less a table",
			chunks: append(current(register("reg", "p1.t1", "April", 9, nil))[:2], at(1, section("reg", "April", "spinning"))), question: "spinning", change: []func(*Options){lexical},
			want: []summary{{"reg#april", 1, 1, 0}, {"reg#p1.t1", 1, 6, 1}}, flags: []string{TableIncomplete},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(test.chunks...)
			out := w.gather(options(test.change...), rag.Question{Text: test.question})
			if diff := cmp.Diff(test.want, summaries(out.Hits)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
			if diff := cmp.Diff(test.flags, reasons(out.Flags)); diff != "" {
				t.Errorf("%s: flags (-want +got):\n%s", test.reason, diff)
			}
			for _, h := range out.Hits {
				if h.Table && h.Lost == 0 && !cmp.Equal(rowNames(h.Passage, len(h.Units)), unitNames(h)) {
					t.Errorf("rows out of order: %v", unitNames(h))
				}
			}
		})
	}
}

// TestGatherKeepsTheFilter holds that gathering sends the search's own filter.
func TestGatherKeepsTheFilter(t *testing.T) {
	w := newWorld(t)
	rules := settings.Eligibility{Identity: []settings.IdentityRule{{Field: "groups", Claim: "groups"}}}
	pieces := current(register("reg", "p1.t1", "", 6, fields()))
	pieces[1].Fields = fields("groups", []any{"board"}) // no ingestion makes such a document; a filter must not rely on that
	w.put(pieces...)
	out := w.gather(options(func(o *Options) { o.Rules = rules }), rag.Question{Text: "ST001", Identity: staff()})
	if diff := cmp.Diff([]summary{{"reg#p1.t1", 1, 3, 1}}, summaries(out.Hits)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGatherLosesAll: a table whose pieces went between search and gathering is
// incomplete, not one piece long.
func TestGatherLosesAll(t *testing.T) {
	w := newWorld(t)
	w.put(current(register("reg", "p1.t1", "", 6, nil))...)
	r := w.retriever(options(func(o *Options) { o.Mode = rag.Lexical }), 1)
	found, err := r.Apply(t.Context(), asked(rag.Question{Text: "ST001"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.client.DeletePoints(t.Context(), collection, store.ByFilter(&qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchKeyword("hardgate.corpus", w.corpus)}})); err != nil {
		t.Fatal(err)
	}
	out, err := r.Gather().Apply(t.Context(), found)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]summary{{"reg#p1.t1", 1, 3, 1}}, summaries(out.Hits)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{TableIncomplete}, reasons(out.Flags)); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
	if len(found.Flags) > 0 || found.Hits[0].Lost > 0 {
		t.Error("gathering changed its input")
	}
}

// TestParts joins a row that was over the encoder's window from the pieces in
// which it is stored.
func TestParts(t *testing.T) {
	w := newWorld(t)
	part := func(piece, part int, cells ...string) stored {
		c := rag.Chunk{Document: "d", Passage: "p1.t1", Piece: piece, Pieces: 3, Ordinal: piece, Table: true, Header: []string{"Id", "Terms", "Note"}, Place: rag.Place{Page: 1}}
		c.Units = []rag.Unit{{Name: "p1.t1.r1", Kind: rag.RowUnit, Part: part, Parts: 2, Cells: cells, Text: strings.Join(cells, " | "), Place: rag.Place{Page: 1, Box: rag.Box{X0: float64(piece), X1: float64(piece + 1), Y1: 1}}}}
		return at(1, c)
	}
	last := part(2, 0, "ST002", "short", "")
	last.Units[0].Name, last.Units[0].Order, last.Units[0].Parts = "p1.t1.r2", 1, 0
	chunks := []stored{part(0, 1, "ST001", "paid in", ""), part(1, 2, "", "thirty days", "of the invoice"), last}
	chunks[1].Header = []string{"Id", "", "Note"}
	w.put(chunks...)
	out := w.gather(options(), rag.Question{Text: "thirty days"})
	want := []rag.Unit{
		{Name: "p1.t1.r1", Kind: rag.RowUnit, Cells: []string{"ST001", "paid in thirty days", "of the invoice"}, Text: "ST001 | paid in thirty days | of the invoice", Place: rag.Place{Page: 1, Box: rag.Box{X1: 2, Y1: 1}}},
		{Name: "p1.t1.r2", Kind: rag.RowUnit, Order: 1, Cells: []string{"ST002", "short", ""}, Text: "ST002 | short | ", Place: rag.Place{Page: 1, Box: rag.Box{X0: 2, X1: 3, Y1: 1}}},
	}
	if len(out.Hits) != 1 {
		t.Fatalf("%d hits", len(out.Hits))
	}
	if diff := cmp.Diff(want, out.Hits[0].Units); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Id", "Terms", "Note"}, out.Hits[0].Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

// TestTopCountsTablesOnce holds that the pieces of a table take one place of topK.
func TestTopCountsTablesOnce(t *testing.T) {
	hit := func(document string, table bool, piece int) rag.Hit {
		return rag.Hit{Chunk: rag.Chunk{Document: document, Passage: "p", Table: table, Piece: piece}, ID: fmt.Sprint(document, piece)}
	}
	in := []rag.Hit{hit("t", true, 2), hit("a", false, 0), hit("t", true, 0), hit("a", false, 1), hit("u", true, 0), hit("b", false, 0)}
	tests := map[int][]string{0: {}, 1: {"t2"}, 2: {"t2", "a0"}, 3: {"t2", "a0", "a1"}, 4: {"t2", "a0", "a1", "u0"}, 9: {"t2", "a0", "a1", "u0", "b0"}}
	for k, want := range tests {
		got := []string{}
		for i, h := range top(in, k) {
			got = append(got, h.ID)
			if h.Rank != i+1 {
				t.Errorf("topK %d: %s has rank %d, want %d", k, h.ID, h.Rank, i+1)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("topK %d (-want +got):\n%s", k, diff)
		}
	}
}

// TestTopCountsSectionsOnce holds that topK counts passages: a clause that comes in
// several hits leaves the other places to other clauses.
func TestTopCountsSectionsOnce(t *testing.T) {
	text := func(id, section string) rag.Hit {
		return rag.Hit{Chunk: rag.Chunk{Document: "load", Passage: section, Heading: section}, ID: id}
	}
	table := func(id, passage, section string) rag.Hit {
		return rag.Hit{Chunk: rag.Chunk{Document: "load", Passage: passage, Heading: section, Aliases: []string{section}, Table: true}, ID: id}
	}
	under := func(id, section, part string) rag.Hit {
		h := table(id, id, part)
		h.Aliases = append(h.Aliases, section)
		return h
	}
	other := rag.Hit{Chunk: rag.Chunk{Document: "rule", Passage: "stops", Heading: "stops"}, ID: "rule"}
	page := func(id string) rag.Hit { return rag.Hit{Chunk: rag.Chunk{Document: "letter", Passage: "p1"}, ID: id} }
	tests := map[string]struct {
		reason string
		hits   []rag.Hit
		k      int
		want   string
	}{
		"text and table":    {"a section's table has the place of its text", []rag.Hit{text("stops", "stops"), table("t", "p1.t1", "stops"), other}, 2, "stops@1 t@1 rule@2"},
		"table and text":    {"and its text that of the table", []rag.Hit{table("t", "p1.t1", "stops"), other, text("stops", "stops")}, 2, "t@1 rule@2 stops@1"},
		"pieces":            {"the pieces of a clause that was over the window are one clause", []rag.Hit{text("a", "claims"), text("b", "claims"), other}, 2, "a@1 b@1 rule@2"},
		"another document":  {"a heading of the same name elsewhere is another clause", []rag.Hit{text("stops", "stops"), other}, 1, "stops@1"},
		"pages":             {"a page is no clause: its pieces stand for themselves", []rag.Hit{page("a"), page("b"), other}, 2, "a@1 b@2"},
		"one long section":  {"a section of many pieces does not fill the prompt alone", []rag.Hit{text("a", "s"), text("b", "s"), text("c", "s"), other}, 1, "a@1 b@1"},
		"two of one part":   {"headings above that of a table hold many clauses", []rag.Hit{under("p1.t1", "annexes", "may"), under("p2.t1", "annexes", "june"), other}, 2, "p1.t1@1 p2.t1@2"},
		"two of one header": {"two tables of one section are that section", []rag.Hit{table("t", "p1.t1", "s"), table("u", "p1.t2", "s"), other}, 2, "t@1 u@1 rule@2"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, h := range top(tc.hits, tc.k) {
				got = append(got, fmt.Sprintf("%s@%d", h.ID, h.Rank))
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestWhole is the mode that retrieves nothing in particular: all eligible text
// in order, or a refusal with the numbers.
func TestWhole(t *testing.T) {
	w := newWorld(t)
	pieces := register("reg", "p1.t1", "", 6, fields())
	w.put(at(1, prose("z", "p1", "last", fields())), at(1, pieces[1]), at(1, pieces[0]), at(1, prose("a", "p1", "first", fields())), at(1, prose("secret", "p1", "never", fields("groups", []any{"board"}))))
	full := func(prose, tables int) Options {
		return options(func(o *Options) {
			o.Mode, o.Rules, o.Full = rag.FullContext, strictRules(), Budget{Prose: prose, Tables: tables}
		})
	}
	out := w.gather(full(100, 1000), rag.Question{Text: "x", Identity: staff()})
	if diff := cmp.Diff([]summary{{"a#p1", 1, 1, 0}, {"reg#p1.t1", 2, 6, 0}, {"z#p1", 3, 1, 0}}, summaries(out.Hits)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if out := w.gather(full(8, 1000), rag.Question{Text: "x", Identity: staff()}); len(out.Hits) > 0 || !cmp.Equal(reasons(out.Flags), []string{ContextTooLarge}) {
		t.Errorf("9 characters of prose in a budget of 8: %d hits, %v", len(out.Hits), out.Flags)
	}
	if out := w.gather(full(100, 1000), rag.Question{Text: "x"}); len(out.Hits) > 0 || !cmp.Equal(reasons(out.Flags), []string{ClaimMissing}) {
		t.Errorf("for nobody: %d hits, %v", len(out.Hits), out.Flags)
	}
	torn := newWorld(t)
	torn.put(at(1, pieces[1]))
	if out := torn.gather(full(100, 1000), rag.Question{Text: "x", Identity: staff()}); !cmp.Equal(reasons(out.Flags), []string{TableIncomplete}) {
		t.Errorf("half a table: %v, want TableIncomplete", out.Flags)
	}
}
