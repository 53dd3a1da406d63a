package remote

import (
	"context"
	"errors"
	"fmt"
)

// embed sends the texts in batches, one after the other: those who call it run
// several documents at a time already.
func (c *Client) embed(ctx context.Context, inputType string, texts []string) ([][]float32, error) {
	for i, text := range texts {
		if text == "" {
			return nil, fmt.Errorf("text %d is empty", i)
		}
		if n := count(text); n > c.opt.Window {
			return nil, &TooLongError{Index: i, Tokens: n, Max: c.opt.Window}
		}
	}
	vectors := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := c.first(texts)
		vs, err := c.halve(ctx, inputType, texts[:n], len(vectors))
		if err != nil {
			return nil, err
		}
		vectors, texts = append(vectors, vs...), texts[n:]
	}
	return vectors, nil
}

// first is how many of the texts make the next batch: at least one.
func (c *Client) first(texts []string) int {
	tokens := 0
	for i, text := range texts {
		tokens += count(text)
		if i == c.opt.BatchTexts || i > 0 && tokens > c.opt.BatchTokens {
			return i
		}
	}
	return len(texts)
}

// halve sends a batch, and where the server finds it too large, its halves: a
// server may admit fewer texts or tokens than were configured, and of a text that
// is too long the name is wanted. offset is the first text's place in the call.
func (c *Client) halve(ctx context.Context, inputType string, texts []string, offset int) ([][]float32, error) {
	vectors, err := c.sized(ctx, inputType, texts)
	var large *tooLarge
	if !errors.As(err, &large) {
		return vectors, err
	}
	if len(texts) == 1 {
		return nil, &TooLongError{Index: offset, Tokens: count(texts[0]), Max: c.opt.Window, Message: large.message}
	}
	half := len(texts) / 2
	left, err := c.halve(ctx, inputType, texts[:half], offset)
	if err != nil {
		return nil, err
	}
	right, err := c.halve(ctx, inputType, texts[half:], offset+half)
	return append(left, right...), err
}
