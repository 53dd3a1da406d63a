package plugin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	authnv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// tokenLife is how long a token that a command asks for is valid, in seconds: the
// least that the API server gives.
const tokenLife = 600

// token is what the manager knows the caller by: a ServiceAccount's where one is
// named, else the kubeconfig's own.
func (r *reach) token(ctx context.Context, cfg *rest.Config, namespace string) (string, error) {
	if account := settings.FirstNonBlank(r.account); account != "" {
		return r.borrowed(ctx, cfg, namespace, account)
	}
	if settings.FirstNonBlank(r.audience) != "" {
		return "", errors.New("--audience is for a ServiceAccount's token: name one by --as-service-account")
	}
	if cfg.Impersonate.UserName != "" {
		return "", errors.New("the kubeconfig impersonates somebody, which the manager can't see: name a ServiceAccount by --as-service-account")
	}
	token, err := own(ctx, cfg)
	if err != nil {
		return "", err
	}
	if token == "" {
		return "", errors.New("the kubeconfig has no bearer token (a client certificate says nothing to the manager): name a ServiceAccount that may ask by --as-service-account [NAMESPACE/]NAME")
	}
	return token, nil
}

// borrowed asks the API server for a token, which takes the right to create
// serviceaccounts/token.
func (r *reach) borrowed(ctx context.Context, cfg *rest.Config, namespace, account string) (string, error) {
	name := account
	if ns, rest, ok := strings.Cut(account, "/"); ok {
		namespace, name = ns, rest
	}
	if settings.Blank(namespace) || settings.Blank(name) || strings.Contains(name, "/") {
		return "", fmt.Errorf("--as-service-account: %q is not [NAMESPACE/]NAME", account)
	}
	c, err := coreclient.NewForConfig(cfg)
	if err != nil {
		return "", err
	}
	seconds := int64(tokenLife)
	spec := authnv1.TokenRequestSpec{ExpirationSeconds: &seconds}
	if a := settings.FirstNonBlank(r.audience); a != "" {
		spec.Audiences = []string{a}
	}
	t, err := c.ServiceAccounts(namespace).CreateToken(ctx, name, &authnv1.TokenRequest{Spec: spec}, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("--as-service-account %s/%s: %w", namespace, name, err)
	}
	return t.Status.Token, nil
}

// errHeard ends a request that was only made to be seen.
var errHeard = errors.New("not sent")

// overheard notes the token of a request and sends nothing.
type overheard struct{ token string }

// RoundTrip is http.RoundTripper.
func (o *overheard) RoundTrip(r *http.Request) (*http.Response, error) {
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		o.token = token
	}
	return nil, errHeard
}

// own is the token that the kubeconfig gives, be it from a field, a file or a
// program such as a cloud's; "" when it gives none. It is what a request to the
// API server would carry.
func own(ctx context.Context, cfg *rest.Config) (string, error) {
	var heard overheard
	rt, err := rest.HTTPWrappersForConfig(cfg, &heard)
	if err != nil {
		return "", fmt.Errorf("token of the kubeconfig: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://nowhere.invalid/", nil)
	if err != nil {
		return "", err
	}
	resp, err := rt.RoundTrip(r)
	if err == nil {
		resp.Body.Close()
	} else if !errors.Is(err, errHeard) {
		return "", fmt.Errorf("token of the kubeconfig: %w", err)
	}
	return heard.token, nil
}
