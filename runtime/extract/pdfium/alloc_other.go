//go:build !linux

package pdfium

import "context"

// withAllocator leaves memory to the runtime where address ranges are reserved differently.
func withAllocator(ctx context.Context) context.Context { return ctx }
