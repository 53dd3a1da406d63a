package rerank

import (
	"crypto/sha256"
	"fmt"
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// tokens are a text's token vectors in 8 bits a dimension. That is a quarter of
// the memory for an error of a cosine under 0.005, and a sum of integers doesn't
// depend on its order. Nothing is scored at any other precision, so that a
// remembered passage scores as a new one does.
type tokens struct {
	ids     []int32
	vectors []int8    // row-major
	scales  []float32 // a row's vector is its bytes × its scale
}

func quantize(ids []int32, vectors []float32) *tokens {
	t := &tokens{ids: ids, vectors: make([]int8, len(vectors)), scales: make([]float32, len(ids))}
	if len(ids) == 0 {
		return t
	}
	width := len(vectors) / len(ids)
	for i := range ids {
		row := vectors[i*width : (i+1)*width]
		var largest float32
		for _, x := range row {
			largest = max(largest, x, -x)
		}
		if largest == 0 {
			continue
		}
		t.scales[i] = largest / math.MaxInt8
		for d, x := range row {
			t.vectors[i*width+d] = int8(math.Round(float64(x / largest * math.MaxInt8)))
		}
	}
	return t
}

func (t *tokens) row(i int) []int8 {
	width := len(t.vectors) / len(t.ids)
	return t.vectors[i*width : (i+1)*width]
}

// bytes is what t occupies, without the few words of its headers.
func (t *tokens) bytes() int { return len(t.vectors) + 8*len(t.ids) }

// dot is exact: 127² × the dimensions stays far below 2³¹.
func dot(a, b []int8) int32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 int32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += int32(a[i]) * int32(b[i])
		s1 += int32(a[i+1]) * int32(b[i+1])
		s2 += int32(a[i+2]) * int32(b[i+2])
		s3 += int32(a[i+3]) * int32(b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}

// memory keeps the tokens of the texts that were asked for last, by content.
type memory struct {
	mu   sync.Mutex
	lru  *simplelru.LRU[[sha256.Size]byte, *tokens]
	size int // bytes kept
	max  int
}

// entryBytes is what an entry takes besides its tokens: keys, links, headers.
const entryBytes = 256

func newMemory(bytes int) (*memory, error) {
	if bytes < 0 {
		return nil, fmt.Errorf("rerank: %d bytes to remember passages in, want 0 or more", bytes)
	}
	m := &memory{max: bytes}
	var err error
	m.lru, err = simplelru.NewLRU(1+bytes/entryBytes, func(_ [sha256.Size]byte, t *tokens) { m.size -= t.bytes() + entryBytes })
	if err != nil {
		return nil, fmt.Errorf("rerank: remember passages: %w", err)
	}
	return m, nil
}

// get returns nil for a text that isn't remembered.
func (m *memory) get(text string) *tokens {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, _ := m.lru.Get(sha256.Sum256([]byte(text)))
	return t
}

// add remembers a text's tokens, and forgets what was asked for longest ago.
func (m *memory) add(text string, t *tokens) {
	size := t.bytes() + entryBytes
	if size > m.max {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lru.Remove(sha256.Sum256([]byte(text))) // two calls may encode the same text
	m.lru.Add(sha256.Sum256([]byte(text)), t)
	for m.size += size; m.size > m.max; {
		m.lru.RemoveOldest()
	}
}
