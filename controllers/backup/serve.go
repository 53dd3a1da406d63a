package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	authzv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	authzclient "k8s.io/client-go/kubernetes/typed/authorization/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/archive"
	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// MediaType of an archive.
const MediaType = "application/vnd.hardgate.archive"

// Handler answers
//
//	GET  /v1/collections/{namespace}/{name}/backup   verb get on collections/backup
//	POST /v1/collections/{namespace}/{name}/restore  verb create on collections/restore
//
// and leaves everything else to Next. An archive holds every passage of a
// Collection whoever may see it, so that these rights are wider than asking.
type Handler struct {
	Keeper        *Keeper
	Authenticator serve.Authenticator
	Reviews       authzclient.SubjectAccessReviewInterface
	Log           *slog.Logger
	Next          http.Handler
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest, ok := strings.CutPrefix(r.URL.Path, "/v1/collections/")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) != 3 || (parts[2] != "backup" && parts[2] != "restore") {
		h.Next.ServeHTTP(w, r)
		return
	}
	name, sub := types.NamespacedName{Namespace: parts[0], Name: parts[1]}, parts[2]
	method, verb, do := http.MethodGet, "get", h.backup
	if sub == "restore" {
		method, verb, do = http.MethodPost, "create", h.restore
	}
	if r.Method != method {
		w.Header().Set("Allow", method)
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", sub+" is asked for by "+method)
		return
	}
	if !h.enter(w, r, name, verb, sub) {
		return
	}
	// An archive takes longer than a question: neither direction has a deadline.
	c := http.NewResponseController(w)
	if err := errors.Join(c.SetReadDeadline(time.Time{}), c.SetWriteDeadline(time.Time{})); err != nil {
		h.Log.Error("lift the deadlines", "error", err)
	}
	do(w, r, name)
}

// enter authenticates and authorizes; it has answered where it returns false.
func (h *Handler) enter(w http.ResponseWriter, r *http.Request, name types.NamespacedName, verb, sub string) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "Unauthenticated", "send a bearer token in the Authorization header")
		return false
	}
	user, err := h.Authenticator.Authenticate(r.Context(), token)
	if errors.Is(err, serve.ErrUnauthenticated) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "Unauthenticated", "the token is not valid, has expired, or is not meant for this server")
		return false
	}
	allowed := false
	if err == nil {
		allowed, err = h.allowed(r.Context(), user, name, verb, sub)
	}
	switch {
	case err != nil:
		h.Log.Error("review access", "error", err)
		refuse(w, http.StatusServiceUnavailable, "ReviewUnavailable", "access could not be reviewed; try again")
	case !allowed:
		refuse(w, http.StatusForbidden, "Forbidden", fmt.Sprintf("%s needs the verb %s on collections/%s named %s in namespace %s", user.Name, verb, sub, name.Name, name.Namespace))
	}
	return allowed && err == nil
}

func (h *Handler) allowed(ctx context.Context, u serve.User, name types.NamespacedName, verb, sub string) (bool, error) {
	extra := make(map[string]authzv1.ExtraValue, len(u.Extra))
	for k, v := range u.Extra {
		extra[k] = v
	}
	review, err := h.Reviews.Create(ctx, &authzv1.SubjectAccessReview{Spec: authzv1.SubjectAccessReviewSpec{
		User: u.Name, UID: u.UID, Groups: u.Groups, Extra: extra,
		ResourceAttributes: &authzv1.ResourceAttributes{Namespace: name.Namespace, Name: name.Name, Verb: verb, Group: v1alpha1.Group, Resource: "collections", Subresource: sub},
	}}, metav1.CreateOptions{})
	if err != nil {
		return false, fmt.Errorf("access review: %w", err)
	}
	return review.Status.Allowed, nil
}

func (h *Handler) backup(w http.ResponseWriter, r *http.Request, name types.NamespacedName) {
	x, err := h.Keeper.Prepare(r.Context(), name)
	if err != nil {
		h.answer(w, name, err)
		return
	}
	w.Header().Set("Content-Type", MediaType)
	w.Header().Set("Cache-Control", "no-store")
	if err := x.Write(r.Context(), w); err != nil {
		h.Log.Error("backup", "collection", name.String(), "error", err) // the archive says so too
	}
}

func (h *Handler) restore(w http.ResponseWriter, r *http.Request, name types.NamespacedName) {
	done, err := h.Keeper.Restore(r.Context(), name, r.Body)
	if err != nil {
		h.answer(w, name, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(done) // it is done, whether or not somebody hears of it
}

// answer tells what a request came to.
func (h *Handler) answer(w http.ResponseWriter, name types.NamespacedName, err error) {
	var refusal *Refusal
	var failed *archive.FailedError
	switch {
	case errors.Is(err, ErrNotFound):
		refuse(w, http.StatusNotFound, "NotFound", fmt.Sprintf("there is no Collection %q in namespace %q", name.Name, name.Namespace))
	case errors.As(err, &refusal):
		refuse(w, http.StatusConflict, "Refused", err.Error())
	case errors.Is(err, archive.ErrForeign), errors.Is(err, archive.ErrTruncated), errors.Is(err, archive.ErrDamaged), errors.As(err, &failed):
		refuse(w, http.StatusUnprocessableEntity, "BadArchive", err.Error()+"; nothing was restored")
	default:
		h.Log.Error("backup or restore", "collection", name.String(), "error", err)
		refuse(w, http.StatusBadGateway, "Failed", err.Error())
	}
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"code": code, "message": message}}) // the client may have gone
}
