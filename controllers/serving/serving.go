// Package serving holds which revision of each corpus answers. Reconcilers feed
// it; every replica of the runtime reads it.
package serving

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// Registry is a set of corpora, safe for concurrent use. It implements
// serve.Corpora.
type Registry struct {
	mu      sync.RWMutex
	corpora map[types.NamespacedName]serve.Corpus
}

// New returns an empty registry.
func New() *Registry { return &Registry{corpora: map[types.NamespacedName]serve.Corpus{}} }

// Lookup finds a corpus.
func (r *Registry) Lookup(namespace, name string) (serve.Corpus, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	c, ok := r.corpora[types.NamespacedName{Namespace: namespace, Name: name}]
	return c, ok
}

// Put replaces what is known of a corpus.
func (r *Registry) Put(name types.NamespacedName, c serve.Corpus) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.corpora[name] = c
}

// Remove forgets a corpus.
func (r *Registry) Remove(name types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.corpora, name)
}
