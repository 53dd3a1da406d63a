package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// TooLongError refuses one text. It is the text's fault alone: another text may
// do, and the same one will not.
type TooLongError struct {
	Index   int    // of the text in the call
	Tokens  int    // by Count
	Max     int    // by Count
	Message string // the server's; "" where the text was not sent
}

func (e *TooLongError) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("text %d has up to %d tokens, the window is %d", e.Index, e.Tokens, e.Max)
	}
	return fmt.Sprintf("text %d, of up to %d tokens, is too long for the server: %s (make pipeline.chunking.size smaller)", e.Index, e.Tokens, e.Message)
}

// FailureReason is what is recorded of the document.
func (*TooLongError) FailureReason() string { return "TextTooLong" }

// DimensionsError refuses a vector of another length than was asked for.
type DimensionsError struct{ Want, Got int }

func (e *DimensionsError) Error() string {
	return fmt.Sprintf("asked for %d dimensions, got %d: set dimensions to what the model gives", e.Want, e.Got)
}

// RateLimitError says that the server still refused after the wait that it had
// asked for, or asked for one that is too long.
type RateLimitError struct {
	Waited  time.Duration // 0 where it was not waited for
	Asked   time.Duration // what the last refusal asks to wait; 0 where it doesn't say
	Reason  string        // why it was not waited for; "" after a wait
	Message string        // the server's
}

func (e *RateLimitError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("rate limit: %s; %s", e.Message, e.Reason)
	}
	return fmt.Sprintf("rate limit, also after waiting %s: %s", e.Waited, e.Message)
}

// StatusError is a reply that is no answer.
type StatusError struct {
	Status  int
	Message string // the server's, without the key
}

func (e *StatusError) Error() string {
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return fmt.Sprintf("the server refuses the API key (%d): %s; check apiKeySecretRef", e.Status, e.Message)
	case e.Status >= 300 && e.Status < 400:
		return fmt.Sprintf("the server redirects (%d) to %q: set baseURL to the final address", e.Status, e.Message)
	}
	return fmt.Sprintf("the server answers %d %s: %s", e.Status, http.StatusText(e.Status), e.Message)
}

// tooLarge is a refusal of a batch, or of a text in it, for its size.
type tooLarge struct{ message string }

func (e *tooLarge) Error() string { return e.message }

// oversize is how servers say that a batch or a text is too large.
var oversize = regexp.MustCompile(`(?i)context[ _]length|too (?:long|large|many (?:tokens|inputs|texts))|(?:less|fewer|more) than \d+ (?:tokens|inputs)|` +
	`max(?:imum|_| )[a-z_ ]*(?:tokens|length|batch|inputs)|batch size|exceeds? [^.]*(?:tokens|length|limit|batch)|tokens per request|at most \d+ (?:inputs|items|texts)`)

// maxMessage bounds what is repeated of a server's message, in bytes.
const maxMessage = 400

// message finds the text in the forms in which servers put it: OpenAI's
// {"error": {"message"}}, {"error": "…"}, vLLM's {"message"} and Voyage's {"detail"}.
func (c *Client) message(body []byte) string {
	var form struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	text := ""
	if json.Unmarshal(body, &form) == nil {
		var inner struct {
			Message string `json:"message"`
			Code    any    `json:"code"`
		}
		switch {
		case json.Unmarshal(form.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
			if code, ok := inner.Code.(string); ok && code != "" {
				text += " [" + code + "]"
			}
		case json.Unmarshal(form.Error, &text) == nil && text != "":
		case form.Message != "":
			text = form.Message
		case len(form.Detail) > 0 && json.Unmarshal(form.Detail, &text) != nil:
			text = string(form.Detail)
		}
	}
	if text == "" {
		text = string(body)
	}
	if text = c.redact(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")); text == "" {
		return "no message"
	}
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return text
}

// masked is a key as providers repeat it: its ends, with stars between.
var masked = regexp.MustCompile(`\S*\*{2,}\S*`)

// redact takes the key out of a text, also where the server has masked a part.
func (c *Client) redact(text string) string {
	if key := c.opt.APIKey; key != "" {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	return masked.ReplaceAllString(text, "[key]")
}
