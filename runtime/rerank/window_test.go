package rerank_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/rerank"
)

// reader notes what it is shown, and scores each passage by its place in the call.
type reader struct {
	window int // characters
	shown  *[]string
}

func (r reader) Fits(_, passage string) bool { return len(passage) <= r.window }

func (r reader) Score(_ context.Context, _ string, passages []string) ([]float64, error) {
	*r.shown = append(*r.shown, passages...)
	out := make([]float64, len(passages))
	for i := range out {
		out[i] = float64(i+1) / 10000
	}
	return out, nil
}

func TestWindows(t *testing.T) {
	rows := func(texts ...string) []rag.Unit {
		var out []rag.Unit
		for i, x := range texts {
			out = append(out, rag.Unit{Name: fmt.Sprint("r", i), Kind: rag.RowUnit, Text: x})
		}
		return out
	}
	cases := map[string]struct {
		reason string
		window int
		chunk  rag.Chunk
		want   []string
	}{
		"whole":     {"what fits is shown as it was embedded", 99, rag.Chunk{Title: "T", Heading: "H", Units: rows("one", "two")}, []string{"T\nH\none\ntwo"}},
		"rows":      {"whole rows, and the head on each window", 15, rag.Chunk{Title: "T", Table: true, Header: []string{"a", "b"}, Units: rows("1 | 2", "3", "4", "5 | 6")}, []string{"T\na | b\n1 | 2\n3", "T\na | b\n4\n5 | 6"}},
		"long row":  {"a row over the window is parted, and loses nothing", 14, rag.Chunk{Header: []string{"a"}, Units: rows("x", "one two three four", "y")}, []string{"a\nx", "a\none two", "a\nthree four", "a\ny"}},
		"long word": {"so is a word", 8, rag.Chunk{Title: "T", Units: rows("abcdefghijklm")}, []string{"T\nabcdef", "T\nghijkl", "T\nm"}},
		"long head": {"a head that would fill most of each window is text like the rest", 10, rag.Chunk{Header: []string{"first", "second"}, Units: rows("1 | 2", "3 | 4")}, []string{"first |", "second", "1 | 2", "3 | 4"}},
		"runes":     {"letters of more than one byte stay whole", 7, rag.Chunk{Units: rows("₹₹₹ ₹₹")}, []string{"₹₹", "₹", "₹₹"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var shown []string
			out, err := stage(t, options(), reader{c.window, &shown}).Apply(t.Context(), rag.Retrieved{Hits: []rag.Hit{{Chunk: c.chunk}}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, shown); diff != "" {
				t.Errorf("%s\n%s", c.reason, diff)
			}
			if got, want := *out.Hits[0].Scores.Relevance, float64(len(c.want))/10000; got != want {
				t.Errorf("relevance %v, want that of the best window, %v", got, want)
			}
			if got, want := len(out.Hits[0].Units), len(c.chunk.Units); got != want {
				t.Errorf("%d units left of %d: windows are for scoring alone", got, want)
			}
		})
	}
}

// The best window may be any, and what it says must be found.
func TestLastRowCounts(t *testing.T) {
	var units []rag.Unit
	for i := range 400 {
		units = append(units, rag.Unit{Name: fmt.Sprint("r", i), Kind: rag.RowUnit, Text: fmt.Sprintf("E%04d | clerk | 1%%", i)})
	}
	units[399].Text = "E0399 | clerk | 77%"
	long := rag.Hit{Rank: 1, Chunk: rag.Chunk{Document: "d", Passage: "p1.t1", Table: true, Header: []string{"No", "Post", "Worth"}, Units: units}}
	out, err := stage(t, options(), judge{300}).Apply(t.Context(), rag.Retrieved{Hits: []rag.Hit{with(text("a", "76%", 1), 2), long}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 p1.t1 0.77", "2 a 0.76"}, show(out.Hits)); diff != "" {
		t.Error(diff)
	}
}

// Whatever the window, every word is shown in order, in some window that fits.
func TestWindowsLoseNothing(t *testing.T) {
	var units []rag.Unit
	for i := range 60 {
		units = append(units, rag.Unit{Text: strings.TrimSpace(strings.Repeat(fmt.Sprintf("w%d ", i), 1+i%17))})
	}
	chunk := rag.Chunk{Title: "title", Header: []string{"h1", "h2"}, Units: units}
	for _, window := range []int{30, 31, 45, 64, 100, 1000, 10000} {
		var shown []string
		if _, err := stage(t, options(), reader{window, &shown}).Apply(t.Context(), rag.Retrieved{Hits: []rag.Hit{{Chunk: chunk}}}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range shown {
			if len(s) > window {
				t.Errorf("window %d: %d characters are shown", window, len(s))
			}
			got = append(got, strings.Fields(strings.TrimPrefix(s, "title\nh1 | h2\n"))...)
		}
		var want []string
		for _, u := range units {
			want = append(want, strings.Fields(u.Text)...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("window %d: words were lost or repeated: %d of %d", window, len(got), len(want))
		}
	}
}

var _ rerank.Scorer = reader{}
