package flow

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// number reads a number, and takes its time for it.
var number = Func[string, int](func(_ context.Context, in string) (int, error) {
	time.Sleep(2 * time.Millisecond)
	return strconv.Atoi(in)
})

var half = Func[int, float64](func(_ context.Context, in int) (float64, error) { return float64(in) / 2, nil })

func TestThen(t *testing.T) {
	ctx, trace := WithTrace(t.Context())
	out, err := Then(Step("number", Stage[string, int](number)), Step("half", Stage[int, float64](half))).Apply(ctx, "7")
	if err != nil || out != 3.5 {
		t.Fatalf("%v, %v; want 3.5", out, err)
	}
	rs := trace.Records()
	if len(rs) != 2 || rs[0].Step != "number" || rs[1].Step != "half" || rs[0].Output != 7 || rs[1].Output != 3.5 {
		t.Errorf("recorded %+v", rs)
	}
	if rs[0].Took < 2*time.Millisecond || rs[0].Err != nil {
		t.Errorf("the first step took %v, error %v", rs[0].Took, rs[0].Err)
	}
}

// TestFailure holds that a failing step ends the flow, is named once, and is
// recorded, and that what it put out is nobody's output.
func TestFailure(t *testing.T) {
	ctx, trace := WithTrace(t.Context())
	ran := false
	after := Func[int, int](func(_ context.Context, in int) (int, error) { ran = true; return in, nil })
	_, err := Then(Step("number", Stage[string, int](number)), Step("after", Stage[int, int](after))).Apply(ctx, "seven")
	if !errors.Is(err, strconv.ErrSyntax) || !strings.HasPrefix(err.Error(), "number: ") || strings.Count(err.Error(), "number: ") != 1 {
		t.Errorf("error %v", err)
	}
	if ran || len(trace.Records()) != 1 || trace.Records()[0].Err == nil {
		t.Errorf("the next step ran: %v; recorded %+v", ran, trace.Records())
	}
	if out, ok := Output[int](trace, "number"); ok {
		t.Errorf("a failed step has the output %v", out)
	}
}

// TestUntraced: a flow without a trace does the same and records nothing.
func TestUntraced(t *testing.T) {
	out, err := Step("number", Stage[string, int](number)).Apply(t.Context(), "7")
	if err != nil || out != 7 {
		t.Errorf("%v, %v", out, err)
	}
}

func TestOutput(t *testing.T) {
	ctx, trace := WithTrace(t.Context())
	for _, in := range []string{"1", "2"} {
		if _, err := Step("number", Stage[string, int](number)).Apply(ctx, in); err != nil {
			t.Fatal(err)
		}
	}
	if out, ok := Output[int](trace, "number"); !ok || out != 2 {
		t.Errorf("the last output is %v, %v; want 2", out, ok)
	}
	if _, ok := Output[string](trace, "number"); ok {
		t.Error("an output of another type")
	}
	if _, ok := Output[int](trace, "half"); ok {
		t.Error("the output of a step that didn't run")
	}
	trace.Records()[0].Step = "changed"
	if trace.Records()[0].Step != "number" {
		t.Error("the trace can be changed from outside")
	}
}

// flagged puts out flags.
func flagged(flags ...rag.Flag) Stage[rag.Retrieved, rag.Retrieved] {
	return Func[rag.Retrieved, rag.Retrieved](func(_ context.Context, in rag.Retrieved) (rag.Retrieved, error) {
		in.Flags = append(append([]rag.Flag(nil), in.Flags...), flags...)
		return in, nil
	})
}

func TestFlags(t *testing.T) {
	ctx, trace := WithTrace(t.Context())
	a, b := rag.Flag{Reason: "TableIncomplete", Detail: "x"}, rag.Flag{Reason: "TableIncomplete", Detail: "y"}
	own := rag.Flag{Stage: "inner", Reason: "Timeout"}
	if _, err := Then(Then(Step("one", flagged(a)), Step("two", flagged(own, a))), Step("three", flagged(b))).Apply(ctx, rag.Retrieved{}); err != nil {
		t.Fatal(err)
	}
	want := []rag.Flag{{Stage: "one", Reason: "TableIncomplete", Detail: "x"}, own, {Stage: "three", Reason: "TableIncomplete", Detail: "y"}}
	if diff := cmp.Diff(want, trace.Flags()); diff != "" {
		t.Errorf("each flag once, by the step that raised it (-want +got):\n%s", diff)
	}
}

// TestConcurrentTrace is for the race detector.
func TestConcurrentTrace(t *testing.T) {
	ctx, trace := WithTrace(t.Context())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if _, err := Step("half", Stage[int, float64](half)).Apply(ctx, 1); err != nil {
					t.Error(err)
				}
				trace.Flags()
			}
		})
	}
	wg.Wait()
	if n := len(trace.Records()); n != 400 {
		t.Errorf("%d records, want 400", n)
	}
}

func row(name, text string) rag.Unit { return rag.Unit{Name: name, Kind: rag.RowUnit, Text: text} }

func TestSurviving(t *testing.T) {
	table := func(document string, ids []string, rows ...rag.Unit) rag.Hit {
		return rag.Hit{ID: document, Chunk: rag.Chunk{Document: document, Passage: "p1.t1", Title: "Register REG-2025", Table: true, IDs: ids, Units: rows}}
	}
	prose := func(document, text string) rag.Hit {
		return rag.Hit{ID: document, Chunk: rag.Chunk{Document: document, Passage: "p1", IDs: []string{"st001"}, Units: []rag.Unit{{Name: "p1.s1", Kind: rag.Sentence, Text: text}}}}
	}
	three := []rag.Unit{row("r1", "ST001 | Asha"), row("r2", "ST002 | Ravi"), row("r3", "ST0010 | Uma")}
	ids := []string{"reg-2025", "st001", "st0010", "st002"}
	tests := map[string]struct {
		reason string
		in     []rag.Hit
		out    []rag.Hit
		want   []string
	}{
		"whole":               {"nothing is lost", []rag.Hit{table("reg", ids, three...)}, []rag.Hit{table("reg", ids, three...)}, nil},
		"shuffled":            {"order is not this step's to judge", []rag.Hit{table("reg", ids, three...)}, []rag.Hit{table("reg", ids, three[2], three[0], three[1])}, nil},
		"a row":               {"the id of a row that went is named", []rag.Hit{table("reg", ids, three...)}, []rag.Hit{table("reg", ids, three[0], three[2])}, []string{"reg#p1.t1 lost 1 of 3: st002"}},
		"a row like another":  {"ST0010 is not ST001", []rag.Hit{table("reg", ids, three...)}, []rag.Hit{table("reg", ids, three[1], three[2])}, []string{"reg#p1.t1 lost 1 of 3: st001"}},
		"the table":           {"all of its rows", []rag.Hit{table("reg", ids, three...)}, nil, []string{"reg#p1.t1 lost 3 of 3: st001, st0010, st002"}},
		"named elsewhere":     {"a sentence that names the id is no row of the table", []rag.Hit{table("reg", ids, three...), prose("memo", "ST002 is on leave")}, []rag.Hit{table("reg", ids, three[0], three[2]), prose("memo", "ST002 is on leave")}, []string{"reg#p1.t1 lost 1 of 3: st002"}},
		"in another table":    {"nor is the row of another table", []rag.Hit{table("april", ids, three...), table("may", ids, three...)}, []rag.Hit{table("april", ids, three...), table("may", ids, three[:1]...)}, []string{"may#p1.t1 lost 2 of 3: st0010, st002"}},
		"two pieces":          {"a table in two hits is one", []rag.Hit{table("reg", ids, three[:1]...), table("reg", ids, three[1:]...)}, []rag.Hit{table("reg", ids, three...)}, nil},
		"prose":               {"sentences may be dropped", []rag.Hit{prose("memo", "ST001 is on leave")}, nil, nil},
		"the title's id":      {"an id that stands in the title alone is no row", []rag.Hit{table("reg", ids[:1], three...)}, nil, nil},
		"codes that go on":    {"a code with a suffix is another code", []rag.Hit{table("inv", []string{"stl/003", "stl/003-a"}, row("r1", "STL/003 | 1"), row("r2", "STL/003-A | 2"))}, []rag.Hit{table("inv", nil, row("r2", "STL/003-A | 2"))}, []string{"inv#p1.t1 lost 1 of 2: stl/003"}},
		"at the end":          {"a full stop ends a code", []rag.Hit{table("inv", []string{"stl/003"}, row("r1", "see STL/003."))}, []rag.Hit{table("inv", nil, row("r1", "see STL/003."))}, nil},
		"beyond the alphabet": {"letters of any script are letters", []rag.Hit{table("inv", []string{"кт-11"}, row("r1", "КТ-11 | ü"))}, []rag.Hit{table("inv", nil, row("r1", "ΩКТ-11 | ü"))}, []string{"inv#p1.t1 lost 1 of 1: кт-11"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			stage := Func[rag.Retrieved, rag.Retrieved](func(_ context.Context, in rag.Retrieved) (rag.Retrieved, error) {
				in.Hits = test.out
				return in, nil
			})
			out, err := Surviving(stage).Apply(t.Context(), rag.Retrieved{Hits: test.in, Flags: []rag.Flag{{Reason: "Earlier"}}})
			if err != nil {
				t.Fatal(err)
			}
			want := []rag.Flag{{Reason: "Earlier"}}
			for _, detail := range test.want {
				want = append(want, rag.Flag{Reason: EntitiesLost, Detail: detail})
			}
			if diff := cmp.Diff(want, out.Flags); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

// TestSurvivingNamesSome bounds how long a flag gets.
func TestSurvivingNamesSome(t *testing.T) {
	h := rag.Hit{Chunk: rag.Chunk{Document: "reg", Passage: "p1.t1", Table: true}}
	for i := range 40 {
		id := "st" + strconv.Itoa(100+i)
		h.IDs, h.Units = append(h.IDs, id), append(h.Units, row("r", id))
	}
	gone := Func[rag.Retrieved, rag.Retrieved](func(context.Context, rag.Retrieved) (rag.Retrieved, error) { return rag.Retrieved{}, nil })
	out, err := Surviving(gone).Apply(t.Context(), rag.Retrieved{Hits: []rag.Hit{h}})
	if err != nil || len(out.Flags) != 1 {
		t.Fatalf("%v, %v", out.Flags, err)
	}
	if d := out.Flags[0].Detail; !strings.HasPrefix(d, "reg#p1.t1 lost 40 of 40: st100, st101,") || !strings.HasSuffix(d, "st111 and 28 more") {
		t.Errorf("detail %q", d)
	}
}

// TestSurvivingStageChangesItsInput: what entered is remembered before the stage runs.
func TestSurvivingStageChangesItsInput(t *testing.T) {
	h := rag.Hit{Chunk: rag.Chunk{Document: "reg", Passage: "p1.t1", Table: true, IDs: []string{"st001"}, Units: []rag.Unit{row("r1", "ST001")}}}
	careless := Func[rag.Retrieved, rag.Retrieved](func(_ context.Context, in rag.Retrieved) (rag.Retrieved, error) {
		in.Hits[0].Units = nil
		return in, nil
	})
	out, err := Surviving(careless).Apply(t.Context(), rag.Retrieved{Hits: []rag.Hit{h}})
	if err != nil || len(out.Flags) != 1 {
		t.Errorf("flags %v, %v; want EntitiesLost", out.Flags, err)
	}
}

func TestSurvivingFails(t *testing.T) {
	broken := errors.New("broken")
	fail := Func[rag.Retrieved, rag.Retrieved](func(context.Context, rag.Retrieved) (rag.Retrieved, error) { return rag.Retrieved{}, broken })
	if _, err := Surviving(fail).Apply(t.Context(), rag.Retrieved{}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// put records an output as a step does.
func put[T any](ctx context.Context, t *testing.T, step string, out T) {
	t.Helper()
	s := Func[struct{}, T](func(context.Context, struct{}) (T, error) { return out, nil })
	if _, err := Step(step, Stage[struct{}, T](s)).Apply(ctx, struct{}{}); err != nil {
		t.Fatal(err)
	}
}

func TestSummarize(t *testing.T) {
	ctx, trace := WithTrace(t.Context())
	dense := .776
	table := rag.Hit{ID: "1", Rank: 1, Scores: rag.Scores{Dense: &dense, Fused: .854, Pinned: 1}, Chunk: rag.Chunk{Document: "reg", Passage: "p2.t1", Table: true, Place: rag.Place{Page: 2},
		Header: []string{"Id"}, Units: []rag.Unit{row("r1", "ST001"), row("r2", "ST002")}}}
	memo := rag.Hit{ID: "2", Rank: 2, Chunk: rag.Chunk{Document: "memo", Passage: "p1", Place: rag.Place{Page: 1}, Units: []rag.Unit{{Name: "s1", Text: "größer"}, {Name: "s2", Text: "x"}}}}
	less := memo
	less.Units = memo.Units[:1]
	flag := rag.Flag{Reason: "ContextTrimmed", Detail: "d"}
	channels := []rag.Channel{{Name: "dense", Filter: "{}", Candidates: []rag.Candidate{{ID: "1", Evidence: "reg#p2.t1", Score: .776}}}}
	put(ctx, t, Retrieve, rag.Retrieved{Hits: []rag.Hit{table}, Ranking: "ranked", Terms: []string{"ranked"}, IDs: []string{"st001"}, Eligible: 61, Channels: channels})
	put(ctx, t, Gather, rag.Retrieved{Hits: []rag.Hit{table, memo}})
	put(ctx, t, Rerank, rag.Retrieved{Hits: []rag.Hit{table, memo}})
	put(ctx, t, Compress, rag.Retrieved{Hits: []rag.Hit{table, less}, Flags: []rag.Flag{flag}})
	put(ctx, t, Prompt, rag.PromptContext{Hits: []rag.Hit{table, less}, Text: "größer", Hash: "sha256:ab", Handles: []rag.Handle{{Name: "1.1", Hit: 0, Unit: 1}, {Name: "2.1", Hit: 1, Unit: 0}}})
	put(ctx, t, Generate, rag.Answer{Usage: rag.Usage{Model: "extractive", InputTokens: 3}})
	flag.Stage = Compress
	want := Pipeline{
		Retrieved: 2, AfterRerank: 2, CharsBefore: len("Id\nST001\nST002") + 6 + 2, CharsAfter: len("Id\nST001\nST002") + 6, // größer is 6 characters
		Eligible: 61, Ranking: "ranked", Terms: []string{"ranked"}, Identifiers: []string{"st001"}, Channels: channels,
		Hits: []HitSummary{
			{ID: "1", Evidence: "reg#p2.t1", Document: "reg", Page: 2, Rank: 1, Scores: table.Scores, UnitsFound: 2, UnitsKept: 2},
			{ID: "2", Evidence: "memo#p1", Document: "memo", Page: 1, Rank: 2, UnitsFound: 2, UnitsKept: 1},
		},
		Prompt: []string{"reg#r2", "memo#s1"}, Context: &ContextSummary{Hash: "sha256:ab", Chars: 6},
		Usage: rag.Usage{Model: "extractive", InputTokens: 3}, Degraded: []rag.Flag{flag},
		Steps: []StepSummary{{Step: Retrieve}, {Step: Gather}, {Step: Rerank}, {Step: Compress}, {Step: Prompt}, {Step: Generate}},
	}
	if diff := cmp.Diff(want, Summarize(trace), cmpopts.IgnoreFields(StepSummary{}, "Millis")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSummarizeShort: an account of a flow that ended early has empty lists, not
// nulls, and says where it ended.
func TestSummarizeShort(t *testing.T) {
	ctx, trace := WithTrace(t.Context())
	want := Pipeline{Terms: []string{}, Identifiers: []string{}, Hits: []HitSummary{}, Channels: []rag.Channel{}, Prompt: []string{}, Degraded: []rag.Flag{}, Steps: []StepSummary{}}
	if diff := cmp.Diff(want, Summarize(trace)); diff != "" {
		t.Errorf("nothing ran (-want +got):\n%s", diff)
	}
	if _, err := Step(Retrieve, Stage[string, int](number)).Apply(ctx, "x"); err == nil {
		t.Fatal("no error")
	}
	if s := Summarize(trace).Steps; len(s) != 1 || s[0].Step != Retrieve || !strings.Contains(s[0].Error, "invalid syntax") {
		t.Errorf("steps %+v", s)
	}
}
