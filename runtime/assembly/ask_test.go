package assembly

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/retrieve"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

const headcount = "How many employees are in the Salary Register of April 2026?"

// TestAsk goes from PDFs in a folder to answers.
func TestAsk(t *testing.T) {
	l := newLibrary(t, engine(t, ""))
	if sum := l.ingest(1); sum.Total != 4 || sum.Fetched != 4 {
		t.Fatalf("summary %+v", sum)
	}
	a := l.asker(1)
	t.Run("a count", func(t *testing.T) {
		out, trace, err := a.Ask(t.Context(), by(headcount, "staff"))
		if err != nil {
			t.Fatal(err)
		}
		if out.Status != rag.Answered || !strings.Contains(out.Text, "6") || len(out.Flags) > 0 {
			t.Errorf("%s: %q, flags %v", out.Status, out.Text, out.Flags)
		}
		if len(out.Citations) != 1 || out.Citations[0].Document != "register" || len(out.Citations[0].Units) != 6 {
			t.Errorf("citations %+v", out.Citations)
		}
		var ran []string
		for _, r := range trace.Records() {
			ran = append(ran, r.Step)
		}
		if diff := cmp.Diff([]string{flow.Retrieve, flow.Gather, flow.Rerank, flow.Compress, flow.Prompt, flow.Generate}, ran); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		p := flow.Summarize(trace)
		if p.Eligible == 0 || p.Retrieved == 0 || p.Context == nil || p.Context.Hash != out.ContextHash || p.CharsBefore < p.CharsAfter || p.Usage.Model == "" {
			t.Errorf("account %+v", p)
		}
	})
	t.Run("a sentence", func(t *testing.T) {
		out, _, err := a.Ask(t.Context(), by("When does the canteen open?", "staff"))
		if err != nil || out.Status != rag.Answered || !strings.Contains(out.Text, "noon") {
			t.Errorf("%s: %q, %v", out.Status, out.Text, err)
		}
	})
	t.Run("what it may not see", func(t *testing.T) {
		for who, q := range map[string]rag.Question{
			"staff":  by("What is the bonus of the board?", "staff"),
			"nobody": by("What is the bonus of the board?"),
		} {
			out, trace, err := a.Ask(t.Context(), q)
			if err != nil || out.Status != rag.NeedsHuman || strings.Contains(out.Text, "percent") {
				t.Errorf("%s: %s %q, %v", who, out.Status, out.Text, err)
			}
			found, _ := flow.Output[rag.Retrieved](trace, flow.Gather)
			for _, h := range found.Hits {
				if h.Document == "bonus" {
					t.Errorf("%s: the board's memo was retrieved", who)
				}
			}
			if who == "nobody" && (len(out.Flags) == 0 || out.Flags[0].Reason != retrieve.ClaimMissing || out.Flags[0].Stage != flow.Retrieve) {
				t.Errorf("nobody: flags %v", out.Flags)
			}
		}
		if out, _, err := a.Ask(t.Context(), by("What is the bonus of the board?", "board")); err != nil || out.Status != rag.Answered {
			t.Errorf("board: %s %q, %v", out.Status, out.Text, err)
		}
	})
	t.Run("what is over", func(t *testing.T) {
		q := by("How many days of annual leave are there?", "staff")
		if out, _, err := a.Ask(t.Context(), q); err != nil || out.Status != rag.Answered {
			t.Errorf("in May: %s %q, %v", out.Status, out.Text, err)
		}
		q.AsOf = may.AddDate(0, 2, 0)
		if out, _, err := a.Ask(t.Context(), q); err != nil || out.Status != rag.NeedsHuman {
			t.Errorf("in July: %s %q, %v", out.Status, out.Text, err)
		}
	})
	t.Run("without retrieval", func(t *testing.T) {
		q := by(headcount, "staff")
		q.Mode = rag.None
		if out, _, err := a.Ask(t.Context(), q); err != nil || out.Status != rag.NeedsHuman || len(out.Citations) > 0 {
			t.Errorf("%s %q, %v", out.Status, out.Text, err)
		}
	})
	t.Run("retrieval alone", func(t *testing.T) {
		found, err := a.Retrieve(t.Context(), by(headcount, "staff"))
		if err != nil || len(found.Hits) == 0 || len(found.Channels) != 2 {
			t.Errorf("%d hits of %d channels, %v", len(found.Hits), len(found.Channels), err)
		}
	})
	t.Run("given up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if out, _, err := a.Ask(ctx, by(headcount, "staff")); err == nil || out.Status != rag.NeedsHuman {
			t.Errorf("%s, %v", out.Status, err)
		}
	})
	t.Run("the whole of it", func(t *testing.T) {
		l.settings.Pipeline.Retrieval.Mode = string(rag.FullContext)
		out, trace, err := l.asker(1).Ask(t.Context(), by(headcount, "staff"))
		found, _ := flow.Output[rag.Retrieved](trace, flow.Gather)
		if err != nil || out.Status != rag.Answered {
			t.Errorf("%s %q, %v", out.Status, out.Text, err)
		}
		var read []string
		for _, h := range found.Hits {
			read = append(read, h.Document)
		}
		if diff := cmp.Diff([]string{"canteen", "leave", "register"}, slices.Compact(read)); diff != "" {
			t.Errorf("read (-want +got):\n%s", diff)
		}
	})
}

// TestWholeByRequest: a question may ask for everything though the corpus' own mode
// is another; then nothing is ranked away or cut either.
func TestWholeByRequest(t *testing.T) {
	l := newLibrary(t, engine(t, ""))
	l.ingest(1)
	l.settings.Pipeline.Reranking = settings.Reranking{Model: settings.LateInteraction, Depth: 20, TopK: 1, Timeout: settings.Duration(time.Minute), OnFailure: "Fail"}
	a := l.asker(1)
	q := by(headcount, "staff")
	_, trace, err := a.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if kept, _ := flow.Output[rag.Retrieved](trace, flow.Rerank); len(kept.Hits) >= 3 {
		t.Fatalf("%d hits outlive a reranker that keeps one passage", len(kept.Hits))
	}
	q.Mode = rag.FullContext
	_, trace, err = a.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := flow.Output[rag.Retrieved](trace, flow.Gather)
	prompt, _ := flow.Output[rag.PromptContext](trace, flow.Prompt)
	if len(all.Hits) < 3 {
		t.Fatalf("everything is %d hits", len(all.Hits))
	}
	if diff := cmp.Diff(all.Hits, prompt.Hits); diff != "" {
		t.Errorf("what reached the prompt (-found +prompt):\n%s", diff)
	}
}

// TestContextIsKept reads contexts back and replays them, with contexts in memory
// and in files.
func TestContextIsKept(t *testing.T) {
	for name, dir := range map[string]string{"memory": "", "files": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			l := newLibrary(t, engine(t, dir))
			l.ingest(1)
			a := l.asker(1)
			out, trace, err := a.Ask(t.Context(), by(headcount, "staff"))
			if err != nil {
				t.Fatal(err)
			}
			asked, _ := flow.Output[rag.PromptContext](trace, flow.Prompt)
			c, err := a.Context(t.Context(), out.ContextHash, rag.Identity{Groups: []string{"staff"}}, may)
			if err != nil || c.Text != asked.Text || c.Question.Text != headcount || len(c.Handles) != len(asked.Handles) {
				t.Fatalf("kept %d characters and %d handles, %v", len(c.Text), len(c.Handles), err)
			}
			again, err := a.Replay(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(out, again, cmp.Transformer("none", func(f []rag.Flag) int { return len(f) })); diff != "" {
				t.Errorf("replayed (-first +again):\n%s", diff)
			}
			other, _, err := a.Ask(t.Context(), by("How many employees of the Mill are in the Salary Register of April 2026?", "staff"))
			if err != nil || other.ContextHash == out.ContextHash {
				t.Errorf("another question has the same context: %v", err)
			}
			if c, err := a.Context(t.Context(), other.ContextHash, rag.Identity{Groups: []string{"staff"}}, may); err != nil || c.Question.Text == headcount {
				t.Errorf("another question's context is that of %q, %v", c.Question.Text, err)
			}
			seen(t, l, a, out.ContextHash)
		})
	}
}

// seen holds that a context is shown to those who may see all of it now.
func seen(t *testing.T, l *library, a *Asker, hash string) {
	t.Helper()
	gone := func(what string, a *Asker, hash string, id rag.Identity, months int) {
		t.Helper()
		if c, err := a.Context(t.Context(), hash, id, may.AddDate(0, months, 0)); !errors.Is(err, ErrNoContext) || c.Text != "" {
			t.Errorf("%s: %d characters, %v", what, len(c.Text), err)
		}
	}
	me := rag.Identity{Groups: []string{"staff"}}
	gone("another group", a, hash, rag.Identity{Groups: []string{"press"}}, 0)
	gone("nobody", a, hash, rag.Identity{}, 0)
	gone("before it was valid", a, hash, me, -12)
	gone("an unknown hash", a, "sha256:00", me, 0)
	gone("a path", a, "../library-1/"+hash, me, 0)
	elsewhere := *a
	elsewhere.place.Corpus = "library-2"
	gone("another corpus", &elsewhere, hash, me, 0)

	l.fields["register.pdf"] = staff("groups", []any{"board"})
	if sum := l.ingest(2); sum.Withdrawn != 1 || sum.Embedded > 0 {
		t.Fatalf("summary %+v", sum)
	}
	gone("what was withdrawn since", a, hash, me, 0)
	if _, err := a.Context(t.Context(), hash, rag.Identity{Groups: []string{"board"}}, may); err != nil {
		t.Errorf("for the board: %v", err)
	}
	if err := l.runtime.Forget(l.place.Corpus); err != nil {
		t.Fatal(err)
	}
	gone("a forgotten corpus", a, hash, rag.Identity{Groups: []string{"board"}}, 0)
}

// TestReplayKeepsFlags: what degraded the context is told again.
func TestReplayKeepsFlags(t *testing.T) {
	l := newLibrary(t, engine(t, ""))
	l.settings.Pipeline.Compression.MaxTableChars = 120 // two rows of six
	l.ingest(1)
	a := l.asker(1)
	out, _, err := a.Ask(t.Context(), by(headcount, "staff"))
	if err != nil || out.Status != rag.NeedsHuman || len(out.Flags) == 0 {
		t.Fatalf("%s %q, flags %v, %v", out.Status, out.Text, out.Flags, err)
	}
	lost := false
	for _, f := range out.Flags {
		lost = lost || f.Reason == flow.EntitiesLost
	}
	if !lost {
		t.Errorf("rows were cut, and the answer has %v", out.Flags)
	}
	c, err := a.Context(t.Context(), out.ContextHash, rag.Identity{Groups: []string{"staff"}}, may)
	if err != nil {
		t.Fatal(err)
	}
	again, err := a.Replay(t.Context(), c)
	if err != nil || again.Status != rag.NeedsHuman {
		t.Errorf("replayed: %s, %v", again.Status, err)
	}
	if diff := cmp.Diff(out.Flags, again.Flags); diff != "" {
		t.Errorf("flags (-first +again):\n%s", diff)
	}
}

func TestSettle(t *testing.T) {
	cited := []rag.Citation{{Evidence: "a#b"}}
	tests := map[string]struct {
		reason string
		in     rag.Answer
		want   rag.Status
	}{
		"answered":      {"with its evidence", rag.Answer{Status: rag.Answered, Citations: cited}, rag.Answered},
		"no evidence":   {"an answer from nowhere is none", rag.Answer{Status: rag.Answered, Text: "12"}, rag.NeedsHuman},
		"no status":     {"an answer that doesn't say so is none", rag.Answer{Citations: cited, Text: "12"}, rag.NeedsHuman},
		"other status":  {"nor is one of a status that nobody knows", rag.Answer{Status: "DONE", Citations: cited}, rag.NeedsHuman},
		"handed on":     {"stays so", rag.Answer{Status: rag.NeedsHuman, Citations: cited}, rag.NeedsHuman},
		"nothing there": {"nothing is handed on", rag.Answer{}, rag.NeedsHuman},
	}
	for name, test := range tests {
		if got := settle(test.in); got.Status != test.want || got.Text != test.in.Text {
			t.Errorf("%s: %s, want %s: %s", name, got.Status, test.want, test.reason)
		}
	}
}
