package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// asker asks a corpus over HTTP with a ServiceAccount's token.
type asker struct{ url, token string }

// reply is what came back.
type reply struct {
	status int
	serve.Response
	Error struct{ Code, Message string } `json:"error"`
}

// post sends a body as it is.
func (a asker) post(t *testing.T, body string) reply {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, a.url, bytes.NewBufferString(body)) // its reply is awaited even while the test ends
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return reply{}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
		return reply{}
	}
	r := reply{status: resp.StatusCode}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Errorf("HTTP %d: %s: %v", resp.StatusCode, data, err)
	}
	return r
}

func (a asker) ask(t *testing.T, question string) reply {
	t.Helper()
	return a.post(t, fmt.Sprintf(`{"question": %q}`, question))
}

// twelve reports whether the headcount was answered rightly.
func (r reply) twelve() bool {
	return r.status == http.StatusOK && r.Status == rag.Answered && strings.Contains(r.Answer, "12 employees")
}

// wrong reports an answer that was given and isn't the right one.
func (r reply) wrong() bool {
	return r.status == http.StatusOK && r.Status == rag.Answered && !r.twelve()
}

func (r reply) String() string {
	if r.Error.Code != "" {
		return fmt.Sprintf("HTTP %d %s: %s", r.status, r.Error.Code, r.Error.Message)
	}
	return fmt.Sprintf("HTTP %d %s %q (revision %d)", r.status, r.Status, r.Answer, r.Revision)
}

// askEvery is the pause between two questions of crowd.
const askEvery = 200 * time.Millisecond

// crowd asks for the headcount again and again until the function that it
// returns is called, which returns every reply.
func (a asker) crowd(t *testing.T) (end func() []reply) {
	t.Helper()
	var wg sync.WaitGroup
	var replies []reply
	over := make(chan struct{})
	wg.Go(func() {
		for {
			replies = append(replies, a.ask(t, headcount))
			select {
			case <-over:
				return
			case <-time.After(askEvery):
			}
		}
	})
	var once sync.Once
	end = func() []reply {
		once.Do(func() { close(over) })
		wg.Wait()
		return replies
	}
	t.Cleanup(func() { end() })
	return end
}

// expectNoneWrong fails on an answer that was given and is not twelve, and where
// all have to be answered on one that was not.
func expectNoneWrong(t *testing.T, reason string, replies []reply, all bool) {
	t.Helper()
	right := 0
	for _, r := range replies {
		switch {
		case r.twelve():
			right++
		case r.wrong() || all:
			t.Errorf("%s: meanwhile %s", reason, r)
		}
	}
	if all && right == 0 {
		t.Errorf("%s: none of %d questions was answered", reason, len(replies))
	}
}
