package extract

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// reader serves the file's bytes wherever they are.
func (f *File) reader() io.ReaderAt {
	if f.At != nil {
		return f.At
	}
	return bytes.NewReader(f.Data)
}

func (f *File) size() int64 {
	if f.At != nil {
		return f.Size
	}
	return int64(len(f.Data))
}

// load brings the bytes of a file that is served: of a PDF those by which it is
// known, and all of any other type, which is read whole.
func (f *File) load() error {
	if f.At == nil {
		return nil
	}
	head, err := f.piece(0, headWithin)
	if err == nil && sniff(head).kind != kindPDF {
		head, err = f.piece(0, f.Size)
	}
	f.Data = head
	return err
}

// piece reads n bytes, fewer at the end of the file.
func (f *File) piece(offset, n int64) ([]byte, error) {
	out := make([]byte, max(0, min(n, f.size()-offset)))
	if _, err := f.reader().ReadAt(out, offset); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read %d bytes at %d: %w", len(out), offset, err)
	}
	return out, nil
}

// sum is the file's SHA-256 in hex.
func (f *File) sum() (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f.reader(), 0, f.size())); err != nil {
		return "", fmt.Errorf("read the file for its hash: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
