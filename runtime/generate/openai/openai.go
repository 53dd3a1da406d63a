// Package openai asks a model by OpenAI's chat completions, as vLLM, Ollama and
// many others serve them too.
//
// A rag.PromptContext enters; a rag.Answer leaves. The prompt's text goes out as
// it is hashed, with a handle before each row and sentence; the model cites by
// handles ("[1.3]"), which are resolved to units here and taken out of the text.
// A handle that was not in the prompt is dropped and flagged. The reply is
// streamed, so that silence is noticed before the timeout.
//
// What package model says of drafts holds: whatever is not certain is handed on.
package openai

import (
	"context"
	"fmt"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Options configure the stage.
type Options struct {
	BaseURL   string        // up to what stands before /chat/completions: http://vllm:8000/v1
	Model     string        // as the server names it
	Effort    string        // none, minimal, low, medium, high, xhigh or max; "" = not sent, many servers know none
	MaxTokens int           // of one draft, reasoning included; 0 = 4096
	Timeout   time.Duration // of one answer, waits included; 0 = 60 s
	Idle      time.Duration // how long the stream may be silent; 0 = 30 s
	APIKey    string        // "" = none is sent
}

// field is where the options are configured, for messages.
const field = "generation.openai"

// Generator is the stage. It is safe for concurrent use.
type Generator struct {
	opt     Options
	chat    sdk.ChatCompletionService
	redact  model.Redactor
	dialect model.Dialect
}

// New returns the stage. The error names the option's field.
func New(opt Options) (*Generator, error) {
	opt.APIKey = strings.TrimSpace(opt.APIKey)
	model.Settle(&opt.MaxTokens, &opt.Timeout, &opt.Idle)
	if err := opt.validate(); err != nil {
		return nil, err
	}
	options := []option.RequestOption{
		option.WithBaseURL(opt.BaseURL),
		option.WithHTTPClient(model.NewHTTP(opt.Idle)),
		option.WithMaxRetries(0), // the one wait is model.Patiently's
	}
	if opt.APIKey != "" {
		options = append(options, option.WithAPIKey(opt.APIKey))
	}
	return &Generator{opt: opt, chat: sdk.NewChatCompletionService(options...), redact: model.Redactor{Key: opt.APIKey}}, nil
}

func (o Options) validate() error {
	return model.Bounds{
		Field: field, Model: o.Model, BaseURL: o.BaseURL, Effort: o.Effort, Efforts: []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"},
		MaxTokens: o.MaxTokens, Timeout: o.Timeout, Idle: o.Idle,
	}.Check()
}

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
	draft, spent, err := g.ask(ctx, in)
	switch {
	case parent.Err() != nil:
		return rag.Answer{}, spent, fmt.Errorf("ask %s: %w", g.opt.Model, context.Cause(parent))
	case err != nil:
		return rag.Answer{}, spent, fmt.Errorf("ask %s: %w", g.opt.Model, err)
	}
	return model.Finish(in, draft), spent, nil
}

// Estimate is what an answer consumes at most.
func (g *Generator) Estimate(in rag.PromptContext) []model.Spent {
	if _, done := model.Unasked(in); done {
		return nil
	}
	system, user := lay(in)
	return []model.Spent{{Model: g.opt.Model, InputTokens: model.Ceiling(system, user), OutputTokens: g.opt.MaxTokens}}
}

// Models are those that may be asked.
func (g *Generator) Models() []string { return []string{g.opt.Model} }
