package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Reader reads one archive. Nothing that it gives may be put into service before
// Each has returned nil: only then the hashes are known to be right.
type Reader struct {
	Manifest Manifest
	in       *bufio.Reader
	from     *wire
	plain    *zstd.Decoder
	whole    hash.Hash
	section  closing
	part     hash.Hash
	sections int
	census   store.Census
}

// Handler takes the entries of an archive.
type Handler struct {
	Corpus func(Corpus) error
	Point  func(store.Point) error
}

// NewReader reads an archive's manifest.
func NewReader(r io.Reader) (*Reader, error) {
	line := make([]byte, len(magic))
	n, err := io.ReadFull(r, line)
	switch {
	case string(line[:n]) != magic[:n]:
		return nil, fmt.Errorf("%w: it begins with %q", ErrForeign, line[:n])
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w after %d bytes", ErrTruncated, n)
	case err != nil:
		return nil, fmt.Errorf("read archive: %w", err)
	}
	from := &wire{Reader: r}
	plain, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
	if err != nil {
		return nil, fmt.Errorf("read archive: %w", err)
	}
	x := &Reader{in: bufio.NewReaderSize(plain, 1<<16), from: from, plain: plain, whole: sha256.New(), census: store.Census{}}
	k, body, err := x.record()
	if err != nil {
		return nil, err
	}
	if k == kindFailed {
		return nil, &FailedError{string(body)}
	}
	if err := x.decode(body, &x.Manifest); err != nil || k != kindManifest {
		return nil, errors.Join(fmt.Errorf("%w: it doesn't begin with a manifest", ErrDamaged), err)
	}
	if x.Manifest.Format != Format {
		return nil, fmt.Errorf("%w: it is %q", ErrForeign, x.Manifest.Format)
	}
	return x, nil
}

// Close lets go of what reading took.
func (r *Reader) Close() { r.plain.Close() }

// Census counts the points that were read.
func (r *Reader) Census() store.Census { return r.census }

// Each hands every entry on, in the order in which they were written, and checks
// counts and hashes to the end. It stops at the first error.
func (r *Reader) Each(h Handler) error {
	for {
		before := r.whole.Sum(nil)
		k, body, err := r.record()
		if err != nil {
			return err
		}
		switch k {
		case kindSection:
			if r.part != nil {
				return fmt.Errorf("%w: section %q is not closed", ErrDamaged, r.section.Section)
			}
			r.section, r.part = closing{Section: string(body)}, sha256.New()
			r.sections++
		case kindEntry:
			err = r.entry(h, body)
		case kindClose:
			err = r.closed(body)
		case kindFailed:
			return &FailedError{string(body)}
		case kindEnd:
			return r.ended(body, hex.EncodeToString(before))
		default:
			return fmt.Errorf("%w: unknown record %q", ErrDamaged, k)
		}
		if err != nil {
			return err
		}
	}
}

func (r *Reader) entry(h Handler, body []byte) error {
	if r.part == nil {
		return fmt.Errorf("%w: an entry outside of a section", ErrDamaged)
	}
	r.section.Entries++
	measure(r.part, body)
	switch r.section.Section {
	case Corpora:
		var c Corpus
		if err := r.decode(body, &c); err != nil {
			return err
		}
		return h.Corpus(c)
	case Points:
		p, err := store.DecodePoint(body)
		if err != nil {
			return fmt.Errorf("%w: point %d: %w", ErrDamaged, r.section.Entries, err)
		}
		r.census.Add(p.Payload)
		return h.Point(p)
	}
	return fmt.Errorf("%w: it has a section %q, which this program doesn't know", ErrForeign, r.section.Section)
}

func (r *Reader) closed(body []byte) error {
	var want closing
	if err := r.decode(body, &want); err != nil {
		return err
	}
	if r.part == nil {
		return fmt.Errorf("%w: section %q was not begun", ErrDamaged, want.Section)
	}
	r.section.SHA256 = hex.EncodeToString(r.part.Sum(nil))
	if r.section != want {
		return fmt.Errorf("%w: section %q has %d entries of hash %.12s, not %d of %.12s", ErrDamaged, want.Section, r.section.Entries, r.section.SHA256, want.Entries, want.SHA256)
	}
	r.part = nil
	return nil
}

func (r *Reader) ended(body []byte, hash string) error {
	var want ending
	if err := r.decode(body, &want); err != nil {
		return err
	}
	have := store.Census{}
	for _, b := range want.Points {
		have[store.Group{Corpus: b.Corpus, Kind: b.Kind, From: b.From}] = b.Points
	}
	switch {
	case r.part != nil || want.Sections != r.sections || want.SHA256 != hash:
		return fmt.Errorf("%w: %d sections of hash %.12s, not %d of %.12s", ErrDamaged, r.sections, hash, want.Sections, want.SHA256)
	case r.census.Differ(have) != "":
		return fmt.Errorf("%w: %s", ErrDamaged, r.census.Differ(have))
	}
	if _, err := r.in.ReadByte(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something follows its end", ErrDamaged)
	}
	return nil
}

func (r *Reader) decode(body []byte, v any) error {
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

// record reads the next one.
func (r *Reader) record() (kind, []byte, error) {
	k, err := r.in.ReadByte()
	if err != nil {
		return 0, nil, r.broken(err)
	}
	length, err := binary.ReadUvarint(r.in)
	if err != nil {
		return 0, nil, r.broken(err)
	}
	if length > largest {
		return 0, nil, fmt.Errorf("%w: a record of %d bytes", ErrDamaged, length)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r.in, body); err != nil {
		return 0, nil, r.broken(err)
	}
	r.whole.Write(binary.AppendUvarint([]byte{k}, length))
	r.whole.Write(body)
	return kind(k), body, nil
}

// broken types an error of the stream.
func (r *Reader) broken(err error) error {
	where := "before its first section"
	if r.section.Section != "" {
		where = fmt.Sprintf("in section %q, after %d entries", r.section.Section, r.section.Entries)
	}
	switch {
	case r.from.err != nil:
		return fmt.Errorf("read archive %s: %w", where, r.from.err)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w %s", ErrTruncated, where)
	}
	return fmt.Errorf("%w %s: %w", ErrDamaged, where, err)
}

// wire tells what the stream itself failed of from what is wrong with its bytes.
type wire struct {
	io.Reader
	err error
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}
