package remote

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBatchesInOrder(t *testing.T) {
	cases := map[string]struct {
		reason        string
		base64        bool
		texts, tokens int // bounds of a batch
		batches       []int
	}{
		"floats":    {"as most servers answer", false, 4, 0, []int{4, 4, 2}},
		"base64":    {"a server may choose it", true, 4, 0, []int{4, 4, 2}},
		"one":       {"all fit", false, 0, 0, []int{10}},
		"tokens":    {"a batch ends where its tokens would be too many", false, 0, 3 * 36, []int{3, 3, 3, 1}},
		"too small": {"a bound below one text sends them one by one", false, 0, 1, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.base64 = c.base64
			client, _ := s.client(t, func(o *Options) { o.BatchTexts, o.BatchTokens = c.texts, c.tokens })
			in := texts(10)
			got, err := client.Documents().Embed(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(in) {
				t.Fatalf("%d vectors of %d texts", len(got), len(in))
			}
			for i := range in {
				if !near(got[i], in[i]) {
					t.Errorf("vector %d is another text's, or not of length 1: %v", i, got[i])
				}
			}
			var batches []int
			for _, a := range s.requests() {
				batches = append(batches, len(a.Input))
			}
			if d := cmp.Diff(c.batches, batches); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(Usage{Requests: int64(len(c.batches)), Texts: 10, Tokens: 60}, client.Usage()); d != "" {
				t.Errorf("usage (-want +got):\n%s", d)
			}
		})
	}
}

func TestWire(t *testing.T) {
	s := serve(t)
	client, _ := s.client(t, nil)
	if vs, err := client.Queries().Embed(t.Context(), nil); err != nil || len(vs) != 0 || len(s.requests()) != 0 {
		t.Errorf("no texts: %v, %v, %d requests", vs, err, len(s.requests()))
	}
	if _, err := client.Queries().Embed(t.Context(), []string{"payment terms"}); err != nil {
		t.Fatal(err)
	}
	want := []asking{{Path: "POST /v1/embeddings", Authorization: "Bearer " + key, Model: "minnow", Input: []string{"payment terms"}, Dimensions: dimensions}}
	if d := cmp.Diff(want, s.requests()); d != "" {
		t.Errorf("request (-want +got):\n%s", d)
	}
}

func TestInputTypes(t *testing.T) {
	s := serve(t)
	client, _ := s.client(t, func(o *Options) { o.QueryInputType, o.DocumentInputType = "query", "document" })
	question, err := client.Queries().Embed(t.Context(), []string{"detention"})
	if err != nil {
		t.Fatal(err)
	}
	document, err := client.Documents().Embed(t.Context(), []string{"detention"})
	if err != nil {
		t.Fatal(err)
	}
	if !near(question[0], "querydetention") || !near(document[0], "documentdetention") {
		t.Error("a question and a document must be embedded under their own input types")
	}
	if client.Queries().SHA256() != client.Documents().SHA256() || client.Queries().Identity() == client.Documents().Identity() {
		t.Error("both lie in one space, and are not the same vector of a text")
	}
}

// Voyage names the length output_dimension and refuses dimensions; models of one
// length refuse both; some servers ignore what they don't know.
func TestSizeIsAgreed(t *testing.T) {
	refuseField := func(names ...string) func(int, asking, http.ResponseWriter) bool {
		return func(_ int, a asking, w http.ResponseWriter) bool {
			for _, n := range names {
				if n == "dimensions" && a.Dimensions > 0 || n == "output_dimension" && a.Output > 0 {
					w.WriteHeader(http.StatusBadRequest)
					return write(w, `{"detail":"Argument '`+n+`' is not supported by our API"}`)
				}
			}
			return false
		}
	}
	cases := map[string]struct {
		reason string
		voyage bool
		play   func(int, asking, http.ResponseWriter) bool
		fields []string
	}{
		"openai":     {"the field is taken", false, nil, []string{"dimensions", "dimensions"}},
		"voyage":     {"input types are Voyage's, so its field is tried first", true, refuseField("dimensions"), []string{"output_dimension", "output_dimension"}},
		"unforeseen": {"the other name is found once and kept", false, refuseField("dimensions"), []string{"dimensions", "output_dimension", "output_dimension"}},
		"one length": {"a model of one length is asked without", false, refuseField("dimensions", "output_dimension"), []string{"dimensions", "output_dimension", "", ""}},
		"ignored": {"a field that is ignored shows in the length", false, func(_ int, a asking, w http.ResponseWriter) bool {
			if a.Dimensions > 0 {
				return write(w, `{"data":[{"index":0,"embedding":[1,0,0]}]}`)
			}
			return false
		}, []string{"dimensions", "output_dimension", "output_dimension"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.play = c.play
			client, _ := s.client(t, func(o *Options) {
				if c.voyage {
					o.QueryInputType = "query"
				}
			})
			for range 2 {
				if _, err := client.Documents().Embed(t.Context(), []string{"a"}); err != nil {
					t.Fatal(err)
				}
			}
			var fields []string
			for _, a := range s.requests() {
				fields = append(fields, map[bool]string{a.Dimensions > 0: "dimensions", a.Output > 0: "output_dimension"}[true])
			}
			if d := cmp.Diff(c.fields, fields); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestTooLong(t *testing.T) {
	long := "the very long clause " + strings.Repeat("and so on ", 20)
	openai := func(a asking, w http.ResponseWriter) bool {
		for _, text := range a.Input {
			if text == long {
				return refuse(w, 400, "This model's maximum context length is 40 tokens, however you requested 64 tokens. Please reduce your prompt.")
			}
		}
		return false
	}
	cases := map[string]struct {
		reason   string
		window   int
		play     func(asking, http.ResponseWriter) bool
		requests int
		message  string
	}{
		"here":   {"over the window nothing is sent", 100, openai, 0, ""},
		"server": {"the batch is halved until the text is found: 8, its first 4, its last 4, 2 of them, 1", 0, openai, 5, "maximum context length is 40 tokens"},
		"by status": {"413 needs no words", 0, func(a asking, w http.ResponseWriter) bool {
			return strings.Contains(strings.Join(a.Input, ""), long) && refuse(w, 413, "payload")
		}, 5, "payload"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.play = func(_ int, a asking, w http.ResponseWriter) bool { return c.play(a, w) }
			client, _ := s.client(t, func(o *Options) { o.Window = c.window })
			in := texts(8)
			in[4] = long
			_, err := client.Documents().Embed(t.Context(), in)
			var tooLong *TooLongError
			if !errors.As(err, &tooLong) || tooLong.Index != 4 || tooLong.FailureReason() != "TextTooLong" {
				t.Fatalf("want a TooLongError of text 4, got %v", err)
			}
			if !strings.Contains(tooLong.Message, c.message) || tooLong.Tokens != len(long)+2 {
				t.Errorf("got %+v", tooLong)
			}
			if n := len(s.requests()); n != c.requests {
				t.Errorf("%s: %d requests, want %d", c.reason, n, c.requests)
			}
		})
	}
}

func TestServersBatchLimit(t *testing.T) {
	s := serve(t)
	s.play = func(_ int, a asking, w http.ResponseWriter) bool {
		return len(a.Input) > 3 && refuse(w, 422, "batch size 8 > maximum allowed batch size 3")
	}
	client, _ := s.client(t, nil)
	in := texts(8)
	got, err := client.Documents().Embed(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for i := range in {
		if !near(got[i], in[i]) {
			t.Errorf("vector %d is another text's", i)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	s := serve(t)
	client, _ := s.client(t, func(o *Options) { o.BatchTexts, o.QueryInputType = 3, "query" })
	q, err := NewQuestions(client.Queries(), Remembered{Dir: t.TempDir(), Memory: 4})
	if err != nil {
		t.Fatal(err)
	}
	in := texts(9)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			embed := q.Embed
			if g%2 == 0 {
				embed = q.Golden().Embed
			}
			for range 10 {
				got, err := embed(t.Context(), in)
				if err != nil {
					t.Error(err)
					return
				}
				for i := range in {
					if !near(got[i], "query"+in[i]) {
						t.Errorf("vector %d is another text's", i)
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestSlowServer(t *testing.T) {
	s := serve(t)
	release := make(chan struct{})
	s.play = func(int, asking, http.ResponseWriter) bool { <-release; return false }
	client, _ := s.client(t, func(o *Options) { o.Timeout = 50 * time.Millisecond })
	_, err := client.Documents().Embed(t.Context(), []string{"a"})
	if err == nil || !strings.Contains(err.Error(), "no answer within 50ms") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Documents().Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was given up ends with %v", err)
	}
	close(release)
	if n := len(s.requests()); n != 1 {
		t.Errorf("a slow server was asked %d times", n)
	}
}

func TestNewRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*Options)
		want   string
	}{
		"no model":      {"which?", func(o *Options) { o.Model = " " }, "Model is empty"},
		"no dimensions": {"vectors of unknown length can't be stored", func(o *Options) { o.Dimensions = 0 }, "Dimensions is 0"},
		"negative":      {"no bound", func(o *Options) { o.BatchTexts = -1 }, "BatchTexts is -1"},
		"no time":       {"no time", func(o *Options) { o.Timeout = -1 }, "Timeout"},
		"no scheme":     {"how?", func(o *Options) { o.BaseURL = "api.example.com/v1" }, "https://host/v1"},
		"whole path":    {"it would be asked for twice", func(o *Options) { o.BaseURL = "https://api.example.com/v1/embeddings" }, "leave that out"},
		"query":         {"keys hide there", func(o *Options) { o.BaseURL = "https://api.example.com/v1?key=secret" }, "query"},
		"password":      {"it would show in messages", func(o *Options) { o.BaseURL = "https://u:secret@api.example.com/v1" }, "set APIKey instead"},
		"broken key":    {"two lines are no header", func(o *Options) { o.APIKey = "secret\nsecret" }, "APIKey holds"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := Options{BaseURL: "https://api.example.com/v1", Model: "m", Dimensions: 8, APIKey: "k"}
			c.change(&o)
			_, err := New(o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v", c.reason, err)
			}
			if name != "query" && err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	base := Options{BaseURL: "https://API.example.com/v1/", Model: "m", Dimensions: 8, DocumentInputType: "document", QueryInputType: "query"}
	id := func(change func(*Options)) string {
		o := base
		if change != nil {
			change(&o)
		}
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		return c.Documents().SHA256()
	}
	same := id(nil)
	for name, c := range map[string]struct {
		reason string
		change func(*Options)
		same   bool
	}{
		"spelling":      {"one address", func(o *Options) { o.BaseURL = "https://api.example.com/v1" }, true},
		"scheme":        {"the same server, encrypted or not", func(o *Options) { o.BaseURL = "http://api.example.com/v1" }, true},
		"key":           {"who pays doesn't matter", func(o *Options) { o.APIKey = "k" }, true},
		"query type":    {"stored vectors don't depend on it", func(o *Options) { o.QueryInputType = "" }, true},
		"server":        {"the same name may be another model elsewhere", func(o *Options) { o.BaseURL = "https://other.example.com/v1" }, false},
		"path":          {"behind a gateway too", func(o *Options) { o.BaseURL = "https://api.example.com/b/v1" }, false},
		"model":         {"another model", func(o *Options) { o.Model = "n" }, false},
		"dimensions":    {"another length", func(o *Options) { o.Dimensions = 4 }, false},
		"document type": {"another prefix", func(o *Options) { o.DocumentInputType = "passage" }, false},
	} {
		if got := id(c.change) == same; got != c.same {
			t.Errorf("%s: same space: %v, want %v (%s)", name, got, c.same, c.reason)
		}
	}
}
