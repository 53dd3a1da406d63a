package serve_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// desk is a small Asker that works: one document, which members of a group may
// see, answers every question by quoting the only sentence in it. Contexts are
// kept, and shown to whoever may see the document at that time.
type desk struct {
	mu    sync.Mutex
	group string        // that may see the document
	away  error         // what makes every question fail
	busy  *model.Failed // what keeps its model from being asked
	usage rag.Usage     // of an answer
	asked []rag.Question
	kept  map[string]rag.PromptContext
}

var errAway = errors.New("the store is away at 10.0.0.7")

func newDesk(group string) *desk { return &desk{group: group, kept: map[string]rag.PromptContext{}} }

func (d *desk) set(change func(*desk)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(d)
}

// last is the question that was asked last.
func (d *desk) last() (rag.Question, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.asked) == 0 {
		return rag.Question{}, false
	}
	return d.asked[len(d.asked)-1], true
}

func (d *desk) may(id rag.Identity) bool { return slices.Contains(id.Claim("groups"), d.group) }

func (d *desk) retrieve(_ context.Context, q rag.Question) (rag.Retrieved, error) {
	out := rag.Retrieved{Question: q, Ranking: q.Text}
	if d.away != nil {
		return out, d.away
	}
	if strings.Contains(q.Text, "slow") {
		out.Flags = []rag.Flag{{Reason: "TimedOut", Detail: "one channel"}}
	}
	if d.may(q.Identity) {
		unit := rag.Unit{Name: "p1.s1", Kind: rag.Sentence, Text: "The canteen opens at noon.", Place: rag.Place{Page: 1}}
		out.Eligible, out.Hits = 1, []rag.Hit{{ID: "1", Rank: 1, Chunk: rag.Chunk{Document: "Canteen", Passage: "p1", Units: []rag.Unit{unit}}}}
	}
	return out, nil
}

func (d *desk) prompt(_ context.Context, r rag.Retrieved) (rag.PromptContext, error) {
	c := rag.PromptContext{Question: r.Question, Hits: r.Hits, Text: strings.Join(r.Texts(), "\n")}
	c.Hash = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(r.Question.Text+c.Text)))
	for i := range r.Hits {
		c.Handles = append(c.Handles, rag.Handle{Name: "1.1", Hit: i})
	}
	return c, nil
}

func (d *desk) generate(_ context.Context, c rag.PromptContext) (rag.Answer, error) {
	if len(c.Hits) == 0 {
		return rag.Answer{Status: rag.NeedsHuman, ContextHash: c.Hash}, nil
	}
	u := c.Hits[0].Units[0]
	cited := []rag.Cited{{Name: u.Name, Kind: u.Kind, Text: u.Text, Place: u.Place}}
	return rag.Answer{
		Text: u.Text, Status: rag.Answered, ContextHash: c.Hash, Usage: d.usage,
		Citations: []rag.Citation{{Evidence: c.Hits[0].Evidence(), Document: c.Hits[0].Document, Page: 1, Units: cited}},
	}, nil
}

// Ask is serve.Asker.
func (d *desk) Ask(ctx context.Context, q rag.Question) (rag.Answer, *flow.Trace, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, q)
	ctx, trace := flow.WithTrace(ctx)
	all := flow.Then(flow.Then(
		flow.Step(flow.Retrieve, flow.Func[rag.Question, rag.Retrieved](d.retrieve)),
		flow.Step(flow.Prompt, flow.Func[rag.Retrieved, rag.PromptContext](d.prompt))),
		flow.Step(flow.Generate, flow.Func[rag.PromptContext, rag.Answer](d.generate)))
	out, err := all.Apply(ctx, q)
	out.Flags = trace.Flags()
	if c, ok := flow.Output[rag.PromptContext](trace, flow.Prompt); ok {
		d.kept[c.Hash] = c
		if d.busy != nil {
			return model.Held(c, d.busy.Flag()), trace, &assembly.GeneratorError{Failed: d.busy}
		}
	}
	return out, trace, err
}

// Context is serve.Asker.
func (d *desk) Context(_ context.Context, hash string, id rag.Identity, _ time.Time) (rag.PromptContext, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, ok := d.kept[hash]
	switch {
	case d.away != nil:
		return rag.PromptContext{}, d.away
	case !ok || !d.may(id):
		return rag.PromptContext{}, assembly.ErrNoContext
	}
	return c, nil
}

// Replay is serve.Asker.
func (d *desk) Replay(ctx context.Context, c rag.PromptContext) (rag.Answer, error) {
	return d.generate(ctx, c)
}
