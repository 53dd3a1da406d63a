// Package serve answers questions over HTTP.
//
// What enters is a bearer token and a question; what leaves is an answer with
// its status and citations, and for those who may see it the trace. Who asks is
// decided by the token alone: no request body can name a tenant or a group. A
// request is refused before anything is searched unless access reviews allow
// it, and the answer comes clean to whoever may not read traces.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// User is who a token belongs to.
type User struct {
	Name   string
	UID    string
	Groups []string
	Extra  map[string][]string
}

// Authenticator tells who a bearer token belongs to; ErrUnauthenticated when
// nobody.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (User, error)
}

// ErrUnauthenticated is the answer to a token that belongs to nobody.
var ErrUnauthenticated = errors.New("the token is not valid")

// Action is what an access review is about, always on a corpus of the API group.
type Action struct {
	Verb, Subresource string
	Namespace, Name   string
}

// Authorizer decides whether a user may.
type Authorizer interface {
	Allowed(ctx context.Context, u User, a Action) (bool, error)
}

// Asker answers by one verified revision.
type Asker interface {
	Ask(ctx context.Context, q rag.Question) (rag.Answer, *flow.Trace, error)
	// Context returns a kept prompt context if the identity may still see all of it
	// now, else assembly.ErrNoContext.
	Context(ctx context.Context, hash string, id rag.Identity, now time.Time) (rag.PromptContext, error)
	// Replay generates an answer from a context again.
	Replay(ctx context.Context, c rag.PromptContext) (rag.Answer, error)
}

// Handoffs keeps the questions that were handed to people, by the UID of their
// corpus.
type Handoffs interface {
	Record(corpus string, a handoff.Asked) (handoff.Recorded, error)
	List(corpus string, since time.Time) (handoff.Listing, error)
	// Remove takes one off the list; handoff.ErrNone where there is none.
	Remove(corpus, id string) (handoff.Handoff, error)
}

// Corpus is one that is being served, or not.
type Corpus struct {
	UID      string // under which hand-offs are kept
	Asker    Asker  // nil when nothing serves
	Revision int64
	Reason   string                                                  // why nothing serves
	Tenant   func(groups []string, namespace string) (string, error) // the access rules, live
	Claims   []string                                                // that its eligibility reads
}

// Corpora looks a corpus up.
type Corpora interface {
	Lookup(namespace, name string) (Corpus, bool)
}

// Options assemble a server.
type Options struct {
	Corpora       Corpora
	Authenticator Authenticator
	Authorizer    Authorizer
	Handoffs      Handoffs // nil = in memory, gone with the process
	Registry      Registry // of metrics
	Log           *slog.Logger
	Now           func() time.Time
	Ready         func() error // nil error when questions can be answered
}

// Registry takes metrics and gives them out.
type Registry interface {
	prometheus.Registerer
	prometheus.Gatherer
}

// server holds what the handlers need.
type server struct {
	Options
	metrics *metrics
}

// New returns the handler of the whole surface.
func New(o Options) http.Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Registry == nil {
		o.Registry = prometheus.NewRegistry()
	}
	if o.Handoffs == nil {
		o.Handoffs = handoff.Open("")
	}
	s := &server{Options: o, metrics: newMetrics(o.Registry)}
	r := chi.NewRouter()
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "NoSuchPath", "nothing is at "+r.URL.Path+"; /openapi.json has every path")
	})
	r.MethodNotAllowed(notAllowed(r))
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	r.Get("/readyz", s.ready)
	r.Handle("/metrics", promhttp.HandlerFor(o.Registry, promhttp.HandlerOpts{}))
	r.Get("/openapi.json", openAPI)
	r.Route("/v1/corpora/{namespace}/{name}", func(r chi.Router) {
		r.Post("/query", s.query)
		r.Get("/answers/{hash}", s.context)
		r.Post("/answers/{hash}/replay", s.replay)
		r.Get("/handoffs", s.handoffs)
		r.Delete("/handoffs/{id}", s.settled)
	})
	return r
}

// notAllowed names the methods that a path takes.
func notAllowed(routes chi.Routes) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var takes []string
		for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			if routes.Match(chi.NewRouteContext(), m, r.URL.Path) {
				takes = append(takes, m)
			}
		}
		w.Header().Set("Allow", strings.Join(takes, ", "))
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", r.URL.Path+" takes "+strings.Join(takes, " and ")+", not "+r.Method)
	}
}

func (s *server) ready(w http.ResponseWriter, _ *http.Request) {
	if s.Ready != nil {
		if err := s.Ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
	}
	_, _ = w.Write([]byte("ok\n"))
}

// problem is an error as clients get it.
type problem struct {
	Code    string `json:"code"` // CamelCase
	Message string `json:"message"`
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client has gone; there is nobody to tell
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	write(w, status, map[string]problem{"error": {code, message}})
}
