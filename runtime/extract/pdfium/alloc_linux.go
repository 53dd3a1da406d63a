package pdfium

import (
	"context"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// allocator gives the instances of an engine their memory. Each gets its whole
// address range at once, and pages of it as it grows. So growth copies nothing,
// closing returns the memory at once, and how far instances may grow can change.
type allocator struct {
	bound atomic.Uint64 // bytes of an instance; one that is larger already keeps what it has
	most  uint64        // that it can ever have; 0 = what the runtime says

	mu   sync.Mutex
	live map[*byte]*mapped // by their first byte
}

func (a *allocator) in(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(a.reserve))
}

// limit returns the pages that the runtime is to admit: all that there can be, since
// what it refuses itself nobody gets to know. The allocator refuses what is over pages.
func (a *allocator) limit(pages uint32) uint32 {
	const all = 1 << 16
	a.most = uint64(pages) * pageBytes
	return all
}

// admit lets instances grow up to so many bytes.
func (a *allocator) admit(bytes uint64) { a.bound.Store(bytes) }

// mapped is a linear memory in a reserved address range.
type mapped struct {
	bytes     []byte
	committed uint64
	allocator *allocator
	refused   atomic.Uint64 // the bound over which it once asked for memory, 0 for none
}

func (a *allocator) reserve(_, limit uint64) experimental.LinearMemory {
	if a.most > 0 {
		limit = min(limit, a.most)
	}
	b, err := syscall.Mmap(-1, 0, int(limit), syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return &mapped{allocator: a} // every growth then fails, and the instance with it
	}
	m := &mapped{bytes: b, allocator: a}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.live == nil {
		a.live = map[*byte]*mapped{}
	}
	a.live[&b[0]] = m
	return m
}

// refused returns the bound over which the instance whose memory begins so asked for
// more, 0 for none. What it did then, without memory, looks like any other crash.
func (a *allocator) refused(memory []byte) uint64 {
	if len(memory) == 0 {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if m := a.live[&memory[0]]; m != nil {
		return m.refused.Load()
	}
	return 0
}

// Reallocate commits the first size bytes; nil says that there is no memory.
func (m *mapped) Reallocate(size uint64) []byte {
	if bound := min(uint64(len(m.bytes)), m.allocator.bound.Load()); size > m.committed && size > bound {
		m.refused.Store(bound)
		return nil
	}
	if size > m.committed {
		if err := syscall.Mprotect(m.bytes[m.committed:size], syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			m.refused.Store(m.committed)
			return nil
		}
		m.committed = size
	}
	return m.bytes[:size:size]
}

// Free returns the range to the system.
func (m *mapped) Free() {
	if m.bytes != nil {
		m.allocator.mu.Lock()
		delete(m.allocator.live, &m.bytes[0])
		m.allocator.mu.Unlock()
		_ = syscall.Munmap(m.bytes) // fails only for a range that is not mapped
		m.bytes, m.committed = nil, 0
	}
}
