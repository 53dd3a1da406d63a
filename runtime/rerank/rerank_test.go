package rerank_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/rerank"
)

// judge scores a passage by the percentage that is written in it, so that a case
// shows in its hits what they are worth. Of a text without one it fails.
type judge struct{ window int } // characters

func (j judge) Fits(_, passage string) bool { return len(passage) <= j.window }

func (judge) Score(_ context.Context, _ string, passages []string) ([]float64, error) {
	out := make([]float64, len(passages))
	for i, p := range passages {
		best := -1.0
		for _, w := range strings.Fields(p) {
			if n, err := strconv.Atoi(strings.TrimSuffix(w, "%")); err == nil && strings.HasSuffix(w, "%") {
				best = max(best, float64(n)/100)
			}
		}
		if best < 0 {
			return nil, fmt.Errorf("no mark in %q", p)
		}
		out[i] = best
	}
	return out, nil
}

// scoring is a function as a scorer into whose window everything fits.
type scoring func(ctx context.Context, passages []string) ([]float64, error)

func (scoring) Fits(string, string) bool { return true }

func (f scoring) Score(ctx context.Context, _ string, passages []string) ([]float64, error) {
	return f(ctx, passages)
}

func text(passage, worth string, fused float64) rag.Hit {
	return rag.Hit{ID: passage, Scores: rag.Scores{Fused: fused}, Chunk: rag.Chunk{
		Document: "d", Passage: passage, Heading: passage, Pieces: 1,
		Units: []rag.Unit{{Name: passage + ".s1", Kind: rag.Sentence, Text: "worth " + worth}},
	}}
}

// table is one of the section; its first row bears its worth.
func table(passage, section, worth string, fused float64, columns ...string) rag.Hit {
	h := text(passage, worth, fused)
	h.Table, h.Header, h.Heading = true, columns, section
	if section != "" {
		h.Aliases = []string{section}
	}
	h.Units = []rag.Unit{{Name: passage + ".r1", Kind: rag.RowUnit, Text: worth + " | x"}, {Name: passage + ".r2", Kind: rag.RowUnit, Text: "1% | y"}}
	return h
}

func pinned(n int, h rag.Hit) rag.Hit {
	h.Scores.Pinned = n
	return h
}

// ranked gives each hit a rank of its own; gathering gives a table that came along
// the rank of the hit before it (see with).
func ranked(hits ...rag.Hit) []rag.Hit {
	for i := range hits {
		hits[i].Rank = i + 1
	}
	return hits
}

func with(h rag.Hit, rank int) rag.Hit {
	h.Rank = rank
	return h
}

func options() rerank.Options {
	return rerank.Options{Depth: 20, TopK: 3, Timeout: 5 * time.Second, OnFailure: rerank.Fail}
}

func stage(t *testing.T, o rerank.Options, s rerank.Scorer) *rerank.Stage {
	t.Helper()
	st, err := rerank.New(o, s)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// show is a hit as the tests compare it: rank, passage and relevance.
func show(hits []rag.Hit) []string {
	var out []string
	for _, h := range hits {
		relevance := "-"
		if h.Scores.Relevance != nil {
			relevance = strconv.FormatFloat(*h.Scores.Relevance, 'g', 3, 64)
		}
		out = append(out, fmt.Sprintf("%d %s %s", h.Rank, h.Passage, relevance))
	}
	return out
}

func at(x float64) *float64 { return &x }

func TestOrder(t *testing.T) {
	rows := []string{"Worth", "Of"}
	cases := map[string]struct {
		reason string
		change func(*rerank.Options)
		hits   []rag.Hit
		want   []string
		flag   string
	}{
		"relevance": {
			reason: "the scorer's order counts, cut to TopK",
			hits:   ranked(text("a", "10%", .9), text("b", "30%", .8), text("c", "90%", .7), text("e", "50%", .1)),
			want:   []string{"1 c 0.9", "2 e 0.5", "3 b 0.3"},
		},
		"ties": {
			reason: "of like relevance the first stage's order stays",
			hits:   ranked(text("z", "50%", .9), text("b", "50%", .8), text("a", "50%", .7)),
			want:   []string{"1 z 0.5", "2 b 0.5", "3 a 0.5"},
		},
		"blend": {
			reason: "half of .6 and .5÷1 is more than half of .5 and .55, and less than half of .3 and 1",
			change: func(o *rerank.Options) { o.FirstStage = .5 },
			hits:   ranked(text("a", "30%", .8), text("b", "50%", .44), text("c", "60%", .4)),
			want:   []string{"1 a 0.3", "2 c 0.6", "3 b 0.5"},
		},
		"blend of small scores": {
			reason: "reciprocal ranks are small numbers: they are taken over the best, so their half counts the same",
			change: func(o *rerank.Options) { o.FirstStage = .5 },
			hits:   ranked(text("a", "30%", .032), text("b", "50%", .0176), text("c", "60%", .016)),
			want:   []string{"1 a 0.3", "2 c 0.6", "3 b 0.5"},
		},
		"blend without a first stage": {
			reason: "where nothing was scored before, relevance alone counts",
			change: func(o *rerank.Options) { o.FirstStage = .5 },
			hits:   ranked(text("a", "30%", 0), text("b", "50%", 0)),
			want:   []string{"1 b 0.5", "2 a 0.3"},
		},
		"pinned": {
			reason: "more of the question's identifiers come first, then the reranked order",
			hits:   ranked(pinned(2, text("two", "1%", .2)), pinned(1, text("one", "5%", .9)), pinned(1, text("uno", "7%", .8)), text("none", "99%", .7)),
			want:   []string{"1 two 0.01", "2 uno 0.07", "3 one 0.05"},
		},
		"threshold": {
			reason: "what reaches it stays, the equal too; an identifier of the question is exempt",
			change: func(o *rerank.Options) { o.Threshold = at(.5) },
			hits:   ranked(pinned(1, text("id", "2%", .9)), text("a", "49%", .8), text("b", "50%", .7), text("c", "51%", .6)),
			want:   []string{"1 id 0.02", "2 c 0.51", "3 b 0.5"},
		},
		"threshold on relevance": {
			reason: "a first stage that liked a hit doesn't lift it over the threshold",
			change: func(o *rerank.Options) { o.Threshold, o.FirstStage = at(.5), .9 },
			hits:   ranked(text("a", "49%", 1), text("b", "50%", .1)),
			want:   []string{"1 b 0.5"},
		},
		"threshold before TopK": {
			reason: "a hit that falls makes room for the next",
			change: func(o *rerank.Options) { o.Threshold, o.TopK, o.FirstStage = at(.5), 1, .9 },
			hits:   ranked(text("a", "49%", 1), text("b", "50%", .1)),
			want:   []string{"1 b 0.5"},
		},
		"all below": {
			reason: "nothing is left and the answer says why, with both numbers",
			change: func(o *rerank.Options) { o.Threshold = at(.99) },
			hits:   ranked(text("a", "98%", .9), text("b", "41%", .8)),
			flag:   "BelowThreshold: the best relevance of 2 hits is 0.980, the threshold 0.99",
		},
		"threshold 0": {
			reason: "0 is a threshold that all reach, not the lack of one",
			change: func(o *rerank.Options) { o.Threshold = at(0) },
			hits:   ranked(text("a", "0%", .9)),
			want:   []string{"1 a 0"},
		},
		"depth": {
			reason: "what lies deeper is not looked at, and dropped",
			change: func(o *rerank.Options) { o.Depth, o.TopK = 2, 2 },
			hits:   ranked(text("a", "10%", .9), text("b", "20%", .8), text("c", "99%", .7)),
			want:   []string{"1 b 0.2", "2 a 0.1"},
		},
		"along": {
			reason: "a section's table counts as that hit: it stays with it, and its worth is the hit's",
			change: func(o *rerank.Options) { o.TopK = 2 },
			hits:   []rag.Hit{with(text("a", "10%", .9), 1), with(text("b", "20%", .8), 2), with(table("t", "b", "70%", .8), 2), with(text("c", "30%", .7), 3)},
			want:   []string{"1 b 0.7", "1 t 0.7", "2 c 0.3"},
		},
		"along with another": {
			reason: "the table came with the section's first piece; its second is kept, and must not lose it",
			change: func(o *rerank.Options) { o.TopK, o.Threshold = 1, at(.5) },
			hits:   []rag.Hit{with(text("b", "20%", .8), 1), with(table("t", "b", "30%", .8), 1), with(text("b", "80%", .5), 2)},
			want:   []string{"1 b 0.8", "1 t 0.3"},
		},
		"found by itself": {
			reason: "a table that was also found must not be lost where one that wasn't would have come along",
			change: func(o *rerank.Options) { o.TopK, o.Threshold = 1, at(.5) },
			hits:   ranked(text("b", "80%", .8), text("c", "60%", .7), table("t", "b", "5%", .1)),
			want:   []string{"1 b 0.8", "1 t 0.05"},
		},
		"second page": {
			reason: "a register goes on over the page: its second table has the same columns, wherever it was found",
			change: func(o *rerank.Options) { o.Depth, o.TopK = 2, 1 },
			hits:   ranked(table("p1.t1", "", "80%", .8, rows...), text("c", "60%", .7), table("p2.t1", "", "5%", .1, rows...)),
			want:   []string{"1 p1.t1 0.8", "1 p2.t1 -"},
		},
		"pinned section": {
			reason: "an invoice's items stand in another table of its section than its number",
			change: func(o *rerank.Options) { o.TopK = 1 },
			hits:   ranked(pinned(1, table("p1.t1", "inv", "8%", .8, "No")), text("c", "60%", .7), table("p1.t2", "inv", "5%", .1, "Item")),
			want:   []string{"1 p1.t1 0.08", "1 p1.t2 0.05"},
		},
		"other tables": {
			reason: "of other columns, another section or no section, a table is judged on its own",
			change: func(o *rerank.Options) { o.TopK = 1 },
			hits:   ranked(table("t1", "s", "80%", .9, rows...), table("t2", "s", "5%", .8, "Other"), table("t3", "", "5%", .7), table("t4", "", "5%", .6)),
			want:   []string{"1 t1 0.8"},
		},
		"nothing found": {reason: "no hits are no failure"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := options()
			if c.change != nil {
				c.change(&o)
			}
			out, err := stage(t, o, judge{1000}).Apply(t.Context(), rag.Retrieved{Hits: c.hits})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, show(out.Hits)); diff != "" {
				t.Errorf("%s\n%s", c.reason, diff)
			}
			var flag string
			for _, f := range out.Flags {
				flag += f.Reason + ": " + f.Detail
			}
			if flag != c.flag {
				t.Errorf("%s\nflags %q, want %q", c.reason, flag, c.flag)
			}
		})
	}
}

func TestFailure(t *testing.T) {
	broken := errors.New("no model")
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	cases := map[string]struct {
		reason string
		scorer rerank.Scorer
		flag   string
		detail string
	}{
		"error":    {"an error is no score of 0", scoring(func(context.Context, []string) ([]float64, error) { return nil, broken }), rerank.RerankFailed, "no model"},
		"panic":    {"a panic in a driver must not end the process", scoring(func(context.Context, []string) ([]float64, error) { panic("out of bounds") }), rerank.RerankFailed, "out of bounds"},
		"too few":  {"scores must not slip to other passages", scoring(func(context.Context, []string) ([]float64, error) { return []float64{1}, nil }), rerank.RerankFailed, "1 scores for 5 passages"},
		"NaN":      {"NaN sorts anywhere", scoring(func(context.Context, []string) ([]float64, error) { return []float64{1, 1, math.NaN(), 1, 1}, nil }), rerank.RerankFailed, "NaN for passage 2"},
		"logits":   {"a threshold would mean nothing", scoring(func(context.Context, []string) ([]float64, error) { return []float64{.1, 7.5, 1, 1, 1}, nil }), rerank.RerankFailed, "7.5 for passage 1"},
		"slow":     {"an answer is not held up", scoring(func(ctx context.Context, _ []string) ([]float64, error) { <-ctx.Done(); return nil, ctx.Err() }), rerank.RerankTimeout, "4 hits were not scored within 50ms"},
		"stuck":    {"not even by a scorer that doesn't listen", scoring(func(context.Context, []string) ([]float64, error) { <-stuck; return make([]float64, 5), nil }), rerank.RerankTimeout, "4 hits were not scored within 50ms"},
		"no room":  {"a passage that can't be shown is not scored", judge{0}, rerank.RerankFailed, "no room"},
		"own time": {"a scorer's own timeout is a failure of it", scoring(func(context.Context, []string) ([]float64, error) { return nil, context.DeadlineExceeded }), rerank.RerankFailed, "deadline"},
	}
	in := rag.Retrieved{
		Hits:  []rag.Hit{with(text("aaaa", "1%", .9), 1), with(text("b", "2%", .8), 2), with(table("t", "b", "3%", .8), 2), with(text("c", "98%", .7), 3), with(text("e", "99%", .6), 4)},
		Flags: []rag.Flag{{Reason: "Earlier"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Timeout, o.OnFailure, o.Threshold = 50*time.Millisecond, rerank.Degrade, at(.9)
			started := time.Now()
			out, err := stage(t, o, c.scorer).Apply(t.Context(), in)
			if err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if took := time.Since(started); took > 2*time.Second {
				t.Errorf("%s: it took %v", c.reason, took)
			}
			want := []string{"1 aaaa -", "2 b -", "2 t -", "3 c -"}
			if diff := cmp.Diff(want, show(out.Hits)); diff != "" {
				t.Errorf("%s: the order of retrieval, unscored\n%s", c.reason, diff)
			}
			if len(out.Flags) != 2 || out.Flags[1].Reason != c.flag || !strings.Contains(out.Flags[1].Detail, c.detail) {
				t.Errorf("%s: flags %+v, want a second one, %s with %q", c.reason, out.Flags, c.flag, c.detail)
			}
			o.OnFailure = rerank.Fail
			out, err = stage(t, o, c.scorer).Apply(t.Context(), in)
			if err == nil || !strings.Contains(err.Error(), c.detail) || len(out.Hits) > 0 {
				t.Errorf("%s: under Fail %d hits, error %v, want one with %q", c.reason, len(out.Hits), err, c.detail)
			}
		})
	}
	o := options()
	if _, err := stage(t, o, cases["error"].scorer).Apply(t.Context(), in); !errors.Is(err, broken) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	gone := errors.New("the asker went away")
	o := options()
	o.OnFailure = rerank.Degrade
	for name, scorer := range map[string]rerank.Scorer{
		"while scoring": scoring(func(ctx context.Context, _ []string) ([]float64, error) { <-ctx.Done(); return nil, ctx.Err() }),
		"after":         scoring(func(context.Context, []string) ([]float64, error) { return []float64{1}, nil }),
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if name == "after" {
			cancel(gone)
		} else {
			time.AfterFunc(20*time.Millisecond, func() { cancel(gone) })
		}
		out, err := stage(t, o, scorer).Apply(ctx, rag.Retrieved{Hits: ranked(text("a", "1%", 1))})
		if !errors.Is(err, gone) || len(out.Hits) > 0 {
			t.Errorf("%s: error %v, want the cause: a question that nobody waits for is not degraded", name, err)
		}
	}
}

func TestInputStays(t *testing.T) {
	in := func() rag.Retrieved {
		return rag.Retrieved{Flags: make([]rag.Flag, 1, 9), Hits: []rag.Hit{
			with(text("a", "10%", .9), 1), with(text("b", "20%", .8), 2), with(table("t", "b", "70%", .8), 2), with(text("c", "30%", .7), 3)}}
	}
	o := options()
	o.Threshold = at(.99)
	st := stage(t, o, judge{1000})
	shared := in()
	var wg sync.WaitGroup
	for range 8 { // under -race
		wg.Go(func() {
			if _, err := st.Apply(t.Context(), shared); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(in(), shared); diff != "" {
		t.Error(diff)
	}
	if spare := shared.Flags[:2][1]; spare.Reason != "" {
		t.Errorf("a flag was written behind the caller's: %+v", spare)
	}
}

func TestAskedAsRanked(t *testing.T) {
	var asked []string
	s := stage(t, options(), listening{&asked})
	for _, r := range []rag.Retrieved{
		{Ranking: "wait time", Question: rag.Question{Text: "AX-10 wait time"}, Hits: ranked(text("a", "1%", 1))},
		{Question: rag.Question{Text: "wait time"}, Hits: ranked(text("a", "1%", 1))},
	} {
		if _, err := s.Apply(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"wait time", "wait time"}, asked); diff != "" {
		t.Errorf("what the rules strip from the question is not ranked by\n%s", diff)
	}
}

type listening struct{ asked *[]string }

func (listening) Fits(string, string) bool { return true }

func (l listening) Score(_ context.Context, question string, passages []string) ([]float64, error) {
	*l.asked = append(*l.asked, question)
	return make([]float64, len(passages)), nil
}

func TestNewRefuses(t *testing.T) {
	cases := map[string]struct {
		change func(*rerank.Options)
		want   string
	}{
		"depth":     {func(o *rerank.Options) { o.Depth = 0 }, "Depth is 0"},
		"topK":      {func(o *rerank.Options) { o.TopK = 0 }, "TopK is 0"},
		"topK deep": {func(o *rerank.Options) { o.TopK = 21 }, "TopK is 21, want 1 to Depth (20)"},
		"threshold": {func(o *rerank.Options) { o.Threshold = at(1.5) }, "Threshold is 1.5"},
		"NaN":       {func(o *rerank.Options) { o.Threshold = at(math.NaN()) }, "Threshold is NaN"},
		"share":     {func(o *rerank.Options) { o.FirstStage = -1 }, "FirstStage is -1"},
		"timeout":   {func(o *rerank.Options) { o.Timeout = 0 }, "Timeout is 0s"},
		"failure":   {func(o *rerank.Options) { o.OnFailure = "" }, `OnFailure is ""`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := options()
			c.change(&o)
			if _, err := rerank.New(o, judge{9}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := rerank.New(options(), nil); err == nil {
		t.Error("a stage without a scorer")
	}
}
