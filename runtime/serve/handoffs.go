package serve

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// asked is a question of a tenant with its answer.
type asked struct {
	question rag.Question
	dated    bool // it names an instant
	answer   rag.Answer
	trace    *flow.Trace
}

// handOff records that a question was handed to people. What can't be recorded
// is answered all the same; it is logged and counted.
func (s *server) handOff(c caller, corpus Corpus, a asked) {
	if a.answer.Status == rag.Answered {
		return
	}
	done, err := s.Handoffs.Record(corpus.UID, handoff.Asked{
		Question: a.question, Dated: a.dated, Answer: a.answer, Documents: found(a.trace), Claims: claims(corpus), Revision: corpus.Revision, At: s.Now(),
	})
	if err != nil {
		s.metrics.unrecorded(c)
		s.Log.Error("record hand-off", "corpus", c.namespace+"/"+c.name, "error", err)
	}
	if done.Dropped > 0 {
		s.metrics.dropped(c, done.Dropped)
		s.Log.Warn("the oldest hand-offs were dropped", "corpus", c.namespace+"/"+c.name, "dropped", done.Dropped, "kept", handoff.Most)
	}
}

// found are the documents whose passages were retrieved, best first.
func found(t *flow.Trace) []string {
	var out []string
	for _, step := range []string{flow.Gather, flow.Retrieve} {
		if r, ok := flow.Output[rag.Retrieved](t, step); ok {
			for _, h := range r.Hits {
				out = append(out, h.Document)
			}
		}
	}
	return out
}

// claims are those that eligibility reads, beside tenant and groups.
func claims(corpus Corpus) []string {
	var out []string
	for _, c := range corpus.Claims {
		if c != "tenant" && c != "groups" {
			out = append(out, c)
		}
	}
	return out
}

// Handed is a page of hand-offs.
type Handed struct {
	Handoffs   []handoff.Handoff `json:"handoffs"`   // newest first
	Total      int               `json:"total"`      // those that match, of which the page may have fewer
	Unreadable int               `json:"unreadable"` // kept, but damaged and left out
}

// pageSize is how many hand-offs are listed where the client doesn't say.
const pageSize = 100

// handoffs lists what was handed to people. Whether the corpus serves is no
// matter.
func (s *server) handoffs(w http.ResponseWriter, r *http.Request) {
	c, ok := s.enter(w, r, "list", subHandoffs)
	if !ok {
		return
	}
	since, limit, err := page(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	corpus, ok := s.known(w, c)
	if !ok {
		return
	}
	l, err := s.Handoffs.List(corpus.UID, since)
	if err != nil {
		s.lost(w, c, err)
		return
	}
	out := Handed{Handoffs: l.Handoffs, Total: len(l.Handoffs), Unreadable: l.Unreadable}
	if len(out.Handoffs) > limit {
		out.Handoffs = out.Handoffs[:limit]
	}
	write(w, http.StatusOK, out)
}

// page reads ?since=&limit=. What it doesn't know it refuses: a misspelt since
// would pass for none.
func page(r *http.Request) (since time.Time, limit int, err error) {
	limit = pageSize
	for name, values := range r.URL.Query() {
		value := values[len(values)-1]
		switch {
		case len(values) > 1:
			err = errors.New(name + ": stands twice")
		case name == "since":
			if since, err = settings.ParseInstant(value); err != nil {
				err = fmt.Errorf("since: %w", err)
			}
		case name == "limit":
			if limit, err = strconv.Atoi(value); err != nil || limit < 1 || limit > handoff.Most {
				err = fmt.Errorf("limit: %q is not from 1 to %d", value, handoff.Most)
			}
		default:
			err = fmt.Errorf("%q is none of since and limit", name)
		}
		if err != nil {
			return since, limit, err
		}
	}
	return since, limit, nil
}

// settled takes a hand-off that somebody has dealt with off the list.
func (s *server) settled(w http.ResponseWriter, r *http.Request) {
	c, ok := s.enter(w, r, "delete", subHandoffs)
	if !ok {
		return
	}
	corpus, ok := s.known(w, c)
	if !ok {
		return
	}
	h, err := s.Handoffs.Remove(corpus.UID, chi.URLParam(r, "id"))
	switch {
	case errors.Is(err, handoff.ErrNone):
		refuse(w, http.StatusNotFound, "NoHandoff", "no hand-off of that id is listed here")
	case err != nil:
		s.lost(w, c, err)
	default:
		write(w, http.StatusOK, h)
	}
}

func (s *server) lost(w http.ResponseWriter, c caller, err error) {
	s.Log.Error("hand-offs", "corpus", c.namespace+"/"+c.name, "error", err)
	refuse(w, http.StatusServiceUnavailable, "HandoffsUnavailable", "the hand-offs could not be read or written; try again")
}
