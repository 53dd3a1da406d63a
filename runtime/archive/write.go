package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Writer writes one archive. Its methods are called in the order Section, Entry…,
// Section, …, Close.
type Writer struct {
	out      *zstd.Encoder
	buffer   *bufio.Writer
	whole    hash.Hash
	section  closing
	part     hash.Hash // nil between sections
	sections int
	census   store.Census
}

// NewWriter begins an archive.
func NewWriter(w io.Writer, m Manifest) (*Writer, error) {
	m.Format = Format
	if _, err := io.WriteString(w, magic); err != nil {
		return nil, fmt.Errorf("write archive: %w", err)
	}
	out, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("write archive: %w", err)
	}
	x := &Writer{out: out, buffer: bufio.NewWriterSize(out, 1<<16), whole: sha256.New(), census: store.Census{}}
	return x, x.encode(kindManifest, m)
}

// Section begins a section, after closing the one before.
func (w *Writer) Section(name string) error {
	if err := w.close(); err != nil {
		return err
	}
	w.section, w.part = closing{Section: name}, sha256.New()
	w.sections++
	return w.record(kindSection, []byte(name))
}

// Entry adds to the section.
func (w *Writer) Entry(body []byte) error {
	w.section.Entries++
	measure(w.part, body)
	return w.record(kindEntry, body)
}

// Corpus adds a corpus to the section of corpora.
func (w *Writer) Corpus(c Corpus) error {
	body, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return w.Entry(body)
}

// Point adds a point to the section of points.
func (w *Writer) Point(p store.Point) error {
	body, err := store.EncodePoint(p)
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	w.census.Add(p.Payload)
	return w.Entry(body)
}

// Census counts the points so far.
func (w *Writer) Census() store.Census { return w.census }

// Close ends the archive. Without it a reader finds it cut off.
func (w *Writer) Close() error {
	if err := w.close(); err != nil {
		return err
	}
	end := ending{Sections: w.sections, SHA256: hex.EncodeToString(w.whole.Sum(nil)), Points: bands(w.census)}
	if err := w.encode(kindEnd, end); err != nil {
		return err
	}
	return w.flush()
}

// Fail ends the archive with why it could not be finished, so that whoever reads
// it learns more than that it is cut off.
func (w *Writer) Fail(cause error) error {
	if err := w.record(kindFailed, []byte(cause.Error())); err != nil {
		return err
	}
	return w.flush()
}

func (w *Writer) flush() error {
	if err := w.buffer.Flush(); err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	if err := w.out.Close(); err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return nil
}

func (w *Writer) close() error {
	if w.part == nil {
		return nil
	}
	w.section.SHA256 = hex.EncodeToString(w.part.Sum(nil))
	w.part = nil
	return w.encode(kindClose, w.section)
}

func (w *Writer) encode(k kind, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return w.record(k, body)
}

func (w *Writer) record(k kind, body []byte) error {
	head := append(make([]byte, 0, 1+binary.MaxVarintLen64), byte(k))
	head = binary.AppendUvarint(head, uint64(len(body)))
	for _, b := range [][]byte{head, body} {
		if _, err := w.buffer.Write(b); err != nil {
			return fmt.Errorf("write archive: %w", err)
		}
		w.whole.Write(b)
	}
	return nil
}

// measure takes an entry into a section's hash, length first: two entries are not
// one with the same bytes.
func measure(h hash.Hash, body []byte) {
	h.Write(binary.AppendUvarint(nil, uint64(len(body))))
	h.Write(body)
}
