package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Cause says what kept a model from being asked.
type Cause string

// Causes.
const (
	Unreachable  Cause = "Unreachable"  // no connection, or it broke before an answer began
	Limited      Cause = "RateLimited"  // 429 or 529
	ServerError  Cause = "ServerError"  // 5xx
	Unauthorized Cause = "Unauthorized" // 401 or 403
	Rejected     Cause = "Rejected"     // another 4xx: the request is not accepted as it is configured
	Malformed    Cause = "Malformed"    // the answer can't be read
	StreamCut    Cause = "StreamCut"    // the answer broke off
	TimedOut     Cause = "TimedOut"     // the overall timeout, or silence in mid-stream
)

// Failed says that a model could not be asked, or did not finish: nothing that
// the question or the passages could help. Nothing of a partial answer is kept.
type Failed struct {
	Cause  Cause
	Detail string        // for a person, with what to do; never holds the key
	After  time.Duration // Limited and ServerError: the wait that the provider asks for, 0 if it doesn't say
	Status int           // HTTP, 0 if there was none
	Begun  bool          // the model had begun to answer, so that tokens were spent
}

func (f *Failed) Error() string { return string(f.Cause) + ": " + f.Detail }

// Flag is what a holding reply carries in place of the error.
func (f *Failed) Flag() rag.Flag {
	if f.Cause == Limited {
		return rag.Flag{Reason: RateLimited, Detail: f.Detail}
	}
	return rag.Flag{Reason: GeneratorFailed, Detail: f.Error()}
}

// Redactor takes a key out of what servers repeat.
type Redactor struct{ Key string }

// masked is a key as providers repeat it: its ends, with stars between.
var masked = regexp.MustCompile(`\S*\*{2,}\S*`)

const longest = 300 // bytes of a server's message

// Clean shortens a text to a line without the key.
func (r Redactor) Clean(s string) string {
	if r.Key != "" {
		s = strings.ReplaceAll(s, r.Key, "[key]")
	}
	s = OneLine(strings.ToValidUTF8(masked.ReplaceAllString(s, "[key]"), ""))
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

// Replied is a status that is no answer. secret is the field that names the
// Secret of the key.
func (r Redactor) Replied(status int, header http.Header, body, secret string) *Failed {
	f := &Failed{Status: status, Detail: strings.TrimSpace(fmt.Sprintf("the model server answers %d %s", status, http.StatusText(status)))}
	said := because(r.Clean(message(body)))
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.Cause = Unauthorized // its message may hold a part of the key
		f.Detail = fmt.Sprintf("the model server refuses the API key (%d): check the Secret that %s names", status, secret)
	case status == http.StatusTooManyRequests || status == 529:
		f.Cause, f.After = Limited, wait(header, time.Now())
		f.Detail += said
	case status >= 500:
		f.Cause, f.After = ServerError, wait(header, time.Now())
		f.Detail += said
	default:
		f.Cause = Rejected
		f.Detail += said
		if status == http.StatusNotFound {
			f.Detail += "; check baseURL and model"
		}
	}
	return f
}

// message finds the text in an error's body: {"error": {"message"}}, {"error":
// "…"}, {"message"} or {"detail"}.
func message(body string) string {
	var form struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal([]byte(body), &form) != nil {
		return body
	}
	var inner struct {
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(form.Error, &inner) == nil && inner.Message != "":
		return inner.Message
	case json.Unmarshal(form.Error, &text) == nil && text != "":
		return text
	case form.Message != "":
		return form.Message
	case len(form.Detail) > 0:
		return string(form.Detail)
	}
	return body
}

// Broken says what an error of the connection or of reading means. begun says
// that a part of the answer had come.
func (r Redactor) Broken(ctx context.Context, err error, begun bool) *Failed {
	f := &Failed{Begun: begun}
	var known *Failed
	if errors.As(err, &known) {
		return known
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, errSilent), errors.Is(err, errTooLong):
		f.Cause, f.Detail = TimedOut, err.Error()
		if errors.Is(err, errTooLong) {
			f.Cause = Malformed
		}
	case ctx.Err() != nil:
		f.Cause, f.Detail = TimedOut, r.Clean(context.Cause(ctx).Error())
	case errors.As(err, &syntax), errors.As(err, &kind), strings.Contains(err.Error(), "invalid character"), strings.Contains(err.Error(), "unexpected end of JSON"):
		f.Cause, f.Detail = Malformed, "what the model server sends is no JSON: "+r.Clean(err.Error())
	case begun || errors.Is(err, io.ErrUnexpectedEOF):
		f.Cause, f.Detail = StreamCut, "the connection broke off in the middle of the answer: "+r.Clean(err.Error())
	default:
		f.Cause, f.Detail = Unreachable, r.Clean(err.Error())
	}
	return f
}

// Ended is a stream that was closed in good order before the answer was complete.
func Ended(begun bool) *Failed {
	if !begun {
		return &Failed{Cause: Malformed, Detail: "the model server sent no answer in the form of its API: check baseURL"}
	}
	return &Failed{Cause: StreamCut, Detail: "the model server ended the answer before it was complete", Begun: true}
}
