package worker

import (
	"fmt"
	"io"
)

const (
	blockBytes = 128 << 10 // asked for at a time
	blocks     = 16        // kept: the file's directory, its fonts and where it is being read
)

// remote serves a file whose bytes the other process holds. It is used by one
// goroutine at a time.
type remote struct {
	size  int64
	fetch func(span) ([]byte, error)
	kept  [blocks]block
	clock int
}

// block is a piece of the file.
type block struct {
	number int64
	bytes  []byte
	used   int // when, by the clock
}

// ReadAt implements io.ReaderAt.
func (r *remote) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at < 0 || at >= r.size {
			return n, io.EOF
		}
		b, err := r.block(at / blockBytes)
		if err != nil {
			return n, err
		}
		k := copy(p[n:], b[at%blockBytes:])
		n, at = n+k, at+int64(k)
	}
	return n, nil
}

// block returns a block of the file, in place of the one that was not used for longest.
func (r *remote) block(number int64) ([]byte, error) {
	r.clock++
	oldest := 0
	for i := range r.kept {
		b := &r.kept[i]
		if b.number == number && b.bytes != nil {
			b.used = r.clock
			return b.bytes, nil
		}
		if b.used < r.kept[oldest].used {
			oldest = i
		}
	}
	s := span{Offset: number * blockBytes}
	s.Length = min(blockBytes, r.size-s.Offset)
	got, err := r.fetch(s)
	if err != nil {
		return nil, err
	}
	if int64(len(got)) != s.Length {
		return nil, fmt.Errorf("%d bytes came for the %d at %d", len(got), s.Length, s.Offset)
	}
	r.kept[oldest] = block{number, got, r.clock}
	return got, nil
}
