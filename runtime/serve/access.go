package serve

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
)

// Subresources of corpora that access reviews are about.
const (
	subQuery    = "query"    // create: ask
	subTrace    = "trace"    // get: see the trace, kept contexts, and choose a mode
	subAsOf     = "asof"     // create: ask as of a later day than today
	subHandoffs = "handoffs" // list, delete: see and settle what was handed to people, of every tenant
)

// caller is an authenticated user at a corpus it may ask.
type caller struct {
	User
	namespace, name string
}

// enter authenticates and checks that the caller may do the first action. It
// has answered the request when ok is false.
func (s *server) enter(w http.ResponseWriter, r *http.Request, verb, sub string) (c caller, ok bool) {
	c.namespace, c.name = chi.URLParam(r, "namespace"), chi.URLParam(r, "name")
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "Unauthenticated", "send a bearer token in the Authorization header")
		return c, false
	}
	user, err := s.Authenticator.Authenticate(r.Context(), token)
	switch {
	case errors.Is(err, ErrUnauthenticated):
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "Unauthenticated", "the token is not valid, has expired, or is not meant for this server")
		return c, false
	case err != nil:
		s.Log.Error("token review", "error", err)
		refuse(w, http.StatusServiceUnavailable, "AuthenticationUnavailable", "the token could not be reviewed; try again")
		return c, false
	}
	c.User = user
	return c, s.require(w, r, c, verb, sub)
}

// require answers the request with a refusal unless the action is allowed.
func (s *server) require(w http.ResponseWriter, r *http.Request, c caller, verb, sub string) bool {
	allowed, err := s.may(r, c, verb, sub)
	if err != nil {
		s.Log.Error("access review", "error", err)
		refuse(w, http.StatusServiceUnavailable, "AuthorizationUnavailable", "the access review did not come about; try again")
		return false
	}
	if !allowed {
		refuse(w, http.StatusForbidden, "Forbidden", c.Name+" needs the verb "+verb+" on corpora/"+sub+" named "+c.name+" in namespace "+c.namespace)
	}
	return allowed
}

func (s *server) may(r *http.Request, c caller, verb, sub string) (bool, error) {
	return s.Authorizer.Allowed(r.Context(), c.User, Action{Verb: verb, Subresource: sub, Namespace: c.namespace, Name: c.name})
}
