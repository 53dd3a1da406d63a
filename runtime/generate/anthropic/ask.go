package anthropic

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/hardgate-dev/hardgate/runtime/generate/model"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// temperature is the parameter's name, as a refusal of it has it.
const temperature = "temperature"

// ask has one model write one draft.
func (g *Generator) ask(ctx context.Context, name string, p page) (model.Draft, []model.Spent, error) {
	message, flags, err := model.Patiently(ctx, func(ctx context.Context) (*sdk.Message, error) { return g.stream(ctx, name, p) })
	if g.dialect.Learn(name, err, temperature) {
		message, flags, err = model.Patiently(ctx, func(ctx context.Context) (*sdk.Message, error) { return g.stream(ctx, name, p) })
	}
	if err != nil {
		var f *model.Failed
		if errors.As(err, &f) && f.Begun {
			return model.Draft{}, []model.Spent{{Model: name, Unknown: true}}, err
		}
		return model.Draft{}, nil, err
	}
	d := p.draft(message)
	d.Flags = append(flags, d.Flags...)
	if d.Usage.Model == "" {
		d.Usage.Model = name
	}
	if g.dialect.Takes(name, temperature) {
		d.Usage.Temperature = new(float64)
	}
	return d, []model.Spent{{Model: name, InputTokens: d.Usage.InputTokens, OutputTokens: d.Usage.OutputTokens, Unknown: d.Usage.InputTokens == 0}}, nil
}

func (g *Generator) params(name string, p page) sdk.MessageNewParams {
	params := sdk.MessageNewParams{
		Model:     name,
		MaxTokens: int64(g.opt.MaxTokens),
		System:    []sdk.TextBlockParam{{Text: p.system}},
		Messages:  []sdk.MessageParam{sdk.NewUserMessage(p.blocks...)},
	}
	if g.dialect.Takes(name, temperature) {
		params.Temperature = sdk.Float(0)
	}
	if g.opt.Effort != "" {
		params.OutputConfig = sdk.OutputConfigParam{Effort: sdk.OutputConfigEffort(g.opt.Effort)}
	}
	return params
}

// stream reads one reply to its end. Nothing of a reply that breaks off is
// returned.
func (g *Generator) stream(ctx context.Context, name string, p page) (*sdk.Message, error) {
	var response *http.Response
	stream := g.messages.NewStreaming(ctx, g.params(name, p), option.WithResponseInto(&response))
	defer func() { _ = stream.Close() }() // read to its end, or given up
	var message sdk.Message
	begun, ended := false, false
	for stream.Next() {
		event := stream.Current()
		if err := message.Accumulate(event); err != nil {
			return nil, &model.Failed{Cause: model.Malformed, Detail: g.redact.Clean(err.Error()), Begun: begun}
		}
		begun = true
		ended = event.Type == "message_stop"
	}
	switch err := stream.Err(); {
	case err != nil && !ended:
		return nil, g.failed(ctx, err, response, begun)
	case !ended || message.StopReason == "":
		return nil, model.Ended(begun)
	}
	return &message, nil
}

// failed sorts an error by what to do about it. Of an error reply the status and
// the body are read here: not every server behind baseURL sends a body that the
// SDK can read.
func (g *Generator) failed(ctx context.Context, err error, response *http.Response, begun bool) *model.Failed {
	const secret = field + ".apiKeySecretRef"
	var event *sdk.Error
	switch {
	case response != nil && response.StatusCode >= http.StatusBadRequest && ctx.Err() == nil:
		body, _ := io.ReadAll(response.Body) // the SDK has read it and put it back; what is missing of it is only wording
		return g.redact.Replied(response.StatusCode, response.Header, string(body), secret)
	case errors.As(err, &event): // an error event inside a stream
		status := http.StatusInternalServerError
		switch event.Type() {
		case "overloaded_error":
			status = 529
		case "rate_limit_error":
			status = http.StatusTooManyRequests
		}
		f := g.redact.Replied(status, http.Header{}, event.RawJSON(), secret)
		f.Begun = begun
		return f
	}
	return g.redact.Broken(ctx, err, begun)
}

// draft turns a message into the draft: its text, and the units behind its
// citations. Thinking is left out.
func (p *page) draft(m *sdk.Message) model.Draft {
	u := m.Usage
	d := model.Draft{Sent: p.sent, Usage: rag.Usage{
		Model:        m.Model,
		InputTokens:  int(u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens),
		OutputTokens: int(u.OutputTokens),
	}}
	switch m.StopReason {
	case sdk.StopReasonRefusal:
		d.Stop, d.Detail = model.Refused, string(m.StopDetails.Category)
	case sdk.StopReasonMaxTokens:
		d.Stop = model.Cut
	case sdk.StopReasonModelContextWindowExceeded:
		d.Stop = model.Overflow
	case sdk.StopReasonEndTurn, sdk.StopReasonStopSequence:
	default: // nothing was offered that could pause it: what stands there is no whole answer
		d.Stop, d.Detail = model.Refused, "it stopped for "+string(m.StopReason)
	}
	var text strings.Builder
	for _, block := range m.Content {
		if block.Type != "text" {
			continue
		}
		text.WriteString(block.Text)
		for _, c := range block.Citations {
			refs, ok := p.refs(c.SearchResultIndex, c.StartBlockIndex, c.EndBlockIndex)
			if c.Type != "search_result_location" || !ok {
				d.Flags = append(d.Flags, rag.Flag{Reason: model.UnknownHandle, Detail: fmt.Sprintf("a citation of %s, search result %d, blocks %d to %d was dropped: it was not in the prompt", c.Type, c.SearchResultIndex, c.StartBlockIndex, c.EndBlockIndex)})
				continue
			}
			d.Refs = append(d.Refs, refs...)
		}
	}
	d.Text = text.String()
	return d
}
