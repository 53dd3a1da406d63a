package render

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// cache keeps the pictures that were asked for last, up to a number of bytes.
type cache struct {
	limit int

	mu    sync.Mutex
	bytes int
	kept  *simplelru.LRU[string, Image]
}

func newCache(limit int) *cache {
	c := &cache{limit: limit}
	const entries = 1 << 20 // bytes are the bound; this one is never reached
	c.kept, _ = simplelru.NewLRU(entries, func(_ string, img Image) { c.bytes -= len(img.PNG) })
	return c
}

func (c *cache) get(key string) (Image, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept.Get(key)
}

// put keeps a picture; one that is larger than everything that may be kept isn't.
func (c *cache) put(key string, img Image) {
	if len(img.PNG) > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.Remove(key)
	c.kept.Add(key, img)
	c.bytes += len(img.PNG)
	for c.bytes > c.limit {
		c.kept.RemoveOldest()
	}
}
