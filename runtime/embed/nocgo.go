//go:build !cgo

package embed

import (
	"context"
	"errors"
)

// ErrNoCgo says that this binary can't run a model.
var ErrNoCgo = errors.New("embed: ONNX Runtime needs cgo, and this binary was built without it (CGO_ENABLED=1, glibc)")

// Model can't be had in this build.
type Model struct{}

// Open fails with ErrNoCgo.
func Open(Options) (*Model, error) { return nil, ErrNoCgo }

// Window is 0.
func (*Model) Window() int { return 0 }

// Dimensions is 0.
func (*Model) Dimensions() int { return 0 }

// SHA256 is empty.
func (*Model) SHA256() string { return "" }

// Pinned is false.
func (*Model) Pinned() bool { return false }

// Count is 0.
func (*Model) Count(string) int { return 0 }

// Embed fails with ErrNoCgo.
func (*Model) Embed(context.Context, []string) ([][]float32, error) { return nil, ErrNoCgo }

// TokenVectors fails with ErrNoCgo.
func (*Model) TokenVectors(context.Context, []string) (ids [][]int32, vectors [][]float32, err error) {
	return nil, nil, ErrNoCgo
}

// Pairs can't be had in this build.
type Pairs struct{}

// OpenPairs fails with ErrNoCgo.
func OpenPairs(Options) (*Pairs, error) { return nil, ErrNoCgo }

// Window is 0.
func (*Pairs) Window() int { return 0 }

// Count is 0.
func (*Pairs) Count(string, string) int { return 0 }

// Logits fails with ErrNoCgo.
func (*Pairs) Logits(context.Context, string, []string) ([]float64, error) { return nil, ErrNoCgo }
