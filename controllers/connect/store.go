package connect

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Store connects to the store that a Collection is served from: the spec's, or
// while its points are being moved there the one before.
func (c *Connector) Store(ctx context.Context, coll *v1alpha1.Collection) (*store.Client, error) {
	if s := coll.Status.Store; s != nil && s.Place() != coll.Spec.Store.Place() {
		return c.At(ctx, coll, *s, "status.store")
	}
	return c.Target(ctx, coll)
}

// Target connects to the store that a Collection's spec names, whether or not it
// serves yet.
func (c *Connector) Target(ctx context.Context, coll *v1alpha1.Collection) (*store.Client, error) {
	return c.At(ctx, coll, coll.Spec.Store, "spec.store")
}

// At connects to one of a Collection's stores; field is what messages name.
func (c *Connector) At(ctx context.Context, coll *v1alpha1.Collection, s v1alpha1.Store, field string) (*store.Client, error) {
	q := s.Qdrant
	if q == nil {
		client, err := c.Runtime.Embedded(ctx)
		if err != nil {
			return nil, outcome.Failing(v1alpha1.StoreUnreachableReason, err)
		}
		return client, nil
	}
	cfg := store.Config{URL: string(q.URL)}
	var err error
	if q.APIKeySecretRef != nil {
		if cfg.APIKey, err = c.Secret(ctx, coll.Namespace, *q.APIKeySecretRef, field+".qdrant.apiKeySecretRef"); err != nil {
			return nil, err
		}
	}
	if q.CASecretRef != nil {
		ca, err := c.Secret(ctx, coll.Namespace, *q.CASecretRef, field+".qdrant.caSecretRef")
		if err != nil {
			return nil, err
		}
		cfg.CA = []byte(ca)
	}
	return c.stores.dial(ctx, holder(coll)+s.Place(), cfg)
}

// Release lets go of the connections of a Collection that is gone.
func (c *Connector) Release(coll *v1alpha1.Collection) { c.stores.release(holder(coll)) }

// holder says whose a connection is: a Collection has one a place, which comes
// behind a separator that no name has.
func holder(coll *v1alpha1.Collection) string { return coll.Namespace + "/" + coll.Name + " " }

// stores are the open connections, shared by those who address a server alike. One
// is kept as long as somebody holds it: a rotated key lets go of the one before,
// which ends when the last question that was asked by it has been answered.
type stores struct {
	mu      sync.Mutex
	clients map[string]*store.Client // by everything that addresses a server
	held    map[string]string        // by holder
}

// dial reuses a client as long as address, key and certificate stay the same, so
// that a rotated Secret is applied at the next reconcile. A server that is slow to
// answer holds nobody else up.
func (s *stores) dial(ctx context.Context, holder string, cfg store.Config) (*store.Client, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", cfg.URL, cfg.APIKey, cfg.CA))
	key := string(sum[:])
	if client := s.hold(holder, key, nil); client != nil {
		return client, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	client, err := store.Connect(ctx, cfg)
	if err != nil {
		return nil, outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	return s.hold(holder, key, client), nil // an equal one if somebody was faster
}

// hold gives the holder the client of that key: the one that is open, else fresh;
// nil when there is neither.
func (s *stores) hold(holder, key string, fresh *store.Client) *store.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clients == nil {
		s.clients, s.held = map[string]*store.Client{}, map[string]string{}
	}
	if s.clients[key] == nil && fresh != nil {
		s.clients[key] = fresh
	}
	client := s.clients[key]
	if client != nil {
		s.held[holder] = key
		s.sweep()
	}
	return client
}

// release forgets every place of a holder.
func (s *stores) release(prefix string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for holder := range s.held {
		if strings.HasPrefix(holder, prefix) {
			delete(s.held, holder)
		}
	}
	s.sweep()
}

// sweep forgets the clients that nobody holds.
func (s *stores) sweep() {
	used := map[string]bool{}
	for _, key := range s.held {
		used[key] = true
	}
	for key := range s.clients {
		if !used[key] {
			delete(s.clients, key)
		}
	}
}
