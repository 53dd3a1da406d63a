package pdfium

import (
	"context"
	"sync/atomic"
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// allocator gives the instances of an engine their memory. Each gets its whole
// address range at once, and pages of it as it grows. So growth copies nothing,
// closing returns the memory at once, and how far instances may grow can change.
type allocator struct {
	bound atomic.Uint64 // bytes of an instance; one that is larger already keeps what it has
}

func (a *allocator) in(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(a.reserve))
}

// admit lets instances grow up to so many bytes.
func (a *allocator) admit(bytes uint64) { a.bound.Store(bytes) }

// mapped is a linear memory in a reserved address range.
type mapped struct {
	bytes     []byte
	committed uint64
	allocator *allocator
}

func (a *allocator) reserve(_, limit uint64) experimental.LinearMemory {
	b, err := syscall.Mmap(-1, 0, int(limit), syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return &mapped{allocator: a} // every growth then fails, and the instance with it
	}
	return &mapped{bytes: b, allocator: a}
}

// Reallocate commits the first size bytes; nil says that there is no memory.
func (m *mapped) Reallocate(size uint64) []byte {
	if size > uint64(len(m.bytes)) || size > m.committed && size > m.allocator.bound.Load() {
		return nil
	}
	if size > m.committed {
		if err := syscall.Mprotect(m.bytes[m.committed:size], syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			return nil
		}
		m.committed = size
	}
	return m.bytes[:size:size]
}

// Free returns the range to the system.
func (m *mapped) Free() {
	if m.bytes != nil {
		_ = syscall.Munmap(m.bytes) // fails only for a range that is not mapped
		m.bytes, m.committed = nil, 0
	}
}
