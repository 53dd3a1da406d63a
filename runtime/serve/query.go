package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// maxBody bounds a request; a question over the encoder's window of 256
// wordpieces is refused anyway.
const maxBody = 64 << 10

// Request is what a client asks.
type Request struct {
	Question string `json:"question"`
	AsOf     string `json:"asOf,omitempty"` // RFC 3339 or YYYY-MM-DD; default now
	Mode     string `json:"mode,omitempty"` // needs corpora/trace, and makes the answer unverified
}

// Response is what it gets. Pipeline is there only for callers who may read
// traces.
type Response struct {
	Answer      string         `json:"answer"`
	Status      rag.Status     `json:"status"`
	Citations   []rag.Citation `json:"citations"`
	Degraded    []rag.Flag     `json:"degraded"`
	ContextHash string         `json:"contextHash,omitempty"`
	Revision    int64          `json:"revision"`
	Unverified  bool           `json:"unverified,omitempty"` // asked in another mode than the gate verified
	Pipeline    *flow.Pipeline `json:"pipeline,omitempty"`
}

var modes = []rag.Mode{rag.None, rag.Lexical, rag.Dense, rag.Hybrid, rag.FullContext}

func (s *server) query(w http.ResponseWriter, r *http.Request) {
	start := s.Now()
	c, ok := s.enter(w, r, "create", subQuery)
	if !ok {
		return
	}
	trace, err := s.may(r, c, "get", subTrace)
	if err != nil {
		s.Log.Error("access review", "error", err)
		refuse(w, http.StatusServiceUnavailable, "AuthorizationUnavailable", "the access review did not come about; try again")
		return
	}
	q, bad := s.question(w, r)
	if bad != "" {
		refuse(w, http.StatusBadRequest, "BadRequest", bad)
		return
	}
	if q.Mode != "" && !s.require(w, r, c, "get", subTrace) {
		return
	}
	if q.AsOf.After(s.Now()) && !s.require(w, r, c, "create", subAsOf) {
		return
	}
	corpus, ok := s.serving(w, c)
	if !ok {
		return
	}
	if q.Identity, err = identity(c, corpus); err != nil {
		refuse(w, http.StatusForbidden, "NoTenant", err.Error())
		return
	}
	answer, t, err := corpus.Asker.Ask(r.Context(), q)
	if err != nil {
		s.metrics.failed(c)
		s.Log.Error("ask", "corpus", c.namespace+"/"+c.name, "error", err)
		refuse(w, http.StatusBadGateway, "PipelineFailed", "the question could not be answered; it was not answered in part. Try again")
		return
	}
	s.metrics.answered(c, answer, s.Now().Sub(start))
	out := respond(answer, corpus.Revision, q.Mode)
	if trace {
		p := flow.Summarize(t)
		out.Pipeline = &p
	}
	write(w, http.StatusOK, out)
}

// respond is an answer as clients get it; mode is the one that was asked for, ""
// for the corpus' own.
func respond(a rag.Answer, revision int64, mode rag.Mode) Response {
	out := Response{Answer: a.Text, Status: a.Status, Citations: a.Citations, Degraded: a.Flags, ContextHash: a.ContextHash, Revision: revision, Unverified: mode != ""}
	if out.Citations == nil {
		out.Citations = []rag.Citation{}
	}
	if out.Degraded == nil {
		out.Degraded = []rag.Flag{}
	}
	return out
}

// question decodes the body; the string says what is wrong with it.
func (s *server) question(w http.ResponseWriter, r *http.Request) (rag.Question, string) {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	var in Request
	if err := d.Decode(&in); err != nil {
		if long := new(http.MaxBytesError); errors.As(err, &long) {
			return rag.Question{}, fmt.Sprintf("the body is over %d bytes", long.Limit)
		}
		return rag.Question{}, fmt.Sprintf("the body is not {question, asOf?, mode?}: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return rag.Question{}, "the body has more than one JSON value"
	}
	q := rag.Question{Text: strings.TrimSpace(in.Question), AsOf: s.Now(), Mode: rag.Mode(in.Mode)}
	if q.Text == "" {
		return q, "question: blank"
	}
	if in.Mode != "" && !slices.Contains(modes, q.Mode) {
		return q, fmt.Sprintf("mode: %q is none of %v", in.Mode, modes)
	}
	if in.AsOf != "" {
		at, err := settings.ParseInstant(in.AsOf)
		if err != nil {
			return q, "asOf: " + err.Error()
		}
		q.AsOf = at
	}
	return q, ""
}

// serving looks the corpus up. Only who may ask learns whether it exists.
func (s *server) serving(w http.ResponseWriter, c caller) (Corpus, bool) {
	corpus, found := s.Corpora.Lookup(c.namespace, c.name)
	if !found {
		refuse(w, http.StatusNotFound, "NotFound", fmt.Sprintf("no corpus %s/%s", c.namespace, c.name))
		return corpus, false
	}
	if corpus.Asker == nil {
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "NotServing", fmt.Sprintf("corpus %s/%s serves no verified revision: %s", c.namespace, c.name, corpus.Reason))
		return corpus, false
	}
	return corpus, true
}

// identity is what eligibility reads: groups and extra claims of the token, and
// the tenant that the corpus' access rules give those groups.
func identity(c caller, corpus Corpus) (rag.Identity, error) {
	id := rag.Identity{User: c.Name, Groups: c.Groups, Claims: map[string][]string{}}
	for k, v := range c.Extra {
		if k != "tenant" && k != "groups" {
			id.Claims[k] = v
		}
	}
	if corpus.Tenant == nil {
		return id, nil
	}
	tenant, err := corpus.Tenant(c.Groups, userNamespace(c.Name))
	id.Tenant = tenant
	return id, err
}

// userNamespace is the namespace of a ServiceAccount, "" for anyone else.
func userNamespace(user string) string {
	rest, ok := strings.CutPrefix(user, "system:serviceaccount:")
	ns, _, cut := strings.Cut(rest, ":")
	if !ok || !cut {
		return ""
	}
	return ns
}

func (s *server) context(w http.ResponseWriter, r *http.Request) {
	if c, _, ok := s.kept(w, r); ok {
		write(w, http.StatusOK, map[string]any{"contextHash": c.Hash, "text": c.Text, "question": c.Question.Text, "asOf": c.Question.AsOf.Format(time.RFC3339)})
	}
}

func (s *server) replay(w http.ResponseWriter, r *http.Request) {
	c, corpus, ok := s.kept(w, r)
	if !ok {
		return
	}
	answer, err := corpus.Asker.Replay(r.Context(), c)
	if err != nil {
		s.Log.Error("replay", "context", c.Hash, "error", err)
		refuse(w, http.StatusBadGateway, "PipelineFailed", "the context could not be answered again; try again")
		return
	}
	write(w, http.StatusOK, respond(answer, corpus.Revision, c.Question.Mode))
}

// kept reads a kept context for a caller who may see it now.
func (s *server) kept(w http.ResponseWriter, r *http.Request) (rag.PromptContext, Corpus, bool) {
	c, ok := s.enter(w, r, "get", subTrace)
	if !ok {
		return rag.PromptContext{}, Corpus{}, false
	}
	corpus, ok := s.serving(w, c)
	if !ok {
		return rag.PromptContext{}, corpus, false
	}
	id, err := identity(c, corpus)
	if err != nil {
		refuse(w, http.StatusForbidden, "NoTenant", err.Error())
		return rag.PromptContext{}, corpus, false
	}
	kept, err := corpus.Asker.Context(r.Context(), chi.URLParam(r, "hash"), id, s.Now())
	switch {
	case errors.Is(err, assembly.ErrNoContext):
		refuse(w, http.StatusNotFound, "NoContext", "no context of that hash is kept here, or not all of it may be seen by you now")
		return kept, corpus, false
	case err != nil:
		s.Log.Error("read context", "error", err)
		refuse(w, http.StatusServiceUnavailable, "StoreUnavailable", "the context could not be read; try again")
		return kept, corpus, false
	}
	return kept, corpus, true
}
