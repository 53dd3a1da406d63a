package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

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
	q, dated, bad := s.question(w, r)
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
	var unasked *assembly.GeneratorError
	if errors.As(err, &unasked) { // the holding reply says so in a flag
		s.metrics.unasked(c, string(unasked.Failed.Cause))
		s.Log.Error("ask the model", "corpus", c.namespace+"/"+c.name, "error", err)
		err = nil
	}
	if err != nil {
		step := failedAt(t)
		s.metrics.failed(c, step)
		s.Log.Error("ask", "corpus", c.namespace+"/"+c.name, "step", step, "error", err) // the asker must not learn what servers there are
		refuse(w, http.StatusBadGateway, "PipelineFailed", fmt.Sprintf("the question could not be answered, since the step %q failed; it was not answered in part. Try again", step))
		return
	}
	s.metrics.answered(c, answer, s.Now().Sub(start))
	s.handOff(c, corpus, asked{question: q, dated: dated, answer: answer, trace: t})
	out := respond(answer, corpus.Revision, q.Mode)
	if trace {
		p := flow.Summarize(t)
		out.Pipeline = &p
	}
	write(w, http.StatusOK, out)
}

// failedAt is the step of the flow that failed; "other" where none did.
func failedAt(t *flow.Trace) string {
	if t != nil {
		for _, r := range t.Records() {
			if r.Err != nil {
				return r.Step
			}
		}
	}
	return "other"
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

// question decodes the body; dated tells whether it names an instant, and bad
// what is wrong with it.
func (s *server) question(w http.ResponseWriter, r *http.Request) (q rag.Question, dated bool, bad string) {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	var in Request
	if err := d.Decode(&in); err != nil {
		if long := new(http.MaxBytesError); errors.As(err, &long) {
			return q, false, fmt.Sprintf("the body is over %d bytes", long.Limit)
		}
		return q, false, fmt.Sprintf("the body is not {question, asOf?, mode?}: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return q, false, "the body has more than one JSON value"
	}
	q = rag.Question{Text: strings.TrimSpace(in.Question), AsOf: s.Now(), Mode: rag.Mode(in.Mode)}
	if q.Text == "" {
		return q, false, "question: blank"
	}
	if in.Mode != "" && !slices.Contains(modes, q.Mode) {
		return q, false, fmt.Sprintf("mode: %q is none of %v", in.Mode, modes)
	}
	if in.AsOf != "" {
		at, err := settings.ParseInstant(in.AsOf)
		if err != nil {
			return q, false, "asOf: " + err.Error()
		}
		q.AsOf = at
	}
	return q, in.AsOf != "", ""
}

// known looks the corpus up. Only who may act on it learns whether it exists.
func (s *server) known(w http.ResponseWriter, c caller) (Corpus, bool) {
	corpus, found := s.Corpora.Lookup(c.namespace, c.name)
	if !found {
		refuse(w, http.StatusNotFound, "NotFound", fmt.Sprintf("no corpus %s/%s", c.namespace, c.name))
	}
	return corpus, found
}

// serving looks up a corpus that answers.
func (s *server) serving(w http.ResponseWriter, c caller) (Corpus, bool) {
	corpus, ok := s.known(w, c)
	if !ok {
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
