package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/shared"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Names of parameters, as refusals of them have it. Reasoning models of OpenAI
// take no temperature, and know max_tokens by its newer name alone; other servers
// know the older name alone.
const (
	temperature = "temperature"
	maxTokens   = "max_tokens"
)

// citing is how the prompt's handles are used.
const citing = `The passages are numbered. Each row of a table and each sentence of a text has a handle before it, as in "1.3: …". Behind each statement name the handles of the rows and sentences that it rests on in square brackets, as in [1.3] or [1.3][2.1]. Name only handles that stand there.`

// lay returns the system prompt and the user's turn.
func lay(in rag.PromptContext) (system, user string) {
	question := model.Fence("question", in.Question.Text)
	if model.General(in) {
		return model.System(in, citing), question
	}
	return model.System(in, citing), model.Fence("passages", in.Text) + "\n\n" + question
}

// reply is one completion, read to its end.
type reply struct {
	text, refusal, finish, model string
	usage                        sdk.CompletionUsage
}

// ask has the model write one draft. A refused parameter is left out, at most
// each one once.
func (g *Generator) ask(ctx context.Context, in rag.PromptContext) (model.Draft, []model.Spent, error) {
	system, user := lay(in)
	stream := func(ctx context.Context) (*reply, error) { return g.stream(ctx, system, user) }
	r, flags, err := model.Patiently(ctx, stream)
	for g.dialect.Learn(g.opt.Model, err, maxTokens, temperature) {
		r, flags, err = model.Patiently(ctx, stream)
	}
	if err != nil {
		var f *model.Failed
		if errors.As(err, &f) && f.Begun {
			return model.Draft{}, []model.Spent{{Model: g.opt.Model, Unknown: true}}, err
		}
		return model.Draft{}, nil, err
	}
	d := r.draft(in)
	d.Flags = append(flags, d.Flags...)
	d.Sent = []string{system, user}
	if d.Usage.Model == "" {
		d.Usage.Model = g.opt.Model
	}
	if g.dialect.Takes(g.opt.Model, temperature) {
		d.Usage.Temperature = new(float64)
	}
	return d, []model.Spent{{Model: g.opt.Model, InputTokens: d.Usage.InputTokens, OutputTokens: d.Usage.OutputTokens, Unknown: d.Usage.InputTokens == 0}}, nil
}

func (g *Generator) params(system, user string) sdk.ChatCompletionNewParams {
	params := sdk.ChatCompletionNewParams{
		Model:         g.opt.Model,
		Messages:      []sdk.ChatCompletionMessageParamUnion{sdk.SystemMessage(system), sdk.UserMessage(user)},
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)},
	}
	if g.dialect.Takes(g.opt.Model, temperature) {
		params.Temperature = sdk.Float(0)
	}
	if g.dialect.Takes(g.opt.Model, maxTokens) {
		params.MaxTokens = sdk.Int(int64(g.opt.MaxTokens))
	} else {
		params.MaxCompletionTokens = sdk.Int(int64(g.opt.MaxTokens))
	}
	if g.opt.Effort != "" {
		params.ReasoningEffort = shared.ReasoningEffort(g.opt.Effort)
	}
	return params
}

// stream reads one reply to its end. Nothing of a reply that breaks off is
// returned: an answer is complete once it says why it finished.
func (g *Generator) stream(ctx context.Context, system, user string) (*reply, error) {
	var response *http.Response
	stream := g.chat.NewStreaming(ctx, g.params(system, user), option.WithResponseInto(&response))
	defer func() { _ = stream.Close() }() // read to its end, or given up
	r := &reply{}
	var text, refusal strings.Builder
	begun := false
	for stream.Next() {
		chunk := stream.Current()
		if chunk.Model != "" {
			r.model = chunk.Model
		}
		if chunk.Usage.PromptTokens > 0 {
			r.usage = chunk.Usage
		}
		for _, c := range chunk.Choices {
			if c.Index != 0 {
				continue
			}
			begun = true
			text.WriteString(c.Delta.Content)
			refusal.WriteString(c.Delta.Refusal)
			if c.FinishReason != "" {
				r.finish = c.FinishReason
			}
		}
	}
	switch err := stream.Err(); {
	case err != nil:
		return nil, g.failed(ctx, err, response, begun)
	case r.finish == "":
		return nil, model.Ended(begun)
	}
	r.text, r.refusal = text.String(), refusal.String()
	return r, nil
}

// failed sorts an error by what to do about it. Of an error reply the status and
// the body are read here: servers that are only compatible send bodies that the
// SDK cannot read.
func (g *Generator) failed(ctx context.Context, err error, response *http.Response, begun bool) *model.Failed {
	var event *ssestream.StreamError
	switch {
	case response != nil && response.StatusCode >= http.StatusBadRequest && ctx.Err() == nil:
		body, _ := io.ReadAll(response.Body) // the SDK has read it and put it back; what is missing of it is only wording
		return g.redact.Replied(response.StatusCode, response.Header, string(body), field+".apiKeySecretRef")
	case errors.As(err, &event):
		return &model.Failed{Cause: model.ServerError, Detail: "the model server reports an error in its answer: " + g.redact.Clean(event.Message), Begun: begun}
	}
	return g.redact.Broken(ctx, err, begun)
}

// draft turns a reply into the draft.
func (r *reply) draft(in rag.PromptContext) model.Draft {
	d := model.Draft{Usage: rag.Usage{Model: r.model, InputTokens: int(r.usage.PromptTokens), OutputTokens: int(r.usage.CompletionTokens)}}
	switch r.finish {
	case "stop":
	case "length":
		d.Stop = model.Cut
	case "content_filter":
		d.Stop, d.Detail = model.Refused, "the provider's content filter"
	default: // no tools were offered
		d.Stop, d.Detail = model.Refused, "it stopped for "+r.finish
	}
	if r.refusal != "" {
		d.Stop, d.Detail = model.Refused, model.OneLine(r.refusal)
	}
	d.Text, d.Refs, d.Flags = resolve(in, unthink(r.text))
	return d
}

// unthink takes off the reasoning that some servers leave before the answer.
func unthink(text string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "<think>")
	if !ok {
		return text
	}
	_, answer, _ := strings.Cut(rest, "</think>")
	return answer
}
