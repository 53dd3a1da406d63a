package worker

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

func TestRemote(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 3*blocks*blockBytes+7)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	asked := 0
	r := &remote{size: int64(len(data)), fetch: func(s span) ([]byte, error) {
		asked++
		if s.Length > blockBytes {
			t.Fatalf("%d bytes asked for at a time", s.Length)
		}
		return bytes.Clone(data[s.Offset : s.Offset+s.Length]), nil
	}}
	if err := iotest.TestReader(io.NewSectionReader(r, 0, r.size), data); err != nil {
		t.Error(err)
	}
	for range 500 {
		at := random.IntN(len(data))
		p := make([]byte, random.IntN(2*blockBytes))
		n, err := r.ReadAt(p, int64(at))
		if want := data[at:min(at+len(p), len(data))]; !bytes.Equal(p[:n], want) || errors.Is(err, io.EOF) != (n < len(p)) {
			t.Fatalf("%d bytes at %d: %d read, %v", len(p), at, n, err)
		}
	}
	asked = 0
	for at := range int64(1000) {
		if _, err := r.ReadAt(make([]byte, 512), at*512); err != nil {
			t.Fatal(err)
		}
	}
	if most := 1000*512/blockBytes + 1; asked > most {
		t.Errorf("%d blocks asked for in one pass over %d", asked, most)
	}
	r.fetch = func(span) ([]byte, error) { return []byte("short"), nil }
	r.kept = [blocks]block{}
	if _, err := r.ReadAt(make([]byte, 9), 0); err == nil {
		t.Error("five bytes passed for a block")
	}
	gone := errors.New("gone")
	r.fetch = func(span) ([]byte, error) { return nil, gone }
	if _, err := r.ReadAt(make([]byte, 9), 0); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
}
