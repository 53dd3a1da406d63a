package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// attempts bounds how often one request is sent: a server that restarts, or drops
// a connection that it had kept, is well again within the 1.5 s of both pauses.
const attempts = 3

// pause is the wait after the first fault; it doubles.
const pause = 500 * time.Millisecond

// passing is a fault of the server or the connection that may be over soon.
type passing struct{ error }

func (p passing) Unwrap() error { return p.error }

// post sends a request until it is answered: once more after a rate limit, up to
// attempts times after passing faults. A server that is too slow isn't asked
// again, which would make it slower.
func (c *Client) post(ctx context.Context, r request) ([][]float32, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	var waited time.Duration
	for try := 1; ; {
		vectors, err := c.send(ctx, body, r)
		var limit *RateLimitError
		var fault passing
		switch {
		case errors.As(err, &limit):
			if waited > 0 || limit.Reason != "" {
				limit.Waited = waited
				return nil, limit
			}
			if waited, err = c.sitOut(ctx, limit); err != nil {
				return nil, err
			}
			c.waits.Add(1)
		case errors.As(err, &fault):
			if try == attempts {
				return nil, fmt.Errorf("after %d attempts: %w", attempts, fault.error)
			}
			if err := c.wait(ctx, pause<<(try-1)); err != nil {
				return nil, fmt.Errorf("%w, while waiting after: %w", err, fault.error)
			}
			try++
			c.retries.Add(1)
		default:
			return vectors, err
		}
	}
}

// send sends a request once.
func (c *Client) send(ctx context.Context, body []byte, r request) ([][]float32, error) {
	c.requests.Add(1)
	slow := fmt.Errorf("no answer within %s", c.opt.Timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, c.opt.Timeout, slow)
	defer cancel()
	status, header, data, err := c.exchange(ctx, body, replyLimit(r))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case status != http.StatusOK:
		return nil, c.refusal(status, header, data)
	}
	var answer reply
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("the reply is not what an embeddings server sends: %w", err)
	}
	c.tokens.Add(answer.tokens()) // billed, whatever the vectors are like
	vectors, err := answer.vectors(len(r.texts), r.dimensions)
	if err == nil {
		c.texts.Add(int64(len(r.texts)))
	}
	return vectors, err
}

// replyLimit is the most bytes of a reply that are read: 32 for a number, written
// with every digit and indented, and room for the rest.
func replyLimit(r request) int64 { return int64(len(r.texts)*r.dimensions)*32 + 1<<20 }

// exchange sends the body and reads the reply whole. A connection that cannot be
// made or breaks off is a passing fault.
func (c *Client) exchange(ctx context.Context, body []byte, limit int64) (int, http.Header, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opt.BaseURL+"/embeddings", bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "hardgate")
	if c.opt.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+c.opt.APIKey)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, nil, passing{err}
	}
	defer func() { _ = resp.Body.Close() }() // read to its end, or given up
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return 0, nil, nil, passing{fmt.Errorf("read the reply: %w", err)}
	case int64(len(data)) > limit:
		return 0, nil, nil, fmt.Errorf("the reply is over %d bytes", limit)
	}
	return resp.StatusCode, resp.Header, data, nil
}

// refusal says what a reply that is no answer asks for: to wait, to try again, to
// send less, or to give up.
func (c *Client) refusal(status int, header http.Header, body []byte) error {
	message := c.message(body)
	failure := &StatusError{status, message}
	switch {
	case status == http.StatusTooManyRequests:
		limit := &RateLimitError{Asked: asked(header, time.Now()), Message: message}
		if strings.Contains(message, "insufficient_quota") {
			limit.Reason = "no wait helps: the account's quota is used up"
		}
		return limit
	case status == http.StatusRequestTimeout, status >= 500 && status != http.StatusNotImplemented:
		return passing{failure}
	case status >= 300 && status < 400:
		failure.Message = c.redact(header.Get("Location"))
		return failure
	case status == http.StatusRequestEntityTooLarge,
		(status == http.StatusBadRequest || status == http.StatusUnprocessableEntity) && oversize.MatchString(message):
		return &tooLarge{message}
	}
	return failure
}
