// Package store is the only way to the vectors: collections with a dense and a
// sparse vector a point, payload indexes, aliases, writes, and batched queries.
//
// Points enter with plain Go payloads; records and scored points leave. It
// speaks Qdrant's gRPC API through github.com/qdrant/go-client, in one code path
// for a Qdrant server and for the embedded one (package embedded). It ranks
// nothing and fuses nothing, and it refuses to write to a collection that bears
// somebody else's owner marker.
package store

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	goruntime "runtime"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

const (
	// defaultPort is Qdrant's gRPC port.
	defaultPort = "6334"

	// maxAnswer bounds one answer, bytes. gRPC's own default of 4 MiB is less than
	// one page of records with vectors.
	maxAnswer = 256 << 20

	// A dead peer is noticed after keepaliveTime + keepaliveTimeout.
	keepaliveTime    = 30 * time.Second
	keepaliveTimeout = 10 * time.Second
)

// Config says which server to use: exactly one of Embedded and URL.
type Config struct {
	Embedded *embedded.Server // in this process
	URL      string           // gRPC URL of a Qdrant, http(s)://host[:6334]
	APIKey   string           // sent with every request; "" = none
	CA       []byte           // PEM bundle that signs the server's certificate; nil = the system's roots
}

// Client talks to one server. It is safe for concurrent use.
type Client struct {
	conn        *grpc.ClientConn
	points      qdrant.PointsClient
	collections qdrant.CollectionsClient
}

// Connect opens the connection and asks the server for its health, so that a
// wrong address is known here and not at the first query. Requests are bounded by
// their context alone. Nothing is compressed: vectors hardly shrink, and the
// server is expected to be near.
func Connect(ctx context.Context, cfg Config) (*Client, error) {
	conn, err := dial(cfg)
	if err != nil {
		return nil, err
	}
	if _, err := qdrant.NewQdrantClient(conn).HealthCheck(ctx, &qdrant.HealthCheckRequest{}); err != nil {
		_ = conn.Close() // the health check's error is the one that matters
		return nil, unreached(cfg, err)
	}
	c := &Client{conn: conn, points: qdrant.NewPointsClient(conn), collections: qdrant.NewCollectionsClient(conn)}
	goruntime.AddCleanup(c, abandon, conn)
	return c, nil
}

// lastRequests is how long a connection outlives its client: a request may be
// under way whose client nobody refers to any more.
const lastRequests = time.Minute

// abandon ends the connection of a client that was let go of without Close: whoever
// asks by an older client, with another key, may go on until done.
func abandon(conn *grpc.ClientConn) {
	time.AfterFunc(lastRequests, func() { _ = conn.Close() }) // closed already, or nobody is there to tell
}

// Close ends the connection; an embedded server keeps running.
func (c *Client) Close() error { return c.conn.Close() }

func dial(cfg Config) (*grpc.ClientConn, error) {
	switch {
	case cfg.Embedded != nil && cfg.URL != "":
		return nil, errors.New("store: both an embedded server and a URL are given")
	case cfg.Embedded != nil:
		return cfg.Embedded.Dial()
	case cfg.URL == "":
		return nil, errors.New("store: neither an embedded server nor a URL is given")
	}
	target, options, err := dialOptions(cfg)
	if err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient(target, options...)
	if err != nil {
		return nil, fmt.Errorf("store URL %q: %w", cfg.URL, err)
	}
	return conn, nil
}

func dialOptions(cfg Config) (string, []grpc.DialOption, error) {
	u, err := url.Parse(cfg.URL)
	if err != nil {
		return "", nil, fmt.Errorf("store URL: %w", err)
	}
	if u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", nil, fmt.Errorf("store URL %q is not http(s)://host:%s", cfg.URL, defaultPort)
	}
	if u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		return "", nil, fmt.Errorf("store URL of host %q has more than scheme, host and port", u.Host)
	}
	port := u.Port()
	if port == "" {
		port = defaultPort
	}
	options := []grpc.DialOption{
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswer)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: keepaliveTime, Timeout: keepaliveTimeout}),
	}
	secure := u.Scheme == "https"
	if secure {
		roots, err := pool(cfg.CA)
		if err != nil {
			return "", nil, err
		}
		options = append(options, grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12})))
	} else {
		if len(cfg.CA) > 0 {
			return "", nil, fmt.Errorf("store URL %q is not https, yet a CA is given", cfg.URL)
		}
		options = append(options, grpc.WithTransportCredentials(insecure.NewCredentials()))
	}
	if cfg.APIKey != "" {
		options = append(options, grpc.WithPerRPCCredentials(apiKey{key: cfg.APIKey, secure: secure}))
	}
	return net.JoinHostPort(u.Hostname(), port), options, nil
}

// pool returns the roots of a PEM bundle, or nil, the system's, without one.
func pool(bundle []byte) (*x509.CertPool, error) {
	if len(bundle) == 0 {
		return nil, nil
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(bundle) {
		return nil, errors.New("store CA holds no PEM certificate")
	}
	return roots, nil
}

// apiKey sends the key with every request. Without TLS it travels in the clear,
// which whoever writes an http URL has chosen.
type apiKey struct {
	key    string
	secure bool
}

func (k apiKey) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"api-key": k.key}, nil
}

func (k apiKey) RequireTransportSecurity() bool { return k.secure }
