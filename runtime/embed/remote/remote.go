// Package remote turns texts into vectors with a model behind an
// OpenAI-compatible server: POST {BaseURL}/embeddings.
//
// In: texts of at most Window tokens, as Count counts them. Out: one vector a
// text, in order, of the length that was asked for and scaled to length 1. It
// refuses whatever it cannot vouch for: a reply with a vector missing, twice, of
// another length or not finite, and a text that the server finds too long.
//
// It speaks HTTP itself. The official client reads errors in OpenAI's own form
// alone, so that of a refusal by Voyage ({"detail": …}) neither the status nor
// the message is left, reads replies without bound, and tells an index that is
// missing from one of 0 only by its side table; what it saves is one POST.
package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// defaultWindow is in tokens as Count counts them, which are bytes: of English
	// about 512 tokens of a model, the least that embedding models in use read.
	// Some servers cut a longer text off and don't say so.
	defaultWindow = 2048

	defaultBatchTexts  = 96      // the lowest limit of the large providers
	defaultBatchTokens = 100_000 // of providers' 120,000 to 320,000
	defaultTimeout     = 30 * time.Second
	defaultMaxWait     = time.Minute // providers count requests and tokens by the minute
)

// Options say where the server is and what to ask of it. BaseURL, Model and
// Dimensions must be set.
type Options struct {
	BaseURL           string // up to /embeddings, such as https://host/v1
	Model             string
	Dimensions        int           // of every vector; any other is refused
	APIKey            string        // sent as a bearer token; "" = none
	QueryInputType    string        // input_type with questions; "" = not sent
	DocumentInputType string        // input_type with documents; "" = not sent
	Window            int           // most tokens of a text, by Count; default 2048
	BatchTexts        int           // most texts of a request; default 96
	BatchTokens       int           // most tokens of a request, by Count; default 100,000
	Timeout           time.Duration // of one request; default 30 s
	MaxWait           time.Duration // longest wait that a rate limit may ask for; default 1 min
	HTTP              *http.Client  // default: a plain one. It is copied; redirects are refused either way
}

func (o Options) withDefaults() (Options, error) {
	o.APIKey, o.BaseURL, o.Model = strings.TrimSpace(o.APIKey), strings.TrimRight(strings.TrimSpace(o.BaseURL), "/"), strings.TrimSpace(o.Model)
	for _, f := range []struct {
		value *int
		name  string
		least int
		other int
	}{
		{&o.Dimensions, "Dimensions", 1, 0},
		{&o.Window, "Window", 1, defaultWindow},
		{&o.BatchTexts, "BatchTexts", 1, defaultBatchTexts},
		{&o.BatchTokens, "BatchTokens", 1, defaultBatchTokens},
	} {
		if *f.value == 0 {
			*f.value = f.other
		}
		if *f.value < f.least {
			return o, fmt.Errorf("remote: %s is %d, must be positive", f.name, *f.value)
		}
	}
	if o.Timeout < 0 || o.MaxWait < 0 {
		return o, fmt.Errorf("remote: Timeout %s or MaxWait %s is negative", o.Timeout, o.MaxWait)
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxWait == 0 {
		o.MaxWait = defaultMaxWait
	}
	switch {
	case o.Model == "":
		return o, errors.New("remote: Model is empty")
	case strings.ContainsFunc(o.APIKey, func(r rune) bool { return r <= ' ' || r >= 0x7F }):
		return o, errors.New("remote: APIKey holds a space or a sign that no header may hold")
	}
	return o, o.checkURL()
}

func (o Options) checkURL() error {
	u, err := url.Parse(o.BaseURL)
	switch {
	case err != nil:
		return errors.New("remote: BaseURL is no URL") // the parser's error would show a password in it
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return fmt.Errorf("remote: BaseURL %q is not of the form https://host/v1", u.Redacted())
	case u.User != nil:
		return errors.New("remote: BaseURL holds a user or password: set APIKey instead")
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("remote: BaseURL %q has a query or fragment", o.BaseURL)
	case strings.HasSuffix(u.Path, "/embeddings"):
		return fmt.Errorf("remote: BaseURL %q ends in /embeddings: leave that out", o.BaseURL)
	}
	return nil
}

// Client speaks to one server about one model. It is safe for concurrent use.
type Client struct {
	opt      Options
	http     *http.Client
	identity string
	host     string // for messages
	sizes    sizes
	wait     func(ctx context.Context, d time.Duration) error

	requests, texts, tokens, waits, retries atomic.Int64
}

// New checks the options; it asks the server nothing.
func New(o Options) (*Client, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, errors.New("remote: BaseURL is no URL")
	}
	client := http.Client{}
	if o.HTTP != nil {
		client = *o.HTTP
	}
	// A redirect would carry the texts, and to the same host the key, to where nobody sent them.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	host := strings.ToLower(u.Host)
	return &Client{
		opt: o, http: &client, host: host, sizes: newSizes(o), wait: sleep,
		identity: strings.Join([]string{"openai", host + u.EscapedPath(), o.Model, strconv.Itoa(o.Dimensions), o.DocumentInputType}, "|"),
	}, nil
}

// Identity names the space that the vectors of documents lie in: server, model,
// length and input type of documents. Vectors of two identities must never meet.
// The server counts because a model's name promises nothing: behind two addresses
// the same name may stand for other weights, another precision or another pooling.
// To embed anew after a server has moved is dear; to mix spaces is wrong without
// a sign of it.
func (c *Client) Identity() string { return c.identity }

// Usage is what a client has asked of its server since it was made.
type Usage struct {
	Requests int64 // answered or not
	Texts    int64 // embedded
	Tokens   int64 // as the server reports them; some report none
	Waits    int64 // for a rate limit
	Retries  int64 // after a fault of the server or the connection
}

// Usage returns the counts so far.
func (c *Client) Usage() Usage {
	return Usage{c.requests.Load(), c.texts.Load(), c.tokens.Load(), c.waits.Load(), c.retries.Load()}
}

// Plus adds the counts of another client.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Requests + v.Requests, u.Texts + v.Texts, u.Tokens + v.Tokens, u.Waits + v.Waits, u.Retries + v.Retries}
}

// Documents embeds texts as documents.
func (c *Client) Documents() *Encoder { return &Encoder{c, c.opt.DocumentInputType, c.identity} }

// Queries embeds texts as questions, into the same space.
func (c *Client) Queries() *Encoder {
	return &Encoder{c, c.opt.QueryInputType, c.identity + "|" + c.opt.QueryInputType}
}

// Encoder is a client that embeds texts of one kind.
type Encoder struct {
	client    *Client
	inputType string
	identity  string
}

// Embed returns a vector of length 1 for each text, in order. One text over the
// window, by Count or as the server has it, fails the call with a *TooLongError.
func (e *Encoder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := e.client.embed(ctx, e.inputType, texts)
	if err != nil {
		return nil, fmt.Errorf("embed at %s with %q: %w", e.client.host, e.client.opt.Model, err)
	}
	return vectors, nil
}

// Count is the most tokens that a text may have: its bytes, and two for the marks
// that models put around it. Of the tokenizers in use (byte pairs, word pieces,
// sentence pieces with bytes to fall back on) none makes two tokens of one byte,
// so it over-counts, of English about four times; only the few signs that unfold
// under compatibility (½, ﷺ) may come to more.
func (e *Encoder) Count(text string) int { return count(text) }

func count(text string) int { return len(text) + 2 }

// Window is the most tokens, by Count, that a text may have.
func (e *Encoder) Window() int { return e.client.opt.Window }

// Usage is the client's, for texts of either kind.
func (e *Encoder) Usage() Usage { return e.client.Usage() }

// Dimensions is the length of a vector.
func (e *Encoder) Dimensions() int { return e.client.opt.Dimensions }

// Identity names what a vector depends on beside its text: the space, and for
// questions the input type with which they are asked.
func (e *Encoder) Identity() string { return e.identity }

// SHA256 is the hash of the space's identity, hex, where a model in this process
// has that of its file.
func (e *Encoder) SHA256() string {
	sum := sha256.Sum256([]byte(e.client.identity))
	return hex.EncodeToString(sum[:])
}
