package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// limited answers the first n requests by a rate limit.
func limited(n int, header map[string]string, message string) func(int, asking, http.ResponseWriter) bool {
	return func(k int, _ asking, w http.ResponseWriter) bool {
		if k > n {
			return false
		}
		for name, v := range header {
			w.Header().Set(name, v)
		}
		return refuse(w, 429, message)
	}
}

func TestRateLimit(t *testing.T) {
	cases := map[string]struct {
		reason string
		times  int
		header map[string]string
		left   time.Duration // that the caller has; 0 = no deadline
		text   string
		waits  []time.Duration
		want   string // of the error; "" = none
	}{
		"seconds":      {"as asked", 1, map[string]string{"Retry-After": "7"}, 0, "slow down", []time.Duration{7 * time.Second}, ""},
		"milliseconds": {"the finer one counts", 1, map[string]string{"Retry-After": "7", "Retry-After-Ms": "6500"}, 0, "slow down", []time.Duration{6500 * time.Millisecond}, ""},
		"budgets":      {"both have to be full again", 1, map[string]string{"X-RateLimit-Reset-Requests": "20ms", "X-RateLimit-Reset-Tokens": "6s"}, 0, "slow down", []time.Duration{6 * time.Second}, ""},
		"unsaid":       {"three a minute let one in every 20 s", 1, nil, 0, "slow down", []time.Duration{20 * time.Second}, ""},
		"at once":      {"zero is no wait, and still one wait", 1, map[string]string{"Retry-After": "0"}, 0, "slow down", []time.Duration{time.Millisecond}, ""},
		"twice":        {"one wait, then a clear failure", 2, map[string]string{"Retry-After": "7"}, 0, "3 RPM and 10K TPM are your limits", []time.Duration{7 * time.Second}, "also after waiting 7s: 3 RPM and 10K TPM are your limits"},
		"too far":      {"an hour isn't waited for", 1, map[string]string{"Retry-After": "3600"}, 0, "slow down", nil, "asks to wait 1h0m0s, which is over 1m0s"},
		"beyond":       {"nor what no clock holds", 1, map[string]string{"Retry-After": "1e300"}, 0, "slow down", nil, "which is over 1m0s"},
		"no time left": {"a question's time is shorter", 1, map[string]string{"Retry-After": "30"}, 10 * time.Second, "slow down", nil, "doesn't fit into the time that is left"},
		"quota":        {"money doesn't come back by waiting", 1, nil, 0, "You exceeded your current quota: insufficient_quota", nil, "no wait helps"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.play = limited(c.times, c.header, c.text)
			client, waits := s.client(t, nil)
			ctx := t.Context()
			if c.left > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.left)
				defer cancel()
			}
			got, err := client.Documents().Embed(ctx, []string{"a"})
			var limit *RateLimitError
			switch {
			case c.want == "" && (err != nil || !near(got[0], "a")):
				t.Errorf("%s: got %v", c.reason, err)
			case c.want != "" && (!errors.As(err, &limit) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.text)):
				t.Errorf("%s: want %q, got %v", c.reason, c.want, err)
			}
			if d := cmp.Diff(c.waits, append([]time.Duration(nil), *waits...)); d != "" {
				t.Errorf("waits (-want +got):\n%s", d)
			}
			if n := client.Usage().Waits; int(n) != len(c.waits) {
				t.Errorf("%d waits are reported", n)
			}
		})
	}
}

func TestAskedByDate(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{"Sun, 01 Mar 2026 12:00:09 GMT": 9 * time.Second, "Sun, 01 Mar 2026 11:00:00 GMT": time.Second, "soon": 0} {
		if got := asked(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q asks for %s, want %s", text, got, want)
		}
	}
}

// A wait ends with its context: the real clock, once.
func TestSleepEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if err := sleep(t.Context(), time.Millisecond); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestPassingFaults(t *testing.T) {
	cut := func(w http.ResponseWriter) bool { // in the middle of the reply
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return false
		}
		_, _ = fmt.Fprint(rw, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"data\":[")
		_ = rw.Flush()
		_ = conn.Close()
		return true
	}
	cases := map[string]struct {
		reason string
		faults int
		fault  func(w http.ResponseWriter) bool
		waits  []time.Duration
		want   string
	}{
		"restart":     {"a server that comes back is asked again", 2, func(w http.ResponseWriter) bool { return refuse(w, 503, "loading the model") }, []time.Duration{pause, 2 * pause}, ""},
		"down":        {"three attempts in all", 3, func(w http.ResponseWriter) bool { return refuse(w, 500, "CUDA error") }, []time.Duration{pause, 2 * pause}, "after 3 attempts: the server answers 500 Internal Server Error: CUDA error"},
		"cut":         {"half a reply is none", 1, cut, []time.Duration{pause}, ""},
		"always cut":  {"and is said to be", 9, cut, []time.Duration{pause, 2 * pause}, "after 3 attempts: read the reply: unexpected EOF"},
		"unsupported": {"501 stays", 1, func(w http.ResponseWriter) bool { return refuse(w, 501, "no embeddings here") }, nil, "501 Not Implemented: no embeddings here"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.play = func(n int, _ asking, w http.ResponseWriter) bool { return n <= c.faults && c.fault(w) }
			client, waits := s.client(t, nil)
			got, err := client.Documents().Embed(t.Context(), []string{"a"})
			if c.want == "" && (err != nil || !near(got[0], "a")) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s: want %q, got %v", c.reason, c.want, err)
			}
			if d := cmp.Diff(c.waits, append([]time.Duration(nil), *waits...)); d != "" {
				t.Errorf("waits (-want +got):\n%s", d)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	s := serve(t)
	client, waits := s.client(t, func(o *Options) { o.BaseURL = "http://" + addr })
	if _, err := client.Queries().Embed(t.Context(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "connection refused") || !strings.Contains(err.Error(), addr) {
		t.Errorf("got %v", err)
	}
	if len(*waits) != 2 {
		t.Errorf("waits %v", *waits)
	}
}

func TestRefusals(t *testing.T) {
	cases := map[string]struct {
		reason string
		status int
		body   string
		want   string
	}{
		"key":        {"what to look at", 401, `{"error":{"message":"Incorrect API key provided: sk-te********9c77. See the console.","code":"invalid_api_key"}}`, "refuses the API key (401): Incorrect API key provided: [key] See the console. [invalid_api_key]; check apiKeySecretRef"},
		"whole key":  {"a server that repeats the key", 403, `{"error":{"message":"` + key + ` may not use minnow"}}`, "refuses the API key (403): [key] may not use minnow"},
		"model":      {"the server's own words", 404, `{"error":{"message":"The model minnow does not exist","code":"model_not_found"}}`, "404 Not Found: The model minnow does not exist [model_not_found]"},
		"voyage":     {"its form of an error", 400, `{"detail":"Model minnow is not supported."}`, "400 Bad Request: Model minnow is not supported."},
		"vllm":       {"its form of an error", 400, `{"object":"error","message":"unknown\n model","code":400}`, "400 Bad Request: unknown model"},
		"ollama":     {"its form of an error", 400, `{"error":"model not pulled"}`, "400 Bad Request: model not pulled"},
		"validation": {"a list of details", 422, `{"detail":[{"loc":["body"],"msg":"extra"}]}`, `422 Unprocessable Entity: [{"loc":["body"],"msg":"extra"}]`},
		"proxy":      {"no JSON at all", 407, "<html>who are you?</html>", "407 Proxy Authentication Required: <html>who are you?</html>"},
		"silent":     {"nothing said", 404, "", "404 Not Found: no message"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.play = func(_ int, _ asking, w http.ResponseWriter) bool { w.WriteHeader(c.status); return write(w, c.body) }
			client, waits := s.client(t, nil)
			_, err := client.Documents().Embed(t.Context(), []string{"a"})
			var status *StatusError
			if !errors.As(err, &status) || status.Status != c.status || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: want %q, got %v", c.reason, c.want, err)
			}
			if err != nil && (strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "9c77")) {
				t.Errorf("the error shows the key: %v", err)
			}
			if len(*waits) > 0 {
				t.Errorf("it was tried again after %v", *waits)
			}
		})
	}
}

func TestRedirectIsRefused(t *testing.T) {
	thief := serve(t)
	s := serve(t)
	s.play = func(_ int, _ asking, w http.ResponseWriter) bool {
		w.Header().Set("Location", thief.URL+"/v1/embeddings")
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	}
	client, _ := s.client(t, nil)
	if _, err := client.Documents().Embed(t.Context(), []string{"a"}); err == nil || !strings.Contains(err.Error(), thief.URL) {
		t.Errorf("got %v", err)
	}
	if n := len(thief.requests()); n > 0 {
		t.Errorf("the texts went on to another server, %d times", n)
	}
}

func TestReplies(t *testing.T) {
	ok := `{"index":0,"embedding":[1,2,3,4,5,6,7,8]}`
	cases := map[string]struct{ reason, body, want string }{
		"not json":      {"a proxy's page", `<html>`, "not what an embeddings server sends"},
		"nan":           {"as Python writes it", `{"data":[{"index":0,"embedding":[NaN,1,1,1,1,1,1,1]}]}`, "not what an embeddings server sends"},
		"cut off":       {"whole by its length, and not JSON", `{"data":[` + ok, "not what an embeddings server sends"},
		"too few":       {"one a text", `{"data":[` + ok + `]}`, "1 vectors for 2 texts"},
		"none":          {"another API's reply", `{"object":"list"}`, "0 vectors for 2 texts"},
		"no index":      {"an order that is only likely", `{"data":[` + ok + `,{"embedding":[1,2,3,4,5,6,7,8]}]}`, "vector 1 of the reply has no index"},
		"twice":         {"then one text has none", `{"data":[` + ok + `,` + ok + `]}`, "two vectors of index 0"},
		"beyond":        {"of no text", `{"data":[` + ok + `,{"index":2,"embedding":[1,2,3,4,5,6,7,8]}]}`, "index 2 for 2 texts"},
		"length":        {"the mistake that is made", `{"data":[` + ok + `,{"index":1,"embedding":[1,2,3]}]}`, "asked for 8 dimensions, got 3: set dimensions"},
		"empty":         {"a length too", `{"data":[` + ok + `,{"index":1,"embedding":[]}]}`, "asked for 8 dimensions, got 0"},
		"null":          {"null is not 0", `{"data":[` + ok + `,{"index":1,"embedding":[null,2,3,4,5,6,7,8]}]}`, "vector 1 of the reply: holds null"},
		"words":         {"no numbers", `{"data":[` + ok + `,{"index":1,"embedding":["a"]}]}`, "is no list of numbers"},
		"zero":          {"it has no direction", `{"data":[` + ok + `,{"index":1,"embedding":[0,0,0,0,0,0,0,0]}]}`, "its length is 0"},
		"over":          {"its square is infinite", `{"data":[` + ok + `,{"index":1,"embedding":[1e200,1,1,1,1,1,1,1]}]}`, "its length is +Inf"},
		"base64 nan":    {"bytes can be no number", `{"data":[` + ok + `,{"index":1,"embedding":"AADAfwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}]}`, "component 0 is NaN"},
		"base64 odd":    {"not whole numbers", `{"data":[` + ok + `,{"index":1,"embedding":"AAA="}]}`, "has 2 bytes"},
		"base64 broken": {"no base64", `{"data":[` + ok + `,{"index":1,"embedding":"?"}]}`, "neither numbers nor base64"},
		"endless":       {"a reply is read within bounds", `{"data":"` + strings.Repeat("a", 1<<21) + `"}`, "the reply is over"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.play = func(_ int, _ asking, w http.ResponseWriter) bool { return write(w, c.body) }
			client, _ := s.client(t, nil)
			got, err := client.Documents().Embed(t.Context(), texts(2))
			if err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
				t.Errorf("%s: want %q, got %v, %v", c.reason, c.want, got, err)
			}
		})
	}
}

func TestEmptyText(t *testing.T) {
	s := serve(t)
	client, _ := s.client(t, nil)
	if _, err := client.Documents().Embed(t.Context(), []string{"a", ""}); err == nil || !strings.Contains(err.Error(), "text 1 is empty") {
		t.Errorf("got %v", err)
	}
	if len(s.requests()) > 0 {
		t.Error("it was sent all the same")
	}
}
