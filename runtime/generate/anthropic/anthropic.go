// Package anthropic asks a model by Anthropic's Messages API.
//
// A rag.PromptContext enters; a rag.Answer leaves. Each passage is one
// search_result block, each row or sentence in it one text block, so that the
// citations that the API attaches name exact units: the model cannot cite what it
// was not given. A model that declines is replaced once by the fallback model,
// with a flag. The reply is streamed, so that silence is noticed before the
// timeout.
//
// What package model says of drafts holds: whatever is not certain is handed on.
package anthropic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Options configure the stage.
type Options struct {
	BaseURL       string        // "" = Anthropic's own
	Model         string        // as the API names it
	FallbackModel string        // asked once where Model declines; "" = none
	Effort        string        // low, medium, high, xhigh or max; "" = the model's own
	MaxTokens     int           // of one draft, thinking included; 0 = 4096
	Timeout       time.Duration // of one answer, waits and the fallback included; 0 = 60 s
	Idle          time.Duration // how long the stream may be silent; 0 = 30 s
	APIKey        string
}

// field is where the options are configured, for messages.
const field = "generation.anthropic"

// Generator is the stage. It is safe for concurrent use.
type Generator struct {
	opt      Options
	messages sdk.MessageService
	redact   model.Redactor
	dialect  model.Dialect
}

// New returns the stage. The error names the option's field.
func New(opt Options) (*Generator, error) {
	opt.APIKey, opt.BaseURL = strings.TrimSpace(opt.APIKey), cmp.Or(opt.BaseURL, theirs)
	model.Settle(&opt.MaxTokens, &opt.Timeout, &opt.Idle)
	if err := opt.validate(); err != nil {
		return nil, err
	}
	options := []option.RequestOption{
		option.WithBaseURL(opt.BaseURL), // never the environment's
		option.WithAPIKey(opt.APIKey),
		option.WithHTTPClient(model.NewHTTP(opt.Idle)),
		option.WithMaxRetries(0), // the one wait is model.Patiently's
		option.WithoutOpenTelemetry(),
	}
	return &Generator{opt: opt, messages: sdk.NewMessageService(options...), redact: model.Redactor{Key: opt.APIKey}}, nil
}

func (o Options) validate() error {
	if o.APIKey == "" {
		return errors.New(field + ".apiKeySecretRef: the key is blank")
	}
	return model.Bounds{
		Field: field, Model: o.Model, BaseURL: o.BaseURL, Effort: o.Effort, Efforts: []string{"low", "medium", "high", "xhigh", "max"},
		MaxTokens: o.MaxTokens, Timeout: o.Timeout, Idle: o.Idle,
	}.Check()
}

// theirs is the provider's own address.
const theirs = "https://api.anthropic.com"

// Apply answers the question of the prompt. It fails with *model.Failed where the
// model could not be asked, and with the context's error.
func (g *Generator) Apply(ctx context.Context, in rag.PromptContext) (rag.Answer, error) {
	a, _, err := g.Generate(ctx, in)
	return a, err
}

// Generate is Apply with what each call consumed.
func (g *Generator) Generate(parent context.Context, in rag.PromptContext) (rag.Answer, []model.Spent, error) {
	if err := parent.Err(); err != nil {
		return rag.Answer{}, nil, err
	}
	if a, done := model.Unasked(in); done {
		return a, nil, nil
	}
	ctx, cancel := model.Within(parent, g.opt.Timeout)
	defer cancel()
	p := lay(in)
	draft, spent, err := g.ask(ctx, g.opt.Model, p)
	if err == nil && draft.Stop == model.Refused && g.opt.FallbackModel != "" {
		first := draft
		var more []model.Spent
		draft, more, err = g.ask(ctx, g.opt.FallbackModel, p)
		spent = append(spent, more...)
		draft.Usage.InputTokens += first.Usage.InputTokens
		draft.Usage.OutputTokens += first.Usage.OutputTokens
		draft.Flags = append(append(first.Flags, draft.Flags...), rag.Flag{Reason: model.FallbackModel, Detail: first.Usage.Model + " declined, " + g.opt.FallbackModel + " was asked"})
	}
	switch {
	case parent.Err() != nil:
		return rag.Answer{}, spent, fmt.Errorf("ask %s: %w", g.opt.Model, context.Cause(parent))
	case err != nil:
		return rag.Answer{}, spent, fmt.Errorf("ask %s: %w", g.opt.Model, err)
	}
	return model.Finish(in, draft), spent, nil
}

// Estimate is what an answer consumes at most: one draft of each model.
func (g *Generator) Estimate(in rag.PromptContext) []model.Spent {
	if _, done := model.Unasked(in); done {
		return nil
	}
	input := model.Ceiling(lay(in).sent...)
	out := []model.Spent{{Model: g.opt.Model, InputTokens: input, OutputTokens: g.opt.MaxTokens}}
	if g.opt.FallbackModel != "" {
		out = append(out, model.Spent{Model: g.opt.FallbackModel, InputTokens: input, OutputTokens: g.opt.MaxTokens})
	}
	return out
}

// Models are those that may be asked.
func (g *Generator) Models() []string {
	if g.opt.FallbackModel == "" {
		return []string{g.opt.Model}
	}
	return []string{g.opt.Model, g.opt.FallbackModel}
}
