//go:build !linux

package pdfium

import "context"

// allocator leaves memory to the runtime where address ranges are reserved
// differently: instances may then always grow up to Options.MemoryPages.
type allocator struct{}

func (*allocator) in(ctx context.Context) context.Context { return ctx }
func (*allocator) limit(pages uint32) uint32              { return pages }
func (*allocator) admit(uint64)                           {}

// refused can't be told where the runtime has the memory.
func (*allocator) refused([]byte) uint64 { return 0 }
