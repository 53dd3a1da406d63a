package assembly

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/compress"
	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/generate"
	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/prompt"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/retrieve"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Asker answers questions by one revision of a corpus. The gate and the tenants
// use the same one.
type Asker struct {
	place     Place
	revision  int64
	retriever *retrieve.Retriever
	find      flow.Stage[rag.Question, rag.Retrieved]
	answer    flow.Stage[rag.Question, rag.Answer]
	generate  flow.Stage[rag.PromptContext, rag.Answer]
	outlay    func() (Outlay, error)
	keep      contexts
}

// Asker assembles the question's way for a revision.
func (r *Runtime) Asker(p Place, revision int64, s settings.Corpus, t Terms) (*Asker, error) {
	lex, err := newLexer(s.Pipeline.Lexical)
	if err != nil {
		return nil, err
	}
	encoder, err := r.encodesQuestions(s.Pipeline.Embedding, t)
	if err != nil {
		return nil, err
	}
	scope := retrieve.Scope{Collection: p.Collection, Corpus: p.Corpus, Revision: revision}
	retriever, err := retrieve.New(retrieval(s), scope, searcher{p.Store}, encoder, lex)
	if err != nil {
		return nil, err
	}
	c := s.Pipeline.Compression
	compressor := compress.New(compress.Options{
		Mode: compress.Mode(c.Mode), MaxContextChars: c.MaxContextChars, MaxTableChars: c.MaxTableChars,
		SentenceThreshold: float64(c.SentenceThreshold), MaxSentences: c.MaxSentences,
	}, r.score)
	reranker, err := r.reranker(s.Pipeline.Reranking)
	if err != nil {
		return nil, err
	}
	generator, err := r.generator(p.Corpus, s.Pipeline.Generation, t)
	if err != nil {
		return nil, err
	}
	a := &Asker{place: p, revision: revision, retriever: retriever, outlay: outlay(generator, s.Pipeline, t), keep: r.keep}
	a.find = flow.Then(
		flow.Step(flow.Retrieve, flow.Stage[rag.Question, rag.Retrieved](retriever)),
		flow.Step(flow.Gather, flow.Stage[rag.Retrieved, rag.Retrieved](retriever.Gather())))
	own := rag.Mode(s.Pipeline.Retrieval.Mode)
	shorten := flow.Then(
		flow.Step(flow.Rerank, unlessWhole(own, reranker)),
		flow.Step(flow.Compress, unlessWhole(own, flow.Surviving(compressor))))
	a.generate = flow.Step(flow.Generate, doubting(generator))
	a.answer = flow.Then(flow.Then(flow.Then(a.find, shorten),
		flow.Step(flow.Prompt, flow.Then(flow.Stage[rag.Retrieved, rag.PromptContext](prompt.New(prompt.Options{})), asked()))), a.generate)
	return a, nil
}

// unlessWhole leaves the hits of FullContext as they are: all of them go on, in
// document order, and what fits whole is not cut. A question may ask for that
// mode though it is not the corpus' own.
func unlessWhole(own rag.Mode, stage flow.Stage[rag.Retrieved, rag.Retrieved]) flow.Stage[rag.Retrieved, rag.Retrieved] {
	return flow.Func[rag.Retrieved, rag.Retrieved](func(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
		if cmp.Or(in.Question.Mode, own) == rag.FullContext {
			return in, nil
		}
		return stage.Apply(ctx, in)
	})
}

// doubting flags answers that cite what recognition was not sure of, whoever wrote them.
func doubting(generator flow.Stage[rag.PromptContext, rag.Answer]) flow.Stage[rag.PromptContext, rag.Answer] {
	return flow.Func[rag.PromptContext, rag.Answer](func(ctx context.Context, c rag.PromptContext) (rag.Answer, error) {
		out, err := generator.Apply(ctx, c)
		if err == nil {
			out.Flags = append(out.Flags, generate.Doubts(out.Citations)...)
		}
		return out, err
	})
}

// asked makes the context's hash cover the question too: the same passages answer
// several questions, and each is kept, shown and replayed as its own.
func asked() flow.Stage[rag.PromptContext, rag.PromptContext] {
	return flow.Func[rag.PromptContext, rag.PromptContext](func(_ context.Context, c rag.PromptContext) (rag.PromptContext, error) {
		sum := sha256.Sum256([]byte(c.Question.Text + "\n\n" + c.Text))
		c.Hash = "sha256:" + hex.EncodeToString(sum[:])
		return c, nil
	})
}

func retrieval(s settings.Corpus) retrieve.Options {
	r := s.Pipeline.Retrieval
	topK := r.TopK
	if s.Pipeline.Reranking.On() {
		topK = s.Pipeline.Reranking.Depth // the reranker decides which of them go on
	}
	return retrieve.Options{
		Mode: rag.Mode(r.Mode), Candidates: r.Candidates, TopK: topK, Pin: r.Identifiers == pin, Rules: s.Eligibility,
		Full:   retrieve.Budget{Prose: s.Pipeline.Compression.MaxContextChars, Tables: s.Pipeline.Compression.MaxTableChars},
		Fusion: retrieve.Fusion{Method: r.Fusion.Method, Dense: float64(r.Fusion.Dense), Lexical: float64(r.Fusion.Lexical), Normalization: r.Fusion.Normalization, K: r.Fusion.K},
	}
}

// Ask answers a question and returns the trace beside the answer. The prompt
// context is kept under its hash. The instant is the caller's to set: the zero
// one is the first of January of year 1, before everything, and not now.
func (a *Asker) Ask(ctx context.Context, q rag.Question) (rag.Answer, *flow.Trace, error) {
	ctx, trace := flow.WithTrace(ctx)
	out, err := a.answer.Apply(ctx, q)
	var failed *model.Failed
	if err != nil && !errors.As(err, &failed) {
		return rag.Answer{Status: rag.NeedsHuman, Flags: trace.Flags()}, trace, err
	}
	c, prompted := flow.Output[rag.PromptContext](trace, flow.Prompt)
	if failed != nil {
		out, err = held(c, failed), &GeneratorError{failed}
	}
	out = settle(out)
	out.Flags = append(trace.Flags(), flagsOf(err)...)
	if prompted {
		out.ContextHash = c.Hash
		c.Flags = slices.DeleteFunc(trace.Flags(), func(f rag.Flag) bool { return f.Stage == flow.Generate }) // those of this context
		if err := a.keep.put(a.place.Corpus, c); err != nil {
			return out, trace, fmt.Errorf("keep context %s: %w", c.Hash, err)
		}
	}
	return out, trace, err
}

// GeneratorError says that the model could not be asked. The answer beside it is
// a holding reply that says so in a flag: good enough for who asks, and no
// verdict on the question.
type GeneratorError struct{ Failed *model.Failed }

func (e *GeneratorError) Error() string { return "generate: " + e.Failed.Error() }

// Unwrap returns the cause.
func (e *GeneratorError) Unwrap() error { return e.Failed }

func held(c rag.PromptContext, f *model.Failed) rag.Answer { return model.Held(c, f.Flag()) }

// flagsOf is the flag of a model that could not be asked: the step that failed
// put nothing out, so that the trace has none.
func flagsOf(err error) []rag.Flag {
	var g *GeneratorError
	if !errors.As(err, &g) {
		return nil
	}
	f := g.Failed.Flag()
	f.Stage = flow.Generate
	return []rag.Flag{f}
}

// settle makes an answer without a status, or without evidence, a hand-off.
func settle(a rag.Answer) rag.Answer {
	if a.Status != rag.Answered || len(a.Citations) == 0 {
		a.Status = rag.NeedsHuman
	}
	return a
}

// Retrieve finds without answering, as the gate's probes do.
func (a *Asker) Retrieve(ctx context.Context, q rag.Question) (rag.Retrieved, error) {
	return a.find.Apply(ctx, q)
}

// Context returns a kept prompt context if every passage in it is still
// eligible for the identity now, else ErrNoContext.
func (a *Asker) Context(ctx context.Context, hash string, id rag.Identity, now time.Time) (rag.PromptContext, error) {
	c, err := a.keep.get(a.place.Corpus, hash)
	if err != nil {
		return c, err
	}
	ids := make([]string, len(c.Hits))
	for i, h := range c.Hits {
		ids[i] = h.ID
	}
	may, err := a.retriever.Eligible(ctx, rag.Question{Text: c.Question.Text, Identity: id, AsOf: now}, ids)
	if err != nil {
		return c, err
	}
	if slices.ContainsFunc(ids, func(i string) bool { return !may[i] }) {
		return rag.PromptContext{}, ErrNoContext
	}
	return c, nil
}

// Replay generates an answer from a kept context again. What degraded the context
// degrades the answer as it did the first time.
func (a *Asker) Replay(ctx context.Context, c rag.PromptContext) (rag.Answer, error) {
	ctx, trace := flow.WithTrace(ctx)
	out, err := a.generate.Apply(ctx, c)
	var failed *model.Failed
	if errors.As(err, &failed) {
		out, err = held(c, failed), &GeneratorError{failed}
	}
	out = settle(out)
	out.Flags, out.ContextHash = slices.Clone(c.Flags), c.Hash
	for _, f := range append(trace.Flags(), flagsOf(err)...) {
		if !slices.ContainsFunc(c.Flags, func(k rag.Flag) bool { return k.Reason == f.Reason && k.Detail == f.Detail }) {
			out.Flags = append(out.Flags, f)
		}
	}
	return out, err
}

// pin is the setting of retrieval.identifiers that puts them first.
const pin = "Pin"
