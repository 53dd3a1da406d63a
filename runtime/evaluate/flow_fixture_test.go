package evaluate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// desk is a small working ask-flow over a library: two channels with the filter
// inside, fusion by rank, gather, compression, prompt and an extractive
// generator. Its switches break it where a real one could break.
type desk struct {
	lib   *library
	rules settings.Eligibility
	topK  int

	unfiltered string // a channel that is sent without a filter
	late       bool   // the filter is applied to the fused hits instead of inside the channels
	pool       int    // candidates per channel; 0 = 20
	rerank     func([]rag.Hit) []rag.Hit
	compress   func([]rag.Hit) []rag.Hit
	layout     func([]rag.Unit) []rag.Unit
	reply      func(*rag.Answer)
	flags      []rag.Flag // raised by compression
	broken     error      // the flow's infrastructure is gone

	mu    sync.Mutex
	asked []rag.Question
}

func newDesk(l *library) *desk { return &desk{lib: l, rules: rules(), topK: 3} }

func (d *desk) Ask(ctx context.Context, q rag.Question) (rag.Answer, *flow.Trace, error) {
	d.mu.Lock()
	d.asked = append(d.asked, q)
	d.mu.Unlock()
	ctx, trace := flow.WithTrace(ctx)
	find := flow.Then(
		flow.Step(flow.Retrieve, flow.Stage[rag.Question, rag.Retrieved](flow.Func[rag.Question, rag.Retrieved](d.retrieve))),
		flow.Step(flow.Gather, stage(d.gather)))
	shorten := flow.Then(
		flow.Step(flow.Rerank, hitStage(d.rerank, nil)),
		flow.Step(flow.Compress, hitStage(d.compress, d.flags)))
	write := flow.Then(
		flow.Step(flow.Prompt, flow.Stage[rag.Retrieved, rag.PromptContext](flow.Func[rag.Retrieved, rag.PromptContext](d.prompt))),
		flow.Step(flow.Generate, flow.Stage[rag.PromptContext, rag.Answer](flow.Func[rag.PromptContext, rag.Answer](d.generate))))
	a, err := flow.Then(flow.Then(find, shorten), write).Apply(ctx, q)
	return a, trace, err
}

func (d *desk) Retrieve(ctx context.Context, q rag.Question) (rag.Retrieved, error) {
	return flow.Then(
		flow.Stage[rag.Question, rag.Retrieved](flow.Func[rag.Question, rag.Retrieved](d.retrieve)), stage(d.gather)).Apply(ctx, q)
}

func stage(f func(rag.Retrieved) rag.Retrieved) flow.Stage[rag.Retrieved, rag.Retrieved] {
	return flow.Func[rag.Retrieved, rag.Retrieved](func(_ context.Context, r rag.Retrieved) (rag.Retrieved, error) { return f(r), nil })
}

func hitStage(f func([]rag.Hit) []rag.Hit, flags []rag.Flag) flow.Stage[rag.Retrieved, rag.Retrieved] {
	return stage(func(r rag.Retrieved) rag.Retrieved {
		r.Flags = flags
		if f != nil {
			r.Hits = f(slices.Clone(r.Hits))
		}
		return r
	})
}

// condition is one term of a filter: its JSON, and whether a payload meets it.
type condition struct {
	json map[string]any
	met  func(map[string]any) bool
}

// any admits payloads that hold one of the values, as the store's keyword match does.
func anyOf(field string, values ...string) condition {
	return condition{
		json: map[string]any{"field": map[string]any{"key": field, "match": map[string]any{"keywords": map[string]any{"strings": values}}}},
		met: func(f map[string]any) bool {
			list, isList := f[field].([]any)
			if !isList {
				list = []any{f[field]}
			}
			return slices.ContainsFunc(list, func(v any) bool { s, ok := v.(string); return ok && slices.Contains(values, s) })
		},
	}
}

// filterFor is the filter of a question, or false when none can be built safely.
func (d *desk) filterFor(q rag.Question) ([]condition, bool) {
	var out []condition
	for _, c := range d.rules.Constants {
		out = append(out, anyOf(c.Field, c.Values...))
	}
	for _, r := range d.rules.Identity {
		claim := q.Identity.Claim(r.Claim)
		if len(claim) == 0 {
			return nil, false
		}
		out = append(out, anyOf(r.Field, append(slices.Clone(claim), r.Shared...)...))
	}
	for _, r := range d.rules.Question {
		if m := regexp.MustCompile(r.Pattern).FindString(q.Text); m != "" {
			out = append(out, anyOf(r.Field, m))
		}
	}
	if v := d.rules.Validity; v != nil {
		day := func(s any) time.Time { t, _ := time.Parse(time.DateOnly, fmt.Sprint(s)); return t }
		out = append(out, condition{
			json: map[string]any{"should": []any{map[string]any{"isEmpty": map[string]any{"key": v.To}}, map[string]any{"field": map[string]any{"key": v.From}}}},
			met: func(f map[string]any) bool {
				return f[v.From] != nil && !day(f[v.From]).After(q.AsOf) && (f[v.To] == nil || day(f[v.To]).After(q.AsOf))
			},
		})
	}
	return out, true
}

func (d *desk) retrieve(_ context.Context, q rag.Question) (rag.Retrieved, error) {
	out := rag.Retrieved{Question: q, Terms: words(q.Text)}
	if d.broken != nil || q.Mode == rag.None {
		return out, d.broken
	}
	conds, safe := d.filterFor(q)
	if !safe {
		out.Flags = []rag.Flag{{Reason: "ClaimMissing"}}
		return out, nil
	}
	admits := func(h rag.Hit) bool {
		return !slices.ContainsFunc(conds, func(c condition) bool { return !c.met(h.Fields) })
	}
	fused := map[string]float64{}
	channels := map[string]func(string, string) float64{"lexical": overlap, "dense": trigrams}
	for _, name := range []string{"dense", "lexical"} {
		if (q.Mode == rag.Lexical && name == "dense") || (q.Mode == rag.Dense && name == "lexical") {
			continue
		}
		ch := rag.Channel{Name: name}
		open := d.late || d.unfiltered == name
		if !open {
			ch.Filter = encode(conds)
		}
		for _, h := range d.lib.points {
			if open || admits(h) {
				ch.Candidates = append(ch.Candidates, rag.Candidate{ID: h.ID, Evidence: h.Evidence(), Score: channels[name](q.Text, h.Search())})
			}
		}
		slices.SortStableFunc(ch.Candidates, func(a, b rag.Candidate) int { return cmp.Compare(b.Score, a.Score) })
		ch.Candidates = ch.Candidates[:min(len(ch.Candidates), cmp.Or(d.pool, 20))]
		for i, c := range ch.Candidates {
			fused[c.ID] += 1 / float64(60+i+1)
		}
		out.Channels = append(out.Channels, ch)
	}
	for _, h := range d.lib.points {
		if admits(h) {
			out.Eligible++
		}
		if fused[h.ID] > 0 && (!d.late || admits(h)) {
			h.Scores.Fused = fused[h.ID]
			out.Hits = append(out.Hits, h)
		}
	}
	out.Hits = oneHitPerTable(out.Hits)
	out.Hits = out.Hits[:min(len(out.Hits), d.topK)]
	return out, nil
}

func oneHitPerTable(hits []rag.Hit) []rag.Hit {
	slices.SortStableFunc(hits, func(a, b rag.Hit) int { return cmp.Compare(b.Scores.Fused, a.Scores.Fused) })
	var out []rag.Hit
	for _, h := range hits {
		if !h.Table || !slices.ContainsFunc(out, func(o rag.Hit) bool { return o.Evidence() == h.Evidence() }) {
			out = append(out, h)
		}
	}
	return out
}

func encode(conds []condition) string {
	var must []any
	for _, c := range conds {
		must = append(must, c.json)
	}
	data, err := json.Marshal(map[string]any{"must": must})
	if err != nil {
		panic(err)
	}
	return string(data)
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !word(r) && r != '-' })
}

func overlap(q, text string) float64 {
	n := 0
	have := words(text)
	for _, w := range words(q) {
		if slices.Contains(have, w) {
			n++
		}
	}
	return float64(n)
}

func trigrams(q, text string) float64 {
	q, text = strings.ToLower(q), strings.ToLower(text)
	n := 0
	for i := 0; i+3 <= len(q); i++ {
		if strings.Contains(text, q[i:i+3]) {
			n++
		}
	}
	return float64(n) / float64(len(q))
}

// gather makes tables whole.
func (d *desk) gather(r rag.Retrieved) rag.Retrieved {
	r.Hits = slices.Clone(r.Hits)
	for i := range r.Hits {
		if !r.Hits[i].Table {
			continue
		}
		r.Hits[i].Units = nil
		for _, p := range d.lib.points {
			if p.Evidence() == r.Hits[i].Evidence() {
				r.Hits[i].Units = append(r.Hits[i].Units, p.Units...)
			}
		}
	}
	return r
}

func (d *desk) prompt(_ context.Context, r rag.Retrieved) (rag.PromptContext, error) {
	p := rag.PromptContext{Question: r.Question, Hits: slices.Clone(r.Hits)}
	var b strings.Builder
	for i, h := range p.Hits {
		fmt.Fprintf(&b, "[%d] %s\n%s\n", i+1, h.Heading, strings.Join(h.Header, " | "))
		if d.layout != nil {
			p.Hits[i].Units = d.layout(slices.Clone(h.Units))
		}
		for n, u := range p.Hits[i].Units {
			name := fmt.Sprintf("%d.%d", i+1, n+1)
			fmt.Fprintf(&b, "%s: %s\n", name, u.Text)
			p.Handles = append(p.Handles, rag.Handle{Name: name, Hit: i, Unit: n})
		}
	}
	p.Text = b.String()
	p.Hash = sum([]byte(p.Text))
	return p, nil
}

// generate counts or sums the rows of the first table, or quotes the sentence
// that shares most words with the question; it declines under three.
func (d *desk) generate(_ context.Context, p rag.PromptContext) (rag.Answer, error) {
	a := rag.Answer{Status: rag.NeedsHuman, ContextHash: p.Hash, Usage: rag.Usage{InputTokens: len(p.Text) / 4}}
	q := strings.ToLower(p.Question.Text)
	best := 2.0
	for _, h := range p.Hits {
		if h.Table && (strings.HasPrefix(q, "how many") || strings.Contains(q, "sum of")) && overlap(q, h.Heading) >= 3 {
			a.Status, a.Text, a.Citations = rag.Answered, "", nil
			used := rowsFor(q, h)
			total := 0
			for _, u := range used {
				var n int
				fmt.Sscanf(strings.ReplaceAll(u.Cells[3], ",", ""), "%d", &n)
				total += n
			}
			a.Text = fmt.Sprintf("%d employees are listed.", len(used))
			if strings.Contains(q, "sum of") {
				a.Text = fmt.Sprintf("The sum of gross is %d.", total)
			}
			a.Citations = []rag.Citation{cite(h, used)}
			break
		}
		for _, u := range h.Units {
			if s := overlap(q, h.Heading+" "+u.Text); s > best && u.Kind == rag.Sentence {
				best = s
				a.Status, a.Text, a.Citations = rag.Answered, u.Text, []rag.Citation{cite(h, []rag.Unit{u})}
			}
		}
	}
	if d.reply != nil {
		d.reply(&a)
	}
	return a, nil
}

func rowsFor(q string, h rag.Hit) []rag.Unit {
	var out []rag.Unit
	for _, u := range h.Units {
		if u.Cells[0] != "Total" && (!strings.Contains(q, "mill") || u.Cells[2] == "Mill") {
			out = append(out, u)
		}
	}
	return out
}

func cite(h rag.Hit, units []rag.Unit) rag.Citation {
	c := rag.Citation{Evidence: h.Evidence(), Document: h.Document, Page: h.Place.Page}
	for _, u := range units {
		c.Units = append(c.Units, rag.Cited{Name: u.Name, Kind: u.Kind, Text: u.Text, Place: u.Place})
	}
	return c
}

// failing is a desk whose store goes away in one mode, or under the probes.
type failing struct {
	*desk
	mode   rag.Mode
	probes bool
}

func (f *failing) Ask(ctx context.Context, q rag.Question) (rag.Answer, *flow.Trace, error) {
	if f.mode != "" && q.Mode == f.mode {
		return rag.Answer{}, nil, errors.New("store is away")
	}
	return f.desk.Ask(ctx, q)
}

func (f *failing) Retrieve(ctx context.Context, q rag.Question) (rag.Retrieved, error) {
	if f.probes {
		return rag.Retrieved{}, errors.New("store is away")
	}
	return f.desk.Retrieve(ctx, q)
}

// traced runs the named steps, each passing the hits on, and returns the trace.
func traced(t *testing.T, steps []string, hits []rag.Hit) *flow.Trace {
	t.Helper()
	ctx, trace := flow.WithTrace(context.Background())
	for _, s := range steps {
		var err error
		if s == flow.Prompt {
			p := rag.PromptContext{Hits: hits, Text: "text", Handles: []rag.Handle{{Name: "1.1"}}}
			_, err = flow.Step(s, flow.Stage[int, rag.PromptContext](flow.Func[int, rag.PromptContext](func(context.Context, int) (rag.PromptContext, error) { return p, nil }))).Apply(ctx, 0)
		} else {
			_, err = flow.Step(s, stage(func(rag.Retrieved) rag.Retrieved { return rag.Retrieved{Hits: hits} })).Apply(ctx, rag.Retrieved{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return trace
}
