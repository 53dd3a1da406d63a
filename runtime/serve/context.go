package serve

import (
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// sight is a kept prompt context before a caller who may see it now.
type sight struct {
	caller
	corpus Corpus
	prompt rag.PromptContext
}

func (s *server) context(w http.ResponseWriter, r *http.Request) {
	if k, ok := s.kept(w, r); ok {
		p := k.prompt
		write(w, http.StatusOK, map[string]any{"contextHash": p.Hash, "text": p.Text, "question": p.Question.Text, "asOf": p.Question.AsOf.Format(time.RFC3339)})
	}
}

func (s *server) replay(w http.ResponseWriter, r *http.Request) {
	k, ok := s.kept(w, r)
	if !ok {
		return
	}
	answer, err := k.corpus.Asker.Replay(r.Context(), k.prompt)
	var unasked *assembly.GeneratorError
	if errors.As(err, &unasked) { // the holding reply says so in a flag
		s.metrics.unasked(k.caller, string(unasked.Failed.Cause))
		err = nil
	}
	if err != nil {
		s.Log.Error("replay", "context", k.prompt.Hash, "error", err)
		refuse(w, http.StatusBadGateway, "PipelineFailed", "the context could not be answered again; try again")
		return
	}
	s.metrics.used(k.caller, answer.Usage)
	write(w, http.StatusOK, respond(answer, k.corpus.Revision, k.prompt.Question.Mode))
}

// kept reads a kept context for a caller who may see it now. It has answered the
// request when ok is false.
func (s *server) kept(w http.ResponseWriter, r *http.Request) (k sight, ok bool) {
	if k.caller, ok = s.enter(w, r, "get", subTrace); !ok {
		return k, false
	}
	if k.corpus, ok = s.serving(w, k.caller); !ok {
		return k, false
	}
	id, err := identity(k.caller, k.corpus)
	if err != nil {
		refuse(w, http.StatusForbidden, "NoTenant", err.Error())
		return k, false
	}
	k.prompt, err = k.corpus.Asker.Context(r.Context(), chi.URLParam(r, "hash"), id, s.Now())
	switch {
	case errors.Is(err, assembly.ErrNoContext):
		refuse(w, http.StatusNotFound, "NoContext", "no context of that hash is kept here, or not all of it may be seen by you now")
		return k, false
	case err != nil:
		s.Log.Error("read context", "error", err)
		refuse(w, http.StatusServiceUnavailable, "StoreUnavailable", "the context could not be read; try again")
		return k, false
	}
	return k, true
}
