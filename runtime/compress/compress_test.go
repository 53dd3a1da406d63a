package compress_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/compress"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// words is a scorer over a bag of words: two texts are near when they share
// words. It is deterministic, so that a test can say which sentence is best.
type words struct{ calls int }

func (w *words) Embed(_ context.Context, texts []string) ([][]float32, error) {
	w.calls++
	index := map[string]int{}
	for _, t := range texts {
		for _, f := range strings.Fields(strings.ToLower(t)) {
			if _, ok := index[f]; !ok {
				index[f] = len(index)
			}
		}
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = make([]float32, len(index))
		for _, f := range strings.Fields(strings.ToLower(t)) {
			out[i][index[f]]++
		}
	}
	return out, nil
}

type failing struct{}

func (failing) Embed(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("out of memory")
}

func table(document string, rows ...string) rag.Hit {
	h := rag.Hit{Chunk: rag.Chunk{Document: document, Passage: "p1.t1", Table: true, Header: []string{"ID", "Pay"}}}
	for i, r := range rows {
		h.Units = append(h.Units, rag.Unit{Name: fmt.Sprintf("p1.t1.r%d", i+1), Kind: rag.RowUnit, Text: r, Order: i})
	}
	return h
}

func titled(title string, sentences ...string) rag.Hit {
	h := prose("paid", sentences...)
	h.Title = title
	return h
}

func prose(passage string, sentences ...string) rag.Hit {
	h := rag.Hit{Chunk: rag.Chunk{Document: "rules", Passage: passage}}
	for i, s := range sentences {
		h.Units = append(h.Units, rag.Unit{Name: fmt.Sprintf("%s.s%d", passage, i+1), Kind: rag.Sentence, Text: s, Order: i})
	}
	return h
}

func texts(hits []rag.Hit) [][]string {
	var out [][]string
	for _, h := range hits {
		var units []string
		for _, u := range h.Units {
			units = append(units, u.Text)
		}
		out = append(out, units)
	}
	return out
}

func reasons(flags []rag.Flag) []string {
	var out []string
	for _, f := range flags {
		out = append(out, f.Reason)
	}
	return out
}

func TestTableAware(t *testing.T) {
	wide := compress.Options{Mode: compress.TableAware, MaxContextChars: 1000, MaxTableChars: 1000, SentenceThreshold: 0.3}
	cases := map[string]struct {
		reason   string
		question string // "how many leave days" where it is blank
		opts     func(compress.Options) compress.Options
		hits     []rag.Hit
		ids      []string
		want     [][]string
		lost     []int
		flagged  []string
	}{
		"TableStaysWhole": {
			reason: "rows score nothing against the question, and are kept in order all the same",
			hits:   []rag.Hit{table("reg", "ST003 1", "ST001 2", "ST002 3")},
			want:   [][]string{{"ST003 1", "ST001 2", "ST002 3"}},
			lost:   []int{0},
		},
		"TableCutAfterLeadingRows": {
			reason:  "the header takes 11 characters and a row 8, so 28 hold two rows; the rest is lost and said so",
			opts:    func(o compress.Options) compress.Options { o.MaxTableChars = 28; return o },
			hits:    []rag.Hit{table("reg", "ST001 1", "ST002 2", "ST003 3")},
			want:    [][]string{{"ST001 1", "ST002 2"}},
			lost:    []int{1},
			flagged: []string{compress.TableIncomplete},
		},
		"BestTableFirst": {
			reason:  "the budget is that of all tables, and the best-ranked is served first",
			opts:    func(o compress.Options) compress.Options { o.MaxTableChars = 40; return o },
			hits:    []rag.Hit{table("a", "ST001 1", "ST002 2"), table("b", "ST003 3", "ST004 4")},
			want:    [][]string{{"ST001 1", "ST002 2"}, nil},
			lost:    []int{0, 2},
			flagged: []string{compress.TableIncomplete},
		},
		"ProseRankedAndRestored": {
			reason: "where the passage does not fit, the off-topic sentence falls under the threshold, the others come back in the printed order",
			opts:   func(o compress.Options) compress.Options { o.MaxContextChars = 60; return o },
			hits:   []rag.Hit{prose("leave", "leave days after sickness", "the canteen serves soup", "how many leave days")},
			want:   [][]string{{"leave days after sickness", "how many leave days"}},
			lost:   []int{0},
		},
		"BestSentenceStaysUnderThreshold": {
			reason: "a passage keeps its best sentence whatever it scores",
			hits:   []rag.Hit{prose("soup", "the canteen serves soup", "it opens at noon")},
			want:   [][]string{{"the canteen serves soup"}},
			lost:   []int{0},
		},
		"ClauseStaysWhole": {
			reason: "the limit beside the sentence that meets the question is part of the answer, whatever it scores",
			hits:   []rag.Hit{prose("leave", "how many leave days", "never above thirty")},
			want:   [][]string{{"how many leave days", "never above thirty"}},
			lost:   []int{0},
		},
		"HeadingSpeaksForItsSentences": {
			reason: "a sentence is read under its heading: alone, neither says what it is about",
			hits: []rag.Hit{func() rag.Hit {
				h := prose("leave", "ten every summer", "none carried over")
				h.Title, h.Heading = "Rules", "how many leave days"
				return h
			}()},
			want: [][]string{{"ten every summer", "none carried over"}},
			lost: []int{0},
		},
		"NamedRecordStaysWhole": {
			reason: "what there is on an identifier that the question names is no matter of similarity",
			hits: []rag.Hit{func() rag.Hit {
				h := prose("paid", "the balance went out", "nothing was held back")
				h.Scores.Pinned = 1
				return h
			}()},
			want: [][]string{{"the balance went out", "nothing was held back"}},
			lost: []int{0},
		},
		"TitleNamesIt": {
			reason:   "so is what there is under a title with it, where retrieval looks for no identifiers",
			question: "INV-7719?",
			hits:     []rag.Hit{titled("Invoice INV-7719", "the balance went out", "nothing was held back")},
			want:     [][]string{{"the balance went out", "nothing was held back"}},
			lost:     []int{0},
		},
		"TitleNamesAnother": {
			reason:   "a number that is part of another one names no paper",
			question: "INV-771?",
			hits:     []rag.Hit{titled("Invoice INV-7719", "the balance went out", "nothing was held back")},
			want:     [][]string{{"the balance went out"}},
			lost:     []int{0},
		},
		"RelevantSentenceThatDoesNotFit": {
			reason:  "two passages share 60 characters; what reached the threshold and did not fit is flagged",
			opts:    func(o compress.Options) compress.Options { o.MaxContextChars = 60; return o },
			hits:    []rag.Hit{prose("leave", "how many leave days", "many leave days a year are many"), prose("soup", "soup")},
			want:    [][]string{{"how many leave days"}, {"soup"}},
			lost:    []int{0, 0},
			flagged: []string{compress.ContextTrimmed},
		},
		"BestSentenceOverBudget": {
			reason:  "a best sentence longer than the share is kept uncut, and flagged",
			opts:    func(o compress.Options) compress.Options { o.MaxContextChars = 10; return o },
			hits:    []rag.Hit{prose("leave", "how many leave days")},
			want:    [][]string{{"how many leave days"}},
			lost:    []int{0},
			flagged: []string{compress.ContextOverBudget},
		},
		"NormalTrimmingIsNoFlag": {
			reason: "dropping what is beside the point is the stage's work where there is too much",
			opts:   func(o compress.Options) compress.Options { o.MaxContextChars = 40; return o },
			hits:   []rag.Hit{prose("leave", "how many leave days", "the canteen serves soup")},
			want:   [][]string{{"how many leave days"}},
			lost:   []int{0},
		},
		"OverlappingPieces": {
			reason: "the sentence that two pieces share is kept once, in the better-ranked one",
			hits: []rag.Hit{
				prose("leave", "how many leave days", "leave days carry over"),
				{Chunk: rag.Chunk{Document: "rules", Passage: "leave", Piece: 1, Units: []rag.Unit{
					{Name: "leave.s2", Kind: rag.Sentence, Text: "leave days carry over", Order: 1},
					{Name: "leave.s3", Kind: rag.Sentence, Text: "leave days are many", Order: 2}}}},
			},
			want: [][]string{{"how many leave days", "leave days carry over"}, {"leave days are many"}},
			lost: []int{0, 0},
		},
		"FormLines": {
			reason: "three labelled lines are a form; none of them is ranked",
			hits:   []rag.Hit{prose("head", "Bill To: Welspun", "Invoice No: 3", "Date: 4 May", "thank you for your custom")},
			want:   [][]string{{"Bill To: Welspun", "Invoice No: 3", "Date: 4 May", "thank you for your custom"}},
			lost:   []int{0},
		},
		"NamedIdentifier": {
			reason: "a sentence with an identifier of the question is kept whatever it scores",
			ids:    []string{"ax-42"},
			hits:   []rag.Hit{prose("rack", "how many leave days", "AX-42 weighs twelve kilograms")},
			want:   [][]string{{"how many leave days", "AX-42 weighs twelve kilograms"}},
			lost:   []int{0},
		},
		"RowsInPlainText": {
			reason:  "rows found in plain text are charged to the table budget, in order, and their loss is counted",
			opts:    func(o compress.Options) compress.Options { o.MaxTableChars = 16; return o },
			hits:    []rag.Hit{{Chunk: rag.Chunk{Document: "reg", Passage: "p1", Units: []rag.Unit{{Name: "r1", Kind: rag.RowUnit, Text: "ST001 1"}, {Name: "r2", Kind: rag.RowUnit, Text: "ST002 2", Order: 1}, {Name: "r3", Kind: rag.RowUnit, Text: "ST003 3", Order: 2}}}}},
			want:    [][]string{{"ST001 1", "ST002 2"}},
			lost:    []int{1},
			flagged: []string{compress.TableIncomplete},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			opts := wide
			if c.opts != nil {
				opts = c.opts(opts)
			}
			question := c.question
			if question == "" {
				question = "how many leave days"
			}
			in := rag.Retrieved{Question: rag.Question{Text: question}, IDs: c.ids, Hits: c.hits}
			before := fmt.Sprintf("%+v", in)
			got, err := compress.New(opts, &words{}).Apply(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, texts(got.Hits)); diff != "" {
				t.Errorf("%s: units (-want +got):\n%s", c.reason, diff)
			}
			var lost []int
			for _, h := range got.Hits {
				lost = append(lost, h.Lost)
			}
			if diff := cmp.Diff(c.lost, lost); diff != "" {
				t.Errorf("%s: lost (-want +got):\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.flagged, reasons(got.Flags)); diff != "" {
				t.Errorf("%s: flags (-want +got):\n%s", c.reason, diff)
			}
			if after := fmt.Sprintf("%+v", in); after != before {
				t.Errorf("the input was changed:\n%s\n%s", before, after)
			}
		})
	}
}

func TestTopSentencesEatsTables(t *testing.T) {
	in := rag.Retrieved{Question: rag.Question{Text: "ST004 pay"}, Hits: []rag.Hit{
		table("reg", "ST001 1", "ST004 pay", "ST003 3"), prose("pay", "pay is monthly")}}
	got, err := compress.New(compress.Options{Mode: compress.TopSentences, MaxSentences: 2}, &words{}).Apply(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"ST004 pay"}, {"pay is monthly"}}, texts(got.Hits)); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
	if got.Hits[0].Lost != 2 || len(got.Flags) != 1 || got.Flags[0].Reason != compress.TableIncomplete {
		t.Errorf("lost %d, flags %v: the loss of two rows must be said", got.Hits[0].Lost, got.Flags)
	}
}

func TestTopSentencesShufflesRows(t *testing.T) {
	in := rag.Retrieved{Question: rag.Question{Text: "ST003 pay"}, Hits: []rag.Hit{table("reg", "ST001 1", "ST002 pay", "ST003 pay")}}
	got, err := compress.New(compress.Options{Mode: compress.TopSentences, MaxSentences: 40}, &words{}).Apply(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"ST003 pay", "ST002 pay", "ST001 1"}}, texts(got.Hits)); diff != "" {
		t.Errorf("with room for all rows, they come in the order of their scores (-want +got):\n%s", diff)
	}
	if got.Hits[0].Lost != 0 {
		t.Errorf("lost %d, want 0", got.Hits[0].Lost)
	}
}

func TestOneCall(t *testing.T) {
	w := &words{}
	in := rag.Retrieved{Question: rag.Question{Text: "leave"}, Hits: []rag.Hit{prose("a", "leave", "soup"), prose("b", "bread")}}
	opts := compress.Options{Mode: compress.TableAware, MaxContextChars: 100, MaxTableChars: 100}
	if _, err := compress.New(opts, w).Apply(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	if w.calls != 1 {
		t.Errorf("%d calls of the scorer, want 1 for all sentences of all passages", w.calls)
	}
}

func TestRefusals(t *testing.T) {
	in := rag.Retrieved{Question: rag.Question{Text: "q"}, Hits: []rag.Hit{prose("a", "one", "two")}}
	cases := map[string]struct {
		opts   compress.Options
		scorer compress.Scorer
		want   string
	}{
		"UnknownMode":  {compress.Options{Mode: "Zip"}, &words{}, `mode "Zip" is unknown`},
		"NoBudget":     {compress.Options{Mode: compress.TableAware, MaxTableChars: 1}, &words{}, "budgets must be positive"},
		"NoSentences":  {compress.Options{Mode: compress.TopSentences}, &words{}, "keeps 0 sentences"},
		"NoScorer":     {compress.Options{Mode: compress.TableAware, MaxContextChars: 1, MaxTableChars: 1}, nil, "no scorer is configured"},
		"ScorerFailed": {compress.Options{Mode: compress.TableAware, MaxContextChars: 1, MaxTableChars: 1}, failing{}, "score sentences: out of memory"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := compress.New(c.opts, c.scorer).Apply(context.Background(), in)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one that says %q", err, c.want)
			}
		})
	}
}
