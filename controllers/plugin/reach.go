package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// reach is how a command comes to the manager's HTTP surface. The API server's
// service proxy drops the Authorization header, by which the manager knows who
// asks; so the way leads through a port-forward, as `kubectl port-forward` does it.
type reach struct {
	endpoint string
	account  string
	audience string
}

func (r *reach) bind(f *pflag.FlagSet) {
	f.StringVar(&r.endpoint, "endpoint", "", "base URL of the manager's HTTP surface (default: a port-forward to the pods behind status.endpoint)")
	f.StringVar(&r.account, "as-service-account", "", "[NAMESPACE/]NAME of the ServiceAccount in whose name to ask (default: the kubeconfig's token)")
	f.StringVar(&r.audience, "audience", "", "audience of that ServiceAccount's token: the manager's --audience (default: the API server's own)")
}

// wire is an open way to one manager, in somebody's name.
type wire struct {
	base   string // URL without a slash at its end
	client *http.Client
	close  func()
}

// open finds the way to every manager that serves, one unless there are
// replicas. The published endpoint is read where --endpoint is left out. Whoever
// opens wires closes them.
func (r *reach) open(ctx context.Context, t *target, published func() (string, error)) ([]wire, error) {
	cfg, namespace, err := t.reachable()
	if err != nil {
		return nil, err
	}
	base, named := settings.FirstNonBlank(r.endpoint), true
	if base == "" {
		named = false
		if base, err = published(); err != nil {
			return nil, err
		}
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("--endpoint: %q is not a URL such as http://127.0.0.1:8080", base)
	}
	service, inCluster := serviceOf(u)
	if u.Scheme == "http" && !inCluster && !local(u.Hostname()) {
		return nil, fmt.Errorf("--endpoint: a token would cross the net in the clear to %s: use https://, a port-forward to this machine, or a Service (NAME.NAMESPACE.svc)", u.Host)
	}
	token, err := r.token(ctx, cfg, namespace)
	if err != nil {
		return nil, err
	}
	base = strings.TrimSuffix(u.String(), "/")
	if named || !inCluster {
		return []wire{{base: base, client: &http.Client{Transport: bearer{token, http.DefaultTransport}}, close: func() {}}}, nil
	}
	return forwarded(ctx, cfg, service, base, token)
}

// forwarded opens a way to each pod of a Service. The URL stays the Service's;
// only where it is dialled differs.
func forwarded(ctx context.Context, cfg *rest.Config, s service, base, token string) ([]wire, error) {
	pods, err := s.pods(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var out []wire
	for _, p := range pods {
		address, stop, err := p.forward(ctx, cfg)
		if err != nil {
			for _, w := range out {
				w.close()
			}
			return nil, err
		}
		tr := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		}}
		out = append(out, wire{base: base, client: &http.Client{Transport: bearer{token, tr}}, close: func() { tr.CloseIdleConnections(); stop() }})
	}
	return out, nil
}

// bearer sends a token along.
type bearer struct {
	token string
	next  http.RoundTripper
}

// RoundTrip is http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// ask sends a request and returns the body of a success; contentType is that of
// the body, "" without one. A refusal is an error that says what to do.
func (w wire) ask(ctx context.Context, method, path, contentType string, body io.Reader) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, method, w.base+path, body)
	if err != nil {
		return nil, fmt.Errorf("--endpoint: %w", err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	resp, err := w.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask the manager: %w", err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	var out struct {
		Error struct{ Code, Message string }
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil || json.Unmarshal(text, &out) != nil || out.Error.Message == "" {
		return nil, fmt.Errorf("%s answers %s: is it the manager's HTTP surface?", w.base, resp.Status)
	}
	err = fmt.Errorf("%s: %s", out.Error.Code, out.Error.Message)
	if resp.StatusCode == http.StatusUnauthorized {
		err = fmt.Errorf("%w; where the manager has an --audience, name a ServiceAccount by --as-service-account and that --audience", err)
	}
	return nil, err
}

// endpointOf is the base URL of status.endpoint.
func endpointOf(c *v1alpha1.Corpus) (string, error) {
	base, _, ok := strings.Cut(c.Status.Endpoint, "/v1/corpora/")
	if !ok {
		return "", fmt.Errorf("corpus %s/%s has no status.endpoint yet: no manager has seen it. Is one running, and does it watch this namespace? Else name its base URL by --endpoint", c.Namespace, c.Name)
	}
	return base, nil
}

// service is a Service's port.
type service struct{ namespace, name, port string }

// serviceOf reads NAME.NAMESPACE.svc[.DOMAIN], as names inside a cluster are.
func serviceOf(u *url.URL) (service, bool) {
	parts := strings.Split(u.Hostname(), ".")
	if len(parts) < 3 || parts[2] != "svc" {
		return service{}, false
	}
	return service{name: parts[0], namespace: parts[1], port: cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])}, true
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
